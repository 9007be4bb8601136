"""A table without its own pattern: checks, grain and print that were there when it was bare are taken out.

Where nothing has changed since the table was bare, a picture is drawn anew as the table's smooth surface and what
little differs now; what differs much is kept as it was taken. Pieces on gingham then look as on plain cloth. Both
pictures are compared as logarithms, less what the light has changed over a wide part of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import least, most
from companion.vision.ground.foreground import Ground, Region, log_of, redrawn, regions_of
from companion.vision.ground.pattern_bands import Layers, drawn_without
from companion.vision.ground.pattern_settings import PatternSettings

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """The bare table, as a picture of it with things on it would show it: all but `colours` in coarse pixels."""

    colours: Pixels  # (H, W, 3) fine
    log: Singles  # (h, w, 3)
    light: Singles  # (h, w, 3) by how much it is lighter now, logarithm
    surface: Singles  # (h, w, 3) in its present light
    same: Singles  # (h, w) of the logarithm: what differs by less is the table
    askew: bool = False  # its threads lie a little beside those that are seen


def seen_before(now: Ground, bare: Ground, s: PatternSettings) -> Bare:
    """The bare table as another picture showed it."""
    log, surface = (redrawn(bare, layer, now, now.settings.coarse) for layer in (bare.log, bare.surface))
    same = _hidden(log - surface, now, s)
    return Bare(redrawn(bare, bare.colours, now, 1), log, _light(now, log, s), now.surface, same)


def lit_as(now: Ground, bare: Bare, s: PatternSettings) -> Bare:
    """The same in the light of another picture, which shows the same part of the table."""
    return replace(bare, light=_light(now, bare.log, s), surface=now.surface)


def told_from(bare: Ground, s: PatternSettings) -> Bare:
    """The bare table as the picture itself told it by what comes again in it, pixel for pixel."""
    same = np.full(bare.log.shape[:2], s.same, np.float32)
    return Bare(bare.colours, bare.log, np.zeros_like(bare.log), bare.surface, same, askew=True)


def without_pattern(now: Ground, bare: Bare, kept_mm: Sequence[Floats], s: PatternSettings) -> Ground:
    """The ground with what `bare` shows taken out, but for the (n, 2) outlines of things that lay there already.

    As it was where the table shows more than before: the cloth was moved, or had no pattern.
    """
    left, top, right, low = now.between_papers(s.beyond_mm)
    coarse, part = now.settings.coarse, np.s_[top:low, left:right]
    fine = np.s_[top * coarse : low * coarse, left * coarse : right * coarse]
    taken, light, surface = now.log[part], bare.light[part], bare.surface[part]
    lit_log = bare.log[part] + light
    kept, calm = _changed(taken, lit_log, bare.same[part], s)
    kept *= 1 - _through(taken, lit_log, kept, now.coarse_mm, s)
    _fill(kept, s.hole_mm / now.coarse_mm)
    for outline in kept_mm:
        _keep(kept, now.coarse_px(outline) - (left, top), s.around_mm / now.coarse_mm)
    layers = Layers(now.colours[fine], bare.colours[fine], surface, light, kept, calm)
    drawn = drawn_without(layers, now.settings.dark_level, bare.askew, s)
    small = np.asarray(cv2.resize(drawn, kept.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    plain = log_of(small, now.settings)
    if _unevenness(plain, surface, s) > _unevenness(taken, surface, s):
        return now
    seen = now.free[part]
    within, texture = regions_of(plain, surface, seen, now.settings)
    colours, log = now.colours.copy(), now.log.copy()
    colours[fine], log[part] = drawn, plain
    regions = [replace(region, x=region.x + left, y=region.y + top) for region in within]
    regions += [region for region in now.regions if not _reaches_into(region, left, top, right, low)]
    plainer = replace(now, colours=colours, log=log, surface=bare.surface, taken=now)
    return replace(plainer, regions=tuple(regions), texture=texture)


def _hidden(pattern: Singles, now: Ground, s: PatternSettings) -> Singles:
    """(h, w) by how much (logarithm) a thing may differ at most to pass for the table: a bold pattern hides more."""
    contrast = most(np.abs(cv2.blur(pattern, (s.blur_px, s.blur_px))))
    side = 1 + 2 * round(s.near_mm / (now.coarse_mm))
    bold = cv2.blur(cv2.dilate(contrast, np.ones((side, side), np.uint8)), (side, side))
    return np.asarray(np.clip(bold, s.least_same, s.same), np.float32)


def _through(now_log: Singles, lit_log: Singles, kept: Singles, step_mm: float, s: PatternSettings) -> Singles:
    """(h, w) the share of the pattern that shows through what lies there, told by its edges; 0 for what hides it."""
    grey, near = np.full((1, 3), 1 / 3, np.float32), s.through_mm / step_mm
    there = cv2.erode(kept, np.ones((5, 5), np.uint8))
    soft = [cv2.GaussianBlur(cv2.transform(cv2.exp(log), grey), (0, 0), 0.8) for log in (now_log, lit_log)]
    (across, own_across), (down, own_down) = (
        [cv2.Sobel(levels, cv2.CV_32F, *axis) for levels in soft] for axis in ((1, 0), (0, 1))
    )
    alike = cv2.GaussianBlur((across * own_across + down * own_down) * there, (0, 0), near)
    pattern = cv2.GaussianBlur((own_across**2 + own_down**2 + s.through_edge**2) * there, (0, 0), near)
    share = np.clip(alike / np.maximum(pattern, 1e-9), 0, 1)
    return np.asarray(np.where(share > s.through, share, 0), np.float32)


def _unevenness(log: Singles, surface: Singles, s: PatternSettings) -> float:
    """How far the table is from its smooth surface; things on it count little."""
    return float(np.minimum(np.abs(log - surface), s.same).mean())


def _reaches_into(region: Region, left: int, top: int, right: int, low: int) -> bool:
    """True where some of a region lies between these columns and rows."""
    rows, cols = (
        slice(max(first - at, 0), max(last - at, 0))
        for first, last, at in ((top, low, region.y), (left, right, region.x))
    )
    return bool(region.mask[rows, cols].any())


def _light(now: Ground, then_log: Singles, s: PatternSettings) -> Singles:
    """(h, w, 3) by how much the light has changed: over a wide part of the table, as a median."""
    high, wide = now.log.shape[:2]
    size = wide // s.light_grid, high // s.light_grid
    tiny = cv2.resize(now.log - then_log, size, interpolation=cv2.INTER_AREA)
    levels = np.clip(tiny / s.light_level + 128, 0, 255).astype(np.uint8)
    g = now.settings
    window = round(g.surface_mm / (g.fine_mm * g.coarse * s.light_grid)) | 1
    median = (cv2.medianBlur(levels, window).astype(np.float32) - 128) * np.float32(s.light_level)
    return np.asarray(cv2.resize(median, (wide, high)), np.float32)


def _changed(taken: Singles, lit_log: Singles, same: Singles, s: PatternSettings) -> tuple[Singles, Singles]:
    """(h, w) each, 0 to 1: how surely there is another thing than the table's own pattern, and that there is none."""
    size = s.blur_px, s.blur_px
    darkest = least(cv2.blur(taken, size))
    much = most(np.abs(cv2.blur(cv2.subtract(taken, lit_log), size))) - s.grey * cv2.exp(-darkest)
    near = np.asarray(cv2.dilate(much, np.ones((3, 3), np.uint8)), np.float32)
    share = np.clip((near / same - 1) / (s.other - 1), 0, 1).astype(np.float32)
    calm = 1 - np.clip(near / s.calm, 0, 1).astype(np.float32)
    kept = cv2.GaussianBlur(share * share * (3 - 2 * share), (0, 0), 1.0)
    return np.asarray(kept, np.float32), np.asarray(cv2.GaussianBlur(calm, (0, 0), 1.0), np.float32)


def _fill(kept: Singles, most_px: float) -> None:
    """Set what lies within a thing and has the tone of the pattern under it."""
    other = np.asarray(kept < 0.5, np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=4)
    small = (stats[:, cv2.CC_STAT_WIDTH] <= most_px) & (stats[:, cv2.CC_STAT_HEIGHT] <= most_px)
    small[0] = False  # that label is of what differs
    kept[small[labels]] = 1.0


def _keep(kept: Singles, outline_px: Floats, around_px: float) -> None:
    """Set what an outline holds and what lies right around it."""
    drawn = np.zeros(kept.shape, np.uint8)
    cv2.fillConvexPoly(drawn, cv2.convexHull(np.rint(outline_px).astype(np.int32)), 1)
    side = 1 + 2 * round(around_px)
    np.maximum(kept, cv2.dilate(drawn, np.ones((side, side), np.uint8)), out=kept)
