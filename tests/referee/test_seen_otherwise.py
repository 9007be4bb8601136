"""A piece that is refused as it looks and would be lawful as another one in just that place is asked about."""

from dataclasses import replace

import pytest
from free_benches import chaos_bench, chaos_view, roll
from referee_tables import Bench, order

from companion.photographs import photograph_settings
from companion.view import TableView

FLUSH = "b3>35.8,0.0,0.0"  # two blue pieces are due, and one stands at its base


def bench(*stand: str) -> Bench:
    bench = chaos_bench(*(stand or ("b3^0,0,0", "b3^160,0,0")))
    bench.look(chaos_view(bench))
    bench.table.enter(roll(8, 8))
    bench.once(chaos_view(bench))
    return bench


def looking(bench: Bench, text: str, **other: str) -> TableView:
    """This placement, and its piece surely looks otherwise."""
    view = chaos_view(bench, text)
    *lying, new = view.sightings
    return replace(view, sightings=(*lying, replace(new, beliefs=((replace(new.piece, **other), 0.98),))))


@pytest.mark.parametrize("other", [{"colour": "clear"}, {"size": "medium"}])
def test_what_would_be_lawful_as_another_piece_just_there_is_asked_about_and_counts_when_chosen(other) -> None:
    table = bench()
    view = looking(table, FLUSH, **other)
    table.rest(view)
    assert table.table.state.ruling is None
    table.answer_in_words("large blue piece")
    assert table.moves[-1].startswith("b3>")
    before = len(table.moves)
    table.rest(view)  # it looks as it looked, and is known
    assert (len(table.moves), table.table.state.ruling, table.table.question) == (before, None, None)


def test_it_is_asked_about_where_the_eye_is_in_two_minds_and_both_are_refused() -> None:
    table = bench()
    view = looking(table, FLUSH)
    *lying, new = view.sightings
    looks = tuple((replace(new.piece, colour=colour), p) for colour, p in (("clear", 0.5), ("white", 0.48)))
    table.rest(replace(view, sightings=(*lying, replace(new, beliefs=looks))))
    assert table.table.state.ruling is None
    table.answer_in_words("large blue piece")
    assert table.moves[-1].startswith("b3>")


def test_what_it_may_be_is_weighed_anew_when_other_dice_were_thrown() -> None:
    table = bench()
    table.rest(looking(table, FLUSH, colour="clear"))
    assert any("large blue piece" in choice.text for choice in table.table.question.choices)
    order(table, "undo")
    table.table.enter(roll(0, 0))
    table.rest(looking(table, FLUSH, colour="clear"))
    question = table.table.question
    assert question is None or not any("large blue piece" in choice.text for choice in question.choices)


def test_it_is_refused_when_it_is_what_it_looks_like() -> None:
    table = bench()
    view = looking(table, FLUSH, colour="clear")
    table.rest(view)
    table.answer_in_words("clear")
    assert table.table.state.ruling is not None
    for there in (view, looking(table, "b3>36.6,0.8,0.0", colour="clear")):  # measured a little otherwise
        table.rest(there)
        assert (table.table.state.ruling.rule, table.table.question) == ("C4", None)


def test_it_is_asked_about_where_it_was_refused_and_is_moved_to_the_lawful_place() -> None:
    table = bench()
    table.rest(looking(table, "b3>60.0,0.0,0.0", colour="clear"))
    assert table.table.state.ruling is not None
    table.rest(looking(table, FLUSH, colour="clear"))
    table.answer_in_words("large blue piece")
    assert table.moves[-1].startswith("b3>")
    assert table.table.state.ruling is None


def test_it_is_refused_once_it_is_exchanged_for_one_that_is_unlike_in_two_ways() -> None:
    table = bench()
    table.rest(looking(table, FLUSH, colour="clear"))
    assert table.table.question is not None
    table.rest(looking(table, FLUSH, colour="clear", size="small"))
    assert (table.table.state.ruling.rule, table.table.question) == ("C4", None)


@pytest.mark.parametrize(
    ("placed", "other"),
    [
        ("b3>60.0,0.0,0.0", {"colour": "clear"}),
        (FLUSH, {"colour": "clear", "size": "small"}),
    ],
    ids=["beside any lawful place", "unlike in two ways"],
)
def test_elsewhere_what_is_unlawful_as_it_looks_is_refused(placed, other) -> None:
    table = bench()
    table.rest(looking(table, placed, **other))
    assert table.table.state.ruling is not None
    assert table.table.question is None


def test_where_another_piece_would_be_lawful_all_around_hands_took_the_wrong_one() -> None:
    table = bench("b3^0,0,0", "r3^-80,0,0")
    table.rest(looking(table, "b3^-190.0,20.0,0", colour="clear"))
    assert table.table.state.ruling is not None
    table.rest(chaos_view(table))
    table.rest(chaos_view(table, "b3^-190.0,20.0,0"))
    assert table.moves[-1].startswith("b3^")  # lawful there


def test_in_photographs_nobody_can_be_asked() -> None:
    table = bench()
    before = table.moves
    table.table.settings = photograph_settings()
    table.rest(looking(table, FLUSH, colour="clear"))
    assert (table.moves, table.table.question) == (before, None)
