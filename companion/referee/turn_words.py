"""Whose turn it is, in words, in the set's own colours."""

from companion.games.extras import extras
from companion.referee.state import State
from companion.referee.words import palette


def mover(state: State) -> str:
    """The name of the seat that moves next."""
    seat, names = state.module.to_move(state.position), state.module.seats(state.position)
    return palette(state.options).text(names[seat]).capitalize() if seat is not None else "Nobody"


def seat_name(state: State, seat: int) -> str:
    """The seat as texts name it, with its player."""
    name = palette(state.options).text(state.module.seats(state.position)[seat]).capitalize()
    player = state.players.get(seat)
    return f"{name} ({player})" if player else name


def who_moves(state: State) -> str:
    """Who does what next: "Baba to move", or what the game `asks` for, "Baba: take a tile of level 0 away"."""
    asked = extras(state.module).asks(state.position)
    return f"{mover(state)}: {asked}" if asked else f"{mover(state)} to move"
