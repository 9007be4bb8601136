"""Kaxxt on Ice: the robot's card in the size that the eye looks for, and cards to count shields on."""

from calibration.errors import CalibrationError
from calibration.paper import (
    PAGE_MARGIN,
    WHITE,
    Disc,
    Drawing,
    Label,
    Mark,
    Page,
    Shape,
    box,
    centred,
    cut_frame,
    footed,
    paper_size,
    room_on,
)
from calibration.tiling import tiled
from companion.games.kaxxt.position import FULL_SHIELD
from companion.pieces import ROBOT_CARD_MM
from companion.prints.base import Chosen, Sheet, SheetOption
from companion.prints.outlines import moved, rounded

CRIMSON, DARK, PALE, GLOW = "#a3184a", "#3a0a1d", "#e9dfe3", "#ff9a3c"  # few tables are crimson
RIM = 4.0  # white round the card, so that it stands out on dark tables as well
SHIELD_CELL = 11.0
SHIELD_COLUMNS = 10
BANNER = 9.0  # height of a shield card's heading
SEATS = {"Kaxxt": "#5b6470", "South": "#2b6cb0", "West": "#2f7d4f", "North": "#a33b3b", "East": "#8a6a12"}

BEAM = ((-2.2, 0.0), (-2.2, -9.5), (-6.0, -9.5), (0.0, -17.5), (6.0, -9.5), (2.2, -9.5), (2.2, 0.0))
JAW = ((-15.0, 0.0), (15.0, 0.0), (11.0, 8.5), (-11.0, 8.5))
BROW = ((-8.0, -3.2), (8.0, 1.6), (8.0, 4.4), (-8.0, -0.4))


def card_pages(paper: str, chosen: Chosen) -> tuple[Page, ...]:
    """The robot's card alone on a page."""
    size = f"{ROBOT_CARD_MM[0]:g}x{ROBOT_CARD_MM[1]:g} mm"
    text = f"Kaxxt's card, {size}: print at 100 %, cut, lay it in the middle; its arrow points at the target"
    return tiled(card(), paper, text)


def card() -> Drawing:
    """A robot whose laser points to the card's upper edge. The fine print at its foot tells the eye where that is."""
    width, height = ROBOT_CARD_MM
    middle = width / 2
    marks: list[Mark] = [
        box(0, 0, width, height, WHITE, "#8a8a8a", 0.15),
        Shape(rounded(RIM, RIM, width - 2 * RIM, height - 2 * RIM, 3.0), CRIMSON),
        Shape(moved(BEAM, middle, 25.5), GLOW),
        Shape(rounded(middle - 20, 28, 40, 25, 5.0), PALE),  # head
        Shape(rounded(middle - 24.5, 34, 4.5, 12, 1.5), PALE),
        Shape(rounded(middle + 20, 34, 4.5, 12, 1.5), PALE),
        Shape(rounded(middle - 3.4, 24, 6.8, 5, 1.0), PALE),  # where the laser comes out
    ]
    for side in (-1, 1):
        eye = middle + side * 9.5
        marks += [Disc(eye, 39.5, 5.6, WHITE), Disc(eye - side * 1.2, 40.6, 2.7, DARK)]
        brow = tuple((eye - side * x, 34.6 + y) for x, y in BROW)
        marks.append(Shape(brow, DARK))
    marks.append(Shape(moved(JAW, middle, 55.0), PALE))
    marks += [box(middle - 9.0 + 4.0 * i, 56.6, 2.0, 5.0, DARK) for i in range(5)]
    marks += [
        box(middle - 24.0 + 5.0 * i, 65.5, 3.0, 8.5, WHITE) for i in range(10)
    ]  # the grille: coarse enough to see
    marks += [centred(middle, 79.0, "KAXXT ON ICE", 15.5, WHITE, bold=True)]
    return Drawing(width, height, tuple(marks))


def shield_pages(paper: str, chosen: Chosen) -> tuple[Page, ...]:
    """One card for Kaxxt and one for each player, as many to a page as fit."""
    width, height = paper_size(paper)
    room = room_on(width, height)
    wide, high = shield_size()
    to_page = int((room[1] + 2) // (high + 2))
    if wide > room[0] or to_page < 1:
        raise CalibrationError(f"a shield card of {wide:g}x{high:g} mm does not fit on {paper}")
    names = list(SEATS)[: 1 + chosen["players"]]
    text = f"Shield cards, squares of {SHIELD_CELL:g} mm: cut, keep them off the table's middle, move a coin along"
    pages = []
    for first in range(0, len(names), to_page):
        marks: list[Mark] = []
        for place, name in enumerate(names[first : first + to_page]):
            marks += shield_marks(name, (width - wide) / 2, PAGE_MARGIN + place * (high + 2))
        pages.append(footed(width, height, marks, text))
    return tuple(pages)


def shield_size() -> tuple[float, float]:
    """Width and height of a shield card: far from the robot card's, so that nothing takes it for that."""
    rows = FULL_SHIELD // SHIELD_COLUMNS
    return SHIELD_COLUMNS * SHIELD_CELL + SHIELD_CELL + 8.0, rows * SHIELD_CELL + BANNER + 4.0


def shield_marks(name: str, x: float, y: float) -> list[Mark]:
    """A heading and the squares 30 to 1 in rows, 0 beside the last."""
    wide, high = shield_size()
    colour = SEATS[name]
    marks: list[Mark] = [
        *cut_frame(x, y, wide, high),
        box(x, y, wide, BANNER, colour),
        centred_left(x + 5, y + BANNER / 2, f"{name}'s shield", 13),
        Label(x + wide - 5, y + BANNER / 2 + 1.3, f"full: {FULL_SHIELD}    0: out", 10, "end", WHITE),
    ]
    for points in range(FULL_SHIELD, -1, -1):
        left, top = shield_square(points)
        fill = WHITE if points % 5 else "#e6e9ee" if points else "#f6d5cd"
        marks.append(box(x + left, y + top, SHIELD_CELL, SHIELD_CELL, fill, colour, 0.3))
        marks.append(
            centred(x + left + SHIELD_CELL / 2, y + top + SHIELD_CELL / 2, str(points), 12, colour, bold=not points % 5)
        )
    return marks


def shield_square(points: int) -> tuple[float, float]:
    """The upper left corner of a square, from the card's; 0 lies to the right of 1."""
    row, col = (
        divmod(FULL_SHIELD - points, SHIELD_COLUMNS) if points else (FULL_SHIELD // SHIELD_COLUMNS - 1, SHIELD_COLUMNS)
    )
    return 4.0 + col * SHIELD_CELL, BANNER + 2.0 + row * SHIELD_CELL


def centred_left(x: float, y: float, text: str, size: float) -> Label:
    """White bold text that begins at x, its capitals' middle at y."""
    at = centred(x, y, text, size)
    return Label(at.x, at.y, text, size, "start", WHITE, bold=True)


SHEETS = (
    Sheet("kaxxt-card", "Kaxxt's card", card_pages),
    Sheet(
        "kaxxt-shields",
        "shield cards for Kaxxt and the players",
        shield_pages,
        (SheetOption("players", 4, "players, beside Kaxxt", 2, 4),),
    ),
)
