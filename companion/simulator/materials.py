"""What surfaces are made of: own colour, gloss, metal, mirror."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion.simulator.arrays import Colour, Floats


@dataclass(frozen=True, slots=True)
class Material:
    """`colour` is the own colour in linear BGR; `shine` the share that is mirrored straight on; `rough` 0 to 1."""

    colour: Colour
    shine: float = 0.04
    rough: float = 0.4
    metal: bool = False  # mirrors in its own colour, hardly scatters
    clear: float = 0.0  # share of what lies behind that is seen through it
    mirror: bool = False  # a flat looking-glass: shows its base, the table or the room
    through: Colour | None = None  # share of light (BGR) that passes one wall straight on; None: opaque


Materials = Mapping[str, Material]


def srgb(red: int, green: int, blue: int) -> Colour:
    """A screen colour as linear BGR."""
    r, g, b = (float(c) for c in (np.array([red, green, blue]) / 255.0) ** 2.2)
    return b, g, r


def linear(picture: Floats) -> Floats:
    """(..., 3) float32 linear light of a picture in screen colours, 0 to 1."""
    return np.asarray(np.clip(picture, 0, 1), np.float32) ** np.float32(2.2)


def dimmed(colour: Colour, factor: float) -> Colour:
    """Darker or lighter, at most white."""
    b, g, r = (min(1.0, c * factor) for c in colour)
    return b, g, r


def plain(colour: Colour, shine: float = 0.04) -> dict[str, Material]:
    """One material for a body, and a darker trim."""
    return {"body": Material(colour, shine, 0.45), "trim": Material(dimmed(colour, 0.5), shine, 0.45)}
