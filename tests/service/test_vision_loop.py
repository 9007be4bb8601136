"""The loop over a camera that is set by hand: what is said, what feeds the watchdog, where corners are."""

import dataclasses
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

import companion.web
from calibration.lens import Lens
from calibration.store import StoredLens, now, save_lens
from calibration.table import TableMarkers
from companion.errors import ConfigError
from companion.games import game as game_named
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import PutBack, Ruled, SetUp
from companion.referee.readmodel import Desk
from companion.service.vision_loop import MAY_HAVE_MOVED, OTHER_SHAPE, PICTURE_WIDTH, STUCK_S, UNMEASURED, VisionLoop
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for, look_options
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.camera_worker import STUCK
from hardware.errors import CameraError, CameraFrozen, CameraStuck, CameraTimeout
from hardware.frames import Frame
from hardware.pictures import frame_of


class HandCamera:
    """Gives what it is told to give, then stops the loop."""

    def __init__(self, *gives: Frame | Exception) -> None:
        self.gives = list(gives)
        self.done = threading.Event()
        self.unkillable_s = 0.0
        self.now_s = 0.0  # when the newest picture was taken

    def open(self) -> None:
        """Always there."""

    def read(self, timeout_s: float) -> Frame:
        given = self.gives.pop(0)
        if not self.gives:
            self.done.set()
        if isinstance(given, Exception):
            raise given
        self.now_s = given.taken_s
        return given

    def close(self) -> None:
        """Nothing to release."""


class CornerEyes:
    """Writes down for which corners an eye was asked, and has none."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def open(self, game: str, corners: object) -> object:
        self.asked.append(corners)
        raise ConfigError("no eye")

    def fresh(self, game: str, corners: object) -> object:
        return self.open(game, corners)


def test_a_camera_that_cannot_be_killed_is_told_and_starves_the_watchdog() -> None:
    late = CameraTimeout("no picture in time")
    camera = HandCamera(CameraStuck(STUCK), late, late, late)
    desk, beats = Desk(MemoryArchive()), []

    def beat() -> None:
        beats.append(camera.unkillable_s)

    def wait_on(state: object) -> None:
        camera.unkillable_s += STUCK_S / 2

    desk.listen(lambda events, snapshot: wait_on(snapshot))
    loop = VisionLoop(camera, CornerEyes(), desk, beat=beat)  # type: ignore[arg-type]
    camera.unkillable_s = STUCK_S - 1.0
    loop.run(camera.done)
    assert beats == [STUCK_S - 1.0]  # later rounds feed nobody
    assert desk.snapshot().sight == "no camera"
    assert "please restart the box" in desk.snapshot().sight_text


def test_the_watchdog_is_fed_while_a_camera_is_only_late() -> None:
    camera = HandCamera(*[CameraTimeout("no picture in time")] * 5)
    beats: list[bool] = []
    VisionLoop(camera, CornerEyes(), Desk(MemoryArchive()), beat=lambda: beats.append(True)).run(camera.done)  # type: ignore[arg-type]
    assert len(beats) == 5


LATE, ABSENT = CameraTimeout("the camera is starting"), CameraError("no camera on the ribbon cable")
DARK = frame_of(np.full((120, 160, 3), 3, np.uint8), 1.0, 1)


@pytest.mark.parametrize(
    ("gives", "looks"), [((LATE, LATE), 0), ((LATE, ABSENT, LATE, ABSENT), 1), ((LATE, DARK, DARK), 1)]
)
def test_the_start_is_over_once_it_is_known_what_the_camera_gives(gives: tuple, looks: int) -> None:
    camera, seen = HandCamera(*gives), []
    desk = Desk(MemoryArchive())
    desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    loop = VisionLoop(camera, TableEyes(None), desk, first_look=lambda: seen.append(True), learn=False)  # type: ignore[arg-type]
    loop.run(camera.done)
    assert len(seen) == looks


class LightCamera(HandCamera):
    """Its light can be measured; when that was asked for, by the time of the newest picture."""

    def __init__(self, *gives: Frame | Exception) -> None:
        super().__init__(*gives)
        self.measured: list[float] = []

    def measure_light(self) -> None:
        self.measured.append(self.now_s)


@pytest.mark.parametrize("level", [3, 255])
def test_a_light_that_left_the_locked_exposure_behind_is_measured_anew(level: int) -> None:
    def frames(of: int, times: range) -> list[Frame]:
        noise = np.random.default_rng(1).integers(-2, 3, (120, 160, 3))
        return [frame_of(np.clip(of + noise, 0, 255).astype(np.uint8), float(s), s) for s in times]

    covered, evening = frames(level, range(4)), frames(level, range(10, 130, 2))
    camera = LightCamera(*covered, *frames(90, range(4, 10)), *evening)
    loop = VisionLoop(camera, TableEyes(None), Desk(MemoryArchive()), measure_light=camera.measure_light)  # type: ignore[arg-type]
    loop.run(camera.done)
    assert camera.measured == [16.0, 76.0]  # not for a lens that was covered for a moment


def test_corners_dragged_on_the_small_picture_are_scaled_to_the_cameras() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (1200, 1600, 3), np.uint8)
    camera = HandCamera(*(frame_of(pixels, float(n), n) for n in range(3)))
    desk, eyes = Desk(MemoryArchive()), CornerEyes()
    desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    loop = VisionLoop(camera, eyes, desk)  # type: ignore[arg-type]
    dragged = np.array([[96.0, 72.0], [864.0, 72.0], [864.0, 648.0], [96.0, 648.0]])
    loop.set_corners(dragged)
    loop.run(camera.done)
    assert eyes.asked[-1] == pytest.approx(dragged * 1600 / PICTURE_WIDTH)


@pytest.mark.parametrize(
    ("size", "kept"), [((800, 600), True), ((1280, 720), False)], ids=["smaller", "of another shape"]
)
def test_dragged_corners_follow_a_camera_that_comes_back_with_another_size(size: tuple[int, int], kept: bool) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1200, 1600, 3), np.uint8)
    frames = [frame_of(noise[:height, :width], float(n), n) for n, (width, height) in enumerate([(1600, 1200), size])]
    camera, desk, eyes = HandCamera(*frames[:1]), Desk(MemoryArchive()), CornerEyes()
    desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    loop = VisionLoop(camera, eyes, desk)  # type: ignore[arg-type]
    loop.run(camera.done)
    dragged = np.array([[96.0, 72.0], [864.0, 72.0], [864.0, 648.0], [96.0, 648.0]])
    loop.set_corners(dragged)
    for shown, width in ((frames[0], 1600), (frames[1], size[0]), (frames[0], 1600)):
        camera.gives, camera.done = [shown] * 2, threading.Event()
        loop.run(camera.done)
        if width == 1600 or kept:
            assert eyes.asked[-1] == pytest.approx(dragged * width / PICTURE_WIDTH)
        else:
            assert eyes.asked[-1] is None
        assert (OTHER_SHAPE in desk.snapshot().notices) is (width != 1600 and not kept)


@pytest.mark.parametrize("error", [CameraError("unplugged"), CameraFrozen("the picture is frozen")])
def test_an_old_picture_is_not_shown_as_the_newest_while_the_camera_fails(error: CameraError) -> None:
    shot = frame_of(np.full((120, 160, 3), 90, np.uint8), 1.0, 1)
    camera, shown = HandCamera(shot, error, LATE, shot), list[bool]()
    loop = VisionLoop(
        camera, CornerEyes(), Desk(MemoryArchive()), beat=lambda: shown.append(loop.picture() is not None)
    )  # type: ignore[arg-type]
    loop.run(camera.done)
    assert [*shown, loop.picture() is not None] == [False, True, False, False, True]


def test_slow_pictures_are_told_until_they_come_faster() -> None:
    times = [0.0, 5.0, 10.0, 15.0, 15.2, 15.4, 15.6]
    pixels = np.full((120, 160, 3), 90, np.uint8)
    camera, told = HandCamera(*(frame_of(pixels, s, n) for n, s in enumerate(times))), list[bool]()
    desk = Desk(MemoryArchive(), clock=lambda: camera.now_s)

    def note() -> None:
        told.append(any("come seconds apart" in notice for notice in desk.snapshot().notices))

    VisionLoop(camera, CornerEyes(), desk, beat=note).run(camera.done)  # type: ignore[arg-type]
    assert told == [False, False, False, True, True, False, False]


@pytest.mark.parametrize(("cells", "dragged", "told"), [(5, True, True), (2, True, False), (5, False, False)])
def test_where_very_much_lies_amiss_dragged_corners_are_doubted(cells: int, dragged: bool, told: bool) -> None:
    frames = [frame_of(np.full((120, 160, 3), 90, np.uint8), float(n), n) for n in range(4)]
    camera, desk = HandCamera(*frames[:2]), Desk(MemoryArchive())
    desk.submit(Command("new_game", {"game": "ataxx", "options": {}}))
    desk.table.record(SetUp())
    loop = VisionLoop(camera, TableEyes(None), desk, learn=False)  # type: ignore[arg-type]
    if dragged:
        loop.set_corners(np.array([[96.0, 72.0], [864.0, 72.0], [864.0, 648.0], [96.0, 648.0]]))
    desk.table.record(Ruled("unexplained", "A4", "No action does that.", cells=("a1", "a2", "a3", "a4", "a5")[:cells]))
    loop.run(camera.done)
    assert (MAY_HAVE_MOVED in desk.snapshot().notices) is told
    desk.table.record(PutBack())
    camera.gives, camera.done = frames[2:], threading.Event()
    loop.run(camera.done)
    assert MAY_HAVE_MOVED not in desk.snapshot().notices


def test_the_next_game_is_looked_at_with_an_eye_of_its_own() -> None:
    """Its board may lie otherwise, and its set-up teaches its set as the first one did."""
    frames = [frame_of(np.full((120, 160, 3), 90, np.uint8), float(n), n) for n in range(2)]
    camera, desk, eyes = HandCamera(), Desk(MemoryArchive()), CornerEyes()
    loop = VisionLoop(camera, eyes, desk)  # type: ignore[arg-type]
    for count in (1, 2):
        desk.submit(Command("new_game", {"game": "khet", "options": {}}))
        camera.gives, camera.done = list(frames), threading.Event()
        loop.run(camera.done)
        assert len(eyes.asked) == count


def test_a_game_that_there_is_no_eye_for_is_not_said_to_be_seen() -> None:
    frames = [frame_of(np.full((120, 160, 3), 90, np.uint8), float(n), n) for n in range(4)]
    camera, desk = HandCamera(*frames[:2]), Desk(MemoryArchive())
    loop = VisionLoop(camera, CornerEyes(), desk)  # type: ignore[arg-type]
    loop.run(camera.done)
    assert (desk.snapshot().sight, desk.snapshot().sight_text) == ("seeing", "The camera works; no game is on")
    desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    camera.gives, camera.done = frames[2:], threading.Event()
    loop.run(camera.done)
    assert desk.snapshot().sight == "lost"
    assert desk.snapshot().sight_text == "The table cannot be read. No eye."
    assert "no eye" in desk.snapshot().notices


@pytest.mark.parametrize("after", [None, "khet"])
def test_what_is_told_of_an_eye_counts_no_more_without_it(after: str | None) -> None:
    frames = [frame_of(np.full((120, 160, 3), 90, np.uint8), float(n), n) for n in range(4)]
    camera, desk, eyes = HandCamera(*frames[:2]), Desk(MemoryArchive()), CornerEyes()
    desk.submit(Command("new_game", {"game": "kaxxt", "options": {}}))
    loop = VisionLoop(camera, eyes, desk)  # type: ignore[arg-type]
    desk.notice("lens", UNMEASURED)
    loop.run(camera.done)
    assert (UNMEASURED in desk.snapshot().notices, "no eye" in desk.snapshot().notices) == (False, True)
    desk.submit(Command("reset") if after is None else Command("new_game", {"game": after, "options": {}}))
    camera.gives, camera.done = frames[2:], threading.Event()
    loop.run(camera.done)
    assert ("no eye" in desk.snapshot().notices) is (after is not None)


def test_a_stored_lens_that_is_of_no_use_is_left_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    save_lens(tmp_path / "calibration", StoredLens(Lens(160, 120, 130.0, 130.0, 80.0, 60.0), now(), 0.1, 8))
    eyes = StoredEyes({}, tmp_path)
    assert eyes.open("khet", None).lens_measured
    (tmp_path / "calibration/lens.json").write_text("{")
    assert not eyes.open("khet", None).lens_measured
    with pytest.raises(ConfigError, match=r"lens\.json"):  # one that somebody named is asked for
        StoredEyes({"lens": tmp_path / "calibration/lens.json"}, tmp_path).open("khet", None)


class TableEyes:
    """Real eyes for any game, with a measured lens or without."""

    def __init__(self, lens: Lens | None) -> None:
        self.lens = lens

    def open(self, game: str, corners: object) -> Eye:
        return Eye(EyeSettings(), self.lens, TableMarkers(600.0, 380.0, 40.0), None)


@pytest.mark.parametrize(
    ("game", "measured", "told"), [("chaos", False, True), ("chaos", True, False), ("khet", False, False)]
)
def test_a_lens_that_is_not_measured_is_told_where_millimetres_count(game: str, measured: bool, told: bool) -> None:
    pixels = np.full((120, 160, 3), 90, np.uint8)
    camera = HandCamera(*(frame_of(pixels, float(n), n) for n in range(3)))
    desk = Desk(MemoryArchive())
    desk.submit(Command("new_game", {"game": game, "options": {}}))
    lens = Lens(160, 120, fx=130.0, fy=130.0, cx=80.0, cy=60.0) if measured else None
    VisionLoop(camera, TableEyes(lens), desk, learn=False).run(camera.done)  # type: ignore[arg-type]
    assert (UNMEASURED in desk.snapshot().notices) is told


def test_the_notice_of_an_unmeasured_lens_names_what_stands_on_the_page() -> None:
    pages = Path(companion.web.__file__).parent / "templates"
    host, steps = ((pages / name).read_text(encoding="utf-8") for name in ("host.html", "calibrate.html"))
    _, _, way = UNMEASURED.rpartition("Measure it: ")
    first, second, button = way.rstrip(".").split(", ")
    assert first == "Host"
    assert second in host
    assert f">{button}<" in steps


@pytest.mark.parametrize("game", ["ataxx", "kaxxt"])
def test_the_set_up_of_a_live_game_is_learned_and_kept(tmp_path: Path, game: str) -> None:
    rules = game_named(game)
    start = rules.start({})
    layout = rules.layout(start)
    design = dataclasses.replace(design_for(game, layout), seed=6_000_001)
    write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, tmp_path / "album")
    pixels = np.asarray(cv2.imread(str(next((tmp_path / "album").glob("*.jpg")))), np.uint8)
    camera = HandCamera(*(frame_of(pixels, 0.5 * n, n) for n in range(6)))
    desk = Desk(MemoryArchive(), clock=lambda: camera.now_s)  # however fast the pictures are read
    eyes = StoredEyes(look_options(design, tmp_path), tmp_path / "state")
    desk.submit(Command("new_game", {"game": game, "options": {}}))
    assert not eyes.knows(game)
    rounds: list[str] = []
    loop = VisionLoop(camera, eyes, desk, beat=lambda: rounds.append("beat"), take_time=lambda: rounds.append("long"))
    loop.run(camera.done)
    assert rounds.count("long") == 2  # to make the eye, and to teach another one
    assert eyes.knows(game)
    assert desk.table.state.phase == "play"
    assert desk.snapshot().sight == "seeing"


class Kept:
    """Writes down which pictures could be kept for later lessons."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def see(self, game: str, frame: Frame, *_: object) -> None:
        self.frames.append(frame)


def test_lessons_are_learned_from_what_was_read_which_has_less_noise_than_any_picture(tmp_path: Path) -> None:
    rules, rng = game_named("ataxx"), np.random.default_rng(3)
    layout = rules.layout(rules.start({}))
    design = dataclasses.replace(design_for("ataxx", layout), seed=6_000_001)
    write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, tmp_path / "album")
    clean = np.asarray(cv2.imread(str(next((tmp_path / "album").glob("*.jpg")))), np.uint8)
    noisy = [np.asarray(np.clip(clean + rng.normal(0, 8, clean.shape), 0, 255), np.uint8) for _ in range(6)]
    camera, kept = HandCamera(*(frame_of(pixels, 0.5 * n, n) for n, pixels in enumerate(noisy))), Kept()
    desk = Desk(MemoryArchive(), clock=lambda: camera.now_s)
    desk.submit(Command("new_game", {"game": "ataxx", "options": {}}))
    eyes = StoredEyes(look_options(design, tmp_path), tmp_path / "state")
    VisionLoop(camera, eyes, desk, learn=False, corrections=kept).run(camera.done)  # type: ignore[arg-type]
    alone, told = (float((pixels.astype(float) - clean).std()) for pixels in (noisy[-1], kept.frames[-1].pixels))
    assert told < 0.6 * alone


@pytest.mark.faulty
def test_an_eye_that_stumbles_over_what_it_remembers_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = game_named("kaxxt")
    layout = rules.layout(rules.start({}))
    design = dataclasses.replace(design_for("kaxxt", layout), seed=6_000_001)
    write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, tmp_path / "album")
    pixels = np.asarray(cv2.imread(str(next((tmp_path / "album").glob("*.jpg")))), np.uint8)
    read, seen = Eye.read, list[tuple[int, str]]()

    def remembering(eye: Eye, frame: Frame) -> object:
        view = read(eye, frame)
        seen.append((id(eye), desk.snapshot().sight))
        if len(seen) == 2:
            monkeypatch.setattr(eye.reader, "find", None)  # it can no longer be called
        return view

    monkeypatch.setattr(Eye, "read", remembering)
    camera = HandCamera(*(frame_of(pixels, 0.5 * n, n) for n in range(8)))
    desk = Desk(MemoryArchive(), clock=lambda: camera.now_s)
    desk.submit(Command("new_game", {"game": "kaxxt", "options": {}}))
    eyes = StoredEyes(look_options(design, tmp_path), tmp_path / "state")
    VisionLoop(camera, eyes, desk, learn=False).run(camera.done)
    assert len({eye for eye, _ in seen}) == 2
    assert "lost" in [sight for _, sight in seen]
    assert desk.snapshot().sight == "seeing"


def test_an_overexposed_table_is_told_until_it_is_mended(tmp_path: Path) -> None:
    rules = game_named("ataxx")
    layout = rules.layout(rules.start({}))
    design = dataclasses.replace(design_for("ataxx", layout), seed=6_000_002)
    write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, tmp_path / "album")
    pixels = np.asarray(cv2.imread(str(next((tmp_path / "album").glob("*.jpg")))), np.uint8)
    burnt = np.minimum(pixels.astype(np.uint16) * 2, 255).astype(np.uint8)
    told: list[bool] = []
    for last in (burnt, pixels):  # it is still burnt at the end; or mended
        shown = [burnt] * 3 + [last] * 3
        camera = HandCamera(*(frame_of(shot, 3.0 * n, n) for n, shot in enumerate(shown)))
        desk = Desk(MemoryArchive(), clock=lambda camera=camera: camera.now_s)
        desk.submit(Command("new_game", {"game": "ataxx", "options": {}}))
        eyes = StoredEyes(look_options(design, tmp_path), tmp_path / "state")
        VisionLoop(camera, eyes, desk, learn=False).run(camera.done)
        told.append(any("overexposed: less light" in notice for notice in desk.snapshot().notices))
    assert told == [True, False]


def test_what_hindered_one_eye_is_not_said_of_the_next() -> None:
    pixels = np.full((120, 160, 3), 90, np.uint8)
    camera = HandCamera(*(frame_of(pixels, float(n), n) for n in range(3)))
    desk = Desk(MemoryArchive())
    desk.notice("advice", "The light flickers.")
    desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    VisionLoop(camera, TableEyes(None), desk, learn=False).run(camera.done)  # type: ignore[arg-type]
    assert not any("flickers" in notice for notice in desk.snapshot().notices)
