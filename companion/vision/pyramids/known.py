"""The pyramids that the last look has told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.vision.convex import shared
from companion.vision.find_watch import in_zone
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.change import Change, change_between
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.settings import AddedSettings
from companion.vision.pyramids.shapes import CLASSES, LYING

Floats = NDArray[np.float64]


class Known(NamedTuple):
    """A pyramid of the last look."""

    kind: int  # number of its class
    x_mm: float
    y_mm: float
    heading_deg: float

    def placed(self, z_mm: float) -> Hypotheses:
        """One piece, there and so high."""
        place = np.array([[self.x_mm, self.y_mm, self.heading_deg, z_mm]])
        return Hypotheses(np.array([self.kind]), place, np.zeros(1, np.intp))


def known_pieces(found: Sequence[Found]) -> Iterator[Known]:
    """The clear ones that lie or stand on the table."""
    return (piece for claim in found if claim.on is None and (piece := known_piece(claim)) is not None)


def elsewhere(ground: Ground) -> Hypotheses:
    """What the last look at a watched table has found, by itself, where nothing is looked for now."""
    if ground.past is None or ground.past.once or ground.zone is None:
        return joined([])
    zone = ground.zone
    lying = (piece for piece, claim in _alone(ground) if not in_zone(ground, zone, claim.outline_mm))
    return joined([piece.placed(0.0) for piece in lying])


def known_piece(claim: Found) -> Known | None:
    """A claim that is a pyramid's, and clear."""
    told = claim.sighting
    if told.faint or not told.beliefs or told.x_mm is None or told.y_mm is None:
        return None
    piece = told.likeliest
    kind = piece.size, piece.pose
    if piece.kind != "pyramid" or kind not in CLASSES:
        return None
    turned = told.base_deg if told.heading_deg is None else told.heading_deg
    return Known(CLASSES.index(kind), told.x_mm, told.y_mm, turned or 0.0)


def colours_of(claim: Found) -> Floats:
    """(10,) shares of the colours of a claim."""
    shares = np.zeros(len(PYRAMID_COLOURS))
    for piece, p in claim.sighting.beliefs:
        if piece.colour in PYRAMID_COLOURS:
            shares[PYRAMID_COLOURS.index(piece.colour)] += p
    return np.asarray(shares / max(shares.sum(), 1e-9))


def classes_of(claim: Found) -> dict[int, float]:
    """Shares of the classes of a claim, by their numbers."""
    shares: dict[int, float] = {}
    for piece, p in claim.sighting.beliefs:
        if piece.kind == "pyramid" and (piece.size, piece.pose) in CLASSES:
            kind = CLASSES.index((piece.size, piece.pose))
            shares[kind] = shares.get(kind, 0.0) + p
    whole = sum(shares.values())
    return {kind: p / whole for kind, p in shares.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Unchanged:
    """What the last look has found by itself, and where hardly anything has changed since."""

    pieces: Hypotheses
    odds: Floats  # (n) log-odds by which each is likelier to be there still
    held: Floats  # (n) log-odds that it was there: what is partly covered now is no other piece for that

    def gains(self, found: Hypotheses, s: AddedSettings) -> Floats:
        """(n) log-odds by which hypotheses are likelier, as they are these pieces."""
        gains = np.zeros(len(found))
        for same, odds in zip(same_as(self.pieces, found, s), self.odds, strict=True):
            gains[same] = np.maximum(gains[same], odds)
        return gains

    def at_least(self, found: Hypotheses, odds: Floats, s: AddedSettings) -> Floats:
        """(n) log-odds of hypotheses, of which those that are these pieces best are as likely as they were."""
        odds = odds.copy()
        for same, held in zip(same_as(self.pieces, found, s), self.held, strict=True):
            if same.any():
                best = np.flatnonzero(same)[odds[same].argmax()]
                odds[best] = max(odds[best], held)
        return odds

    def holds(self, found: Hypotheses, i: int, s: AddedSettings) -> bool:
        """True if one of the hypotheses is one of these pieces."""
        return any(same[0] for same in same_as(self.pieces, found.only([i]), s))


def same_as(
    pieces: Hypotheses, found: Hypotheses, s: AddedSettings, near_mm: float | None = None
) -> Iterator[NDArray[np.bool_]]:
    """(n) which hypotheses are each of some pieces, lying so near."""
    least = s.same_mm / 2 if near_mm is None else near_mm
    for kind, place in zip(pieces.kind, pieces.place, strict=True):
        near = np.hypot(*(found.place - place)[:, :2].T) < least
        turned = np.abs((found.place[:, 2] - place[2] + 180) % 360 - 180)
        yield (found.kind == kind) & near & ((turned < s.same_deg) | (kind not in LYING))


def against_new(
    ground: Ground, change: Change | None, odds: Floats, outlines: Sequence[Floats], s: AddedSettings
) -> Floats:
    """(n) log-odds against hypotheses where two looks have seen nothing, and nothing has changed: shadows, mostly.

    `change` is that since the last look.
    """
    past = ground.past
    against = np.zeros(len(odds))
    if change is None or past is None or past.rested is None:
        return against
    since = change if past.rested.ground is past.ground else change_between(ground, past.rested.ground, s)
    for i in np.flatnonzero(odds > -s.nothing).tolist():
        if not told_there(past.rested.found, outlines[i], s) and since.of(outlines[i]) < s.quiet:
            against[i] = s.nothing
    if past.untouched is not None:
        for i in np.flatnonzero(against).tolist():
            alike = past.untouched.mask[change.drawn(outlines[i])]
            if alike.mean() >= 1 - s.stirred and not told_there(past.untouched.found, outlines[i], s):
                against[i] = s.untouched
    return against


def told_there(found: Sequence[Found], outline: Floats, s: AddedSettings) -> bool:
    """True if something was found there; what was only nearly told is for that no likelier now."""
    return any(not claim.nearly and shared(outline, claim.outline_mm) > s.covering for claim in found)


def gone(ground: Ground, change: Change | None, s: AddedSettings) -> Hypotheses:
    """Known pieces that stood by themselves and of which most has changed: that is how their going looks."""
    pieces = joined([piece.placed(0.0) for piece, _ in _alone(ground)])
    if change is None:
        return pieces.only(np.zeros(0, np.intp))
    changed = np.array([change.of(outline) for outline in outlines_of(ground, pieces)])
    return pieces.only(np.flatnonzero(changed > s.explained))


def _alone(ground: Ground) -> list[tuple[Known, Found]]:
    """What the last look has found by itself, on nothing and under nothing."""
    found = ground.past.found if ground.past is not None else ()
    carrying = {claim.on for claim in found}
    alone = (claim for i, claim in enumerate(found) if claim.on is None and i not in carrying)
    return [(piece, claim) for claim in alone if (piece := known_piece(claim)) is not None]


def unchanged(ground: Ground, change: Change | None, came: Sequence[Floats], s: AddedSettings) -> Unchanged:
    """Of the last look, if there was one: what two looks have seen is likelier there, and what came by itself.

    What the outlines of what `came` since then cover is not seen any more: only the rest is asked whether it changed.
    """
    known = _alone(ground)
    pieces = joined([piece.placed(0.0) for piece, _ in known])
    changed = [1.0 if change is None else change.beside(o, came, s.seen) for o in outlines_of(ground, pieces)]
    same = np.flatnonzero(np.array(changed) < s.touched)
    odds = np.array([max(s.known if claim.again else 0.0, claim.came) for _, claim in known])
    quiet = np.array(changed) < s.quiet
    held = np.array([s.held_of(claim.sure) if claim.again else -np.inf for _, claim in known])
    return Unchanged(pieces.only(same), odds[same], np.where(quiet, held, -np.inf)[same])
