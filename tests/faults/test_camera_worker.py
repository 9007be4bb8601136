"""A camera may die, hang, freeze or vanish: it is noticed, replaced, and nothing is left behind."""

import errno
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from fake_cameras import BackCamera, LightCamera, NoisyCamera

from hardware.camera_files import FolderCamera
from hardware.camera_worker import Patience, WorkerCamera
from hardware.errors import CameraEnded, CameraError, CameraFrozen, CameraStuck, CameraTimeout
from hardware.frames import Frame, FrameSource

START_S = 30.0  # generous: other work may be using the machine, and late pictures make the camera wait longer


@contextmanager
def opened(make: Callable[[], FrameSource], **settings: object) -> Iterator[WorkerCamera]:
    camera = WorkerCamera(make, **settings)  # type: ignore[arg-type]
    camera.open()
    try:
        yield camera
    finally:
        camera.close()


def eventually(camera: WorkerCamera, within_s: float = START_S) -> Frame:
    """The next frame, however many restarts it takes."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            return camera.read(0.2)
        except CameraError:
            continue
    pytest.fail(f"no frame within {within_s} s")


def trouble(camera: WorkerCamera, within_s: float = START_S) -> CameraError:
    """The next error that is more than a frame being late."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        try:
            camera.read(0.2)
        except CameraTimeout:
            continue
        except CameraError as error:
            return error
    pytest.fail(f"no error within {within_s} s")


def test_frames_arrive_whole_with_growing_numbers_and_their_checksums() -> None:
    from hardware.pictures import checksum_of

    with opened(partial(NoisyCamera, width=640, height=480)) as camera:
        frames = [eventually(camera) for _ in range(8)]
    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    assert all(frame.pixels.shape == (480, 640, 3) and frame.small.shape == (240, 320) for frame in frames)
    assert all(frame.checksum == checksum_of(frame.pixels) for frame in frames)
    assert all(b.taken_s > a.taken_s for a, b in pairwise(frames))


def test_a_frame_stays_as_it_was_while_later_ones_arrive() -> None:
    with opened(NoisyCamera) as camera:
        first = eventually(camera)
        before = first.pixels.copy()
        eventually(camera)
        assert np.array_equal(first.pixels, before)


def test_ctrl_c_while_it_is_loaded_is_for_its_owner(capfd: pytest.CaptureFixture[str]) -> None:
    with opened(NoisyCamera) as camera:
        os.kill(camera.process_id or 0, signal.SIGINT)
        eventually(camera)
        assert camera.restarts == 0
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV])
def test_a_killed_camera_is_noticed_at_once_and_replaced(how: signal.Signals) -> None:
    with opened(NoisyCamera) as camera:
        last = eventually(camera).number
        os.kill(camera.process_id or 0, how)
        assert "died" in str(trouble(camera))  # told by its end, not by its silence
        assert eventually(camera).number > last
        assert camera.restarts == 1


@pytest.mark.parametrize("what", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_asks_all_processes_to_end_leaves_the_camera_to_its_owner(what: signal.Signals) -> None:
    with opened(NoisyCamera) as camera:
        eventually(camera)
        os.kill(camera.process_id or 0, what)
        seen_s = time.monotonic() + 0.3
        while time.monotonic() < seen_s:
            with suppress(CameraTimeout):
                camera.read(0.2)
        assert camera.restarts == 0


def test_a_stopped_camera_is_noticed_by_its_silence_and_replaced() -> None:
    with opened(NoisyCamera) as camera:
        eventually(camera)
        os.kill(camera.process_id or 0, signal.SIGSTOP)
        assert "hangs" in str(trouble(camera))
        eventually(camera)


@pytest.mark.parametrize(
    ("fault", "words"), [("hang", "hangs"), ("silent", "hangs"), ("raise", "on fire"), ("die", "died")]
)
def test_every_way_to_fail_is_told_once_and_ends_in_a_new_camera(fault: str, words: str) -> None:
    with opened(partial(NoisyCamera, fault=fault)) as camera:
        eventually(camera)
        assert words in str(trouble(camera))
        with pytest.raises(CameraTimeout):
            camera.read(0.0)
        eventually(camera)


def test_reading_never_blocks_longer_than_asked() -> None:
    with opened(partial(NoisyCamera, fault="hang", at=0)) as camera:
        for wait_s in (0.0, 0.05, 0.3):
            begun_s = time.monotonic()
            with pytest.raises(CameraTimeout):
                camera.read(wait_s)
            assert time.monotonic() - begun_s < wait_s + START_S  # the camera hangs for an hour


def test_a_slow_camera_is_not_taken_for_a_hanging_one() -> None:
    patience = Patience(hang_s=0.2, hang_periods=20.0)
    with opened(partial(NoisyCamera, period_s=0.4, at=10**6), patience=patience) as camera:
        eventually(camera)
        for _ in range(3):
            eventually(camera)
        assert camera.restarts == 0


def test_a_reader_that_pauses_gets_a_fresh_picture_and_no_false_alarm() -> None:
    with opened(NoisyCamera) as camera:
        eventually(camera)
        paused_s = time.monotonic()
        time.sleep(1.3)
        assert eventually(camera).taken_s > paused_s + 0.5
        assert camera.restarts == 0


def test_a_wish_that_waited_is_not_answered_with_an_old_picture() -> None:
    with opened(partial(NoisyCamera, period_s=0.05), patience=Patience(stale_s=0.2)) as camera:
        eventually(camera)
        with pytest.raises(CameraTimeout):
            camera.read(0.0)  # leaves its wish behind
        left_s = time.monotonic()
        time.sleep(0.6)
        assert eventually(camera).taken_s > left_s + 0.3


def test_equal_pictures_in_a_row_are_a_frozen_camera() -> None:
    with opened(partial(NoisyCamera, fault="frozen"), frozen_frames=6) as camera:
        error = trouble(camera)
        assert isinstance(error, CameraFrozen)
        assert "6 times" in str(error)
        given = []
        while camera.restarts < 2:
            with suppress(CameraError):
                given.append(camera.read(0.2))
        assert given == []  # started again it gives that picture still


def test_noise_is_never_taken_for_frozen() -> None:
    with opened(partial(NoisyCamera, period_s=0.0005), frozen_frames=2) as camera:
        for _ in range(150):
            eventually(camera)
        assert camera.restarts == 0


def test_an_absent_camera_says_so_and_works_once_it_is_there(tmp_path: Path) -> None:
    flag = tmp_path / "plugged in"
    with opened(partial(BackCamera, flag)) as camera:
        for _ in range(2):
            assert "plug it in" in str(trouble(camera))
        flag.touch()
        eventually(camera)


def test_pauses_between_starts_grow() -> None:
    patience = Patience(waits_s=(0.0, 0.3, 0.9))
    with opened(partial(NoisyCamera, fault="absent"), patience=patience) as camera:
        times = []
        for _ in range(4):
            trouble(camera)
            times.append(time.monotonic())
    pauses = [b - a for a, b in pairwise(times)]
    assert pauses[1] > 0.3
    assert pauses[2] > 0.9


def test_a_process_that_outlives_the_kill_gets_no_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = Patience(let_go_s=0.2)
    with opened(NoisyCamera, patience=patience) as camera:
        eventually(camera)
        process = camera._process
        assert process is not None
        with monkeypatch.context() as patch:
            patch.setattr(type(process), "kill", lambda self: None)
            os.kill(process.pid or 0, signal.SIGSTOP)
            trouble(camera)
            assert isinstance(trouble(camera), CameraStuck)
            deadline = time.monotonic() + 0.5
            while time.monotonic() < deadline:
                with pytest.raises(CameraTimeout) as caught:
                    camera.read(0.1)
            assert "restart the box" in str(caught.value)
            assert camera.unkillable_s > 0.0
            assert camera.process_id == process.pid
        process.kill()
        eventually(camera)
        assert camera.unkillable_s == 0.0


@pytest.mark.parametrize("failing", [1, 2])
def test_a_process_that_cannot_be_started_is_told_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    starts, start, open_files = [0], SpawnProcess.start, len(os.listdir("/proc/self/fd"))

    def starved(process: SpawnProcess) -> None:
        starts[0] += 1
        if failing <= starts[0] < failing + 3:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", starved)
    with opened(NoisyCamera) as camera:
        if failing > 1:
            eventually(camera)
            os.kill(camera.process_id or 0, signal.SIGKILL)
            trouble(camera)
        assert "cannot be started: Resource temporarily unavailable" in str(trouble(camera))
        assert camera.process_id is None
        eventually(camera)
    assert starts[0] == failing + 3
    assert len(os.listdir("/proc/self/fd")) <= open_files + 1


def test_a_camera_that_was_never_started_can_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(process: SpawnProcess) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(SpawnProcess, "start", starved)
    with opened(NoisyCamera) as camera:
        assert "Cannot allocate memory" in str(trouble(camera))


def test_light_is_measured_without_showing_unsettled_pictures() -> None:
    with opened(LightCamera) as camera:
        before = eventually(camera).number
        camera.measure_light()
        frames = [eventually(camera) for _ in range(3)]
    assert not any(frame.metadata.get("settling") for frame in frames)
    assert frames[0].number - before > 3


def test_a_folder_loses_no_picture_even_when_its_process_is_killed(tmp_path: Path) -> None:
    import cv2

    for number in range(6):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((20, 30, 3), number * 20, np.uint8))
    with opened(partial(FolderCamera, tmp_path), lossless=True) as camera:
        names = [eventually(camera).name for _ in range(3)]
        os.kill(camera.process_id or 0, signal.SIGKILL)
        names += [eventually(camera).name for _ in range(3)]
        with pytest.raises(CameraEnded):
            camera.read(5.0)
        with pytest.raises(CameraEnded):
            camera.read(0.1)
    assert names == [f"{number}.png" for number in range(6)]


def test_a_picture_beyond_the_memory_is_refused_with_advice() -> None:
    with opened(partial(NoisyCamera, width=400, height=400), max_picture_bytes=10_000) as camera:
        assert "too large" in str(trouble(camera))


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def shared_memory() -> set[str]:
    """What this process has mapped: other programs have shared memory of their own."""
    mapped = Path("/proc/self/maps").read_text().split("/dev/shm/psm_")[1:]
    return {"psm_" + line.split()[0] for line in mapped}


def suffer(rounds: int) -> list[tuple[float, float]]:
    """Kill or stop the camera again and again: seconds until that is told, and from then on until a picture comes."""
    took = []
    with opened(NoisyCamera) as camera:
        eventually(camera)
        used = shared_memory()
        for turn in range(rounds):
            os.kill(camera.process_id or 0, signal.SIGKILL if turn % 2 else signal.SIGSTOP)
            begun_s = time.monotonic()
            trouble(camera)
            told_s = time.monotonic()
            eventually(camera)
            took.append((told_s - begun_s, time.monotonic() - told_s))
            assert len(active_children()) == 1
            used |= shared_memory()
    assert used
    assert not used & set(os.listdir("/dev/shm"))
    return took


def check_nothing_leaks(rounds: int) -> list[tuple[float, float]]:
    suffer(1)  # starts the resource tracker, which stays
    before, memories = descriptors(), shared_memory()
    took = suffer(rounds)
    assert descriptors() == before
    assert shared_memory() <= memories
    assert active_children() == []
    return took


def test_nothing_leaks_over_restarts() -> None:
    check_nothing_leaks(2)


@pytest.mark.long
def test_nothing_leaks_over_a_hundred_restarts() -> None:
    told, again = zip(*check_nothing_leaks(100), strict=True)
    print(f"100 failures: told after {median(told):.2f} s, a picture again {median(again):.2f} s after that (medians)")


def test_closing_twice_is_harmless_and_a_closed_camera_says_so() -> None:
    camera = WorkerCamera(NoisyCamera)
    camera.open()
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="not open"):
        camera.read(0.1)


def test_a_camera_that_stays_away_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with opened(partial(NoisyCamera, fault="absent"), patience=Patience(waits_s=(0.0,))) as camera:
        for _ in range(3):
            trouble(camera)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "plug it in" in caplog.text


def test_a_driver_that_stumbles_while_opening_is_told_in_its_own_words() -> None:
    with opened(partial(NoisyCamera, fault="stumble")) as camera:
        assert "AttributeError: no such setting" in str(trouble(camera))
