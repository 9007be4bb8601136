"""Random Khet tables of wide variety, by seed: a picture and what it really shows.

Seeds for fitting and for measuring never meet: take them from the named ranges.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.pieces import KHET_FACINGS, Piece
from companion.simulator.arrays import Pixels
from companion.simulator.clutter import CLUTTER
from companion.simulator.khet_style import KhetStyle, random_style
from companion.simulator.khet_table import khet_things
from companion.simulator.materials import srgb
from companion.simulator.places import cell_name
from companion.simulator.prints import (
    KHET_MARKED,
    BoardPrint,
    MarkerSheets,
    Print,
    card_print,
    coaster_print,
    page_print,
)
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_camera, random_exposure, random_room, random_sensor
from companion.simulator.scene import Scene, Thing
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.surfaces import random_surface
from companion.simulator.truth import truth_json

TRAINING = range(1_000_000)
MEASURING = range(1_000_000, 2_000_000)
TESTING = range(2_000_000, 3_000_000)

_GROUNDS = [
    (118, 118, 120),
    (86, 86, 90),
    (150, 148, 142),
    (58, 60, 66),
    (176, 150, 108),
    (60, 76, 110),
    (200, 198, 190),
    (96, 60, 40),
]
_KINDS_20 = ("pharaoh", "sphinx", *("anubis",) * 2, *("scarab",) * 2, *("pyramid",) * 7)
_KINDS_10 = ("pharaoh", *("obelisk",) * 4, *("scarab",) * 2, *("pyramid",) * 7)


@dataclass(frozen=True)
class Table:
    """One table: its scene, its sensor and the set of pieces."""

    seed: int
    scene: Scene
    sensor: Sensor
    style: KhetStyle

    def truth(self) -> dict[str, Any]:
        """Everything that the picture shows."""
        return truth_json(self.scene, "khet", self.seed)


def khet_table(seed: int, width: int = 1600, height: int = 1200) -> Table:
    """A random Khet table; the same seed gives the same table."""
    rng = np.random.default_rng([seed, 17])
    style = random_style(rng)
    board = random_board(rng, style)
    pieces, counts = random_pieces(rng, board)
    room = random_room(rng)
    camera = random_camera(rng, width, height)
    sensor = random_sensor(rng, room)
    surface = random_surface(rng, seed)
    markers = MarkerSheets(margin_mm=float(rng.uniform(5, 9)), white=float(rng.uniform(0.62, 0.85)))
    things = khet_things(pieces, board, style, rng, counts)
    clutter, prints, names = random_clutter(rng, board, markers)
    scene = Scene(camera, room, surface, markers, (), board, prints, things + clutter, names)
    return Table(seed, scene, sensor, style)


def sibling(table: Table, seed: int) -> Table:
    """Another table with the same set and board: other pieces' places, light, camera and surroundings.

    What is taught from one can be measured on the other.
    """
    other = khet_table(seed, table.scene.camera.lens.width, table.scene.camera.lens.height)
    rng = np.random.default_rng([seed, 37])
    here, there = table.scene.board, other.scene.board
    assert here is not None
    assert there is not None
    board = dataclasses.replace(here, x_mm=there.x_mm, y_mm=there.y_mm, rotation_deg=there.rotation_deg)
    pieces, counts = random_pieces(rng, board)
    clutter = tuple(t for t in other.scene.things if t.piece is None)
    things = khet_things(pieces, board, table.style, rng, counts)
    scene = dataclasses.replace(other.scene, board=board, things=things + clutter)
    return Table(seed, scene, other.sensor, table.style)


def picture_of(table: Table) -> Pixels:
    """The table's picture, (height, width, 3) BGR."""
    light, _ = Renderer().draw(table.scene)
    rng = np.random.default_rng([table.seed, 19])
    sensor = exposed(table.sensor, light, *random_exposure(rng))
    return developed(sensor, light, table.seed)


def random_board(rng: np.random.Generator, style: KhetStyle) -> BoardPrint:
    """A board on which the set fits, in some maker's print."""
    cell = style.foot_mm / float(rng.uniform(0.80, 0.93))
    red, green, blue = _GROUNDS[int(rng.integers(len(_GROUNDS)))]
    ground = srgb(red, green, blue)
    other = ground if rng.random() < 0.7 else tuple(c * float(rng.uniform(0.55, 0.9)) for c in ground)
    lines = float(rng.choice([0.0, 0.4, 0.6, 1.0, 1.6], p=(0.05, 0.2, 0.35, 0.25, 0.15)))
    if lines == 0.0 and other == ground:
        other = tuple(c * 0.6 for c in ground)
    tone = float(rng.choice([0.02, 0.5, 0.75]))
    rim = srgb(*(int(v) for v in rng.integers(20, 150, 3))) if rng.random() < 0.3 else srgb(50, 50, 52)
    return BoardPrint(
        cell_mm=round(cell, 2),
        border_mm=float(np.round(rng.uniform(4, 16), 1)),
        thickness_mm=float(np.round(rng.uniform(1, 6), 1)),
        x_mm=float(np.round(rng.normal(0, 7), 2)),
        y_mm=float(np.round(rng.normal(0, 6), 2)),
        rotation_deg=float(np.round(rng.normal(0, 1.6), 3)),
        ground=ground,
        second=(other[0], other[1], other[2]),
        rim=rim,
        line=(tone, tone, tone),
        line_mm=lines,
        sign_mm=cell * float(rng.uniform(0.42, 0.66)),
        red_ink=srgb(int(rng.integers(160, 230)), int(rng.integers(20, 60)), int(rng.integers(20, 60))),
        silver_ink=srgb(*(int(rng.integers(150, 235)),) * 3),
        marked=KHET_MARKED if rng.random() < 0.9 else (),
        shine=float(rng.uniform(0.0, 0.04)),
        seed=int(rng.integers(1 << 30)),
    )


def random_pieces(rng: np.random.Generator, board: BoardPrint) -> tuple[dict[str, Piece], dict[str, int]]:
    """Pieces of one edition somewhere in a game; eyes of Horus take part now and then; and the obelisks' stacks."""
    cells = [cell_name(c, r) for c in range(board.cols) for r in range(board.rows)]
    kinds = _KINDS_20 if rng.random() < 0.75 else _KINDS_10
    eyes = rng.random() < 0.25
    free = list(rng.permutation(cells))
    pieces: dict[str, Piece] = {}
    counts: dict[str, int] = {}
    for colour, corner in (("silver", cell_name(board.cols - 1, 0)), ("red", cell_name(0, board.rows - 1))):
        for number, kind in enumerate(kinds):
            if kind in ("pyramid", "anubis", "obelisk") and rng.random() < 0.18:
                continue
            actual = "eye" if eyes and kind == "scarab" and kinds[number - 1] != "scarab" else kind
            cell = corner if kind == "sphinx" and corner in free else str(free[-1])
            free.remove(cell)
            pieces[cell] = Piece(actual, colour, facing=str(rng.choice(KHET_FACINGS[actual])))
            if actual == "obelisk" and rng.random() < 0.35:
                counts[cell] = 2
    return pieces, counts


def random_clutter(
    rng: np.random.Generator, board: BoardPrint, markers: MarkerSheets
) -> tuple[tuple[Thing, ...], tuple[Print, ...], tuple[str, ...]]:
    """Up to four everyday things beside board and markers."""
    things: list[Thing] = []
    prints: list[Print] = []
    names: list[str] = []
    for number in range(int(rng.integers(0, 5))):
        x, y = _beside(rng, board, markers)
        kind = str(rng.choice([*CLUTTER, "page", "card", "coaster"]))
        turn = float(rng.uniform(0, 360))
        if kind == "page":
            prints.append(page_print(rng, x, y, turn))
        elif kind == "card":
            prints.append(card_print(rng, x, y, turn))
        elif kind == "coaster":
            prints.append(coaster_print(rng, x, y, turn))
        else:
            things.append(CLUTTER[kind](rng, f"{kind} {number}", x, y))
        names.append(kind)
    return tuple(things), tuple(prints), tuple(names)


def _beside(rng: np.random.Generator, board: BoardPrint, markers: MarkerSheets) -> tuple[float, float]:
    """A place at some distance from the board, the markers and the lines of sight to them."""
    width, height = board.size_mm
    while True:
        x, y = float(rng.uniform(-480, 480)), float(rng.uniform(-380, 380))
        from_board = max(abs(x - board.x_mm) - width / 2, abs(y - board.y_mm) - height / 2)
        from_marker = min(float(np.hypot(x - mx, y - my)) for mx, my in markers.centres())
        if from_board > 85 and from_marker > 150:
            return x, y
