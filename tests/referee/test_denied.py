"""What people have said was not done stays so: it is not asked about again, and no look alone makes it count."""

import pytest
from referee_tables import Bench, names, order, refused, shown, turned_either_way

from companion.pieces import Piece
from companion.referee.settings import Settings

SIDES = ("h2+", "h2-")
NEITHER = (0.52, 0.47)


@pytest.fixture
def bench() -> Bench:
    bench = Bench().begin()
    bench.hand()
    return bench


@pytest.fixture
def ways(bench) -> tuple[Piece, Piece]:
    return turned_either_way(bench)


def looks(bench, ways, *beliefs: float, times: int = 12):
    """So many looks at a table on which the pyramid was turned, seen as either way with such a belief."""
    layout = bench.during(SIDES[0])
    doubts = {"h2": tuple(zip(ways, beliefs, strict=True))}
    return [bench.once(shown(layout, doubts=doubts)) for _ in range(times)][-1]


def ask(bench, ways) -> None:
    looks(bench, ways, *NEITHER, times=2)
    assert bench.table.question is not None


def deny(bench) -> None:
    bench.answer("no")


def test_what_was_denied_does_not_count_once_a_look_is_sure_of_it(bench, ways) -> None:
    ask(bench, ways)
    deny(bench)
    reading = looks(bench, ways, 0.995, 0.002)
    assert (reading.kind, bench.moves) == ("unlawful", [])
    assert "it was said to be no action" in reading.text


def test_a_hand_may_do_what_was_denied_before(bench, ways) -> None:
    ask(bench, ways)
    deny(bench)
    assert bench.act(SIDES[0]).moves == (SIDES[0],)


def test_an_answer_is_about_what_was_asked_and_not_about_the_last_look(bench, ways) -> None:
    ask(bench, ways)
    looks(bench, ways, 0.995, 0.002, times=1)
    deny(bench)
    assert looks(bench, ways, *NEITHER).kind == "unlawful"
    assert (bench.asked, bench.table.question) == (1, None)


def test_looks_that_go_on_wavering_are_not_asked_about_again(bench, ways) -> None:
    def waver(seconds: float) -> None:
        until = bench.now + seconds
        while bench.now < until:
            sure = (0.995, 0.002) if int(bench.now * 4) % 2 else (0.002, 0.995)
            looks(bench, ways, *sure, times=1)

    waver(Settings().wavers_s + 1.0)
    deny(bench)
    waver(3 * Settings().wavers_s)
    assert (bench.asked, bench.moves) == (1, [])


def test_what_was_denied_is_refused_once_in_whichever_way_it_looks(bench, ways) -> None:
    ask(bench, ways)
    deny(bench)
    for number in range(20):
        looks(bench, ways, *(NEITHER if number % 2 else NEITHER[::-1]), times=2)
    assert names(bench).count("ruled") == 1


def test_what_a_hand_has_made_of_it_since_is_refused_as_it_lies_now(bench, ways) -> None:
    ask(bench, ways)
    deny(bench)
    before = looks(bench, ways, *NEITHER)
    bench.hand()
    now = looks(bench, ways, *NEITHER[::-1])
    assert [before.kind, now.kind] == ["unlawful"] * 2
    assert f"({ways[0].facing})" in before.text
    assert f"({ways[1].facing})" in now.text


@pytest.mark.parametrize(
    ("name", "about"),
    [("join", {"seat": 0, "player": "Ann"}), ("set_quiet", {"on": True}), ("offer_draw", {"seat": 0})],
)
def test_what_people_agree_upon_beside_the_table_settles_no_question(bench, ways, name, about) -> None:
    ask(bench, ways)
    question = bench.table.question
    order(bench, name, **about)
    assert bench.table.question == question
    deny(bench)
    order(bench, "join", seat=1, player="Bo")
    assert looks(bench, ways, *NEITHER).kind == "unlawful"
    assert bench.asked == 1


def test_a_hand_is_not_forgotten_when_a_player_takes_a_seat(bench) -> None:
    order(bench, "join", seat=0, player="Ann")
    assert bench.table.touch.hand
    assert not bench.table.touch.untouched


def test_a_pressed_button_takes_nothing_back_while_a_question_is_open(ways, bench) -> None:
    bench.play("c1b1", "e8e7")
    bench.hand()
    ask(bench, ways)
    assert refused(bench, "undo", by="button") == "unanswered"
    assert bench.moves == ["c1b1", "e8e7"]
    order(bench, "undo")  # the host names what is taken back
    assert bench.moves == ["c1b1"]


@pytest.mark.parametrize("denied", [True, False], ids=["answered", "put back"])
def test_a_pressed_button_takes_back_the_last_action_once_a_question_is_settled(ways, bench, denied) -> None:
    bench.play("c1b1", "e8e7")
    bench.hand()
    ask(bench, ways)
    if denied:
        deny(bench)
    else:
        bench.clear()
    order(bench, "undo", by="button")
    assert bench.moves == ["c1b1"]


def test_a_pressed_button_takes_back_no_action_before_the_one_that_does_not_count_yet() -> None:
    bench = Bench(end_turn=True).begin()
    bench.act("c1b1")
    order(bench, "end_turn", by="button")
    bench.act("e8e7")
    assert refused(bench, "undo", by="button") == "put-back-first"
    assert bench.moves == ["c1b1"]
