"""A card by its outline: things on the table that are a rectangle of its size, if need be without what touches it."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.card.rim import LONG_MM, SHORT_MM
from companion.vision.ground.foreground import Ground, Region

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OutlineSettings:
    """How well an outline has to be a rectangle of the card's size."""

    size_slack: float = 0.12  # shares of a side
    rim_mm: float = 3.0  # by which a region is wider than its thing: the edges on both sides count to it
    beside_mm: float = 44.0  # things narrower than this that touch the card are thought away
    side_share: float = 0.75  # of a side's length: what is shorter is no part of the card
    filled: float = 0.86  # least share of the rectangle that its outline covers


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A rectangle of about the card's size."""

    middle: Floats  # (2,) millimetres
    heading_deg: float  # of the long side
    corners: Floats  # (4, 2) millimetres
    off: float  # by what share of a side it is not of the card's size


def outlines(ground: Ground, region: Region) -> list[Outline]:
    """The card that a region is; or what is left of it without the smaller things that touch it."""
    s = OutlineSettings()
    if (whole := _outline(ground, region, s)) is not None:
        return [whole]
    step = ground.coarse_mm
    if region.area_mm2 < LONG_MM * SHORT_MM * (1 - s.size_slack) ** 2:
        return []
    edge = round(s.beside_mm / step)
    mask = np.pad(region.mask.astype(np.uint8), edge)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (edge | 1, edge | 1))
    count, labels = cv2.connectedComponents(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
    found = []
    for number in range(1, count):
        part = trimmed(np.asarray(labels == number), step, s)
        left = Region(region.x - edge, region.y - edge, part, float(part.sum()) * step**2)
        if (outline := _outline(ground, left, s)) is not None:
            found.append(outline)
    return found


def trimmed(mask: Mask, step_mm: float, settings: OutlineSettings) -> Mask:
    """The mask without what sticks out of the card: rows across its sides that are much shorter than the card."""
    rows, cols = np.nonzero(mask)
    points = np.column_stack([cols, rows]).astype(np.float32)
    (_, (wide, _), turn) = box = cv2.minAreaRect(points)
    a = math.radians(turn if wide == max(box[1]) else turn + 90)
    keep = np.ones(len(points), bool)
    for axis, across_mm in (((math.cos(a), math.sin(a)), SHORT_MM), ((-math.sin(a), math.cos(a)), LONG_MM)):
        at = np.round(points @ np.array(axis)).astype(int)
        counts = np.bincount(at - at.min())
        full = np.flatnonzero(counts >= settings.side_share * across_mm / step_mm) + at.min()
        if not len(full):
            return mask
        keep &= (at >= full[0]) & (at <= full[-1])
    left = np.zeros_like(mask)
    left[rows[keep], cols[keep]] = True
    return left


def _outline(ground: Ground, region: Region, s: OutlineSettings) -> Outline | None:
    step = ground.coarse_mm
    low = LONG_MM * SHORT_MM * (1 - s.size_slack) ** 2
    if region.area_mm2 < low * 0.5 or min(region.size_px) * step < SHORT_MM * 0.8:
        return None
    contours, _ = cv2.findContours(region.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (_, (wide, high), _) = box = cv2.minAreaRect(cv2.convexHull(np.vstack(contours)))
    wide, high = (wide + 1) * step - s.rim_mm, (high + 1) * step - s.rim_mm
    off = max(abs(max(wide, high) / LONG_MM - 1), abs(min(wide, high) / SHORT_MM - 1))
    covered = sum(cv2.contourArea(c) for c in contours) / max(1.0, cv2.contourArea(cv2.boxPoints(box)))
    if off > s.size_slack or covered < s.filled:
        return None
    # opening with an even kernel has moved the region by one coarse pixel
    at = (cv2.boxPoints(box) + np.array([region.x, region.y]) - 0.5) * ground.settings.coarse - 0.5
    corners = ground.to_mm(at)
    one, other = corners[1] - corners[0], corners[2] - corners[1]
    along = one if np.hypot(*one) > np.hypot(*other) else other
    heading = math.degrees(math.atan2(float(along[1]), float(along[0])))
    return Outline(corners.mean(axis=0), heading, np.asarray(corners, np.float64), float(off))
