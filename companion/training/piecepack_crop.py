"""A picture of part of a table, straight from above, on which bodies and prints are painted; labels come with it."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.simulator.piecepack_art import PiecepackStyle

MM_PER_PX = 0.6  # as `companion.vision.ground.foreground` draws the table
SIDE_PX = 320
FINE = 2  # painted so much finer


@dataclass(frozen=True, slots=True)
class Label:
    """A painted piece: where its top (a pawn's foot) is seen in pixels of the crop, and what it shows."""

    kind: int
    x: float
    y: float
    heading_deg: float  # of the upper edge, counter-clockwise from the right, as seen
    front: int = -1  # tile: 1 front 0 back; coin: 1 suit side, 0 value side
    suit: int = -1
    value: int = -1


@dataclass
class Crop:
    """A picture (SIDE_PX, SIDE_PX, 3) uint8, white-balanced, its pieces, and the lean (x right, y down) per mm."""

    rng: np.random.Generator
    style: PiecepackStyle
    centre: np.ndarray  # pixels: the point below the camera
    high: float  # pixels
    labels: list[Label] = field(default_factory=list)
    canvas: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))
    light: np.ndarray = field(default_factory=lambda: np.zeros(2))  # shadow's way per height
    soft: float = 1.0
    dark: float = 0.5

    def seen(self, points: np.ndarray, z: float) -> np.ndarray:
        """(N, 2) pixels on the table at height z (pixels) as seen."""
        return np.asarray(self.centre + (points - self.centre) * self.high / (self.high - z))

    def px(self, points: np.ndarray) -> np.ndarray:
        """Canvas coordinates with four bits of fraction."""
        return np.rint(((points + 0.5) * FINE - 0.5) * 16).astype(np.int32)

    def fill(self, points: np.ndarray, colour: np.ndarray) -> None:
        """A filled convex polygon."""
        cv2.fillConvexPoly(self.canvas, self.px(points), tuple(float(c) for c in colour), cv2.LINE_AA, 4)

    def hull(self, low: np.ndarray, top: np.ndarray, colour: np.ndarray) -> None:
        """What a body with these two ends covers."""
        points = cv2.convexHull(np.vstack([low, top]).astype(np.float32))[:, 0]
        self.fill(points, colour)

    def shadow(self, points: np.ndarray, z0: float, z1: float) -> None:
        """Darkens what the body from z0 to z1 shades on the plane z0."""
        thrown = np.vstack([self.seen(points, z0), self.seen(points + self.light * (z1 - z0), z0)])
        hull = cv2.convexHull(thrown.astype(np.float32))[:, 0]
        low = np.maximum(np.floor(hull.min(axis=0) * FINE).astype(int) - 12, 0)
        high = np.minimum(np.ceil(hull.max(axis=0) * FINE).astype(int) + 12, self.canvas.shape[0])
        if (low >= high).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillConvexPoly(mask, self.px(hull) - low.astype(np.int32) * 16, 1.0, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), self.soft * FINE * (0.6 + 0.04 * (z1 - z0)))
        self.canvas[low[1] : high[1], low[0] : high[0]] *= 1 - self.dark * mask[..., None]

    def paste(self, texture: np.ndarray, quad: np.ndarray, round_: float = 0.0, shade: float = 1.0) -> None:
        """A texture on a quadrilateral: top left, top right, bottom right, bottom left; `round_` 1 is a disc."""
        side = texture.shape[0]
        at = (quad + 0.5) * FINE - 0.5
        low = np.maximum(np.floor(at.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(at.max(axis=0)).astype(int) + 2, self.canvas.shape[0])
        if (low >= high).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners, (at - low).astype(np.float32))
        shrink = side / max(1.0, float(np.linalg.norm(at[1] - at[0])))
        fine = cv2.GaussianBlur(texture, (0, 0), 0.4 * shrink) if shrink > 1.2 else texture
        part = cv2.warpPerspective(fine, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = np.zeros((size[1], size[0]), np.float32)
        if round_ >= 1:
            ring = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)])
            points = side / 2 + ring * side / 2 - 0.5
            outline = cv2.perspectiveTransform(points[None].astype(np.float32), matrix)[0]
        else:
            outline = at - low
        cv2.fillConvexPoly(cover, np.rint(outline * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        window = self.canvas[low[1] : high[1], low[0] : high[0]]
        window += cover[..., None] * (part * shade - window)


def square(x: float, y: float, side: float, heading: float) -> np.ndarray:
    """Corners top left, top right, bottom right, bottom left; the top points along `heading`."""
    a = math.radians(heading)
    up, right = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])
    h = side / 2
    corners = [up * h - right * h, up * h + right * h, right * h - up * h, -up * h - right * h]
    return np.asarray(np.array([x, y]) + np.array(corners))


def ring(x: float, y: float, radius: float, count: int = 36) -> np.ndarray:
    """A circle as a polygon."""
    a = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.array([x, y]) + radius * np.stack([np.cos(a), np.sin(a)], axis=1)


def mm(value: float) -> float:
    """Millimetres in pixels of the crop."""
    return value / MM_PER_PX
