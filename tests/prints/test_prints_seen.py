"""Printed boards and the printed track on rendered tables: the eye, untaught, reads what lies on them."""

import dataclasses

import numpy as np
import pytest

from calibration.paper import Drawing
from companion.games.kdak.track import square_at, square_mm
from companion.pieces import Piece
from companion.prints import disc_boards, kdak, sheet
from companion.simulator import piecepack_tables
from companion.simulator.disc_tables import disc_body, disc_finishes, disc_picture, disc_table, random_disc_style
from companion.simulator.scene import Thing
from companion.simulator.tables import TESTING
from companion.view import BoardPose
from companion.vision.boards.cells import cell_centres
from tests.printed_tables import paper, seen, turned

pytestmark = pytest.mark.long
AT = (3.0, -4.0)


@pytest.mark.parametrize(
    ("name", "game", "number", "options"),
    [
        ("ataxx-board", "ataxx", 1, {"blocked": "sides"}),
        ("ataxx-board", "ataxx", 2, {"look": "plain"}),
        ("hexxagon-board", "hexxagon", 3, {"holes": "yes"}),
        ("hexxagon-board", "hexxagon", 6, {}),
    ],
)
def test_discs_on_a_printed_board_are_read(name, game, number, options):
    found = sheet(name)
    chosen = found.settle(options)
    shape = found.shape(chosen)
    marks = found.pages("a4", chosen)[0].marks[0].marks  # of the whole board, of which the page shows a part
    whole = disc_boards.board(shape, frozenset(), checkered=False)
    table, rng = disc_table(TESTING[number]), np.random.default_rng(number)
    style, turn = random_disc_style(rng, shape.cell_mm), float(rng.normal(0, 2))
    mesh, finishes = disc_body(style), disc_finishes(style)
    things, truth = [], {}
    for cell, (x, y) in zip(shape.cells(), cell_centres(shape), strict=True):
        truth[cell] = str(rng.choice(["black", "white", "empty"], p=[0.25, 0.15, 0.6]))
        if truth[cell] != "empty":
            here = turned(x + rng.normal(0, 1), y + rng.normal(0, 1), turn, AT)
            things.append(Thing(cell, mesh, finishes[truth[cell]], *here, 0.3, 0.0, Piece("disc", truth[cell]), cell))
    lying = paper(Drawing(whole.width, whole.height, marks), *AT, turn)
    scene = dataclasses.replace(table.scene, board=None, prints=(lying,), things=tuple(things))
    pose = BoardPose(*AT, turn) if shape.kind == "hex" else None
    view = seen(scene, disc_picture(dataclasses.replace(table, scene=scene)), game, shape, pose)
    read = {cell: s.piece.colour or s.piece.kind for cell, s in view.by_cell().items()}
    assert {cell: (truth[cell], kind) for cell, kind in read.items() if kind not in (truth[cell], "unknown")} == {}
    assert sum(kind == "unknown" for kind in read.values()) <= 2


def test_coins_on_the_printed_track_are_found_on_their_squares():
    on, found, astray = 0, 0, 0
    for number in (1, 2, 3, 7):
        table, rng = piecepack_tables.piecepack_table(TESTING[number]), np.random.default_rng(number)
        layer, turn, at = piecepack_tables._Layer(rng, table.style, 6.0), float(rng.normal(0, 2)), (0.0, -60.0)
        squares = {int(n) for n in rng.choice(61, 6, replace=False)}
        for square in squares:
            x, y = square_mm(square)
            layer._coin(*turned(x + rng.normal(0, 1), y + rng.normal(0, 1), turn, at), 0.2, 90 + turn)
        lying = paper(kdak.track(), *at, turn)
        scene = dataclasses.replace(table.scene, prints=(lying,), things=tuple(layer.things))
        picture = piecepack_tables.piecepack_picture(dataclasses.replace(table, scene=scene))
        coins = [s for s in seen(scene, picture, "kdak").sightings if s.piece.kind == "coin"]
        places = [turned(s.x_mm - at[0], s.y_mm - at[1], -turn, (0.0, 0.0)) for s in coins]
        read = [square_at(*place) for place in places]
        on, found = on + len(squares), found + len(squares & set(read))
        astray += sum(square not in squares for square in read)
    assert astray == 0
    assert found >= 0.9 * on
