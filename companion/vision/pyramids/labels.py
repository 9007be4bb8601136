"""Labelled pyramids, of which a set is learnt: where each lies in the picture, what covers it, what it looks like."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.view import Sighting
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.fit import fit
from companion.vision.pyramids.hypotheses import PERIODS, Hypotheses, on_top
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]

ROUND_PX = 4  # of the table round a piece in its picture


def labelled(sightings: Sequence[Sighting]) -> Iterator[tuple[int, Sighting]]:
    for number, sighting in enumerate(sightings):
        piece = sighting.piece
        if piece.kind == "pyramid" and piece.colour in PYRAMID_COLOURS:
            yield number, sighting


def _storey(sighting: Sighting, others: Mapping[int, Sighting]) -> int:
    """How many pieces carry this one."""
    storey, below = 0, sighting.nested_on
    while below is not None and below in others and storey < len(others):
        storey, below = storey + 1, others[below].nested_on
    return storey


def covers_of(
    named: Sequence[tuple[int, Sighting]], kept: Sequence[int], outlines: Sequence[Floats]
) -> dict[int, list[Floats]]:
    """Outlines of labelled pieces over those that carry them."""
    row = {named[k][0]: i for i, k in enumerate(kept)}
    covers: dict[int, list[Floats]] = {}
    for i, k in enumerate(kept):
        below = named[k][1].nested_on
        if below is not None and below in row:
            covers.setdefault(row[below], []).append(outlines[i])
    return covers


def picture_of(ground: Ground, outline_mm: Floats, side: int) -> NDArray[np.uint8]:
    """What a piece looks like from above, whole: `side` pixels wide, or more where it is longer."""
    corners = ground.fine_px(outline_mm)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    half = max(side // 2, math.ceil(np.abs(corners - middle).max()) + ROUND_PX)
    at = np.rint(middle).astype(int)
    x, y = (int(np.clip(v, half, limit - half)) for v, limit in zip(at, ground.colours.shape[1::-1], strict=True))
    return np.ascontiguousarray(ground.colours[y - half : y + half, x - half : x + half])


def laid_out(windows: Windows, named: Sequence[tuple[int, Sighting]], s: PyramidSettings) -> list[Hypotheses | None]:
    """Labelled pieces as they are seen; what is stacked lies where it must on the piece that carries it."""
    laid: dict[int, Hypotheses | None] = {}
    sightings = dict(named)
    for number, sighting in sorted(named, key=lambda one: _storey(one[1], sightings)):
        below = laid.get(sighting.nested_on) if sighting.nested_on is not None else None
        if below is None:
            laid[number] = _looked_up(windows, sighting, s)
        else:
            kind = CLASSES.index((str(sighting.piece.size), CLASSES[below.kind[0]][1]))
            laid[number] = on_top(below, np.array([kind]), np.full(1, TIP_RISE_MM))
    return [laid[number] for number, _ in named]


def _looked_up(windows: Windows, sighting: Sighting, s: PyramidSettings) -> Hypotheses | None:
    """A labelled piece as it is seen: its label's place, fitted."""
    piece = sighting.piece
    if sighting.x_mm is None or sighting.y_mm is None or (str(piece.size), str(piece.pose)) not in CLASSES:
        return None
    kind = CLASSES.index((str(piece.size), str(piece.pose)))
    headings = np.arange(0, PERIODS[kind], 15.0) if sighting.heading_deg is None else [sighting.heading_deg]
    place = np.array([(sighting.x_mm, sighting.y_mm, heading, 0.0) for heading in headings])
    tried = Hypotheses(np.full(len(place), kind), place, np.zeros(len(place), np.intp))
    fitted, scores = fit(windows, tried, s.search)
    best = fitted.only([int(scores.argmax())])
    off = math.hypot(best.place[0, 0] - sighting.x_mm, best.place[0, 1] - sighting.y_mm)
    return best if off < s.label_reach_mm else None
