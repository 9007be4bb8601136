"""What is seen round a hypothesis, turned into its own frame and scaled to its size, beside the hypothesis as drawn.

Channels: the logarithms of B, G, R over the bare surface; the outline, filled; the edges, those of the outline
brighter; the base and the tip; the piece that carries it and those that lie on it, if any; and the strength of edges
at full resolution, which thin lines keep where the colours of a large piece are made small.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramid_fit import on_outline
from companion.vision.pyramid_hypotheses import Hypotheses
from companion.vision.pyramid_shapes import CLASSES, outline, shape_of
from companion.vision.pyramid_windows import Windows

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Singles = NDArray[np.float32]

SIDE_PX = 48
CHANNELS = 8
LEVELS, MIDDLE = 64.0, 128.0  # of a unit of the logarithm, and of no difference
BITS = 4  # of parts of a pixel
BASES = np.array([shape_of(size, pose).base_mm for size, pose in CLASSES])
COVERED = 192  # level of what lies on the piece
EDGE_CORNERS = tuple((i, (i + 1) % 4) for i in range(4)) + tuple((i, 4) for i in range(4))


@dataclass(frozen=True, slots=True)
class PatchSettings:
    """How much is seen round a hypothesis."""

    bases: float = 2.7  # side of the patch, in sides of the piece's base
    side_px: int = SIDE_PX
    of_both: bool = False  # of a stacked one and what carries it, in sides of that one's base
    finer: int = 2  # samples of a pixel along each side


def patches(
    windows: Windows,
    found: Hypotheses,
    carriers: Hypotheses | None,
    s: PatchSettings,
    covers: Mapping[int, Sequence[Floats]] = MappingProxyType({}),
) -> Pixels:
    """(n, CHANNELS, side_px, side_px). `carriers` are what hypotheses are stacked on, one for each; `covers` the
    outlines of what lies on them, by their numbers.
    """
    ground = windows.ground
    corners = ground.seen_at(found.corners())
    lines = on_outline(corners, ground.seen_at(found.ends()))
    below = None if carriers is None else ground.seen_at(carriers.corners())
    made = np.zeros((len(found), CHANNELS, s.side_px, s.side_px), np.uint8)
    framed, bases = corners, BASES[found.kind]
    if s.of_both and below is not None and carriers is not None:
        framed, bases = np.concatenate([corners, below], axis=1), BASES[carriers.kind]
    for i in range(len(found)):
        frame = _frame(framed[i], float(found.place[i, 2]), float(bases[i]), s)
        made[i, :3], made[i, 7] = _seen(windows, int(found.window[i]), frame, s)
        _draw(made[i], _placed(frame, corners[i]), lines[i], None if below is None else _placed(frame, below[i]))
        for cover in covers.get(i, ()):
            cv2.fillConvexPoly(made[i, 6], _fixed(_placed(frame, cover)), COVERED, cv2.LINE_AA, BITS)
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


def _frame(corners: Floats, heading_deg: float, base_mm: float, s: PatchSettings) -> Floats:
    """(2, 3) from millimetres in the plane of the table to pixels of the patch; the heading points to the right."""
    a, scale = np.radians(heading_deg), s.side_px / (s.bases * base_mm)
    turn = np.array([[np.cos(a), np.sin(a)], [np.sin(a), -np.cos(a)]]) * scale
    flat = corners @ turn.T
    shift = (s.side_px - 1) / 2 - (flat.min(axis=0) + flat.max(axis=0)) / 2
    return np.column_stack([turn, shift])


def _placed(frame: Floats, points: Floats) -> Floats:
    return np.asarray(points @ frame[:, :2].T + frame[:, 2])


def _seen(windows: Windows, window: int, frame: Floats, s: PatchSettings) -> tuple[Pixels, Pixels]:
    """(3, side_px, side_px) colours over the surface, and (side_px, side_px) edges."""
    ground, side = windows.ground, s.side_px * s.finer
    back = np.linalg.inv(frame[:, :2])
    ends = np.array([(0, 0), (side, 0), (0, side)], dtype=np.float64) / s.finer - 0.5 + 0.5 / s.finer
    fine = ground.fine_px((ends - frame[:, 2]) @ back.T) - windows.corner[window]
    matrix = np.column_stack([(fine[1] - fine[0]) / side, (fine[2] - fine[0]) / side, fine[0]])
    small, edges = (_turned(picture[window], matrix, side, s) for picture in (windows.logs, windows.edges))
    middle = np.rint((fine.sum(axis=0) - fine[0] + windows.corner[window]) / 2 / ground.settings.coarse).astype(int)
    h, w = ground.surface.shape[:2]
    bare = ground.surface[np.clip(middle[1], 0, h - 1), np.clip(middle[0], 0, w - 1)]
    levels = np.clip((small - bare) * LEVELS + MIDDLE, 0, 255)
    return np.asarray(levels.transpose(2, 0, 1), np.uint8), np.asarray(edges, np.uint8)


def _turned(picture: Singles | Pixels, matrix: Floats, side: int, s: PatchSettings) -> NDArray[Any]:
    """(side_px, side_px, ...) of a picture, seen through `matrix` on `side` pixels and made small."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(picture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(seen, (s.side_px, s.side_px), interpolation=cv2.INTER_AREA))


def _draw(patch: Pixels, corners: Floats, outer: Floats, below: Floats | None) -> None:
    at = _fixed(corners)
    cv2.fillConvexPoly(patch[3], _fixed(outline(corners)), 255, cv2.LINE_AA, BITS)
    for edge in np.argsort(outer):
        a, b = EDGE_CORNERS[edge]
        cv2.line(patch[4], at[a].tolist(), at[b].tolist(), 255 if outer[edge] else 128, 1, cv2.LINE_AA, BITS)
    cv2.fillConvexPoly(patch[5], at[:4], 128, cv2.LINE_AA, BITS)
    cv2.circle(patch[5], at[4].tolist(), 2 << BITS, 255, -1, cv2.LINE_AA, BITS)
    if below is not None:
        at = _fixed(below)
        cv2.fillConvexPoly(patch[6], _fixed(outline(below)), 96, cv2.LINE_AA, BITS)
        for a, b in EDGE_CORNERS:
            cv2.line(patch[6], at[a].tolist(), at[b].tolist(), 255, 1, cv2.LINE_AA, BITS)


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.rint(points * (1 << BITS)).astype(np.int32)
