"""The virtual table of each game, chosen by what its layout asks for; and what its host would tell the eye of it."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.games.ataxx.hands import DISCS
from companion.games.base import Layout
from companion.games.chaos.colours import CHART
from companion.games.chaos.position import STASH
from companion.games.kaxxt.pyramids import COLOURS
from companion.games.kdak.table import TRACK_Y_MM
from companion.pieces import PYRAMID_SIZES, SUITS, Piece
from companion.simulator.design import Sheet, TableDesign, furnish
from companion.view import BoardShape

SEEDS = {"khet": 3_000_001, "kdak": 3_000_010}  # of the demonstrations' tables
USUAL_SEED = 3_000_005
BOARD_MM = 344.0  # so wide a field of cells still lies between the usual markers
DIE = Piece("die")  # with pips
RIM_MM, THICK_MM = 8.0, 2.0  # of a board whose layout tells no rim
USUAL_MARKERS_MM = (600.0, 380.0)


def _khet(layout: Layout, design: TableDesign) -> TableDesign:
    return design


def _discs(layout: Layout, design: TableDesign) -> TableDesign:
    """A board that fits between the markers; cells that are out of play are crossed out."""
    assert layout.board is not None
    shape = layout.board
    cell = min(shape.cell_mm, BOARD_MM / max(shape.cols, shape.rows))
    board = BoardShape(shape.cols, shape.rows, round(cell, 1), RIM_MM, THICK_MM, shape.kind)
    design = dataclasses.replace(design, shape=board, board="discs", beside=False, reserve=DISCS)
    return dataclasses.replace(design, signs=tuple(layout.marked.items()))


def _treehouse(layout: Layout, design: TableDesign) -> TableDesign:
    """A free table, one set of pyramids of five colours and a die."""
    design = dataclasses.replace(design, shape=None, beside=False, room_mm=(480.0, 320.0))
    return dataclasses.replace(design, reserve=(*_pyramids(tuple(COLOURS.values())), DIE))


def _stashes(layout: Layout, design: TableDesign) -> TableDesign:
    """A free table, many pyramids of every colour."""
    design = dataclasses.replace(design, shape=None, beside=False, room_mm=(480.0, 320.0))
    return dataclasses.replace(design, reserve=_pyramids(CHART) * STASH[0])


def _pyramids(colours: tuple[str, ...]) -> tuple[Piece, ...]:
    return tuple(Piece("pyramid", colour, size, "upright") for colour in colours for size in reversed(PYRAMID_SIZES))


def _tower(layout: Layout, design: TableDesign) -> TableDesign:
    """Six squares of tiles in a line need markers farther apart; the score track lies in front of them.

    In the box are the pawns and coins of all suits, of which two play, and the dice.
    """
    track = Sheet("score track", 0.0, TRACK_Y_MM)
    return dataclasses.replace(
        design,
        shape=None,
        beside=False,
        sheets=(track,),
        markers_mm=(740.0, 440.0),
        room_mm=(660.0, 420.0),
        shown_mm=(180.0, 130.0),
        reserve=tuple(piece for suit in SUITS for piece in _of_suit(suit)),
    )


def _of_suit(suit: str) -> tuple[Piece, ...]:
    return Piece("die", suit=suit), Piece("pawn", suit=suit), Piece("coin", suit=suit, face="suit")


DESIGNS: dict[str, Callable[[Layout, TableDesign], TableDesign]] = {
    "khet": _khet,
    "ataxx": _discs,
    "hexxagon": _discs,
    "kaxxt": _treehouse,
    "chaos": _stashes,
    "kdak": _tower,
}


def design_for(game: str, layout: Layout, **changes: Any) -> TableDesign:
    """The usual table of a game; `changes` are fields of TableDesign that differ, such as the seed."""
    design = DESIGNS[game](layout, TableDesign(seed=SEEDS.get(game, USUAL_SEED)))
    return dataclasses.replace(design, **changes)


def has_room(design: TableDesign) -> Callable[[Layout], bool]:
    """Tells whether a layout lies on the part of this table that is meant for it."""
    wide, high = design.room_mm

    def fits(layout: Layout) -> bool:
        places = [(p.x_mm, p.y_mm) for p in layout.pieces if p.x_mm is not None and p.y_mm is not None]
        return layout.celled or all(abs(x) < wide / 2 and abs(y) < high / 2 for x, y in places)

    return fits


def look_options(design: TableDesign, folder: Path) -> dict[str, Any]:
    """Options of the eye that a host would set for this table: its lens as a calibration would have measured it, the
    distances of its markers, the size of its board.
    """
    lens = folder / "lens.json"
    lens.write_text(json.dumps(furnish(design).scene.camera.lens.to_json()), encoding="utf-8")
    look: dict[str, Any] = {"lens": lens}
    if design.markers_mm != USUAL_MARKERS_MM:
        look["markers"] = ",".join(f"{side:g}" for side in design.markers_mm)
    if design.shape is not None and design.board != "khet":
        path = folder / "board.json"
        told = dataclasses.asdict(design.shape)
        path.write_text(json.dumps(told), encoding="utf-8")
        look["board"] = path
    return look
