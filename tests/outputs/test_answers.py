"""Every event has its light or tune, or a reason to have none."""

import importlib

import pytest

from companion.events import Chance, GameOver, Scored, event, registered
from companion.games import GAMES, game, kaxxt
from companion.games.kaxxt.attack import Annihilated
from companion.outputs import patterns, tunes
from companion.outputs.answers import ANSWERS, SILENT, Answer, answer_to
from companion.outputs.scene import Flashes, Scene
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


def shown(lights: tuple[patterns.Pattern, ...]) -> list[frozenset[str]]:
    """What the lamps show, stroke after stroke, of lights that come at once."""
    scene, now, seen = Scene(), 0.0, []
    scene.flash(Flashes(lights), now)
    while (step := scene.next_change_s(now)) is not None:
        seen.append(scene.lit(now))
        now += step + 1e-9
    return seen


def test_what_an_attack_leads_to_is_shown_in_its_order_each_to_its_end() -> None:
    loop = "area.south=r3@0.0,-110.0>180.0 area.north=r2@0.0,110.0>180.0"
    before = kaxxt.read_position(
        f"shields=30,30 kaxxt=30 turn=south target=south phase=roll bag=r1b1b2b3g1g2g3y1y2y3k1k2k3 {loop}"
    )
    turn = kaxxt.play(before, kaxxt.read_move(before, "=1"))
    lights = tuple(light for happened in turn.events if (light := answer_to(happened).light) is not None)
    assert [light.name for light in lights] == ["rolled 1", "annihilated", "hit", "out"]
    assert shown(lights) == [stroke.lamps for light in lights for stroke in light.strokes]


def test_a_hit_of_several_is_shown_once_and_each_die_is_counted_out() -> None:
    three, hit = patterns.rolled(3), patterns.HIT
    assert shown((three, three, hit, hit)) == [stroke.lamps for p in (three, three, hit) for stroke in p.strokes]


def test_nobody_wins_to_the_winners_song() -> None:
    assert answer_to(GameOver("pharaoh", (0,), "Silver wins")).tune == tunes.WIN
    assert answer_to(GameOver("lost", (), "The tower has fallen")).tune == tunes.OVER


def test_every_light_that_passes_can_be_weighed_against_the_others() -> None:
    assert {a.light for a in ANSWERS.values() if isinstance(a, Answer)} - {None} == set(patterns.PASSING)


def test_points_lost_are_a_hit_and_points_won_a_song() -> None:
    assert answer_to(Scored(0, -3, 27)).light == patterns.HIT
    assert answer_to(Scored(0, 3, 3)) == Answer(tune=tunes.SCORE)


def test_no_two_things_that_players_have_to_tell_apart_sound_alike() -> None:
    answers = {name: a.tune for name, a in ANSWERS.items() if isinstance(a, Answer) and a.tune is not None}
    for name in ("hit", "kaxxt_hit", "annihilated", "out", "taken-back", "turn"):
        alike = {other for other, tune in answers.items() if tune == answers[name]}
        assert alike <= {name, "crumbled", "allowed"}
