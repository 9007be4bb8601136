"""Small simulated Khet tables, cut into cells at their true place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from companion.pieces import EMPTY, Piece
from companion.simulator.khet_style import random_style
from companion.simulator.khet_table import khet_things
from companion.simulator.prints import MarkerSheets
from companion.simulator.rooms import random_camera, random_room, random_sensor
from companion.simulator.scene import Scene
from companion.simulator.surfaces import Surface
from companion.simulator.tables import TESTING, Table, picture_of, random_board, random_pieces
from companion.vision.boards.cells import CellCutter
from companion.vision.reader import CellPatches, CellReading


@dataclass(frozen=True)
class CutTable:
    """The cells of one table and what stands on them."""

    patches: CellPatches
    pieces: Mapping[str, Piece]
    askew: frozenset[str] = frozenset()  # cells whose piece was turned off its facing

    def wrong(self, readings: list[CellReading], unknown_too: bool = True) -> list[str]:
        """Cells whose reading is not what stands there."""
        return [
            f"{cell}: {self.pieces.get(cell, EMPTY)} read as {reading.beliefs[:1]} {reading.why}"
            for cell, reading in zip(self.patches.cells, readings, strict=True)
            if (unknown_too and reading.why)
            or (not reading.why and not _same(reading.beliefs[0][0], self.pieces.get(cell, EMPTY)))
        ]


def _same(seen: Piece, is_: Piece) -> bool:
    faceless = is_.kind in ("pharaoh", "obelisk")
    return (seen.kind, seen.colour) == (is_.kind, is_.colour) and (faceless or seen.facing == is_.facing)


@cache
def cut_table(view: int, maker: int = 1, colours: str = "silver-red", off_deg: float = 0.0) -> CutTable:
    """One view of one maker's set and board: other light, camera and places of the pieces in each view.

    Every fifth piece is turned by `off_deg`.
    """
    rng = np.random.default_rng([TESTING.start, view, 3])
    made = np.random.default_rng([TESTING.start, maker, 5])
    style = random_style(made, colours)
    board = random_board(made, style)
    pieces, counts = random_pieces(rng, board)
    room = random_room(rng)
    camera = random_camera(rng, 1280, 960)
    sensor = random_sensor(rng, room)
    surface = Surface("wood", view, 0.02, 0.4)
    things = khet_things(pieces, board, style, rng, counts)
    askew = things[::5] if off_deg else ()
    things = tuple(replace(t, heading_deg=t.heading_deg + off_deg) if t in askew else t for t in things)
    scene = Scene(camera, room, surface, MarkerSheets(), (), board, (), things, ())
    table = Table(TESTING.start + view, scene, sensor, style)
    cutter = CellCutter(camera, board.pose, board.shape)
    picture = picture_of(table)
    half = MarkerSheets().side_mm / 2 + 2
    paper = camera.project(np.array([(x - half, y) for x, y in MarkerSheets().centres()])).round().astype(int)
    inside = [(x, y) for x, y in paper if 0 <= x < 1280 and 0 <= y < 960]
    white = np.median([picture[y, x].astype(float) for x, y in inside], axis=0)
    return CutTable(cutter.patches(cutter.flat(picture), 225.0 / white), pieces, frozenset(str(t.cell) for t in askew))
