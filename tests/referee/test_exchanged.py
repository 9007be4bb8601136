"""Pieces of a free table that hands swapped or stood up in their very places, as an eye might misread them, too."""

from dataclasses import replace

import pytest
from free_benches import chaos_bench, chaos_view, roll
from referee_tables import Bench, order

from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.referee.happenings import Sight
from companion.referee.in_vain import IN_VAIN
from companion.referee.picture import waiting
from companion.view import Sighting, TableView

MIDDLE, ASIDE = "in the middle of the table", "160 mm to the right of the middle"
GREEN = Piece("pyramid", "green", "small", "upright")


def known(*placed: str, **options: str) -> Bench:
    bench = chaos_bench(*placed, **options)
    for _ in range(3):
        bench.once(chaos_view(bench))
    return bench


def looking(seen: Sighting, other: Sighting) -> Sighting:
    """In the place of one what looks like the other."""
    return replace(seen, beliefs=other.beliefs, heading_deg=other.heading_deg, base_deg=other.base_deg)


def swapped(view: TableView, one: int, other: int) -> TableView:
    sightings = [*view.sightings]
    sightings[one], sightings[other] = (looking(sightings[a], sightings[b]) for a, b in ((one, other), (other, one)))
    return replace(view, sightings=tuple(sightings))


def test_two_pieces_that_were_swapped_are_named_until_they_are_swapped_back() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    view = chaos_view(bench)
    reading = bench.look(swapped(view, 0, 1))
    assert reading.kind == "unlawful"
    both = f"The large upright blue pyramid {MIDDLE} and the large upright red pyramid {ASIDE} are swapped"
    assert reading.text.startswith(both)
    assert waiting(bench.table).why == "Swap the large upright blue pyramid and the large upright red pyramid back."
    bench.once(swapped(view, 0, 1), wait_s=5.0)
    assert bench.table.state.ruling is not None
    assert bench.look(view).kind == "take-back"
    assert bench.table.state.ruling is None


def test_one_that_stood_and_one_that_lay_may_be_swapped_as_well() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0", "b3^0,160,0", "b3>35.8,0,0")
    reading = bench.look(swapped(chaos_view(bench), 1, 3))
    assert f"The large upright red pyramid {ASIDE} and the large lying blue pyramid" in reading.text
    assert bench.table.state.ruling.remedy.endswith(" back.")


def stood_up(view: TableView, which: int) -> TableView:
    sightings = [*view.sightings]
    piece = replace(sightings[which].piece, pose="upright")
    sightings[which] = replace(sightings[which], beliefs=((piece, 0.99),), heading_deg=None, base_deg=0.0)
    return replace(view, sightings=tuple(sightings))


def test_an_attacker_that_was_stood_up_in_its_place_is_named() -> None:
    bench = known("b3^0,0,0", "b3^160,0,0", "b3>35.8,0,0")
    view = chaos_view(bench)
    reading = bench.look(stood_up(view, 2))
    there = "the large blue pyramid 36 mm to the right of the middle"
    assert reading.text.startswith(f"T{there[1:]} was stood up")
    assert bench.table.state.ruling.remedy == f"Lay {there} down again as it lay."
    assert bench.look(view).kind == "take-back"


@pytest.mark.parametrize("odd", [lambda view: swapped(view, 0, 1), lambda view: stood_up(view, 2)])
def test_where_no_hand_was_it_is_misread(odd) -> None:
    bench = known("b3^0,0,0", "r3^160,0,0", "b3>35.8,0,0")
    for _ in range(14):
        reading = bench.once(odd(chaos_view(bench)))
    assert (reading.kind, bench.table.state.ruling) == ("nothing new", None)


def test_a_table_that_is_half_way_is_given_time_before_a_swap_is_named() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.hand()
    for _ in range(4):
        assert bench.once(swapped(chaos_view(bench), 0, 1)).kind == "unclear"
    assert bench.table.state.ruling is None


def test_in_photographs_it_is_misread() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0", settings=photograph_settings())
    assert bench.look(swapped(chaos_view(bench), 0, 1)).kind == "nothing new"
    assert bench.table.state.ruling is None


def test_after_the_end_pieces_may_be_swapped() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    order(bench, "resign", seat=0)
    assert bench.table.state.phase == "over"
    bench.look(swapped(chaos_view(bench), 0, 1))
    assert bench.table.state.ruling is None


def test_what_was_swapped_beside_something_that_no_action_does_is_named_with_it() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0", "b3^0,160,0")
    blue, red, pushed = swapped(chaos_view(bench), 0, 1).sightings
    reading = bench.look(TableView(0.0, (blue, red, replace(pushed, x_mm=14.0))))
    assert reading.kind == "unlawful"
    assert "are swapped" in reading.text
    assert "is not 160 mm" in reading.text
    assert "Swap the large" in bench.table.state.ruling.remedy


def restarted(bench: Bench) -> Bench:
    """The same table after a time in which nobody looked."""
    again, told = Bench("chaos"), bench.archive.events(1)
    again.table.restore(1, told, len(told))
    again.table.state = bench.table.state  # no event tells of the pieces that stand at the bench
    return again


def test_the_first_pictures_after_a_start_show_no_hand_that_came_in_vain() -> None:
    bench = restarted(known("b3^0,0,0", "r3^160,0,0", "b3>35.8,0,0"))
    bench.hand()  # a table that is seen for the first time is waited for as if it moved
    bench.look(chaos_view(bench))
    assert waiting(bench.table).why == ""
    bench.hand()
    bench.look(chaos_view(bench))
    assert waiting(bench.table).why == IN_VAIN


@pytest.mark.parametrize(
    ("odd", "said"),
    [(lambda view: swapped(view, 0, 1), "are swapped"), (lambda view: stood_up(view, 2), "was stood up")],
)
def test_what_was_swapped_or_stood_up_while_the_companion_was_off_is_named_without_another_hand(odd, said) -> None:
    bench = restarted(known("b3^0,0,0", "r3^160,0,0", "b3>35.8,0,0"))
    for _ in range(20):
        reading = bench.once(odd(chaos_view(bench)))
    assert (reading.kind, bench.table.state.ruling.fault) == ("unlawful", "exchanged")
    assert said in reading.text
    assert bench.look(chaos_view(bench)).kind == "take-back"


def test_what_was_swapped_in_the_dark_is_named_as_well() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.table.set_sight(Sight("dark"))
    for _ in range(20):
        reading = bench.once(swapped(chaos_view(bench), 0, 1))
    assert "are swapped" in reading.text


def test_a_single_other_look_after_a_start_is_no_news() -> None:
    bench = restarted(known("b3^0,0,0", "r3^160,0,0"))
    for _ in range(20):
        reading = bench.once(in_its_place(bench, 0.0))
    assert (reading.kind, bench.table.state.ruling, bench.table.hint) == ("nothing new", None, "")


def test_an_action_waits_until_what_was_swapped_beside_it_is_swapped_back() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.table.enter(roll(8, 8))
    view = chaos_view(bench, "b3^0,178,0")
    assert "are swapped" in bench.look(swapped(view, 0, 1)).text
    assert len(bench.position.pieces) == 2
    assert bench.look(view).kind == "move"


def in_its_place(bench: Bench, off_mm: float) -> TableView:
    blue, red = chaos_view(bench).sightings
    return TableView(0.0, (blue, replace(red, x_mm=160.0 + off_mm, beliefs=((GREEN, 0.99),))))


def test_a_single_piece_of_another_look_is_pointed_out_with_what_to_do_and_hinders_nobody() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.table.enter(roll(8, 8))
    bench.look(in_its_place(bench, 0.0))
    assert bench.table.state.ruling is None
    back = f"Take the small upright green pyramid {ASIDE} away and put the large upright red pyramid back there"
    assert f"{back}; if it is only misread, tap it here." in waiting(bench.table).why
    view = in_its_place(bench, 0.0)
    placed = chaos_view(bench, "b3^0,178,0").sightings[2]
    assert bench.look(replace(view, sightings=(*view.sightings, placed))).kind == "move"


def test_what_is_only_misread_is_tapped() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.look(in_its_place(bench, 0.0))
    told = {"kind": "pyramid", "colour": "red", "size": "large", "pose": "upright"}
    order(bench, "correct", x_mm=160.0, y_mm=0.0, piece=told)
    assert bench.look(in_its_place(bench, 0.0)).kind == "nothing new"
    assert "misread" not in waiting(bench.table).why


def test_what_lies_where_another_belongs_is_to_be_taken_away_first() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.look(in_its_place(bench, 12.0))
    away = "Take the small upright green pyramid 172 mm to the right of the middle away again"
    back = f"{away} and put the large upright red pyramid back {ASIDE}, then roll both dice."
    assert bench.table.state.ruling.remedy == back


def test_what_is_refused_in_the_place_of_another_is_refused_and_that_one_put_back() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.table.enter(roll(8, 8))
    reading = bench.look(in_its_place(bench, 12.0))
    assert reading.text.startswith("The dice ask for blue and blue, not for green.")
    back = f"Take the green piece back and put the large upright red pyramid back {ASIDE}."
    assert bench.table.state.ruling.remedy == back


@pytest.mark.parametrize("off_mm", [12.0, 50.0])
def test_a_piece_that_was_pushed_is_to_be_put_back_from_where_it_is(off_mm: float) -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    blue, red = chaos_view(bench).sightings
    reading = bench.look(TableView(0.0, (blue, replace(red, x_mm=160.0 + off_mm))))
    now = f"{160 + off_mm:.0f} mm to the right of the middle"
    assert f"The large upright red pyramid is not {ASIDE} but {now}" in reading.text
    back = f"Put the large upright red pyramid that stands {now} back {ASIDE}, then roll both dice."
    assert bench.table.state.ruling.remedy == back


def test_beside_a_lawful_action_only_what_is_not_of_it_is_to_be_put_right() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    bench.table.enter(roll(8, 8))
    blue, red, placed = chaos_view(bench, "b3^0,178,0").sightings
    reading = bench.look(TableView(0.0, (blue, replace(red, x_mm=175.0), placed)))
    assert reading.text.count("pyramid") > 2
    there = "175 mm to the right of the middle"
    back = f"Put the large upright red pyramid that stands {there} back {ASIDE}: then the rest counts."
    assert bench.table.state.ruling.remedy == back
    assert bench.look(TableView(0.0, (blue, red, placed))).kind == "move"


def test_what_is_put_down_before_the_roll_waits_for_the_roll() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0")
    reading = bench.look(chaos_view(bench, "b3^0,178,0"))
    assert "no action is due before the roll" in reading.text
    assert bench.table.state.ruling.remedy.endswith(" away again, then roll both dice.")
    bench.table.enter(roll(8, 8))
    assert bench.look(chaos_view(bench, "b3^0,178,0")).kind == "move"


def test_where_what_is_done_tells_of_the_throw_nobody_is_told_to_throw_first() -> None:
    bench = known("b3^0,0,0", "r3^160,0,0", dice="camera")
    blue, red = chaos_view(bench).sightings
    reading = bench.look(TableView(0.0, (blue, replace(red, x_mm=180.0))))
    assert "no action does that" in reading.text
    assert bench.table.state.ruling.remedy.endswith(f" back {ASIDE}.")


def test_of_pieces_that_look_alike_each_goes_back_to_where_one_is_missing_next_to_it() -> None:
    bench = known("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    one, other = chaos_view(bench).sightings
    bench.look(TableView(0.0, (replace(one, x_mm=15.0), replace(other, x_mm=175.0))))
    one, other = (f"{x} mm to the right of the middle" for x in (15, 175))
    put = "ut the large upright blue pyramid that stands"
    assert bench.table.state.ruling.remedy == f"P{put} {one} back {MIDDLE} and p{put} {other} back {ASIDE}."


def test_an_attacker_that_lies_against_its_own_with_its_side_is_to_be_turned() -> None:
    bench = known("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    reading = bench.look(chaos_view(bench, "b3>35.8,0,180"))
    assert (reading.rule, bench.table.state.ruling.fault) == ("C11", "not-flush")
    assert bench.table.state.ruling.remedy == "Turn it: its whole base belongs against that edge."
