"""Cells of Khet to embeddings, and those to classes: a small network through cv2.dnn, or plain gradients without it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.errors import UnusableWeights
from companion.vision.plans import Plans
from companion.vision.weights import WEIGHTS, about, arrays_of

Singles = NDArray[np.float32]

CELLS_AT_ONCE = (8, 1)
LEAN_GAIN = 3.0  # the lean is told to the network in these units
CLASSES: tuple[tuple[str, str], ...] = (
    ("empty", ""),
    ("other", ""),
    *(("pyramid", facing) for facing in ("NE", "NW", "SW", "SE")),
    *(("scarab", facing) for facing in ("/", "\\")),
    *((kind, facing) for kind in ("anubis", "pharaoh", "sphinx") for facing in ("N", "W", "S", "E")),
    ("obelisk", ""),
    *(("eye", facing) for facing in ("/", "\\")),
)
KINDS = tuple(dict.fromkeys(kind for kind, _ in CLASSES))
FIRST = {kind: min(i for i, (k, _) in enumerate(CLASSES) if k == kind) for kind in KINDS}
PERIOD = {kind: sum(k == kind for k, _ in CLASSES) for kind in KINDS}  # quarter turns to the same look
SIDES = ("silver", "red", "other")


def turned_class(index: int, quarters: int) -> int:
    """The class that a class becomes after quarter turns counter-clockwise."""
    kind = CLASSES[index][0]
    return FIRST[kind] + (index - FIRST[kind] + quarters) % PERIOD[kind]


_SWAPPED = (("E", "W"), ("NE", "NW"), ("SE", "SW"), ("/", "\\"))  # facings, when east and west are exchanged
_MIRRORED = {a: b for pair in _SWAPPED for a, b in (pair, pair[::-1])}


def mirrored_class(index: int) -> int:
    """The class that a class becomes when east and west are exchanged."""
    kind, facing = CLASSES[index]
    return CLASSES.index((kind, _MIRRORED.get(facing, facing)))


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """Linear classes on top of embeddings: (classes, E) weights, (classes) biases, and a temperature."""

    weight: Singles
    bias: Singles
    temperature: float = 1.0

    def logits(self, embeddings: Singles) -> Singles:
        """(n, classes)."""
        return (embeddings @ self.weight.T + self.bias) / np.float32(self.temperature)


class Embedder(Protocol):
    """Windows of cells to vectors."""

    window_px: int
    window_cells: float

    def embed(self, windows: Singles, lean: Singles) -> Singles:
        """(n, W, W, 3) BGR in 0..1 and (n, 2) lean to (n, E)."""


class NetworkEmbedder:
    """The trunk of the trained network. ValueError when OpenCV cannot load the file."""

    def __init__(self, path: Path, window_px: int, window_cells: float) -> None:
        self.window_px, self.window_cells = window_px, window_cells
        self._plans = Plans(path, CELLS_AT_ONCE, blocked=True)
        # the first run plans the network: not while somebody waits for an answer
        each = sum(CELLS_AT_ONCE)
        self.embed(np.zeros((each, window_px, window_px, 3), np.float32), np.zeros((each, 2), np.float32))

    def embed(self, windows: Singles, lean: Singles) -> Singles:
        """(n, W, W, 3) BGR in 0..1 and (n, 2) lean to (n, E)."""
        planes = np.empty((len(windows), 5, self.window_px, self.window_px), dtype=np.float32)
        planes[:, :3] = windows.transpose(0, 3, 1, 2)
        planes[:, :3] *= 2
        planes[:, :3] -= 1
        planes[:, 3:] = (LEAN_GAIN * lean)[:, :, None, None]
        return self._plans.answers(planes)


class GradientEmbedder:
    """Without a network: where edges run in which direction, and the shades of a coarse grid."""

    window_px, window_cells = 64, 1.36
    _blocks, _directions, _length = 8, 6, 4.0

    def embed(self, windows: Singles, lean: Singles) -> Singles:
        """(n, W, W, 3) BGR in 0..1 to (n, E)."""
        return np.stack([self._one(window) for window in windows])

    def _one(self, window: Singles) -> Singles:
        grey = cv2.GaussianBlur(window.mean(axis=2), (0, 0), 1.0)
        dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
        size, angle = np.hypot(dx, dy), np.mod(np.arctan2(dy, dx), np.pi) / np.pi * self._directions
        near = [
            np.clip(1 - np.abs((angle - d + self._directions / 2) % self._directions - self._directions / 2), 0, 1)
            for d in range(self._directions)
        ]
        cells = [
            cv2.resize((weight * size).astype(np.float32), (self._blocks, self._blocks), interpolation=cv2.INTER_AREA)
            for weight in near
        ]
        edges = np.sqrt(np.stack(cells)).ravel()
        shade = cv2.resize(grey - grey.mean(), (self._blocks, self._blocks), interpolation=cv2.INTER_AREA).ravel()
        parts = [vector / (np.linalg.norm(vector) + floor) for vector, floor in ((edges, 0.5), (shade, 0.2))]
        return self._length * np.concatenate(parts).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Shipped:
    """What the project ships: an embedder and its heads; `side` is None without a trained network."""

    embedder: Embedder
    what: Head
    side: Head | None
    name: str  # of the embedder, so that taught looks are not mixed up


@cache
def gradients() -> Shipped:
    """The reader's eyes when there are no weights: it knows no class before it was taught."""
    embedder = GradientEmbedder()
    size = embedder.embed(np.zeros((1, 64, 64, 3), np.float32), np.zeros((1, 2), np.float32)).shape[1]
    bias = np.zeros(len(CLASSES), np.float32)
    return Shipped(embedder, Head(np.zeros((len(CLASSES), size), np.float32), bias), None, "gradients")


@cache
def shipped(folder: Path = WEIGHTS) -> Shipped:
    """The trained network, or gradients where its files are absent. UnusableWeights."""
    if not (folder / "khet.onnx").exists():
        return gradients()
    told = about(folder / "khet.json")
    if [tuple(c) for c in told["classes"]] != list(CLASSES) or tuple(told["sides"]) != SIDES:
        raise UnusableWeights(folder / "khet.json", "its classes are not those of this program")
    embedder = NetworkEmbedder(folder / "khet.onnx", int(told["window_px"]), float(told["window_cells"]))
    arrays = arrays_of(folder / "khet.npz")
    what = Head(arrays["what_weight"], arrays["what_bias"], float(told["held_out"]["temperature"]))
    side = Head(arrays["side_weight"], arrays["side_bias"], float(told["held_out"]["side_temperature"]))
    return Shipped(embedder, what, side, f"network {told['version']}, {told['made']}")
