"""Draws over a picture what was recognised in it."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import EMPTY, UNKNOWN, Piece, spoken
from companion.view import Sighting, TableView
from companion.vision.cells import to_table
from companion.vision.pipeline import Look

Picture = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels
GRID, SURE, UNSURE, LOST, TEXT = (255, 160, 0), (0, 200, 0), (0, 165, 255), (0, 0, 255), (255, 255, 255)
SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))  # of a piece, where its label may lie
PLATE = 0.35  # of what lies below a label, so much still shows
SURE_FROM = 0.9
FONT, LETTERS, LINE_PX = cv2.FONT_HERSHEY_SIMPLEX, 0.33, 11  # of labels: size of the letters, height of a line
USUAL_PX = 1100  # width of pictures on which labels have their usual size


def drawn(look: Look, view: TableView) -> Picture:
    """A copy of the picture (at the size at which it was read) with the board's grid and a label at each piece."""
    canvas = look.picture.pixels.copy()
    if look.cutter is not None:
        _draw_grid(canvas, look)
    seen = [(s, m) for s in view.pieces() if (m := _middle(s)) is not None]
    _draw_pieces(canvas, [(sighting, look.picture.from_original(m[None])[0]) for sighting, m in seen])
    return _warned(canvas, view)


def labelled(picture: Picture, view: TableView) -> Picture:
    """A copy of a picture in which no table was seen, with a label at each piece."""
    canvas = picture.copy()
    _draw_pieces(canvas, [(s, m) for s in view.pieces() if (m := _middle(s)) is not None])
    return _warned(canvas, view)


def _middle(sighting: Sighting) -> NDArray[np.float64] | None:
    """(2,) pixels of the picture as taken; None of an empty cell."""
    if sighting.piece == EMPTY or sighting.x_px is None or sighting.y_px is None:
        return None
    return np.array([sighting.x_px, sighting.y_px])


def _warned(canvas: Picture, view: TableView) -> Picture:
    for i, warning in enumerate(view.warnings):
        _write(canvas, warning, (10, 24 + 22 * i), 0.55, UNSURE)
    return canvas


def _draw_grid(canvas: Picture, look: Look) -> None:
    cutter = look.cutter
    assert cutter is not None
    shape = cutter.shape
    if shape.kind != "grid":
        for x_px, y_px in np.rint(cutter.centres_px()).astype(int):
            cv2.circle(canvas, (int(x_px), int(y_px)), 3, GRID, 1, cv2.LINE_AA)
        return
    x = (np.arange(shape.cols + 1) - shape.cols / 2) * shape.cell_mm
    y = (np.arange(shape.rows + 1) - shape.rows / 2) * shape.cell_mm
    for points in [[(v, y[0]), (v, y[-1])] for v in x] + [[(x[0], v), (x[-1], v)] for v in y]:
        along = np.linspace(points[0], points[1], 9)
        table = np.hstack([to_table(along, cutter.board), np.full((9, 1), shape.thickness_mm)])
        pixels = np.rint(cutter.pose.project(table)).astype(np.int32)
        cv2.polylines(canvas, [pixels.reshape(-1, 1, 2)], isClosed=False, color=GRID, thickness=1, lineType=cv2.LINE_AA)


def _draw_pieces(canvas: Picture, seen: Sequence[tuple[Sighting, NDArray[np.float64]]]) -> None:
    """A dot and an arrow on every piece, then the labels, each where it covers least of the others."""
    size = max(1.0, canvas.shape[1] / USUAL_PX)
    marks = [_mark(canvas, at, sighting, size) for sighting, at in seen]
    taken = [box for mark in marks for box in mark]
    for (sighting, _), (dot, *_) in zip(seen, marks, strict=True):
        lines = words_of(sighting.piece)
        box = _freest(_boxes(dot, _extent(lines, size), size), taken, canvas.shape)
        taken.append(box)
        _draw_plate(canvas, box, lines, _colour(sighting), size)


def words_of(piece: Piece) -> tuple[str, ...]:
    """One or two short lines: what tells the piece from its like, then its kind."""
    told = (piece.colour, piece.size, piece.value, piece.suit, piece.facing)
    kind = (spoken(piece.kind), "back" if piece.face == "back" else "", "lying" if piece.pose == "lying" else "")
    lines = (" ".join(w for w in told if w), " ".join(w for w in kind if w))
    return tuple(line for line in lines if line)


def _colour(sighting: Sighting) -> tuple[int, int, int]:
    return LOST if sighting.piece == UNKNOWN else SURE if sighting.confidence >= SURE_FROM else UNSURE


def _mark(canvas: Picture, at: NDArray[np.float64], sighting: Sighting, size: float) -> list[Box]:
    """Draws where the piece is seen, and its heading; the squares round the dot and round the arrow's tip."""
    centre, radius, colour = (round(float(at[0])), round(float(at[1]))), round(4 * size), _colour(sighting)
    cv2.circle(canvas, centre, radius, colour, -1, cv2.LINE_AA)
    ends = [centre]
    if sighting.heading_deg is not None:
        angle, reach = np.deg2rad(sighting.heading_deg), 18 * size
        ends.append((round(centre[0] + reach * float(np.cos(angle))), round(centre[1] - reach * float(np.sin(angle)))))
        cv2.arrowedLine(canvas, centre, ends[1], colour, 2, cv2.LINE_AA)
    return [(x - radius, y - radius, x + radius, y + radius) for x, y in ends]


def _extent(lines: Sequence[str], size: float) -> tuple[int, int]:
    """Width and height of a label."""
    wide = max(cv2.getTextSize(line, FONT, LETTERS * size, 1)[0][0] for line in lines)
    return wide + round(6 * size), round(LINE_PX * size * len(lines) + 4 * size)


def _boxes(dot: Box, extent: tuple[int, int], size: float) -> list[Box]:
    """Where the label may lie, the usual place first."""
    left, top, right, low = dot
    (wide, high), gap = extent, round(2 * size)
    starts = {-1: (left - gap - wide, top - gap - high), 0: ((left + right - wide) // 2, (top + low - high) // 2)}
    starts[1] = (right + gap, low + gap)
    return [(starts[i][0], starts[j][1], starts[i][0] + wide, starts[j][1] + high) for i, j in SIDES]


def _freest(boxes: Sequence[Box], taken: Iterable[Box], shape: tuple[int, ...]) -> Box:
    """The first of those that cover least of what is taken and of what lies beyond the picture."""
    others = tuple(taken)

    def covers(box: Box) -> int:
        inside = _common(box, (0, 0, shape[1], shape[0]))
        beyond = (box[2] - box[0]) * (box[3] - box[1]) - inside
        return beyond + sum(_common(box, other) for other in others)

    return min(boxes, key=covers)


def _common(one: Box, other: Box) -> int:
    """Square pixels that both cover."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, wide) * max(0, high)


def _draw_plate(canvas: Picture, box: Box, lines: Sequence[str], colour: tuple[int, int, int], size: float) -> None:
    left, top, right, low = np.clip(box, 0, (canvas.shape[1], canvas.shape[0]) * 2).tolist()
    canvas[top:low, left:right] = (canvas[top:low, left:right] * PLATE).astype(np.uint8)
    cv2.rectangle(canvas, box[:2], box[2:], colour, 1, cv2.LINE_AA)
    for number, line in enumerate(lines, start=1):
        at = (box[0] + round(3 * size), box[1] + round(LINE_PX * size * number))
        cv2.putText(canvas, line, at, FONT, LETTERS * size, TEXT, 1, cv2.LINE_AA)


def _write(canvas: Picture, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    thick = max(1, round(size / 0.5))
    cv2.putText(canvas, text, at, FONT, size, (0, 0, 0), 2 * thick + 1, cv2.LINE_AA)
    cv2.putText(canvas, text, at, FONT, size, colour, thick, cv2.LINE_AA)
