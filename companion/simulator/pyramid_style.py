"""What the plastic of a set of pyramids is made of: the colours of many makers and lights, by seed."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from companion.pieces import PYRAMID_COLOURS
from companion.simulator.arrays import Colour, Floats
from companion.simulator.materials import Material, dimmed, srgb
from companion.simulator.scene import Finish

DYES: dict[str, Colour] = {
    "white": srgb(235, 233, 226),
    "clear": srgb(228, 230, 232),
    "red": srgb(205, 26, 34),
    "orange": srgb(238, 104, 22),
    "yellow": srgb(236, 200, 24),
    "green": srgb(18, 128, 56),
    "cyan": srgb(44, 172, 188),
    "blue": srgb(26, 56, 168),
    "purple": srgb(104, 36, 130),
    "black": srgb(24, 24, 26),
    "gray": srgb(118, 120, 124),
    "pink": srgb(238, 128, 160),
}
RARE = tuple(colour for colour in DYES if colour not in PYRAMID_COLOURS)  # of twelve, the same in every set


@dataclass(frozen=True, eq=False)
class PyramidStyle:
    """One maker's set: a finish for every colour, and what its pips look like."""

    finishes: dict[str, Finish]
    pips: bool
    edge_mm: float
    tip_rise_mm: float

    def clear_walls(self, colour: str) -> bool:
        """True for translucent plastic."""
        return self.finishes[colour].see_through


def random_pyramid_style(rng: np.random.Generator) -> PyramidStyle:
    """Some maker's set."""
    solid = {"white", "black"} | (set(rng.choice(PYRAMID_COLOURS, 2)) - {"clear"} if rng.random() < 0.1 else set())
    deep = float(rng.uniform(0.35, 0.8))  # how much of the dye one wall holds
    milky = float(rng.uniform(0.1, 0.6))
    shine, rough = float(rng.uniform(0.03, 0.07)), float(rng.uniform(0.08, 0.35))
    bright_edges = rng.random() < 0.4
    pip = float(rng.choice([0.0, 0.8, 1.0], p=(0.15, 0.35, 0.5)))  # 0: of the body's own colour
    finishes = {}
    for colour in PYRAMID_COLOURS:
        dye = np.clip(np.array(DYES[colour]) * rng.uniform(0.8, 1.22) * rng.uniform(0.86, 1.16, 3), 0.004, 0.9)
        if colour in solid:
            finishes[colour] = _opaque(dye, shine, rough, pip, colour)
        else:
            amount = milky * (0.25 if colour == "clear" else 1.0)
            finishes[colour] = _translucent(dye, deep, amount, shine, rough, pip, bright_edges)
    finishes |= {colour: usual_finish(colour) for colour in RARE}
    return PyramidStyle(
        finishes, bool(rng.random() < 0.92), float(rng.uniform(0.25, 0.6)), float(rng.uniform(4.2, 7.0))
    )


@cache
def usual_finish(colour: str) -> Finish:
    """Plastic of one colour, of a plain set."""
    if colour in ("white", "black"):
        return _opaque(np.array(DYES[colour]), 0.05, 0.2, 1.0, colour)
    milky = 0.08 if colour == "clear" else 0.3
    return _translucent(np.array(DYES[colour]), 0.5, milky, 0.05, 0.2, 1.0, False)


def glassy(style: PyramidStyle, rng: np.random.Generator) -> PyramidStyle:
    """The same set of glossier, clearer plastic: a clear piece is little but its thin edges, a black one mirrors."""
    shine, rough = float(rng.uniform(0.05, 0.14)), float(rng.uniform(0.08, 0.3))
    lets, glow = float(rng.uniform(0.45, 0.92)), float(rng.uniform(0.0, 0.12))
    finishes = {}
    for colour, finish in style.finishes.items():
        materials = dict(finish.materials)
        body = replace(materials["body"], shine=shine, rough=rough)
        if colour == "clear":
            lets_pass = rng.uniform(0.9, 0.985) * rng.uniform(0.98, 1.0, 3)
            body = replace(body, through=_colour(lets_pass), colour=_colour(np.full(3, rng.uniform(0.0, 0.04))))
        elif colour == "black":
            body = replace(body, colour=_colour(np.array(body.colour) + rng.uniform(0.0, 0.04)))
        if "edge" in materials and body.through is not None:
            edge = replace(materials["edge"], through=_colour(np.array(body.through) * lets))
            materials["edge"] = replace(edge, colour=_colour(np.array(body.colour) + glow))
        finishes[colour] = Finish({**materials, "body": body})
    return replace(style, finishes=finishes, edge_mm=float(rng.uniform(0.2, 0.5)))


def _opaque(dye: Floats, shine: float, rough: float, pip: float, colour: str) -> Finish:
    own = _colour(dye)
    dark = dimmed(own, 0.45) if colour != "black" or pip < 0.9 else (0.6, 0.6, 0.6)
    return Finish(
        {
            "body": Material(own, shine, rough),
            "inside": Material(dimmed(own, 0.7), 0.02, 0.6),
            "rim": Material(own, shine, rough),
            "pip": Material(dark, 0.02, 0.5),
        }
    )


def _translucent(
    dye: Floats, deep: float, milky: float, shine: float, rough: float, pip: float, bright: bool
) -> Finish:
    through = _colour(np.maximum(dye, 0.012) ** (deep * 0.6) * 0.93)
    scatter = _colour(dye * milky)
    white = _colour(np.array([0.75, 0.75, 0.75]) * pip + dye * (1 - pip) * 0.6)
    glint = _colour(dye * 0.5 + 0.12) if bright else _colour(dye * 0.1)
    return Finish(
        {
            "body": Material(scatter, shine, rough, through=through),
            "pip": Material(white, 0.03, 0.4),
            "edge": Material(glint, 0.04, 0.3, through=_colour(np.array(through) * 0.6)),
        }
    )


def _colour(values: Floats) -> Colour:
    b, g, r = (float(np.clip(v, 0.0, 1.0)) for v in values)
    return b, g, r
