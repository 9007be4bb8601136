"""Looks at a resting table that tell now this, now that: people are asked, and their answer means what they read."""

import pytest
from referee_tables import Bench, shown, turned_either_way

from companion.errors import CommandRefused
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import Difference, cells_of
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.wavering import Wavering
from companion.referee.settings import Settings


def look(bench: Bench, *beliefs: tuple[Piece, float], **how):
    """One look at a table on which the pyramid on h2 may have been turned."""
    layout = bench.during("h2+")
    return bench.once(shown(layout, doubts={"h2": beliefs} if beliefs else None, **how))


def untouched(bench: Bench):
    return bench.once(shown(bench.game.layout(bench.position)))


@pytest.fixture
def bench() -> Bench:
    bench = Bench().begin()
    bench.hand()
    return bench


@pytest.fixture
def ways(bench) -> tuple[Piece, Piece]:
    return turned_either_way(bench)


def waver(bench, ways, seconds: float) -> None:
    until = bench.now + seconds
    while bench.now < until and bench.table.question is None:
        reading = look(bench, (ways[int(bench.now * 4) % 2], 0.995))
        assert reading.kind in ("move", "unclear")


def test_two_actions_that_are_seen_in_turn_are_asked_about(bench, ways):
    waver(bench, ways, Settings().wavers_s - 0.5)
    assert bench.table.question is None
    waver(bench, ways, 1.0)
    choices = bench.table.question.choices
    assert len(choices) == 3
    assert bench.table.state.plies == ()
    wanted = bench.game.describe(bench.position, bench.game.read_move(bench.position, "h2-"))
    bench.answer(next(c.id for c in choices if wanted.rstrip(".") in c.text))
    assert bench.moves == ["h2-"]


def test_a_hand_between_the_looks_begins_anew(bench, ways):
    for _ in range(3):
        waver(bench, ways, Settings().wavers_s - 1.0)
        look(bench, obstacles=("hand",))
    assert bench.table.question is None


def test_nothing_is_asked_while_most_looks_show_nothing_new(bench, ways):
    for number in range(24):
        look(bench, (ways[number % 2], 0.995))
        untouched(bench)
    assert bench.table.question is None
    assert bench.table.state.plies == ()


def test_an_answer_means_what_was_read_though_looks_since_put_another_first(bench, ways):
    for _ in range(2):
        look(bench, (ways[0], 0.52), (ways[1], 0.47))
    first, second, none = bench.table.question.choices
    asked = bench.table.question
    for _ in range(2):
        look(bench, (ways[0], 0.47), (ways[1], 0.52))
    assert bench.table.question == asked  # the same answers in another order are no new question
    told = first.text
    bench.answer(first.id)
    (past,) = bench.table.state.plies
    assert past.text.rstrip(".").lower() in told.lower()
    assert len({first.id, second.id, none.id}) == 3


def test_a_question_is_taken_back_once_looks_agree_upon_something_else(bench, ways):
    for _ in range(2):
        look(bench, (ways[0], 0.52), (ways[1], 0.47))
    old = bench.table.question
    for _ in range(9):
        bench.once(shown(bench.game.layout(bench.position), {"c1": Piece("empty"), "d5": Piece("scarab", "red")}))
    assert bench.table.question is None
    with pytest.raises(CommandRefused):
        bench.answer(old.choices[0].id, old)


@pytest.mark.parametrize("held", [False, True])
def test_what_fitted_more_looks_is_offered_first_and_nothing_while_a_piece_may_be_held(bench, held) -> None:
    made = [bench.game.read_move(bench.position, text) for text in ("h2-", "h2+")]
    seldom, often = (Hypothesis("move", bench.game.during(bench.position, move), 0.0, (move,)) for move in made)
    missing = (Difference("h2", cells_of(bench.table.layout)["h2"], EMPTY, 1.0),) if held else ()
    wavering, told = Wavering(Settings()), []
    for number, best in enumerate([seldom, *[often] * 5]):
        found = Explanation("move", best.key, best, differences=missing)
        told.append(wavering.see(found, Settings().wavers_s * number / 5))
    assert [asked.choices for asked in told if asked] == ([] if held else [(often, seldom)])
