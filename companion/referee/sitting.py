"""Who sits where in the next game: players stay, also those for whom a game with fewer seats in between has none."""

from companion.referee.happenings import Joined
from companion.referee.state import State


def seated(state: State) -> tuple[Joined, ...]:
    """Who takes the seats of a new game, or waits for one with more of them, after this one: nobody twice."""
    sat = set(state.players.values())
    waiting = {seat: player for seat, player in state.waiting.items() if player not in sat}
    return tuple(Joined(seat, player) for seat, player in sorted({**waiting, **state.players}.items()))
