"""Is that a tile, or the table between tiles? By its tone beside those of the surest tiles and of the bare table.

A gap in a square of tiles has the edges of its neighbours round it and resembles a tile to a network that sees it
alone. The tiles of one set are of one tone, though, and the table of another one. What the network is sure of shows
the tone of tiles; of a back that looks like the table, though the others do not, it is sure in vain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ToneSettings:
    """Tones are medians of logarithms of B, G, R; lengths are shares of a tile's side."""

    firm: float = 0.75  # tiles as sure as this show the tone of tiles ...
    least_firm: int = 4  # ... if there are so many
    nearest: int = 5  # of them so many are asked, for light that falls unevenly; faces among them are outvoted
    core: float = 0.7  # of a tile that is looked at: edges and what lies askew are left out
    taken: float = 1.2  # what lies this near the middle of anything that may be a tile is not the bare table
    around: float = 2.0  # the bare table is looked for up to so far
    least_px: int = 100  # coarse pixels of it ...
    every: int = 2  # ... of which every so manieth is asked, down and across
    apart: float = 0.3  # a table that differs by less from the tiles tells nothing
    alike: float = 0.35  # share of that difference, up to which a place is of one tone or the other
    strength: float = 7.0  # natural log-odds of a place that is wholly of one tone


def tone_odds(
    ground: Ground, outlines: Sequence[Floats], sures: Sequence[float], doubted: Sequence[bool] | None = None
) -> Floats:
    """(n,) natural log-odds for squares (4, 2), in mm as seen, being tiles; 0 where a tone tells nothing.

    `doubted` says which of the sure ones are compared, too, and at most made less sure: what is bare, not other faces.
    """
    s, odds = ToneSettings(), np.zeros(len(outlines))
    corners = [ground.coarse_px(outline) for outline in outlines]
    tones = {i: _tone(ground, corners[i], s) for i, sure in enumerate(sures) if sure >= s.firm}
    tones = {i: tone for i, tone in tones.items() if np.isfinite(tone).all()}
    if len(tones) < s.least_firm:
        return odds
    middles = [square.mean(axis=0) for square in corners]
    taken = np.zeros(ground.log.shape[:2], np.uint8)
    for square in corners:
        cv2.fillConvexPoly(taken, _scaled(square, s.taken), 1)
    bare = (taken == 0) & ground.seen
    for i in range(len(outlines)):
        if i in tones and not (doubted and doubted[i] and len(tones) > s.least_firm):
            continue
        others = (j for j in tones if j != i)
        near = sorted(others, key=lambda j: float(np.hypot(*(middles[j] - middles[i]))))[: s.nearest]
        tile = np.median([tones[j] for j in near], axis=0)
        if i in tones and np.linalg.norm(tones[i] - tile) < s.apart * (1 - s.alike):
            continue  # as nearly all are
        table = _table(ground, bare, corners[i], s)
        if table is not None:
            more = _between(tones[i] if i in tones else _tone(ground, corners[i], s), tile, table, s)
            odds[i] = min(more, 0.0) if i in tones else more
    return odds


def _between(tone: Floats, tile: Floats, table: Floats, s: ToneSettings) -> float:
    apart = float(np.linalg.norm(tile - table))
    if apart < s.apart:
        return 0.0
    from_tile, from_table = (float(np.linalg.norm(tone - other)) / apart for other in (tile, table))
    if min(from_tile, from_table) > s.alike:
        return 0.0  # a face, or something else
    return s.strength * float(np.clip(from_table - from_tile, -1.0, 1.0))


def _tone(ground: Ground, square: Floats, s: ToneSettings) -> Floats:
    core = _scaled(square, s.core)
    left, top, wide, tall = cv2.boundingRect(core)
    first = max(left, 0), max(top, 0)
    part = ground.log[first[1] : max(top + tall, 0), first[0] : max(left + wide, 0)]
    inside = np.zeros(part.shape[:2], np.uint8)
    if inside.size:
        cv2.fillConvexPoly(inside, core - first, 1)
    seen = part[inside > 0]
    return _median(seen) if len(seen) else np.full(3, np.inf)  # not in the picture


def _table(ground: Ground, bare: Mask, square: Floats, s: ToneSettings) -> Floats | None:
    """The tone of the table round a place; None where too little of it is seen."""
    left, top, wide, tall = cv2.boundingRect(_scaled(square, 2 * s.around))
    part = (slice(max(top, 0), max(top + tall, 0)), slice(max(left, 0), max(left + wide, 0)))
    some = np.s_[:: s.every, :: s.every]
    pixels = ground.log[part][some][bare[part][some]]
    return _median(pixels) if len(pixels) * s.every**2 >= s.least_px else None


def _median(pixels: Singles) -> Floats:
    """(3,) of (n, 3) pixels: each channel by itself, which is several times as fast as side by side."""
    return np.array([np.median(channel) for channel in cv2.split(pixels[:, None])], np.float64)


def _scaled(square: Floats, factor: float) -> NDArray[np.int32]:
    middle = square.mean(axis=0)
    return np.asarray(np.rint(middle + (square - middle) * factor), np.int32)
