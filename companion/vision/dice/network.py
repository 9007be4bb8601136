"""The network that reads pip dice, through cv2.dnn: from patches as wide as two dice."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax
from companion.vision.ground.foreground import Ground
from companion.vision.plans import Plans
from companion.vision.weights import WEIGHTS, about, arrays_of

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

NAME = "pip_dice"
FACES = 7  # none, and the six
SIDE_PX, SPAN_MM = 48, 30.0
DIE_MM = 14.0  # side of a die in the middle of those that it has learned


def cut_out(seen: Pixels, ground: Ground, place_mm: Floats) -> Pixels:
    """(SIDE_PX, SIDE_PX, 3) of the balanced table about a place in its plane; its upper edge is that of the table."""
    return patch_at(seen, ground.fine_px(place_mm), SPAN_MM / SIDE_PX / ground.settings.fine_mm)


def patch_at(picture: Pixels, middle: Floats, scale: float) -> Pixels:
    """(SIDE_PX, SIDE_PX, 3) about a pixel of a picture, of which so many are one of the patch."""
    left, top = middle - scale * (SIDE_PX - 1) / 2
    matrix = np.array([[scale, 0.0, left], [0.0, scale, top]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, matrix, (SIDE_PX, SIDE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


class FaceReader(Protocol):
    """What tells faces from patches, as a `DieNetwork` does."""

    def told(self, patches: Pixels, sides: int) -> tuple[Singles, Floats]:
        """See `DieNetwork.told`."""


@dataclass(eq=False)
class DieNetwork:
    """The trained network. UnusableWeights when its files are absent, too."""

    folder: Path = WEIGHTS
    temperature: float = 1.0
    _plans: Plans | None = None
    _layer: Singles = field(default_factory=lambda: np.zeros((1, 1), np.float32))

    def __post_init__(self) -> None:
        self.temperature = float(about(self.folder / f"{NAME}.json")["held_out"]["temperature"])
        arrays = arrays_of(self.folder / f"{NAME}.npz")
        self._layer = np.ascontiguousarray(np.hstack([arrays["weight"], arrays["bias"][:, None]]).T, np.float32)
        self._plans = Plans(self.folder / f"{NAME}.onnx")

    def told(self, patches: Pixels, sides: int) -> tuple[Singles, Floats]:
        """(n, FACES) probabilities, and (n, 2) millimetres from each patch's middle to the die's; of (n, s, s, 3).

        Looked at from so many of four sides.
        """
        views = np.concatenate([np.rot90(patches, k, (1, 2)) for k in range(sides)])
        answers = np.split(self._answers(views), sides)
        faces = softmax(np.mean([a[:, :FACES] for a in answers], axis=0) / np.float32(self.temperature))
        back = [a[:, FACES:].astype(np.float64) for a in answers]
        for quarters, off in enumerate(back):
            for _ in range(quarters):  # x to the right, y down: a quarter back is clockwise
                off[:] = np.stack([-off[:, 1], off[:, 0]], axis=1)
        off = np.mean(back, axis=0) * SPAN_MM / 2
        return faces, np.stack([off[:, 0], -off[:, 1]], axis=1)

    def _answers(self, patches: Pixels) -> Singles:
        assert self._plans is not None
        return np.asarray(self._plans.of_pixels(patches) @ self._layer[:-1] + self._layer[-1], np.float32)


def shipped(folder: Path = WEIGHTS) -> DieNetwork | None:
    """The network that the project ships; None where it is absent. UnusableWeights."""
    return DieNetwork(folder) if (folder / f"{NAME}.onnx").exists() else None
