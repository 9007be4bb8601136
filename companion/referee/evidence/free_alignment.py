"""A view of a free table told in the record's own places: what is known lies there exactly where it is recorded."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.referee.evidence.free_layouts import Pair, apart, off
from companion.referee.evidence.free_matching import Matcher
from companion.referee.evidence.free_strays import lies_still, was_stray
from companion.referee.evidence.layout import place_key
from companion.view import Sighting, TableView


def aligned(view: TableView, matcher: Matcher, layouts: Sequence[Layout]) -> TableView:
    """The view as it would be if every piece known to lie there were seen exactly where it is recorded.

    The known pieces come first, in the order of the layouts; what is new keeps its own looks, its place
    corrected by how far the nearest known piece seems to lie off its own. Dice are in it only when newly thrown.
    """
    settings, memory = matcher.settings, matcher.memory
    known: dict[Hashable, Lying] = {}
    for layout in layouts:
        for lying in layout.pieces:
            known.setdefault(place_key(lying), lying)
    union = Layout(tuple(replace(p, nested_on=None) for p in known.values()))
    found = matcher.matching(union)
    there = [pair for pair in found.pairs if not pair.moved and not pair.turned]
    pairs = [pair for pair in there if matcher.recognised(pair)]
    unlike = {id(pair.sighting): pair.lying.piece for pair in there if not matcher.recognised(pair)}
    lookup = {id(pair.sighting): number for number, pair in enumerate(pairs)}
    here = [_recorded(pair) for pair in pairs]
    new = [
        s
        for s in matcher.sightings
        if id(s) not in lookup and not was_stray(s, memory, settings) and not lies_still(s, memory, settings)
    ]
    lookup |= {id(s): len(here) + number for number, s in enumerate(new)}
    numbers = dict(enumerate(view.sightings))
    for sighting in new:
        below = numbers.get(sighting.nested_on) if sighting.nested_on is not None else None
        moved = _beside(_another(sighting, unlike.get(id(sighting))), pairs, matcher)
        here.append(replace(moved, nested_on=lookup.get(id(below)) if below is not None else None))
    return replace(view, sightings=tuple(here))


def _another(sighting: Sighting, unlike: Piece | None) -> Sighting:
    """What looks no more like the piece that lay there, as another one: what is believed of that one is not."""
    others = tuple((piece, p) for piece, p in sighting.beliefs if piece != unlike)
    return replace(sighting, beliefs=others or sighting.beliefs)


def _recorded(pair: Pair) -> Sighting:
    """A known piece, seen where it is recorded."""
    lying, seen = pair.lying, pair.sighting
    return replace(
        seen,
        beliefs=((lying.piece, 1.0),),
        x_mm=seen.x_mm if lying.x_mm is None else lying.x_mm,
        y_mm=seen.y_mm if lying.y_mm is None else lying.y_mm,
        heading_deg=None if lying.piece.pose == "upright" else lying.heading_deg,
        nested_on=None,
        why=None,
    )


def _beside(sighting: Sighting, pairs: Iterable[Pair], matcher: Matcher) -> Sighting:
    """A newcomer's place in the record's frame: beside a neighbour that was nudged it keeps its place to it."""
    near = [
        (away, pair)
        for pair in pairs
        if pair.lying.x_mm is not None and not pair.lying.slack_mm
        if (away := apart(pair.sighting, sighting)) <= matcher.settings.beside_mm
    ]
    if not near:
        return sighting
    pair = min(near, key=lambda known: known[0])[1]
    if off(pair.lying, None, pair.sighting) <= matcher.settings.measured_mm:
        return sighting
    assert sighting.x_mm is not None and sighting.y_mm is not None  # noqa: PT018 - one condition
    assert pair.sighting.x_mm is not None and pair.sighting.y_mm is not None  # noqa: PT018
    assert pair.lying.x_mm is not None and pair.lying.y_mm is not None  # noqa: PT018
    return replace(
        sighting,
        x_mm=sighting.x_mm + pair.lying.x_mm - pair.sighting.x_mm,
        y_mm=sighting.y_mm + pair.lying.y_mm - pair.sighting.y_mm,
    )
