"""Bodies of translucent plastic as the camera sees them: the table through two walls, dark or bright edges, pips."""

import cv2
import numpy as np

from companion.simulator.arrays import Floats, Ints
from companion.simulator.light import ambient, falling
from companion.simulator.scene import Thing
from companion.simulator.shadows import reached
from companion.simulator.sprites import BITS, FINE, Sprite, View, faces_at, seen_order, shade, window_of

STEEPEST = 0.35  # cosine: light that runs along a wall leaves it, so walls are never darker than at this angle


def draw_see_through(thing: Thing, view: View, neighbours: list[Thing]) -> Sprite | None:
    """The thing's picture with a cover for each channel; None when it is out of sight."""
    corners = thing.vertices
    pixels = view.camera.project(corners)
    if (window := window_of(pixels, view)) is None:
        return None
    low, high = window
    shape = (int(high[1] - low[1]) * FINE, int(high[0] - low[0]) * FINE)
    order, facing = seen_order(thing, corners, view.camera)
    away = np.setdiff1d(np.arange(len(thing.mesh.faces)), facing)
    front = faces_at(pixels, thing, order, low, FINE, shape)
    back = faces_at(pixels, thing, away[np.argsort(thing.mesh.layers[away], kind="stable")], low, FINE, shape)
    through = _through(thing, view)
    light = shade(thing, view, neighbours, facing)
    inner = _from_behind(thing, view, neighbours, away)
    passes = through.take(front, axis=0)
    seen = light.take(front, axis=0) + passes * inner.take(back, axis=0)
    clear = passes * through.take(back, axis=0)
    picture, passed = _edges(seen, clear, thing, view, low)
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    light_px = np.asarray(cv2.resize(picture.astype(np.float32), box, interpolation=cv2.INTER_AREA), np.float32)
    cover = 1 - np.asarray(cv2.resize(passed.astype(np.float32), box, interpolation=cv2.INTER_AREA), np.float32)
    depth = float(np.linalg.norm(corners.mean(axis=0) - view.camera.position_mm))
    return Sprite(int(low[0]), int(low[1]), light_px, cover, depth)


def _look(thing: Thing) -> tuple[Floats, Ints]:
    """(P, 3) what each part lets pass, and the part of each face."""
    through = [m.through or (0.0, 0.0, 0.0) for name in thing.mesh.materials for m in (thing.finish.materials[name],)]
    return np.array(through), thing.mesh.face_part


def _through(thing: Thing, view: View) -> Floats:
    """(F + 1, 3) share of light that passes each face on its way to the camera; 1 where there is none."""
    shares, part = _look(thing)
    middles = thing.vertices[thing.mesh.faces].mean(axis=1)
    ray = view.camera.position_mm - middles
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    cosine = np.clip(np.abs(np.einsum("ij,ij->i", ray, thing.normals)), STEEPEST, 1.0)
    return np.vstack([shares[part] ** (1 / cosine[:, None]), np.ones((1, 3))]).astype(np.float32)


def _from_behind(thing: Thing, view: View, neighbours: list[Thing], away: Ints) -> Floats:
    """(F + 1, 3) light that the far walls scatter towards the camera."""
    points = thing.vertices[thing.mesh.faces[away]].mean(axis=1)
    normals = thing.normals[away]
    light = 0.5 * (ambient(view.room, normals) + ambient(view.room, -normals))
    for source in view.room.lamps:
        seen = reached(points, source, neighbours)
        both = (falling(source, points, normals) + falling(source, points, -normals)) * seen * 0.6
        light = light + both.sum(axis=1, keepdims=True) * np.array(source.colour)
    colours = np.array([thing.finish.materials[name].colour for name in thing.mesh.materials])
    result = np.zeros((len(thing.mesh.faces) + 1, 3), np.float32)
    result[away] = colours[thing.mesh.face_part[away]] * light
    return result


def _edges(picture: Floats, passed: Floats, thing: Thing, view: View, low: Ints) -> tuple[Floats, Floats]:
    """Edges let less light pass, or glint."""
    rim = thing.finish.materials.get("edge")
    if rim is None or not len(thing.lines):
        return picture, passed
    mask = np.zeros(picture.shape[:2], np.uint8)
    ends = view.camera.project(thing.to_table(thing.lines.reshape(-1, 3)))
    at = np.round(((ends - low + 0.5) * FINE - 0.5) * (1 << BITS)).astype(np.int32).reshape(-1, 2, 2)
    width = max(1, round(thing.line_mm * FINE * view.camera.lens.fx / float(view.camera.position_mm[2])))
    for start, end in at:
        cv2.line(mask, start.tolist(), end.tolist(), 255, width, cv2.LINE_8, BITS)
    share = (mask[..., None] > 0).astype(np.float32)
    keep = np.array(rim.through or (0.0, 0.0, 0.0), np.float32)
    glow = np.array(rim.colour, np.float32)
    inside = (passed < 1).any(axis=2, keepdims=True)
    share = share * inside
    return picture * (1 - share * (1 - keep)) + share * glow, passed * (1 - share * (1 - keep))
