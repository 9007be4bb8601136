"""The light that reaches the table past what stands and moves on it, over one box of the picture."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.simulator.arrays import Floats
from companion.simulator.ground import Ground, coloured, doubled
from companion.simulator.light import Room
from companion.simulator.shadows import Polygons, contact, lit_share

Box = tuple[int, int, int, int]  # x0, y0, x1, y1
CONTACT_DEPTH = 0.5  # share of the sky that is hidden right beside a foot
TINTED = 0.75  # share of the light that clear plastic does not turn aside
PAD_PX = 40  # so that blurs do not end at the box; a multiple of 8
GROW_PX = 4  # so that the enlarging from half size does not either


def light_on(
    ground: Ground,
    room: Room,
    box: Box,
    feet: Sequence[Floats],
    contact_px: float,
    standing: Sequence[Sequence[Polygons]],
    passing: Sequence[Sequence[Polygons]],
    tinted: Sequence[tuple[Sequence[float], Sequence[Sequence[Polygons]]]] = (),
) -> tuple[Floats, Floats, Floats | None]:
    """Light (h, w, 3), share of the strongest lamp (h, w), and dimming by hands (h, w, 3) if there are any.

    `standing` and `passing` hold, for each lamp, the shadows of all things of that kind; `tinted` those of
    translucent things beside the colour (BGR) that one of their walls lets pass.
    """
    height, width = ground.albedo.shape[:2]
    x0, y0 = max(0, box[0] - GROW_PX), max(0, box[1] - GROW_PX)
    x1, y1 = min(width, box[2] + GROW_PX), min(height, box[3] + GROW_PX)
    half = (slice(y0 // 2, y1 // 2), slice(x0 // 2, x1 // 2))
    wide = (x0 - PAD_PX, y0 - PAD_PX, x1 + PAD_PX, y1 + PAD_PX)
    open_sky = 1 - CONTACT_DEPTH * _inner(contact(feet, wide, contact_px))
    light = coloured(open_sky, room.ceiling)
    full = coloured(np.ones_like(open_sky), room.ceiling)
    dimmed, strongest = full.copy(), np.zeros_like(open_sky)
    hands = any(len(shadows) for shadows in passing)
    for number, lamp in enumerate(room.lamps):
        share = _inner(lit_share(standing[number], wide))
        strength = coloured(ground.lamps[number][half], lamp.colour)
        if hands:
            over = _inner(lit_share(passing[number], wide))
            share = np.minimum(share, over)
            full += strength
            dimmed += strength * over
        reaches = strength * share
        for tint, shadows in tinted:
            veil = _inner(lit_share(shadows[number], wide))
            reaches *= veil + coloured(1 - veil, tint) * np.float32(TINTED)
        light += reaches
        strongest = np.maximum(strongest, share)
    inner = (slice(box[1] - y0, box[3] - y0), slice(box[0] - x0, box[2] - x0))
    dimming = doubled(cv2.merge([*(dimmed / full)]))[inner] if hands else None
    return doubled(cv2.merge([*light]))[inner], doubled(strongest)[inner], dimming


def _inner(half: Floats) -> Floats:
    """A half-size layer without its padding."""
    edge = PAD_PX // 2
    return half[edge:-edge, edge:-edge]
