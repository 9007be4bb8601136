"""K'Dak's Tower: the camel-wash score track, whose squares lie exactly where the referee expects the coins."""

from calibration.paper import BLACK, WHITE, Disc, Drawing, Label, Line, Mark, Page, Shape, box, centred
from calibration.tiling import tiled
from companion.games.kdak.play import TITLES
from companion.games.kdak.track import COLUMNS, SQUARE_MM, SQUARES, square_mm
from companion.pieces import COIN_DIAMETER_MM
from companion.prints.base import Chosen, Sheet
from companion.prints.outlines import arc, moved

# light blue: coins are of wood, white, or of strong colours
POOL, RIPPLE, INK, WATER = "#b9d3e0", "#a5c5d6", "#3d5f73", "#6fb1cf"
TITLE_FILLS = ("#f9e9b8", "#f7e0a0", "#f4d68a", "#f1cb72")
ROWS = -(-SQUARES // COLUMNS)

# a camel that walks to the left, its feet on y = 0, about 30 wide and 24 high
BODY = (
    *((-9.5, -9.0), (-9.0, -13.5), (-6.5, -15.0), (-4.4, -19.5), (-2.2, -19.8), (-0.2, -15.6), (1.4, -15.4)),
    *((3.4, -19.8), (5.8, -19.6), (8.0, -14.6), (9.6, -12.0), (9.2, -8.0), (7.8, 0.0), (5.8, 0.0), (5.4, -7.2)),
    *((-4.6, -7.4), (-5.2, 0.0), (-7.2, 0.0), (-8.0, -7.6)),
)
NECK = (
    *((-8.0, -8.6), (-11.6, -9.4), (-13.2, -13.0), (-13.0, -18.4), (-16.8, -18.2), (-17.2, -20.0), (-13.6, -22.0)),
    *((-11.2, -21.6), (-10.2, -19.0), (-10.4, -14.2), (-8.4, -13.2)),
)
TAIL = ((9.2, -12.0), (11.0, -9.0), (10.6, -5.6), (10.0, -5.6), (10.2, -8.8), (9.0, -10.2))
FAR_LEGS = (((-2.8, -8.0), (-1.8, 0.0), (0.0, 0.0), (-0.4, -8.0)), ((2.0, -8.0), (2.0, 0.0), (3.8, 0.0), (4.6, -8.0)))
BUBBLES = (
    (-4.0, -23.5, 1.6),
    (0.6, -22.4, 2.2),
    (5.0, -24.0, 1.4),
    (8.6, -20.8, 1.8),
    (11.8, -16.8, 1.3),
    (-8.6, -18.6, 1.5),
)


def pages(paper: str, chosen: Chosen) -> tuple[Page, ...]:
    """The track, across the paper, or on two pages where it is too long for it."""
    text = (
        f"Camel-wash track, squares of {SQUARE_MM:g} mm for coins of {COIN_DIAMETER_MM:g} mm: "
        "lay it in front of the tower, 0 at the upper left"
    )
    return tiled(track(), paper, text)


def track() -> Drawing:
    """Squares 0 to 60 along a path that turns at every end of a row; a washed camel beside the last."""
    width, height = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    marks: list[Mark] = [box(0, 0, width, height, WHITE)]
    for number in range(SQUARES):
        marks += _square(number)
    marks += _path()
    marks += _camel_wash(*corner(SQUARES - 1), width, height)
    marks.append(box(0, 0, width, height, None, INK, 0.6))
    seams = tuple(SQUARE_MM * i for i in range(1, COLUMNS))
    return Drawing(width, height, tuple(marks), seams, tuple(SQUARE_MM * i for i in range(1, ROWS)))


def centre(number: int) -> tuple[float, float]:
    """The middle of a square, in millimetres from the sheet's upper left corner, y down."""
    x, y = square_mm(number)
    return x + COLUMNS * SQUARE_MM / 2, ROWS * SQUARE_MM / 2 - y


def corner(number: int) -> tuple[float, float]:
    """The upper left corner of a square."""
    x, y = centre(number)
    return x - SQUARE_MM / 2, y - SQUARE_MM / 2


def _square(number: int) -> list[Mark]:
    (x, y), (left, top) = centre(number), corner(number)
    levels = {points: i for i, (points, _) in enumerate(reversed(TITLES))}
    fill = TITLE_FILLS[levels[number]] if number in levels else RIPPLE if number % 5 == 0 else POOL
    marks: list[Mark] = [
        box(left, top, SQUARE_MM, SQUARE_MM, fill, INK, 0.25),
        Label(left + 1.2, top + 3.6, str(number), 8, "start", INK, bold=True),
    ]
    name = dict(TITLES).get(number)
    if name is None:
        marks.append(centred(x, y, str(number), 15, "#7ba3b8"))
    else:
        words = name.rsplit(" ", 1)
        lines = [*words[0].split(), words[1]] if len(words[0].split()) > 1 else words
        marks += [
            centred(x, y + 3.6 * (i - (len(lines) - 1) / 2), line, 8.5, INK, bold=True) for i, line in enumerate(lines)
        ]
    return marks


def _path() -> list[Mark]:
    """Thick lines between the rows, open where the path goes down to the next."""
    marks: list[Mark] = []
    for row in range(1, ROWS):
        y = row * SQUARE_MM
        opening = COLUMNS - 1 if row % 2 else 0
        start, end = (0.0, opening * SQUARE_MM) if opening else (SQUARE_MM, COLUMNS * SQUARE_MM)
        marks.append(Line(start, y, end, y, width=1.2, colour=INK))
        x = (opening + 0.5) * SQUARE_MM
        marks.append(Shape(((x - 2.0, y - 1.2), (x + 2.0, y - 1.2), (x, y + 1.8)), INK))
    return marks


def _camel_wash(last_left: float, top: float, width: float, height: float) -> list[Mark]:
    """The place beside the last square: the name, and a camel under a shower of bubbles."""
    left = last_left + SQUARE_MM
    middle = (left + width) / 2
    marks: list[Mark] = [
        box(left, top, width - left, height - top, "#eaf5fa"),
        Line(left, top, left, height, width=1.2, colour=INK),
    ]
    marks.append(Label(left + 4, height - 8.2, "Camel", 17, "start", INK, bold=True))
    marks.append(Label(left + 4, height - 2.4, "Wash", 17, "start", INK, bold=True))
    at, ground, scale = middle + 14.0, height - 2.2, 0.72
    marks.append(Shape(tuple((at + 17 * x, ground + 1.6 * y) for x, y in arc(0, 0, 1, 0, 360, 32)), WATER))
    for part, colour in (
        (FAR_LEGS[0], "#a67a3c"),
        (FAR_LEGS[1], "#a67a3c"),
        (BODY, "#c9974e"),
        (NECK, "#c9974e"),
        (TAIL, "#a67a3c"),
    ):
        marks.append(Shape(moved(part, at, ground, scale), colour))
    marks.append(Disc(at - 13.2 * scale, ground - 20.2 * scale, 0.42, BLACK))
    marks += [Disc(at + x * scale, ground + y * scale, r * scale, WHITE, WATER, 0.3) for x, y, r in BUBBLES]
    return marks


SHEETS = (Sheet("kdak-track", "the camel-wash score track", pages),)
