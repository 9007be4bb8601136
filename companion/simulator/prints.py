"""Flat printed things: markers, boards of squares and hexagons with their signs, sheets of rules, cards and phones."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from calibration.markers import marker_cells
from calibration.table import TableMarkers
from companion.simulator.arrays import Floats
from companion.simulator.places import cell_at
from companion.view import BoardPose, BoardShape


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A flat picture of `width_mm` x `height_mm` lying at a height; `albedo` linear BGR float32, top row first."""

    albedo: Floats
    width_mm: float
    height_mm: float
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    z_mm: float = 0.0
    thick_mm: float = 0.0  # its edge is drawn and it throws a narrow shadow
    shine: float = 0.02


@dataclass(frozen=True, slots=True)
class MarkerSheets:
    """The four table markers: centres `width_mm` x `height_mm` apart, printed with a white margin."""

    width_mm: float = 600.0
    height_mm: float = 380.0
    side_mm: float = 40.0
    margin_mm: float = 6.0
    white: float = 0.80
    black: float = 0.025

    def centres(self) -> tuple[tuple[float, float], ...]:
        """Ids 0 to 3: top left, top right, bottom right, bottom left."""
        w, h = self.width_mm / 2, self.height_mm / 2
        return ((-w, h), (w, h), (w, -h), (-w, -h))

    @property
    def places(self) -> TableMarkers:
        """Where they lie, as an eye is told."""
        return TableMarkers(self.width_mm, self.height_mm, self.side_mm)


def marker_prints(sheets: MarkerSheets, skip: tuple[int, ...] = ()) -> tuple[Print, ...]:
    """The sheets of paper with their markers; `skip` leaves some ids out."""
    return tuple(_marker(sheets, i, x, y) for i, (x, y) in enumerate(sheets.centres()) if i not in skip)


@lru_cache(maxsize=8)
def _marker(sheets: MarkerSheets, number: int, x: float, y: float) -> Print:
    cells = marker_cells(number)
    scale = 24
    inner = np.kron(np.where(cells, sheets.black, sheets.white), np.ones((scale, scale)))
    margin = round(sheets.margin_mm / sheets.side_mm * inner.shape[0])
    sheet = np.pad(inner, margin, constant_values=sheets.white).astype(np.float32)
    side = sheets.side_mm * sheet.shape[0] / inner.shape[0]
    return Print(np.repeat(sheet[..., None], 3, axis=2), side, side, x, y, thick_mm=0.1)


@dataclass(frozen=True, slots=True)
class BoardPrint:
    """How a board is made and printed; colours are linear BGR.

    On a hexagon (`kind` "hex") `cell_mm` is the distance of neighbours, its rows are level, and column and row count
    the letters and numbers of cell names, which need not begin with 1.
    """

    cols: int = 10
    rows: int = 8
    cell_mm: float = 38.0
    border_mm: float = 10.0
    thickness_mm: float = 3.0
    x_mm: float = 0.0
    y_mm: float = 0.0
    rotation_deg: float = 0.0
    ground: tuple[float, float, float] = (0.10, 0.095, 0.09)
    second: tuple[float, float, float] = (0.10, 0.095, 0.09)  # of every other cell
    rim: tuple[float, float, float] = (0.03, 0.03, 0.03)
    line: tuple[float, float, float] = (0.5, 0.5, 0.5)
    line_mm: float = 0.6
    red_ink: tuple[float, float, float] = (0.05, 0.05, 0.5)
    silver_ink: tuple[float, float, float] = (0.6, 0.6, 0.6)
    sign_mm: float = 20.0
    marked: tuple[tuple[int, int, str], ...] = ()
    shine: float = 0.03
    seed: int = 0
    grain: float = 0.0  # how strongly the grain of wood shows, along the grain of each cell
    dots_mm: float = 0.0  # diameter of the dots between the cells where Othello boards have them
    well_mm: float = 0.0  # side of the well in each cell, drawn as a thin closed line
    well_round: float = 0.0  # its corners: 0 square, 1 a circle
    well_tone: float = 0.7  # of its line, in tones of the ground
    kind: str = "grid"  # or "hex"

    @property
    def shape(self) -> BoardShape:
        """How it was made, as an eye is told."""
        return BoardShape(self.cols, self.rows, self.cell_mm, self.border_mm, self.thickness_mm, self.kind)

    @property
    def pose(self) -> BoardPose:
        """Where it lies."""
        return BoardPose(self.x_mm, self.y_mm, self.rotation_deg)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height with the rim."""
        high = ((self.rows - 1) * HEX_ROW + 1 if self.kind == "hex" else self.rows) * self.cell_mm
        return (self.cols * self.cell_mm + 2 * self.border_mm, high + 2 * self.border_mm)

    def on_board(self, col: float, row: float) -> tuple[float, float]:
        """Board millimetres (origin in the middle, y up) of a cell's middle."""
        x, y = col - (self.cols - 1) / 2, row - (self.rows - 1) / 2
        if self.kind == "hex":
            x, y = x - y / 2, y * HEX_ROW
        return x * self.cell_mm, y * self.cell_mm

    def cells(self) -> tuple[str, ...]:
        """The names of all cells."""
        return tuple(self.shape.cells())

    def middle_of(self, cell: str, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
        """Table millimetres of a cell's middle by its name."""
        return self.cell_centre(*cell_at(cell, self.kind), dx, dy)

    def cell_under(self, x_mm: float, y_mm: float) -> str | None:
        """The cell at a place on the table; None beside the cells."""
        reach = self.cell_mm / 2 if self.kind == "hex" else self.cell_mm / 2**0.5
        near = min(self.cells(), key=lambda cell: math.dist(self.middle_of(cell), (x_mm, y_mm)))
        return near if math.dist(self.middle_of(near), (x_mm, y_mm)) <= reach else None

    def cell_centre(self, col: int, row: int, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
        """Table millimetres of a cell's middle, (0, 0) bottom left, shifted by board millimetres."""
        x, y = self.on_board(col, row)
        x, y = x + dx, y + dy
        c, s = np.cos(np.radians(self.rotation_deg)), np.sin(np.radians(self.rotation_deg))
        return float(self.x_mm + c * x - s * y), float(self.y_mm + s * x + c * y)


KHET_MARKED = (  # the printed signs: red's eyes on file a and near j, silver's ankhs on file j and near a (Khet 3a)
    *((0, row, "eye") for row in range(8)),
    *((8, row, "eye") for row in (0, 7)),
    *((9, row, "ankh") for row in range(8)),
    *((1, row, "ankh") for row in (0, 7)),
)
HEX_ROW = 3**0.5 / 2  # distance of the rows of a hexagon, in cells


@lru_cache(maxsize=4)
def board_print(board: BoardPrint) -> Print:
    """The board as a flat print on top of its thickness."""
    scale = 4.0  # pixels per mm
    width, height = board.size_mm
    image = np.empty((round(height * scale), round(width * scale), 3), np.float32)
    image[:] = board.rim
    (_draw_hexagons if board.kind == "hex" else _draw_cells)(image, board, scale)
    if board.grain > 0:
        _draw_grain(image, board, scale)
    if board.well_mm > 0:
        _draw_wells(image, board, scale)
    if board.dots_mm > 0:
        _draw_dots(image, board, scale)
    for col, row, sign in board.marked:
        x, y = _pixel(board, *board.on_board(col, row), scale)
        _draw_sign(image, sign, x, y, board.sign_mm * scale, board.red_ink if sign == "eye" else board.silver_ink)
    rng = np.random.default_rng([board.seed, 5])
    grain = cv2.resize(
        rng.standard_normal((image.shape[0] // 3, image.shape[1] // 3), dtype=np.float32), image.shape[1::-1]
    )
    image *= (1 + 0.03 * grain)[..., None]
    return Print(
        np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.float32),
        width,
        height,
        board.x_mm,
        board.y_mm,
        board.rotation_deg,
        board.thickness_mm,
        board.thickness_mm,
        board.shine,
    )


def _draw_cells(image: Floats, board: BoardPrint, scale: float) -> None:
    for col in range(board.cols):
        for row in range(board.rows):
            x0, x1 = (round((board.border_mm + (col + d) * board.cell_mm) * scale) for d in (0, 1))
            y0, y1 = (round((board.border_mm + (row + d) * board.cell_mm) * scale) for d in (0, 1))
            image[y0:y1, x0:x1] = board.ground if (col + row) % 2 else board.second
    if board.line_mm <= 0:
        return
    half = max(1, round(board.line_mm * scale / 2))
    left, top = round(board.border_mm * scale), round(board.border_mm * scale)
    right, bottom = image.shape[1] - left, image.shape[0] - top
    for col in range(board.cols + 1):
        x = round((board.border_mm + col * board.cell_mm) * scale)
        image[top:bottom, max(0, x - half) : x + half] = board.line
    for row in range(board.rows + 1):
        y = round((board.border_mm + row * board.cell_mm) * scale)
        image[max(0, y - half) : y + half, left:right] = board.line


def _pixel(board: BoardPrint, x_mm: float, y_mm: float, scale: float) -> tuple[float, float]:
    """Where a place on the board is in its picture."""
    width, height = board.size_mm
    return (width / 2 + x_mm) * scale, (height / 2 - y_mm) * scale


def _draw_hexagons(image: Floats, board: BoardPrint, scale: float) -> None:
    """Cells with a corner up, in three tones, so that no two neighbours have the same; lines between them."""
    side = (board.rows + 1) // 2
    third = tuple((a + b) / 2 for a, b in zip(board.ground, board.second, strict=True))
    turns = np.radians(60 * np.arange(6) + 30)
    for row in range(board.rows):
        for col in range(board.cols):
            if abs(row - col) >= side:
                continue
            x, y = _pixel(board, *board.on_board(col, row), scale)
            radius = board.cell_mm / 3**0.5 * scale
            corners = np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)
            points = [np.round(corners * 16).astype(np.int32)]
            tone = (board.ground, board.second, third)[(row + col) % 3]
            cv2.fillPoly(image, points, tone, cv2.LINE_AA, 4)
            if board.line_mm > 0:
                cv2.polylines(image, points, True, board.line, max(1, round(board.line_mm * scale)), cv2.LINE_AA, 4)


def _draw_grain(image: Floats, board: BoardPrint, scale: float) -> None:
    """Streaks along the board on one half of the cells, across it on the others."""
    rng = np.random.default_rng([board.seed, 7])
    height, width = image.shape[:2]
    fine = rng.standard_normal((height // 6, max(2, width // 160)), dtype=np.float32)
    wide = rng.standard_normal((height // 40, max(2, width // 240)), dtype=np.float32)
    streaks = cv2.resize(fine, (width, height)) + cv2.resize(wide, (width, height))
    turned = cv2.resize(np.ascontiguousarray(streaks.T), (width, height))
    pitch = board.cell_mm * scale
    col = np.floor((np.arange(width) - board.border_mm * scale) / pitch).astype(int)
    row = np.floor((np.arange(height) - board.border_mm * scale) / pitch).astype(int)
    other = (col[None] + row[:, None]) % 2 == 1
    image *= np.clip(1 + board.grain * np.where(other, streaks, turned), 0.3, 2.0)[..., None]


def _draw_dots(image: Floats, board: BoardPrint, scale: float) -> None:
    for col in (2, board.cols - 2):
        for row in (2, board.rows - 2):
            at = (round((board.border_mm + k * board.cell_mm) * scale) for k in (col, row))
            x, y = at
            cv2.circle(image, (x, y), max(1, round(board.dots_mm * scale / 2)), board.line, -1, cv2.LINE_AA)


def _draw_wells(image: Floats, board: BoardPrint, scale: float) -> None:
    half, corner = board.well_mm / 2, board.well_mm / 2 * board.well_round
    across = np.abs(np.arange(-board.cell_mm / 2, board.cell_mm / 2, 1 / scale)) - (half - corner)
    u, v = np.maximum(across, 0)[None], np.maximum(across, 0)[:, None]
    inner = np.maximum(across[None], across[:, None])
    outside = np.where(inner > 0, np.hypot(u, v), inner) - corner  # mm beyond the line
    line = np.exp(-((outside / 0.5) ** 2)) * (board.well_tone - 1)
    size = line.shape[0]
    for col in range(board.cols):
        for row in range(board.rows):
            x0, y0 = (round((board.border_mm + k * board.cell_mm) * scale) for k in (col, row))
            part = image[y0 : y0 + size, x0 : x0 + size]
            part *= 1 + line[: part.shape[0], : part.shape[1], None]


def _draw_sign(image: Floats, sign: str, x: float, y: float, size: float, ink: tuple[float, float, float]) -> None:
    """An eye of Horus or an ankh in our own few strokes, or the cross of a cell that nothing may stand on."""

    def at(u: float, v: float) -> tuple[int, int]:
        return round(x + u * size), round(y + v * size)

    thick = max(2, round(size * 0.09))
    if sign == "blocked":
        for slope in (-1, 1):
            cv2.line(image, at(-0.5, -0.5 * slope), at(0.5, 0.5 * slope), ink, thick, cv2.LINE_AA)
        return
    if sign == "ankh":
        cv2.ellipse(image, at(0, -0.24), (round(size * 0.16), round(size * 0.22)), 0, 0, 360, ink, thick, cv2.LINE_AA)
        cv2.line(image, at(0, -0.02), at(0, 0.48), ink, thick, cv2.LINE_AA)
        cv2.line(image, at(-0.27, 0.06), at(0.27, 0.06), ink, thick, cv2.LINE_AA)
        return
    cv2.ellipse(image, at(0, 0.02), (round(size * 0.42), round(size * 0.26)), 0, 180, 360, ink, thick, cv2.LINE_AA)
    cv2.ellipse(
        image, at(0, -0.02), (round(size * 0.42), round(size * 0.16)), 0, 0, 180, ink, max(1, thick // 2), cv2.LINE_AA
    )
    cv2.circle(image, at(0, -0.06), round(size * 0.12), ink, -1, cv2.LINE_AA)
    cv2.ellipse(image, at(0, -0.12), (round(size * 0.5), round(size * 0.28)), 0, 195, 345, ink, thick, cv2.LINE_AA)
    cv2.line(image, at(-0.05, 0.14), at(-0.08, 0.40), ink, thick, cv2.LINE_AA)
    cv2.ellipse(image, at(0.14, 0.24), (round(size * 0.22), round(size * 0.18)), 0, 20, 150, ink, thick, cv2.LINE_AA)


def page_print(rng: np.random.Generator, x: float, y: float, turn: float) -> Print:
    """A sheet with lines of text."""
    width, height = 105.0, 148.0
    image = np.full((444, 315, 3), 0.75, np.float32)
    for row in range(60, 400, 14):
        end = int(rng.integers(180, 285))
        start = 30
        while start < end:
            word = int(rng.integers(8, 34))
            cv2.line(image, (start, row), (min(end, start + word), row), (0.06, 0.06, 0.06), 4)
            start += word + 7
    _write(image, "RULES", (100, 40), (0.05, 0.05, 0.05))
    return Print(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.float32), width, height, x, y, turn, thick_mm=0.2)


def card_print(rng: np.random.Generator, x: float, y: float, turn: float) -> Print:
    """A playing card."""
    image = np.full((264, 189, 3), 0.78, np.float32)
    ink = (0.04, 0.04, 0.55) if rng.random() < 0.5 else (0.03, 0.03, 0.03)
    for row in range(3):
        for col in (0, 1):
            cv2.ellipse(image, (60 + 70 * col, 60 + 72 * row), (14, 18), 0, 0, 360, ink, -1, cv2.LINE_AA)
    _write(image, str(int(rng.integers(2, 10))), (8, 36), ink)
    return Print(image, 63.0, 88.0, x, y, turn, thick_mm=0.3, shine=0.04)


def coaster_print(rng: np.random.Generator, x: float, y: float, turn: float) -> Print:
    """A printed square of card in loud colours: a false board for the finder."""
    colours = rng.uniform(0.02, 0.6, (4, 3)).astype(np.float32)
    image = np.empty((300, 300, 3), np.float32)
    image[:] = colours[0]
    for i in range(3):
        cv2.circle(image, (150, 150), 130 - 40 * i, tuple(float(c) for c in colours[i + 1]), -1, cv2.LINE_AA)
    return Print(image, 95.0, 95.0, x, y, turn, 0.0, 1.5)


def _write(image: Floats, text: str, at: tuple[int, int], ink: tuple[float, float, float]) -> None:
    cover = np.zeros(image.shape[:2], np.uint8)  # OpenCV 5 writes on 8-bit pictures only
    cv2.putText(cover, text, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255, 3, cv2.LINE_AA)
    share = (cover / np.float32(255))[..., None]
    image += share * (np.array(ink, np.float32) - image)
