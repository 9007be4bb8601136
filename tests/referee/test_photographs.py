"""Photographs: what one of them showed, and those after it show otherwise, was misread."""

from dataclasses import replace

import pytest
from free_benches import begun
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_tables import Bench

from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.view import Sighting, TableView, square_at

COLOURS, SIZES = ("red", "blue", "green", "yellow", "black"), ("small", "medium", "large")
SEAT_MM, AWAY_MM = (0.0, -70.0), (0.0, -116.0)
LOOKS = st.tuples(st.sampled_from(COLOURS), st.sampled_from(SIZES), st.sampled_from(("lying", "upright")))


def photograph(bench: Bench, *there: tuple[tuple[str, str, str], tuple[float, float]], faces: float = 270.0):
    """What the referee makes of a photograph in which the eye is sure of all that lies there."""
    seen = [Sighting(((Piece("robot_card"), 0.99),), 0.0, 0.0, faces)]
    for (colour, size, pose), (x, y) in there:
        heading = 90.0 if pose == "lying" else None
        looks = ((Piece("pyramid", colour, size, pose), 0.99),)
        seen.append(Sighting(looks, x, y, heading, base_deg=0.0 if heading is None else None))
    near = range(-18, 19, 3)
    covered = {square_at(s.x_mm + i, s.y_mm + j) for s in seen for i in near for j in near}
    covered |= {square_at(float(i), float(j)) for i in range(-30, 31, 3) for j in range(-42, 43, 3)}  # the card
    return bench.look(TableView(0.0, tuple(seen), covered=frozenset(covered)))


def on_table(bench: Bench) -> list[tuple[str, str, str]]:
    poses = [(stand.pyramids, "upright" if stand.heading_deg is None else "lying") for stand in areas(bench)]
    return [(pyramid.colour, pyramid.size, pose) for pyramids, pose in poses for pyramid in pyramids]


def areas(bench: Bench):
    return [stand for area in bench.position.areas for stand in area]


def bench_of_photographs() -> Bench:
    return begun(Bench("kaxxt", photograph_settings(), dice="camera", undo="take"))


@settings(max_examples=25, deadline=None)
@given(shown=LOOKS, lay=LOOKS)
def test_two_photographs_outvote_one(shown, lay) -> None:
    bench = bench_of_photographs()
    assert photograph(bench, (shown, SEAT_MM)).kind == "move"
    for _ in range(2):
        photograph(bench, (lay, SEAT_MM))
    assert on_table(bench) == [lay]


def test_a_piece_that_was_seen_as_often_is_there_still() -> None:
    bench = bench_of_photographs()
    blue, black = ("blue", "large", "lying"), ("black", "large", "lying")
    for look in (blue, blue, black, black):
        photograph(bench, (look, SEAT_MM))
    assert on_table(bench) == [blue]


@pytest.mark.parametrize("gone", [False, True])
def test_what_never_was_there_is_forgotten_once_nothing_explains_that_it_is_gone(gone: bool) -> None:
    bench = bench_of_photographs()
    blue, black = ("blue", "large", "lying"), ("black", "small", "lying")
    assert photograph(bench, (blue, SEAT_MM), faces=90.0).kind == "move"  # and Kaxxt was turned
    there = () if gone else ((blue, SEAT_MM),)
    reading = photograph(bench, *there, (black, (0.0, 70.0)), faces=90.0)
    assert reading.kind == "move"
    assert reading.text.startswith("On second thoughts:") == gone
    assert on_table(bench) == ([black] if gone else [blue, black])


def test_what_was_seen_on_the_card_and_is_seen_there_no_more_never_was() -> None:
    bench = bench_of_photographs()
    assert photograph(bench, (("red", "small", "lying"), (20.0, -38.0))).kind == "move"
    for _ in range(2):
        photograph(bench)
    assert on_table(bench) == []


def test_what_is_read_again_as_it_was_read_is_no_second_thought() -> None:
    bench = bench_of_photographs()
    blue, green = (("blue", "large", "lying"), SEAT_MM), (("green", "large", "lying"), AWAY_MM)
    assert photograph(bench, blue).kind == "move"
    assert photograph(bench, blue, green).kind == "unlawful"
    table, plies = bench.table, len(bench.table.state.plies)
    first, second = table.photographs._taken
    back = replace(first, raw=replace(first.raw), plies=second.plies)
    after, _ = table.photographs._read_again(table, [first, second, back], {(AWAY_MM,)})
    assert after.kind == "nothing"
    assert (len(table.state.plies), table.mended) == (plies, "")
    assert table.state.ruling is not None


def test_how_a_place_looked_before_a_piece_came_there_says_nothing_against_the_piece() -> None:
    bench = bench_of_photographs()
    red, blue = ("red", "large", "lying"), ("blue", "medium", "lying")
    assert photograph(bench, (red, SEAT_MM), faces=90.0).kind == "move"  # and Kaxxt was turned
    assert photograph(bench, (red, SEAT_MM), (blue, (0.0, 70.0)), faces=270.0).kind == "move"
    green = ("green", "small", "lying")
    assert photograph(bench, (red, SEAT_MM), (blue, (0.0, 70.0)), (green, AWAY_MM), faces=90.0).kind == "move"
    reading = photograph(bench, (red, SEAT_MM), (blue, (0.0, 70.0)), (green, (0.0, 116.0)), faces=90.0)
    assert reading.kind == "unlawful", reading
    assert on_table(bench) == [red, green, blue]
