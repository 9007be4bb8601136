"""A printed drawing as it lies on a table: its marks painted in linear light.

The tests hold it against the PDF; a renderer of PDFs would be one more package on every Pi, for two sheets.
"""

import math

import cv2
import numpy as np

from calibration.paper import BLACK, CAPITAL, WHITE, Disc, Drawing, Label, Line, Mark, Rect, Shape, Window
from companion.simulator.arrays import Floats, Ints, Pixels
from companion.simulator.materials import linear

PAPER = 0.8  # share of the light that good paper throws back
POINT_MM = 25.4 / 72
BITS = 4  # of parts of a pixel
CAPITAL_PX = 21.0  # height of OpenCV's plain capitals at scale 1
STEM, BOLD_STEM = 0.08, 0.13  # of letters, in sizes of the font


def painted(drawing: Drawing, px_per_mm: float) -> Floats:
    """(h, w, 3) float32 linear BGR of a drawing on white paper; ValueError for a window, which is a page's."""
    picture: Pixels = np.full((round(drawing.height * px_per_mm), round(drawing.width * px_per_mm), 3), 255, np.uint8)
    for mark in drawing.marks:
        _paint(picture, mark, px_per_mm)
    return np.asarray(PAPER * linear(picture / np.float32(255)), np.float32)


def _paint(picture: Pixels, mark: Mark, px: float) -> None:
    match mark:
        case Rect(x, y, width, height, black):
            corners = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
            _fill(picture, corners, BLACK if black else WHITE, None, 0, px)
        case Line(x1, y1, x2, y2):  # dashed ones are for scissors, and drawn through
            ends = _at(np.array([(x1, y1), (x2, y2)]), px)
            cv2.polylines(picture, [ends], False, _bgr(mark.colour), _thick(mark.width, px), cv2.LINE_AA, BITS)
        case Shape(points):
            _fill(picture, np.array(points), mark.fill, mark.stroke, _thick(mark.width, px), px)
        case Disc(x, y, radius):
            turns = np.linspace(0, 2 * math.pi, 48, endpoint=False)
            rim = np.array([x, y]) + radius * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
            _fill(picture, rim, mark.fill, mark.stroke, _thick(mark.width, px), px)
        case Label():
            _write(picture, mark, px)
        case Window():
            raise ValueError("a window is part of a page, not of a drawing")


def _fill(picture: Pixels, points: Floats, fill: str | None, stroke: str | None, thick: int, px: float) -> None:
    at = _at(points, px)
    if fill is not None:
        cv2.fillPoly(picture, [at], _bgr(fill), cv2.LINE_AA, BITS)
    if stroke is not None:
        cv2.polylines(picture, [at], True, _bgr(stroke), thick, cv2.LINE_AA, BITS)


def _write(picture: Pixels, label: Label, px: float) -> None:
    high = label.size * POINT_MM * px
    scale, thick = CAPITAL * high / CAPITAL_PX, max(1, round((BOLD_STEM if label.bold else STEM) * high))
    wide = cv2.getTextSize(label.text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)[0][0]
    before = {"start": 0.0, "middle": wide / 2, "end": float(wide)}[label.align]
    x, y, reach = round(label.x * px), round(label.y * px), math.ceil(wide + high)
    part = picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]  # the text, turned however it may be
    x, y = min(x, reach), min(y, reach)
    cover: Pixels = np.zeros(part.shape[:2], np.uint8)
    cv2.putText(cover, label.text, (round(x - before), y), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    if label.turn_deg:
        turn = cv2.getRotationMatrix2D((x, y), label.turn_deg, 1.0)
        cover = np.asarray(cv2.warpAffine(cover, turn, part.shape[1::-1]), np.uint8)
    share = cover[..., None] / np.float32(255)
    part[:] = np.rint(part + share * (np.array(_bgr(label.colour), np.float32) - part))


def _at(points_mm: Floats, px: float) -> Ints:
    """Millimetres to parts of pixels, as OpenCV draws."""
    return np.asarray(np.rint((points_mm * px - 0.5) * (1 << BITS)), np.int32)


def _thick(width_mm: float, px: float) -> int:
    return max(1, round(width_mm * px))


def _bgr(colour: str) -> tuple[int, int, int]:
    """Of "#rrggbb"."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return blue, green, red
