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
from companion.vision.foreground import Ground, Region, log_of, redrawn, regions_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PatternSettings:
    """What is the table's own."""

    beyond_mm: float = 45.0  # the markers' papers, the picture is left as it was taken
    light_grid: int = 4  # coarse pixels of a pixel of the change of light
    light_level: float = 0.01  # of the logarithm: a step of that change
    blur_px: int = 3  # coarse pixels over which differences are averaged
    grey: float = 2.0  # grey levels that are noise
    same: float = 0.15  # of the logarithm: what differs by less is a bold pattern ...
    least_same: float = 0.05  # ... and by less than this any table ...
    near_mm: float = 6.0  # ... the pattern being as bold as it is so near ...
    other: float = 3.0  # ... and what differs by so many times as much is a thing on it
    calm: float = 0.1  # what differs by much less, beyond the noise, is but noise
    noise_levels: int = 16  # of the pattern so many grey levels have one noise ...
    noise_pixels: int = 50  # ... which more pixels than these have to tell ...
    noise_each: int = 2  # ... of every so many coarse pixels ...
    noise_most: float = 20.0  # ... where it is no louder, in grey levels
    hole_mm: float = 60.0  # at most is wide what a thing holds and what differs little: its tone is that of the pattern
    around_mm: float = 2.0  # so near to what was there before, the picture is kept as it was taken
    through_mm: float = 5.0  # edges of the pattern so near tell how much of it shows through a thing ...
    through_edge: float = 7.0  # ... if they are plainer than so much of Sobel's grey levels ...
    through: float = 0.12  # ... less of it is chance


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


def told_from(bare: Ground, s: PatternSettings) -> Bare:
    """The bare table as the picture itself told it by what comes again in it, pixel for pixel."""
    same = np.full(bare.log.shape[:2], s.same, np.float32)
    return Bare(bare.colours, bare.log, np.zeros_like(bare.log), bare.surface, same, askew=True)


def without_pattern(now: Ground, bare: Bare, kept_mm: Sequence[Floats], s: PatternSettings) -> Ground:
    """The ground with what `bare` shows taken out, but for the (n, 2) outlines of things that lay there already.

    As it was where the table shows more than before: the cloth was moved, or had no pattern.
    """
    left, top, right, low = now.between_papers(s.beyond_mm)
    lit_log = bare.log + bare.light
    kept, calm = _changed(now, now.log - lit_log, bare.same, s)
    coarse, part = now.settings.coarse, np.s_[top:low, left:right]
    kept[part] *= 1 - _through(now.log[part], lit_log[part], kept[part], now.settings.fine_mm * coarse, s)
    _fill(kept, s.hole_mm / (now.settings.fine_mm * coarse))
    for outline in kept_mm:
        _keep(kept, now, outline, s)
    fine = np.s_[top * coarse : low * coarse, left * coarse : right * coarse]
    colours, then, surface = now.colours.copy(), bare.colours[fine], bare.surface
    lit, smooth = _lit(then, surface[part], bare.light[part], now.settings.dark_level)
    colours[fine] = _without(now.colours[fine], then, lit, smooth, kept[part], calm[part], s, bare.askew)
    small = cv2.resize(colours, (now.log.shape[1], now.log.shape[0]), interpolation=cv2.INTER_AREA)
    log = log_of(np.asarray(small, np.uint8), now.settings)
    if _unevenness(log[part], surface[part], s) > _unevenness(now.log[part], surface[part], s):
        return now
    inside = np.zeros(log.shape[:2], bool)
    inside[part] = True
    regions, texture = regions_of(log, surface, inside if now.free is None else inside & now.free, now.settings)
    regions = (*regions, *(region for region in now.regions if not _touches(region, inside)))
    return replace(now, colours=colours, log=log, surface=surface, regions=regions, texture=texture, taken=now)


def _hidden(pattern: Singles, now: Ground, s: PatternSettings) -> Singles:
    """(h, w) by how much (logarithm) a thing may differ at most to pass for the table: a bold pattern hides more."""
    contrast = most(np.abs(cv2.blur(pattern, (s.blur_px, s.blur_px))))
    side = 1 + 2 * round(s.near_mm / (now.settings.fine_mm * now.settings.coarse))
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


def _touches(region: Region, mask: Mask) -> bool:
    wide, high = region.size_px
    return bool(mask[region.y : region.y + high, region.x : region.x + wide][region.mask].any())


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


def _changed(now: Ground, off: Singles, same: Singles, s: PatternSettings) -> tuple[Singles, Singles]:
    """(h, w) each, 0 to 1: how surely there is another thing than the table's own pattern, and that there is none."""
    size = s.blur_px, s.blur_px
    darkest = least(cv2.blur(now.log, size))
    much = most(np.abs(cv2.blur(off, size))) - s.grey * np.exp(-darkest)
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


def _keep(kept: Singles, now: Ground, outline_mm: Floats, s: PatternSettings) -> None:
    """Set what an outline holds and what lies right around it."""
    g = now.settings
    drawn = np.zeros(kept.shape, np.uint8)
    cv2.fillConvexPoly(drawn, cv2.convexHull(np.rint(now.fine_px(outline_mm) / g.coarse).astype(np.int32)), 1)
    side = 1 + 2 * round(s.around_mm / (g.fine_mm * g.coarse))
    np.maximum(kept, cv2.dilate(drawn, np.ones((side, side), np.uint8)), out=kept)


def _lit(then: Pixels, surface: Singles, light: Singles, dark_level: float) -> tuple[Singles, Singles]:
    """(h, w, 3) each: the bare table in its present light, and its smooth surface."""
    size = then.shape[1], then.shape[0]
    gain = np.exp(light)
    lit = cv2.multiply(then, cv2.resize(gain, size), dtype=cv2.CV_32F)
    return np.asarray(lit, np.float32), np.asarray(cv2.resize(np.exp(surface) - dark_level * gain, size), np.float32)


def _without(
    now: Pixels,
    then: Pixels,
    lit: Singles,
    smooth: Singles,
    kept: Singles,
    calm: Singles,
    s: PatternSettings,
    askew: bool,
) -> Pixels:
    """(h, w, 3) the surface, and what differs from the bare table in its present light; as taken where it is kept."""
    own, still = (cv2.merge([cv2.resize(share, now.shape[1::-1])] * 3) for share in (1 - kept, calm))
    off = np.asarray(cv2.subtract(now, lit, dtype=cv2.CV_32F), np.float32)
    if askew:
        off = np.asarray(off + cv2.multiply(cv2.subtract(_off_the_nearest(now, lit), off), own), np.float32)
    noise = cv2.multiply(cv2.multiply(off, _noisier(off, then, kept == 0, s)), still)
    added = cv2.subtract(cv2.multiply(cv2.subtract(smooth, lit), own), noise)
    return np.asarray(cv2.add(cv2.add(lit, off), added, dtype=cv2.CV_8U), np.uint8)


def _off_the_nearest(now: Pixels, lit: Singles) -> Singles:
    """(h, w, 3) by how much it differs from all that lies around a pixel of the cloth: threads lie a little askew."""
    around = np.ones((3, 3), np.uint8)
    high, low = cv2.dilate(lit, around), cv2.erode(lit, around)
    over, under = (cv2.subtract(now, level, dtype=cv2.CV_32F) for level in (high, low))
    return np.asarray(np.maximum(over, 0) + np.minimum(under, 0), np.float32)


def _noisier(off: Singles, then: Pixels, bare: Mask, s: PatternSettings) -> Singles:
    """(h, w, 3) the share of what differs that is more noise than usual: the pattern's dark parts are noisier."""
    step = s.noise_each * (off.shape[0] // bare.shape[0])
    bare = bare[:: s.noise_each, :: s.noise_each]
    amount, level = np.minimum(np.abs(off[::step, ::step])[bare], s.noise_most), then[::step, ::step][bare]
    usual = amount.mean(axis=0) if len(amount) else np.zeros(3)
    more = np.zeros((256, 3), np.float32)
    for channel in range(3):
        bins = level[:, channel] // s.noise_levels
        counts = np.bincount(bins, minlength=1)
        counted = np.flatnonzero(counts > s.noise_pixels)
        if len(counted):
            noise = np.bincount(bins, weights=amount[:, channel], minlength=1)[counted] / counts[counted]
            every = np.interp(np.arange(256), (counted + 0.5) * s.noise_levels, noise)
            more[:, channel] = 1 - np.minimum(1, usual[channel] / np.maximum(every, 0.5))
    return np.asarray(cv2.LUT(then, more[None]), np.float32)
