"""A drawing larger than the paper: divided over pages that are cut and glued together again."""

import itertools
import math
from dataclasses import dataclass

from calibration.errors import CalibrationError
from calibration.paper import (
    PAGE_MARGIN,
    RULER,
    WHITE,
    Drawing,
    Line,
    Mark,
    Page,
    Window,
    box,
    centred,
    footed,
    paper_size,
    room_on,
)

FLAP = 8.0  # mm of a page that the next one is glued upon; it shows the drawing, too
TICK = 5.0  # length of the marks that meet at a seam
MOST_PAGES = 36
MAP_CELL = 5.0  # of the little map that tells which page goes where


@dataclass(frozen=True, slots=True)
class _Span:
    """What one page shows of a drawing, along one side of it."""

    start: float
    end: float  # the seam, or the drawing's end
    flap: float  # shown beyond the seam

    @property
    def length(self) -> float:
        return self.end + self.flap - self.start


def tiled(drawing: Drawing, paper: str, text: str) -> tuple[Page, ...]:
    """The drawing in its size: on one page when it fits, upright or across, else on as few as can be.

    Seams lie where the drawing has them if they can. CalibrationError when it would need too many pages.
    """
    short, long = paper_size(paper)
    ways = []
    for width, height in ((short, long), (long, short)):
        room = room_on(width, height)
        across = _divided(drawing.width, room[0], drawing.seams_x)
        down = _divided(drawing.height, room[1], drawing.seams_y)
        ways.append((len(across) * len(down), width, height, across, down))
    count, width, height, across, down = min(ways, key=lambda way: way[0])
    if count > MOST_PAGES:
        size = f"{drawing.width:.0f}x{drawing.height:.0f} mm"
        raise CalibrationError(f"a drawing of {size} would need {count} pages of {paper}; {MOST_PAGES} at most")
    if count == 1:
        return (_whole(drawing, width, height, text),)
    return tuple(
        _part(drawing, (width, height), (across, down), (row, col), text)
        for row, col in itertools.product(range(len(down)), range(len(across)))
    )


def _divided(length: float, room: float, seams: tuple[float, ...]) -> tuple[_Span, ...]:
    """Spans of at most `room`, flaps included; as few as can be, cut at the best seam that keeps them so few."""
    if length <= room:
        return (_Span(0.0, length, 0.0),)
    most = room - FLAP
    count = 1 + math.ceil(round((length - room) / most, 6))
    spans, start = [], 0.0
    for left in range(count - 1, 0, -1):
        least = length - room - (left - 1) * most  # a seam before this would need one page more
        even = start + (length - start) / (left + 1)
        usable = [s for s in seams if max(least, start + 1.0) <= s <= start + most]
        end = min(usable, key=lambda s: abs(s - even)) if usable else min(max(even, least), start + most)
        spans.append(_Span(start, end, FLAP))
        start = end
    return (*spans, _Span(start, length, 0.0))


def _whole(drawing: Drawing, width: float, height: float, text: str) -> Page:
    """In the middle of the room of its page."""
    room = room_on(width, height)
    x, y = PAGE_MARGIN + (room[0] - drawing.width) / 2, PAGE_MARGIN + (room[1] - drawing.height) / 2
    window = Window(x, y, drawing.width, drawing.height, 0.0, 0.0, drawing.marks)
    return footed(width, height, [window], text)


def _part(
    drawing: Drawing,
    size: tuple[float, float],
    spans: tuple[tuple[_Span, ...], tuple[_Span, ...]],
    at: tuple[int, int],
    text: str,
) -> Page:
    across, down = spans
    (row, col), (width, height) = at, size
    h, v = across[col], down[row]
    x, y = PAGE_MARGIN, PAGE_MARGIN
    marks: list[Mark] = [Window(x, y, h.length, v.length, h.start, v.start, drawing.marks)]
    marks += _seam_marks(x, y, h, v, col > 0, row > 0)
    number = row * len(across) + col + 1
    marks += _map(width - PAGE_MARGIN, height - PAGE_MARGIN - 15 - 2, (len(down), len(across)), at)
    total = len(across) * len(down)
    how = "Cut along the dashed lines, lay the edges on the ticks of the page before, glue."
    return footed(width, height, marks, f"{text}. Page {number} of {total}. {how}")


def _seam_marks(x: float, y: float, h: _Span, v: _Span, cut_left: bool, cut_top: bool) -> list[Mark]:
    """Dashed cuts at the left and upper edge, ticks on the flaps where the next page's edge has to lie."""
    right, bottom = x + h.length, y + v.length
    marks: list[Mark] = []
    if cut_left:
        marks += [_plain(x, y, x, bottom), Line(x, y, x, bottom, dashed=True, width=0.2)]
    if cut_top:
        marks += [_plain(x, y, right, y), Line(x, y, right, y, dashed=True, width=0.2)]
    if h.flap:
        seam = right - h.flap
        marks += [*_tick(seam, y, seam, y + TICK), *_tick(seam, bottom - TICK, seam, bottom)]
        marks += _glue(right - h.flap / 2, (y + bottom) / 2)
    if v.flap:
        seam = bottom - v.flap
        marks += [*_tick(x, seam, x + TICK, seam), *_tick(right - TICK, seam, right, seam)]
        marks += _glue((x + right) / 2, bottom - v.flap / 2)
    return marks


def _tick(x1: float, y1: float, x2: float, y2: float) -> list[Mark]:
    """Black on white, to be seen on any drawing."""
    return [_plain(x1, y1, x2, y2), Line(x1, y1, x2, y2, width=0.3)]


def _plain(x1: float, y1: float, x2: float, y2: float) -> Line:
    return Line(x1, y1, x2, y2, width=0.9, colour=WHITE)


def _glue(x: float, y: float) -> list[Mark]:
    return [box(x - 3.5, y - 1.6, 7.0, 3.2, WHITE), centred(x, y, "glue", 6)]


def _map(right: float, top: float, shape: tuple[int, int], at: tuple[int, int]) -> list[Mark]:
    """All pages as little boxes, this one filled; its upper right corner is at (right, top)."""
    rows, cols = shape
    cell = min(MAP_CELL, 12.0 / rows, (right - PAGE_MARGIN - RULER - 62.0) / cols)
    left = right - cols * cell
    return [
        box(left + col * cell, top + row * cell, cell, cell, "#333333" if (row, col) == at else WHITE, "#333333")
        for row, col in itertools.product(range(rows), range(cols))
    ]
