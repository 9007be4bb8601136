"""Random tables and trays with pip dice, by seed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.arrays import Colour, Pixels
from companion.simulator.materials import Material, srgb
from companion.simulator.odds_and_ends import small_thing
from companion.simulator.prints import MarkerSheets, Print, card_print, page_print
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import from_the_side, random_camera, random_room, random_sensor
from companion.simulator.scene import Finish, Scene, Thing
from companion.simulator.sensor import Sensor, developed, exposed
from companion.simulator.small_solids import GLINT, pip_die_mesh
from companion.simulator.surfaces import random_surface

_BODIES = (
    (238, 236, 228),
    (226, 214, 186),
    (24, 24, 26),
    (178, 28, 34),
    (30, 60, 150),
    (28, 110, 58),
    (120, 60, 150),
    (232, 190, 40),
    (150, 190, 226),
    (240, 120, 40),
)
_LIGHT, _DARK = (244, 242, 236), (20, 20, 22)
DiceSet = tuple[Finish, float, float, float, float]  # and rounding, pip, its glint and spread as shares of a side
SIZE_PX = (1280, 960)
NEAR_MM = (170.0, 520.0)  # how far the camera is
STREWN_APART_MM = 27.0  # middles of what is strewn about


@dataclass(frozen=True)
class DiceTable:
    """One view: its scene, its sensor and where the middle of the top of each die shows."""

    seed: int
    scene: Scene
    sensor: Sensor
    dice: tuple[tuple[float, float, str], ...]  # x_px, y_px, value


def dice_table(seed: int, strewn: int = 0) -> DiceTable:
    """A random view of 0 to 7 dice and as many things of no game as are `strewn`; the same seed gives the same one."""
    rng = np.random.default_rng([seed, 43])
    room = random_room(rng)
    camera = _camera(rng)
    surface = random_surface(rng, seed)
    side = float(rng.uniform(11, 19))
    things = _thrown(rng, camera, side)
    things += _strewn(np.random.default_rng([seed, 79]), camera, side, things, strewn)
    prints, names = _lying_about(rng, things)
    scene = Scene(camera, room, surface, MarkerSheets(), (0, 1, 2, 3), None, prints, things, names)
    sensor = random_sensor(rng, room)
    dice = []
    for thing in things:
        if thing.piece is not None:
            x, y = camera.project(np.array([[thing.x_mm, thing.y_mm, thing.mesh.height_mm]]))[0]
            dice.append((float(x), float(y), thing.piece.value or ""))
    return DiceTable(seed, scene, sensor, tuple(dice))


def dice_picture(table: DiceTable) -> Pixels:
    """The picture, (height, width, 3) BGR."""
    light, _ = Renderer().draw(table.scene)
    rng = np.random.default_rng([table.seed, 47])
    sensor = exposed(table.sensor, light, float(rng.uniform(0.5, 0.85)), float(rng.uniform(0.34, 0.55)))
    return developed(sensor, light, table.seed)


def _camera(rng: np.random.Generator) -> CameraPose:
    usual = random_camera(rng, *SIZE_PX)
    far, tilt_deg = float(rng.uniform(*NEAR_MM)), float(min(18.0, abs(rng.normal(0, 8))))
    angle = float(rng.uniform(0, 2 * math.pi))
    return from_the_side(usual, far, tilt_deg, angle, float(rng.normal(0, 20)))


def _thrown(rng: np.random.Generator, camera: CameraPose, side: float) -> tuple[Thing, ...]:
    """Dice of one or two sets, some close together, all well inside the picture; now and then a thing among them."""
    sets = [random_dice(rng) for _ in range(2)]
    things: list[Thing] = []
    for number in range(int(rng.integers(0, 8))):
        place = _room(rng, camera, side, things, side * 1.45)
        if place is not None:
            things.append(thrown_die(rng, f"die {number}", sets[int(rng.random() < 0.3)], side, *place))
    return tuple(things)


def _strewn(
    rng: np.random.Generator, camera: CameraPose, side: float, dice: tuple[Thing, ...], count: int
) -> tuple[Thing, ...]:
    """Small things of no game beside the dice."""
    things: list[Thing] = []
    for number in range(count):
        place = _room(rng, camera, side, (*dice, *things), STREWN_APART_MM)
        if place is not None:
            things.append(small_thing(rng, str(number), *place))
    return tuple(things)


def _room(
    rng: np.random.Generator, camera: CameraPose, side: float, things: Sequence[Thing], apart_mm: float
) -> tuple[float, float] | None:
    """A place well inside the picture, so far from all things; None where none is found."""
    lens = camera.lens
    reach = camera.to_table(
        np.array([(lens.width * 0.5, lens.height * 0.06), (lens.width * 0.06, lens.height * 0.5)]), side
    )
    wide = max(float(np.abs(reach).max()) - side, side)
    for _ in range(30):
        x, y = (float(v) for v in rng.uniform(-wide, wide, 2))
        u, v = camera.project(np.array([[x, y, side]]))[0]
        inside = lens.width * 0.12 < u < lens.width * 0.88 and lens.height * 0.12 < v < lens.height * 0.88
        if inside and all(math.hypot(x - t.x_mm, y - t.y_mm) > apart_mm for t in things):
            return x, y
    return None


def thrown_die(rng: np.random.Generator, name: str, dice: DiceSet, side_mm: float, x: float, y: float) -> Thing:
    """A die of a set as it fell."""
    finish, round_, pip, glint, spread = dice
    top = int(rng.integers(1, 7))
    front = int(rng.choice([f for f in range(1, 7) if f not in (top, 7 - top)]))
    mesh = pip_die_mesh(top, front, side_mm, pip, round_, glint, spread)
    return Thing(name, mesh, finish, x, y, 0.0, float(rng.uniform(0, 360)), Piece("die", value=str(top)))


def random_dice(rng: np.random.Generator) -> DiceSet:
    """Some maker's dice."""
    body = _BODIES[int(rng.integers(len(_BODIES)))]
    bright = 0.3 * body[0] + 0.6 * body[1] + 0.1 * body[2]
    ink = _DARK if bright > 140 else _LIGHT
    own: Colour = srgb(*(int(np.clip(c + rng.normal(0, 8), 4, 250)) for c in body))
    finish = Finish(
        {
            "body": Material(own, float(rng.uniform(0.005, 0.035)), float(rng.uniform(0.2, 0.6))),
            "glint": GLINT,
            "trim": Material(srgb(*ink), float(rng.uniform(0.01, 0.08)), float(rng.uniform(0.08, 0.4))),
        }
    )
    spread = float(rng.uniform(0.19, 0.27))
    glint = float(rng.uniform(0.2, 0.45)) if ink == _DARK and rng.random() < 0.4 else 0.0
    return finish, float(rng.uniform(0.04, 0.16)), spread * float(rng.uniform(0.3, 0.46)), glint, spread


def _lying_about(rng: np.random.Generator, things: tuple[Thing, ...]) -> tuple[tuple[Print, ...], tuple[str, ...]]:
    """A sheet of text or a playing card beside the dice."""
    prints: list[Print] = []
    names: list[str] = []
    for make, name in ((page_print, "page"), (card_print, "card")):
        if rng.random() < 0.25:
            x, y = (float(v) for v in rng.uniform(-140, 140, 2))
            if all(math.hypot(x - t.x_mm, y - t.y_mm) > 110 for t in things):
                prints.append(make(rng, x, y, float(rng.uniform(0, 360))))
                names.append(name)
    return tuple(prints), tuple(names)
