"""The looks of one physical Khet set: how its pieces are cut, and of what."""

from dataclasses import dataclass

import numpy as np

from companion.simulator.arrays import Colour
from companion.simulator.materials import Material, Materials, dimmed, srgb

KHET_SETS = ("silver-red", "silver-gold", "orange-blue", "green-purple")

_BODIES = {  # first side, second side: linear colour, metal
    "silver-red": ((srgb(196, 198, 202), True), (srgb(206, 22, 24), False)),
    "silver-gold": ((srgb(196, 198, 202), True), (srgb(212, 164, 62), True)),
    "orange-blue": ((srgb(236, 118, 22), False), (srgb(28, 72, 176), False)),
    "green-purple": ((srgb(44, 146, 62), False), (srgb(112, 46, 150), False)),
}


@dataclass(frozen=True, slots=True)
class KhetStyle:
    """Sizes in millimetres; `cut` of the pyramids: half, blunt, prism or steep; `sculptor` 0 to 2 carves the rest."""

    colours: str = "silver-red"
    foot_mm: float = 32.0
    slab_mm: float = 4.0
    pyramid_mm: float = 20.0
    figure_mm: float = 26.0
    cut: str = "half"
    sculptor: int = 0
    shine: float = 0.05
    rough: float = 0.35
    metal: bool = True  # the silver and gold bodies are metallic, else grey and yellow plastic
    hue: Colour = (1.0, 1.0, 1.0)  # the maker's pigments vary


def khet_materials(style: KhetStyle, colour: str) -> Materials:
    """Materials of the side that the rules call `colour` ("silver" or "red")."""
    body, metal = _BODIES[style.colours][0 if colour == "silver" else 1]
    tint = tuple(min(1.0, c * h) for c, h in zip(body, style.hue, strict=True))
    own: Colour = (tint[0], tint[1], tint[2])
    metallic = metal and style.metal
    shine = 0.55 if metallic else style.shine
    return {
        "body": Material(own, shine, style.rough, metallic),
        "trim": Material(dimmed(own, 0.45), shine * 0.6, min(1.0, style.rough * 1.4), metallic),
        "light": Material(dimmed(own, 1.25), shine, style.rough, metallic),
        "mirror": Material((0.86, 0.88, 0.87), 0.86, 0.02, True, mirror=True),
        "glass": Material((0.80, 0.78, 0.72), 0.35, 0.03, False),
    }


def random_style(rng: np.random.Generator, colours: str | None = None) -> KhetStyle:
    """A set that a maker could have made."""
    return KhetStyle(
        colours=colours or KHET_SETS[int(rng.choice(4, p=(0.7, 0.1, 0.1, 0.1)))],
        foot_mm=float(rng.uniform(29.5, 34.5)),
        slab_mm=float(rng.uniform(2.5, 6.5)),
        pyramid_mm=float(rng.uniform(15.0, 28.0)),
        figure_mm=float(rng.uniform(20.0, 34.0)),
        cut=str(rng.choice(["half", "blunt", "prism", "steep"], p=(0.5, 0.17, 0.13, 0.2))),
        sculptor=int(rng.integers(3)),
        shine=float(rng.uniform(0.02, 0.09)),
        rough=float(rng.uniform(0.18, 0.75)),
        metal=bool(rng.random() < 0.7),
        hue=(float(rng.uniform(0.85, 1.15)), float(rng.uniform(0.85, 1.15)), float(rng.uniform(0.85, 1.15))),
    )
