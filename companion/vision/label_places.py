"""Where labels lie on a picture, so that none hides a piece or another label."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels
Boxes = NDArray[np.int64]  # (n, 4) of them
SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))  # of a piece, where its label may lie


ROUNDS = 4  # in which labels make room for each other


def placed(
    dots: Sequence[Box],
    extents: Sequence[tuple[int, int]],
    bodies: Sequence[Box],
    taken: Sequence[Box],
    shape: tuple[int, ...],
    gap: int,
) -> tuple[list[Box], int]:
    """A label beside each dot, and how many pixels labels hide of others, of pieces and of what is `taken`.

    `extents` are their widths and heights, `bodies` what each piece surely fills: its own label may hide that. `shape`
    is the picture's. Each lies on the first side where it hides least.
    """
    if not dots:
        return [], 0
    around = np.array([_around(dot, extent, gap) for dot, extent in zip(dots, extents, strict=True)])
    beyond = np.array([_beyond(sides, shape) for sides in around])
    others = [np.array([*bodies[:i], *bodies[i + 1 :], *taken]) for i in range(len(bodies))]
    fixed = np.array([_common(sides, them).sum(axis=1) for sides, them in zip(around, others, strict=True)])
    labels = np.zeros((len(dots), 4), np.int64)  # not placed yet: they have no pixels
    for _ in range(ROUNDS):
        hidden = 0
        for i, sides in enumerate(around):
            labels[i] = 0
            costs = fixed[i] + _common(sides, labels).sum(axis=1)
            best = int(np.argmin(costs + beyond[i]))
            labels[i], hidden = sides[best], hidden + int(costs[best])
        if not hidden:
            break
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in labels], hidden


def _around(dot: Box, extent: tuple[int, int], gap: int) -> Boxes:
    """Where the label may lie, the usual place first."""
    left, top, right, low = dot
    wide, high = extent
    starts = {-1: (left - gap - wide, top - gap - high), 0: ((left + right - wide) // 2, (top + low - high) // 2)}
    starts[1] = (right + gap, low + gap)
    return np.array([(starts[i][0], starts[j][1], starts[i][0] + wide, starts[j][1] + high) for i, j in SIDES])


def _common(some: Boxes, others: Boxes) -> Boxes:
    """(n, m) square pixels that both cover."""
    low = np.maximum(some[:, None, :2], others[None, :, :2])
    high = np.minimum(some[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.clip(high - low, 0, None).prod(axis=2))


def _beyond(boxes: Boxes, shape: tuple[int, ...]) -> Boxes:
    """(n,) square pixels of each that lie outside the picture."""
    whole = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    return np.asarray(whole - _common(boxes, np.array([(0, 0, shape[1], shape[0])]))[:, 0])
