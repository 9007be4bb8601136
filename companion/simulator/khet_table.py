"""Khet pieces put on cells of a board."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from companion.pieces import Piece
from companion.simulator.khet_solids import khet_mesh
from companion.simulator.khet_style import KhetStyle, khet_materials
from companion.simulator.places import cell_at
from companion.simulator.prints import BoardPrint
from companion.simulator.scene import Finish, Thing

FACING_DEG = {
    "E": 0.0,
    "NE": 45.0,
    "N": 90.0,
    "NW": 135.0,
    "W": 180.0,
    "SW": 225.0,
    "S": 270.0,
    "SE": 315.0,
    "/": 45.0,
    "\\": 135.0,
}


@cache
def khet_finish(style: KhetStyle, colour: str) -> Finish:
    """One finish for each side of a set."""
    return Finish(khet_materials(style, colour))


def khet_thing(
    name: str,
    piece: Piece,
    cell: str,
    board: BoardPrint,
    style: KhetStyle,
    askew: tuple[float, float, float] = (0.0, 0.0, 0.0),
    count: int = 1,
) -> Thing:
    """A piece on a cell; `askew` shifts it in board millimetres and turns it in degrees."""
    x, y = board.cell_centre(*cell_at(cell), askew[0], askew[1])
    heading = FACING_DEG[piece.facing or "N"] + board.rotation_deg + askew[2]
    mesh = khet_mesh(piece.kind, style, count)
    finish = khet_finish(style, piece.colour or "silver")
    return Thing(name, mesh, finish, x, y, board.thickness_mm, heading, piece, cell, count=count)


def stand_askew(rng: np.random.Generator, cell_mm: float, foot_mm: float) -> tuple[float, float, float]:
    """As a person puts a piece down: mostly neat, now and then up to the edge of the cell."""
    room = max(0.3, (cell_mm - foot_mm) / 2)
    careless = 1.0 if rng.random() < 0.85 else 1.8
    dx, dy = rng.normal(0, room * 0.28 * careless, 2)
    turn = rng.normal(0, 2.6 * careless)
    limit = room * 0.95
    return float(np.clip(dx, -limit, limit)), float(np.clip(dy, -limit, limit)), float(np.clip(turn, -11, 11))


def khet_things(
    pieces: Mapping[str, Piece],
    board: BoardPrint,
    style: KhetStyle,
    rng: np.random.Generator,
    counts: Mapping[str, int] | None = None,
) -> tuple[Thing, ...]:
    """Things for pieces by cell; beetles look either way along their mirror, pharaohs and obelisks anywhere."""
    things = []
    for number, (cell, piece) in enumerate(sorted(pieces.items())):
        dx, dy, turn = stand_askew(rng, board.cell_mm, style.foot_mm)
        if piece.kind in ("scarab", "eye") and rng.random() < 0.5:
            turn += 180.0
        name = f"{piece.colour} {piece.kind} {number}"
        things.append(khet_thing(name, piece, cell, board, style, (dx, dy, turn), (counts or {}).get(cell, 1)))
    return tuple(things)
