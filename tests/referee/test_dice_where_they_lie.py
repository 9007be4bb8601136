"""The die of K'Dak's Tower read where it lies: thrown, nudged, hard to read, and two of them."""

import copy

import pytest
from kdak_players import Evening
from towers import Tower

from companion.games import kdak
from companion.games.kdak.tower import LEVELS, Place
from companion.pieces import VALUES
from companion.referee.thrown import Thrown, ThrownSettings, value_of


@pytest.fixture
def evening() -> Evening:
    """Before the first roll; a die lies by level 5 from the start, showing a 4. What is put back is taken back."""
    tower = Tower(5, variant="cooperative")
    tower.dice = [(300.0, -90.0, "4", 0.98)]
    evening = Evening(tower, {"dice": "camera", "undo": "take"}).begin().until("roll")
    evening.look()
    return evening


def rolls(evening: Evening) -> list[str]:
    return [move for move in evening.read if move.startswith("r")]


@pytest.mark.parametrize("value", VALUES)
def test_a_die_that_was_thrown_is_read_where_it_lies(evening, value):
    evening.tower.dice = [(210.0, 60.0, value, 0.97)]
    evening.look(lambda: bool(rolls(evening)))
    assert rolls(evening) == [f"r{VALUES.index(value)}"]
    evening.look()
    assert len(rolls(evening)) == 1  # it goes on lying there, and is thrown once


def test_a_die_that_lies_as_it_lay_or_was_pushed_aside_was_not_thrown(evening):
    evening.look()
    evening.tower.dice = [(320.0, -80.0, "4", 0.98)]
    evening.look()
    assert rolls(evening) == []
    assert evening.desk.snapshot().waiting.text.endswith("throw the die")


def test_a_die_that_cannot_be_read_is_asked_for_and_may_be_entered(evening):
    evening.tower.dice = [(210.0, 60.0, "2", 0.55)]
    evening.look()
    assert rolls(evening) == []
    assert "cannot be read" in evening.desk.snapshot().waiting.why
    assert [offer.move for offer in evening.desk.snapshot().offers] == [f"r{level}" for level in range(LEVELS)]


def test_a_die_that_could_not_be_read_is_no_news_once_it_was_entered(evening):
    evening.tower.dice = [(210.0, 60.0, "2", 0.55)]
    evening.look()
    assert "cannot be read" in evening.table.hint
    evening.enter("r2")
    evening._note(kdak.read_move(evening.position, "r2"))
    hints = []
    evening.desk.listen(lambda events, snapshot: hints.append(evening.table.hint))
    while evening.position.phase != "roll" or evening.table.state.awaiting:
        evening.turn()
    assert evening.agree()
    assert not any("cannot be read" in hint for hint in hints)


def test_two_dice_that_were_thrown_are_no_roll(evening):
    evening.tower.dice = [(210.0, 60.0, "2", 0.97), (240.0, 60.0, "3", 0.97)]
    evening.look()
    assert rolls(evening) == []


def test_a_tile_of_another_level_than_the_die_shows_is_refused(evening):
    evening.tower.dice = [(210.0, 60.0, "3", 0.97)]
    evening.tower.take(Place(1, 2))
    evening.look(lambda: bool(evening.refused))
    assert rolls(evening) == ["r3"]
    assert evening.refused == ["K9"]


def test_a_tile_that_is_put_back_takes_back_the_throw_that_it_implied(evening):
    before, tower = evening.table.state.position, copy.deepcopy(evening.tower)
    evening.tower.take(Place(2, 1))
    evening.look(lambda: evening.table.state.awaiting)
    assert rolls(evening) == ["r2"]
    evening.tower = tower  # before anything was moved down
    reading = evening.look()
    assert reading.text.startswith("Taken back")
    assert evening.table.state.position == before
    evening.tower.take(Place(3, 1))
    evening.look(lambda: evening.table.state.awaiting)
    assert rolls(evening)[-1] == "r3"


def test_a_tile_that_is_put_back_leaves_a_throw_that_was_seen(evening):
    evening.tower.dice = [(210.0, 60.0, "2", 0.97)]
    evening.look(lambda: bool(rolls(evening)))
    thrown, tower = evening.table.state.position, copy.deepcopy(evening.tower)
    evening.tower.take(Place(2, 1))
    evening.look(lambda: evening.table.state.awaiting)
    evening.tower = tower
    reading = evening.look()
    assert reading.text.startswith("Taken back")
    assert evening.table.state.position == thrown
    assert evening.table.state.plies[-1].source == "table"


def test_the_value_of_a_die_does_not_depend_on_its_suit(evening):
    die = next(s for s in evening.tower.view().sightings if s.piece.kind == "die")
    assert value_of(die) == ("4", pytest.approx(0.98))
    thrown = Thrown(ThrownSettings())
    thrown.rest(evening.tower.view())
    assert thrown.fallen(evening.tower.view()) == ()
