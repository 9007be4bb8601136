"""Random tables with discs on a board of square cells, as Ataxx and Othello lay them; by seed."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.arrays import Colour, Pixels
from companion.simulator.materials import Material, dimmed, srgb
from companion.simulator.places import cell_name
from companion.simulator.prints import BoardPrint, MarkerSheets
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import from_the_side, random_camera, random_room, random_sensor
from companion.simulator.scene import Finish, Scene, Thing
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.shapes import Mesh, circle, loft, prism
from companion.simulator.surfaces import random_surface
from companion.simulator.tables import random_clutter
from companion.simulator.truth import truth_json

HEX_ROWS = 9
MANY_CELLS = (13, 26)  # a side, of boards of kind "many"
BOARD_MM = 345.0  # so wide a field still lies between the markers
_CHECKERED = (  # screen colours of light and dark cells, and how strongly they show the grain of wood
    ((228, 208, 170), (46, 92, 54), 0.0),
    ((236, 224, 190), (112, 140, 84), 0.0),
    ((222, 184, 128), (112, 66, 40), 0.09),
    ((206, 160, 104), (84, 52, 36), 0.07),
    ((232, 204, 158), (146, 96, 60), 0.08),
    ((238, 236, 228), (128, 132, 138), 0.0),
    ((226, 218, 204), (60, 62, 66), 0.0),
    ((230, 214, 184), (150, 44, 40), 0.0),
    ((214, 220, 226), (64, 92, 140), 0.0),
)
_PLAIN = (
    ((30, 110, 60), 0.0),
    ((28, 88, 52), 0.0),
    ((60, 140, 84), 0.0),
    ((44, 74, 128), 0.0),
    ((122, 124, 126), 0.0),
    ((196, 150, 100), 0.08),
    ((122, 78, 50), 0.08),
    ((236, 234, 226), 0.0),
    ((220, 200, 160), 0.0),
    ((86, 60, 96), 0.0),
    ((62, 64, 68), 0.0),
)


@dataclass(frozen=True)
class DiscStyle:
    """How one set of discs is made, in millimetres and linear BGR."""

    diameter_mm: float
    height_mm: float
    black: Colour
    white: Colour
    two_sided: bool = True
    dish: float = 0.0  # share of the diameter of an inner circle of another tone; 0: none
    dish_tone: float = 1.0
    shine: float = 0.04
    rough: float = 0.3


@dataclass(frozen=True)
class DiscTable:
    """One table: its scene, its sensor and how bright it is photographed."""

    seed: int
    scene: Scene
    sensor: Sensor
    exposure: tuple[float, float]  # screen value of the bright parts and of the mean, at most

    def truth(self) -> dict[str, Any]:
        """Everything that the picture shows, in the format of `companion look`."""
        data = truth_json(self.scene, "ataxx", self.seed)
        for piece in data["pieces"]:
            piece |= {"pose": "flat", "heading_deg": None}
        return data


def disc_table(seed: int, width: int = 1600, height: int = 1200, kind: str = "grid") -> DiscTable:
    """A random table; the same seed gives the same one.

    `kind` "grid": a board of 3 to 12 cells a side; "many": of 13 to 26; "hex": the hexagon of Hexxagon.
    """
    rng = np.random.default_rng([seed, 41])
    board = random_disc_board(rng)
    if kind == "hex":
        board = _hexagonal(board, rng)
    elif kind == "many":
        board = _with_many_cells(board, rng)
    style = random_disc_style(rng, board.cell_mm)
    room = random_room(rng)
    tilted = rng.random() < 0.2
    camera = _tilted_camera(rng, width, height) if tilted else random_camera(rng, width, height)
    sensor, surface = random_sensor(rng, room), random_surface(rng, seed)
    markers = MarkerSheets(margin_mm=float(rng.uniform(5, 9)), white=float(rng.uniform(0.62, 0.85)))
    things = (*on_cells(rng, board, style), *_beside(rng, board, style))
    clutter, prints, names = random_clutter(rng, board, markers)
    scene = Scene(camera, room, surface, markers, (), board, prints, things + clutter, names)
    dim = rng.random() < 0.15
    bright = float(rng.uniform(0.36, 0.5) if dim else rng.uniform(0.5, 0.9))
    mean = float(rng.uniform(0.22, 0.32) if dim else rng.uniform(0.34, 0.52))
    return DiscTable(seed, scene, sensor, (bright, mean))


def disc_picture(table: DiscTable, number: int = 0) -> Pixels:
    """The table's picture, (height, width, 3) BGR; each `number` has other noise."""
    light, _ = Renderer().draw(table.scene)
    sensor = exposed(table.sensor, light, *table.exposure)
    return developed(sensor, light, table.seed, number)


def random_disc_board(rng: np.random.Generator) -> BoardPrint:
    """A board of 3 to 12 cells a side: checkered, plain with lines, of wood, cloth or card."""
    cells = int(rng.integers(3, 13)) if rng.random() < 0.5 else int(rng.choice([7, 8]))
    cell = float(np.round(min(rng.uniform(26, 46), BOARD_MM / cells), 2))
    line = float(rng.choice([0.0, 0.4, 0.8, 1.4], p=(0.5, 0.2, 0.2, 0.1)))
    if rng.random() < 0.55:
        light, dark, grain = _CHECKERED[int(rng.integers(len(_CHECKERED)))]
        grounds = [srgb(*light), srgb(*dark)]
    else:
        plain, grain = _PLAIN[int(rng.integers(len(_PLAIN)))]
        grounds, line = [srgb(*plain)] * 2, max(line, 0.5)
    grounds = [dimmed(g, float(rng.uniform(0.8, 1.2))) if line == 0 else g for g in grounds]
    tone = float(rng.choice([0.02, 0.04, 0.5]))
    well = cell * float(rng.uniform(0.62, 0.94)) if rng.random() < 0.25 else 0.0
    thick = float(np.round(rng.choice([rng.uniform(0.4, 2), rng.uniform(2, 8)]), 1))
    return BoardPrint(
        cells,
        cells,
        cell,
        border_mm=float(np.round(rng.uniform(3, 22), 1)),
        thickness_mm=thick,
        x_mm=float(np.round(rng.normal(0, 6), 2)),
        y_mm=float(np.round(rng.normal(0, 5), 2)),
        rotation_deg=float(np.round(rng.normal(0, 2.0), 3)),
        ground=grounds[0],
        second=grounds[1],
        rim=dimmed(grounds[1], float(rng.uniform(0.5, 1.0))) if rng.random() < 0.6 else grounds[0],
        line=(tone, tone, tone),
        line_mm=line,
        shine=float(rng.choice([rng.uniform(0, 0.03), rng.uniform(0.03, 0.08)])),
        seed=int(rng.integers(1 << 30)),
        grain=grain,
        dots_mm=float(rng.uniform(2, 4)) if line > 0 and cells == 8 and rng.random() < 0.4 else 0.0,
        well_mm=well,
        well_round=float(rng.choice([1.0, rng.uniform(0.1, 1.0)])),
        well_tone=float(rng.choice([rng.uniform(0.4, 0.85), rng.uniform(1.15, 1.8)])),
    )


def _hexagonal(board: BoardPrint, rng: np.random.Generator) -> BoardPrint:
    """The same board with hexagonal cells."""
    cell = float(np.round(rng.uniform(30, BOARD_MM / HEX_ROWS), 2))
    turn = float(np.round(rng.normal(0, 3.0), 3))
    return dataclasses.replace(
        board, kind="hex", cols=HEX_ROWS, rows=HEX_ROWS, cell_mm=cell, rotation_deg=turn, well_mm=0.0, dots_mm=0.0
    )


def _with_many_cells(board: BoardPrint, rng: np.random.Generator) -> BoardPrint:
    """The same board with more and smaller cells, its lines and wells in proportion."""
    cells = int(rng.integers(MANY_CELLS[0], MANY_CELLS[1] + 1))
    cell = float(np.round(BOARD_MM / cells * rng.uniform(0.85, 1.0), 2))
    return dataclasses.replace(
        board,
        cols=cells,
        rows=cells,
        cell_mm=cell,
        border_mm=min(board.border_mm, 12.0),
        line_mm=min(board.line_mm, 0.8),
        dots_mm=0.0,
        well_mm=board.well_mm * cell / board.cell_mm,
    )


def random_disc_style(rng: np.random.Generator, cell_mm: float) -> DiscStyle:
    """A set that fits the cells: thin or thick, dull or glossy, two-coloured or not."""
    diameter = cell_mm * float(rng.uniform(0.66, 0.92))
    dark = int(rng.choice([rng.integers(18, 50), rng.integers(40, 96)], p=(0.65, 0.35)))
    black = srgb(*(int(np.clip(dark + v, 8, 104)) for v in rng.normal(0, 5, 3)))
    light = int(rng.integers(max(190, dark + 110), 246))
    cream = float(rng.choice([0.0, rng.uniform(0, 40)]))
    white = srgb(light, int(light - 0.25 * cream), int(light - cream))
    dished = rng.random() < 0.35
    return DiscStyle(
        diameter_mm=diameter,
        height_mm=diameter * float(rng.uniform(0.08, 0.27)),
        black=black,
        white=white,
        two_sided=bool(rng.random() < 0.7),
        dish=float(rng.uniform(0.45, 0.8)) if dished else 0.0,
        dish_tone=float(rng.uniform(0.78, 1.15)),
        shine=float(rng.uniform(0.005, 0.045)),
        rough=float(rng.uniform(0.12, 0.7)),
    )


def disc_body(style: DiscStyle) -> Mesh:
    """A disc: the lower half in the other side's colour, with a bevelled edge and perhaps a sunken middle."""
    r, high = style.diameter_mm / 2, style.height_mm
    bevel = min(0.8, high / 4)
    ring, inner = circle(r, 36), circle(r - bevel, 36)
    parts = [
        loft([(ring, 0.0), (ring, high / 2)], "under", 0),
        loft([(ring, high / 2), (ring, high - bevel), (inner, high)], "body", 1),
    ]
    if style.dish > 0:
        parts.append(prism(circle(r * style.dish, 36), high - 0.1, high + 0.05, "trim", 2))
    return Mesh(tuple(parts))


def disc_finishes(style: DiscStyle) -> dict[str, Finish]:
    """Materials of a disc by the colour that lies up."""
    own = {"black": style.black, "white": style.white}
    made = {}
    for colour, other in (("black", "white"), ("white", "black")):
        under = own[other] if style.two_sided else own[colour]
        tones = {"body": own[colour], "under": under, "trim": dimmed(own[colour], style.dish_tone)}
        made[colour] = Finish({name: Material(tone, style.shine, style.rough) for name, tone in tones.items()})
    return made


def on_cells(rng: np.random.Generator, board: BoardPrint, style: DiscStyle) -> tuple[Thing, ...]:
    """Discs as in some moment of a game, more or less in the middle of their cells."""
    on_board = set(board.cells())
    cells = [(c, r) for c in range(board.cols) for r in range(board.rows) if cell_name(c, r, board.kind) in on_board]
    full = float(rng.choice([0.0, 4 / len(cells), rng.uniform(0, 1), rng.uniform(0.9, 1)], p=(0.04, 0.16, 0.7, 0.1)))
    whites = float(rng.choice([rng.uniform(0.3, 0.7), rng.uniform(0, 1), 0.0, 1.0], p=(0.6, 0.3, 0.05, 0.05)))
    slack = (board.cell_mm - style.diameter_mm) / 2
    off = float(rng.choice([0.02, 0.05, 0.10])) * board.cell_mm
    most = slack + 0.08 * board.cell_mm
    mesh, finishes = disc_body(style), disc_finishes(style)
    things: list[Thing] = []
    for col, row in cells:
        if rng.random() >= full:
            continue
        colour = "white" if rng.random() < whites else "black"
        dx, dy = (float(v) for v in np.clip(rng.normal(0, off, 2), -most, most))
        x, y = board.cell_centre(col, row, dx, dy)
        if not _is_free(x, y, style.diameter_mm, things):
            x, y = board.cell_centre(col, row)
        if not _is_free(x, y, style.diameter_mm, things):
            continue
        turn = float(rng.uniform(0, 360))
        name = cell_name(col, row, board.kind)
        piece = Piece("disc", colour)
        things.append(Thing(name, mesh, finishes[colour], x, y, board.thickness_mm, turn, piece, name))
    return tuple(things)


def _beside(rng: np.random.Generator, board: BoardPrint, style: DiscStyle) -> tuple[Thing, ...]:
    """Discs that are out of play: on the table near the board, or on its rim where that is wide."""
    if rng.random() < 0.5:
        return ()
    mesh, finishes = disc_body(style), disc_finishes(style)
    field, outer = board.cols * board.cell_mm / 2, board.size_mm[0] / 2
    things: list[Thing] = []
    for number in range(int(rng.integers(1, 12))):
        on_rim = board.border_mm > style.diameter_mm + 2
        near = field + style.diameter_mm / 2 + 1 if on_rim else outer + style.diameter_mm / 2 + 1
        out = near + float(rng.uniform(0, 1.0 if on_rim else 40.0))
        along = float(rng.uniform(-outer, outer) * 0.8)
        x, y = ((out, along), (-out, along), (along, out), (along, -out))[int(rng.integers(4))]
        c, s = math.cos(math.radians(board.rotation_deg)), math.sin(math.radians(board.rotation_deg))
        x, y = board.x_mm + c * x - s * y, board.y_mm + s * x + c * y
        far = all(math.hypot(x - mx, y - my) > 45 for mx, my in MarkerSheets().centres())
        if not far or not _is_free(x, y, style.diameter_mm, things):
            continue
        finish = finishes[str(rng.choice(["black", "white"]))]
        z = board.thickness_mm if on_rim else 0.0
        things.append(Thing(f"out of play {number}", mesh, finish, x, y, z, float(rng.uniform(0, 360))))
    return tuple(things)


def _is_free(x: float, y: float, diameter: float, things: list[Thing]) -> bool:
    return all(math.hypot(x - t.x_mm, y - t.y_mm) > diameter + 0.3 for t in things)


def _tilted_camera(rng: np.random.Generator, width: int, height: int) -> CameraPose:
    """A camera that looks from the side, as from a hand-held telephone."""
    usual = random_camera(rng, width, height)
    tilt_deg, angle = float(rng.uniform(15, 35)), float(rng.uniform(0, 2 * math.pi))
    far = float(rng.uniform(780, 900))
    return from_the_side(usual, far, tilt_deg, angle, float(rng.normal(0, 3)))
