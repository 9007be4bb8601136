"""Stored patches as training batches: windows cut at random, turned, mirrored, light and camera varied."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.training.folders import boards_in
from companion.vision.khet.network import CLASSES, mirrored_class, turned_class
from companion.vision.khet.windows import BrightnessSettings

WINDOW = 64
SPAN = 1.36  # cells that a window shows
SHOWN = {"empty": 0.12, "obelisk": 0.5, "sphinx": 0.7, "pyramid": 1.3}  # how often an epoch shows one
DRAWN_AHEAD = 40  # batches that are drawn by the same chances
BRIGHTNESS = BrightnessSettings()
Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Patches:
    """All cells of many boards."""

    pixels: Pixels  # (n, S, S, 3) BGR
    span: Floats  # (n) cells that a stored patch shows
    lean: Floats  # (n, 2)
    gain: Floats  # (n) that brings the brightness of the cell's board to the level wanted
    label: Numbers  # (n)
    side: Numbers  # (n), -1 where there is none
    board: Numbers  # (n) number of the board

    def __len__(self) -> int:
        return len(self.label)


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows as a network is trained on them."""

    view: Pixels  # (n, W, W, 3)
    lean: Floats  # (n, 2)
    label: Numbers
    side: Numbers  # -1: not to be judged
    index: Numbers  # of the cells among the patches


def load(folders: Sequence[Path], pick: slice = slice(None)) -> Patches:
    """The boards in these folders in the order of their names; `pick` chooses among each folder's."""
    files = boards_in(folders, pick)
    size = np.load(files[0])["pixels"].shape[1:]
    counts = [len(np.load(f)["label"]) for f in files]
    pixels = np.empty((sum(counts), *size), np.uint8)
    parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in ("span", "lean", "gain", "label", "side")}
    at = 0
    for file, n in zip(files, counts, strict=True):
        board = dict(np.load(file))
        pixels[at : at + n] = board["pixels"]
        at += n
        parts["span"].append(np.full(n, board.get("span", 1.5), np.float32))
        parts["gain"].append(np.full(n, gain_of(board["pixels"]), np.float32))
        parts["lean"].append(board["lean"].astype(np.float32))
        parts["label"].append(board["label"].astype(np.int64))
        parts["side"].append(board["side"].astype(np.int64))
    number = np.repeat(np.arange(len(files)), counts)
    return Patches(pixels, **{name: np.concatenate(arrays) for name, arrays in parts.items()}, board=number)


def joined(parts: Sequence[Patches]) -> Patches:
    """All boards of several loads; each part is let go when it was copied."""
    pixels = np.concatenate([part.pixels for part in parts])
    names = ("span", "lean", "gain", "label", "side")
    first = np.cumsum([0, *(int(part.board.max()) + 1 for part in parts[:-1])])
    board = np.concatenate([part.board + start for part, start in zip(parts, first, strict=True)])
    return Patches(pixels, **{n: np.concatenate([getattr(p, n) for p in parts]) for n in names}, board=board)


def gain_of(pixels: Pixels) -> float:
    """As `companion.vision.khet.windows.board_gain` has it."""
    bright = float(np.percentile(pixels[:, ::4, ::4].max(axis=3), BRIGHTNESS.percentile)) / 255
    return float(np.clip(BRIGHTNESS.level / max(bright, 1e-3), BRIGHTNESS.least_gain, BRIGHTNESS.most_gain))


_TURN = np.array([[turned_class(index, quarters) for quarters in range(4)] for index in range(len(CLASSES))])
_MIRROR = np.array([mirrored_class(index) for index in range(len(CLASSES))])


def windows(patches: Patches, index: Numbers, random: np.random.Generator | None) -> tuple[Pixels, Floats, Numbers]:
    """Windows (n, W, W, 3), leans and labels; turned by quarters, mirrored and shaken when `random` is given."""
    n, size = len(index), patches.pixels.shape[1]
    label, lean = patches.label[index], patches.lean[index]
    angle, scale, shift, mirrored = np.zeros(n), np.ones(n), np.zeros((n, 2)), np.zeros(n, bool)
    if random is not None:
        quarters, mirrored = random.integers(0, 4, n), random.random(n) < 0.5
        angle = quarters * (np.pi / 2) + np.clip(random.standard_normal(n), -2, 2) * 0.04
        scale = 1 + np.clip(random.standard_normal(n), -2, 2) * 0.03
        shift = np.clip(random.standard_normal((n, 2)), -2.5, 2.5) * 0.02 * size / 2
        label = _TURN[label, quarters]
        label = np.where(mirrored, _MIRROR[label], label)
    cos, sin = np.cos(angle), np.sin(angle)
    zoom = SPAN / patches.span[index] * scale * size / WINDOW
    view = np.empty((n, WINDOW, WINDOW, 3), np.uint8)
    flags, middle = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (size - 1) / 2
    for i in range(n):
        # a pixel of the window looks up the patch at its own place turned back: the picture turns counter-clockwise
        turn = zoom[i] * np.array([(cos[i], -sin[i]), (sin[i], cos[i])])
        if mirrored[i]:
            turn[:, 0] *= -1
        start = middle + shift[i] - turn @ np.full(2, (WINDOW - 1) / 2)
        back = np.column_stack([turn, start])
        cv2.warpAffine(patches.pixels[index[i]], back, (WINDOW, WINDOW), view[i], flags, cv2.BORDER_REPLICATE)
    turned = np.stack([cos * lean[:, 0] - sin * lean[:, 1], sin * lean[:, 0] + cos * lean[:, 1]], 1)
    turned[mirrored, 0] *= -1
    return view, turned.astype(np.float32), label


_SHADES = np.arange(256, dtype=np.float32) / 255
_AXIS = np.linspace(-1, 1, WINDOW, dtype=np.float32)


def photograph(view: Pixels, gain: Floats, random: np.random.Generator) -> Pixels:
    """Other light, other camera: gains and tone for all; saturation, shade, glare, blur and noise for some."""
    out = np.empty_like(view)
    sigma = random.uniform(0, 1.0) if random.random() < 0.4 else 0.0
    for i in range(len(view)):
        table = tone(float(gain[i]), random)
        picture = np.asarray(cv2.LUT(view[i], table), np.float32)
        if random.random() < 0.35:
            grey = picture.mean(axis=2, keepdims=True)
            picture = grey + (picture - grey) * np.float32(random.uniform(0.7, 1.4))
        if random.random() < 0.4:
            picture *= _shade(random)[..., None]
        if random.random() < 0.1:
            picture += _spot(random)[..., None]
        if sigma > 0.25 and random.random() < 0.8:
            picture = np.asarray(cv2.GaussianBlur(picture, (5, 5), sigma), np.float32)
        elif random.random() < 0.2:
            picture += np.float32(random.uniform(0, 0.6)) * (picture - cv2.GaussianBlur(picture, (3, 3), 0))
        if random.random() < 0.4:
            noise = random.standard_normal(picture.shape, dtype=np.float32)
            picture += noise * np.float32(random.uniform(0, 0.035))
        out[i] = np.clip(picture * 255 + 0.5, 0, 255)
    return out


def tone(gain: float, random: np.random.Generator) -> Floats:
    """(1, 256, 3) what each shade of each channel becomes."""
    gains = gain * np.exp(random.uniform(-0.3, 0.25)) * random.uniform(0.87, 1.13, 3)
    lit = np.clip(_SHADES[:, None] * gains, 1e-4, 1) ** random.uniform(0.78, 1.35)
    steep = random.uniform(0.0, 0.5)
    lit = lit * ((1 - steep) + steep * lit * (3 - 2 * lit))
    veil = random.uniform(0, 0.2) if random.random() < 0.15 else 0.0
    return np.ascontiguousarray((lit + veil)[None], dtype=np.float32)


def _slope(random: np.random.Generator) -> Floats:
    """(W, W) a plane that rises from -1 to 1 in a random direction."""
    angle = random.uniform(0, 2 * np.pi)
    return np.asarray(np.float32(np.cos(angle)) * _AXIS[None] + np.float32(np.sin(angle)) * _AXIS[:, None])


def _shade(random: np.random.Generator) -> Floats:
    """(W, W) light that falls off to one side, or the edge of a cast shadow."""
    if random.random() < 0.6:
        return 1 + _slope(random) * np.float32(random.uniform(0, 0.25))
    edge = 1 / (1 + np.exp(-(_slope(random) - np.float32(random.uniform(-1, 1))) * np.float32(random.uniform(2, 30))))
    return np.asarray(1 - edge * np.float32(random.uniform(0.1, 0.6)))


def _spot(random: np.random.Generator) -> Floats:
    """(W, W) a bright spot."""
    dx, dy = _AXIS[None] - np.float32(random.uniform(-1, 1)), _AXIS[:, None] - np.float32(random.uniform(-1, 1))
    width = np.float32(random.uniform(0.005, 0.4))
    return np.asarray(np.exp(-(dx**2 + dy**2) / width) * np.float32(random.uniform(0, 0.8)))


def batches(patches: Patches, size: int, weight: Floats, random: np.random.Generator) -> Iterator[Batch]:
    """One epoch, shuffled and varied; `weight` (n): how often a cell is shown, on average."""
    often = np.array([SHOWN.get(kind, 1.0) for kind, _ in CLASSES])
    shown = often[patches.label] * weight
    times = np.floor(shown).astype(int) + (random.random(len(shown)) < shown % 1)
    order = random.permutation(np.repeat(np.arange(len(patches)), times))
    for start in range(0, len(order) - size + 1, size):
        yield _varied(patches, order[start : start + size], random, mild=0.0)


def drawn(patches: Patches, size: int, chances: Callable[[], Floats], random: np.random.Generator) -> Iterator[Batch]:
    """Batches without end, of cells drawn by the chances (n) of the moment, half of them in nearly their own light."""
    while True:
        shares = np.cumsum(chances(), dtype=np.float64)
        for places in random.random((DRAWN_AHEAD, size)) * shares[-1]:
            yield _varied(patches, np.searchsorted(shares, places), random, mild=0.5)


def _varied(patches: Patches, index: Numbers, random: np.random.Generator, mild: float) -> Batch:
    view, lean, label = windows(patches, index, random)
    grey_ones = random.random(len(index)) < 0.05
    view[grey_ones] = view[grey_ones].mean(axis=3, keepdims=True).astype(np.uint8)
    mildly, gain = random.random(len(index)) < mild, patches.gain[index]
    lit = gain[mildly] * np.exp(random.uniform(-0.12, 0.1, int(mildly.sum())))
    tint = random.uniform(0.96, 1.04, (len(lit), 1, 1, 3)) * lit[:, None, None, None]
    plainly = np.minimum(view[mildly] * tint.astype(np.float32) + 0.5, 255)
    view[~mildly] = photograph(view[~mildly], gain[~mildly], random)
    view[mildly] = plainly.astype(np.uint8)
    return Batch(view, lean, label, np.where(grey_ones, -1, patches.side[index]), index)


def plain(patches: Patches, size: int = 400) -> Iterator[Batch]:
    """The windows as they are, in order, in the brightness in which they are read."""
    for start in range(0, len(patches), size):
        index = np.arange(start, min(start + size, len(patches)))
        view, lean, label = windows(patches, index, None)
        bright = np.minimum(view * patches.gain[index, None, None, None], 255)
        yield Batch(bright.astype(np.uint8), lean, label, patches.side[index], index)
