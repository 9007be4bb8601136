"""The sheets that measuring needs: table markers, lens board, colour card."""

import colorsys

from calibration.errors import CalibrationError
from calibration.markers import TABLE_DICTIONARY, CharucoShape, charuco_markers, marker_cells
from calibration.paper import (
    BLACK,
    PAGE_MARGIN,
    TEXT_SIZE,
    WHITE,
    Disc,
    Drawing,
    Label,
    Mark,
    Page,
    Rect,
    box,
    cut_frame,
    footed,
    paper_size,
    room_on,
    text_width,
)
from calibration.table import MARKER_PLACES
from calibration.tiling import tiled

GREYS = (0, 36, 73, 109, 146, 182, 219, 255)  # sRGB of the grey steps
HUES = 8  # strong and pale patches, evenly round the circle of colours
PATCH = 20.0
WORDS = 6.0  # mm under a marker for its name, which is cut out with it
AS_LAID = (0, 1, 3, 2)  # the markers by rows, as they lie on the table


def marker_pages(paper: str = "a4", side_mm: float = 40.0) -> tuple[Page, ...]:
    """The four table markers with their white rims, as many to a page as fit."""
    width, height = paper_size(paper)
    rim = max(side_mm / 6, 6.0)  # white around the black is part of a marker
    card = side_mm + 2 * rim
    room = room_on(width, height)
    across, down = int(room[0] // (card + 2)), int(room[1] // (card + WORDS + 2))
    if side_mm <= 0 or across < 1 or down < 1:
        raise CalibrationError(f"a marker of {side_mm:g} mm does not fit on {paper}")
    across = min(across, 2)
    to_page = min(across * down, 4)
    pages = []
    for first in range(0, 4, to_page):
        marks: list[Mark] = []
        for place, number in enumerate(AS_LAID[first : first + to_page]):
            x = PAGE_MARGIN + (place % across) * (card + 2)
            y = PAGE_MARGIN + (place // across) * (card + WORDS + 2)
            marks += marker_rects(number, x + rim, y + rim, side_mm)
            marks += cut_frame(x, y, card, card + WORDS)
            marks.append(_name(number, x, y + card + 3.5, card))
        text = (
            f"Table markers, {TABLE_DICTIONARY}, black square {side_mm:g} mm: print at 100 %, cut, lay them flat, "
            "all the same way up"
        )
        pages.append(footed(width, height, marks, text))
    return tuple(pages)


def _name(number: int, x: float, y: float, width: float) -> Label:
    """What a marker is called, as large as its card is wide."""
    text = f"marker {number}: {MARKER_PLACES[number]}"
    size = min(TEXT_SIZE, TEXT_SIZE * (width - 2) / text_width(text, TEXT_SIZE))
    return Label(x + width / 2, y, text, size, "middle")


def lens_pages(paper: str = "a4", shape: CharucoShape | None = None) -> tuple[Page, ...]:
    """The board for measuring the lens, lying across the page; never divided, for it has to be flat and whole."""
    shape = shape or CharucoShape()
    height, width = paper_size(paper)  # across
    board = (shape.cols * shape.square_mm, shape.rows * shape.square_mm)
    room = room_on(width, height)
    if board[0] > room[0] or board[1] > room[1]:
        raise CalibrationError(f"a board of {board[0]:g}x{board[1]:g} mm does not fit on {paper}")
    marks = charuco_rects(shape, (width - board[0]) / 2, PAGE_MARGIN + (room[1] - board[1]) / 2)
    text = (
        f"Lens board, {shape.cols}x{shape.rows} squares of {shape.square_mm:g} mm, markers {shape.marker_mm:g} mm, "
        f"{shape.dictionary}: print at 100 %, glue on something flat"
    )
    return (footed(width, height, marks, text),)


def colour_pages(paper: str = "a4") -> tuple[Page, ...]:
    """A card of greys and colours that shows what printer, lamp and camera make of them."""
    return tiled(
        colour_card(), paper, "Colour card, sRGB values under every patch: lay it beside the pieces and take a picture"
    )


def patches() -> dict[tuple[int, int], tuple[int, int, int]]:
    """(row, column) of the colour card -> the patch's sRGB: greys, strong colours, pale ones, dark ones."""
    found = {(0, col): (grey, grey, grey) for col, grey in enumerate(GREYS)}
    for row, (strength, value) in enumerate(((1.0, 0.9), (0.4, 0.95), (1.0, 0.45)), start=1):
        for col in range(HUES):
            red, green, blue = colorsys.hsv_to_rgb(col / HUES, strength, value)
            found[row, col] = (round(red * 255), round(green * 255), round(blue * 255))
    return found


def patch_centre(row: int, col: int) -> tuple[float, float]:
    """The middle of a patch, in millimetres from the card's top left corner."""
    return 8.0 + (col + 0.5) * PATCH, 14.0 + row * (PATCH + 7.0) + PATCH / 2


def colour_card() -> Drawing:
    """The card: four rows of eight patches on white."""
    rows, cols = 4, max(len(GREYS), HUES)
    width, height = cols * PATCH + 16.0, rows * (PATCH + 7.0) + 20.0
    marks: list[Mark] = [
        *cut_frame(0, 0, width, height),
        Label(8, 10, "Tabletop Companion: colour card", 10, bold=True),
    ]
    for (row, col), colour in patches().items():
        x, y = patch_centre(row, col)
        word = "#{:02x}{:02x}{:02x}".format(*colour)
        marks.append(box(x - PATCH / 2, y - PATCH / 2, PATCH, PATCH, word, "#808080" if colour[0] == 255 else None))
        marks.append(Label(x, y + PATCH / 2 + 3.6, word[1:], 7, "middle", "#555555"))
    for x in (4.0, width - 4.0):  # grey dots by which a picture of it can be told from one on its head
        marks.append(Disc(x, 4.0, 1.6, BLACK))
    marks.append(Disc(4.0, height - 4.0, 1.6, WHITE, BLACK, 0.4))
    marks.append(
        Label(
            width - 8, height - 4, "print without colour correction; the paper's white counts, too", 7, "end", "#555555"
        )
    )
    return Drawing(width, height, tuple(marks))


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
