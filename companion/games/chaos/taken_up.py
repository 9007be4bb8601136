"""A table of Chaos as it lies, taken up again: which pieces are in play, and how many were placed since."""

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.chaos import geometry as g
from companion.games.chaos.benefit import believed
from companion.games.chaos.colours import RINGS, UNSEEN
from companion.games.chaos.placement import lawful
from companion.games.chaos.position import DICE, SIZES, STASH, Position, Standing
from companion.games.chaos.seen import measured
from companion.pieces import PYRAMID_SIZES
from companion.view import Sighting, TableView


def taken_up(position: Position, view: TableView, seat: int) -> Position:
    """The position in which the table shows this, with that seat to move; UnreadableText where none does.

    Captures stay as they were. The seat that is on turn by the count of what was placed has what is left of its dice
    to place, any other one is to roll.
    """
    pieces = _in_play(position, view)
    due, left = _turn(position, len(pieces) - len(position.pieces))
    dice = left if seat == due else ()
    array = _array(position, pieces)
    return replace(
        position, pieces=pieces, array=array, seat=seat, dice=dice, phase="place" if dice else "roll", skips=0
    )


def turn_of(position: Position, view: TableView) -> int:
    """Whose turn it is if every die was placed that was thrown since."""
    return _turn(position, len(_in_play(position, view)) - len(position.pieces))[0]


def _turn(position: Position, placed: int) -> tuple[int, tuple[str, ...]]:
    """The seat on turn after so many placements, and the dice that it has still to place, UNSEEN ones maybe."""
    due = len(position.dice) or DICE
    if placed <= 0:
        return position.seat, position.dice
    if placed < due:
        return position.seat, (UNSEEN,) * (due - placed)
    turns, begun = divmod(placed - due, DICE)
    left = DICE - begun if begun else 0  # none is thrown yet
    return (position.seat + 1 + turns) % position.house.players, (UNSEEN,) * left


def _array(position: Position, pieces: Sequence[Standing]) -> tuple[tuple[int, int, int], ...]:
    """What is neither in play nor captured; UnreadableText if more is in play than there is."""
    out = [(piece.colour, piece.size) for piece in pieces] + [kind for got in position.captured for kind in got]
    array = []
    for colour in RINGS[position.house.colours]:
        large, medium, small = (have - out.count((colour, size)) for have, size in zip(STASH, SIZES, strict=True))
        array.append((large, medium, small))
    if min(map(min, array)) < 0:
        raise UnreadableText("more pieces are in play than there are")
    return tuple(array)


# --- what is in play ----------------------------------------------------------------------------------------------


def _in_play(position: Position, view: TableView) -> tuple[Standing, ...]:
    """What lies where it lay, or is not seen to be gone; then what is new, in an order in which it may have come."""
    there = [seen for seen in view.sightings if seen.piece.kind == "pyramid" and seen.x_mm is not None]
    places = {(seen.piece, seen.x_mm, seen.y_mm): seen for seen in there}
    known = {
        piece: places.pop(place)
        for piece in position.pieces
        if (place := (piece.looks, piece.x_mm, piece.y_mm)) in places
    }
    new = [_piece(position, seen) for seen in there if all(seen is not other for other in known.values())]
    pieces = tuple(piece for piece in position.pieces if piece in known or not _gone(piece, new, view))
    new.sort(key=lambda piece: piece.pose != "upright")  # defenders come first (C5)
    while new:
        placed = [_believed(position, pieces, piece) for piece in new]
        at = next((at for at, (_, lawful) in enumerate(placed) if lawful), 0)
        pieces = (*pieces, placed[at][0])
        new.pop(at)
    return pieces


def _piece(position: Position, seen: Sighting) -> Standing:
    """A new piece where it is measured; UnreadableText for one that is not played with."""
    looks = seen.piece
    if looks.colour not in RINGS[position.house.colours] or looks.size not in PYRAMID_SIZES or looks.pose is None:
        raise UnreadableText(f"a {looks.colour} {looks.size} pyramid is not played with")
    return measured(looks, seen)


def _gone(piece: Standing, new: Sequence[Standing], view: TableView) -> bool:
    """True for a piece that is not seen, and in whose place the table is bare or another one lies."""
    if view.bare(piece.x_mm, piece.y_mm):
        return True
    return g.overlaps(piece, new)


def _believed(position: Position, pieces: tuple[Standing, ...], piece: Standing) -> tuple[Standing, bool]:
    """Where a piece is taken to have been placed upon these, and whether that was lawful."""
    due = replace(position, pieces=pieces, array=_array(position, pieces), dice=(UNSEEN,), phase="place")
    piece = believed(due, piece)
    return piece, lawful(due, piece)
