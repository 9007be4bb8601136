"""Table tops: wood, laminate, cloth, felt, check, stone, cork, printed mats, dyed and napped cloth, from a seed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.simulator.arrays import Floats

DULL = ("cloth", "felt", "check", "cork", "mat", "dyed", "napped")


@dataclass(frozen=True, slots=True)
class Surface:
    """A kind of table top, the seed of its pattern, how strongly it mirrors and how smooth it is."""

    kind: str = "wood"
    seed: int = 0
    shine: float = 0.03
    rough: float = 0.35


def random_surface(rng: np.random.Generator, seed: int) -> Surface:
    """Some usual table top; what is woven or of cork hardly mirrors."""
    kind = str(rng.choice(USUAL))
    if kind in DULL:
        return dull(kind, rng, seed)
    return Surface(kind, seed, float(rng.uniform(0.005, 0.04)), float(rng.uniform(0.12, 0.5)))


def dull(kind: str, rng: np.random.Generator, seed: int) -> Surface:
    """A table top that hardly mirrors."""
    return Surface(kind, seed, float(rng.uniform(0.0, 0.006)), float(rng.uniform(0.6, 0.95)))


@lru_cache(maxsize=2)
def surface_albedo(surface: Surface, width_mm: float, height_mm: float, px_per_mm: float) -> Floats:
    """(h, w, 3) linear BGR float32."""
    rng = np.random.default_rng([surface.seed, 71])
    shape = (max(8, int(height_mm * px_per_mm)), max(8, int(width_mm * px_per_mm)))
    screen = np.clip(SURFACES[surface.kind](rng, shape, px_per_mm), 0.0, 1.0)
    return np.asarray(screen, dtype=np.float32) ** np.float32(2.2)


def cloud(rng: np.random.Generator, shape: tuple[int, int], cell_y: float, cell_x: float) -> Floats:
    """Smooth random field with a standard deviation near 1; cells in pixels."""
    small = (max(2, int(shape[0] / cell_y) + 2), max(2, int(shape[1] / cell_x) + 2))
    field = rng.standard_normal(small, dtype=np.float32)
    return np.asarray(cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def _bgr(rng: np.random.Generator, choices: list[tuple[int, int, int]], spread: float = 0.05) -> Floats:
    red, green, blue = choices[int(rng.integers(len(choices)))]
    colour = np.array([blue, green, red], dtype=np.float32) / 255
    return np.asarray(colour * (1 + rng.normal(0, spread, 3)).astype(np.float32))


def _wood(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(rng, [(122, 82, 52), (84, 58, 42), (176, 130, 84), (205, 168, 120), (150, 88, 54), (58, 40, 30)])
    grain = 0.5 * cloud(rng, shape, 1.2 * scale, 90 * scale) + 0.6 * cloud(rng, shape, 5 * scale, 220 * scale)
    rings = np.sin(cloud(rng, shape, 26 * scale, 420 * scale) * 7 + grain * 0.8)
    shade = 1 + 0.045 * grain + 0.06 * rings + 0.03 * cloud(rng, shape, 80 * scale, 300 * scale)
    plank = max(20, int(rng.uniform(70, 160) * scale))
    for start in range(int(rng.integers(plank)) - plank, shape[0], plank):
        rows = slice(max(0, start), max(0, start + plank))
        shade[rows] = np.roll(shade[rows], int(rng.integers(shape[1])), axis=1) * (1 + rng.normal(0, 0.05))
        if 0 <= start < shape[0]:
            shade[start : start + max(1, round(0.9 * scale))] *= rng.uniform(0.55, 0.8)
    return np.asarray(shade[..., None] * base)


def _laminate(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(rng, [(214, 212, 204), (235, 233, 228), (176, 178, 180), (96, 98, 102), (222, 208, 184)], 0.02)
    shade = 1 + 0.012 * cloud(rng, shape, 1.4 * scale, 1.4 * scale) + 0.012 * cloud(rng, shape, 60 * scale, 60 * scale)
    return np.asarray(shade[..., None] * base)


def _cloth(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(
        rng,
        [(38, 48, 84), (120, 122, 126), (200, 186, 160), (128, 34, 36), (44, 84, 60), (232, 226, 214), (60, 58, 62)],
    )
    period = max(2.5, rng.uniform(1.2, 2.6) * scale)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    weave = np.sin(2 * np.pi * x / period) * np.sin(2 * np.pi * y / period)
    folds = cloud(rng, shape, 160 * scale, 220 * scale)
    shade = 1 + 0.05 * weave + 0.05 * cloud(rng, shape, 2 * scale, 2 * scale) + 0.05 * folds
    return np.asarray(shade[..., None] * base)


def _felt(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(rng, [(22, 92, 58), (30, 66, 120), (112, 26, 32), (44, 46, 50), (96, 92, 40)])
    shade = 1 + 0.07 * cloud(rng, shape, 1.2 * scale, 1.2 * scale) + 0.04 * cloud(rng, shape, 6 * scale, 6 * scale)
    return np.asarray(shade[..., None] * base)


def _check(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    light = np.array([0.9, 0.92, 0.92], dtype=np.float32)
    dark = _bgr(rng, [(176, 40, 44), (48, 84, 150), (60, 120, 74), (70, 70, 74)])
    side = rng.uniform(14, 45) * scale
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    amount = ((np.floor(x / side) % 2) + (np.floor(y / side) % 2)) / 2
    thread = 1 + 0.04 * cloud(rng, shape, 1.5 * scale, 1.5 * scale) + 0.03 * cloud(rng, shape, 150 * scale, 150 * scale)
    return np.asarray((light * (1 - amount[..., None]) + dark * amount[..., None]) * thread[..., None])


def _stone(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(rng, [(222, 220, 216), (70, 72, 74), (186, 172, 156)], 0.02)
    veins = cloud(rng, shape, 90 * scale, 140 * scale) + 0.5 * cloud(rng, shape, 24 * scale, 30 * scale)
    faint = np.clip(cloud(rng, shape, 120 * scale, 120 * scale), 0, 1)  # veins fade in and out
    lines = np.exp(-np.abs(veins) * 26) * faint
    specks = 0.03 * cloud(rng, shape, 1.6 * scale, 1.6 * scale) + 0.03 * cloud(rng, shape, 12 * scale, 12 * scale)
    return np.asarray((1 + specks - 0.2 * lines + 0.04 * veins)[..., None] * base)


def _cork(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    base = _bgr(rng, [(186, 138, 92), (160, 116, 76)])
    spots = cloud(rng, shape, 3 * scale, 3.5 * scale)
    shade = 1 + 0.10 * np.tanh(spots * 1.5) + 0.06 * cloud(rng, shape, 1.4 * scale, 1.4 * scale)
    return np.asarray(shade[..., None] * base)


def _mat(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    one, two, three = (
        _bgr(rng, [(40, 60, 90), (90, 60, 40), (60, 90, 70), (120, 96, 60), (70, 50, 90)], 0.1) for _ in range(3)
    )
    a = 0.5 + 0.35 * np.tanh(cloud(rng, shape, 260 * scale, 320 * scale))[..., None]
    b = 0.25 + 0.2 * np.tanh(cloud(rng, shape, 40 * scale, 160 * scale))[..., None]
    grain = 1 + 0.03 * cloud(rng, shape, 1.3 * scale, 1.3 * scale)
    return np.asarray(((one * a + two * (1 - a)) * (1 - 0.5 * b) + three * 0.5 * b) * grain[..., None])


def _dyed(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    """Cloth of any colour, of every other one grey or nearly so: what clear plastic mirrors has no colour, either."""
    deep = rng.uniform(0.0, 0.1) if rng.random() < 0.5 else rng.uniform(0.1, 0.75)
    base = rng.uniform(0.18, 0.92) * (1 - deep * rng.random(3)).astype(np.float32)
    fine, coarse = rng.uniform(0.02, 0.1, 2)
    small, large = rng.uniform(1.0, 2.2) * scale, rng.uniform(3.0, 9.0) * scale
    shade = 1 + fine * cloud(rng, shape, small, small) + coarse / 2 * cloud(rng, shape, large, large)
    shade += 0.04 * cloud(rng, shape, 160 * scale, 220 * scale)
    return np.asarray(shade[..., None] * base, dtype=np.float32)


def _napped(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Floats:
    """Dyed cloth whose threads stand up: grain as bold as what clear plastic shows."""
    fine, flecks = rng.uniform(0.03, 0.16), rng.uniform(0.0, 0.06)
    cell = rng.uniform(0.7, 1.6) * scale
    tones = np.stack([cloud(rng, shape, cell, cell) for _ in range(3)], axis=-1)
    shade = 1 + fine * cloud(rng, shape, cell, cell)[..., None] + flecks * tones
    return np.asarray(_dyed(rng, shape, scale) * shade, dtype=np.float32)


SURFACES: dict[str, Callable[[np.random.Generator, tuple[int, int], float], Floats]] = {
    "wood": _wood,
    "laminate": _laminate,
    "cloth": _cloth,
    "felt": _felt,
    "check": _check,
    "stone": _stone,
    "cork": _cork,
    "mat": _mat,
    "dyed": _dyed,
    "napped": _napped,
}
USUAL = tuple(kind for kind in SURFACES if kind not in ("dyed", "napped"))  # these lie on tables that ask for them
