"""What is seen round a hypothesis, turned into its own frame and scaled to its size, beside the hypothesis as drawn.

Channels: the logarithms of B, G, R over the bare surface; the outline, filled; the edges, those of the outline
brighter; the base and the tip; the piece that carries it and those that lie on it, if any; and the strength of edges
at full resolution, which thin lines keep where the colours of a large piece are made small. Of a watched table also
the logarithms of B, G, R over how it was before: see `Windows.since`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import on_outline
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.shapes import CLASSES, EDGES, outline, shape_of
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]

SIDE_PX = 48
CHANNELS, SINCE = 8, 3  # the second only of a watched table
LEVELS, MIDDLE = 64.0, 128.0  # of a unit of the logarithm, and of no difference
SINCE_LEVELS = 192.0  # of a unit of what has changed: pieces of the table's own colour change it little
UP = 0.625  # of a level of the edges: to the next one, as the networks have learned them from means of whole levels
BITS = 4  # of parts of a pixel
BASES = np.array([shape_of(size, pose).base_mm for size, pose in CLASSES])
COVERED = 192  # level of what lies on the piece


@dataclass(frozen=True, slots=True)
class PatchSettings:
    """How much is seen round a hypothesis."""

    bases: float = 2.7  # side of the patch, in sides of the piece's base
    side_px: int = SIDE_PX
    of_both: bool = False  # of a stacked one and what carries it, in sides of that one's base
    finer: int = 2  # samples of a pixel along each side
    since: bool = False  # of a watched table, with what has changed


def patches(
    windows: Windows,
    found: Hypotheses,
    carriers: Hypotheses | None,
    s: PatchSettings,
    covers: Mapping[int, Sequence[Floats]] = MappingProxyType({}),
) -> Pixels:
    """(n, CHANNELS, side_px, side_px), and SINCE more of a watched table.

    `carriers` are what hypotheses are stacked on, one for each; `covers` the outlines of what lies on them, by their
    numbers.
    """
    ground = windows.ground
    corners = ground.seen_at(found.corners())
    lines = on_outline(corners)
    below = None if carriers is None else ground.seen_at(carriers.corners())
    framed, bases = corners, BASES[found.kind]
    if s.of_both and below is not None and carriers is not None:
        framed, bases = np.concatenate([corners, below], axis=1), BASES[carriers.kind]
    frames = _frames(framed, found.place[:, 2], bases, s)
    made, own = _seen(windows, found.window, frames, s), _placed(frames, corners)
    under = None if below is None else _placed(frames, below)
    for i in range(len(found)):
        _draw(made[i], own[i], lines[i], None if under is None else under[i])
        for cover in covers.get(i, ()):
            cv2.fillConvexPoly(made[i, 6], _fixed(_placed(frames[i], cover)), COVERED, cv2.LINE_AA, BITS)
    return made


def patches_of(
    windows: Windows,
    found: Hypotheses,
    on: Sequence[int | None],
    covers: Mapping[int, Sequence[Floats]],
    s: PatchSettings,
) -> Pixels:
    """Patches of pieces of which the one of number `on[i]`, if any, carries number i."""
    made = np.zeros((len(found), CHANNELS, s.side_px, s.side_px), np.uint8)
    for carried in (False, True):
        own = [i for i, below in enumerate(on) if (below is not None) == carried]
        if own:
            below = found.only([b for b in (on[i] for i in own) if b is not None]) if carried else None
            seen = {number: covers[i] for number, i in enumerate(own) if i in covers}
            made[own] = patches(windows, found.only(own), below, s, seen)
    return made


def _frames(corners: Floats, headings_deg: Floats, bases_mm: Floats, s: PatchSettings) -> Floats:
    """(n, 2, 3) from millimetres in the plane of the table to pixels of each patch; headings point to the right."""
    a, scale = np.radians(headings_deg), s.side_px / (s.bases * bases_mm)
    turn = np.array([[np.cos(a), np.sin(a)], [np.sin(a), -np.cos(a)]]).transpose(2, 0, 1) * scale[:, None, None]
    flat = corners @ turn.transpose(0, 2, 1)
    shift = (s.side_px - 1) / 2 - (flat.min(axis=1) + flat.max(axis=1)) / 2
    return np.concatenate([turn, shift[..., None]], axis=2)


def _placed(frames: Floats, points: Floats) -> Floats:
    """(..., k, 2) pixels of patches."""
    return np.asarray(points @ np.swapaxes(frames[..., :2], -1, -2) + frames[..., None, :, 2])


def _seen(windows: Windows, window: Ints, frames: Floats, s: PatchSettings) -> Pixels:
    """(n, CHANNELS, side_px, side_px) with the colours over the surface, and the edges; nothing is drawn yet."""
    ground, side, n = windows.ground, s.side_px * s.finer, len(frames)
    back = np.linalg.inv(frames[:, :, :2])
    ends = np.array([(0, 0), (side, 0), (0, side)], dtype=np.float64) / s.finer - 0.5 + 0.5 / s.finer
    fine = ground.fine_px((ends - frames[:, None, :, 2]) @ back.transpose(0, 2, 1)) - windows.corner[window][:, None]
    first, right, down = fine.transpose(1, 0, 2)
    through = np.stack([(right - first) / side, (down - first) / side, first], axis=2)
    middle = np.rint((right + down + windows.corner[window]) / 2 / ground.settings.coarse).astype(int)
    high, wide = ground.surface.shape[:2]
    bare = ground.surface[np.clip(middle[:, 1], 0, high - 1), np.clip(middle[:, 0], 0, wide - 1)]
    made = np.zeros((n, CHANNELS + (SINCE if s.since else 0), s.side_px, s.side_px), np.uint8)
    shown = _turned(windows.shown, window, through, s)
    made[:, :3] = _shades(shown[..., :3] - bare[:, None, None], LEVELS)
    made[:, 7] = np.minimum(shown[..., 3] + UP, 255)
    if s.since and windows.since is not None:
        made[:, CHANNELS:] = _shades(_turned(windows.since, window, through, s)[..., :3], SINCE_LEVELS)
    return made


def _shades(differences: Singles, levels: float) -> Singles:
    """(n, 3, h, w) of (n, h, w, 3) differences of logarithms, MIDDLE for none."""
    shades = np.clip(differences * np.float32(levels) + np.float32(MIDDLE), 0, 255)
    return np.asarray(shades.transpose(0, 3, 1, 2), np.float32)


def _turned(pictures: Sequence[Singles], window: Ints, through: Floats, s: PatchSettings) -> Singles:
    """(n, side_px, side_px, 4) of the windows' pictures, each seen through a matrix more finely and made small."""
    flags, finer = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (s.side_px * s.finer, s.side_px * s.finer)
    made = np.empty((len(window), s.side_px, s.side_px, 4), np.float32)
    for i, number in enumerate(window.tolist()):
        seen = cv2.warpAffine(pictures[number], through[i], finer, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        cv2.resize(seen, (s.side_px, s.side_px), made[i], interpolation=cv2.INTER_AREA)
    return made


def _draw(patch: Pixels, corners: Floats, outer: Floats, below: Floats | None) -> None:
    at = _fixed(corners)
    cv2.fillConvexPoly(patch[3], _fixed(outline(corners)), 255, cv2.LINE_AA, BITS)
    edges, inner = at[EDGES[np.argsort(outer)]], np.count_nonzero(outer == 0)
    cv2.polylines(patch[4], edges[:inner], False, 128, 1, cv2.LINE_AA, BITS)
    cv2.polylines(patch[4], edges[inner:], False, 255, 1, cv2.LINE_AA, BITS)
    cv2.fillConvexPoly(patch[5], at[:4], 128, cv2.LINE_AA, BITS)
    cv2.circle(patch[5], at[4].tolist(), 2 << BITS, 255, -1, cv2.LINE_AA, BITS)
    if below is not None:
        at = _fixed(below)
        cv2.fillConvexPoly(patch[6], _fixed(outline(below)), 96, cv2.LINE_AA, BITS)
        cv2.polylines(patch[6], at[EDGES], False, 255, 1, cv2.LINE_AA, BITS)


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.rint(points * (1 << BITS)).astype(np.int32)
