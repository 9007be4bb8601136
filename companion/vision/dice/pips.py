"""Round spots of even tone on an even ground: what may be a pip of a die."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PipSettings:
    """What counts as a round spot; lengths in pixels of the level of the picture in which it is looked for."""

    levels: tuple[float, ...] = (1.5, 0.9, 0.54, 0.32, 0.19, 0.11)  # the picture is reduced to these sizes
    radius_px: tuple[float, float] = (2.0, 6.0)
    window_px: int = 19  # of the top hat: spots wider than this are not seen at that level
    steps: tuple[int, ...] = (18, 34, 60, 100, 150)  # grey levels by which a spot differs from what is round it
    side_px: tuple[int, int] = (100, 2100)  # shorter and longer side of the levels that are looked at
    most: int = 4000  # spots of one level, the strongest first, that are looked at closely
    rim_px: int = 1  # pips that touch are looked for with so much of their rims taken off, too
    fill: tuple[float, float] = (0.58, 0.93)  # of its bounding box, holes filled
    aspect: float = 0.45  # shorter by longer axis
    solid: float = 0.72  # area by that of the hull
    ring: tuple[float, float] = (1.4, 1.7)  # radii between which its ground is looked at
    contrast: float = 22.0  # of a spot to its ground, in grey levels
    share: float = 0.22  # ... and in parts of the brighter of the two
    even: float = 0.26  # spread of the ground by the contrast of the spot
    same: float = 0.6  # spots so many radii apart are one
    alike: float = 1.7  # ... if neither is so many times as large as the other


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Round spots in pixels of the picture."""

    centres: Singles  # (n, 2)
    radii: Singles  # (n)
    aspects: Singles  # (n) 1 for a circle
    shapes: Singles  # (n, 2, 2) what takes a circle of radius 1 to the spot, without a turn
    tones: Singles  # (n, 3) BGR within
    grounds: Singles  # (n, 3) BGR round it
    evens: Singles  # (n) spread of the ground in grey levels

    def __len__(self) -> int:
        return len(self.radii)

    def only(self, chosen: NDArray[np.intp]) -> "Spots":
        """Those of these numbers."""
        return Spots(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def find_spots(picture: Pixels, settings: PipSettings) -> Spots:
    """All round spots, lighter or darker or of another colour than their ground, each once."""
    found: list[Spots] = []
    for scale in settings.levels:
        size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
        if min(size) < settings.side_px[0] or max(size) > settings.side_px[1]:
            continue
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        level = picture if scale == 1 else np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
        found.append(_in_level(level, scale, settings))
    merged = (
        Spots(*(np.concatenate([getattr(s, n) for s in found]) for n in Spots.__dataclass_fields__))
        if found
        else _none()
    )
    return _each_once(merged, settings)


def _none() -> Spots:
    flat, pair, three = np.zeros(0, np.float32), np.zeros((0, 2), np.float32), np.zeros((0, 3), np.float32)
    return Spots(pair, flat, flat, np.zeros((0, 2, 2), np.float32), three, three, flat)


def _in_level(level: Pixels, scale: float, settings: PipSettings) -> Spots:
    soft = cv2.GaussianBlur(level, (3, 3), 0)
    window = cv2.getStructuringElement(cv2.MORPH_RECT, (settings.window_px, settings.window_px))
    rows: list[tuple[float, ...]] = []
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        blue, green, red = cv2.split(cv2.morphologyEx(soft, kind, window))
        hat = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
        for step in settings.steps:
            mask = np.asarray(hat >= step, np.uint8)
            rows += _blobs(mask, hat, settings) + _blobs(mask, hat, settings, settings.rim_px)
    if not rows:
        return _none()
    table = np.array(rows, dtype=np.float32)
    table = table[np.argsort(-table[:, 4])][: settings.most]
    return _with_grounds(level, table, scale, settings)


def _blobs(mask: Pixels, hat: Pixels, settings: PipSettings, rim_px: int = 0) -> list[tuple[float, ...]]:
    """(x, y, radius, aspect, contrast, and the second moments xx, xy, yy) of the round blobs of a mask.

    Those that touch are parted when a rim of so many pixels is taken off; they are told with it.
    """
    low, high = settings.radius_px
    if rim_px:
        mask = np.asarray(cv2.erode(mask, np.ones((2 * rim_px + 1, 2 * rim_px + 1), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rows: list[tuple[float, ...]] = []
    for contour in contours:
        if not 4 * low <= len(contour) <= 10 * high:
            continue
        x, y, width, height = cv2.boundingRect(contour)
        if max(width, height) > 2.6 * high + 1 or min(width, height) < 2:
            continue
        hull = cv2.convexHull(contour)  # a lamp's reflection may have eaten into the spot
        moments = cv2.moments(hull)
        rim = cv2.arcLength(hull, closed=True) / 2 + 1  # contours run through the middles of the outer pixels
        area = moments["m00"] + rim
        bare = (area / np.pi) ** 0.5
        radius = bare + rim_px
        if not low <= radius <= high or moments["m00"] <= 0:
            continue
        if not settings.fill[0] <= area / (width * height) <= settings.fill[1] + 1 / radius**2:
            continue
        if cv2.contourArea(contour) + rim < settings.solid * area:
            continue
        m20, m02, m11 = (moments[n] / moments["m00"] + (1 / 6 if n != "mu11" else 0) for n in ("mu20", "mu02", "mu11"))
        root = ((m20 - m02) ** 2 / 4 + m11**2) ** 0.5
        middle = (m20 + m02) / 2
        aspect = (max(middle - root, 0.0) / (middle + root)) ** 0.5
        if aspect < settings.aspect:
            continue
        cx, cy = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
        contrast = float(hat[round(cy), round(cx)]) + float(hat[y : y + height, x : x + width].max())
        grown = (radius / bare) ** 2
        rows.append((cx, cy, radius, aspect, contrast, m20 * grown, m11 * grown, m02 * grown))
    return rows


def _with_grounds(level: Pixels, table: Singles, scale: float, settings: PipSettings) -> Spots:
    """The spots that stand out from an even ground."""
    angle = np.arange(16) * 2 * np.pi / 16
    turn = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = np.concatenate([turn * r for r in settings.ring])
    inner = np.concatenate([turn[::2] * r for r in (0.3, 0.6)])
    ground = _seen(level, table, rings)
    inside = _seen(level, table, inner)
    tones, grounds = np.median(inside, axis=1), np.median(ground, axis=1)
    off = np.sort(np.abs(ground - grounds[:, None]).max(axis=2), axis=1)
    evens = off[:, int(off.shape[1] * 0.6)]
    contrast = np.abs(tones - grounds).max(axis=1)
    share = contrast / np.maximum(np.maximum(tones, grounds).max(axis=1), 1)
    good = (contrast >= settings.contrast) & (share >= settings.share) & (evens <= settings.even * contrast)
    t = table[good]
    centres = (t[:, :2] + 0.5) / scale - 0.5
    evens = evens[good]
    return Spots(
        centres,
        t[:, 2] / scale,
        t[:, 3],
        _roots(t[:, 5:8]) / scale,
        tones[good],
        grounds[good],
        evens.astype(np.float32),
    )


def _roots(moments: Singles) -> Singles:
    """(n, 2, 2) twice the square roots of the second moments: the half axes of the ellipse."""
    xx, xy, yy = moments.T
    root = np.sqrt(np.maximum(xx * yy - xy**2, 1e-6))
    total = np.sqrt(xx + yy + 2 * root)
    rows = np.stack([xx + root, xy, xy, yy + root], axis=1) / total[:, None]
    return np.asarray(2 * rows.reshape(-1, 2, 2), dtype=np.float32)


def _seen(level: Pixels, table: Singles, around: NDArray[np.float64]) -> Singles:
    at = table[:, None, :2] + around[None] * table[:, None, 2:3]
    x = np.clip(np.rint(at[..., 0]), 0, level.shape[1] - 1).astype(int)
    y = np.clip(np.rint(at[..., 1]), 0, level.shape[0] - 1).astype(int)
    return np.asarray(level[y, x], dtype=np.float32)


def _each_once(spots: Spots, settings: PipSettings) -> Spots:
    """Of spots at one place, the roundest that stands out most."""
    contrast = np.abs(spots.tones - spots.grounds).max(axis=1) - spots.evens
    order = np.argsort(-(contrast * spots.aspects))
    centres, radii = np.empty_like(spots.centres), np.empty_like(spots.radii)  # of those kept so far
    kept: list[int] = []
    for i in order:
        many, radius = len(kept), spots.radii[i]
        here = centres[:many] - spots.centres[i]
        larger, smaller = np.maximum(radii[:many], radius), np.minimum(radii[:many], radius)
        near = np.hypot(here[:, 0], here[:, 1]) < settings.same * larger
        near &= larger < settings.alike * smaller
        if not near.any():
            centres[many], radii[many] = spots.centres[i], radius
            kept.append(int(i))
    return spots.only(np.array(sorted(kept), dtype=np.intp))
