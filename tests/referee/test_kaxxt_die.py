"""Kaxxt's die where it lies: read once it is due, and no throw while people may only have pushed it aside."""

import random
from dataclasses import replace

import pytest
from free_benches import kaxxt_bench
from free_views import SHARP, free_view

from companion.games import kaxxt
from companion.games.kaxxt.position import Move
from companion.pieces import Piece
from companion.referee.picture import Painter
from companion.view import Sighting


def view(bench, x_mm: float, y_mm: float, face: str, sure: float = 0.98):
    """The table as it should stand, with a die."""
    plain = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)
    die = Sighting(((Piece("die", value=face), sure),), x_mm, y_mm)
    return replace(plain, sightings=(*plain.sightings, die))


@pytest.fixture
def bench():
    """A player has said that he throws; the die lies to the left, showing a 2."""
    bench = kaxxt_bench(dice="camera")
    bench.look(view(bench, -200.0, 90.0, "2"))
    bench.table.enter(bench.game.read_move(bench.position, "roll"))
    return bench


def thrown(bench) -> list[str]:
    return [past.move for past in bench.table.state.plies if past.move.startswith("=")]


@pytest.mark.parametrize("face", ["1", "2", "3", "4", "5", "6"])
def test_a_die_that_is_thrown_is_read_before_kaxxt_is_turned(bench, face):
    assert Painter().snapshot(bench.table).waiting.text == "South: throw the die"
    bench.look(view(bench, -200.0, 90.0, "2"))
    assert thrown(bench) == []
    bench.look(view(bench, 150.0, 100.0, face))
    assert thrown(bench) == [f"={face}"]
    bench.look(view(bench, 150.0, 100.0, face))
    assert thrown(bench) == [f"={face}"]  # it lies there still


def test_a_die_that_is_passed_on_is_no_throw(bench):
    bench.look(view(bench, 150.0, 100.0, "6"))
    assert thrown(bench) == ["=6"]
    bench.look(view(bench, -150.0, -100.0, "4"))  # before the next player
    assert thrown(bench) == ["=6"]


def test_a_die_that_cannot_be_read_is_asked_for(bench):
    bench.look(view(bench, 150.0, 100.0, "3", 0.6))
    assert thrown(bench) == []
    assert "cannot be read" in Painter().snapshot(bench.table).waiting.why


@pytest.mark.parametrize("faces", [(), ("2", "3"), ("0",), ("7",), ("ace",)])
def test_what_is_no_single_face_of_it_is_no_throw(bench, faces):
    assert kaxxt.shown_by(bench.position, faces) is None
    assert kaxxt.shown_by(bench.position, ("2",)) == Move("die", value=2)


def test_before_anybody_rolls_no_die_is_a_throw():
    assert kaxxt.shown_by(kaxxt.start({}), ("2",)) is None
