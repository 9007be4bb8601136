"""Every event has its light or tune, or a reason to have none."""

import importlib

import pytest

from companion.events import Chance, Scored, event, registered
from companion.games import GAMES, game, kaxxt
from companion.games.kaxxt.attack import Annihilated
from companion.outputs import patterns, tunes
from companion.outputs.answers import ANSWERS, SILENT, Answer, answer_to
from companion.outputs.scene import Scene
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


def test_annihilation_is_shown_to_its_end_whatever_it_led_to() -> None:
    loop = "area.south=r3@0.0,-110.0>180.0 area.north=r2@0.0,110.0>180.0"
    before = kaxxt.read_position(
        f"shields=30,30 kaxxt=30 turn=south target=south phase=roll bag=r1b1b2b3g1g2g3y1y2y3k1k2k3 {loop}"
    )
    turn = kaxxt.play(before, kaxxt.read_move(before, "=1"))
    lights = [answer_to(happened).light for happened in turn.events]
    assert [light.name for light in lights if light] == ["rolled 1", "annihilated", "hit", "out"]
    scene = Scene()
    for light in filter(None, lights):
        scene.flash(light, 0.0)
    moments = [share * patterns.ANNIHILATED.seconds / 100 for share in range(100)]
    assert [scene.lit(at) for at in moments] == [patterns.ANNIHILATED.at(at) for at in moments]
    scene.flash(patterns.HIT, patterns.ANNIHILATED.seconds)
    assert scene.lit(patterns.ANNIHILATED.seconds) == {"hit"}


def test_every_light_that_passes_can_be_weighed_against_the_others() -> None:
    assert {a.light for a in ANSWERS.values() if isinstance(a, Answer)} - {None} == set(patterns.PASSING)


def test_points_lost_are_a_hit_and_points_won_a_song() -> None:
    assert answer_to(Scored(0, -3, 27)).light == patterns.HIT
    assert answer_to(Scored(0, 3, 3)) == Answer(tune=tunes.SCORE)
