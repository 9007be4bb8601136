"""What chance decides: whose dice they are, what is certain, and one throw of the companion's own."""

from collections.abc import Callable, Sequence

from companion.events import Event
from companion.games.base import Game, Move, Position
from companion.games.extras import extras
from companion.referee.consequences import played_out
from companion.referee.happenings import CERTAIN
from companion.referee.state import State, fold_all

COMPANION, CAMERA, ENTERED = "companion", "camera", "entered"
SURE = 1.0 - 1e-9


def dice(game: Game, position: Position) -> str:
    """What is thrown now, in words; "" when nothing is."""
    named = extras(game).dice
    return named(position) if named is not None else ""


def has_dice(game: Game) -> bool:
    """True for a game that is played with dice."""
    return extras(game).dice is not None


def is_certain(game: Game, position: Position) -> bool:
    """True where only one thing can happen and nobody is asked: a forced pass."""
    outcomes = game.chance(position)
    return len(outcomes) == 1 and outcomes[0][1] >= SURE


def certain(state: State) -> list[Event]:
    """What happens by itself from here on, in order."""
    events: list[Event] = []
    while state.phase == "play" and is_certain(state.module, state.position):
        new = played_out(state, state.module.chance(state.position)[0][0], CERTAIN)
        state = fold_all(new, state)
        events += new
    return events


def throw(game: Game, position: Position, draw: Callable[[], float]) -> Move:
    """One move of chance, each as likely as the game says. `draw` gives numbers from 0 up to, never reaching, 1."""
    return pick(game.chance(position), draw())


def pick(outcomes: Sequence[tuple[Move, float]], drawn: float) -> Move:
    """The outcome in whose share of 0 to 1 the number lies."""
    rest = drawn * sum(p for _, p in outcomes)
    for move, p in outcomes:
        if rest < p:
            return move
        rest -= p
    return outcomes[-1][0]
