"""What lamps and buzzer do about each event. Every event stands here: it has an answer, or a reason for silence.

A game's own events are added by a line each, under their stable names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.events import Chance, Event, GameOver, Scored
from companion.outputs import patterns, tunes
from companion.outputs.patterns import Pattern
from companion.outputs.tunes import Tune


@dataclass(frozen=True, slots=True)
class Answer:
    """A pattern that runs once over what lasts, and a tune; either may be none.

    `anew`: what passes still is of a table that is no more, and ends.
    """

    light: Pattern | None = None
    tune: Tune | None = None
    anew: bool = False


NOTHING = Answer()


def _die(event: Chance) -> Answer:
    """A die's number on the lamps; what comes out of the bag is in the hand that drew it."""
    first = event.value.split(" ")[0]
    if event.what != "die" or not first.isdigit():
        return NOTHING
    return Answer(patterns.rolled(int(first)), tunes.DIE)


def _points(event: Scored) -> Answer:
    """Points won are heard; points lost are a hit."""
    return Answer(patterns.HIT, tunes.HIT) if event.points < 0 else Answer(tune=tunes.SCORE)


def _over(event: GameOver) -> Answer:
    """Nobody wins a draw, nor what is lost by all: that is no song. The light of the end lasts: see `scene`."""
    return Answer(tune=tunes.WIN if event.winners else tunes.OVER)


ANSWERS: dict[str, Answer | Callable[[Any], Answer]] = {
    "acted": Answer(tune=tunes.ACTED),
    "turn": Answer(tune=tunes.TURN),
    "hit": Answer(patterns.HIT, tunes.HIT),
    "over": _over,
    "chance": _die,
    "scored": _points,
    "asked": Answer(tune=tunes.ASK),
    "draw-offered": Answer(tune=tunes.ASK),
    "taken-back": Answer(tune=tunes.BACK, anew=True),
    "taken-up": Answer(anew=True),  # the host did it, or nobody looks: a game from photographs
    "started": Answer(anew=True),
    "reset": Answer(anew=True),
    "allowed": Answer(tune=tunes.BACK),
    "captured": Answer(patterns.HIT, tunes.SCORE),
    "flipped": Answer(patterns.HIT, tunes.SCORE),
    "crumbled": Answer(patterns.HIT, tunes.HIT),
    "kaxxt_hit": Answer(patterns.DESTROYING, tunes.KAXXT_HIT),
    "annihilated": Answer(patterns.ANNIHILATED, tunes.ANNIHILATION),
    "out": Answer(patterns.OUT, tunes.OUT),
}

LASTS = "what lasts is shown by the scene, and its beginning heard"
PAGE = "for the page: nothing that anybody has to look up for"
HANDS = "a hand at the table did it, and knows"

SILENT = {
    "beam": "the hit that it makes is shown",
    "told": PAGE,
    "targeted": "the lamp of the seat whose turn it is says the same",
    "set-up": "the first turn is heard",
    "ply": "the event that it stands for is heard",
    "cleared": HANDS,
    "ruled": LASTS,
    "put-back": HANDS,
    "corrected": PAGE,
    "joined": PAGE,
    "withdrew": PAGE,
    "draw-accepted": PAGE,
    "draw-declined": PAGE,
    "quiet": PAGE,
    "option": PAGE,
    "sight": LASTS,
}


def answer_to(event: Event) -> Answer:
    """What is shown and heard of an event."""
    answer = ANSWERS.get(event.name, NOTHING)
    return answer if isinstance(answer, Answer) else answer(event)
