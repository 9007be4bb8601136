"""Every event has its light or tune, or a reason to have none."""

import importlib

import pytest

from companion.events import Chance, Scored, event, registered
from companion.games import GAMES, game
from companion.games.kaxxt.attack import Annihilated
from companion.outputs import patterns, tunes
from companion.outputs.answers import ANSWERS, SILENT, Answer, answer_to
from companion.outputs.tunes import TUNES


def every_event() -> set[str]:
    """All events of the product: the common ones, the referee's, and each game's own."""
    importlib.import_module("companion.referee.happenings")
    for name in GAMES:
        game(name)
    return {name for name, cls in registered().items() if cls.__module__.startswith("companion.")}


def unanswered() -> set[str]:
    return every_event() - ANSWERS.keys() - SILENT.keys()


def test_every_event_is_answered_or_deliberately_silent() -> None:
    assert unanswered() == set(), "give it an answer or a reason in companion/outputs/answers.py"


def test_nothing_is_both_and_nothing_is_left_over() -> None:
    assert ANSWERS.keys() & SILENT.keys() == set()
    assert (ANSWERS.keys() | SILENT.keys()) - every_event() == set()
    assert all(SILENT.values())


def test_a_new_event_without_an_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.events._REGISTRY", dict(registered()))

    @event("conjured")
    class Conjured:
        __module__ = "companion.games.conjuring"

    assert unanswered() == {"conjured"}


def test_every_tune_can_be_weighed_against_the_others() -> None:
    assert {a.tune for a in ANSWERS.values() if isinstance(a, Answer)} - {None} <= set(TUNES)


@pytest.mark.parametrize(("value", "pattern"), [("4", patterns.rolled(4)), ("0", patterns.rolled(0))])
def test_a_die_is_counted_out_on_the_lamps(value: str, pattern: patterns.Pattern) -> None:
    assert answer_to(Chance("die", value)) == Answer(pattern, tunes.DIE)
    assert answer_to(Chance("die", f"{value} red")).light == pattern


@pytest.mark.parametrize("chance", [Chance("bag", "r3"), Chance("tile", "Sa"), Chance("die", "any red")])
def test_what_is_no_number_is_not_counted(chance: Chance) -> None:
    assert answer_to(chance) == Answer()


def test_annihilation_has_a_light_of_its_own() -> None:
    light = answer_to(Annihilated(0, "Stack overflow", "X29")).light
    assert light == patterns.ANNIHILATED
    assert sum(getattr(answer, "light", None) == light for answer in ANSWERS.values()) == 1


def test_points_lost_are_a_hit_and_points_won_a_song() -> None:
    assert answer_to(Scored(0, -3, 27)).light == patterns.HIT
    assert answer_to(Scored(0, 3, 3)) == Answer(tune=tunes.SCORE)
