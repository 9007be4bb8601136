"""Something that is hardly seen and that the array cannot give now is a shadow; what is plainly seen is a piece."""

import random
from dataclasses import replace

import pytest
from free_benches import arranged, begun, kaxxt_bench, roll
from free_views import SHARP, free_view
from referee_tables import Bench, order

from companion.games import kaxxt
from companion.games.base import Layout
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.stands import stand
from companion.photographs import photograph_settings
from companion.pieces import UNKNOWN, Piece
from companion.referee.evidence.weighing import evidence
from companion.referee.explanations.explain import Explainer
from companion.referee.picture import waiting
from companion.view import Sighting, TableView

PLACED = Sighting(((Piece("pyramid", "green", "large", "upright"), 0.99),), 0.0, 0.0, base_deg=0.0)


def photographed(*placed: Sighting) -> Bench:
    """Photographs of Chaos: of the bare table, and with this on it."""
    bench = begun(Bench("chaos", photograph_settings(), dice="camera"))
    bench.look(TableView(0.0, ()))
    if placed:
        assert bench.look(TableView(0.0, placed)).kind == "move"
    return bench


def beside(size: str, told: float) -> Sighting:
    """Something 60 mm away that seems to be a clear pyramid."""
    beliefs = (
        (Piece("pyramid", "clear", size, "upright"), told - 0.1),
        (Piece("pyramid", "white", size, "lying"), 0.1),
    )
    return Sighting(beliefs, 60.0, 0.0, base_deg=0.0)


@pytest.mark.parametrize(
    ("size", "told", "kind", "pieces"),
    [
        ("small", 0.85, "move", ["large"]),
        ("medium", 0.75, "move", ["large"]),
        ("small", 0.95, "unlawful", []),  # somebody did put it there
        ("large", 0.85, "move", ["large", "large"]),
    ],
)
def test_a_shadow_beside_a_placed_piece_is_no_piece(size: str, told: float, kind: str, pieces: list[str]) -> None:
    bench = photographed()
    assert bench.look(TableView(0.0, (PLACED, beside(size, told)))).kind == kind
    assert [piece.size for piece in bench.position.pieces] == pieces


def test_a_shadow_beside_an_unlawfully_placed_piece_is_no_piece_either() -> None:
    bench, near = photographed(PLACED), replace(PLACED, x_mm=40.0, y_mm=40.0)
    reading = bench.look(TableView(0.0, (PLACED, near, beside("small", 0.85))))
    assert (reading.kind, reading.moves) == ("unlawful", ("g3^40.0,40.0,0.0",))


@pytest.mark.parametrize(("told", "kind"), [(0.85, "nothing new"), (0.95, "unlawful")])
def test_a_shadow_alone_is_nothing_new(told: float, kind: str) -> None:
    bench = photographed(PLACED)
    reading = bench.look(TableView(0.0, (PLACED, replace(beside("small", told), x_mm=200.0))))
    assert reading.kind == kind


def test_what_lies_where_a_piece_does_is_that_piece_and_no_shadow() -> None:
    bench, near = photographed(PLACED), replace(PLACED, x_mm=40.0, y_mm=40.0)
    assert bench.look(TableView(0.0, (PLACED, near))).kind == "unlawful"
    medium, large = (Piece("pyramid", "green", size, "upright") for size in ("medium", "large"))
    misread = Sighting(((medium, 0.73), (large, 0.08)), 2.0, 0.0, base_deg=0.0)
    assert bench.look(TableView(0.0, (misread,))).kind == "take-back"


class NoAction:
    """An outlook in which nothing can be done."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def likely(self, view: TableView) -> tuple[()]:
        return ()

    def candidates(self, view: TableView) -> tuple[()]:
        return ()

    def reached(self, likely: object) -> tuple[()]:
        return ()

    def sequences(self, view: TableView, implied: bool) -> tuple[()]:
        return ()


@pytest.mark.parametrize(("told", "kind"), [(0.99, "strange"), (0.85, "nothing")])
def test_a_piece_that_surely_is_new_is_not_kept_in_mind_as_of_no_game(told: float, kind: str) -> None:
    """Though beside a second look of a piece that is there no action explains it."""
    bench = kaxxt_bench()
    arranged(bench, "put r1@0.0,-110.0^")
    view = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)
    double = Sighting(((Piece("pyramid", "red", "small", "lying"), 0.9),), 90.0, 60.0, 0.0)
    new = Sighting(((Piece("pyramid", "blue", "large", "upright"), told),), -90.0, 60.0, base_deg=0.0)
    table, view = bench.table, replace(view, sightings=(*view.sightings, double, new))
    seen = evidence(view, table.state.standing, table.settings, {}, table.known.looks)
    scene = replace(table.scene(), outlook=NoAction(table.state.standing))
    settings = replace(table.settings, catch_up_plies=1)
    assert Explainer(settings).explain(scene, view, seen).kind == kind


@pytest.mark.parametrize(("at_mm", "taken"), [((-0.3, -65.9), False), ((-60.0, -65.9), True)])
def test_no_pyramid_is_taken_to_stand_in_a_tree_that_is_not_seen_for_what_lies_on_it(at_mm, taken: bool) -> None:
    bench = kaxxt_bench()
    tree, black = stand(read_codes("y2y1r1"), 0.0, -70.0, 90.0), read_codes("k1")
    gone = (*tree.pyramids, *black)
    bag = tuple(p for p in bench.position.bag if p not in gone)
    at = replace(bench.position, areas=((tree,), *bench.position.areas[1:]), bag=bag, hands=(black, ()), drawn=True)
    bench.table.state = replace(bench.table.state, position=at, standing=kaxxt.layout(at))
    lying = Sighting(((Piece("pyramid", "black", "small", "lying"), 0.99),), 0.4, -44.7, 90.8)
    band = Sighting(((Piece("pyramid", "red", "small", "upright"), 0.9),), *at_mm, base_deg=0.0)
    card = [s for s in free_view(kaxxt.layout(at), random.Random(1), SHARP).sightings if s.piece.kind == "robot_card"]
    view = replace(free_view(kaxxt.layout(at), random.Random(1), SHARP), sightings=(lying, band, *card))
    assert (bench.look(view).kind == "move") == taken
    assert (bench.position.areas[0] == (tree,)) != taken


SPOT = Piece("pyramid", "clear", "medium", "upright")


def spotted(bench: Bench, belief: float) -> TableView:
    """A bare table with a pattern that looks like a piece."""
    view = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)
    return replace(view, sightings=(*view.sightings, Sighting(((SPOT, belief),), 148.0, -47.0, base_deg=3.0)))


def test_what_is_not_surely_seen_on_a_bare_table_is_its_pattern_and_hinders_no_beginning() -> None:
    bench = Bench("chaos")
    assert bench.look(spotted(bench, 0.93)).kind == "set-up"
    assert bench.table.state.phase == "play"
    bench.table.enter(roll(3, 3))
    assert bench.look(spotted(bench, 0.96)).kind == "nothing new"


def test_what_is_surely_seen_on_a_bare_table_can_be_tapped_away() -> None:
    bench = Bench("chaos")
    assert bench.look(spotted(bench, 0.99)).kind == "set-up"
    hint = "If the medium upright clear pyramid is not there, tap its place here and say so."
    assert waiting(bench.table).why.endswith(hint)
    assert bench.table.state.phase == "set-up"
    order(bench, "correct", x_mm=148.0, y_mm=-47.0, piece="empty")
    assert bench.look(spotted(bench, 0.99)).kind == "set-up"
    assert bench.table.state.phase == "play"


def test_of_pyramids_of_an_earlier_game_any_that_is_not_there_can_be_tapped_away() -> None:
    bench = Bench("chaos")
    view = spotted(bench, 0.99)
    others = [replace(s, x_mm=x_mm) for s in view.pieces() for x_mm in (-148.0, -74.0, 0.0, 74.0, 148.0)]
    bench.look(replace(view, sightings=tuple(others)))
    told = "Take the 5 pieces away that do not belong there."
    assert waiting(bench.table).why == f"{told} If any of them is not there, tap its place here and say so."


def test_over_photographs_nobody_is_told_to_tap() -> None:
    bench = Bench("chaos", settings=photograph_settings())
    assert "tap" not in bench.look(spotted(bench, 0.99)).text


@pytest.mark.parametrize(("told", "kind"), [(1.0, "move"), (0.95, "nothing new")])
def test_a_piece_that_is_surely_seen_where_something_untold_lay_is_no_more_of_that(told: float, kind: str) -> None:
    bench = Bench("chaos")
    bare = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)
    untold = Sighting(((UNKNOWN, 0.75),), 148.0, -47.0, why="like a pyramid, but not surely one")
    bench.look(replace(bare, sightings=(*bare.sightings, untold)))
    assert bench.table.state.phase == "play"
    bench.table.enter(roll(3, 3))
    red = Sighting(((Piece("pyramid", "red", "large", "upright"), told),), 147.0, -52.0, base_deg=0.0)
    assert bench.look(replace(bare, sightings=(*bare.sightings, red))).kind == kind
