"""Draws over a picture what was recognised in it."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose
from companion.pieces import UNKNOWN, Piece, spoken
from companion.view import Sighting, TableView
from companion.vision.boards.cells import to_table
from companion.vision.label_places import Box, placed
from companion.vision.pipeline import Look
from companion.vision.report import UNEXPLAINED, pieces_told

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
GRID, SURE, UNSURE, LOST, TEXT = (255, 160, 0), (0, 200, 0), (0, 165, 255), (0, 0, 255), (255, 255, 255)
PLATE = 0.35  # of what lies below a label, so much still shows
SURE_FROM = 0.9
FONT, LETTERS, LINE_PX = cv2.FONT_HERSHEY_SIMPLEX, 0.33, 11  # of labels: size of the letters, height of a line
USUAL_PX = 1100  # width of pictures on which labels have their usual size
DOT_PX, ARROW_PX = 4, 18  # radius of a dot and length of an arrow on such pictures
BODY_SHARE, BODY_PX = 0.3, 14  # a piece surely fills this share of the way to the next one, and as much at most
WARNING_SIZE = 1.4  # of warnings beside labels
WHY_LETTERS = 20  # in a line of a reason
SCALES = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # the picture is enlarged until all labels have room ...
MOST_PX = 4400  # ... and made no wider than this for it
PROBE_MM = 5.0  # so far along a heading it is seen which way it points in the picture


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A piece in the picture: the pixel of its middle, which way it heads there, and what its label says."""

    at: Floats  # (2,)
    way: Floats | None  # (2,) of length 1
    lines: tuple[str, ...]
    colour: Colour


def drawn(look: Look, view: TableView) -> Picture:
    """A copy of the picture with the board's grid and a label at each piece.

    It has the size at which it was read, and is larger where labels would hide each other.
    """
    return _finished(look.picture.pixels, _marks(view, look), view, look)


def labelled(picture: Picture, view: TableView) -> Picture:
    """The same of a picture in which no table was seen."""
    return _finished(picture, _marks(view, None), view, None)


def words_of(piece: Piece) -> tuple[str, ...]:
    """One or two short lines: what tells the piece from its like, then its kind."""
    told = (piece.colour, piece.size, piece.value, piece.suit, piece.facing)
    kind = (spoken(piece.kind), "back" if piece.face == "back" else "", "lying" if piece.pose == "lying" else "")
    lines = (" ".join(w for w in told if w), " ".join(w for w in kind if w))
    return tuple(line for line in lines if line)


def _marks(view: TableView, look: Look | None) -> list[Mark]:
    pieces = pieces_told(view)
    marks = []
    for sighting in pieces:
        if sighting.x_px is None or sighting.y_px is None:
            continue
        at = np.array([sighting.x_px, sighting.y_px], np.float64)
        way = _way(sighting, look.place.pose if look else None)
        if look is not None:
            at = look.picture.from_original(at[None])[0]
        marks.append(Mark(at, way, _lines(sighting, pieces), _colour(sighting)))
    return marks


def _lines(sighting: Sighting, pieces: Sequence[Sighting]) -> tuple[str, ...]:
    """What a label says: the piece, what it stands on, or why it cannot be told."""
    lines = words_of(sighting.piece)
    if sighting.nested_on is not None:
        lines += (f"on {words_of(pieces[sighting.nested_on].piece)[0]}",)
    if sighting.piece == UNKNOWN:
        lines += tuple(textwrap.wrap(sighting.why or UNEXPLAINED, WHY_LETTERS))
    return lines


def _colour(sighting: Sighting) -> Colour:
    return LOST if sighting.piece == UNKNOWN else SURE if sighting.confidence >= SURE_FROM else UNSURE


def _way(sighting: Sighting, pose: CameraPose | None) -> Floats | None:
    """Which way a heading points in the picture: the camera may hang any way round."""
    if sighting.heading_deg is None:
        return None
    angle = np.deg2rad(sighting.heading_deg)
    along = np.array([np.cos(angle), np.sin(angle)])
    if pose is None or sighting.x_mm is None or sighting.y_mm is None:
        return along * (1, -1)
    middle = np.array([sighting.x_mm, sighting.y_mm])
    start, end = pose.project(np.array([middle, middle + PROBE_MM * along]))
    return np.asarray((end - start) / np.hypot(*(end - start)))


def _finished(picture: Picture, marks: Sequence[Mark], view: TableView, look: Look | None) -> Picture:
    """The picture with everything drawn on it, enlarged as far as its labels need it."""
    size = max(1.0, picture.shape[1] / USUAL_PX)
    notes = _wrapped(view.warnings, picture.shape[1], size)
    extents = [_extent(mark.lines, size) for mark in marks]
    bodies = _bodies(marks, size)
    fits: list[tuple[int, float, list[Box]]] = []
    for scale in (scale for scale in SCALES if scale == 1.0 or scale * picture.shape[1] <= MOST_PX):
        spots = [_spots(mark, scale, size) for mark in marks]
        taken = [*(box for boxes in spots for box in boxes), *([_note_box(notes, size)] if notes else [])]
        shape = tuple(round(side * scale) for side in picture.shape[:2])
        filled = [(round(a * scale), round(b * scale), round(c * scale), round(d * scale)) for a, b, c, d in bodies]
        boxes, hidden = placed([own[0] for own in spots], extents, filled, taken, shape, round(2 * size))
        fits.append((hidden, scale, boxes))
        if not hidden:
            break
    _, scale, boxes = min(fits, key=lambda fit: fit[:2])
    canvas = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
    if look is not None and look.cutter is not None:
        _draw_grid(canvas, look, scale)
    if notes:
        _draw_plate(canvas, _note_box(notes, size), notes, UNSURE, WARNING_SIZE * size)
    for mark in marks:
        _draw_mark(canvas, mark, scale, size)
    for mark, box in zip(marks, boxes, strict=True):
        _draw_plate(canvas, box, mark.lines, mark.colour, size)
    return canvas


def _bodies(marks: Sequence[Mark], size: float) -> Floats:
    """(n, 4) boxes in the picture as it was read that are surely filled by the pieces."""
    at = np.array([mark.at for mark in marks]).reshape(-1, 2)
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.diag(np.full(len(at), np.inf))
    half = np.minimum(BODY_SHARE * apart.min(axis=1, initial=np.inf), BODY_PX * size)[:, None]
    return np.hstack([at - half, at + half])


def _draw_grid(canvas: Picture, look: Look, scale: float) -> None:
    cutter = look.cutter
    assert cutter is not None
    shape = cutter.shape
    if shape.kind != "grid":
        for x_px, y_px in np.rint(cutter.centres_px() * scale).astype(int):
            cv2.circle(canvas, (int(x_px), int(y_px)), 3, GRID, 1, cv2.LINE_AA)
        return
    x = (np.arange(shape.cols + 1) - shape.cols / 2) * shape.cell_mm
    y = (np.arange(shape.rows + 1) - shape.rows / 2) * shape.cell_mm
    for points in [[(v, y[0]), (v, y[-1])] for v in x] + [[(x[0], v), (x[-1], v)] for v in y]:
        along = np.linspace(points[0], points[1], 9)
        table = np.hstack([to_table(along, cutter.board), np.full((9, 1), shape.thickness_mm)])
        pixels = np.rint(cutter.pose.project(table) * scale).astype(np.int32)
        cv2.polylines(canvas, [pixels.reshape(-1, 1, 2)], isClosed=False, color=GRID, thickness=1, lineType=cv2.LINE_AA)


def _ends(mark: Mark, scale: float, size: float) -> list[tuple[int, int]]:
    """The pixel of the dot, and that of the arrow's tip where there is one."""
    ends = [mark.at * scale]
    if mark.way is not None:
        ends.append(ends[0] + ARROW_PX * size * mark.way)
    return [(round(float(x)), round(float(y))) for x, y in ends]


def _spots(mark: Mark, scale: float, size: float) -> list[Box]:
    """The squares round the dot and round the arrow's tip."""
    radius = round(DOT_PX * size)
    return [(x - radius, y - radius, x + radius, y + radius) for x, y in _ends(mark, scale, size)]


def _draw_mark(canvas: Picture, mark: Mark, scale: float, size: float) -> None:
    """A dot where the piece is seen, and its heading."""
    ends = _ends(mark, scale, size)
    cv2.circle(canvas, ends[0], round(DOT_PX * size), mark.colour, -1, cv2.LINE_AA)
    if len(ends) > 1:
        cv2.arrowedLine(canvas, ends[0], ends[1], mark.colour, 2, cv2.LINE_AA, 0, 0.3)


def _wide(line: str, size: float) -> int:
    return int(cv2.getTextSize(line, FONT, LETTERS * size, 1)[0][0])


def _extent(lines: Sequence[str], size: float) -> tuple[int, int]:
    """Width and height of a label."""
    return max(_wide(line, size) for line in lines) + round(6 * size), round(LINE_PX * size * len(lines) + 4 * size)


def _wrapped(warnings: Sequence[str], width: int, size: float) -> list[str]:
    """The warnings in lines that fit beside each other's ends into a picture of that width."""
    letter = _wide("n" * 50, WARNING_SIZE * size) / 50
    return [line for text in warnings for line in textwrap.wrap(text, max(20, int((width - 40 * size) / letter)))]


def _note_box(notes: Sequence[str], size: float) -> Box:
    """Where the warnings stand: at the top left."""
    edge = round(8 * size)
    wide, high = _extent(notes, WARNING_SIZE * size)
    return edge, edge, edge + wide, edge + high


def _draw_plate(canvas: Picture, box: Box, lines: Sequence[str], colour: Colour, size: float) -> None:
    left, top, right, low = np.clip(box, 0, (canvas.shape[1], canvas.shape[0]) * 2).tolist()
    canvas[top:low, left:right] = (canvas[top:low, left:right] * PLATE).astype(np.uint8)
    cv2.rectangle(canvas, box[:2], box[2:], colour, 1, cv2.LINE_AA)
    for number, line in enumerate(lines, start=1):
        at = (box[0] + round(3 * size), box[1] + round(LINE_PX * size * number))
        cv2.putText(canvas, line, at, FONT, LETTERS * size, TEXT, 1, cv2.LINE_AA)
