"""The pyramids of stored boards as lessons: whole boards turned, mirrored, and in other light, all cells alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.training.folders import boards_in
from companion.training.pictures import WINDOW, gain_of, tone
from companion.vision.khet.network import FIRST, mirrored_class, turned_class
from companion.vision.khet.together import places
from companion.vision.khet.views import FACINGS

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

FILES = 10
SPAN = 1.08  # cells that a window shows: the piece alone, as finely as patches are cut
LEAST_SHOWN, MOST_SHOWN = 3, 20  # pyramids of a board that are shown at once
MILD = 0.5  # of the boards are shown in nearly their own light
FIRST_FACING = FIRST["pyramid"]


@dataclass(frozen=True, slots=True)
class Board:
    """The pyramids of one board."""

    pixels: Pixels  # (n, S, S, 3) BGR
    span: float  # cells that a stored patch shows
    lean: Floats  # (n, 2)
    place: Floats  # (n, 2)
    gain: float  # that brings the brightness of the board to the level wanted
    facing: Numbers  # (n)


@dataclass(frozen=True, slots=True)
class Views:
    """Pyramids of several boards as the network is shown them."""

    view: Pixels  # (n, W, W, 3)
    lean: Floats  # (n, 2)
    place: Floats  # (n, 2)
    facing: Numbers  # (n)
    board: Numbers  # (n) number within the batch, rising from 0


def load_boards(folders: Sequence[Path], pick: slice = slice(None)) -> list[Board]:
    """The boards in these folders that have pyramids, in the order of names; `pick` chooses among each folder's."""
    boards = [_board(dict(np.load(file))) for file in boards_in(folders, pick)]
    return [board for board in boards if len(board.facing) >= LEAST_SHOWN]


def _board(stored: dict[str, NDArray[np.generic]]) -> Board:
    label = stored["label"].astype(np.int64)
    here = np.flatnonzero((label >= FIRST_FACING) & (label < FIRST_FACING + FACINGS))
    pixels = np.asarray(stored["pixels"], np.uint8)
    row, col = np.divmod(here, FILES)
    return Board(
        pixels=pixels[here],
        span=float(stored.get("span", np.float32(1.5))),
        lean=stored["lean"][here].astype(np.float32),
        place=places(col, row),
        gain=gain_of(pixels),
        facing=label[here] - FIRST_FACING,
    )


_TURN = np.array([[turned_class(FIRST_FACING + f, q) - FIRST_FACING for q in range(4)] for f in range(FACINGS)])
_MIRROR = np.array([mirrored_class(FIRST_FACING + f) - FIRST_FACING for f in range(FACINGS)])


def shown(board: Board, random: np.random.Generator) -> tuple[Pixels, Floats, Floats, Numbers]:
    """Some of a board's pyramids, turned and mirrored with the board, in one light: views, leans, places, facings."""
    most = min(len(board.facing), MOST_SHOWN)
    chosen = random.permutation(len(board.facing))[: int(random.integers(LEAST_SHOWN, most + 1))]
    quarters, mirrored = int(random.integers(4)), bool(random.random() < 0.5)
    n, size = len(chosen), board.pixels.shape[1]
    angle = quarters * (np.pi / 2) + np.clip(random.standard_normal(n), -2, 2) * 0.03
    zoom = SPAN / board.span * size / WINDOW * (1 + np.clip(random.standard_normal(n), -2, 2) * 0.02)
    shift = np.clip(random.standard_normal((n, 2)), -2.5, 2.5) * 0.012 * size / 2
    view, middle = np.empty((n, WINDOW, WINDOW, 3), np.uint8), (size - 1) / 2
    for i, cell in enumerate(chosen):
        cos, sin = np.cos(angle[i]), np.sin(angle[i])
        turn = zoom[i] * np.array([(cos, -sin), (sin, cos)])
        if mirrored:
            turn[:, 0] *= -1
        back = np.column_stack([turn, middle + shift[i] - turn @ np.full(2, (WINDOW - 1) / 2)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cv2.warpAffine(board.pixels[cell], back, (WINDOW, WINDOW), view[i], flags, cv2.BORDER_REPLICATE)
    lean, place = (_turned(arrow[chosen], quarters, mirrored) for arrow in (board.lean, board.place))
    facing = _TURN[board.facing[chosen], quarters]
    facing = _MIRROR[facing] if mirrored else facing
    return photographed(view, board.gain, place, random), lean, place, facing


def _turned(arrows: Floats, quarters: int, mirrored: bool) -> Floats:
    """(n, 2) turned counter-clockwise by quarters, then mirrored left to right."""
    turned = arrows.copy()
    for _ in range(quarters):
        turned = np.stack([-turned[:, 1], turned[:, 0]], axis=1)
    if mirrored:
        turned[:, 0] *= -1
    return turned


def photographed(view: Pixels, gain: float, place: Floats, random: np.random.Generator) -> Pixels:
    """The same other light and other camera for all cells of a board."""
    if random.random() < MILD:
        gains = gain * np.exp(random.uniform(-0.12, 0.1)) * random.uniform(0.96, 1.04, 3)
        picture = np.minimum(view * (gains / 255).astype(np.float32), 1.0)
    else:
        table = tone(gain * float(np.exp(random.uniform(-0.1, 0.2))), random)
        picture = np.asarray(cv2.LUT(view.reshape(-1, WINDOW, 3), table), np.float32).reshape(view.shape)
    if random.random() < 0.3:
        grey = picture.mean(axis=3, keepdims=True)
        picture = grey + (picture - grey) * np.float32(random.uniform(0.7, 1.4))
    if random.random() < 0.4:  # light that falls off across the board
        picture = picture * np.exp(place @ random.normal(0, 0.12, 2)).astype(np.float32)[:, None, None, None]
    if random.random() < 0.4:
        sigma = random.uniform(0.3, 1.1)
        picture = np.stack([cv2.GaussianBlur(cell, (5, 5), sigma) for cell in picture])
    if random.random() < 0.5:
        picture = picture + _noise(picture.shape, random)
    return np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)


def _noise(shape: tuple[int, ...], random: np.random.Generator) -> Floats:
    """Grain of one strength; half of the time as coarse as after a resampling."""
    grain = random.standard_normal(shape, dtype=np.float32)
    if random.random() < 0.5:
        grain = np.stack([cv2.GaussianBlur(cell, (3, 3), 0.6) for cell in grain]) * np.float32(1.8)
    if random.random() < 0.3:
        grain = np.repeat(grain.mean(axis=3, keepdims=True) * np.float32(1.7), 3, axis=3)
    return np.asarray(grain * np.float32(0.1 * random.random() ** 1.5), np.float32)


def batch(boards: Sequence[Board], random: np.random.Generator) -> Views:
    """These boards, each in a new light."""
    parts = [shown(board, random) for board in boards]
    view, lean, place, facing = (np.concatenate([part[i] for part in parts]) for i in range(4))
    number = np.repeat(np.arange(len(parts)), [len(part[3]) for part in parts])
    return Views(view, lean.astype(np.float32), place.astype(np.float32), facing.astype(np.int64), number)
