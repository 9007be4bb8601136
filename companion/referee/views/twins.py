"""Two pieces of one colour look alike in one light: where the eye wavers at both, the known one tells the other.

On 108 simulated tables every pair of pieces about which the untaught eye wavered alike was of one colour.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from companion.games.base import Lying
from companion.referee.evidence.free_layouts import apart
from companion.view import Sighting, TableView


@dataclass(frozen=True, slots=True)
class TwinSettings:
    """When two pieces are in the same doubt, and what that tells."""

    there_mm: float = 8.0  # a sighting so near to a piece of the record is that piece
    wavers: float = 0.02  # belief in a colour from which the eye thinks of it
    alike: float = 1.0  # natural log-odds between two colours, by which the looks of one piece change
    odds: float = 9.0  # for the colour of the known one


SETTINGS = TwinSettings()


def like_its_twins(view: TableView, known: Iterable[Lying]) -> TableView:
    """The view with what is new told by what is known to lie there and is in the same doubt.

    `known` are the pieces of the record. Of colours that lie there both the eye has told the difference.
    """
    twins: dict[int, str] = {}
    for lying in known:
        for number, seen in enumerate(view.sightings):
            if lying.piece.colour is not None and _there(seen, lying):
                twins[number] = lying.piece.colour
    colours = frozenset(twins.values())
    wavering = [(colour, _by_colour(view.sightings[number])) for number, colour in twins.items()]
    return replace(
        view,
        sightings=tuple(
            seen if number in twins else _told(seen, wavering, colours) for number, seen in enumerate(view.sightings)
        ),
    )


def _told(seen: Sighting, twins: list[tuple[str, dict[str, float]]], lying: frozenset[str]) -> Sighting:
    own = _by_colour(seen)
    for colour, looks in twins:
        if own.get(colour, 0.0) < SETTINGS.wavers or looks.get(colour, 0.0) < SETTINGS.wavers:
            continue
        if any(_same_doubt(colour, rival, own, looks) for rival in own if rival not in lying):
            return _rather(seen, colour)
    return seen


def _same_doubt(colour: str, rival: str, *looks: Mapping[str, float]) -> bool:
    """True if the eye thinks of the rival at both, and prefers the colour to it, or not, as much at both."""
    if any(look.get(rival, 0.0) < SETTINGS.wavers for look in looks):
        return False
    one, other = (math.log(look[colour] / look[rival]) for look in looks)
    return abs(one - other) <= SETTINGS.alike


def _rather(seen: Sighting, colour: str) -> Sighting:
    """The same with more belief in that colour, and as much in all."""
    weights = [p * (SETTINGS.odds if piece.colour == colour else 1.0) for piece, p in seen.beliefs]
    scale = seen.told / sum(weights)
    beliefs = tuple((piece, weight * scale) for (piece, _), weight in zip(seen.beliefs, weights, strict=True))
    return replace(seen, beliefs=beliefs)


def _by_colour(seen: Sighting) -> dict[str, float]:
    beliefs: dict[str, float] = {}
    for piece, p in seen.beliefs:
        if piece.colour is not None:
            beliefs[piece.colour] = beliefs.get(piece.colour, 0.0) + p
    return beliefs


def _there(seen: Sighting, lying: Lying) -> bool:
    alike = (seen.piece.kind, seen.piece.size) == (lying.piece.kind, lying.piece.size)
    return alike and apart(seen, lying) <= SETTINGS.there_mm
