"""An action that is not final yet, in the game's notation and in words."""

from companion.games.base import Position
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.state import State
from companion.referee.words import palette, sentence


def spelled(state: State, hypothesis: Hypothesis) -> tuple[str, ...]:
    """Its moves in the game's notation; the last may be unlawful."""
    game, position, texts = state.module, _before(state, hypothesis), []
    for index, move in enumerate(hypothesis.moves):
        texts.append(game.write_move(position, move))
        if index + 1 < len(hypothesis.moves):
            position = game.play(position, move).position
    return tuple(texts)


def described(state: State, hypothesis: Hypothesis) -> str:
    """Its moves in words, in the set's own colours."""
    game, position, texts = state.module, _before(state, hypothesis), []
    for index, move in enumerate(hypothesis.moves, start=1):
        texts.append(sentence(game.describe(position, move)))
        if index < len(hypothesis.moves):
            position = game.play(position, move).position
    return palette(state.options).text(" ".join(texts))


def _before(state: State, hypothesis: Hypothesis) -> Position:
    """The position in which its moves are made."""
    return state.at(hypothesis.ply) if hypothesis.kind == "earlier" else state.position
