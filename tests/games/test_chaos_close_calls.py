"""Chaos: where the camera's error decides what a ray meets, players are told so (CA2)."""

import math
from dataclasses import replace

from chaos_tables import chaos_table, defender, placed, table
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.events import Told
from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.aim import aim, close_call
from companion.games.chaos.colours import RINGS, targets
from companion.games.chaos.position import Standing, standing
from companion.simulator.designs import design_for, has_room
from companion.simulator.random_games import random_steps

TARGET = sorted(targets("blue", 10))[0]
OTHER = next(colour for colour in RINGS[10] if colour not in (TARGET, "blue") and colour not in targets("blue", 10))
LESS = 0.9  # of the error that is allowed for


def captured(pieces, attacker):
    seen = aim(table(*pieces), attacker)
    return seen.target.colour if seen.target is not None and seen.verdict == "target" else None


def shooter(heading: float = 0.0) -> Standing:
    dx, dy = g.direction(heading)
    half = g.slant_mm("large") / 2
    return standing("blue", "large", "lying", -half * dx, -half * dy, heading)


rows = st.lists(
    st.tuples(st.sampled_from([TARGET, OTHER]), st.floats(40, 120), st.floats(-60, 60), st.floats(0, 90)), max_size=3
)


def apart(pieces):
    return all(math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) > 36 for a in pieces for b in pieces if a is not b)


@given(rows, st.sampled_from([-1.0, 1.0]), st.floats(0, 1), st.floats(0, 1))
def test_what_a_small_error_would_change_is_a_close_call(rows, side, shift, turn):
    pieces = [defender(colour, x, y, heading=heading) for colour, x, y, heading in rows]
    assume(apart(pieces))
    tolerances = g.TOLERANCES
    there = shooter()
    off = side * LESS * shift * tolerances.ray_mm
    moved = replace(there, y_mm=there.y_mm + off, heading_deg=0.0)
    turned = replace(shooter(side * LESS * turn * tolerances.ray_deg % 360))
    far = any(abs(aim(table(*pieces), one).distance_mm - g.SIX_INCHES_MM) < 8 for one in (there, moved, turned))
    assume(not far)  # there the six inches decide, which is told otherwise
    for other in (moved, turned):
        if captured(pieces, other) != captured(pieces, there):
            assert close_call(table(*pieces), there) is not None


@given(rows)
def test_a_call_is_close_only_near_the_rim_of_a_piece(rows):
    pieces = [defender(colour, x, y, heading=heading) for colour, x, y, heading in rows]
    assume(apart(pieces))
    if (doubted := close_call(table(*pieces), shooter())) is not None:
        beside = [y for _, y in g.corners(doubted)]
        slack = g.TOLERANCES.ray_mm + g.SIX_INCHES_MM * math.tan(math.radians(g.TOLERANCES.ray_deg))
        assert min(abs(max(beside)), abs(min(beside))) <= slack + 0.2


def test_a_grazing_ray_is_told_with_the_rule():
    half = g.base_mm("large") / 2
    support = defender("blue", -half - g.slant_mm("large"))
    second = defender("blue", -200.0, 200.0)
    for beside, close in ((half + 0.5, True), (half - 0.5, True), (0.0, False), (half + 20.0, False)):
        turn = placed(table(support, second, defender(TARGET, 60.0, beside)), shooter())
        told = [e.text for e in turn.events if isinstance(e, Told) and e.rule == "CA2"]
        assert bool(told) is close
        assert all(TARGET in text for text in told)


def test_simulated_games_keep_clear_of_close_calls():
    start = chaos.start({"seats": 2})
    shown = design_for("chaos", chaos.layout(start))
    for seed in (7_100_000, 7_100_001):
        position = start
        for step in random_steps(chaos, start, 24, seed, room=has_room(shown))[0]:
            while len(certain := chaos.chance(position)) == 1:
                position = chaos.play(position, certain[0][0]).position
            turn = chaos.play(position, chaos.read_move(position, step.move))
            assert not any(isinstance(event, Told) and event.rule in chaos.DOUBTS for event in turn.events)
            position = turn.position


def test_ca2_only_what_a_capture_hangs_on_is_a_close_call() -> None:
    support, shooter = standing("blue", "large", "upright", -12.7, 0), standing("blue", "large", "lying", 23.1, 0, 0)
    tip = g.tip(shooter)[0]
    red = standing("red", "large", "upright", tip + 10 + 17.96, -17.96 + 3.5, 45)
    cyan = standing("cyan", "small", "upright", tip + 19, 0.6 + 7.145)
    grazed = standing("cyan", "large", "upright", tip + 60, 12.7)
    far = standing("cyan", "large", "upright", tip + 150 + 17.96, 17.96 - 1.0, 45)
    pressed = standing("red", "large", "upright", tip + 12.2, 0)
    had = {"captured": ((("cyan", "large"),), ())}
    gone = chaos.start({}).array
    gone = (*gone[:6], (0, 0, 0), *gone[7:])  # of cyan
    assert close_call(chaos_table(support, red, cyan), shooter) == cyan  # the red one's corner is nearer, its rim not
    assert close_call(chaos_table(support, grazed), shooter) == grazed
    assert close_call(chaos_table(support, grazed, **had), shooter) is None
    assert close_call(chaos_table(support, grazed, array=gone), shooter) is None
    assert close_call(chaos_table(support, far), shooter) is None
    assert close_call(chaos_table(support, pressed, grazed), shooter) is None
