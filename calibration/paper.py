"""Paper: marks in exact millimetres, pages with a ruler to check the printer by, and the PDF that they become.

Millimetres count from the top left corner of a page or drawing, x to the right and y down.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal, TypeAlias

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from calibration.errors import CalibrationError

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # mm, upright
PAGE_MARGIN = 8.0  # what common printers cannot reach, and a little more
FOOT = 25.0  # height of the strip at the foot of a page: ruler and text
RULER = 100.0
AUTHOR = "Tabletop Companion"
TEXT_SIZE = 9.0  # points
CAPITAL = 0.72  # height of a capital letter, in sizes of the font

BLACK, WHITE = "#000000", "#ffffff"
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle: black or white."""

    x: float
    y: float
    width: float
    height: float
    black: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line; dashed ones are to be cut along."""

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False
    width: float = 0.1
    colour: str = BLACK


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon, filled and with an outline where they have a colour."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.2


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled and with an outline where they have a colour."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.2


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; (x, y) is the start, middle or end of its base line. `turn_deg` is counter-clockwise."""

    x: float
    y: float
    text: str
    size: float = TEXT_SIZE  # points
    align: Literal["start", "middle", "end"] = "start"
    colour: str = BLACK
    bold: bool = False
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a drawing that begins at its (`from_x`, `from_y`), shown at (x, y); the rest is cut off."""

    x: float
    y: float
    width: float
    height: float
    from_x: float
    from_y: float
    marks: tuple["Mark", ...]


Mark: TypeAlias = Rect | Line | Shape | Disc | Label | Window


@dataclass(frozen=True, slots=True)
class Drawing:
    """Something to be printed in its size, on one page or several. `seams` are good places to divide it at."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    seams_x: tuple[float, ...] = ()
    seams_y: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size and what is on it, drawn in this order."""

    width: float
    height: float
    marks: tuple[Mark, ...]


def paper_size(paper: str) -> tuple[float, float]:
    """Width and height in millimetres, upright; CalibrationError lists the papers there are."""
    if paper not in PAPERS:
        raise CalibrationError(f"no paper is called {paper!r}; there are {', '.join(PAPERS)}")
    return PAPERS[paper]


def room_on(width: float, height: float) -> tuple[float, float]:
    """What is left of a page for a drawing, between the margins and above the foot."""
    return width - 2 * PAGE_MARGIN, height - 2 * PAGE_MARGIN - FOOT


def footed(width: float, height: float, marks: Iterable[Mark], text: str) -> Page:
    """A page with the ruler and `text`, up to two lines, at its foot."""
    bottom = height - PAGE_MARGIN
    note = Label(PAGE_MARGIN + RULER + 4, bottom - 12, f"this ruler must measure {RULER:g} mm")
    parts = wrapped(text, width - 2 * PAGE_MARGIN)
    words = [Label(PAGE_MARGIN, bottom - 1 - 4 * (len(parts) - 1 - i), part) for i, part in enumerate(parts)]
    return Page(width, height, (*marks, *ruler(PAGE_MARGIN, bottom - 15), note, *words))


def ruler(x: float, y: float) -> list[Line]:
    """A hundred millimetres with their ticks."""
    lines = [Line(x, y, x + RULER, y)]
    for tick in range(int(RULER) + 1):
        length = 5.0 if tick % 10 == 0 else 3.5 if tick % 5 == 0 else 2.0
        lines.append(Line(x + tick, y, x + tick, y + length))
    return lines


def cut_frame(x: float, y: float, width: float, height: float) -> list[Line]:
    """Four dashed lines to be cut along."""
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return [Line(*corners[i], *corners[(i + 1) % 4], dashed=True) for i in range(4)]


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str | None = None,
    stroke: str | None = None,
    line: float = 0.2,
) -> Shape:
    """A rectangle in colour."""
    return Shape(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), fill, stroke, line)


def centred(x: float, y: float, text: str, size: float, colour: str = BLACK, bold: bool = False) -> Label:
    """Text whose capitals have their middle at (x, y)."""
    return Label(x, y + CAPITAL * size / mm / 2, text, size, "middle", colour, bold)


def text_width(text: str, size: float = TEXT_SIZE, bold: bool = False) -> float:
    """Millimetres that a line of text is long."""
    return float(stringWidth(text, _font(bold), size) / mm)


def wrapped(text: str, width_mm: float, size: float = TEXT_SIZE) -> list[str]:
    """The text in lines no longer than `width_mm`."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width_mm:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as a PDF whose millimetres are millimetres."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(pages[0].width * mm, pages[0].height * mm), invariant=True)
    canvas.setTitle(title)
    canvas.setAuthor(AUTHOR)
    canvas.setCreator(AUTHOR)
    canvas.setSubject("a sheet in exact millimetres: print at 100 %")
    canvas.setViewerPreference("PrintScaling", "None")  # no viewer may shrink it to fit
    for page in pages:
        canvas.setPageSize((page.width * mm, page.height * mm))
        canvas.setLineJoin(1)
        _draw(canvas, page.marks, 0.0, page.height)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _draw(canvas: Canvas, marks: Sequence[Mark], left: float, top: float) -> None:
    """Draw marks whose (0, 0) lies at (left, top), in millimetres from the bottom left corner, as PDF counts."""
    for mark in marks:
        if isinstance(mark, Window):
            canvas.saveState()
            path = canvas.beginPath()
            path.rect((left + mark.x) * mm, (top - mark.y - mark.height) * mm, mark.width * mm, mark.height * mm)
            canvas.clipPath(path, stroke=0, fill=0)
            _draw(canvas, mark.marks, left + mark.x - mark.from_x, top - mark.y + mark.from_y)
            canvas.restoreState()
        elif isinstance(mark, Label):
            _draw_text(canvas, mark, left, top)
        elif isinstance(mark, Line):
            canvas.setStrokeColor(HexColor(mark.colour))
            canvas.setLineWidth(mark.width * mm)
            canvas.setDash(*((1.5 * mm, 1.5 * mm) if mark.dashed else ()))
            canvas.line((left + mark.x1) * mm, (top - mark.y1) * mm, (left + mark.x2) * mm, (top - mark.y2) * mm)
        elif isinstance(mark, Rect):
            colour = BLACK if mark.black else WHITE
            _draw_area(canvas, box(mark.x, mark.y, mark.width, mark.height, colour), left, top)
        else:
            _draw_area(canvas, mark, left, top)


def _draw_area(canvas: Canvas, mark: Shape | Disc, left: float, top: float) -> None:
    if mark.fill is not None:
        canvas.setFillColor(HexColor(mark.fill))
    if mark.stroke is not None:
        canvas.setStrokeColor(HexColor(mark.stroke))
        canvas.setLineWidth(mark.width * mm)
        canvas.setDash()
    filled, outlined = int(mark.fill is not None), int(mark.stroke is not None)
    if isinstance(mark, Disc):
        at = ((left + mark.x) * mm, (top - mark.y) * mm)
        canvas.circle(*at, mark.radius * mm, stroke=outlined, fill=filled)
        return
    path = canvas.beginPath()
    for number, (x, y) in enumerate(mark.points):
        (path.lineTo if number else path.moveTo)((left + x) * mm, (top - y) * mm)
    path.close()
    canvas.drawPath(path, stroke=outlined, fill=filled)


def _draw_text(canvas: Canvas, mark: Label, left: float, top: float) -> None:
    canvas.saveState()
    canvas.setFillColor(HexColor(mark.colour))
    canvas.setFont(_font(mark.bold), mark.size)
    canvas.translate((left + mark.x) * mm, (top - mark.y) * mm)
    canvas.rotate(mark.turn_deg)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.align]
    canvas.drawString(-before * text_width(mark.text, mark.size, mark.bold) * mm, 0, mark.text)
    canvas.restoreState()


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"
