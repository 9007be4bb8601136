"""Soft shadows: each sample of an area light throws its own hard one."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.table import CameraPose
from companion.simulator.arrays import Floats, Ints
from companion.simulator.light import Lamp
from companion.simulator.scene import Thing

SCALE = 0.5  # shadows are drawn at half the picture's size
SUBPIXEL_BITS = 4
DETAIL_LAYER = 4  # parts from this layer on are too small to throw a shadow worth drawing
FAR = 1 << 18  # sub-pixels beyond which a shadow is out of every picture
REACH_MM = 130.0  # neighbours farther away throw no shadow on a piece
Polygons = tuple[tuple[Ints, ...], ...]  # for each sample of the lamp, hulls in sub-pixels


def thrown(thing: Thing, lamp: Lamp, camera: CameraPose, floor_mm: float) -> Polygons:
    """Hulls of the thing's parts as each sample of the lamp throws them on the plane z = floor."""
    keep = [i for i, p in enumerate(thing.mesh.parts) if p.layer < DETAIL_LAYER]
    return _hulls(thing, keep, lamp, camera, floor_mm, SCALE, np.zeros(2))


def _hulls(
    thing: Thing, keep: list[int], lamp: Lamp, camera: CameraPose, floor_mm: float, scale: float, origin: Floats
) -> Polygons:
    sources = np.array(lamp.points)
    points = thing.vertices.copy()
    points[:, 2] = np.maximum(points[:, 2], floor_mm)
    share = (sources[:, None, 2] - floor_mm) / np.maximum(sources[:, None, 2] - points[None, :, 2], 5.0)
    landed = sources[:, None] + (points[None] - sources[:, None]) * np.minimum(share, 12.0)[..., None]
    flat = landed.reshape(-1, 3)
    flat[:, 2] = floor_mm
    pixels = camera.project(flat).reshape(len(sources), len(points), 2)
    at = np.round(((pixels - origin + 0.5) * scale - 0.5) * (1 << SUBPIXEL_BITS))
    at = np.clip(at, -FAR, FAR).astype(np.int32)
    ends = np.cumsum([len(p.vertices) for p in thing.mesh.parts])
    spans = [(ends[i] - len(thing.mesh.parts[i].vertices), ends[i]) for i in keep]
    return tuple(tuple(cv2.convexHull(sample[a:b]) for a, b in spans) for sample in at)


def foot_lit(
    thing: Thing,
    neighbours: list[Thing],
    lamp: Lamp,
    camera: CameraPose,
    origin: Ints,
    scale: int,
    shape: tuple[int, int],
) -> Floats:
    """(h, w) float32 share of the lamp on the top of the thing's foot, at the fine pixels of its sprite."""
    floor = thing.z_mm + float(thing.mesh.parts[0].vertices[:, 2].max())
    own = [i for i, p in enumerate(thing.mesh.parts) if i > 0 and p.layer < DETAIL_LAYER]
    sets = [_hulls(thing, own, lamp, camera, floor, scale, np.asarray(origin, np.float64))] if own else []
    away = -lamp.middle[:2] / max(1.0, float(np.hypot(*lamp.middle[:2])))
    for other in neighbours:
        apart = np.array([thing.x_mm - other.x_mm, thing.y_mm - other.y_mm])
        tall = other.z_mm + other.mesh.height_mm > floor
        if tall and float(apart @ away) > -10.0:
            parts = [i for i, p in enumerate(other.mesh.parts) if p.layer < DETAIL_LAYER]
            sets.append(_hulls(other, parts, lamp, camera, floor, scale, np.asarray(origin, np.float64)))
    if not sets:
        return np.ones(shape, np.float32)
    total = np.zeros(shape, np.float32)
    for number in range(len(lamp.points)):
        one = np.zeros(shape, np.uint8)
        for polygons in sets:
            for hull in polygons[number]:
                cv2.fillConvexPoly(one, hull, 255, cv2.LINE_8, SUBPIXEL_BITS)
        total += one
    return np.asarray(cv2.GaussianBlur(1 - total / np.float32(255 * len(lamp.points)), (0, 0), scale * 0.5), np.float32)


def shadow_box(polygons: Polygons) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 in full-size pixels of everything that the shadow touches."""
    points = np.vstack([hull[:, 0] for sample in polygons for hull in sample]) / (1 << SUBPIXEL_BITS) / SCALE
    low, high = np.floor(points.min(axis=0)).astype(int) - 6, np.ceil(points.max(axis=0)).astype(int) + 6
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def lit_share(all_polygons: Sequence[Polygons], box: tuple[int, int, int, int]) -> Floats:
    """(h / 2, w / 2) float32 share of the lamp (0 to 1) that reaches each part of a box with even corners."""
    x0, y0, x1, y1 = (int(v * SCALE) for v in box)
    shape = (y1 - y0, x1 - x0)
    total = np.zeros(shape, np.float32)
    samples = len(all_polygons[0]) if all_polygons else 1
    shift = np.array([x0, y0], dtype=np.int32) * (1 << SUBPIXEL_BITS)
    for number in range(samples if all_polygons else 0):
        one = np.zeros(shape, np.uint8)
        for polygons in all_polygons:
            for hull in polygons[number]:
                cv2.fillConvexPoly(one, hull - shift, 255, cv2.LINE_AA, SUBPIXEL_BITS)
        total += one
    return np.asarray(cv2.GaussianBlur(1 - total / np.float32(255 * samples), (0, 0), 0.9), np.float32)


def contact(things: Sequence[Floats], box: tuple[int, int, int, int], blur_px: float) -> Floats:
    """(h / 2, w / 2) float32, 0 to 1: how much of the sky the feet (pixel outlines) of things hide nearby."""
    scale = 0.25
    x0, y0, x1, y1 = (v * scale for v in box)
    mask = np.zeros((max(1, round(y1 - y0)), max(1, round(x1 - x0))), np.uint8)
    for outline in things:
        at = np.round((outline * scale - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, cv2.convexHull(at), 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, blur_px * scale)).astype(np.float32) / np.float32(255)
    size = (round((box[2] - box[0]) * SCALE), round((box[3] - box[1]) * SCALE))
    return np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR))


def reached(points: Floats, lamp: Lamp, neighbours: list[Thing]) -> Floats:
    """(N, S) 1 where the sample of the lamp is seen from the point, 0 where a neighbour stands between."""
    sources = np.array(lamp.points)
    seen = np.ones((len(points), len(sources)), np.float32)
    for other in neighbours:
        c, s = np.cos(np.radians(other.heading_deg)), np.sin(np.radians(other.heading_deg))
        back = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        here = (points - (other.x_mm, other.y_mm, other.z_mm)) @ back
        there = (sources - (other.x_mm, other.y_mm, other.z_mm)) @ back
        ray = there[None] - here[:, None]
        ray = np.where(np.abs(ray) < 1e-6, 1e-6, ray)
        for low, high in thick_boxes(other):
            a, b = (low - here[:, None]) / ray, (high - here[:, None]) / ray
            near = np.minimum(a, b).max(axis=2)
            far = np.maximum(a, b).min(axis=2)
            seen[(near < far) & (far > 0.0)] = 0.0
    return seen


def thick_boxes(thing: Thing) -> Floats:
    """(B, 2, 3) boxes of the largest parts, a little smaller than the parts."""
    boxes = thing.mesh.boxes
    volume = np.prod(boxes[:, 1] - boxes[:, 0], axis=1)
    best = boxes[np.argsort(-volume)[:2]]
    middle = best.mean(axis=1, keepdims=True)
    return np.asarray(middle + (best - middle) * np.array([0.72, 0.72, 0.9]))
