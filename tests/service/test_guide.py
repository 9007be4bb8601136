"""The guided steps and lessons as the page asks for them and the vision loop carries them out."""

import time
from pathlib import Path

import numpy as np
import pytest
from drawn_tables import SMALL, Paint, camera, lens_boards

from calibration.lens import read_lens
from calibration.store import load_lens
from companion.errors import CommandRefused
from companion.guide import IDLE_S, LOOK_S, STOPPED, Guide
from companion.sets.stored_eyes import StoredEyes
from hardware.frames import Frame
from hardware.pictures import frame_of

MEASURED_S = 60.0  # generous: a slow machine


class Table:
    """A guide over drawn pictures, with a clock that only the test moves."""

    def __init__(self, folder: Path, markers: str = "600,380,40") -> None:
        self.now, self.changed = 0.0, 0
        self.guide = Guide(folder, markers, self._lens_changed, lambda: self.now)

    def _lens_changed(self) -> None:
        self.changed += 1

    def see(self, pixels: np.ndarray) -> bool:
        self.now += 2 * LOOK_S
        self.guide.state()
        return self.guide.see(frame(pixels))


def frame(pixels: np.ndarray) -> Frame:
    return frame_of(pixels, 0.0, 0)


def test_the_lens_is_measured_and_used_from_then_on(tmp_path: Path) -> None:
    eyes = StoredEyes({}, tmp_path)
    assert eyes.lens() is None
    table = Table(eyes.calibration)
    assert not table.see(np.zeros((300, 400, 3), np.uint8))  # not on: the referee's picture
    assert "guessed" in table.guide.state()["lens"]
    table.guide.act("start")
    for number, view in enumerate(lens_boards(6), 1):
        assert table.see(view)
        state = table.guide.state()
        assert (state["running"], state["step"], state["taken"]) == (True, "lens", number)
        assert len(state["outlines"]) == 1
    table.guide.act("next")
    deadline = time.monotonic() + MEASURED_S
    while not table.changed and time.monotonic() < deadline:
        time.sleep(0.02)
    assert table.guide.state()["step"] == "markers"
    assert "measured on 20" in table.guide.state()["lens"]
    stored = load_lens(eyes.calibration)
    assert read_lens(eyes.lens()).fx == pytest.approx(stored.lens.fx)
    paint = Paint()
    paint.markers()
    table.see(paint.seen_by(camera(SMALL)))
    assert len(table.guide.state()["outlines"]) == 4
    table.guide.act("next")
    assert not table.guide.state()["running"]
    assert "the camera is set up" in table.guide.state()["text"]
    table.guide.act("start")
    assert "the camera is set up" not in table.guide.state()["text"]


def test_too_few_pictures_are_told_and_the_step_stays(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.guide.act("start")
    table.see(lens_boards(1)[0])
    table.guide.act("next")
    deadline = time.monotonic() + MEASURED_S
    while "at least" not in table.guide.state()["text"] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert "at least 4" in table.guide.state()["text"]
    assert table.guide.state()["step"] == "lens"
    assert table.changed == 0
    table.see(lens_boards(2)[1])
    assert table.guide.state()["text"].startswith("taken;")  # and no more what was missing before


def test_a_guide_that_nobody_looks_at_gives_the_table_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.guide.act("start")
    picture = frame(np.full((300, 400, 3), 90, np.uint8))
    table.now += IDLE_S - 1.0
    assert table.guide.see(picture)
    table.now += 2.0
    assert not table.guide.see(picture)
    assert not table.guide.state()["running"]
    assert table.guide.state()["text"].startswith("the steps were ended")
    table.guide.act("start")
    assert table.guide.state()["text"].startswith("show the printed lens board")


def test_a_guide_goes_on_behind_a_phone_that_sleeps_while_the_board_is_moved(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.guide.act("start")
    for view in lens_boards(4):
        table.now += IDLE_S - 5.0
        assert table.guide.see(frame(view))
    assert table.guide.state()["taken"] == 4


def test_of_two_hosts_who_press_the_same_step_the_second_one_undoes_and_skips_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.guide.act("start")
    for view in lens_boards(2):
        table.see(view)
    table.guide.act("start")  # on a page that showed the steps as not begun
    assert (table.guide.state()["step"], table.guide.state()["taken"]) == ("lens", 2)
    for _ in range(2):
        table.guide.act("skip", "lens")
    paint = Paint()
    paint.markers()
    table.see(paint.seen_by(camera(SMALL)))
    table.guide.act("next", "lens")
    assert table.guide.state()["step"] == "markers"
    for _ in range(2):
        table.guide.act("next", "markers")
    assert "the camera is set up" in table.guide.state()["text"]


def test_steps_that_another_host_stopped_are_said_to_be(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.guide.act("start")
    table.guide.act("stop")
    assert table.guide.state()["text"] == STOPPED
    table.guide.act("start")
    assert table.guide.state()["text"].startswith("show the printed lens board")


def test_a_camera_that_fails_in_the_middle_of_the_steps_is_told_until_it_is_back(tmp_path: Path) -> None:
    table, views = Table(tmp_path), lens_boards(2)
    table.guide.act("start")
    table.see(views[0])
    table.guide.unseen("no camera on the ribbon cable")
    state = table.guide.state()
    assert (state["text"], state["outlines"], state["taken"]) == ("no camera on the ribbon cable", (), 1)
    table.see(views[1])
    assert (table.guide.state()["text"][:6], table.guide.state()["taken"]) == ("taken;", 2)


@pytest.mark.parametrize(("step", "name"), [("next", "no-guide"), ("skip", "no-guide"), ("fly", "unreadable")])
def test_steps_out_of_order_are_refused(tmp_path: Path, step: str, name: str) -> None:
    with pytest.raises(CommandRefused) as refused:
        Table(tmp_path).guide.act(step)
    assert refused.value.name == name


def test_markers_that_cannot_be_are_named(tmp_path: Path) -> None:
    with pytest.raises(CommandRefused, match="markers"):
        Table(tmp_path, "40,40,600").guide.act("start")
