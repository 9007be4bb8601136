"""The virtual table as a camera, here and in a process of its own."""

import time

import numpy as np
import pytest

from companion.pieces import Piece
from companion.simulator.design import TableDesign
from companion.simulator.feed import TableServer
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable, elsewhere, here
from companion.simulator.state import TableState
from companion.simulator.world import VirtualTable
from hardware.camera_worker import WorkerCamera
from hardware.errors import CameraEnded, CameraError, CameraTimeout

DESIGN = TableDesign(seed=2_000_104, width=400, height=300, clutter=False, fps=20.0)


def with_pyramid(table, cell="e4"):
    return TableState((Setting(table.furniture).put("one", Piece("pyramid", "red", facing="NE"), cell),))


def box_of(table, picture, cell):
    col, row = ord(cell[0]) - 97, int(cell[1:]) - 1
    x, y = np.round(table.furniture.scene.camera.project([table.furniture.board.cell_centre(col, row)])[0]).astype(int)
    return picture[y - 3 : y + 4, x - 3 : x + 4].astype(int)


def test_a_change_of_the_table_is_seen_in_the_next_frame():
    table = VirtualTable(DESIGN)
    camera = here(table)
    camera.open()
    before = camera.read(1.0)
    table.show(with_pyramid(table))
    after = camera.read(1.0)
    camera.close()
    assert after.number == before.number + 1
    assert after.taken_s > before.taken_s
    assert np.abs(box_of(table, after.pixels, "e4") - box_of(table, before.pixels, "e4")).mean() > 15
    assert np.abs(box_of(table, after.pixels, "a1") - box_of(table, before.pixels, "a1")).mean() < 8


def test_frames_come_no_faster_than_the_camera_takes_them():
    table = VirtualTable(TableDesign(seed=2_000_104, width=400, height=300, clutter=False, fps=0.02))
    camera = here(table)
    camera.open()
    camera.read(1.0)
    with pytest.raises(CameraTimeout, match="due in"):
        camera.read(0.01)
    camera.close()


def test_a_camera_that_is_not_open_says_so():
    with pytest.raises(CameraError, match="not open"):
        here(VirtualTable(DESIGN)).read(0.1)


def test_a_scripted_table_ends_with_its_script():
    table = VirtualTable(DESIGN)
    camera = ScriptedTable(DESIGN, [TableState(), with_pyramid(table)], start_s=5.0)
    camera.open()
    first, second = camera.read(1.0), camera.read(1.0)
    assert second.taken_s - first.taken_s == pytest.approx(1 / DESIGN.fps)
    with pytest.raises(CameraEnded):
        camera.read(1.0)


def test_a_camera_in_its_own_process_sees_what_is_done_here_and_finds_its_table_again():
    table = VirtualTable(DESIGN)
    server = TableServer(table)
    make = elsewhere(table, server)
    seen = []
    for state in (TableState(), with_pyramid(table)):  # the second camera is a new process: it starts from the present
        table.show(state)
        camera = WorkerCamera(make, frozen_frames=0)
        camera.open()
        seen.append(_first(camera))
        if state.standing:
            table.show(with_pyramid(table, "b2"))
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                frame = _first(camera)
                if np.abs(box_of(table, frame.pixels, "e4") - box_of(table, seen[0].pixels, "e4")).mean() < 8:
                    break
            seen.append(frame)
        camera.close()
    server.close()
    empty, on_e4, on_b2 = (frame.pixels for frame in seen)
    assert np.abs(box_of(table, on_e4, "e4") - box_of(table, empty, "e4")).mean() > 15
    assert np.abs(box_of(table, on_b2, "e4") - box_of(table, empty, "e4")).mean() < 8
    assert np.abs(box_of(table, on_b2, "b2") - box_of(table, empty, "b2")).mean() > 15


def _first(camera):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return camera.read(0.5)
        except CameraTimeout:
            continue
    raise AssertionError("no frame came")
