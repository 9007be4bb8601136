"""One solid as the camera sees it: faces drawn back to front at a finer grid, shaded, then shrunk."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.table import CameraPose
from companion.simulator.arrays import Floats, Ints
from companion.simulator.light import ambient, falling, seen_in
from companion.simulator.mirrors import View as View
from companion.simulator.mirrors import foot_face, mirrors
from companion.simulator.scene import Decal, Thing
from companion.simulator.shadows import foot_lit, reached

SMALL_PX = 150  # bodies up to this size are drawn at FINE times the picture's resolution, larger ones at COARSE
FINE, COARSE = 4, 2
BITS = 4
DECAL_GREY = 0.5  # own colour of faces that bear a printed picture
FOOT_SKY = 0.75  # share of the sky that the top of a foot sees past what stands on it
AMBIENT_FOOT = 0.55  # share of the sky that reaches a face at the foot of a body among others


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """Linear light already multiplied by cover, and cover, both (h, w, 3) float32, placed at x, y."""

    x: int
    y: int
    light: Floats
    cover: Floats
    depth: float  # distance from the camera

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in pixels."""
        return self.x, self.y, self.x + self.cover.shape[1], self.y + self.cover.shape[0]


def draw(thing: Thing, view: View, neighbours: list[Thing]) -> Sprite | None:
    """The thing's picture; None when it is out of sight."""
    corners = thing.vertices
    pixels = view.camera.project(corners)
    if (window := window_of(pixels, view)) is None:
        return None
    low, high = window
    scale = FINE if max(high - low) <= SMALL_PX else COARSE
    shape = ((high[1] - low[1]) * scale, (high[0] - low[0]) * scale)
    order, facing = seen_order(thing, corners, view.camera)
    numbers = faces_at(pixels, thing, order, low, scale, (int(shape[0]), int(shape[1])))
    colours = shade(thing, view, neighbours, facing)
    picture = colours.take(numbers, axis=0)  # several times as fast as by brackets
    for decal in thing.decals:
        _print_decal(picture, numbers, thing, decal, view.camera, low, scale)
    _shadow_on_foot(picture, numbers, thing, view, neighbours, low, scale)
    mirrors(picture, numbers, thing, view, neighbours, colours, low, scale)
    opacity = _opacity(thing)
    covered = opacity.take(numbers)
    if (opacity[:-1] < 1).any():  # where there is no face, the picture is black anyway
        picture *= covered[..., None]
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    light = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    shares = cv2.resize(covered, (width, height), interpolation=cv2.INTER_AREA)
    cover = np.asarray(cv2.cvtColor(shares, cv2.COLOR_GRAY2BGR), np.float32)
    middle = corners.mean(axis=0)
    return Sprite(int(low[0]), int(low[1]), light, cover, float(np.linalg.norm(middle - view.camera.position_mm)))


def window_of(pixels: Floats, view: View) -> tuple[Ints, Ints] | None:
    """The first pixel of the part of the picture that holds all `pixels` (n, 2), and the one behind its last."""
    size = (view.lit.shape[1], view.lit.shape[0])
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, size)
    return None if low[0] >= high[0] or low[1] >= high[1] else (low, high)


def _print_decal(
    picture: Floats, numbers: Ints, thing: Thing, decal: Decal, camera: CameraPose, low: Ints, scale: int
) -> None:
    """Colours the faces of the decal's material, which are shaded as DECAL_GREY, by its printed picture."""
    painted = np.append(np.array([name == decal.part for name in thing.mesh.materials])[thing.mesh.face_part], False)
    mask = painted[numbers]
    if not mask.any():
        return
    fine = ((camera.project(thing.to_table(decal.corners_mm)) - low) + 0.5) * scale - 0.5
    side = decal.albedo.shape[0]
    source = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, fine.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    print_ = cv2.warpPerspective(decal.albedo, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    picture[mask] *= (print_[mask] / DECAL_GREY).astype(np.float32)


def _opacity(thing: Thing) -> Floats:
    """(F + 1,) float32: 1 for opaque faces, less for clear ones, 0 for "no face"."""
    look = [thing.finish.materials.get(name, thing.finish.materials["body"]) for name in thing.mesh.materials]
    return np.append(np.array([1 - m.clear for m in look])[thing.mesh.face_part], 0.0).astype(np.float32)


def seen_order(thing: Thing, corners: Floats, camera: CameraPose) -> tuple[Ints, Ints]:
    """Faces turned to the camera, farthest first inside their layer; and a mask of them."""
    middles = corners[thing.mesh.faces].mean(axis=1)
    to_camera = camera.position_mm - middles
    facing = np.einsum("ij,ij->i", thing.normals, to_camera) > 0
    far = np.linalg.norm(to_camera, axis=1)
    order = np.lexsort((-far, thing.mesh.layers))
    return order[facing[order]], np.flatnonzero(facing)


def faces_at(pixels: Floats, thing: Thing, order: Ints, low: Ints, scale: int, shape: tuple[int, int]) -> Ints:
    """(h, w) number of the face seen at each fine pixel; the number of faces where none is."""
    numbers = np.full(shape, len(thing.mesh.faces), np.int32)
    fine = np.round((((pixels - low) + 0.5) * scale - 0.5) * (1 << BITS)).astype(np.int32)
    polygons = fine[thing.mesh.faces]
    for face in order:
        cv2.fillConvexPoly(numbers, polygons[face], int(face), cv2.LINE_8, BITS)
    return numbers


def shade(thing: Thing, view: View, neighbours: list[Thing], facing: Ints) -> Floats:
    """(F + 1, 3) float32 linear light of each face; the last row is for "no face"."""
    mesh, room = thing.mesh, view.room
    points = thing.vertices[mesh.faces[facing]].mean(axis=1)
    normals = thing.normals[facing]
    part = mesh.face_part[facing]
    look = [thing.finish.materials.get(name, thing.finish.materials["body"]) for name in mesh.materials]
    colour = np.array([m.colour for m in look])[part]
    rough = np.array([m.rough for m in look])[part]
    shine = np.array([m.shine for m in look])[part]
    metal = np.array([m.metal for m in look])[part][:, None]
    above = np.clip((points[:, 2:3] - thing.z_mm) / 12.0, 0, 1)
    open_sky = AMBIENT_FOOT + (1 - AMBIENT_FOOT) * above
    light = ambient(room, normals) * open_sky
    reach = np.zeros((len(points), 1))
    for source in room.lamps:
        seen_by = reached(points, source, neighbours)
        seen_by[facing == foot_face(thing)] = 1.0  # the foot's top gets its shadows pixel by pixel
        share = falling(source, points, normals) * seen_by
        light = light + share.sum(axis=1, keepdims=True) * np.array(source.colour)
        reach = np.maximum(reach, share.sum(axis=1, keepdims=True))
    seen = points - view.camera.position_mm
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    turned = np.einsum("ij,ij->i", seen, normals)[:, None]
    mirrored = seen_in(room, seen - 2 * turned * normals, rough, points) * (0.4 + 0.6 * open_sky)
    grazing = (1 - np.clip(-turned, 0, 1)) ** 5 * (1 - rough[:, None])
    strength = shine[:, None] + (1 - shine[:, None]) * grazing * 0.6
    dielectric = colour * light * (1 - strength) + mirrored * strength
    scatter = 0.45 + 0.45 * rough[:, None]
    metallic = colour * (light * scatter + mirrored * (1 - scatter))
    result = np.zeros((len(mesh.faces) + 1, 3), np.float32)
    result[facing] = np.where(metal, metallic, dielectric)
    return result


def _shadow_on_foot(
    picture: Floats, numbers: Ints, thing: Thing, view: View, neighbours: list[Thing], low: Ints, scale: int
) -> None:
    """What stands on the foot, and next to it, throws shadows on it."""
    if len(thing.mesh.parts) == 1:
        return
    face = foot_face(thing)
    rows, cols = np.nonzero(numbers == face)
    if len(rows) == 0:
        return
    middle = thing.vertices[thing.mesh.faces[face]].mean(axis=0)[None]
    up = np.array([[0.0, 0.0, 1.0]])
    fill = ambient(view.room, up)[0] * FOOT_SKY
    full, lit = fill.copy(), np.tile(fill, (len(rows), 1))
    for source in view.room.lamps:
        strength = falling(source, middle, up).sum() * np.array(source.colour)
        share = foot_lit(thing, neighbours, source, view.camera, low, scale, (picture.shape[0], picture.shape[1]))
        full += strength
        lit += share[rows, cols][:, None] * strength
    picture[rows, cols] *= (lit / np.maximum(full, 1e-6)).astype(np.float32)
