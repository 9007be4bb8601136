"""What random Khet boards are made of, as Mitsuba knows it: plastics, mirrors, prints, surroundings and lights."""

from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from companion.training.solids import Floats

mi.set_variant("llvm_ad_rgb")

COLS, ROWS, CELL = 10, 8, 38.0
PER_MM = 3.0  # pixels of what is printed
Rng = np.random.Generator


def rgb(rng: Rng, low: float, high: float, tint: float = 0.15) -> Floats:
    """A nearly neutral reflectance."""
    return (rng.uniform(low, high) * (1 + rng.uniform(-tint, tint, 3))).clip(0.01, 0.95)


def hue(degrees: float, saturation: float, value: float) -> Floats:
    """Linear RGB of a hue."""
    pixel = np.array([[[degrees % 360, saturation, value]]], dtype=np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float64))


def side_colour(rng: Rng, side: str) -> Floats:
    """A colour of a side: greys for silver, reds for red, any other for the rest."""
    if side == "silver":
        return rgb(rng, 0.12, 0.8, 0.06)
    if side == "red":
        return hue(rng.uniform(-6, 7), rng.uniform(0.86, 0.99), rng.uniform(0.15, 0.8))
    return hue(rng.uniform(24, 335), rng.uniform(0.45, 0.98), rng.uniform(0.1, 0.75))


def plastic(rng: Rng, colour: Floats, metal: bool) -> dict[str, Any]:
    """A surface of that colour: matt, satin, glossy, lacquered or metallic."""
    value = {"type": "rgb", "value": colour.tolist()}
    if metal and rng.random() < 0.45:
        return {
            "type": "principled",
            "base_color": value,
            "metallic": float(rng.uniform(0.5, 1)),
            "roughness": float(rng.uniform(0.15, 0.6)),
            "specular": 0.5,
        }
    return {
        "type": "principled",
        "base_color": value,
        "metallic": 0.0,
        "roughness": float(rng.uniform(0.12, 0.8)),
        "specular": float(rng.uniform(0.2, 0.7)),
        "clearcoat": float(rng.choice([0.0, rng.uniform(0, 1)])),
        "clearcoat_gloss": float(rng.uniform(0.5, 1)),
    }


def mirror(rng: Rng) -> dict[str, Any]:
    """A mirror: clear, dull, or a bright metal foil."""
    colour = {"type": "rgb", "value": rgb(rng, 0.6, 0.92, 0.03).tolist()}
    return {
        "type": "principled",
        "base_color": colour,
        "metallic": 1.0,
        "roughness": float(rng.choice([0.03, rng.uniform(0.03, 0.35)])),
        "specular": 0.5,
    }


def mesh(name: str, triangles: Floats, bsdf: dict[str, Any]) -> Any:
    """A flat-shaded Mitsuba mesh."""
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    shape = mi.Mesh(name, 3 * len(triangles), len(triangles), props=props, has_vertex_normals=False)
    params = mi.traverse(shape)
    params["vertex_positions"] = np.ascontiguousarray(triangles.reshape(-1), dtype=np.float32)
    params["faces"] = np.arange(3 * len(triangles), dtype=np.uint32)
    params.update()
    return shape


def sign(rng: Rng, canvas: np.ndarray, centre: tuple[int, int], scale: float, colour: Floats) -> None:
    """An eye, an ankh or another small sign printed on a cell."""
    x, y = centre
    t = max(1, int(scale * rng.uniform(0.06, 0.13)))
    ink = colour.tolist()
    what = rng.choice(["eye", "ankh", "ring", "cross", "star"], p=[0.35, 0.35, 0.1, 0.1, 0.1])
    s = int(scale)
    if what == "eye":
        cv2.ellipse(canvas, (x, y), (s, int(s * 0.5)), 0, 180, 360, ink, -1 if rng.random() < 0.5 else t)
        cv2.ellipse(canvas, (x, y), (s, int(s * 0.45)), 0, 0, 180, ink, -1 if rng.random() < 0.3 else t)
        cv2.circle(canvas, (x, y - s // 8), max(2, s // 4), (ink if rng.random() < 0.4 else [0.02] * 3), -1)
        cv2.line(canvas, (x - s // 6, y + s // 3), (x - s // 6, y + s), ink, t)
        cv2.ellipse(canvas, (x + s // 3, y + int(s * 0.55)), (s // 2, s // 3), 0, 0, 120, ink, t)
    elif what == "ankh":
        cv2.ellipse(canvas, (x, y - s // 2), (int(s * 0.35), int(s * 0.5)), 0, 0, 360, ink, t)
        cv2.line(canvas, (x, y), (x, y + s), ink, t)
        cv2.line(canvas, (x - int(s * 0.55), y + s // 8), (x + int(s * 0.55), y + s // 8), ink, t)
    elif what == "ring":
        cv2.circle(canvas, centre, s, ink, t)
    elif what == "cross":
        cv2.line(canvas, (x - s, y - s), (x + s, y + s), ink, t)
        cv2.line(canvas, (x - s, y + s), (x + s, y - s), ink, t)
    else:
        corners = [
            (x + s * np.cos(a) * r, y + s * np.sin(a) * r)
            for i, a in enumerate(np.arange(10) * np.pi / 5)
            for r in [1 if i % 2 else 0.5]
        ]
        cv2.fillPoly(canvas, [np.array(corners, dtype=np.int32)], ink)


def board_print(rng: Rng) -> np.ndarray:
    """The printed top of the board (400 x 324 mm), linear RGB, first row at the far edge."""
    width, height = int(400 * PER_MM), int(324 * PER_MM)
    style = rng.choice(["grey", "dark", "colour", "wood", "white"], p=[0.45, 0.2, 0.2, 0.1, 0.05])
    ground = {
        "grey": rgb(rng, 0.06, 0.35, 0.08),
        "dark": rgb(rng, 0.015, 0.08),
        "colour": hue(rng.uniform(0, 360), rng.uniform(0.2, 0.7), rng.uniform(0.05, 0.5)),
        "wood": hue(rng.uniform(18, 38), rng.uniform(0.4, 0.75), rng.uniform(0.12, 0.5)),
        "white": rgb(rng, 0.5, 0.8, 0.06),
    }[style]
    canvas = np.ones((height, width, 3), np.float32) * ground.astype(np.float32)
    rim = ground * rng.uniform(0.2, 1.2) if rng.random() < 0.7 else rgb(rng, 0.01, 0.2)
    second = ground * rng.choice([1.0, rng.uniform(0.6, 1.5)])
    border = int(10 * PER_MM)
    step = CELL * PER_MM
    canvas[:border], canvas[-border:], canvas[:, :border], canvas[:, -border:] = rim, rim, rim, rim
    line = rgb(rng, 0.01, 0.9) if rng.random() < 0.8 else hue(rng.uniform(0, 360), 0.8, 0.6)
    thick = int(rng.choice([0, 1, 2, 3, 4], p=[0.1, 0.3, 0.3, 0.2, 0.1]))
    inks = [rgb(rng, 0.3, 0.8), hue(rng.uniform(-8, 8), 0.9, 0.5), hue(rng.uniform(0, 360), 0.8, 0.6)]
    marks = rng.choice([0.0, 0.3, 0.6])
    for c in range(COLS):
        for r in range(ROWS):
            x0, y0 = border + c * step, border + r * step
            if (c + r) % 2:
                canvas[int(y0) : int(y0 + step), int(x0) : int(x0 + step)] = second
            if rng.random() < marks:
                centre = (int(x0 + step / 2), int(y0 + step / 2))
                sign(rng, canvas, centre, step * rng.uniform(0.2, 0.34), inks[rng.integers(3)])
    if thick:
        _draw_lines(canvas, border, step, line, thick)
    return np.asarray((canvas * _grain(rng, style == "wood", width, height)).clip(0.004, 0.95))


def _draw_lines(canvas: np.ndarray, border: int, step: float, colour: Floats, thick: int) -> None:
    """The lines between the cells."""
    height, width = canvas.shape[:2]
    for x in (int(border + c * step) for c in range(COLS + 1)):
        cv2.line(canvas, (x, border), (x, height - border), colour.tolist(), thick)
    for y in (int(border + r * step) for r in range(ROWS + 1)):
        cv2.line(canvas, (border, y), (width - border, y), colour.tolist(), thick)


def _grain(rng: Rng, wood: bool, width: int, height: int) -> np.ndarray:
    """(height, width, 1) by what factor the print is lighter or darker; the grain of wood is long and strong."""
    spread, along = (0.12, 60) if wood else (0.03, 6)
    grain = rng.normal(1, spread, (height // 6, width // along)).astype(np.float32)
    return np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)[..., None])


def surroundings(rng: Rng) -> np.ndarray:
    """A room as an environment map: walls and ceiling in soft tones, windows and lamps as bright patches."""
    room = np.ones((32, 64, 3), np.float32) * rgb(rng, 0.15, 0.8, 0.12).astype(np.float32) * rng.uniform(0.1, 1.0)
    tones = rng.uniform(0.3, 1.6, (4, 8, 1)).astype(np.float32)
    room *= cv2.resize(tones, (64, 32), interpolation=cv2.INTER_CUBIC)[..., None].clip(0.1, 3)
    for _ in range(rng.integers(0, 4)):
        x, y, w, h = rng.integers(0, 60), rng.integers(0, 14), rng.integers(2, 12), rng.integers(2, 8)
        room[y : y + h, x : x + w] += (rgb(rng, 2, 14, 0.25)) * rng.uniform(1, 6)
    room[20:] *= 0.3
    return room.clip(0.01, 60)


def light(rng: Rng) -> dict[str, Any]:
    """A lamp or a window as a rectangle that looks at the board."""
    a = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        x, y = rng.uniform(700, 1800) * np.cos(a), rng.uniform(700, 1800) * np.sin(a)
        place = np.array([x, y, rng.uniform(300, 1300)])
        size = rng.uniform(250, 700)
    else:
        place = np.array([rng.uniform(0, 700) * np.cos(a), rng.uniform(0, 700) * np.sin(a), rng.uniform(1150, 1900)])
        size = rng.uniform(20, 150)
    distance = np.linalg.norm(place)
    warm = rng.uniform(-0.35, 0.35)
    power = rng.uniform(0.3, 3.0) * (distance / (2 * size)) ** 2
    colour = np.array([1 + warm, 1.0, 1 - warm]) * power
    look = mi.ScalarTransform4f().look_at(origin=place.tolist(), target=[0, 0, 0], up=[0, 1, 0.01])
    return {
        "type": "rectangle",
        "to_world": look @ mi.ScalarTransform4f().scale([size, size, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": colour.tolist()}},
    }
