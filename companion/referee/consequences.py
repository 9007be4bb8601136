"""What the rules make follow from actions, as the events that are recorded."""

from collections.abc import Sequence

from companion.events import Event, GameOver, TurnBegan
from companion.games.base import Game, Move, Turn
from companion.referee.evidence.layout import changed
from companion.referee.happenings import BY_HAND, IMPLIED, TABLE, Cleared, Plied
from companion.referee.state import State, fold, fold_all


def played_out(state: State, move: Move, source: str) -> list[Event]:
    """A lawful move and everything that the rules make follow; IllegalMove otherwise."""
    game = state.module
    seat = game.to_move(state.position)
    turn = game.play(state.position, move)
    plied = Plied(len(state.plies) + 1, seat or 0, game.write_move(state.position, move), source)
    return [plied, *to_the_end(game, turn)]


def led_to(state: State, move: Move, source: str) -> list[Event]:
    """As `played_out`, for a move that is read together with the next, and may have shown nothing itself."""
    shown = changed(state.module.layout(state.position), state.module.during(state.position, move))
    return played_out(state, move, source if shown else IMPLIED)


def acted_out(state: State, moves: Sequence[Move], settled: bool, source: str = TABLE) -> list[Event]:
    """Lawful moves read from one view, and what they make follow; `settled`: hands have done all of that already.

    What was asked for before them is done then, and so is what each but the last of them asked for.
    """
    on_table = source in BY_HAND
    events: list[Event] = [Cleared()] if state.awaiting and on_table else []
    state = fold_all(events, state)
    for index, move in enumerate(moves, start=1):
        last = index == len(moves)
        played = (played_out if last else led_to)(state, move, source)
        state = fold_all(played, state)
        if on_table and state.awaiting and (settled or not last):
            played.append(Cleared())
            state = fold(state, played[-1])
        events += played
    return events


def to_the_end(game: Game, turn: Turn) -> tuple[Event, ...]:
    """What happened in a turn, and that the game is over, where it is."""
    ended = game.outcome(turn.position)
    if ended is None or any(isinstance(event, GameOver) for event in turn.events):
        return turn.events
    return (*turn.events, ended.event())


def turn_began(state: State) -> tuple[Event, ...]:
    """The event of the turn that is on now."""
    seat = state.module.to_move(state.position)
    return () if seat is None else (TurnBegan(seat),)
