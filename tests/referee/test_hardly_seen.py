"""A piece that the eye hardly sees is asked about where it would be lawful, and nowhere else."""

from dataclasses import replace

import pytest
from free_benches import chaos_bench, chaos_view, roll, seen
from referee_tables import Bench, order

from companion.errors import CommandRefused
from companion.referee.beginning import take_in
from companion.referee.evidence.weighing import evidence
from companion.referee.explanations import hardly_seen
from companion.referee.explanations.hardly_seen import LEAST
from companion.referee.in_vain import IN_VAIN
from companion.referee.picture import waiting
from companion.referee.settings import Settings
from companion.view import TableView

PLACED, OTHER = "b3>35.8,0.0,0.0", "b3>160.0,35.8,90.0"


def bench(**options) -> Bench:
    """Two blue pieces are due; two stand."""
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0", **options)
    bench.look(chaos_view(bench))
    bench.table.enter(roll(8, 8))
    bench.once(chaos_view(bench))
    return bench


def faintly(bench: Bench, *texts: str, told: float = 0.3):
    """What lies there, and of these placements each as something that is hardly seen."""
    view, new = chaos_view(bench, *texts), len(texts)
    sightings = [
        replace(s, faint=True, beliefs=tuple((piece, told) for piece, _ in s.beliefs)) for s in view.sightings[-new:]
    ]
    return replace(view, sightings=(*view.sightings[:-new], *sightings))


def test_what_is_hardly_seen_and_would_be_lawful_is_asked_about_and_counts_when_confirmed() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    question = table.table.question
    assert [choice.id for choice in question.choices][-1] == "no"
    assert "large blue piece" in question.choices[0].text
    before = len(table.moves)
    table.answer(question.choices[0].id)
    assert table.moves[before:] == [PLACED]
    table.rest(faintly(table, PLACED))  # it is hardly seen as before, and not asked about again
    assert (table.table.question, len(table.moves)) == (None, before + 1)
    assert table.asked == 1


def test_it_is_asked_once_however_long_it_lies_there() -> None:
    table = bench()
    table.rest(faintly(table, PLACED), 20.0)
    table.rest(faintly(table, "b3>36.3,0.4,0"), 20.0)  # measured a little otherwise
    assert table.asked == 1
    assert table.table.question is not None


def test_what_is_said_to_be_nothing_is_not_asked_about_again() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    table.answer("no")
    table.rest(faintly(table, PLACED))
    assert table.table.question is None
    assert waiting(table.table).why == IN_VAIN
    assert table.asked == 1
    table.rest(faintly(table, PLACED, OTHER))
    table.answer(table.table.question.choices[0].id)
    assert table.moves[-1] == OTHER


def test_an_open_question_is_dropped_when_another_piece_is_seen_and_asked_anew() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    before = len(table.moves)
    both = chaos_view(table, OTHER, PLACED)
    *clear, last = both.sightings
    table.rest(replace(both, sightings=(*clear, replace(last, faint=True, beliefs=((last.piece, 0.3),)))))
    assert table.moves[before:] == [OTHER]
    assert "large blue piece" in table.table.question.choices[0].text
    table.answer(table.table.question.choices[0].id)
    assert table.moves[before:] == [OTHER, PLACED]


def test_the_question_goes_when_nothing_is_hardly_seen_any_more() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    question = table.table.question
    table.rest(chaos_view(table), hand=False)
    assert table.table.question is None
    with pytest.raises(CommandRefused):
        table.answer("no", question)


def test_what_was_asked_about_is_asked_again_after_a_restart() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    question, told = table.table.question, table.archive.events(1)
    again = Bench("chaos")
    again.table.restore(1, told, len(told))
    again.table.state = table.table.state  # no event tells of the pieces that stand at the bench
    again.rest(faintly(again, PLACED), hand=False)
    assert (again.table.question.text, again.table.question.choices) == (question.text, question.choices)
    again.answer(question.choices[0].id)
    assert again.moves[-1] == PLACED


def test_without_a_hand_nothing_has_come() -> None:
    table = bench()
    table.rest(faintly(table, PLACED), hand=False)
    assert table.asked == 0
    table.rest(faintly(table, PLACED))  # nor is it asked about later: it was there before the hand
    assert table.asked == 0


def test_what_flickered_beside_the_set_up_is_not_asked_about() -> None:
    table = Bench("chaos")
    at = faintly(table, "b3^0,0,0")
    assert table.look(at).kind == "set-up"
    table.table.enter(roll(8, 8))
    table.rest(at)
    assert table.asked == 0
    take_in(table.table, evidence(chaos_view(table), table.table.state.standing, Settings(), {}, {}))
    assert table.table.hardly_seen.known == ()  # in another game it may be a piece


@pytest.mark.parametrize("text", ["r3>35.8,0,0", "b3>80,0,0", "b2>35.8,0,0"])
def test_what_would_not_be_lawful_is_not_asked_about(text) -> None:
    table = bench()
    table.rest(faintly(table, text))
    assert table.asked == 0
    assert waiting(table.table).why == IN_VAIN


def test_what_is_hardly_anything_is_not_asked_about() -> None:
    table = bench()
    table.rest(faintly(table, PLACED, told=LEAST / 2))
    assert table.asked == 0


def test_photographs_are_not_asked_about() -> None:
    table = bench(settings=Settings(take_the_best=True))
    before = table.moves
    table.rest(faintly(table, PLACED))
    assert (table.asked, table.moves) == (0, before)


def test_it_is_weighed_once_as_long_as_it_lies_there(monkeypatch) -> None:
    table, weighed, supposed = bench(), [], hardly_seen._supposed
    monkeypatch.setattr(hardly_seen, "_supposed", lambda *about: weighed.append(about) or supposed(*about))
    table.rest(faintly(table, PLACED))
    table.rest(faintly(table, "b3>36.3,0.4,0"))
    assert len(weighed) == 1
    assert table.asked == 1


def test_what_is_part_of_another_piece_is_not_asked_about() -> None:
    table = bench()
    *clear, last = faintly(table, PLACED).sightings
    table.rest(TableView(0.0, (*clear, replace(last, nested_on=0))))
    assert table.asked == 0


def test_what_is_put_back_is_told_before_anything_is_asked() -> None:
    table = bench()
    assert table.look(chaos_view(table, "b3>80,0,0")).kind == "unlawful"
    assert table.look(faintly(table, PLACED)).kind == "take-back"
    assert table.asked == 0


def test_what_waits_for_the_button_is_taken_back_before_anything_is_asked() -> None:
    table = bench(end_turn=True)
    table.look(chaos_view(table, OTHER))
    assert table.table.pending is not None
    assert table.look(faintly(table, PLACED)).kind == "take-back"
    assert table.asked == 0


def test_while_something_is_refused_nothing_else_is_asked_about() -> None:
    table = bench()
    refused = chaos_view(table, "b3>80,0,0")
    assert table.look(refused).kind == "unlawful"
    *clear, last = chaos_view(table, "b3>80,0,0", PLACED).sightings
    faint = replace(last, faint=True, beliefs=((last.piece, 0.3),))
    table.rest(replace(refused, sightings=(*clear, faint)))
    assert table.asked == 0
    assert seen(table, table.game.layout(table.position)).kind == "take-back"


@pytest.mark.parametrize(("before", "told", "times"), [(0.28, 0.78, 1), (0.28, 0.55, 0), (0.2, 0.45, 0)])
def test_what_was_taken_for_nothing_is_asked_about_once_it_is_far_better_seen(before, told, times) -> None:
    table = bench()
    table.rest(faintly(table, "b2>35.8,0.0,0.0", told=before))  # no lawful one
    assert (table.asked, waiting(table.table).why) == (0, IN_VAIN)
    table.rest(faintly(table, PLACED, told=told), hand=False)
    assert table.asked == times


def test_what_is_hardly_seen_is_weighed_anew_when_it_looks_like_another_piece() -> None:
    table = bench()
    table.hand()
    table.once(faintly(table, "b2>35.8,0.0,0.0"))
    table.rest(faintly(table, PLACED), hand=False)
    assert table.asked == 1


def test_what_it_may_have_been_is_weighed_anew_when_other_dice_were_thrown() -> None:
    table = bench()
    table.rest(faintly(table, PLACED))
    assert "large blue piece" in table.table.question.choices[0].text
    order(table, "undo")
    table.table.enter(roll(0, 0))
    table.rest(faintly(table, PLACED))
    assert table.table.question is None or "blue" not in table.table.question.choices[0].text
