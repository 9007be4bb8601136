"""A piece that the eye hardly sees is asked about where it would be lawful, and nowhere else."""

from dataclasses import replace

import pytest
from free_benches import chaos_bench, chaos_view, roll, seen
from referee_tables import Bench

from companion.errors import CommandRefused
from companion.referee.beginning import take_in
from companion.referee.commands import Command
from companion.referee.evidence.weighing import evidence
from companion.referee.explanations import hardly_seen
from companion.referee.explanations.hardly_seen import LEAST
from companion.referee.in_vain import IN_VAIN
from companion.referee.orders import carry_out
from companion.referee.picture import waiting
from companion.referee.settings import Settings
from companion.referee.snapshot import Question
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


def rest(bench: Bench, view, seconds: float = 4.0, hand: bool = True) -> None:
    if hand:
        bench.hand()
    until = bench.now + seconds
    while bench.now < until:
        bench.once(view)


def answer(bench: Bench, choice: str, question: Question | None = None) -> None:
    """To the question that stands, or to one that was seen before."""
    named = (question or bench.table.question).id
    carry_out(bench.table, Command("answer", {"question": named, "choice": choice}), "now")


def plies(bench: Bench) -> list[str]:
    return [past.move for past in bench.table.state.plies]


def asked(bench: Bench) -> int:
    return sum(type(event).__name__ == "Asked" for event in bench.events)


def test_what_is_hardly_seen_and_would_be_lawful_is_asked_about_and_counts_when_confirmed() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    question = table.table.question
    assert [choice.id for choice in question.choices][-1] == "no"
    assert "large blue piece" in question.choices[0].text
    before = len(plies(table))
    answer(table, question.choices[0].id)
    assert plies(table)[before:] == [PLACED]
    rest(table, faintly(table, PLACED))  # it is hardly seen as before, and not asked about again
    assert (table.table.question, len(plies(table))) == (None, before + 1)
    assert asked(table) == 1


def test_it_is_asked_once_however_long_it_lies_there() -> None:
    table = bench()
    rest(table, faintly(table, PLACED), 20.0)
    rest(table, faintly(table, "b3>36.3,0.4,0"), 20.0)  # measured a little otherwise
    assert asked(table) == 1
    assert table.table.question is not None


def test_what_is_said_to_be_nothing_is_not_asked_about_again() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    answer(table, "no")
    rest(table, faintly(table, PLACED))
    assert table.table.question is None
    assert waiting(table.table).why == IN_VAIN
    assert asked(table) == 1
    rest(table, faintly(table, PLACED, OTHER))
    assert table.table.question is not None
    answer(table, table.table.question.choices[0].id)
    assert plies(table)[-1] == OTHER


def test_an_open_question_is_dropped_when_another_piece_is_seen_and_asked_anew() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    before = len(plies(table))
    both = chaos_view(table, OTHER, PLACED)
    *clear, last = both.sightings
    rest(table, replace(both, sightings=(*clear, replace(last, faint=True, beliefs=((last.piece, 0.3),)))))
    assert plies(table)[before:] == [OTHER]
    assert "large blue piece" in table.table.question.choices[0].text
    answer(table, table.table.question.choices[0].id)
    assert plies(table)[before:] == [OTHER, PLACED]


def test_the_question_goes_when_nothing_is_hardly_seen_any_more() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    question = table.table.question
    rest(table, chaos_view(table), hand=False)
    assert table.table.question is None
    with pytest.raises(CommandRefused):
        answer(table, "no", question)


def test_what_was_asked_about_is_asked_again_after_a_restart() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    question, told = table.table.question, table.archive.events(1)
    assert question is not None
    again = Bench("chaos")
    again.table.restore(1, told, len(told))
    again.table.state = table.table.state  # no event tells of the pieces that stand at the bench
    rest(again, faintly(again, PLACED), hand=False)
    assert (again.table.question.text, again.table.question.choices) == (question.text, question.choices)
    answer(again, question.choices[0].id)
    assert plies(again)[-1] == PLACED


def test_without_a_hand_nothing_has_come() -> None:
    table = bench()
    rest(table, faintly(table, PLACED), hand=False)
    assert asked(table) == 0
    rest(table, faintly(table, PLACED))  # nor is it asked about later: it was there before the hand
    assert asked(table) == 0


def test_what_flickered_beside_the_set_up_is_not_asked_about() -> None:
    table = Bench("chaos")
    at = faintly(table, "b3^0,0,0")
    assert table.look(at).kind == "set-up"
    table.table.enter(roll(8, 8))
    rest(table, at)
    assert asked(table) == 0
    take_in(table.table, evidence(chaos_view(table), table.table.state.standing, Settings(), {}, {}))
    assert table.table.hardly_seen.known == ()  # in another game it may be a piece


@pytest.mark.parametrize("text", ["r3>35.8,0,0", "b3>80,0,0", "b2>35.8,0,0"])
def test_what_would_not_be_lawful_is_not_asked_about(text) -> None:
    table = bench()
    rest(table, faintly(table, text))
    assert asked(table) == 0
    assert waiting(table.table).why == IN_VAIN


def test_what_is_hardly_anything_is_not_asked_about() -> None:
    table = bench()
    rest(table, faintly(table, PLACED, told=LEAST / 2))
    assert asked(table) == 0


def test_photographs_are_not_asked_about() -> None:
    table = bench(settings=Settings(take_the_best=True))
    before = plies(table)
    rest(table, faintly(table, PLACED))
    assert (asked(table), plies(table)) == (0, before)


def test_it_is_weighed_once_as_long_as_it_lies_there(monkeypatch) -> None:
    table, weighed, supposed = bench(), [], hardly_seen._supposed
    monkeypatch.setattr(hardly_seen, "_supposed", lambda *about: weighed.append(about) or supposed(*about))
    rest(table, faintly(table, PLACED))
    rest(table, faintly(table, "b3>36.3,0.4,0"))
    assert len(weighed) == 1
    assert asked(table) == 1


def test_what_is_part_of_another_piece_is_not_asked_about() -> None:
    table = bench()
    *clear, last = faintly(table, PLACED).sightings
    rest(table, TableView(0.0, (*clear, replace(last, nested_on=0))))
    assert asked(table) == 0


def test_what_is_put_back_is_told_before_anything_is_asked() -> None:
    table = bench()
    assert table.look(chaos_view(table, "b3>80,0,0")).kind == "unlawful"
    assert table.look(faintly(table, PLACED)).kind == "take-back"
    assert asked(table) == 0


def test_what_waits_for_the_button_is_taken_back_before_anything_is_asked() -> None:
    table = bench(end_turn=True)
    table.look(chaos_view(table, OTHER))
    assert table.table.pending is not None
    assert table.look(faintly(table, PLACED)).kind == "take-back"
    assert asked(table) == 0


def test_while_something_is_refused_nothing_else_is_asked_about() -> None:
    table = bench()
    refused = chaos_view(table, "b3>80,0,0")
    assert table.look(refused).kind == "unlawful"
    *clear, last = chaos_view(table, "b3>80,0,0", PLACED).sightings
    faint = replace(last, faint=True, beliefs=((last.piece, 0.3),))
    rest(table, replace(refused, sightings=(*clear, faint)))
    assert asked(table) == 0
    assert seen(table, table.game.layout(table.position)).kind == "take-back"


@pytest.mark.parametrize(("before", "told", "times"), [(0.28, 0.78, 1), (0.28, 0.55, 0), (0.2, 0.45, 0)])
def test_what_was_taken_for_nothing_is_asked_about_once_it_is_far_better_seen(before, told, times) -> None:
    table = bench()
    rest(table, faintly(table, "b2>35.8,0.0,0.0", told=before))  # no lawful one
    assert (asked(table), waiting(table.table).why) == (0, IN_VAIN)
    rest(table, faintly(table, PLACED, told=told), hand=False)
    assert asked(table) == times


def test_what_is_hardly_seen_is_weighed_anew_when_it_looks_like_another_piece() -> None:
    table = bench()
    table.hand()
    table.once(faintly(table, "b2>35.8,0.0,0.0"))
    rest(table, faintly(table, PLACED), hand=False)
    assert asked(table) == 1


def test_what_it_may_have_been_is_weighed_anew_when_other_dice_were_thrown() -> None:
    table = bench()
    rest(table, faintly(table, PLACED))
    assert "large blue piece" in table.table.question.choices[0].text
    carry_out(table.table, Command("undo"), "now")
    table.table.enter(roll(0, 0))
    rest(table, faintly(table, PLACED))
    assert table.table.question is None or "blue" not in table.table.question.choices[0].text
