"""A view in the colours of the set that is played with: what looks like another is read as one of its own."""

from collections.abc import Collection
from dataclasses import replace

from companion.pieces import Piece
from companion.view import Sighting, TableView

TAKEN_FOR = {"cyan": ("blue", "green"), "orange": ("red", "yellow"), "purple": ("blue", "red", "black")}
SHADED = {"clear", "white"}  # a white side in the shade looks like clear plastic
LEAST_LIKE = 0.002  # weight of a colour of the set that the eye does not think of, where it names one like it
LEAST_OTHER = 0.1  # belief that it is another piece than the one below, from which that is thought of
OWN_SHARE = 0.25  # of what is believed of a piece, from which it is one of the set


def of_the_set(view: TableView, looks: Collection[Piece], stacks: bool = True) -> TableView:
    """The view of a game with a set of pieces: what seems to be of a colour that the set lacks is of one like it.

    So is what may well be of one of its colours. What looks like none of them stays what it seems to be. `stacks`:
    pieces may stand on one another, and what seems to be of a colour between two of the set may be both.
    """
    colours, kinds = {piece.colour for piece in looks}, {piece.kind for piece in looks}
    if not colours:
        return view
    told = (_of_colours(sighting, colours, stacks) for sighting in view.sightings)
    return replace(view, sightings=tuple(_of_its_own(sighting, colours, kinds) for sighting in told))


def _of_its_own(sighting: Sighting, colours: Collection[str | None], kinds: Collection[str]) -> Sighting:
    """Without the belief in colours that the set lacks, where enough is left."""
    own = {piece: p for piece, p in sighting.beliefs if piece.kind not in kinds or piece.colour in colours}
    everything, left = sighting.told, sum(own.values())
    if left < OWN_SHARE * everything or len(own) == len(sighting.beliefs):
        return sighting
    return replace(sighting, beliefs=tuple((piece, p * everything / left) for piece, p in own.items()))


def _of_colours(sighting: Sighting, colours: Collection[str | None], stacks: bool) -> Sighting:
    beliefs: dict[Piece, float] = {}
    for piece, p in sighting.beliefs:
        like = [c for c in TAKEN_FOR.get(piece.colour or "", ()) if c in colours and piece.colour not in colours]
        meant = [replace(piece, colour=c) for c in like] or [piece]
        weights = [1.0 if stacks else LEAST_LIKE + sighting.belief(one) for one in meant]
        for one, weight in zip(meant, weights, strict=True):
            beliefs[one] = beliefs.get(one, 0.0) + p * weight / sum(weights)
    return replace(sighting, beliefs=tuple(beliefs.items()))


def unstacked(view: TableView) -> TableView:
    """The view of a game without stacks: what seems to stand on a piece is part of it, unless of another colour."""
    carriers = dict(enumerate(view.sightings))
    return replace(
        view,
        sightings=tuple(
            replace(s, faint=True)
            if s.nested_on is not None and _part_of(s.piece.colour, carriers[s.nested_on].piece.colour)
            else s
            for s in view.sightings
        ),
    )


def _part_of(colour: str | None, below: str | None) -> bool:
    """True for a colour that a side of a piece may seem to have: its own, and that of clear plastic over white."""
    return colour in (below, None) or {colour, below} == SHADED


def once(view: TableView, singles: Collection[Piece]) -> TableView:
    """The view of a set with one piece of each: what seems to stand on its own like is part of that, or another one."""
    return replace(view, sightings=tuple(_once(s, view, singles) for s in view.sightings))


def _once(sighting: Sighting, view: TableView, singles: Collection[Piece]) -> Sighting:
    below = None if sighting.nested_on is None else view.sightings[sighting.nested_on].piece
    one = next((one for one in singles if below and one.fits(below) and one.fits(sighting.piece)), None)
    if one is None:
        return sighting
    others = tuple((piece, p) for piece, p in sighting.beliefs if not one.fits(piece))
    if sum(p for _, p in others) < LEAST_OTHER:
        return replace(sighting, faint=True)
    return replace(sighting, beliefs=others)
