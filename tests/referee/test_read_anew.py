"""Photographs: what was hardly seen, and is not there when the next one is taken, was misread."""

import pytest
from free_benches import begun
from referee_tables import Bench

from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.view import Sighting, TableView

CARD = Sighting(((Piece("robot_card"), 0.9999),), 0.0, 0.0, 270.0)


def black(size: str, pose: str, sure: float, x: float, y: float) -> Sighting:
    """A black pyramid that is seen so surely."""
    heading = 90.0 if pose == "lying" else None
    return Sighting(
        ((Piece("pyramid", "black", size, pose), sure),), x, y, heading, base_deg=0.0 if not heading else None
    )


@pytest.fixture
def bench() -> Bench:
    return begun(Bench("kaxxt", photograph_settings(), dice="camera"))


@pytest.mark.parametrize(("sure", "kind"), [(0.8, "move"), (0.95, "unlawful")])  # what was plainly seen was there
def test_a_piece_that_was_hardly_seen_may_have_been_another(bench: Bench, sure: float, kind: str) -> None:
    assert bench.look(TableView(0.0, (CARD, black("small", "upright", sure, -12.0, -90.0)))).kind == "move"
    reading = bench.look(TableView(0.0, (CARD, black("large", "lying", 0.95, 5.0, -75.0))))
    assert reading.kind == kind
    assert reading.text.startswith("On second thoughts:") == (kind == "move")
    pieces = [pyramid for area in bench.position.areas for stand in area for pyramid in stand.pyramids]
    assert [pyramid.size for pyramid in pieces] == (["large"] if kind == "move" else ["small"])


def test_what_is_there_still_was_there(bench: Bench) -> None:
    small = black("small", "upright", 0.8, -12.0, -90.0)
    assert bench.look(TableView(0.0, (CARD, small))).kind == "move"
    reading = bench.look(TableView(0.0, (CARD, small, black("large", "lying", 0.95, 5.0, -75.0))))
    assert reading.kind == "unlawful"


@pytest.mark.parametrize(("sure", "there"), [(0.8, ["green"]), (0.95, ["cyan", "green"])])
def test_what_was_hardly_seen_gives_way_though_more_may_have_been_put_there(sure: float, there: list[str]) -> None:
    bench = begun(Bench("chaos", photograph_settings(), dice="camera"))
    cyan, green = (Piece("pyramid", colour, "large", "upright") for colour in ("cyan", "green"))
    assert bench.look(TableView(0.0, ())).decided
    assert bench.look(TableView(0.0, (Sighting(((cyan, sure),), 0.0, 0.0, base_deg=0.0),))).kind == "move"
    assert bench.look(TableView(0.0, (Sighting(((green, 0.99),), 40.0, 0.0, base_deg=0.0),))).kind == "move"
    assert [piece.colour for piece in bench.position.pieces] == there


def test_a_piece_whose_colour_is_told_otherwise_is_there_still() -> None:
    bench = begun(Bench("chaos", photograph_settings(), dice="camera"))
    red, orange, green = (Piece("pyramid", colour, "large", "upright") for colour in ("red", "orange", "green"))
    assert bench.look(TableView(0.0, ())).decided
    assert bench.look(TableView(0.0, (Sighting(((red, 0.8), (orange, 0.19)), 0.0, 0.0, base_deg=0.0),))).kind == "move"
    now = Sighting(((orange, 0.93), (red, 0.06)), 0.0, 0.0, base_deg=0.0)
    reading = bench.look(TableView(0.0, (now, Sighting(((green, 0.99),), 200.0, 0.0, base_deg=0.0))))
    assert "second thoughts" not in reading.text
