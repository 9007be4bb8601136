"""An action that is not final yet, in the game's notation and in words."""

from collections.abc import Iterator

from companion.games.base import Move, Position
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.state import State
from companion.referee.words import palette, sentence


def spelled(state: State, hypothesis: Hypothesis) -> tuple[str, ...]:
    """Its moves in the game's notation; the last may be unlawful."""
    return tuple(state.module.write_move(position, move) for position, move in _moves(state, hypothesis))


def described(state: State, hypothesis: Hypothesis) -> str:
    """Its moves in words, in the set's own colours."""
    told = (sentence(state.module.describe(position, move)) for position, move in _moves(state, hypothesis))
    return palette(state.options).text(" ".join(told))


def _moves(state: State, hypothesis: Hypothesis) -> Iterator[tuple[Position, Move]]:
    """Its moves, each with the position in which it is made; the last is not played."""
    position = state.at(hypothesis.ply) if hypothesis.kind == "earlier" else state.position
    for index, move in enumerate(hypothesis.moves):
        if index:
            position = state.module.play(position, hypothesis.moves[index - 1]).position
        yield position, move
