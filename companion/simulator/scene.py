"""What lies where: one frozen value that the renderer draws."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.simulator.arrays import Doubles, Floats
from companion.simulator.light import Room
from companion.simulator.materials import Material
from companion.simulator.prints import BoardPrint, MarkerSheets, Print
from companion.simulator.shapes import Mesh
from companion.simulator.surfaces import Surface

TABLE_MARKERS = MarkerSheets()
DECAL = "decal"  # the material of a printed top


@dataclass(frozen=True, eq=False)
class Finish:
    """Materials by part name; compared by identity, so keep one for each side of a set."""

    materials: Mapping[str, Material]

    @property
    def see_through(self) -> bool:
        """True if some of it lets light pass."""
        return any(m.through is not None for m in self.materials.values())


@dataclass(frozen=True, eq=False)
class Decal:
    """A printed picture on the faces of one material."""

    albedo: Floats  # (n, n, 3) float32, linear BGR
    corners_mm: Floats  # (4, 3) of the picture in the body's own frame, clockwise from its upper left
    part: str = DECAL


@dataclass(frozen=True)
class Thing:
    """A solid on or above the table. `name` is unique in its scene; `piece` tells what the truth calls it."""

    name: str
    mesh: Mesh
    finish: Finish
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    heading_deg: float = 0.0
    piece: Piece | None = None
    cell: str | None = None
    nested_on: str | None = None
    count: int = 1
    lines: Floats = field(default_factory=lambda: np.zeros((0, 2, 3)), compare=False)  # edges of clear bodies
    line_mm: float = 0.4
    passing: bool = False  # a hand: above everything, its shadow falls on pieces as on the table
    decals: tuple[Decal, ...] = ()

    @cached_property
    def vertices(self) -> Floats:
        """(V, 3) in table millimetres."""
        return self.to_table(self.mesh.vertices)

    def to_table(self, points: Floats) -> Floats:
        """(N, 3) from the body's own frame to the table's."""
        c, s = math.cos(math.radians(self.heading_deg)), math.sin(math.radians(self.heading_deg))
        turned = points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(turned + np.array([self.x_mm, self.y_mm, self.z_mm]))

    @cached_property
    def normals(self) -> Floats:
        """(F, 3) in table directions."""
        c, s = math.cos(math.radians(self.heading_deg)), math.sin(math.radians(self.heading_deg))
        return np.asarray(self.mesh.normals @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]))


@dataclass(frozen=True)
class Scene:
    """A camera above a table with everything on it."""

    camera: CameraPose
    room: Room
    surface: Surface
    markers: MarkerSheets = TABLE_MARKERS
    hidden_markers: tuple[int, ...] = ()
    board: BoardPrint | None = None
    prints: tuple[Print, ...] = ()
    things: tuple[Thing, ...] = ()
    clutter: tuple[str, ...] = ()  # names of what lies about, for the truth

    def thing(self, name: str) -> Thing:
        """The thing of that name; KeyError when there is none."""
        for thing in self.things:
            if thing.name == name:
                return thing
        raise KeyError(name)


def look_down(
    height_mm: float, x_mm: float, y_mm: float, aim: tuple[float, float], roll_deg: float
) -> tuple[Doubles, Doubles]:
    """Rotation and translation of a camera at (x, y, height) that looks at `aim` on the table, +y up in the picture."""
    position = np.array([x_mm, y_mm, height_mm])
    forward = np.array([aim[0], aim[1], 0.0]) - position
    forward /= np.linalg.norm(forward)
    roll = math.radians(roll_deg)
    up = np.array([math.sin(roll), math.cos(roll), 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    rotation = np.vstack([right, np.cross(forward, right), forward])
    return rotation, -rotation @ position
