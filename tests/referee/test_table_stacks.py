"""Pyramids stacked on a free table: what hides what, and what it then looks like."""

import random
from dataclasses import replace

import pytest
from free_benches import arranged, kaxxt_bench, seen, thrown_round
from free_views import SHARP, Eyesight, free_view
from hypothesis import given
from hypothesis import strategies as st
from referee_tables import order

from companion.games import kaxxt
from companion.games.base import Layout, Lying
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import read_codes
from companion.pieces import Piece
from companion.referee.steps import part
from companion.view import Sighting, TableView, square_at

PIECE = Piece("pyramid", colour="red", size="large", pose="upright")


def test_a_stack_hides_what_is_below_it() -> None:
    bench = kaxxt_bench()
    arranged(bench, "put r3@0.0,-120.0>180.0")
    thrown_round(bench)
    stacked = kaxxt.during(bench.position, bench.game.read_move(bench.position, "put r3y3@0.0,-120.0>180.0"))
    reading = seen(bench, stacked, hidden=1.0)
    assert reading.moves[-1] == "put r3y3@0.0,-120.0>180.0"


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=8), st.integers(0, 5))
def test_in_a_part_of_a_layout_pieces_stand_on_what_they_stood_on_or_by_themselves(pieces, first) -> None:
    stacked = (at - 1 if on_it and at else None for at, (on_it, _) in enumerate(pieces))
    lying = tuple(Lying(PIECE, x_mm=10.0 * at, nested_on=below) for at, below in enumerate(stacked))
    kept = [at for at, (_, stays) in enumerate(pieces) if stays]
    chosen = part(Layout(lying), lambda piece: pieces[lying.index(piece)][1], first)
    assert [replace(piece, nested_on=None) for piece in chosen] == [replace(lying[at], nested_on=None) for at in kept]
    for at, piece in zip(kept, chosen, strict=True):
        below = lying[at].nested_on
        assert piece.nested_on == (first + kept.index(below) if below in kept else None)


def doubted(view: TableView, colour: str, yet: str, belief: float) -> TableView:
    """The view in which the eye thinks it a little possible that the piece of that colour has yet another one."""

    def looks(sighting: Sighting):
        piece = sighting.piece
        if piece.colour != colour:
            return sighting
        return replace(sighting, beliefs=((piece, 0.97), (replace(piece, colour=yet), belief)))

    return replace(view, sightings=tuple(map(looks, view.sightings)))


@pytest.mark.parametrize(("first", "stacked"), [("r1@0.0,-110.0^", "r1y1@0.0,-110.0^"), ("r3@0.0,-120.0>180.0",) * 2])
@pytest.mark.parametrize("belief", [0.0, 0.01])
def test_what_hides_a_piece_of_its_size_was_put_on_it_though_the_eye_may_have_misread_it(
    first, stacked, belief
) -> None:
    bench = kaxxt_bench()
    arranged(bench, f"put {first}")
    thrown_round(bench)
    stacked = stacked.replace("r3@", "r3y3@")
    after = kaxxt.during(bench.position, bench.game.read_move(bench.position, f"put {stacked}"))
    view = free_view(after, random.Random(1), Eyesight(hidden=1.0))
    reading = bench.look(doubted(view, "yellow", "red", belief))
    assert reading.moves[-1] == f"put {stacked}"


def test_a_piece_that_looks_half_like_another_one_hides_nothing() -> None:
    bench = kaxxt_bench()
    arranged(bench, "put r1@0.0,-110.0^")
    thrown_round(bench)
    view = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)

    def half(sighting: Sighting):
        small = sighting.piece
        if small.colour != "red":
            return sighting
        return replace(sighting, beliefs=((replace(small, colour="yellow"), 0.55), (small, 0.44)))

    reading = bench.look(replace(view, sightings=tuple(map(half, view.sightings))))
    assert reading.kind != "move"


def told(view: TableView, colours: tuple[str, ...], looks: dict[str, float]) -> TableView:
    """The view in which pieces of these colours look like that."""

    def look(sighting: Sighting):
        piece = sighting.piece
        if piece.colour not in colours:
            return sighting
        return replace(sighting, beliefs=tuple((replace(piece, colour=c), p) for c, p in looks.items()))

    return replace(view, sightings=tuple(map(look, view.sightings)))


@pytest.mark.parametrize("looks", [{"orange": 0.95, "red": 0.015}, {"white": 0.98}])
@pytest.mark.parametrize("first", ["r1@0.0,-110.0^", "r1@0.0,-110.0>180.0"])
def test_translucent_pieces_of_one_size_on_each_other_may_have_a_colour_that_the_set_lacks(first, looks) -> None:
    bench = kaxxt_bench()
    arranged(bench, f"put {first}")
    thrown_round(bench)
    bench.table.enter(Move("draw"))
    bench.table.enter(Move("drawn", pyramid=read_codes("y1")[0]))
    stacked = f"put {first.replace('r1', 'r1y1')}"

    after = kaxxt.during(bench.position, bench.game.read_move(bench.position, stacked))
    view = free_view(after, random.Random(1), Eyesight(mm=0.5, deg=1.0, hidden=1.0))
    reading = bench.look(told(view, ("red", "yellow"), looks))
    assert reading.kind == "move"
    assert [[p.code for p in place.pyramids] for place in bench.position.areas[0]] == [["r1", "y1"]]


def test_a_piece_that_looked_fairly_like_itself_and_now_like_the_drawn_one_is_hidden_by_that() -> None:
    bench = kaxxt_bench()
    arranged(bench, "put k2@0.0,-110.0^")
    thrown_round(bench)
    sharp = Eyesight(mm=0.5, deg=1.0, hidden=1.0)
    rested = free_view(bench.game.layout(bench.position), random.Random(1), sharp)
    bench.look(told(rested, ("black",), {"black": 0.87, "blue": 0.06, "red": 0.03}))
    bench.table.enter(Move("draw"))
    bench.table.enter(Move("drawn", pyramid=read_codes("r2")[0]))
    after = kaxxt.during(bench.position, bench.game.read_move(bench.position, "put k2r2@0.0,-110.0^"))
    view = free_view(after, random.Random(2), sharp)
    reading = bench.look(told(view, ("red", "black"), {"red": 0.82, "black": 0.11, "blue": 0.05}))
    assert reading.kind == "move"
    assert [[p.code for p in place.pyramids] for place in bench.position.areas[0]] == [["k2", "r2"]]


@pytest.mark.parametrize(
    ("low", "high"), [("r1@0.0,-110.0^", "r1y1@0.0,-110.0^"), ("r3@0.0,-110.0>180.0", "r3k3@0.0,-110.0>180.0")]
)
def test_a_pyramid_is_off_another_one_that_looks_like_itself(low, high) -> None:
    bench = kaxxt_bench()
    arranged(bench, f"put {low}")
    thrown_round(bench)
    here = frozenset(square_at(x, y) for x in range(-38, 39, 3) for y in range(-148, -91, 3))
    plies, before = len(bench.table.state.plies), bench.game.layout(bench.position)
    stacked = kaxxt.during(bench.position, bench.game.read_move(bench.position, f"put {high}"))
    for layout in (before, stacked):
        bench.look(replace(free_view(layout, random.Random(1), Eyesight(hidden=0.0)), covered=here))
    order(bench, "undo", ply=plies)
    assert bench.table.state.awaiting
    assert bench.look(replace(free_view(before, random.Random(1)), covered=here)).kind == "step"
    assert not bench.table.state.awaiting


def test_a_piece_that_seems_to_be_one_which_surely_lies_elsewhere_is_the_one_that_lay_there() -> None:
    bench = kaxxt_bench()
    for codes, text in (("r3", "put r3@0.0,-160.0>180.0"), ("r2", "put r3@0.0,-160.0>180.0 r2@0.0,-110.0>180.0")):
        bench.table.enter(Move("draw"))
        bench.table.enter(Move("drawn", pyramid=read_codes(codes)[0]))
        assert arranged(bench, text).kind == "move"
        thrown_round(bench)
    text = "put r3@0.0,-160.0>180.0 r2r1@0.0,-110.0>180.0"
    after = kaxxt.during(bench.position, bench.game.read_move(bench.position, text))
    view = free_view(after, random.Random(1), SHARP)

    def large(sighting: Sighting):
        piece = sighting.piece
        lower = piece.colour == "red" and piece.size == "medium"
        looks = replace(sighting, beliefs=((replace(piece, size="large"), 0.98),), y_mm=(sighting.y_mm or 0.0) - 2.0)
        return looks if lower else replace(sighting, nested_on=None)

    reading = bench.look(replace(view, sightings=tuple(map(large, view.sightings))))
    assert reading.moves[-1] == text
