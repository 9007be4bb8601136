"""Which ways the pyramids of a board face, looked at together: a trunk sees each, and attention compares them.

All pyramids of a set are cut alike and lie in the same light, so that what a doubtful one shows is told by the others.
The trunk runs through cv2.dnn; the few layers after it are plain matrix products. The whole board may be looked at
turned and mirrored, too (`views`), and the answers averaged.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.attention import Attention
from companion.vision.errors import UnusableWeights
from companion.vision.khet.network import NetworkEmbedder
from companion.vision.khet.views import VIEWS, View
from companion.vision.khet.windows import windows
from companion.vision.reader import CellPatches
from companion.vision.weights import WEIGHTS, about, arrays_of

Singles = NDArray[np.float32]
Numbers = NDArray[np.int64]

NAME = "khet_together"
WIDTH, LAYERS = 96, 3
GRID, FLOOR, THUMB_GAIN = 8, 0.03, 2.0  # coarse picture of a cell: log brightness above a floor
PLACE, LEAN_PLACE = 4, 5.0  # numbers of lean and place; the lean is told in these units
HALF, RANKS_HALF = 4.5, 3.5  # files and ranks from the middle of the board to its last


def places(col: Numbers, row: Numbers) -> Singles:
    """(n, 2) places on the board about its middle, x right, y up; 1 is the last file."""
    return np.stack([(col - HALF) / HALF, (row - RANKS_HALF) / HALF], axis=1).astype(np.float32)


def thumbnails(seen: Singles) -> Singles:
    """(n, GRID * GRID) log brightness of a coarse grid, of (n, W, W, 3) windows in 0..1."""
    n, size = len(seen), seen.shape[1] // GRID
    grey = seen.mean(axis=3).reshape(n, GRID, size, GRID, size).mean(axis=(2, 4))
    return np.asarray(np.log(grey.reshape(n, -1) + np.float32(FLOOR)))


class Together:
    """The trained network. UnusableWeights."""

    def __init__(self, folder: Path) -> None:
        told, arrays = about(folder / f"{NAME}.json"), arrays_of(folder / f"{NAME}.npz")
        self._layers = Attention({name: array.astype(np.float32) for name, array in arrays.items()})
        if arrays["token.bias"].shape != (WIDTH,) or self._layers.layers != LAYERS:
            raise UnusableWeights(folder / f"{NAME}.npz", "its layers are not those of this program")
        self._eyes = NetworkEmbedder(folder / f"{NAME}.onnx", int(told["window_px"]), float(told["window_cells"]))

    def logits(self, patches: CellPatches, gain: float, views: tuple[View, ...] = VIEWS) -> Singles:
        """(n, FACINGS) of the n pyramids of a board, the mean over the views."""
        where = places(
            np.array([ord(cell[0]) - ord("a") for cell in patches.cells]),
            np.array([int(cell[1:]) - 1 for cell in patches.cells]),
        )
        eyes = self._eyes
        cuts = [windows(patches, eyes.window_px, eyes.window_cells, gain, view) for view in views]
        seen, lean = (np.concatenate([cut[i] for cut in cuts]) for i in range(2))
        embedded = eyes.embed(seen, lean)
        at = np.concatenate([view.arrows(where) for view in views])
        thumbs = thumbnails(seen).reshape(len(views), len(patches), -1)
        thumbs = THUMB_GAIN * (thumbs - thumbs.mean(axis=(1, 2), keepdims=True))
        rows = np.concatenate([embedded, thumbs.reshape(len(embedded), -1), LEAN_PLACE * lean, at], axis=1)
        tokens = self._layers.linear(rows, "token").reshape(len(views), len(patches), WIDTH)
        facing = self._layers.linear(self._layers.compared(tokens), "facing")
        answers = self._layers.linear(embedded, "alone").reshape(facing.shape) + facing
        straight = [view.back(own) for view, own in zip(views, answers, strict=True)]
        return np.asarray(np.mean(straight, axis=0, dtype=np.float32))


@cache
def shipped_together(folder: Path = WEIGHTS) -> Together | None:
    """The trained network; None where its files are absent. UnusableWeights."""
    return Together(folder) if (folder / f"{NAME}.onnx").exists() else None
