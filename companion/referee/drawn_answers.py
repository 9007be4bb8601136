"""What is asked, drawn: each answer with what would lie otherwise than the page shows, and the light that follows."""

from collections.abc import Mapping
from dataclasses import replace

from companion.events import BeamPath, light_of
from companion.games.base import Layout
from companion.referee.consequences import acted_out
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.setup import pieces_of
from companion.referee.snapshot import Choice, PieceView, Question
from companion.referee.state import State
from companion.referee.words import Palette


def with_pictures(
    question: Question, asked: Mapping[str, Hypothesis], state: State, layout: Layout, colours: Palette
) -> Question:
    """The question with its answers drawn: by what each means (`asked`), beside the `layout` that the page shows."""
    now = pieces_of(layout, colours)
    return replace(
        question,
        choices=tuple(
            _drawn(choice, asked[choice.id], state, now, colours) if choice.id in asked else choice
            for choice in question.choices
        ),
    )


def _drawn(choice: Choice, meant: Hypothesis, state: State, now: tuple[PieceView, ...], colours: Palette) -> Choice:
    then = pieces_of(meant.layout, colours)
    added = tuple(piece for piece in then if piece not in now)
    removed = tuple(piece for piece in now if piece not in then)
    return replace(choice, added=added, removed=removed, beams=_light(meant, state))


def _light(meant: Hypothesis, state: State) -> tuple[BeamPath, ...]:
    """The light that a lawful action leads to; of one that was made instead of an earlier one nothing is drawn."""
    if meant.kind != "move" or not meant.moves:
        return ()
    return light_of(acted_out(state, meant.moves, meant.settled))
