"""The shortest way round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.headings import turn_deg

DEGREES = st.integers(-1000, 1000)


@given(DEGREES, DEGREES, st.sampled_from([360, 180, 90, 60]))
def test_a_turn_is_the_shortest_that_leads_there(to_deg: int, from_deg: int, period_deg: int) -> None:
    turn = turn_deg(to_deg, from_deg, period_deg)
    assert -period_deg / 2 <= turn < period_deg / 2
    assert (from_deg + turn - to_deg) % period_deg == 0


@pytest.mark.parametrize(("to_deg", "from_deg", "turn"), [(350, 10, -20), (10, 350, 20), (180, 0, -180), (5, 5, 0)])
def test_turns_of_a_thing_with_a_front(to_deg: float, from_deg: float, turn: float) -> None:
    assert turn_deg(to_deg, from_deg) == turn
