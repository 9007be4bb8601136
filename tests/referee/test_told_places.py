"""What the host says of a cell or of a place of a free table, and how long it holds."""

import random
from dataclasses import replace

import pytest
from free_views import free_view
from referee_tables import Bench, order

from companion.errors import CommandRefused
from companion.games import chaos
from companion.pieces import EMPTY, Piece
from companion.referee.views.told import Lasting, told_view
from companion.view import Sighting, TableView

RED = Piece("pyramid", "red", "large", "upright")
BLUE = replace(RED, colour="blue")
LYING = replace(RED, pose="lying")


def sighting(piece: Piece, x_mm: float, y_mm: float = 0.0, heading_deg: float | None = None) -> Sighting:
    return Sighting(((piece, 0.9),), x_mm, y_mm, heading_deg)


VIEW = TableView(0.0, (sighting(RED, 0.0), sighting(LYING, 60.0, 0.0, 30.0), sighting(RED, 70.0)))


def test_the_nearest_piece_becomes_what_was_said() -> None:
    told = told_view(VIEW, [sighting(BLUE, 3.0)], 12.0)
    assert [s.piece for s in told.sightings] == [BLUE, LYING, RED]
    assert told.sightings[0].x_mm == 0.0


def test_a_lying_piece_keeps_its_heading_unless_another_is_said() -> None:
    as_seen = told_view(VIEW, [sighting(replace(LYING, colour="blue"), 61.0)], 12.0).sightings[1]
    turned = told_view(VIEW, [sighting(replace(LYING, colour="blue"), 61.0, 0.0, 90.0)], 12.0).sightings[1]
    stood_up = told_view(VIEW, [sighting(BLUE, 61.0)], 12.0).sightings[1]
    assert (as_seen.heading_deg, turned.heading_deg, stood_up.heading_deg) == (30.0, 90.0, None)


def test_what_is_no_piece_is_left_out_and_what_was_overlooked_is_added() -> None:
    told = told_view(VIEW, [sighting(EMPTY, 0.0), sighting(BLUE, -200.0), sighting(EMPTY, 300.0)], 12.0)
    assert [s.piece for s in told.pieces()] == [LYING, RED, BLUE]
    assert len(told.sightings) == 4  # what is stacked names its carrier by its number


def test_the_last_word_on_a_place_holds() -> None:
    told = told_view(VIEW, [sighting(BLUE, 0.0), sighting(EMPTY, 1.0)], 12.0)
    assert told.sightings[0].piece == EMPTY


def test_a_corrected_colour_makes_the_move() -> None:
    bench = Bench("chaos", seats=2)
    bench.look(free_view(bench.game.layout(bench.position), random.Random(1)))
    assert bench.table.state.phase == "play"
    bench.table.enter(chaos.Move("roll", (3, 3)))  # two red ones
    red = Sighting(((replace(RED, colour="orange"), 0.9),), -100.0, 0.0, base_deg=0.0)
    view = free_view(bench.game.layout(bench.position), random.Random(1))
    wrong = replace(view, sightings=(*view.sightings, red))
    assert bench.look(wrong).kind != "move"
    order(bench, "correct", x_mm=-99.0, y_mm=1.0, piece=RED.to_json())
    assert bench.look(wrong).kind == "move"
    assert bench.position.pieces[-1].colour == "red"


def kaxxt_table(*pyramids: Sighting, undo: str = "take") -> tuple[Bench, TableView]:
    """A table set up, and how it looks with these pyramids on it."""
    bench = Bench("kaxxt", undo=undo, seats=2)
    bare = free_view(bench.game.layout(bench.position), random.Random(1))
    bench.look(bare)
    assert bench.table.state.phase == "play"
    return bench, replace(bare, sightings=(*bare.sightings, *pyramids))


def placed(piece: Piece) -> Sighting:
    return Sighting(((piece, 0.97),), 0.0, -110.0, 90.0)


PLACE = {"x_mm": 0.0, "y_mm": -110.0, "heading_deg": 90.0}


def seen_on(bench: Bench, view: TableView) -> list[str]:
    for _ in range(30):
        bench.once(view)
    assert bench.table.state.ruling is None
    assert not bench.table.state.awaiting
    return [past.move.partition("@")[0] for past in bench.table.state.plies]


def test_a_pyramid_whose_colour_is_misread_for_good_is_put_right_by_going_back_and_one_word() -> None:
    bench, view = kaxxt_table(placed(replace(LYING, colour="yellow")))
    assert seen_on(bench, view) == ["draw any", "=y3", "put y3"]
    order(bench, "undo", ply=0)
    order(bench, "correct", **PLACE, piece=LYING.to_json())
    assert seen_on(bench, view) == ["draw any", "=r3", "put r3"]


@pytest.mark.parametrize("undo", ["offer", "take", "refuse"])
def test_one_word_on_the_pyramid_that_was_read_last_reads_it_anew(undo: str) -> None:
    bench, view = kaxxt_table(placed(replace(LYING, colour="yellow")), undo=undo)
    assert seen_on(bench, view) == ["draw any", "=y3", "put y3"]
    order(bench, "correct", **PLACE, piece=LYING.to_json())
    told = [reading for _ in range(30) if (reading := bench.once(view)).kind == "move" and reading.decided]
    assert [reading.text.partition(" South")[0] for reading in told] == ["The last action was misread."]
    assert seen_on(bench, view) == ["draw any", "=r3", "put r3"]


@pytest.mark.parametrize(
    ("piece", "rule"), [(replace(RED, colour="green"), "C4"), (replace(RED, size="medium"), "C7"), (LYING, "C6")]
)
def test_what_the_last_pyramid_is_by_the_hosts_word_is_refused_where_it_is_forbidden(piece: Piece, rule: str) -> None:
    bench = Bench("chaos", seats=2, undo="take")
    bare = free_view(bench.game.layout(bench.position), random.Random(1))
    bench.look(bare)
    bench.table.enter(chaos.Move("roll", (3, 3)))
    view = replace(bare, sightings=(*bare.sightings, Sighting(((RED, 0.97),), -100.0, 0.0, base_deg=0.0)))
    assert bench.look(view).kind == "move"
    order(bench, "correct", x_mm=-100.0, y_mm=0.0, piece=piece.to_json())
    refused = bench.look(view)
    assert (refused.kind, refused.rule) == ("unlawful", rule)
    order(bench, "correct", x_mm=-100.0, y_mm=0.0, piece=RED.to_json())
    assert bench.look(view).kind == "take-back"
    assert bench.table.state.ruling is None
    assert [piece.colour for piece in bench.position.pieces] == ["red"]


def test_what_the_host_says_is_nothing_is_taken_for_a_pyramid_no_more() -> None:
    bench, view = kaxxt_table(placed(LYING))
    assert len(seen_on(bench, view)) == 3
    order(bench, "undo", ply=0)
    order(bench, "correct", **PLACE, piece="empty")
    assert seen_on(bench, view) == []


def test_a_pyramid_of_which_the_host_alone_knows_stays_there() -> None:
    bench, view = kaxxt_table()
    order(bench, "correct", **PLACE, piece=LYING.to_json())
    assert seen_on(bench, view) == ["draw any", "=r3", "put r3"]


def test_a_word_on_a_place_ends_when_what_lay_there_is_moved() -> None:
    bench, view = kaxxt_table(placed(LYING))
    order(bench, "correct", **PLACE, piece=LYING.to_json())
    assert not bench.once(view).decided
    bench.hand()
    away = replace(placed(LYING), y_mm=-160.0)
    moved = replace(view, sightings=tuple(away if s == placed(LYING) else s for s in view.sightings))
    assert seen_on(bench, moved) == ["draw any", "=r3", "put r3"]
    assert "@0.0,-160.0" in bench.table.state.plies[-1].move


def test_a_word_on_a_cell_ends_when_its_piece_is_moved() -> None:
    bench = Bench().begin()
    order(bench, "correct", cell="h2", piece=piece_on(bench, "h2").to_json())
    assert bench.clear().kind == "nothing new"
    assert bench.act("h2h3").moves == ("h2h3",)


def test_a_word_on_a_cell_that_a_hand_left_alone_holds() -> None:
    bench = Bench().begin()
    wrong = replace(piece_on(bench, "h2"), facing="SE")
    order(bench, "correct", cell="h2", piece=piece_on(bench, "h2").to_json())
    for _ in range(2):
        assert bench.show(bench.game.layout(bench.position), {"h2": wrong}).kind == "nothing new"
    assert bench.table.state.plies == ()


def piece_on(bench: Bench, cell: str) -> Piece:
    return next(lying.piece for lying in bench.game.layout(bench.position).pieces if lying.cell == cell)


@pytest.mark.parametrize("place", [{}, {"x_mm": 1.0}, {"x_mm": "1", "y_mm": 2.0}, {"x_mm": float("nan"), "y_mm": 2.0}])
def test_a_free_piece_is_named_by_its_place(place) -> None:
    bench = Bench("chaos", seats=2)
    with pytest.raises(CommandRefused, match="named by where it lies"):
        order(bench, "correct", **place, piece="empty")


def test_a_word_on_a_cell_holds_until_a_hand_came_and_the_eye_is_sure_of_something_else() -> None:
    named, first, other = (Piece("scarab", "silver", facing="/"), EMPTY, Piece("pyramid", "red", facing="NE"))
    lasting, told = Lasting(sure_seen=0.8, near_mm=20.0), {"c1": named}

    def holds(piece: Piece, belief: float, why: str | None = None) -> bool:
        view = TableView(0.0, (Sighting(((piece, belief),), cell="c1", why=why),))
        return lasting.cells(view, told) == told

    assert holds(first, 0.95)
    assert holds(other, 0.95)  # no hand came
    lasting.unseen()
    assert holds(first, 0.95)
    assert holds(other, 0.5)
    assert holds(other, 0.95, why="glare")
    assert not holds(other, 0.95)
