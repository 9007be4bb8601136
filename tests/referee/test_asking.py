"""An answer meets the question that it was given to, or none; what happens beside the table leaves it good."""

import pytest
from referee_tables import Bench, order, shown, turned_either_way

from companion.errors import CommandRefused
from companion.pieces import Piece
from companion.referee.asking import ask
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.orders import carry_out
from companion.referee.snapshot import Choice, Question

EITHER_WAY = tuple((Piece("pyramid", "silver", facing=facing), told) for facing, told in (("SE", 0.5), ("NW", 0.49)))


def asked() -> Bench:
    bench = Bench().begin()
    ask_again(bench)
    return bench


def ask_again(bench: Bench) -> Question:
    """A hand turns the pyramid on h2, and nobody can see which way."""
    turned = bench.during("h2+")
    bench.show(turned, doubts={"h2": EITHER_WAY})
    assert bench.table.question is not None
    return bench.table.question


def refused(bench: Bench, expects: int | None = None, **arguments) -> str:
    with pytest.raises(CommandRefused) as caught:
        carry_out(bench.table, Command("answer", arguments, expects=expects), "now")
    return caught.value.name


def test_a_late_no_meets_no_question_of_the_same_words_that_was_asked_since() -> None:
    bench = asked()
    first, number = bench.table.question, bench.table.number
    bench.show(bench.game.layout(bench.position))  # turned back
    assert (bench.table.question, bench.table.number) == (None, number)
    assert refused(bench, question=first.id, choice="no") == "no-such-question"
    second = ask_again(bench)
    assert (second.text, second.choices, bench.table.number) == (first.text, first.choices, number)
    assert refused(bench, question=first.id, choice="no") == "no-such-question"
    assert bench.table.question == second
    order(bench, "answer", question=second.id, choice="no")
    assert bench.table.question is None


def test_a_question_keeps_its_name_as_long_as_it_stands_and_shares_it_with_none_of_another_run() -> None:
    bench = asked()
    before = bench.table.question
    bench.once(shown(bench.during("h2-"), doubts={"h2": EITHER_WAY}))
    assert bench.table.question is before
    assert asked().table.question.id != before.id


def test_the_same_words_with_other_answers_are_another_question() -> None:
    bench = Bench().begin()
    one, two, three = (Choice(name, name) for name in ("one", "two", "three"))
    ask(bench.table, Question("which", "Which was it?", (one, two)))
    first = bench.table.question
    ask(bench.table, Question("which", "Which was it?", (two, one)))
    assert bench.table.question is first
    ask(bench.table, Question("which", "Which was it?", (one, three)))
    assert bench.table.question.choices == (one, three)
    assert bench.table.question.id != first.id


@pytest.mark.parametrize("told", [(0.52, 0.47), (0.47, 0.52)])
def test_the_likeliest_of_what_is_asked_about_is_the_best(told) -> None:
    bench = Bench().begin()
    ways = turned_either_way(bench)
    turned = bench.during("h2+")
    bench.show(turned, doubts={"h2": tuple(zip(ways, told, strict=True))})
    assert bench.table.question is not None
    found, likeliest = bench.table.last, ways[told.index(max(told))]
    assert found.best == found.choices[0]
    assert cells_of(found.best.layout)["h2"] == likeliest


def test_an_answer_names_its_question() -> None:
    bench = asked()
    assert refused(bench, choice="no") == "no-such-question"
    assert bench.table.question is not None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("join", {"seat": 1, "player": "Bo"}), ("set_quiet", {"on": True}), ("offer_draw", {"seat": 1})],
)
def test_an_answer_holds_though_something_happens_beside_the_table_in_the_same_moment(name, arguments) -> None:
    bench = asked()
    question, seen = bench.table.question, bench.table.number
    order(bench, name, **arguments)
    assert bench.table.number > seen
    answer = {"question": question.id, "choice": question.choices[0].id}
    carry_out(bench.table, Command("answer", answer, expects=seen), "now")
    assert bench.moves in (["h2+"], ["h2-"])


def test_what_was_asked_for_before_the_table_changed_stays_out_of_date_whoever_joins_since() -> None:
    bench = asked()
    question, seen = bench.table.question, bench.table.number
    order(bench, "enter_move", move="c1b1")
    order(bench, "join", seat=1, player="Bo")
    answer = {"question": question.id, "choice": question.choices[0].id}
    assert refused(bench, seen, **answer) == "out-of-date"
    assert refused(bench, bench.table.number + 1, **answer) == "out-of-date"  # of a record that lost its end
