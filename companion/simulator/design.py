"""How a virtual table is furnished, as a small picklable value; the scene is built from it where it is drawn."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.hands import hand_thing
from companion.simulator.khet_style import KhetStyle, random_style
from companion.simulator.materials import srgb
from companion.simulator.places import cell_at
from companion.simulator.prints import KHET_MARKED, BoardPrint, MarkerSheets, Print
from companion.simulator.rooms import nudged, random_camera, random_room, random_sensor
from companion.simulator.scene import Scene
from companion.simulator.sensor import Sensor
from companion.simulator.sets import SetLooks, random_looks, usual_looks
from companion.simulator.sheets import track_print
from companion.simulator.solids import lying_print, rests_flat, standing_thing
from companion.simulator.state import TableState
from companion.simulator.surfaces import random_surface
from companion.simulator.tables import random_board, random_clutter
from companion.view import BoardShape

NUDGE_MM = 6.0  # how far a knock moves the camera
KHET_BOARD = BoardShape(10, 8, 38.0, 10.0, 3.0)
LINE = srgb(44, 30, 22)
TOP_SHINE, TOP_ROUGH = 0.004, 0.8  # of a table top that is asked for
WOOD_LIGHT, WOOD_DARK = srgb(222, 190, 142), srgb(126, 84, 54)
SHEETS: dict[str, Callable[[float, float, float], Print]] = {"score track": track_print}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed sheet (a name of SHEETS) that belongs to the game, and where its middle lies."""

    name: str
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class TableDesign:
    """A table by seed. `usual` takes the usual board and plain pieces, else board and set are random too.

    `shape` None is a free table. `signs` are printed on the board: cell and sign ("blocked"); Khet's are always there.
    `room_mm` keeps everyday things away from the middle of a free table: the width and height that are played on.
    """

    seed: int = 3_000_000
    width: int = 1600
    height: int = 1200
    fps: float = 10.0
    colours: str = "silver-red"
    usual: bool = True
    shape: BoardShape | None = KHET_BOARD
    clutter: bool = True
    white: float = 0.80  # screen value of the bright parts, at most
    mean: float = 0.48  # of the whole picture, at most
    threads: int = 1  # of OpenCV, where the table is drawn
    board: str = "khet"  # what is printed: khet or discs
    signs: tuple[tuple[str, str], ...] = ()
    sheets: tuple[Sheet, ...] = ()
    markers_mm: tuple[float, float] = (600.0, 380.0)  # centres of the table markers, width and height
    room_mm: tuple[float, float] = (420.0, 320.0)
    shown_mm: tuple[float, float] = (0.0, 150.0)  # where something is laid that is only shown to all
    beside: bool = True  # pieces out of play stand beside the board; else they leave the picture
    reserve: tuple[Piece, ...] = ()  # what lies in the box beside the table, and can be brought in
    top: str | None = None  # the kind of table top, of `surfaces.SURFACES`; the seed chooses it when it is not given


@dataclass(frozen=True, eq=False)
class Furniture:
    """A design carried out: the empty scene, the sensor (not yet exposed) and the looks of the set."""

    design: TableDesign
    scene: Scene
    sensor: Sensor
    looks: SetLooks

    @property
    def style(self) -> KhetStyle:
        """The looks of the Khet set."""
        return self.looks.khet

    @property
    def board(self) -> BoardPrint:
        """The board of a game that has one."""
        assert self.scene.board is not None
        return self.scene.board


def furnish(design: TableDesign) -> Furniture:
    """Builds the empty table of a design; the same design gives the same table."""
    rng = np.random.default_rng([design.seed, 23])
    style = random_style(rng, design.colours)
    any_board = random_board(rng, style)
    shape = design.shape
    cell = shape.cell_mm if shape else 40.0
    looks = usual_looks(design.colours, cell) if design.usual else random_looks(design.seed, style, cell)
    room = random_room(rng)
    camera = random_camera(rng, design.width, design.height)
    sensor = dataclasses.replace(random_sensor(rng, room), jpeg=0)
    surface = random_surface(rng, design.seed)
    if design.top is not None:
        surface = dataclasses.replace(surface, kind=design.top, shine=TOP_SHINE, rough=TOP_ROUGH)
    markers = MarkerSheets(*design.markers_mm, margin_mm=7.0, white=0.78)
    board = _board(design, any_board)
    wide, high = (round(side) for side in design.room_mm)
    clutter, prints, names = random_clutter(rng, board or BoardPrint(wide, high, 1.0, 0.0), markers)
    if not design.clutter:
        clutter, prints, names = (), (), ()
    laid = tuple(SHEETS[sheet.name](sheet.x_mm, sheet.y_mm, sheet.turn_deg) for sheet in design.sheets)
    scene = Scene(camera, room, surface, markers, (), board, (*prints, *laid), clutter, names)
    return Furniture(design, scene, sensor, looks)


def _board(design: TableDesign, random: BoardPrint) -> BoardPrint | None:
    """The board of a design, somewhere near the middle; the one of `random` where it need not be the usual one."""
    if design.shape is None:
        return None
    if design.board == "khet" and not design.usual:
        return random
    shape = design.shape
    usual = BoardPrint(
        shape.cols,
        shape.rows,
        shape.cell_mm,
        shape.border_mm,
        shape.thickness_mm,
        random.x_mm,
        random.y_mm,
        random.rotation_deg,
        marked=KHET_MARKED if design.board == "khet" else _signs(design),
        seed=random.seed,
        kind=shape.kind,
    )
    if design.board == "khet":
        return usual
    return dataclasses.replace(
        usual,
        ground=WOOD_LIGHT,
        second=WOOD_DARK,
        rim=WOOD_DARK,
        line=LINE,
        line_mm=0.5,
        sign_mm=0.7 * shape.cell_mm,
        silver_ink=LINE,
        grain=0.06 if shape.kind == "grid" else 0.0,
    )


def _signs(design: TableDesign) -> tuple[tuple[int, int, str], ...]:
    assert design.shape is not None
    return tuple((*cell_at(cell, design.shape.kind), sign) for cell, sign in design.signs)


@lru_cache(maxsize=16)
def _camera(furniture: Furniture, nudges: int) -> CameraPose:
    """The camera after so many knocks; kept, because a renderer compares cameras by identity."""
    if nudges == 0:
        return furniture.scene.camera
    rng = np.random.default_rng([furniture.design.seed, 31, nudges])
    return nudged(_camera(furniture, nudges - 1), rng, NUDGE_MM)


def camera_of(furniture: Furniture, state: TableState) -> CameraPose:
    """Where the camera is now."""
    return _camera(furniture, state.nudges)


def scene_of(furniture: Furniture, state: TableState) -> Scene:
    """The scene that a state shows: what lies flat and rests is part of the table, the rest are solids on it."""
    scene, looks, eye = furniture.scene, furniture.looks, camera_of(furniture, state)
    flat = [s for s in state.standing if rests_flat(s)]
    flat.sort(key=lambda s: -float(np.hypot(s.x_mm - eye.position_mm[0], s.y_mm - eye.position_mm[1])))
    lying = {s.name for s in flat}
    solid = (s if s.nested_on not in lying else dataclasses.replace(s, nested_on=None) for s in state.standing)
    pieces = tuple(standing_thing(s, looks) for s in solid if s.name not in lying)
    hands = tuple(
        hand_thing(f"hand {i}", h.x_mm, h.y_mm, h.z_mm, h.heading_deg, h.skin, h.sleeve, h.left, h.opened)
        for i, h in enumerate(state.hands)
    )
    prints = (*scene.prints, *(lying_print(s, looks) for s in flat))
    return dataclasses.replace(scene, camera=eye, prints=prints, things=(*scene.things, *pieces, *hands))
