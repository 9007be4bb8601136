"""Moves given in a game's notation, one after the other."""

from companion.events import Event
from companion.games.base import Game, Position, Turn


def played(game: Game, position: Position, *texts: str) -> Turn:
    """The last turn after these moves."""
    turn = Turn(position)
    for text in texts:
        turn = game.play(turn.position, game.read_move(turn.position, text))
    return turn


def kinds(events: tuple[Event, ...]) -> set[type]:
    """What kinds of events there are."""
    return {type(event) for event in events}
