"""The lens model (OpenCV's pinhole with radial and tangential distortion), in pixels."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadLens
from calibration.files import read_named

MOST_BYTES = 20_000_000  # of a lens file


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths, principal point and distortion of one camera at one picture size."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The 3x3 camera matrix."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> NDArray[np.float64]:
        """OpenCV's order: k1 k2 p1 p2 k3."""
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3])

    def scaled(self, width: int, height: int) -> "Lens":
        """The same lens for pictures of another size (pixel centres at integers), of a camera that was turned, too."""
        if self.is_turned(width, height):
            return self._turned().scaled(width, height)
        sx, sy = width / self.width, height / self.height
        return dataclasses.replace(
            self,
            width=width,
            height=height,
            fx=self.fx * sx,
            fy=self.fy * sy,
            cx=(self.cx + 0.5) * sx - 0.5,
            cy=(self.cy + 0.5) * sy - 0.5,
        )

    def is_turned(self, width: int, height: int) -> bool:
        """True for upright pictures of a lens that was measured with wide ones, and the other way round."""
        return (self.width - self.height) * (width - height) < 0

    def _turned(self) -> "Lens":
        """A quarter turn, which way is not known: what depends on that is taken for its mean."""
        middle = (self.height - 1) / 2, (self.width - 1) / 2
        return Lens(self.height, self.width, self.fy, self.fx, *middle, self.k1, self.k2, k3=self.k3)

    def to_json(self) -> dict[str, float]:
        """The fields by name."""
        return dataclasses.asdict(self)


MOST_PIXELS = 100_000
LEAST_FOCAL = 0.1  # of the longer side: a wider view than 157 degrees no pinhole has
_NEEDED = ("width", "height", "fx", "fy", "cx", "cy")
_OPTIONAL = ("k1", "k2", "p1", "p2", "k3")


def lens_from_json(data: Mapping[str, Any]) -> Lens:
    """A lens from a dict with width, height, fx, fy, cx, cy and optionally k1 k2 p1 p2 k3 (others are ignored)."""
    try:
        values = {name: float(data[name]) for name in _NEEDED}
        values |= {name: float(data[name]) for name in _OPTIONAL if name in data}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadLens(f"a lens needs numbers for {', '.join(_NEEDED)}: {error}") from error
    sizes = values["width"], values["height"]
    if not all(np.isfinite(v) for v in values.values()) or min(values["fx"], values["fy"]) <= 0 or min(sizes) < 1:
        raise BadLens("a lens needs finite numbers, positive fx and fy, and a width and height of at least a pixel")
    if max(sizes) > MOST_PIXELS:
        raise BadLens(f"no camera has pictures of {values['width']:g}x{values['height']:g} pixels")
    if not all(abs(values[name]) <= MOST_PIXELS for name in ("fx", "fy", "cx", "cy")):
        raise BadLens(f"fx, fy, cx and cy are in pixels, at most {MOST_PIXELS}")
    width, height = int(values.pop("width")), int(values.pop("height"))
    if not (0 <= values["cx"] <= width and 0 <= values["cy"] <= height):
        raise BadLens(f"cx and cy are the lens's middle in pixels, within the picture of {width}x{height}")
    if min(values["fx"], values["fy"]) < LEAST_FOCAL * max(width, height):
        raise BadLens(f"fx and fy are in pixels: no lens of a picture of {width}x{height} has so few")
    return Lens(width, height, **values)


def read_lens(path: Path) -> Lens:
    """A lens from a JSON file (also one that has it under `camera`); BadLens names the file."""
    try:
        data = json.loads(read_named(path, MOST_BYTES).decode("utf-8-sig"))
        if not isinstance(data, Mapping):
            raise BadLens("a lens is a JSON object, like {...}")
        inner = data.get("camera")
        return lens_from_json(inner if isinstance(inner, Mapping) and "fx" in inner else data)
    except OSError as error:
        raise BadLens(f"{path}: {error.strerror or error}") from error
    except BadLens as error:
        raise BadLens(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadLens(f"{path}: a JSON file is needed: {error}") from error
