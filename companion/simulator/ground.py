"""The still part of a table as the camera sees it: own colours of table, board and papers, and the light on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.table import CameraPose
from companion.simulator.arrays import Floats
from companion.simulator.light import Lamp, Room, falling, seen_in
from companion.simulator.prints import Print, board_print, marker_prints
from companion.simulator.scene import Scene
from companion.simulator.surfaces import Surface, surface_albedo

GRID_PX = 16  # light and geometry vary slowly: computed on a coarse grid, then enlarged
MARGIN_MM = 40.0
EDGE_SHADOW = 0.8  # share of a lamp's light that a board's edge keeps from the table beside it
EDGE_POINTS = 12  # of each side of a print, so that lens distortion bends it
STEP_MM = 100.0  # table tops are drawn in such steps, so that a nudged camera finds its own again


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Own colour and mirrored shine (H, W, 3) of everything flat; the light of each lamp (H/2, W/2). All float32."""

    albedo: Floats
    shine: Floats
    lamps: tuple[Floats, ...]

    def bare(self, room: Room) -> Floats:
        """(H, W, 3) linear light of the table without anything on it."""
        light = coloured(np.ones((self.albedo.shape[0] // 2, self.albedo.shape[1] // 2), np.float32), room.ceiling)
        for amount, lamp in zip(self.lamps, room.lamps, strict=True):
            light += coloured(amount, lamp.colour)
        return np.asarray(self.albedo * doubled(cv2.merge([*light])) + self.shine)


def coloured(amount: Floats, colour: Sequence[float]) -> Floats:
    """(3, h, w) an amount (h, w) of coloured light: planes, since numpy is slow to repeat along a short last axis."""
    return np.asarray(amount * np.array(colour, np.float32)[:, None, None])


def doubled(half: Floats) -> Floats:
    """A layer of half the picture's size in full size."""
    size = (half.shape[1] * 2, half.shape[0] * 2)
    return np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_LINEAR), np.float32)


def make_ground(scene: Scene) -> Ground:
    """Lays the table top, the board, the markers and papers out in the picture."""
    camera, top = scene.camera, _table_top(scene.camera, scene.room, scene.surface)
    albedo, shine = top.albedo.copy(), top.shine.copy()
    flat = [*marker_prints(scene.markers, scene.hidden_markers), *scene.prints]
    if scene.board is not None:
        flat.append(board_print(scene.board))
    for sheet in flat:
        _lay(albedo, shine, camera, top.xy, sheet)
    lamps = []
    for lamp, falls in zip(scene.room.lamps, top.falling, strict=True):
        light = falls.copy()
        _darken_beside(light, camera, flat, lamp)
        lamps.append(np.asarray(cv2.resize(light, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32))
    return Ground(albedo, top.mirrored * shine[..., None], tuple(lamps))


@dataclass(frozen=True, eq=False)
class _TableTop:
    """The table with nothing on it, not even paper: the same for as long as camera and lamps stay."""

    xy: Floats
    albedo: Floats
    shine: Floats
    mirrored: Floats
    falling: tuple[Floats, ...]  # of each lamp


@lru_cache(maxsize=1)
def _table_top(camera: CameraPose, room: Room, surface: Surface) -> _TableTop:
    xy = table_map(camera, 0.0)
    albedo, shine = _top(surface, xy)
    coarse = _coarse_points(camera)
    points = np.dstack([coarse, np.zeros(coarse.shape[:2])]).reshape(-1, 3)
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    mirrored = _enlarged(_mirrored(camera, room, surface, points), coarse, camera)
    falls = (_enlarged(falling(lamp, points, normals).sum(axis=1), coarse, camera) for lamp in room.lamps)
    return _TableTop(xy, albedo, shine, mirrored, tuple(falls))


def table_map(camera: CameraPose, z_mm: float) -> Floats:
    """(H, W, 2) float32: where each pixel meets the plane z, from a coarse grid."""
    step = 8
    width, height = camera.lens.width, camera.lens.height
    xs, ys = np.arange(0, width + step, step) - 0.5, np.arange(0, height + step, step) - 0.5
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    coarse = camera.to_table(grid, z_mm).reshape(len(ys), len(xs), 2).astype(np.float32)
    x = (np.arange(width, dtype=np.float32) + 0.5) / step
    y = (np.arange(height, dtype=np.float32) + 0.5) / step
    maps = np.meshgrid(x, y)
    return np.asarray(cv2.remap(coarse, maps[0], maps[1], cv2.INTER_LINEAR))


def _top(surface: Surface, xy: Floats) -> tuple[Floats, Floats]:
    rim = np.vstack([xy[0], xy[-1], xy[:, 0], xy[:, -1]])
    low, high = rim.min(axis=0) - MARGIN_MM, rim.max(axis=0) + MARGIN_MM
    low, high = (
        np.floor(np.maximum(low, -2500) / STEP_MM) * STEP_MM,
        np.ceil(np.minimum(high, 2500) / STEP_MM) * STEP_MM,
    )
    scale = min(1.8, 3000 / float(max(high - low)))
    texture = surface_albedo(surface, float(high[0] - low[0]), float(high[1] - low[1]), scale)
    u, v = (xy[..., 0] - low[0]) * scale, (high[1] - xy[..., 1]) * scale
    albedo = cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(albedo), np.full(xy.shape[:2], surface.shine, np.float32)


def outline(sheet: Print, z_mm: float) -> Floats:
    """(4, 3) corners of a print in table millimetres: top left, top right, bottom right, bottom left."""
    w, h = sheet.width_mm / 2, sheet.height_mm / 2
    local = np.array([(-w, h), (w, h), (w, -h), (-w, -h)])
    c, s = np.cos(np.radians(sheet.turn_deg)), np.sin(np.radians(sheet.turn_deg))
    xy = local @ np.array([[c, s], [-s, c]]) + np.array([sheet.x_mm, sheet.y_mm])
    return np.hstack([xy, np.full((4, 1), z_mm)])


def _lay(albedo: Floats, shine: Floats, camera: CameraPose, xy: Floats, sheet: Print) -> None:
    """Draws a print over the table, its edge first when it is thick."""
    top = _edge_points(outline(sheet, sheet.z_mm))
    foot = _edge_points(outline(sheet, 0.0))
    both = np.vstack([camera.project(top), camera.project(foot)])
    x0, y0, x1, y1 = _window(both, albedo.shape[1], albedo.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    window = (slice(y0, y1), slice(x0, x1))
    if sheet.z_mm > 0.5:
        edge = _mask(both[len(top) :], both[: len(top)], (x0, y0), (y1 - y0, x1 - x0))
        tone = sheet.albedo[[0, -1]].reshape(-1, 3).mean(axis=0) * 0.75
        albedo[window] += edge[..., None] * (tone - albedo[window])
    mask = _mask(both[: len(top)], None, (x0, y0), (y1 - y0, x1 - x0))
    pixels = np.stack(np.meshgrid(np.arange(x0, x1), np.arange(y0, y1)), axis=-1).reshape(-1, 2)
    plane = xy[window] if sheet.z_mm == 0 else camera.to_table(pixels, sheet.z_mm).reshape(y1 - y0, x1 - x0, 2)
    c, s = np.cos(np.radians(sheet.turn_deg)), np.sin(np.radians(sheet.turn_deg))
    local = (plane - (sheet.x_mm, sheet.y_mm)) @ np.array([[c, -s], [s, c]])
    rows, cols = sheet.albedo.shape[:2]
    u = ((local[..., 0] / sheet.width_mm + 0.5) * cols - 0.5).astype(np.float32)
    v = ((0.5 - local[..., 1] / sheet.height_mm) * rows - 0.5).astype(np.float32)
    per_px = cols / max(1.0, float(np.linalg.norm(both[0] - both[len(top) // 4])))
    soft = cv2.GaussianBlur(sheet.albedo, (0, 0), max(0.3, 0.42 * per_px)) if per_px > 1.2 else sheet.albedo
    picture = cv2.remap(soft, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    albedo[window] += mask[..., None] * (picture - albedo[window])
    shine[window] += mask * (sheet.shine - shine[window])


def _window(points: Floats, width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of the part of the picture round some pixels."""
    x0, y0 = np.maximum(np.floor(points.min(axis=0)).astype(int) - 3, 0)
    x1, y1 = np.minimum(np.ceil(points.max(axis=0)).astype(int) + 4, (width, height))
    return int(x0), int(y0), int(x1), int(y1)


def _edge_points(corners: Floats) -> Floats:
    """Points along an outline."""
    t = np.arange(EDGE_POINTS)[:, None] / EDGE_POINTS
    return np.vstack([corners[i] + (corners[(i + 1) % 4] - corners[i]) * t for i in range(4)])


def _mask(polygon: Floats, other: Floats | None, origin: tuple[int, int], shape: tuple[int, int]) -> Floats:
    """Anti-aliased cover (0 to 1) of a polygon, or of the hull of two."""
    scale = 4
    big = np.zeros((shape[0] * scale, shape[1] * scale), np.uint8)
    points = polygon if other is None else cv2.convexHull(np.vstack([polygon, other]).astype(np.float32))[:, 0]
    at = ((points - origin + 0.5) * scale - 0.5) * 16
    cv2.fillPoly(big, [np.round(at).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(cv2.resize(big, (shape[1], shape[0]), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def _coarse_points(camera: CameraPose) -> Floats:
    width, height = camera.lens.width, camera.lens.height
    xs = np.arange(0, width + GRID_PX, GRID_PX) - 0.5
    ys = np.arange(0, height + GRID_PX, GRID_PX) - 0.5
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    return camera.to_table(grid.reshape(-1, 2)).reshape(*grid.shape[:2], 2)


def _enlarged(values: Floats, coarse: Floats, camera: CameraPose) -> Floats:
    """Values on the coarse grid as a full picture, float32."""
    grid = np.ascontiguousarray(values.reshape(*coarse.shape[:2], -1), dtype=np.float32)
    x = (np.arange(camera.lens.width, dtype=np.float32) + 0.5) / GRID_PX
    y = (np.arange(camera.lens.height, dtype=np.float32) + 0.5) / GRID_PX
    maps = np.meshgrid(x, y)
    return np.asarray(cv2.remap(grid, maps[0], maps[1], cv2.INTER_LINEAR))


def _mirrored(camera: CameraPose, room: Room, surface: Surface, points: Floats) -> Floats:
    """(N, 3) what the table top would mirror at each point if it were a looking-glass of its roughness."""
    away = points - camera.position_mm
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    away[:, 2] *= -1
    return seen_in(room, away, np.full(len(points), surface.rough), points)


def _darken_beside(light: Floats, camera: CameraPose, flat: list[Print], lamp: Lamp) -> None:
    """A thick board throws a narrow shadow beside its edge."""
    for sheet in flat:
        if sheet.thick_mm < 0.5:
            continue
        away = -lamp.middle / np.linalg.norm(lamp.middle)
        reach = sheet.thick_mm * float(np.hypot(away[0], away[1])) / max(0.2, -float(away[2]))
        direction = away[:2] / max(1e-6, float(np.hypot(away[0], away[1])))
        thrown = outline(sheet, 0.0) + np.array([*(direction * reach), 0.0])
        board = camera.project(_edge_points(outline(sheet, sheet.z_mm)))
        both = camera.project(_edge_points(thrown))
        x0, y0, x1, y1 = _window(np.vstack([board, both]), light.shape[1], light.shape[0])
        if x1 <= x0 or y1 <= y0:  # out of the picture
            continue
        shape = (y1 - y0, x1 - x0)
        beside = _mask(both, board, (x0, y0), shape) - _mask(board, None, (x0, y0), shape)
        shadow = cv2.GaussianBlur(np.clip(beside, 0, 1), (0, 0), 1.0)
        light[y0:y1, x0:x1] *= 1 - EDGE_SHADOW * shadow
