"""Sheets, books and telephones that lie over a part of a board: nothing is told of what they hide."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LYING, khet_table
from red_reader import POSE, RED, RedReader, eye, frame

from companion.pieces import UNKNOWN, Piece
from companion.simulator.arrays import Colour
from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.materials import Material
from companion.simulator.prints import BoardPrint, page_print
from companion.simulator.scene import Decal, Finish, Scene, Thing
from companion.simulator.shapes import Mesh, prism, square
from companion.simulator.tables import TESTING, picture_of
from companion.simulator.tables import khet_table as simulated_khet
from companion.view import BoardShape
from companion.vision.boards.cell_corners import CornerSettings, hidden_cells
from companion.vision.boards.cells import CellSettings, field_mm, to_table
from companion.vision.discs.hexagon_reader import new_reader as hexagon_reader
from companion.vision.discs.reader import new_reader as disc_reader
from companion.vision.khet.reader import new_reader as khet_reader
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings

WHITE, RED_CARD = (0.75, 0.75, 0.75), (0.05, 0.05, 0.5)
ON_PIECES_MM = {"grid": 8.0, "hex": 8.0, "khet": 30.0}  # what lies on a board lies on its pieces
READERS = {"grid": disc_reader, "hex": hexagon_reader, "khet": khet_reader}


def drawn(kind, number):
    """A simulated table and how it is photographed."""
    if kind == "khet":
        return simulated_khet(TESTING[number], 1200, 900), picture_of
    return disc_table(TESTING[number], 1200, 900, kind), disc_picture


def sheet(board: BoardPrint, tone: Colour, above_mm: float, text: bool = False) -> Thing:
    """A square sheet over about a dozen cells near the board's middle, a little askew."""
    cells = board.cells()
    (x, y), side = board.middle_of(cells[len(cells) // 2 + 1]), 3.4 * board.cell_mm
    corners = square(side)
    parts, materials, decals = [prism(corners, 0.0, 0.3)], {"body": Material(tone, 0.03, 0.5)}, ()
    if text:
        parts.append(prism(corners, 0.3, 0.35, "decal", 1))
        materials["decal"] = Material(tone, 0.02, 0.6)
        print_ = page_print(np.random.default_rng(4), 0.0, 0.0, 0.0)
        decals = (Decal(print_.albedo, np.array([(*corners[n], 0.35) for n in (3, 2, 1, 0)])),)
    finish, z = Finish(materials), board.thickness_mm + above_mm
    return Thing("sheet", Mesh(tuple(parts)), finish, x, y, z, 8.0, passing=True, decals=decals)


def hidden_by(thing: Thing, scene: Scene, reach: float = 0.4) -> dict[str, float]:
    """The share that a sheet hides of the square round each cell's middle that reaches so far, in cells."""
    board, camera = scene.board, scene.camera
    top = thing.vertices[thing.vertices[:, 2] > thing.vertices[:, 2].max() - 0.01]
    outline = cv2.convexHull(camera.project(top).astype(np.float32))
    steps, shares = np.linspace(-reach, reach, 7) * board.cell_mm, {}
    for cell in board.cells():
        points = np.array([(*board.middle_of(cell, dx, dy), board.thickness_mm) for dx in steps for dy in steps])
        within = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) for x, y in camera.project(points)]
        shares[cell] = float(np.mean(np.array(within) >= 0))
    return shares


def read(kind, table, picture):
    """What an eye that knows lens, markers and board sees."""
    scene = table.scene
    eye = Eye(EyeSettings(), scene.camera.lens, scene.markers.places, scene.board.shape, READERS[kind]())
    return eye.read(frame(picture(table)))


@pytest.mark.parametrize(
    ("kind", "number"), [("grid", 1), ("grid", 2), ("grid", 8), ("hex", 1), ("hex", 2), ("khet", 0), ("khet", 2)]
)
@pytest.mark.parametrize(("tone", "text"), [(WHITE, False), (WHITE, True), (RED_CARD, False)])
def test_nothing_is_told_of_what_a_sheet_hides(kind, number, tone, text):
    """Ruled and checkered boards, with and without lines; a bare sheet was seen as empty cells, print as discs."""
    table, picture = drawn(kind, number)
    scene = table.scene
    thing = sheet(scene.board, tone, ON_PIECES_MM[kind], text)
    view = read(kind, replace(table, scene=replace(scene, things=(*scene.things, thing))), picture)
    cells = view.by_cell()
    under = {cell for cell, share in hidden_by(thing, scene).items() if share > 0.98}
    assert len(under) >= 3
    assert {(cells[cell].piece, cells[cell].why, cells[cell].beliefs) for cell in under} == {(UNKNOWN, "covered", ())}
    beside = {cell for cell, share in hidden_by(thing, scene, reach=0.7).items() if share == 0.0}
    assert [cell for cell in beside if cells[cell].why == "covered"] == []
    assert any("take it off" in warning for warning in view.warnings)


@pytest.mark.parametrize(
    ("kind", "number"),
    [*(("grid", n) for n in range(8)), *(("hex", n) for n in (3, 6, 8)), *(("khet", n) for n in range(4))],
)
def test_nothing_is_said_to_lie_over_a_bare_board(kind, number):
    """With faint lines and none, full of pieces, from the side, in sheen and shadow."""
    table, picture = drawn(kind, number)
    view = read(kind, table, picture)
    assert view.clear
    assert [cell for cell, seen in view.by_cell().items() if seen.why == "covered"] == []
    assert not any("take it off" in warning for warning in view.warnings)


@pytest.mark.parametrize(("cols", "rows", "kind"), [(1, 1, "grid"), (1, 1, "hex"), (4, 1, "grid"), (2, 2, "grid")])
@pytest.mark.parametrize("noise", [0.0, 60.0])
def test_the_smallest_boards_have_few_corners_or_none(cols, rows, kind, noise):
    shape, cells = BoardShape(cols, rows, 30.0, kind=kind), CellSettings()
    wide, high = (round(mm / 30.0 * cells.cell_px) + 2 * cells.margin_px for mm in field_mm(shape))
    flat = np.random.default_rng(1).normal(128, noise, (high, wide, 3)).clip(0, 255).astype(np.uint8)
    every = np.ones(len(list(shape.cells())), bool)
    assert not hidden_cells(flat, shape, every, every, cells, CornerSettings()).any()


def with_sheet(picture, level=(120, 160, 150), side=2.6):
    """The drawn table of Khet with a sheet of cardboard over e4 and cells around it."""
    corners = np.array([-0.5, -0.5]) * KHET.cell_mm + side / 2 * KHET.cell_mm * np.array(square(2.0))
    covered = picture.copy()
    cv2.fillConvexPoly(covered, np.rint(POSE.project(to_table(corners, LYING))).astype(np.int32), level)
    return covered


@pytest.fixture(scope="module")
def bare():
    return khet_table(POSE, pieces={"a1": RED, "e4": RED, "j8": RED})


def test_a_sheet_that_is_laid_on_a_watched_board_hides_what_was_there_until_it_is_gone(bare):
    covered = with_sheet(bare)
    live = eye(RedReader(), live=True)
    pictures = [bare, bare, covered, covered, covered, covered, bare, bare, bare]
    views = [live.read(frame(picture, at)) for at, picture in enumerate(pictures)]
    hidden = ["d4", "e3", "e4", "e5", "f4"]  # of those at its corners, most is seen
    for view in views[4:6]:
        assert view.clear
        assert sorted(c for c, s in view.by_cell().items() if s.why == "covered") == hidden
    assert views[1].by_cell()["e4"].piece == views[8].by_cell()["e4"].piece == Piece("pyramid", "red")
    assert [c for c, s in views[8].by_cell().items() if s.why is not None] == []


def test_what_is_blown_out_is_in_glare_and_not_covered(bare):
    view = eye(RedReader()).read(frame(with_sheet(bare, (255, 255, 255))))
    assert {s.why for s in view.by_cell().values()} == {None, "glare"}


def test_a_sheet_over_most_of_the_board_is_no_reason_to_doubt_the_rest(bare):
    view = eye(RedReader(), board=LYING).read(frame(with_sheet(bare, side=7.6)))
    assert "covered" not in {view.by_cell()[cell].why for cell in ("a1", "a8", "j1", "j8")}
