"""Which boards a picture may show, where nobody said how large its cells are, or how many there are.

A board of squares is looked for as the square whose cells' sides have most edges under them, and no sides without. Its
rim tells little: it may be as wide as a cell. What is found is therefore a list, the likeliest first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose, BoardShape
from companion.vision.boards.edges import Edges, edge_directions, view_from_above
from companion.vision.boards.pattern_finder import pattern_scores
from companion.vision.boards.settings import BoardSettings
from companion.vision.boards.tones import alike_beside

Picture = NDArray[np.uint8]
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SizeSettings:
    """The search for a board of any size."""

    view_mm: float = 1.5  # one pixel of the view from above
    hex_view_mm: float = 3.0  # ... in which hexagons are looked for
    least_mm: float = 10.0  # sides of cells that are tried ...
    most_mm: float = 120.0
    step: float = 1.015  # ... each so many times the one before
    hex_step: float = 1.03
    cover: float = 0.42  # share of a side that lies on an edge, below which it speaks against a cell there
    middle: float = 0.8  # share of a side, around its middle, that is looked at
    unlike: float = 0.9  # share of a worth that depends on how unlike the colours on the board and beside it are ...
    same_size: float = 0.06  # cells whose sides differ by no larger share are of one size
    weighed: int = 60  # ... for so many boards, ...
    kept_unlike: int = 10  # ... of which the best are kept beside the best by their sides alone
    kept: int = 10
    of_a_count: int = 3  # of each count of cells at least so many sizes


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A board that may be there, and how much speaks for it: comparable among boards of one picture only."""

    shape: BoardShape
    worth: float
    pose: BoardPose | None = None  # about where


def board_sizes(
    image: Picture,
    camera: CameraPose,
    shape: BoardShape,
    counts: Sequence[tuple[int, int]],
    markers: TableMarkers,
) -> list[BoardSize]:
    """The likeliest boards with one of these counts of (columns, rows), cells of any size, the best first.

    `shape` tells the kind of its cells and how thick it is; hexagons have its count. What is found has no rim.
    """
    settings = SizeSettings()
    bare = replace(shape, border_mm=0.0)
    most = max(settings.of_a_count, settings.kept // len(counts)) if counts else 0
    if shape.kind == "hex":
        return _distinct(_hexagons(image, camera, bare, markers, settings), most, settings.kept, settings)
    search = BoardSettings(search_mm=settings.view_mm)
    view = view_from_above(image, camera, shape.thickness_mm, markers, search)
    found = _distinct(_squares(view, bare, counts, search, settings), most, settings.weighed, settings)
    unlike = sorted(found, key=lambda size: -size.worth * (1 - settings.unlike * _alike(size, view, search)))
    kept = {size.shape for size in (*found[: settings.kept], *unlike[: settings.kept_unlike])}
    return [size for size in found if size.shape in kept]


def _distinct(found: Iterable[BoardSize], of_a_count: int, most: int, settings: SizeSettings) -> list[BoardSize]:
    """The best of each size, and few of each count, lest one pattern all over the table be all that is kept."""
    kept: list[BoardSize] = []
    for one in sorted(found, key=lambda size: -size.worth):
        shape = one.shape
        others = [o.shape.cell_mm for o in kept if (o.shape.cols, o.shape.rows) == (shape.cols, shape.rows)]
        new = all(abs(shape.cell_mm / mm - 1) > settings.same_size for mm in others)
        if new and len(others) < of_a_count and len(kept) < most:
            kept.append(one)
    return kept


def _alike(size: BoardSize, view: Picture, search: BoardSettings) -> float:
    """How alike the board and what is beside it are: a piece of a checked cloth is quite like the rest."""
    return 0.0 if size.pose is None else alike_beside(view, size.pose, size.shape, search)


def _sides_mm(settings: SizeSettings, step: float) -> Iterator[float]:
    side = settings.least_mm
    while side <= settings.most_mm:
        yield side
        side *= step


def _hexagons(
    image: Picture,
    camera: CameraPose,
    shape: BoardShape,
    markers: TableMarkers,
    settings: SizeSettings,
) -> Iterator[BoardSize]:
    search = BoardSettings(search_mm=settings.hex_view_mm)
    shapes = [replace(shape, cell_mm=side) for side in _sides_mm(settings, settings.hex_step)]
    view = view_from_above(image, camera, shape.thickness_mm, markers, search)
    for sized, score in zip(shapes, pattern_scores(view, shapes, search), strict=True):
        yield BoardSize(sized, score)


def _squares(
    view: Picture, shape: BoardShape, counts: Sequence[tuple[int, int]], search: BoardSettings, settings: SizeSettings
) -> Iterator[BoardSize]:
    edges = Edges.of(view, search)
    turns = {(rows, cols): 90.0 for cols, rows in counts} | dict.fromkeys(counts, 0.0)
    for angle in edge_directions(edges, search):
        across, along, back = edges.turned(angle, search.askew)
        for side in _sides_mm(settings, settings.step):
            for (wide, high), worth, corner in _worths(across, along, side / settings.view_mm, list(turns), settings):
                middle = corner + np.array([wide, high]) * side / settings.view_mm / 2
                at = back @ np.append(middle, 1.0) - (np.array(view.shape[1::-1]) - 1) / 2
                x, y = (float(v) * settings.view_mm for v in at * (1, -1))
                turn = turns[wide, high]
                cols, rows = (wide, high) if turn == 0 else (high, wide)
                pose = BoardPose(x, y, angle + turn)
                yield BoardSize(replace(shape, cols=cols, rows=rows, cell_mm=side), worth * side, pose)


def _worths(
    across: Singles, along: Singles, side: float, counts: Sequence[tuple[int, int]], settings: SizeSettings
) -> Iterator[tuple[tuple[int, int], float, Floats]]:
    """Of each count of cells with sides of so many pixels: how much speaks for the best place, in sides of cells, and
    the pixel of its first corner.
    """
    height, width = across.shape
    first = np.arange(int(side))[:, None]  # every pixel of one cell may be the corner of the board
    rows, cols = int(height / side) - 1, int(width / side) - 1
    if rows < 1 or cols < 1:
        return
    y = first + np.rint(np.arange(rows) * side).astype(np.int64)
    x = first + np.rint(np.arange(cols) * side).astype(np.int64)
    long, half = max(1, round(settings.middle * side)), round(side / 2)
    upright = _covered(across, (1, 3), (1, long))[y + half][:, :, x]  # (first y, row of cells, first x, line)
    level = _covered(along, (3, 1), (long, 1))[y][:, :, x + half]  # (first y, line, first x, column of cells)
    sums = [_summed(sides - np.float32(settings.cover)) for sides in (upright, level)]
    for wide, high in counts:
        if wide < cols and high < rows:
            both = [_boxes(sums[0], high, wide + 1), _boxes(sums[1], high + 1, wide)]
            down, right = (min(box.shape[axis] for box in both) for axis in (1, 3))
            worth = both[0][:, :down, :, :right] + both[1][:, :down, :, :right]
            i, j, k, m = np.unravel_index(int(worth.argmax()), worth.shape)
            yield (wide, high), float(worth[i, j, k, m]), np.array([x[k, m], y[i, j]], np.float64)


def _covered(edges: Singles, wider: tuple[int, int], size: tuple[int, int]) -> Singles:
    """Around each pixel the share of a side, (width, height), that lies on an edge or just beside one."""
    near = cv2.dilate(edges, np.ones(wider, np.uint8))
    return np.asarray(cv2.boxFilter(near, -1, size, borderType=cv2.BORDER_CONSTANT), np.float32)


def _summed(values: Singles) -> Singles:
    """The sum over all before each row and column of an array of (first y, row, first x, column)."""
    sums = np.zeros((values.shape[0], values.shape[1] + 1, values.shape[2], values.shape[3] + 1), np.float32)
    sums[:, 1:, :, 1:] = values.cumsum(1).cumsum(3)
    return sums


def _boxes(sums: Singles, rows: int, cols: int) -> Singles:
    """The sum over every box of so many rows and columns."""
    down = sums[:, rows:] - sums[:, :-rows]
    return np.asarray(down[..., cols:] - down[..., :-cols], np.float32)
