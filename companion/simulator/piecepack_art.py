"""Printed faces of piecepack sets in many makers' styles: textures of tiles, coins and dice in screen colours."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache

import cv2
import numpy as np

from companion.pieces import SUITS, VALUES
from companion.simulator.arrays import Floats, Pixels

Ink = tuple[float, float, float]  # screen BGR, 0 to 1
SCALE = 4  # figures are drawn so much larger and shrunk

_STROKES = {  # a pen's way through the four digits, in a unit square with y down
    "2": ((0.16, 0.28), (0.25, 0.1), (0.5, 0.02), (0.78, 0.12), (0.84, 0.3), (0.7, 0.52), (0.12, 0.98), (0.9, 0.98)),
    "3": ((0.15, 0.04), (0.85, 0.04), (0.45, 0.42), (0.8, 0.55), (0.84, 0.78), (0.6, 0.96), (0.3, 0.97), (0.1, 0.84)),
    "4": ((0.7, 0.99), (0.7, 0.01), (0.06, 0.7), (0.95, 0.7)),
    "5": ((0.84, 0.03), (0.22, 0.03), (0.18, 0.42), (0.55, 0.36), (0.86, 0.55), (0.82, 0.82), (0.5, 0.98), (0.1, 0.86)),
}
PEN = "pen"
PAWNS = ("ball", "flat", "cylinder", "peg")  # shapes of pawns
FRONTS = 100  # the grain of the fronts is drawn from numbers from this one on, apart from those of other faces


@dataclass(frozen=True)
class PiecepackStyle:
    """How a maker prints a set."""

    seed: int = 0
    tinted: bool = False  # tiles and coins in the suit's colour with a light sign, else in a ground with coloured ink
    ground: Ink = (0.66, 0.8, 0.88)
    light: Ink = (0.85, 0.92, 0.93)  # of signs on tinted faces
    inks: dict[str, Ink] = field(default_factory=dict)
    black: Ink = (0.09, 0.08, 0.08)
    font: str | int = PEN
    pen: float = 0.14
    slant: float = 0.0
    digit: float = 0.45  # height, shares of a side
    sign: float = 0.18
    corner: float = 0.36  # of the sign's middle from the tile's middle
    shapes: dict[str, int] = field(default_factory=dict)
    letters: dict[str, tuple[str, str]] = field(default_factory=dict)  # suits' signs as letters of a font's file
    spiral_ace: bool = True
    spiral_turns: float = 2.6
    spiral_way: int = 1
    back: Ink = (0.3, 0.42, 0.55)
    back_line: Ink = (0.12, 0.16, 0.2)
    back_line_mm: float = 0.6
    back_inset: float = 0.0
    grain: float = 0.06
    rim: float = 0.0  # strength of a line round the front
    coin_ground: Ink = (0.66, 0.8, 0.88)
    coin_sign: float = 0.55
    coin_ring: float = 0.0
    coin_mark: str = "tick"
    dice_tinted: bool = False
    die_ground: Ink = (0.9, 0.92, 0.92)
    die_sign: float = 0.6
    pawn: str = PAWNS[0]


def random_piecepack_style(rng: np.random.Generator, fonts: tuple[str | int, ...] = (PEN,)) -> PiecepackStyle:
    """Some maker's set."""
    wood = np.array([(0.66, 0.8, 0.88), (0.55, 0.72, 0.84), (0.75, 0.85, 0.9), (0.9, 0.93, 0.95), (0.8, 0.86, 0.86)])
    brown = np.array([(0.3, 0.42, 0.55), (0.2, 0.28, 0.36), (0.4, 0.52, 0.66), (0.5, 0.6, 0.7), (0.62, 0.76, 0.85)])
    dark_line = rng.random() < 0.65
    back = _near(rng, brown[rng.integers(5)], 0.06)
    if rng.random() < 0.25:
        back = _near(rng, rng.uniform(0.1, 0.9, 3), 0.02)
    crowns = (0.25, 0.5, 0.12) if rng.random() < 0.75 else (0.1, 0.7, 0.88)
    ground = _near(rng, wood[rng.integers(5)], 0.04)
    tinted = bool(rng.random() < 0.4)
    line = _near(rng, np.array((0.1, 0.1, 0.1) if dark_line else (0.82, 0.88, 0.9)), 0.05)
    if abs(float(np.mean(line)) - float(np.mean(back))) < 0.22:
        line = _near(rng, np.array((0.05, 0.05, 0.05) if np.mean(back) > 0.4 else (0.85, 0.9, 0.9)), 0.03)
    seed = int(rng.integers(1 << 30))
    return PiecepackStyle(
        seed=seed,
        tinted=tinted,
        ground=ground,
        light=_near(rng, np.array((0.85, 0.92, 0.93)), 0.06),
        inks={
            "suns": _near(rng, np.array((0.13, 0.1, 0.74)), 0.05),
            "moons": _near(rng, np.array((0.13, 0.12, 0.12)), 0.04),
            "crowns": _near(rng, np.array(crowns), 0.05),
            "arms": _near(rng, np.array((0.62, 0.28, 0.12)), 0.06),
        },
        font=fonts[int(rng.integers(len(fonts)))],
        pen=float(rng.uniform(0.09, 0.2)),
        slant=float(rng.normal(0, 0.06)),
        digit=float(rng.uniform(0.34, 0.56)),
        sign=float(rng.uniform(0.15, 0.22)),
        corner=float(rng.uniform(0.34, 0.385)),
        shapes={suit: int(rng.integers(4)) for suit in SUITS},
        spiral_ace=bool(rng.random() < 0.55),
        spiral_turns=float(rng.uniform(2.0, 3.3)),
        spiral_way=int(rng.choice([-1, 1])),
        back=back,
        back_line=line,
        back_line_mm=float(rng.uniform(0.35, 1.0)),
        back_inset=float(rng.choice([0.0, 0.0, 0.04])),
        grain=float(rng.uniform(0.0, 0.09)),
        rim=float(rng.choice([0.0, 0.0, 0.3, 0.6])),
        coin_ground=_near(rng, wood[rng.integers(5)], 0.04),
        coin_sign=float(rng.uniform(0.46, 0.64)),
        coin_ring=float(rng.choice([0.0, 0.0, 0.4])),
        coin_mark=str(rng.choice(["tick", "tick", "dot", "wedge"])),
        dice_tinted=bool(rng.random() < 0.5) if not tinted else bool(rng.random() < 0.85),
        die_ground=_near(rng, np.array((0.88, 0.91, 0.92)), 0.05),
        die_sign=float(rng.uniform(0.52, 0.72)),
        pawn=str(np.random.default_rng([seed, 3]).choice(PAWNS, p=(0.4, 0.2, 0.2, 0.2))),
    )


def tile_front(style: PiecepackStyle, suit: str, value: str, side: int) -> Floats:
    """(side, side, 3) a tile's front, the sign at the top left."""
    body, ink = (style.inks[suit], style.light) if style.tinted else (style.ground, style.inks[suit])
    number = len(VALUES) * SUITS.index(suit) + VALUES.index(value)  # no hash of words: it differs from run to run
    face = _body(style, body, side, FRONTS + number)
    if style.rim > 0:
        cover = np.zeros((side, side), np.float32)
        cv2.rectangle(cover, (2, 2), (side - 3, side - 3), style.rim, max(1, side // 64))
        _paint(face, cover, ink)
    if value == "ace":
        middle = spiral(style, round(0.46 * side)) if style.spiral_ace else sign(style, suit, round(0.5 * side))
        put(face, middle, 0.5, 0.5, ink)
    elif value != "null":
        put(face, digit(style, value, round(style.digit * side)), 0.5, 0.5, ink)
    put(face, sign(style, suit, round(style.sign * side)), 0.5 - style.corner, 0.5 - style.corner, ink)
    return face


def tile_back(style: PiecepackStyle, side: int, side_mm: float) -> Floats:
    """(side, side, 3) a tile's back: two lines that cross."""
    face = _body(style, style.back, side, 3)
    half, inset = style.back_line_mm / side_mm / 2, style.back_inset
    wide = SCALE * side
    cover = np.zeros((wide, wide), np.uint8)
    low, high = round((0.5 - half) * wide), round((0.5 + half) * wide)
    cover[low:high, round(inset * wide) : round((1 - inset) * wide)] = 255
    cover[round(inset * wide) : round((1 - inset) * wide), low:high] = 255
    _paint(face, _shrunk(cover, side, side), style.back_line)
    return face


def coin_face(style: PiecepackStyle, face: str, suit: str, value: str, side: int) -> Floats:
    """(side, side, 3) a coin in its square: the mark of its direction at the top."""
    tinted = face == "suit" and style.tinted
    body = style.inks[suit] if tinted else style.coin_ground
    ink = style.light if tinted else style.inks[suit] if face == "suit" else style.black
    disc = _body(style, body, side, 11)
    size = round(style.coin_sign * side)
    if face == "suit":
        put(disc, sign(style, suit, size), 0.5, 0.52, ink)
    elif value == "ace":
        put(disc, spiral(style, size), 0.5, 0.52, ink)
    elif value != "null":
        put(disc, digit(style, value, size), 0.5, 0.53, ink)
    cover = np.zeros((SCALE * side, SCALE * side), np.uint8)
    unit = SCALE * side
    if style.coin_ring > 0:
        cv2.circle(cover, (unit // 2, unit // 2), round(0.46 * unit), round(255 * style.coin_ring), unit // 50)
    if style.coin_mark == "dot":
        cv2.circle(cover, (unit // 2, round(0.085 * unit)), round(0.04 * unit), 255, -1)
    elif style.coin_mark == "tick":
        cv2.line(cover, (unit // 2, round(0.03 * unit)), (unit // 2, round(0.14 * unit)), 255, unit // 24)
    else:
        tip = np.array([(0.45, 0.03), (0.55, 0.03), (0.5, 0.14)]) * unit
        cv2.fillPoly(cover, [np.rint(tip).astype(np.int32)], 255)
    _paint(disc, _shrunk(cover, side, side), ink)
    return disc


def die_face(style: PiecepackStyle, suit: str, value: str, side: int) -> Floats:
    """(side, side, 3) one face of a suit's die."""
    body, ink = (style.inks[suit], style.light) if style.dice_tinted else (style.die_ground, style.inks[suit])
    face = _body(style, body, side, 17, 0.3)
    size = round(style.die_sign * side)
    if value == "ace":
        put(face, sign(style, suit, size), 0.5, 0.5, ink)
    elif value != "null":
        put(face, digit(style, value, size), 0.5, 0.5, ink)
    return face


@lru_cache(maxsize=4096)
def _digit(font: str | int, pen: float, slant: float, value: str, size: int) -> Floats:
    big = SCALE * size
    canvas = np.zeros((2 * big, 2 * big), np.uint8)
    if font == PEN:
        way = np.array(_STROKES[value]) * (0.68 * big, big) + (0.6 * big, 0.5 * big)
        thick = max(1, round(pen * big))
        cv2.polylines(canvas, [np.rint(way).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    elif isinstance(font, int):
        cv2.putText(canvas, value, (big // 2, 3 * big // 2), font, big / 24, 255, max(1, round(pen * big / 3)))
    else:
        cv2.putText(canvas, value, (big // 2, 3 * big // 2), 255, _font(font), big)
    shear = np.array([(1.0, slant, -slant * big), (0.0, 1.0, 0.0)])
    canvas = np.asarray(cv2.warpAffine(canvas, shear, (2 * big, 2 * big)), np.uint8)
    ink = _inked(canvas)
    return _shrunk(ink, max(1, round(size * ink.shape[1] / ink.shape[0])), size)


def _inked(canvas: Pixels) -> Pixels:
    """The part of a picture that has ink on it; a single bare pixel where there is none."""
    rows, cols = np.nonzero(canvas > 60)
    if not len(rows):
        return np.zeros((1, 1), np.uint8)
    return canvas[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]


def digit(style: PiecepackStyle, value: str, size: int) -> Floats:
    """(size, w) cover of a digit `size` pixels high."""
    return _digit(style.font, style.pen, style.slant, value, size)


@lru_cache(maxsize=512)
def _spiral(turns: float, way: int, pen: float, size: int) -> Floats:
    big = SCALE * size
    angle = np.linspace(0, 2 * np.pi * turns, 160)
    radius = (0.03 + 0.42 * angle / angle[-1]) * big
    points = np.stack([big / 2 + radius * np.cos(way * angle), big / 2 + radius * np.sin(way * angle)], axis=1)
    cover = np.zeros((big, big), np.uint8)
    thick = max(1, round(min(pen, 0.24 / turns) * 0.6 * big))
    cv2.polylines(cover, [np.rint(points).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return _shrunk(cover, size, size)


def spiral(style: PiecepackStyle, size: int) -> Floats:
    """(size, size) cover of the spiral that stands for an ace."""
    return _spiral(style.spiral_turns, style.spiral_way, style.pen, size)


@lru_cache(maxsize=512)
def _sign(suit: str, shape: int, size: int) -> Floats:
    big = SCALE * size
    cover = np.zeros((big, big), np.uint8)
    _SIGNS[suit](cover, shape, float(big))
    return _shrunk(cover, size, size)


def sign(style: PiecepackStyle, suit: str, size: int) -> Floats:
    """(size, size) cover of a suit's sign."""
    if suit in style.letters:
        return _letter(*style.letters[suit], size)
    return _sign(suit, style.shapes.get(suit, 0), size)


@cache
def _font(file: str) -> cv2.FontFace:
    """A font, kept: OpenCV keeps what it has drawn by the font's address, and would draw it for the next one there."""
    return cv2.FontFace(file)


@lru_cache(maxsize=512)
def _letter(font: str, letter: str, size: int) -> Floats:
    big = SCALE * size
    canvas = np.zeros((2 * big, 3 * big), np.uint8)
    cv2.putText(canvas, letter, (big, 3 * big // 2), 255, _font(font), big)
    ink = _inked(canvas)
    (high, wide), side = ink.shape, max(ink.shape)
    square = np.zeros((side, side), np.uint8)
    top, left = (side - high) // 2, (side - wide) // 2
    square[top : top + high, left : left + wide] = ink
    return _shrunk(square, size, size)


def _poly(cover: Pixels, points: list[tuple[float, float]], unit: float, level: int = 255) -> None:
    at = np.rint((np.array(points) * (1, -1) + 0.5 * np.array((1, 1))) * unit).astype(np.int32)
    cv2.fillPoly(cover, [at], level, cv2.LINE_AA)


def _disc(cover: Pixels, x: float, y: float, radius: float, unit: float, level: int = 255) -> None:
    cv2.circle(cover, (round((0.5 + x) * unit), round((0.5 - y) * unit)), round(radius * unit), level, -1, cv2.LINE_AA)


def _sun(cover: Pixels, shape: int, unit: float) -> None:
    count, inner = ((8, 0.26), (12, 0.24), (16, 0.3), (10, 0.2))[shape]
    for i in range(count):
        a, half = 2 * np.pi * i / count, 2.4 / count
        foot = [(inner * np.cos(a + d), inner * np.sin(a + d)) for d in (-half, half)]
        _poly(cover, [foot[0], (0.49 * np.cos(a), 0.49 * np.sin(a)), foot[1]], unit)
    _disc(cover, 0, 0, inner + 0.02, unit)
    if shape == 2:
        _disc(cover, 0, 0, inner - 0.06, unit, 0)
        _disc(cover, 0, 0, inner - 0.13, unit)


def _moon(cover: Pixels, shape: int, unit: float) -> None:
    dx, dy, radius = ((0.17, 0.06, 0.34), (-0.16, 0.04, 0.34), (0.2, 0.12, 0.38), (0.13, 0.0, 0.33))[shape]
    _disc(cover, 0, 0, 0.43, unit)
    _disc(cover, dx, dy, radius, unit, 0)


def _crown(cover: Pixels, shape: int, unit: float) -> None:
    teeth, high = ((3, 0.36), (5, 0.3), (3, 0.42), (4, 0.34))[shape]
    xs = np.linspace(-0.42, 0.42, teeth)
    for x in xs:
        _poly(cover, [(x * 0.75 - 0.15, -0.16), (x * 0.75 + 0.15, -0.16), (x * 1.05, high)], unit)
        if shape in (0, 3):
            _disc(cover, float(x * 1.05), high, 0.06, unit)
    _poly(cover, [(-0.38, -0.4), (0.38, -0.4), (0.38, -0.1), (-0.38, -0.1)], unit)
    if shape in (0, 2):
        _poly(cover, [(-0.38, -0.28), (0.38, -0.28), (0.38, -0.22), (-0.38, -0.22)], unit, 0)


def _arms(cover: Pixels, shape: int, unit: float) -> None:
    if shape == 3:  # a shield with a bar
        _poly(
            cover,
            [(-0.38, 0.44), (0.38, 0.44), (0.36, -0.05), (0.2, -0.32), (0, -0.46), (-0.2, -0.32), (-0.36, -0.05)],
            unit,
        )
        _poly(cover, [(-0.3, 0.16), (0.3, 0.16), (0.3, 0.05), (-0.3, 0.05)], unit, 0)
        return
    wide = (0.13, 0.11, 0.15)[shape]
    _poly(cover, [(0, 0.49), (wide, 0.2), (0.06, -0.12), (-0.06, -0.12), (-wide, 0.2)], unit)
    for side in (-1, 1):
        centre = (round((0.5 + side * 0.25) * unit), round(0.5 * unit))
        axes = (round(0.16 * unit), round((0.22, 0.26, 0.19)[shape] * unit))
        start, end = (180, 400) if side > 0 else (-220, 0)
        cv2.ellipse(cover, centre, axes, 0, start, end, 255, round(0.09 * unit), cv2.LINE_AA)
    _poly(cover, [(-0.26, -0.1), (0.26, -0.1), (0.26, -0.19), (-0.26, -0.19)], unit)
    _poly(cover, [(-0.05, -0.15), (0.05, -0.15), (0.17, -0.47), (0, -0.38), (-0.17, -0.47)], unit)


_SIGNS: dict[str, Callable[[Pixels, int, float], None]] = {
    "suns": _sun,
    "moons": _moon,
    "crowns": _crown,
    "arms": _arms,
}


def _near(rng: np.random.Generator, colour: Floats, spread: float) -> Ink:
    b, g, r = (float(v) for v in np.clip(colour + rng.normal(0, spread * 0.6, 3), 0.03, 0.97))
    return b, g, r


def _shrunk(cover: Pixels, width: int, height: int) -> Floats:
    return np.asarray(cv2.resize(cover, (width, height), interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)


def _body(style: PiecepackStyle, colour: Ink, side: int, salt: int, share: float = 1.0) -> Floats:
    """The bare face with the grain of wood or of card."""
    rng = np.random.default_rng([style.seed, salt])
    fine = cv2.resize(rng.standard_normal((side, max(2, side // 16)), dtype=np.float32), (side, side))
    wide = cv2.resize(rng.standard_normal((max(2, side // 5), 2), dtype=np.float32), (side, side))
    shade = 1 + np.float32(share * style.grain) * cv2.add(fine, wide)
    return np.asarray(np.array(colour, np.float32) * shade[..., None], np.float32)


def _paint(face: Floats, cover: Floats, ink: Ink) -> None:
    face += cover[..., None] * (np.array(ink, np.float32) - face)


def put(face: Floats, cover: Floats, x: float, y: float, ink: Ink) -> None:
    """Paint a small cover with its middle at shares (x right, y down) of the face."""
    side, (h, w) = face.shape[0], cover.shape
    left, top = round(x * side - w / 2), round(y * side - h / 2)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(side, left + w), min(side, top + h)
    if x0 < x1 and y0 < y1:
        part = face[y0:y1, x0:x1]
        part += cover[y0 - top : y1 - top, x0 - left : x1 - left, None] * (np.array(ink, np.float32) - part)
