"""Small simulated tables with pyramids, as the eye draws them from above, at the camera's true place."""

from functools import cache, lru_cache

import numpy as np

from companion.pieces import Piece
from companion.simulator.prints import MarkerSheets
from companion.simulator.pyramid_style import PyramidStyle, random_pyramid_style
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_thing, stacked
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_camera, random_room, random_sensor
from companion.simulator.scene import Scene, Thing
from companion.simulator.surfaces import Surface
from companion.simulator.tables import TESTING
from companion.vision.reader import TablePicture

PAPER = 225.0


@cache
def set_of(maker: int) -> PyramidStyle:
    """One maker's set."""
    return random_pyramid_style(np.random.default_rng([TESTING.start, maker, 61]))


def on_table(pieces: tuple[tuple[str, str, str, float, float, float], ...], maker: int = 3) -> tuple[Thing, ...]:
    """(colour, size, pose, x, y, heading) as things; a pose of "on" puts the piece over the one before it."""
    things: list[Thing] = []
    for number, (colour, size, pose, x, y, heading) in enumerate(pieces):
        name = f"{colour} {number}"
        if pose == "on":
            things.append(stacked(name, colour, size, things[-1], set_of(maker)))
        else:
            things.append(pyramid_thing(name, Piece("pyramid", colour, size, pose), set_of(maker), x, y, heading))
    return tuple(things)


@lru_cache(maxsize=2)
def renderer(view: int, surface: str) -> Renderer:
    """The renderer of one table, which draws only what changed."""
    return Renderer()


@cache
def table_picture(things: tuple[Thing, ...], view: int = 1, surface: str = "felt") -> TablePicture:
    """The picture of these things under some camera and light."""
    rng = np.random.default_rng([TESTING.start, view, 67])
    room = random_room(rng)
    camera = random_camera(rng, 1280, 960)
    sensor = random_sensor(rng, room)
    scene = Scene(camera, room, Surface(surface, view, 0.01, 0.5), MarkerSheets(), things=things)
    pixels = pyramid_picture(PyramidTable(TESTING.start + view, "pieces", scene, sensor), renderer(view, surface))
    half = MarkerSheets().side_mm / 2 + 2
    at = camera.project(np.array([(x - half, y) for x, y in MarkerSheets().centres()])).round().astype(int)
    inside = [(x, y) for x, y in at if 0 <= x < 1280 and 0 <= y < 960]
    paper = np.median([pixels[y, x] for x, y in inside], axis=0)
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 30.0
    papers = tuple(camera.project(np.array(centre) + ring) for centre in MarkerSheets().centres())
    return TablePicture(pixels, PAPER / np.maximum(paper, 1.0), camera, papers)
