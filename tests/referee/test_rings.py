"""What looked and judged lets go of a picture by itself: a ring would hold it until a great collection of garbage."""

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from referee_tables import shown

from companion.bench.random_game import FIRST_SEED, VARIANTS, random_game
from companion.demo.fast import play_fast
from companion.errors import IllegalMove, UnreadableText
from companion.games import game
from companion.games.base import Game, Position
from companion.referee.evidence.cells import CellEvidence
from companion.referee.settings import Settings
from companion.simulator.random_games import random_steps

BEATS = 5  # things that hands did
PICTURE_BYTES = 100_000  # much less than a picture, and more than a patch
SEED = FIRST_SEED + 2_991_500


class Asker:
    """Something that whoever asks holds, as a referee does a picture."""


@pytest.fixture(autouse=True)
def nothing_collected() -> Iterator[None]:
    """Garbage is left where it lies."""
    gc.collect()
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def pictures_in_rings() -> list[str]:
    """What holds pictures though nothing reaches it."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    return [
        f"{type(thing).__qualname__} with {held.shape}"
        for thing in gc.garbage
        for held in gc.get_referents(thing)
        if isinstance(held, np.ndarray) and held.nbytes > PICTURE_BYTES
    ]


def test_looks_at_a_table_are_in_no_ring() -> None:
    book, design = random_game(("chaos", {"seats": 2}), BEATS, SEED)
    beats, found = 0, ["not looked for"]

    def ends(beat: object, script: object, desk: object) -> bool:
        nonlocal beats, found
        beats += 1
        if beats == BEATS:
            found = pictures_in_rings()
        return beats == BEATS

    play_fast(book, design, fps=4.0, seed=SEED, ends=ends)
    assert found == []


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_refusal_holds_nothing_of_who_asked(name: str, options: dict[str, object]) -> None:
    rules = game(name)
    position = rules.start(options)
    steps, later = random_steps(rules, position, 12, SEED)
    moves = [text for step in steps for text in step.move.split(";") if text]
    asked = [who_is_refused(rules, here, text) for here in (position, later) for text in moves]
    held = [who for who in asked if who is not None]
    assert held
    assert not any(who() is not None for who in held)


def test_what_the_cells_of_a_board_tell_is_in_no_ring() -> None:
    khet = game("khet")
    layout = khet.layout(khet.start({"layout": "classic-2.0"}))
    seen = CellEvidence(shown(layout), Settings())
    assert seen.score(layout) < 0
    held = weakref.ref(seen)
    del seen
    assert held() is None


def who_is_refused(rules: Game, position: Position, text: str) -> weakref.ref[Asker] | None:
    """A weak reference to what was held by who asked for a move that is refused; None where it is lawful."""
    asker = Asker()
    try:
        rules.play(position, rules.read_move(position, text))
    except IllegalMove:
        return weakref.ref(asker)
    except UnreadableText:
        pass
    return None
