"""Looking-glasses: what a piece's mirror shows, pixel by pixel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import CameraPose
from companion.simulator.arrays import Floats, Ints, Mask
from companion.simulator.light import Room, seen_in
from companion.simulator.scene import Thing
from companion.simulator.shadows import thick_boxes

MIRROR_ROUGH = 0.02
SIDE_LIGHT = 0.5  # share of the lamps' light on the side of a neighbour that a mirror shows


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What a sprite needs to know of its surroundings; `lit` is the table without pieces, linear light."""

    camera: CameraPose
    room: Room
    lit: Floats
    floor_mm: float


def mirrors(
    picture: Floats,
    numbers: Ints,
    thing: Thing,
    view: View,
    neighbours: Sequence[Thing],
    colours: Floats,
    low: Ints,
    scale: int,
) -> None:
    """Paints the mirrors of a sprite: they show the piece's own foot, its neighbours, the table or the room."""
    for part, name in enumerate(thing.mesh.materials):
        material = thing.finish.materials.get(name)
        if material is None or not material.mirror:
            continue
        for face in np.flatnonzero(thing.mesh.face_part == part):
            rows, cols = np.nonzero(numbers == face)
            if len(rows) == 0:
                continue
            pixels = (np.column_stack([cols, rows]) + 0.5) / scale - 0.5 + low
            points, out = _mirrored_rays(pixels, thing, view.camera, int(face))
            light = light_seen(points, out, thing, view, neighbours, colours)
            picture[rows, cols] = light * np.array(material.colour)


def _mirrored_rays(pixels: Floats, thing: Thing, camera: CameraPose, face: int) -> tuple[Floats, Floats]:
    """(N, 3) where the line of sight of each pixel meets the mirror, and the way it goes on from there."""
    normal, corner = thing.normals[face], thing.vertices[thing.mesh.faces[face][0]]
    origin = camera.position_mm
    ray = np.hstack([camera.to_table(pixels), np.zeros((len(pixels), 1))]) - origin
    ray = ray / np.linalg.norm(ray, axis=1, keepdims=True)
    steep = ray @ normal
    along = ((corner - origin) @ normal) / np.where(np.abs(steep) < 1e-6, -1e-6, steep)
    return origin + ray * along[:, None], ray - 2 * steep[:, None] * normal


def light_seen(
    points: Floats, out: Floats, thing: Thing, view: View, neighbours: Sequence[Thing], colours: Floats
) -> Floats:
    """(N, 3) light that comes to these points against these directions: the nearest body wins."""
    light = seen_in(view.room, out, np.full(len(out), MIRROR_ROUGH), points)
    down = out[:, 2] < -1e-3
    reach = np.where(down, (points[:, 2] - view.floor_mm) / np.maximum(-out[:, 2], 1e-3), np.inf)
    light[down] = _table_light((points + out * np.where(down, reach, 0.0)[:, None])[down], view)
    for other in neighbours:
        near = _distance(points, out, other)
        hit = near < reach
        light[hit] = _side_light(other, view.room)
        reach = np.minimum(reach, near)
    height = thing.z_mm + float(thing.mesh.parts[0].vertices[:, 2].max())
    to_foot = (points[:, 2] - height) / np.maximum(-out[:, 2], 1e-3)
    hit = down & (to_foot > 0)
    hit &= _on_foot(points + out * to_foot[:, None], thing)
    light[hit] = colours[foot_face(thing)]
    return light


def _distance(points: Floats, out: Floats, other: Thing) -> Floats:
    """(N,) millimetres along each ray to the boxes of another thing; infinite where it misses."""
    c, s = np.cos(np.radians(other.heading_deg)), np.sin(np.radians(other.heading_deg))
    back = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    here, ray = (points - (other.x_mm, other.y_mm, other.z_mm)) @ back, out @ back
    ray = np.where(np.abs(ray) < 1e-6, 1e-6, ray)
    nearest = np.full(len(points), np.inf)
    for low, high in thick_boxes(other):
        a, b = (low - here) / ray, (high - here) / ray
        near, far = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        nearest = np.where((near < far) & (near > 0), np.minimum(nearest, near), nearest)
    return nearest


def _side_light(other: Thing, room: Room) -> Floats:
    """(3,) about what the upright side of a body sends out."""
    lamps = np.sum([lamp.colour for lamp in room.lamps], axis=0)
    return np.asarray(np.array(other.finish.materials["body"].colour) * (np.array(room.walls) + SIDE_LIGHT * lamps))


def _table_light(points: Floats, view: View) -> Floats:
    if len(points) == 0:
        return np.zeros((0, 3), np.float32)
    at = view.camera.project(points)
    limit = (view.lit.shape[1] - 1, view.lit.shape[0] - 1)
    at = np.clip(np.round(at), 0, limit).astype(int)
    return np.asarray(view.lit[at[:, 1], at[:, 0]])


def foot_face(thing: Thing) -> int:
    """The top of the first part, on which the rest stands."""
    return len(thing.mesh.parts[0].faces) - 1


def _on_foot(points: Floats, thing: Thing) -> Mask:
    """Which points lie inside the outline of the foot."""
    foot = thing.to_table(thing.mesh.parts[0].vertices[-4:])[:, :2]
    edges = np.roll(foot, -1, axis=0) - foot
    inside = np.ones(len(points), dtype=bool)
    for start, edge in zip(foot, edges, strict=True):
        inside &= edge[0] * (points[:, 1] - start[1]) - edge[1] * (points[:, 0] - start[0]) >= 0
    return inside
