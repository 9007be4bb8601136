"""Stored patches as training batches: windows cut at random, light and camera varied."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional

from companion.training.labels import CLASSES, FIRST, INDEX, PERIOD
from companion.training.network import WINDOW

SPAN = 1.36  # cells that a window shows
EMPTY_SHARE = 0.4  # of the empty cells that an epoch shows: there are too many of them
Tensor = torch.Tensor


@dataclass(frozen=True, slots=True)
class Patches:
    """All cells of many boards."""

    pixels: Tensor  # (n, 3, S, S) uint8, BGR
    span: Tensor  # (n) cells that a stored patch shows
    lean: Tensor  # (n, 2)
    label: Tensor  # (n)
    side: Tensor  # (n), -1 where there is none
    board: Tensor  # (n) number of the board

    def __len__(self) -> int:
        return len(self.label)


def load(folders: Sequence[Path], pick: slice = slice(None)) -> Patches:
    """The boards in these folders in the order of their names; `pick` chooses among each folder's."""
    files = [f for folder in folders for f in sorted(folder.glob("board-*.npz"))[pick]]
    boards = [dict(np.load(f)) for f in files]
    sizes = [len(b["label"]) for b in boards]
    return Patches(
        torch.from_numpy(np.concatenate([b["pixels"] for b in boards])).permute(0, 3, 1, 2).contiguous(),
        torch.from_numpy(
            np.concatenate([np.full(n, b.get("span", 1.5)) for b, n in zip(boards, sizes, strict=True)])
        ).float(),
        torch.from_numpy(np.concatenate([b["lean"] for b in boards])).float(),
        torch.from_numpy(np.concatenate([b["label"] for b in boards])).long(),
        torch.from_numpy(np.concatenate([b["side"] for b in boards])).long(),
        torch.from_numpy(np.repeat(np.arange(len(boards)), sizes)),
    )


_TURN = torch.tensor(
    [[FIRST[k] + (i - FIRST[k] + q) % PERIOD[k] for q in range(4)] for i, (k, _) in enumerate(CLASSES)]
)


def _windows(patches: Patches, index: Tensor, random: torch.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
    """Windows (n, 3, W, W) in 0..1, leans and labels; turned by quarters and shaken when `random` is given."""
    n = len(index)
    pixels = patches.pixels[index].float() / 255
    lean, label = patches.lean[index], patches.label[index]
    angle, scale, shift = torch.zeros(n), torch.ones(n), torch.zeros(n, 2)
    if random is not None:
        quarters = torch.randint(0, 4, (n,), generator=random)
        angle = quarters * (np.pi / 2) + torch.randn(n, generator=random).clamp(-2, 2) * 0.045
        scale = 1 + torch.randn(n, generator=random).clamp(-2, 2) * 0.03
        shift = torch.randn(n, 2, generator=random).clamp(-2.5, 2.5) * 0.03
        label = _TURN[label, quarters]
    cos, sin = torch.cos(angle), torch.sin(angle)
    zoom = SPAN / patches.span[index] * scale
    # an output pixel looks up the input at its own place turned back: the picture turns counter-clockwise
    theta = torch.stack(
        [torch.stack([cos * zoom, -sin * zoom, shift[:, 0]], 1), torch.stack([sin * zoom, cos * zoom, shift[:, 1]], 1)],
        1,
    )
    grid = functional.affine_grid(theta, [n, 3, WINDOW, WINDOW], align_corners=False)
    view = functional.grid_sample(pixels, grid, mode="bilinear", padding_mode="border", align_corners=False)
    turned = torch.stack([cos * lean[:, 0] - sin * lean[:, 1], sin * lean[:, 0] + cos * lean[:, 1]], 1)
    return view, turned, label


def _uniform(random: torch.Generator, low: float, high: float, *shape: int) -> Tensor:
    return torch.rand(*shape, generator=random) * (high - low) + low


_NOISE = torch.randn(192, 3, WINDOW, WINDOW, generator=torch.Generator().manual_seed(0))


def _some(random: torch.Generator, n: int, share: float) -> Tensor:
    """Indices of a random share of n."""
    return torch.nonzero(torch.rand(n, generator=random) < share)[:, 0]


def _slopes(random: torch.Generator, n: int) -> Tensor:
    """(n, W, W) planes that rise from -1 to 1 in a random direction."""
    axis = torch.linspace(-1, 1, WINDOW)
    angle = _uniform(random, 0, 2 * np.pi, n, 1, 1)
    return torch.cos(angle) * axis[None, None, :] + torch.sin(angle) * axis[None, :, None]


def _shade(random: torch.Generator, n: int) -> Tensor:
    """(n, 1, W, W) light that falls off to one side, and the edge of a cast shadow on some."""
    shade = 1 + _slopes(random, n) * _uniform(random, 0, 0.25, n, 1, 1)
    cast = _some(random, n, 0.25)
    m = len(cast)
    edge = torch.sigmoid((_slopes(random, m) - _uniform(random, -1, 1, m, 1, 1)) * _uniform(random, 2, 30, m, 1, 1))
    shade[cast] *= 1 - edge * _uniform(random, 0.1, 0.65, m, 1, 1)
    return shade[:, None].clamp(min=0.1)


def _glare(view: Tensor, random: torch.Generator) -> None:
    """A bright spot on some, a veil of stray light on others."""
    lit = _some(random, len(view), 0.1)
    axis, m = torch.linspace(-1, 1, WINDOW), len(lit)
    dx, dy = (
        axis[None, None, :] - _uniform(random, -1, 1, m, 1, 1),
        axis[None, :, None] - _uniform(random, -1, 1, m, 1, 1),
    )
    spot = torch.exp(-(dx**2 + dy**2) / _uniform(random, 0.005, 0.4, m, 1, 1)) * _uniform(random, 0, 0.8, m, 1, 1)
    view[lit] += spot[:, None]
    veiled = _some(random, len(view), 0.2)
    view[veiled] += _uniform(random, 0, 0.2, len(veiled), 1, 1, 1)


def _photograph(view: Tensor, grey_ones: Tensor, random: torch.Generator) -> Tensor:
    """Other light, other camera: gains, tone, saturation, shade, a shadow's edge, glare, blur and noise."""
    n = len(view)
    gains = _uniform(random, 0.87, 1.13, n, 3, 1, 1) * torch.exp(_uniform(random, -0.45, 0.35, n, 1, 1, 1))
    view = view * _shade(random, n) * gains
    grey = view.mean(1, keepdim=True)
    saturation = _uniform(random, 0.7, 1.4, n, 1, 1, 1)
    saturation = torch.where(grey_ones[:, None, None, None], torch.zeros(1), saturation)
    view = torch.lerp(grey, view, saturation)
    _glare(view, random)
    view = view.clamp_(1e-4, 1).pow_(_uniform(random, 0.75, 1.4, n, 1, 1, 1))
    steep = _uniform(random, 0.0, 0.6, n, 1, 1, 1)
    view = view * ((1 - steep) + steep * view * (3 - 2 * view))
    sigma = float(_uniform(random, 0.0, 1.15, 1))
    if sigma > 0.25:
        taps = torch.exp(-((torch.arange(5) - 2.0) ** 2) / (2 * sigma**2))
        taps = taps / taps.sum()
        for axis in (2, 3):
            view = sum(taps[i] * torch.roll(view, i - 2, axis) for i in range(5))
    elif torch.rand(1, generator=random) < 0.5:
        over = float(_uniform(random, 0.0, 0.6, 1)) / 4
        near = sum(torch.roll(view, step, axis) for step in (-1, 1) for axis in (2, 3))
        view = view * (1 + 4 * over) - over * near
    pick = torch.randint(0, len(_NOISE), (n,), generator=random)
    view.addcmul_(_NOISE[pick], _uniform(random, 0, 0.035, n, 1, 1, 1))
    return view.clamp_(0, 1)


def planes(view: Tensor, lean: Tensor) -> Tensor:
    """The network's input: colours about 0, and the lean (times 3) as two planes."""
    flat = (3 * lean)[:, :, None, None].expand(-1, -1, WINDOW, WINDOW)
    return torch.cat([view * 2 - 1, flat], 1)


def batches(patches: Patches, size: int, random: torch.Generator) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """One epoch of (input, class, side), shuffled and varied."""
    order = torch.randperm(len(patches), generator=random)
    empty = patches.label[order] == INDEX["empty", ""]
    order = order[~empty | (torch.rand(len(order), generator=random) < EMPTY_SHARE)]
    for start in range(0, len(order) - size + 1, size):
        index = order[start : start + size]
        view, lean, label = _windows(patches, index, random)
        grey_ones = torch.rand(size, generator=random) < 0.08
        side = patches.side[index]
        yield planes(_photograph(view, grey_ones, random), lean), label, torch.where(grey_ones, -1, side)


def plain(patches: Patches, size: int = 400) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """(input, class, side) as they are, in order."""
    for start in range(0, len(patches), size):
        index = torch.arange(start, min(start + size, len(patches)))
        view, lean, label = _windows(patches, index, None)
        yield planes(view, lean), label, patches.side[index]
