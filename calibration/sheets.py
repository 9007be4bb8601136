"""Every printable sheet as a PDF in exact millimetres, each with a ruler to check the printer by."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.errors import CalibrationError
from calibration.markers import TABLE_DICTIONARY, CharucoShape, charuco_markers, marker_cells
from calibration.table import MARKER_PLACES

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # mm, upright
PAGE_MARGIN = 8.0  # what common printers cannot reach, and a little more
RULER = 100.0
TEXT_SIZE = 9.0


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle in millimetres from the page's top left corner."""

    x: float
    y: float
    width: float
    height: float
    black: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line in millimetres from the page's top left corner; dashed ones are to be cut along."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text, its start at the base line."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size in millimetres and what is on it, drawn in this order."""

    width: float
    height: float
    rects: tuple[Rect, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]


def marker_pages(paper: str = "a4", side_mm: float = 40.0) -> tuple[Page, ...]:
    """The four table markers with their white rims, as many to a page as fit."""
    width, height = paper_size(paper)
    rim = max(side_mm / 6, 6.0)  # white around the black is part of a marker
    card = side_mm + 2 * rim
    room = (width - 2 * PAGE_MARGIN, height - 2 * PAGE_MARGIN - 40)  # below: ruler and text
    across, down = int(room[0] // (card + 2)), int(room[1] // (card + 8))
    if side_mm <= 0 or across < 1 or down < 1:
        raise CalibrationError(f"a marker of {side_mm:g} mm does not fit on {paper}")
    across = min(across, 2)
    to_page = min(across * down, 4)
    pages = []
    for first in range(0, 4, to_page):
        rects: list[Rect] = []
        lines: list[Line] = []
        labels: list[Label] = []
        for place, number in enumerate(range(first, min(first + to_page, 4))):
            x = PAGE_MARGIN + (place % across) * (card + 2)
            y = PAGE_MARGIN + (place // across) * (card + 8)
            rects += marker_rects(number, x + rim, y + rim, side_mm)
            lines += _frame(x, y, card, card)
            labels.append(Label(x + 2, y + card + 4.5, f"marker {number}: {MARKER_PLACES[number]}"))
        text = f"table markers, {TABLE_DICTIONARY}, black square {side_mm:g} mm: print at 100 %, cut, lay them flat"
        pages.append(_page(width, height, rects, lines, labels, text))
    return tuple(pages)


def lens_pages(paper: str = "a4", shape: CharucoShape | None = None) -> tuple[Page, ...]:
    """The board for measuring the lens, lying across the page."""
    shape = shape or CharucoShape()
    height, width = paper_size(paper)  # across
    board = (shape.cols * shape.square_mm, shape.rows * shape.square_mm)
    x, y = (width - board[0]) / 2, PAGE_MARGIN + 4
    if x < PAGE_MARGIN or y + board[1] > height - PAGE_MARGIN - 25:
        raise CalibrationError(f"a board of {board[0]:g}x{board[1]:g} mm does not fit on {paper}")
    rects = charuco_rects(shape, x, y)
    text = (
        f"lens board, {shape.cols}x{shape.rows} squares of {shape.square_mm:g} mm, markers {shape.marker_mm:g} mm, "
        f"{shape.dictionary}: print at 100 %, glue on something flat"
    )
    return (_page(width, height, rects, [], [], text),)


def marker_rects(number: int, x: float, y: float, side_mm: float, name: str = TABLE_DICTIONARY) -> list[Rect]:
    """A marker with its top left corner at (x, y): one black square and its white cells upon it, without gaps."""
    black = marker_cells(number, name)
    cell = side_mm / len(black)
    rects = [Rect(x, y, side_mm, side_mm)]
    for row in range(len(black)):
        col = 0
        while col < len(black):
            run = col
            while run < len(black) and not black[row, run]:
                run += 1
            if run > col:
                rects.append(Rect(x + col * cell, y + row * cell, (run - col) * cell, cell, black=False))
            col = max(run, col + 1)
    return rects


def charuco_rects(shape: CharucoShape, x: float, y: float) -> list[Rect]:
    """A ChArUco board with its top left corner at (x, y)."""
    side = shape.square_mm
    rects = [
        Rect(x + col * side, y + row * side, side, side)
        for row in range(shape.rows)
        for col in range(shape.cols)
        if (col + row) % 2 == 0
    ]
    inset = (side - shape.marker_mm) / 2
    for number, (col, row) in charuco_markers(shape).items():
        at = (x + col * side + inset, y + row * side + inset)
        rects += marker_rects(number, *at, shape.marker_mm, shape.dictionary)
    return rects


def paper_size(paper: str) -> tuple[float, float]:
    """Width and height in millimetres, upright; CalibrationError lists the papers there are."""
    if paper not in PAPERS:
        raise CalibrationError(f"no paper is called {paper!r}; there are {', '.join(PAPERS)}")
    return PAPERS[paper]


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as a PDF whose millimetres are millimetres."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(pages[0].width * mm, pages[0].height * mm), invariant=True)
    canvas.setTitle(title)
    for page in pages:
        _draw(canvas, page)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _draw(canvas: Canvas, page: Page) -> None:
    canvas.setPageSize((page.width * mm, page.height * mm))
    for rect in page.rects:
        canvas.setFillGray(0 if rect.black else 1)
        bottom = page.height - rect.y - rect.height  # PDF counts from the bottom
        canvas.rect(rect.x * mm, bottom * mm, rect.width * mm, rect.height * mm, stroke=0, fill=1)
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.1 * mm)
    for line in page.lines:
        canvas.setDash(*((1.5 * mm, 1.5 * mm) if line.dashed else ()))
        canvas.line(line.x1 * mm, (page.height - line.y1) * mm, line.x2 * mm, (page.height - line.y2) * mm)
    canvas.setFillGray(0)
    canvas.setFont("Helvetica", TEXT_SIZE)
    for label in page.labels:
        canvas.drawString(label.x * mm, (page.height - label.y) * mm, label.text)


def _page(
    width: float, height: float, rects: Sequence[Rect], lines: Sequence[Line], labels: Sequence[Label], text: str
) -> Page:
    bottom = height - PAGE_MARGIN
    ruler = _ruler(PAGE_MARGIN, bottom - 10)
    note = Label(PAGE_MARGIN + RULER + 4, bottom - 6, f"this ruler must measure {RULER:g} mm")
    parts = _wrapped(text, width - 2 * PAGE_MARGIN)
    words = [Label(PAGE_MARGIN, bottom - 16 - 4 * (len(parts) - 1 - i), part) for i, part in enumerate(parts)]
    return Page(width, height, tuple(rects), (*lines, *ruler), (*labels, note, *words))


def _wrapped(text: str, width_mm: float) -> list[str]:
    """Lines that surely fit: about 1.75 mm for a letter."""
    most = int(width_mm / 1.75)
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _ruler(x: float, y: float) -> list[Line]:
    lines = [Line(x, y, x + RULER, y)]
    for tick in range(int(RULER) + 1):
        length = 5.0 if tick % 10 == 0 else 3.5 if tick % 5 == 0 else 2.0
        lines.append(Line(x + tick, y, x + tick, y + length))
    return lines


def _frame(x: float, y: float, width: float, height: float) -> list[Line]:
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return [Line(*corners[i], *corners[(i + 1) % 4], dashed=True) for i in range(4)]
