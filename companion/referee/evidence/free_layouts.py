"""Pieces that lie free and the sightings that are taken for them: pairs, what is remembered, how far they are apart."""

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field

from companion.games.base import Layout, Lying
from companion.headings import turn_deg
from companion.pieces import UNKNOWN, Piece
from companion.referee.settings import Settings
from companion.view import Sighting


@dataclass(frozen=True, slots=True)
class FreeMemory:
    """How a free table looked when it was last known."""

    looks: Mapping[Hashable, Sighting | None] = field(default_factory=dict)  # by place key; None = was not seen then
    strays: tuple[Sighting, ...] = ()  # what lay there and is none of the game's
    dice: tuple[Sighting, ...] = ()  # as they lay when the last action was final
    covered: frozenset[tuple[int, int]] = frozenset()  # squares that were not bare, though no known piece lay near
    told: frozenset[Hashable] = frozenset()  # place keys of pieces that were, or ought to be, told from bare table


@dataclass(frozen=True, slots=True)
class Pair:
    """A piece of a layout and the sighting that is taken for it."""

    lying: Lying
    sighting: Sighting
    fit: float
    moved: bool = False  # further off than a nudge
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Matching:
    """All pairs, the pieces without a sighting, and the sightings without a piece."""

    pairs: tuple[Pair, ...]
    missing: tuple[Lying, ...]
    extra: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Odd:
    """What a look showed that a layout does not explain: sightings of no piece of it, and pieces that are not seen."""

    extra: tuple[Sighting, ...] = ()
    missing: tuple[Lying, ...] = ()

    def and_before(self, before: "Odd | None") -> "Odd":
        """With what was odd in the look before."""
        if before is None:
            return self
        return Odd((*self.extra, *before.extra), (*self.missing, *before.missing))


def alike(one: Layout, other: Layout, settings: Settings) -> bool:
    """True if two free layouts look the same but for nudges."""
    if len(one.pieces) != len(other.pieces):
        return False
    left = list(other.pieces)
    for lying in one.pieces:
        match = next((p for p in left if _same(lying, p, settings)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _same(one: Lying, other: Lying, settings: Settings) -> bool:
    if one.piece != other.piece or one.cell != other.cell:
        return False
    if (one.x_mm, one.y_mm) != (other.x_mm, other.y_mm) and apart(one, other) > settings.nudge_mm:
        return False
    if one.piece.pose == "upright":
        return True  # its sides are alike, and the eye tells no way that it faces
    if one.heading_deg is None or other.heading_deg is None:
        return one.heading_deg == other.heading_deg
    return abs(turn_deg(one.heading_deg, other.heading_deg)) <= settings.nudge_deg


def carrier(lying: Lying, layout: Layout) -> Piece | None:
    """The piece on which one of the layout's is stacked; unknown where that one is alone in it."""
    if lying.nested_on is None:
        return None
    return UNKNOWN if layout.pieces == (lying,) else layout.pieces[lying.nested_on].piece


def carriers(layout: Layout) -> list[Lying]:
    """The pieces that something stands on: from above they may be hidden."""
    numbers = {lying.nested_on for lying in layout.pieces if lying.nested_on is not None}
    return [lying for number, lying in enumerate(layout.pieces) if number in numbers]


def foreign(sighting: Sighting, own: Collection[Piece], settings: Settings) -> bool:
    """True for what seems to be of the kind of the set that is played with, and yet is none of its pieces."""
    if all(sighting.piece.kind != piece.kind for piece in own):
        return False
    return all(sighting.belief(piece) < settings.least_seen for piece in own)


def strange(sighting: Sighting, looks: Collection[Piece], settings: Settings) -> bool:
    """True for what is hardly seen and looks like no piece that may lie there: rather a shadow of one."""
    kinds = {piece.kind for piece in looks}
    if sighting.told >= settings.news_seen or all(piece.kind not in kinds for piece, _ in sighting.beliefs):
        return False
    return all(sighting.belief(piece) < settings.least_seen for piece in looks)


def off(lying: Lying, was: Sighting | None, now: Sighting) -> float:
    """How far the sighting is from where the piece lay when it was last seen, or from where it is recorded."""
    if lying.x_mm is None or lying.y_mm is None:
        return 0.0
    recorded = apart(lying, now)
    return recorded if was is None else min(recorded, apart(was, now))


def turned_off(lying: Lying, sighting: Sighting) -> float:
    """Degrees between their headings; 0 where one has none."""
    if lying.heading_deg is None or sighting.heading_deg is None:
        return 0.0
    return abs(turn_deg(lying.heading_deg, sighting.heading_deg))


def apart(one: Sighting | Lying, other: Sighting | Lying) -> float:
    """Millimetres between pieces, seen or recorded; endless where one has no place."""
    if one.x_mm is None or one.y_mm is None or other.x_mm is None or other.y_mm is None:
        return math.inf
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
