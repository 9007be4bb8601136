"""What players have to remember, and nobody is told meanwhile: faces that were seen and lie face-down again."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.events import Event, Told
from companion.games.base import Layout
from companion.games.kdak import tower as t
from companion.games.kdak.position import Move, Position
from companion.games.kdak.table import front
from companion.games.kdak.tower import Tile

OF_FACES = ("K20",)  # rules that only a face of some value brings up


def seen_by(position: Position, seat: int | None) -> Position:
    """What everybody may know: a face-down tile shows no face, whoever has seen it before."""
    a, b, c, d = (tuple(tile if tile.up else Tile() for tile in column) for column in position.tower)
    return replace(position, tower=(a, b, c, d))


def hidden(position: Position, standing: Layout | None) -> frozenset[str]:
    """The tiles that neither lie face-up nor have left the game, which is shown to all (K10).

    What the last confirmed table shows face-up is open until hands have turned it down (K8).
    """
    open_now = {tile.name for column in position.tower for tile in column if tile.up}
    shown = {lying.piece for lying in standing.pieces} if standing is not None else set()
    return frozenset(t.TILES) - open_now - set(position.gone) - {name for name in t.TILES if front(name) in shown}


def without(position: Position, names: Collection[str]) -> Position:
    """With tiles that lie as they lie, and no face on those of these names."""
    a, b, c, d = (
        tuple(Tile(up=tile.up) if tile.name in names else tile for tile in column) for column in position.tower
    )
    return replace(position, tower=(a, b, c, d))


def retold(move: Move, events: Sequence[Event], names: Collection[str]) -> tuple[Move, tuple[Event, ...]]:
    """A face of these is not told, nor that it was a null's (K20)."""
    if move.kind != "tile" or move.tile not in names:
        return move, tuple(events)
    kept = tuple(event for event in events if isinstance(event, Told) and event.rule not in OF_FACES)
    return Move("tile", tile=t.UNSEEN), kept
