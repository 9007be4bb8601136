"""Boards for Ataxx and Hexxagon, of cells of equal size, in mid tones on which black and white discs stand out."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter

from calibration.paper import Drawing, Label, Line, Mark, Page, Shape, box, centred
from calibration.tiling import tiled
from companion.errors import UnreadableText
from companion.games import ataxx, hexxagon
from companion.games.ataxx.position import Position
from companion.games.base import Options
from companion.prints.base import Chosen, Sheet, SheetOption
from companion.prints.outlines import hexagon
from companion.view import BoardShape
from companion.vision.boards.cells import HEX_ROW, cell_centres, field_mm

LIGHT, DEEP, RIM, LINE, WORDS = "#58a378", "#46896a", "#2c5a42", "#357556", "#e3ede7"
NAMES = 8.0  # points
NAME_MM = 4.0  # room that a name wants beside a seam, so that neither cut nor tick meets it
THICKNESS_MM = 0.3  # of paper that was glued on something: enter your own
LETTER, NUMBER = itemgetter(slice(1)), itemgetter(slice(1, None))  # of a cell's name
# The ways that lines of cells run on the sheet (x right, y down), and what names the line that a cell is on.
GRID_ENDS = ((LETTER, (0.0, -1.0)), (NUMBER, (1.0, 0.0)))
HEX_ENDS = ((LETTER, (1.0, 0.0)), (NUMBER, (-0.5, -HEX_ROW)))

CELL = SheetOption("cell", 38.0, "distance of neighbouring cells, mm; discs have 0.8 to 0.9 of it", 10, 120)
BORDER = SheetOption("border", 10.0, "rim round the cells, mm", 0, 60)
BLOCKED = SheetOption("blocked", "none", "none, corners or sides as the game knows them, or cells like c3,e5")
LOOK = SheetOption("look", "checkered", "cells in two tones, or in one with lines", words=("checkered", "plain"))
USUAL_SIZE = int(next(option.default for option in ataxx.OPTIONS if option.name == "board"))
SIZE = SheetOption("board", USUAL_SIZE, "cells along a side", 3, 26)
HOLES = SheetOption("holes", "no", "cross out the three cells round the middle", words=("no", "yes"))


def ataxx_pages(paper: str, chosen: Chosen) -> tuple[Page, ...]:
    """A square board, on as many pages as it needs."""
    shape, position = ataxx_shape(chosen), _ataxx(chosen)
    blocked = frozenset(position.board.names_of(position.blocked))
    text = f"Ataxx board, {shape.cols}x{shape.rows} cells of {shape.cell_mm:g} mm"
    return tiled(board(shape, blocked, chosen["look"] == "checkered"), paper, text)


def hexxagon_pages(paper: str, chosen: Chosen) -> tuple[Page, ...]:
    """The hexagon of 61 cells."""
    shape = hexxagon_shape(chosen)
    position = hexxagon.start({"holes": chosen["holes"]})
    blocked = frozenset(position.board.names_of(position.blocked))
    text = f"Hexxagon board, 61 cells {shape.cell_mm:g} mm apart"
    return tiled(board(shape, blocked, checkered=False), paper, text)


def ataxx_shape(chosen: Chosen) -> BoardShape:
    """The board as it is printed."""
    cells = chosen["board"]
    return BoardShape(cells, cells, chosen["cell"], chosen["border"], THICKNESS_MM)


def hexxagon_shape(chosen: Chosen) -> BoardShape:
    """The hexagon as it is printed."""
    rows = len(hexxagon.start({}).board.rows)
    return BoardShape(rows, rows, chosen["cell"], chosen["border"], THICKNESS_MM, "hex")


def board(shape: BoardShape, blocked: frozenset[str], checkered: bool) -> Drawing:
    """Cells with their names in small print on the rim, the blocked ones crossed out."""
    field = field_mm(shape)
    width, height = field[0] + 2 * shape.border_mm, field[1] + 2 * shape.border_mm
    places = [(width / 2 + x, height / 2 - y) for x, y in cell_centres(shape)]
    # beside a hexagon its own tones go on: the eye looks a little beyond the cells at the edge
    marks: list[Mark] = [box(0, 0, width, height, DEEP if shape.kind == "hex" else RIM)]
    for cell, at in zip(shape.cells(), places, strict=True):
        dark = checkered and (ord(cell[0]) + int(cell[1:])) % 2 == 1
        marks += _cell(shape, at, DEEP if dark else LIGHT, cell in blocked)
    names = _names(shape, places)
    marks += names
    pitch, edge = shape.cell_mm, shape.border_mm
    if shape.kind == "hex":  # between two rows a straight cut meets cells anyway: any place beside the names is as good
        return Drawing(width, height, tuple(marks), _between(n.x for n in names), _between(n.y for n in names))
    seams = tuple(edge + pitch * i for i in range(1, shape.cols))
    return Drawing(width, height, tuple(marks), seams, seams)


def _cell(shape: BoardShape, at: tuple[float, float], fill: str, blocked: bool) -> list[Mark]:
    (x, y), side = at, shape.cell_mm
    if shape.kind == "hex":
        marks: list[Mark] = [Shape(hexagon(x, y, side), fill, DEEP, 0.8)]
    else:
        marks = [box(x - side / 2, y - side / 2, side, side, fill, LINE, 0.5)]
    if blocked:  # thin lines only: a dark patch would look like a black disc
        arm = side * 0.3
        marks += [Line(x - arm, y - arm * s, x + arm, y + arm * s, width=1.2, colour=RIM) for s in (1, -1)]
    return marks


def _between(middles: Iterable[float]) -> tuple[float, ...]:
    """Half way between neighbouring names, where there is room; `middles` are theirs along one side."""
    return tuple((low + high) / 2 for low, high in pairwise(sorted(middles)) if high - low >= NAME_MM)


def _names(shape: BoardShape, places: Sequence[tuple[float, float]]) -> list[Label]:
    """A letter and a number at both ends of each line of cells, in the middle of a rim that is wide enough for them.

    `places` are the cells' middles on the sheet, in the order of `shape.cells()`.
    """
    if shape.border_mm < 5:
        return []
    out, at = (shape.cell_mm + shape.border_mm) / 2, dict(zip(shape.cells(), places, strict=True))
    marks: list[Label] = []
    for of_line, (dx, dy) in HEX_ENDS if shape.kind == "hex" else GRID_ENDS:
        lines: dict[str, list[tuple[float, float]]] = {}
        for cell, place in at.items():
            lines.setdefault(of_line(cell), []).append(place)
        for name, line in lines.items():
            for (x, y), sign in ((line[0], -1), (line[-1], 1)):
                marks.append(centred(x + sign * out * dx, y + sign * out * dy, name, NAMES, WORDS))
    return marks


def _ataxx(chosen: Chosen) -> Position:
    """The start on this board, with a pattern of blocked cells or with cells that are named."""
    options: Options = {"board": chosen["board"]}
    blocked = str(chosen["blocked"]).strip().lower()
    if blocked in next(option.choices for option in ataxx.OPTIONS if option.name == "blocked"):
        return ataxx.start({**options, "blocked": blocked})
    start = ataxx.start(options)
    cells = start.board.mask_of(tuple(cell.strip() for cell in blocked.split(",")))
    if cells & (start.x | start.o):
        raise UnreadableText(f"blocked={blocked}: pieces begin on {', '.join(start.board.names_of(start.x | start.o))}")
    return Position(start.board, start.x, start.o, cells, without_drop=start.without_drop)


SHEETS = (
    Sheet("ataxx-board", "a board for Ataxx", ataxx_pages, (SIZE, BLOCKED, CELL, BORDER, LOOK), ataxx_shape),
    Sheet("hexxagon-board", "a board for Hexxagon", hexxagon_pages, (HOLES, CELL, BORDER), hexxagon_shape),
)
