"""The loop over a camera that is set by hand: what is said, what feeds the watchdog, which eye looks."""

from pathlib import Path

import numpy as np
import pytest
from loop_tables import GREY, HandCamera, HandLoop, TableEyes, frames

import companion.web
from calibration.lens import Lens
from calibration.store import StoredLens, now, save_lens
from companion.errors import ConfigError
from companion.referee.commands import Command
from companion.service.vision_loop import STUCK_S, UNMEASURED
from companion.sets.stored_eyes import StoredEyes
from hardware.camera_worker import STUCK
from hardware.errors import CameraError, CameraFrozen, CameraStuck, CameraTimeout
from hardware.frames import Frame
from hardware.pictures import frame_of

LATE, ABSENT = CameraTimeout("the camera is starting"), CameraError("no camera on the ribbon cable")
DARK = frame_of(np.full((120, 160, 3), 3, np.uint8), 1.0, 1)


def test_a_camera_that_cannot_be_killed_is_told_and_starves_the_watchdog() -> None:
    beats = []
    table = HandLoop(beat=lambda: beats.append(table.camera.unkillable_s))

    def wait_on() -> None:
        table.camera.unkillable_s += STUCK_S / 2

    table.desk.listen(lambda events, snapshot: wait_on())
    table.camera.unkillable_s = STUCK_S - 1.0
    table.see(CameraStuck(STUCK), LATE, LATE, LATE)
    assert beats == [STUCK_S - 1.0]  # later rounds feed nobody
    assert table.desk.snapshot().sight == "no camera"
    assert "please restart the box" in table.desk.snapshot().sight_text


def test_the_watchdog_is_fed_while_a_camera_is_only_late() -> None:
    beats: list[bool] = []
    HandLoop(beat=lambda: beats.append(True)).see(*[LATE] * 5)
    assert len(beats) == 5


@pytest.mark.parametrize(
    ("gives", "looks"), [((LATE, LATE), 0), ((LATE, ABSENT, LATE, ABSENT), 1), ((LATE, DARK, DARK), 1)]
)
def test_the_start_is_over_once_it_is_known_what_the_camera_gives(gives: tuple, looks: int) -> None:
    seen: list[bool] = []
    HandLoop("khet", TableEyes(), first_look=lambda: seen.append(True), learn=False).see(*gives)
    assert len(seen) == looks


class LightCamera(HandCamera):
    """Its light can be measured; when that was asked for, by the time of the newest picture."""

    def __init__(self) -> None:
        super().__init__()
        self.measured: list[float] = []

    def measure_light(self) -> None:
        self.measured.append(self.now_s)


@pytest.mark.parametrize("level", [3, 255])
def test_a_light_that_left_the_locked_exposure_behind_is_measured_anew(level: int) -> None:
    def noisy(of: int, times: range) -> list[Frame]:
        noise = np.random.default_rng(1).integers(-2, 3, (120, 160, 3))
        return [frame_of(np.clip(of + noise, 0, 255).astype(np.uint8), float(s), s) for s in times]

    camera = LightCamera()
    covered, evening = noisy(level, range(4)), noisy(level, range(10, 130, 2))
    table = HandLoop(eyes=TableEyes(), camera=camera, measure_light=camera.measure_light)
    table.see(*covered, *noisy(90, range(4, 10)), *evening)
    assert camera.measured == [16.0, 76.0]  # not for a lens that was covered for a moment


@pytest.mark.parametrize("error", [CameraError("unplugged"), CameraFrozen("the picture is frozen")])
def test_an_old_picture_is_not_shown_as_the_newest_while_the_camera_fails(error: CameraError) -> None:
    (shot,), shown = frames(1), list[bool]()
    table = HandLoop(beat=lambda: shown.append(table.loop.picture() is not None))
    table.see(shot, error, LATE, shot)
    assert [*shown, table.loop.picture() is not None] == [False, True, False, False, True]


def test_slow_pictures_are_told_until_they_come_faster() -> None:
    told: list[bool] = []
    table = HandLoop(beat=lambda: told.append(table.tells("come seconds apart")))
    table.see(*(frame_of(GREY, s, n) for n, s in enumerate([0.0, 5.0, 10.0, 15.0, 15.2, 15.4, 15.6])))
    assert told == [False, False, False, True, True, False, False]


def test_the_next_game_is_looked_at_with_an_eye_of_its_own() -> None:
    """Its board may lie otherwise, and its set-up teaches its set as the first one did."""
    table = HandLoop()
    for count in (1, 2):
        table.new_game("khet")
        table.see(*frames(2))
        assert len(table.eyes.asked) == count


def test_a_game_that_there_is_no_eye_for_is_not_said_to_be_seen() -> None:
    table, shots = HandLoop(), frames(4)
    seen = table.see(*shots[:2]).desk.snapshot()
    assert (seen.sight, seen.sight_text) == ("seeing", "The camera works; no game is on")
    table.new_game("khet")
    seen = table.see(*shots[2:]).desk.snapshot()
    assert (seen.sight, seen.sight_text) == ("lost", "The table cannot be read. No eye.")
    assert "no eye" in table.notices


@pytest.mark.parametrize("after", [None, "khet"])
def test_what_is_told_of_an_eye_counts_no_more_without_it(after: str | None) -> None:
    table, shots = HandLoop("kaxxt"), frames(4)
    table.desk.notice("lens", UNMEASURED)
    table.see(*shots[:2])
    assert (UNMEASURED in table.notices, "no eye" in table.notices) == (False, True)
    table.desk.submit(Command("reset") if after is None else Command("new_game", {"game": after, "options": {}}))
    table.see(*shots[2:])
    assert ("no eye" in table.notices) is (after is not None)


def test_what_hindered_one_eye_is_not_said_of_the_next() -> None:
    table = HandLoop(eyes=TableEyes(), learn=False)
    table.desk.notice("advice", "The light flickers.")
    table.new_game("khet")
    assert not table.see(*frames(3)).tells("flickers")


def test_a_stored_lens_that_is_of_no_use_is_left_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    save_lens(tmp_path / "calibration", StoredLens(Lens(160, 120, 130.0, 130.0, 80.0, 60.0), now(), 0.1, 8))
    eyes = StoredEyes({}, tmp_path)
    assert eyes.open("khet", None).lens_measured
    (tmp_path / "calibration/lens.json").write_text("{")
    assert not eyes.open("khet", None).lens_measured
    with pytest.raises(ConfigError, match=r"lens\.json"):  # one that somebody named is asked for
        StoredEyes({"lens": tmp_path / "calibration/lens.json"}, tmp_path).open("khet", None)


@pytest.mark.parametrize(
    ("game", "measured", "told"), [("chaos", False, True), ("chaos", True, False), ("khet", False, False)]
)
def test_a_lens_that_is_not_measured_is_told_where_millimetres_count(game: str, measured: bool, told: bool) -> None:
    lens = Lens(160, 120, fx=130.0, fy=130.0, cx=80.0, cy=60.0) if measured else None
    assert (UNMEASURED in HandLoop(game, TableEyes(lens), learn=False).see(*frames(3)).notices) is told


def test_the_notice_of_an_unmeasured_lens_names_what_stands_on_the_page() -> None:
    pages = Path(companion.web.__file__).parent / "templates"
    host, steps = ((pages / name).read_text(encoding="utf-8") for name in ("host.html", "calibrate.html"))
    _, _, way = UNMEASURED.rpartition("Measure it: ")
    first, second, button = way.rstrip(".").split(", ")
    assert first == "Host"
    assert second in host
    assert f">{button}<" in steps
