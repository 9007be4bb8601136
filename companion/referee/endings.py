"""Ends of a game that the players bring about, and what kind of end one was: who wins, who has to agree on a draw."""

from collections.abc import Sequence

from companion.events import GameOver
from companion.games.base import Game, Position
from companion.games.extras import extras
from companion.referee.snapshot import Result
from companion.referee.state import State
from companion.texts import join

WON, DRAWN, LOST, ENDED = "won", "drawn", "lost", "ended"


def rivals(game: Game, position: Position, seat: int) -> tuple[int, ...]:
    """Who wins when this seat gives up: all others, unless the game knows better (its optional `rivals`)."""
    named = extras(game).rivals
    if named is not None:
        return named(position, seat)
    return tuple(other for other in range(len(game.seats(position))) if other != seat)


def between(state: State) -> tuple[int, ...]:
    """The seats that may agree on a draw: who can still win against another; () where nobody can."""
    seats = range(len(state.module.seats(state.position)))
    return tuple(sorted({rival for seat in seats for rival in rivals(state.module, state.position, seat)}))


def may_resign(state: State, seat: int) -> bool:
    """False for a seat that is out, while others play on."""
    return seat in (between(state) or (seat,))


def unanswered(state: State) -> tuple[int, ...]:
    """The seats that have still to say what they think of the draw that is offered."""
    if state.draw.by is None:
        return ()
    answered = (state.draw.by, *state.draw.accepted)
    return tuple(seat for seat in between(state) if seat not in answered)


def kind(game: Game, over: GameOver) -> str:
    """Won, drawn, lost by all (given up with nobody to win, or by the game's `LOST`), or none of it (its `ENDED`)."""
    if over.winners:
        return WON
    if over.reason in extras(game).ENDED:
        return ENDED
    return LOST if over.reason in ("resigned", *extras(game).LOST) else DRAWN


def said(state: State) -> bool:
    """True of a game that players ended by what they said (a draw that was agreed on, a resignation), and no action."""
    return state.over is not None and state.module.outcome(state.position) is None


def result(state: State, names: Sequence[str]) -> Result | None:
    """How the game ended, with the end in a few words: "South and West win"; None while it goes on."""
    over = state.over
    if over is None:
        return None
    came_to = kind(state.module, over)
    heads = {WON: wins([names[seat] for seat in over.winners]), DRAWN: "A draw", LOST: "The game is lost"}
    head = extras(state.module).ENDED[over.reason] if came_to == ENDED else heads[came_to]
    return Result(over.reason, over.winners, over.text, came_to, head, said(state))


def wins(names: list[str]) -> str:
    """ "Silver wins", "South, West and North win"; "" when nobody does."""
    return f"{join(names)} {'win' if len(names) > 1 else 'wins'}" if names else ""


def resignation_words(state: State, names: Sequence[str], seat: int) -> str:
    """What follows when a seat gives up; "" for one that is out."""
    if not may_resign(state, seat):
        return ""
    winners = [names[rival] for rival in rivals(state.module, state.position, seat)]
    return f"The game ends, and {wins(winners) or 'is lost'}."


def offer_words(state: State, names: Sequence[str]) -> str:
    """Who offers a draw, and who has not answered yet; what became of the last offer; "" when there is none."""
    draw = state.draw
    if draw.by is None:
        declined = "" if draw.declined_by is None else f"{names[draw.declined_by]} has declined the draw."
        return declined if draw.lapsed_of is None else f"{lapse_words(names[draw.lapsed_of])}."
    left = [names[seat] for seat in unanswered(state)]
    still_open = f" {join(left)} {'have' if len(left) > 1 else 'has'} not answered yet." if left else ""
    return f"{names[draw.by]} offers a draw.{still_open}"


def lapse_words(name: str) -> str:
    """That the game went on without an answer to this seat's offer."""
    return f"The draw that {name} offered has lapsed: play went on"
