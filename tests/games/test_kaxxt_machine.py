"""Random tables and whole random games of Kaxxt on Ice, with what must always hold."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import IllegalMove
from companion.events import Beam, BeamPath, GameOver, from_json
from companion.games import kaxxt
from companion.games.kaxxt.arranging import POINTS, grid_stand
from companion.games.kaxxt.beam import KAXXT, Trace, Tracer
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import SET
from companion.games.kaxxt.sides import sides
from companion.games.kaxxt.stacks import METHODS
from companion.games.kaxxt.stands import Stand

COLOURS = ("red", "blue", "green", "yellow")


@st.composite
def tables(draw: st.DrawFn) -> tuple[tuple[Stand, ...], ...]:
    """Up to fifteen pyramids anywhere on the grids of 2 to 4 seats, stacked where they fit."""
    seats = draw(st.integers(2, 4))
    areas: list[list[Stand]] = [[] for _ in range(seats)]
    for pyramid in draw(st.permutations(SET))[: draw(st.integers(0, 15))]:
        seat = draw(st.integers(0, seats - 1))
        area = areas[seat]
        if area and draw(st.booleans()) and area[-1].pyramids[-1].pips >= pyramid.pips:
            area[-1] = replace(area[-1], pyramids=(*area[-1].pyramids, pyramid))
        else:
            row, col = draw(st.integers(0, 3)), draw(st.integers(-1, 1))
            area.append(grid_stand(sides(seats)[seat], (pyramid,), draw(st.sampled_from(POINTS)), row, col))
    return tuple(tuple(area) for area in areas)


def joined(trace: Trace) -> bool:
    """Every hop begins where an earlier one ended, at the same or a lower power."""
    ends: list[BeamPath] = []
    for path in trace.paths:
        begins = path.points[0]
        before = [other for other in ends if other.points[-1] == begins and (other.power or 0) >= (path.power or 0)]
        if begins != KAXXT and not before:
            return False
        ends.append(path)
    return True


@given(
    tables(),
    st.integers(0, 3),
    st.sampled_from(COLOURS),
    st.sampled_from((3, 6)),
    st.sampled_from(METHODS),
    st.sets(st.integers(0, 3), max_size=2),
)
def test_no_point_of_a_beam_is_lost_or_made(
    areas: tuple[tuple[Stand, ...], ...], target: int, colour: str, power: int, method: str, out: set[int]
) -> None:
    """damage + recharge + at Kaxxt + lost + stopped = power."""
    seats = len(areas)
    target %= seats
    present = [seat == target or seat == (target + 1) % seats or seat not in out for seat in range(seats)]
    areas = tuple(area if here else () for area, here in zip(areas, present, strict=True))
    trace = Tracer(areas, present, method).fire(target, colour, power)
    assert trace.total == power
    parts = (*trace.damage.values(), *trace.recharge.values(), *trace.at_kaxxt.values(), trace.lost, trace.stopped)
    assert min(parts) >= 0
    assert {seat for part in (trace.damage, trace.recharge, trace.annihilated) for seat in part} <= {
        seat for seat in range(seats) if present[seat]
    }
    assert joined(trace)
    assert all(path.unit == "mm" and len(path.points) >= 1 and (path.power or 0) > 0 for path in trace.paths)
    hits = sum(path.power or 0 for path in trace.paths if path.end == "hit")
    assert hits == sum(trace.damage.values())
    assert sum(path.power or 0 for path in trace.paths if path.end == "lost") == trace.lost
    assert sum(path.power or 0 for path in trace.paths if path.end == "annihilated") == trace.stopped
    assert sum(path.power or 0 for path in trace.paths if path.end == "kaxxt") == sum(trace.at_kaxxt.values())
    assert bool(trace.stopped) == bool(trace.annihilated)


@given(tables(), st.sampled_from(COLOURS), st.sampled_from((3, 6)), st.sampled_from(METHODS))
def test_turning_the_table_by_a_seat_turns_the_result(
    areas: tuple[tuple[Stand, ...], ...], colour: str, power: int, method: str
) -> None:
    """Only at a table of four are all seats alike."""
    if len(areas) != 4:
        return
    order = sides(4)

    def moved(stand: Stand, seat: int) -> Stand:
        x, y = order[(seat + 1) % 4].table(*order[seat].local(stand.x_mm, stand.y_mm))
        heading = None if stand.heading_deg is None else (stand.heading_deg - 90) % 360
        return Stand(stand.pyramids, x, y, heading)

    turned = [tuple(moved(stand, seat) for stand in areas[seat]) for seat in (3, 0, 1, 2)]
    here = Tracer(areas, (True,) * 4, method).fire(0, colour, power)
    there = Tracer(turned, (True,) * 4, method).fire(1, colour, power)
    assert {(seat + 1) % 4: points for seat, points in here.damage.items()} == there.damage
    assert {(seat + 1) % 4: points for seat, points in here.recharge.items()} == there.recharge
    assert (here.lost, here.stopped) == (there.lost, there.stopped)


class KaxxtMachine(RuleBasedStateMachine):
    """Plays whatever can be listed, and tries what is not."""

    @initialize(seats=st.integers(2, 4), redirect=st.sampled_from(METHODS), draws=st.sampled_from(("told", "late")))
    def begin(self, seats: int, redirect: str, draws: str) -> None:
        self.position: Position = kaxxt.start({"seats": seats, "redirect": redirect, "draws": draws})
        self.turns = self.draws = 0  # of all players

    def over(self) -> bool:
        return kaxxt.outcome(self.position) is not None

    @precondition(lambda self: not self.over())
    @rule(pick=st.integers(0, 10**6))
    def move(self, pick: int) -> None:
        before = self.position
        possible = kaxxt.moves(before)
        move = possible[pick % len(possible)]
        text = kaxxt.write_move(before, move)
        assert kaxxt.read_move(before, text) == move
        assert kaxxt.from_json(kaxxt.to_json(move)) == move
        turn = kaxxt.play(before, move)
        self.turns += move.kind == "roll"
        self.draws += move.kind == "drawn"
        assert self.draws <= self.turns + 1  # whenever they are told
        assert all(from_json(event.to_json()) == event for event in turn.events)
        self.position = turn.position
        assert isinstance(turn.events[-1], GameOver) == self.over()
        assert all(joined_event(event) for event in turn.events if isinstance(event, Beam))
        if move.kind != "die" or move.value == 5:
            assert turn.position.shields == before.shields
        lost = sum(max(0, a - b) for a, b in zip(before.shields, turn.position.shields, strict=True))
        assert lost <= 6 or any(shield == 0 for shield in turn.position.shields)
        assert turn.position.kaxxt <= before.kaxxt

    @rule(kind=st.sampled_from(("draw", "drawn", "arrange", "roll", "die", "face")), number=st.integers(0, 14))
    def try_anything(self, kind: str, number: int) -> None:
        stand = Stand((SET[number],), 0.0, -100.0)
        move = {
            "draw": Move("draw", pips=number % 4),
            "drawn": Move("drawn", pyramid=SET[number]),
            "arrange": Move("arrange", stands=(stand,)),
            "roll": Move("roll"),
            "die": Move("die", value=number),
            "face": Move("face", seat=number % self.position.seats),
        }[kind]
        try:
            kaxxt.play(self.position, move)
        except IllegalMove as refusal:
            assert move not in kaxxt.moves(self.position)
            assert refusal.rule
            assert refusal.remedy
            assert (refusal.name == "game-over") == self.over()
        else:
            assert kind == "arrange" or move in kaxxt.moves(self.position)

    @invariant()
    def text_and_json_give_it_back(self) -> None:
        assert kaxxt.read_position(kaxxt.write_position(self.position)) == self.position
        assert kaxxt.from_json(kaxxt.to_json(self.position)) == self.position

    @invariant()
    def every_pyramid_is_somewhere_once(self) -> None:
        p = self.position
        owned = [pyramid for seat in range(p.seats) for pyramid in p.pyramids_of(seat)]
        everywhere = [*owned, *p.bag]
        assert len(everywhere) == len(set(everywhere))
        if all(p.present):
            assert set(everywhere) == set(SET)

    @invariant()
    def shields_keep_their_bounds(self) -> None:
        assert all(0 <= shield <= 30 for shield in (*self.position.shields, self.position.kaxxt))

    @invariant()
    def chances_add_up(self) -> None:
        chances = [chance for _, chance in kaxxt.chance(self.position)]
        assert not chances or abs(sum(chances) - 1) < 1e-9
        assert bool(kaxxt.moves(self.position)) != self.over()

    @invariant()
    def the_layout_shows_every_pyramid(self) -> None:
        shown = [lying for lying in kaxxt.layout(self.position).pieces if lying.piece.kind == "pyramid"]
        assert len(shown) == sum(len(stand.pyramids) for area in self.position.areas for stand in area)


def joined_event(event: Beam) -> bool:
    return joined(Trace(paths=list(event.paths)))


KaxxtMachine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=80, deadline=None, suppress_health_check=list(HealthCheck)
)
TestKaxxt = KaxxtMachine.TestCase


class LongKaxxtMachine(KaxxtMachine):
    """The same for longer."""


LongKaxxtMachine.TestCase.settings = settings(
    max_examples=200, stateful_step_count=200, deadline=None, suppress_health_check=list(HealthCheck)
)
TestLongKaxxt = pytest.mark.long(LongKaxxtMachine.TestCase)
