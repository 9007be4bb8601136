"""Lamps: each meaning has its own place and its own rhythm, and nothing flashes too fast."""

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mock_pins import rhythm

from companion.outputs import patterns, tunes
from companion.outputs.guard import Guard, unheard
from companion.outputs.patterns import FLASHES_PER_S, Pattern
from companion.outputs.players import LightPlayer
from companion.outputs.scene import SIGHT, Flashes, FlashLimit, Scene, Situation
from companion.outputs.tunes import MOST, TUNES, in_turn
from hardware.errors import PinsError

MEANINGS = [
    patterns.turn(0),
    patterns.turn(1),
    patterns.SEEING,
    patterns.BLIND,
    patterns.HAND,
    patterns.HIT,
    patterns.ILLEGAL,
    patterns.ERROR,
    patterns.win((0,)),
    patterns.win((1,)),
    patterns.DESTROYING,
    patterns.OUT,
    patterns.ANNIHILATED,
    patterns.rolled(3),
]
EVERY = [*MEANINGS, *(patterns.turn(seat) for seat in range(2, 6)), patterns.win(()), patterns.win((0, 1))]
EVERY += [patterns.rolled(number) for number in range(7)]
TWO = ("seats.0", "seats.1")
EVERY += [*(patterns.turn(seat, TWO) for seat in range(2, 6)), *(patterns.win(w, TWO) for w in ((2,), (0, 2), (2, 3)))]


def beat(pattern: Pattern) -> tuple[tuple[int, float], ...]:
    """A pattern without its places: how many lamps for how long."""
    return tuple((len(stroke.lamps), stroke.seconds) for stroke in pattern.strokes)


@pytest.mark.parametrize(("one", "other"), list(combinations(MEANINGS, 2)), ids=lambda p: p.name)
def test_two_meanings_never_share_place_and_differ_in_rhythm(one: Pattern, other: Pattern) -> None:
    assert one.lamps != other.lamps
    if not (one.name.startswith("win") and other.name.startswith("win")):  # same meaning, other winner
        assert beat(one) != beat(other)


@pytest.mark.parametrize("told", [patterns.turn, lambda seat, lamps: patterns.win((seat,), lamps)], ids=["turn", "win"])
def test_with_two_lamps_four_seats_are_told_apart(told: Callable[[int, tuple[str, ...]], Pattern]) -> None:
    four = [told(seat, TWO) for seat in range(4)]
    assert all(pattern.lamps & set(TWO) and pattern.lamps <= {*TWO, "hit"} for pattern in four)
    assert len({pattern.strokes for pattern in [*four, patterns.win(())]}) == 5
    assert [told(seat, ()) for seat in range(2)] == four[:2]  # who has a lamp of the own has it as ever


def flashes(pattern: Pattern, rounds: int = 4) -> list[float]:
    """When any lamp lights up, seconds from the start, over several rounds."""
    rises, lit, now = [], frozenset[str](), 0.0
    for stroke in pattern.strokes * (rounds if pattern.repeats else 1):
        if stroke.lamps - lit:
            rises.append(now)
        lit, now = stroke.lamps, now + stroke.seconds
    return rises


def most_in_a_second(rises: list[float]) -> int:
    return max((sum(start <= rise < start + 1 - 1e-9 for rise in rises) for start in rises), default=0)


@pytest.mark.parametrize("pattern", EVERY, ids=lambda p: p.name)
def test_no_pattern_flashes_more_than_three_times_a_second(pattern: Pattern) -> None:
    assert flashes(pattern)
    assert most_in_a_second(flashes(pattern)) <= FLASHES_PER_S


@pytest.mark.parametrize("pattern", EVERY, ids=lambda p: p.name)
def test_looking_at_every_announced_change_shows_every_stroke(pattern: Pattern) -> None:
    now, seen = 0.0, []
    for _ in range(len(pattern.strokes)):
        seen.append(pattern.at(now))
        step = pattern.next_change_s(now)
        if step is None:
            break
        now += step + 1e-9
    assert seen == [stroke.lamps for stroke in pattern.strokes]


SITUATIONS = st.builds(
    Situation,
    to_move=st.none() | st.integers(0, 3),
    sight=st.sampled_from([*SIGHT, "a word of tomorrow"]),
    unlawful=st.booleans(),
    over=st.booleans(),
    winners=st.sampled_from([(), (0,), (1,), (0, 1)]),
)
HAPPENINGS = st.lists(st.tuples(st.floats(0.0, 1.5), st.none() | SITUATIONS), min_size=1, max_size=40)


@settings(deadline=None, max_examples=150)
@given(HAPPENINGS)
def test_however_fast_the_game_changes_the_lamps_stay_below_the_limit(happenings: list) -> None:
    scene, limit, now = Scene(), FlashLimit(), 0.0
    rises: list[float] = []
    lit = frozenset[str]()
    for pause_s, situation in happenings:
        if situation is None:
            scene.flash(Flashes((patterns.HIT,)), now)
        else:
            scene.show(situation, now)
        until = now + pause_s
        while now <= until:
            allowed, held_s = limit.allow(scene.lit(now), now)
            if allowed - lit:
                rises.append(now)
            lit = allowed
            waits = [wait for wait in (held_s, scene.next_change_s(now)) if wait is not None]
            now += max(1e-4, min(waits, default=1.0))
        now = until
    assert most_in_a_second(rises) <= FLASHES_PER_S


def test_a_held_back_lamp_comes_on_later() -> None:
    limit = FlashLimit()
    for at in (0.0, 0.2, 0.4):
        assert limit.allow(frozenset({"a"}), at) == ({"a"}, None)
        limit.allow(frozenset(), at + 0.1)
    lit, wait_s = limit.allow(frozenset({"a"}), 0.6)
    assert not lit
    assert wait_s == pytest.approx(0.4)
    assert limit.allow(frozenset({"a"}), 1.0) == ({"a"}, None)


class Eyes:
    """Lamps that tell how long each was lit, by a clock that is set."""

    def __init__(self, now: list[float]) -> None:
        self.now, self.lit, self.flashes = now, dict[str, float](), dict[str, list[float]]()

    def set(self, levels: dict[str, float]) -> None:
        for lamp in levels.keys() - self.lit.keys():
            self.lit[lamp] = self.now[0]
        for lamp in self.lit.keys() - levels.keys():
            self.flashes.setdefault(lamp, []).append(self.now[0] - self.lit.pop(lamp))

    def close(self) -> None:
        """Nothing."""


@pytest.mark.parametrize("sight", ["seeing", "hand", "lost", "no camera"])
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("pattern", "count"), [(patterns.rolled(6), 6), (patterns.rolled(1), 1), (patterns.HIT, 3)])
def test_nothing_of_a_count_is_held_back_whoever_is_to_move(
    sight: str, seat: int, pattern: Pattern, count: int
) -> None:
    for begin in range(100):  # wherever the other lamps are in their rhythm
        now = [0.0]
        eyes = Eyes(now)
        player = LightPlayer(
            Guard("lights", lambda eyes=eyes: eyes, (PinsError,), 30.0, unheard), lambda now=now: now[0]
        )
        player._heed(Situation(seat, sight))
        while now[0] < begin * 0.07:
            step = player._step()
            now[0] = min(begin * 0.07, now[0] + max(step or 1.0, 1e-3))
        player._heed(Flashes((pattern,)))
        until = now[0] + pattern.seconds + 1.5
        while now[0] < until:
            now[0] += max(player._step() or 1.0, 1e-3)
        assert eyes.flashes["hit"] == pytest.approx([s.seconds for s in pattern.strokes if s.lamps], abs=0.01)
        assert len(eyes.flashes["hit"]) == count


def test_an_error_hides_what_uses_its_lamps_and_nothing_else() -> None:
    scene = Scene()
    scene.show(Situation(to_move=1, sight="no camera", unlawful=True), 0.0)
    assert scene.lit(0.1) == {"stop", "wait", "seats.1"}
    assert scene.lit(0.3) == {"seats.1"}


def test_a_rhythm_goes_on_when_something_else_changes() -> None:
    scene = Scene()
    scene.show(Situation(to_move=0, sight="hand"), 0.0)
    scene.show(Situation(to_move=1, sight="hand"), 0.5)
    assert "wait" in scene.lit(0.6)
    assert "wait" not in scene.lit(0.8)


def test_the_end_of_a_flash_gives_the_lamp_back() -> None:
    scene = Scene()
    scene.show(Situation(over=True, winners=(0,), sight="seeing"), 0.0)
    scene.flash(Flashes((patterns.HIT,)), 1.0)
    assert scene.lit(1.1) == {"hit"}
    assert "seats.0" in scene.lit(1.0 + patterns.HIT.seconds + 0.01)


def test_what_waits_to_be_shown_gives_way_to_news_that_is_as_important() -> None:
    scene = Scene()
    scene.flash(Flashes((patterns.rolled(1), patterns.HIT, patterns.OUT)), 0.0)
    scene.flash(Flashes((patterns.rolled(2), patterns.DESTROYING)), 0.1)
    names = [name for name, _ in sorted(((p.name, at) for p, at in scene._passing), key=lambda pair: pair[1])]
    assert names == ["rolled 1", "out", "rolled 2", "Kaxxt hit"]


def test_what_passes_ends_when_the_table_begins_anew() -> None:
    scene = Scene()
    scene.show(Situation(to_move=0, sight="hand"), 0.0)
    scene.flash(Flashes((patterns.ANNIHILATED, patterns.OUT)), 0.0)
    scene.flash(Flashes((), anew=True), 0.1)
    assert scene.lit(0.2) == {"seats.0", "wait"}


def test_tunes_that_come_at_once_are_heard_in_their_order_the_less_important_not_at_all() -> None:
    attack = (tunes.TURN, tunes.DIE, tunes.HIT, tunes.HIT, tunes.OUT, tunes.TURN)
    assert in_turn(attack) == (tunes.DIE, tunes.HIT, tunes.OUT, tunes.TURN)
    assert in_turn(TUNES) == TUNES[-MOST:]


@pytest.mark.parametrize(("one", "other"), list(combinations(TUNES, 2)), ids=lambda tune: tune.name)
def test_tunes_differ_even_on_a_buzzer_with_one_note(one, other) -> None:
    assert rhythm(one) != rhythm(other)
    for (sounding, _), (next_sounding, _) in pairwise(rhythm(one)):
        assert sounding != next_sounding, "two notes without a gap are one on a plain buzzer"
