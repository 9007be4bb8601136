"""What the eye says of a table that no hand was near: it is believed later, and puts right what was just misread."""

import random
from dataclasses import replace

import pytest
from free_benches import chaos_bench, chaos_view, kaxxt_bench, roll, seen
from free_views import free_view
from referee_tables import Bench, shown

from companion.games.kaxxt.position import Move
from companion.games.kaxxt.stands import stand
from companion.pieces import Piece
from companion.referee.happenings import Sight
from companion.referee.in_vain import IN_VAIN
from companion.referee.picture import waiting
from companion.referee.settings import Settings
from companion.referee.views.sight import BLIND, NO_CAMERA, sight_of
from companion.referee.views.touch import Touch
from companion.view import TableView

BLACK = Piece("disc", "black")


def made(bench: Bench, text: str):
    """How the table looks once a move is made."""
    return shown(bench.during(text))


def blocked(obstacle: str) -> TableView:
    return TableView(0.0, obstacles=(obstacle,))


@pytest.mark.parametrize("watched", [True, False])
def test_what_hands_did_between_photographs_is_never_known(watched) -> None:
    touch = Touch(watched)
    assert not touch.untouched
    touch.known()
    assert touch.untouched is watched
    touch.unseen(hand=True)
    assert not touch.untouched
    touch.as_it_lay()
    assert (touch.untouched, touch.in_vain) == (watched, watched)


def test_an_action_that_is_seen_twice_though_no_hand_came_is_not_made() -> None:
    bench = Bench().begin()
    resting, misread = shown(bench.game.layout(bench.position)), made(bench, "h2+")
    for _ in range(4):
        for view in (misread, misread, resting, resting):
            bench.once(view)
    assert bench.moves == []


def test_an_action_that_lasts_is_read_though_no_hand_was_seen() -> None:
    bench = Bench().begin()
    view = made(bench, "h2+")
    for _ in range(12):
        bench.once(view)
    assert bench.moves == ["h2+"]


def test_a_piece_that_is_missed_twice_is_not_what_hands_were_asked_to_take_off() -> None:
    bench = Bench(layout="imhotep-2.0").begin()
    bench.act("j5-")
    assert bench.table.state.awaiting
    for _ in range(2):
        bench.once(shown(bench.game.layout(bench.position)))
    assert bench.table.state.awaiting


def test_an_action_that_later_looks_show_otherwise_was_misread() -> None:
    bench = Bench().begin()
    view = made(bench, "h2+")
    assert bench.act("h2-").moves == ("h2-",)
    said = [bench.once(view) for _ in range(12)]
    assert bench.moves == ["h2+"]
    assert any(reading.text.startswith("The last action was misread.") for reading in said)


def test_what_was_never_done_is_taken_back_unasked() -> None:
    bench = Bench("ataxx").begin()
    resting = shown(bench.game.layout(bench.position))
    spelled = (bench.game.write_move(bench.position, move) for move in bench.game.moves(bench.position))
    drop = next(text for text in spelled if len(text) == len("a1"))
    bench.look(shown(bench.game.layout(bench.position), {drop: BLACK}))
    assert len(bench.moves) == 1
    for _ in range(12):
        bench.once(resting)
    assert bench.moves == []
    assert bench.table.question is None


def test_an_action_that_was_seen_once_more_is_taken_back_by_nobody() -> None:
    bench = Bench().begin()
    resting, view = shown(bench.game.layout(bench.position)), made(bench, "h2-")
    bench.act("h2-")
    for _ in range(2):
        bench.once(view)
    for _ in range(12):
        bench.once(resting)
    assert bench.moves == ["h2-"]
    assert bench.table.question is not None


def placed(bench: Bench, code: str):
    """The table with this pyramid drawn and placed."""
    at = bench.position
    pyramid = next(p for p in at.bag if p.code == code)
    for move in (Move("draw"), Move("drawn", pyramid=pyramid)):
        at = bench.game.play(at, move).position
    side = at.sides[at.turn]
    return bench.game.during(
        at, Move("arrange", stands=(stand((pyramid,), *side.table(0, 70), side.heading("kaxxt")),))
    )


def test_a_pyramid_whose_size_was_misread_is_another_one_once_it_is_seen_well() -> None:
    bench, rng = kaxxt_bench(), random.Random(1)
    small, large = placed(bench, "r1"), placed(bench, "r3")
    seen(bench, large)
    assert bench.moves[1] == "=r3"
    for _ in range(12):
        bench.once(free_view(small, rng))
    assert bench.moves[1] == "=r1"


def test_one_look_in_two_minds_among_many_that_are_sure_is_not_asked_about() -> None:
    bench, rng = kaxxt_bench(), random.Random(1)
    sure = free_view(placed(bench, "r3"), rng)
    *others, red = sure.sightings
    doubts = ((red.piece, 0.7), (replace(red.piece, size="medium"), 0.28))
    in_two_minds = replace(sure, sightings=(*others, replace(red, beliefs=doubts)))
    for view in (*[sure] * 5, in_two_minds, *[sure] * 8):
        bench.once(view)
        assert bench.table.question is None
    assert bench.moves[1] == "=r3"


def test_one_look_that_errs_begins_the_waiting_anew_and_is_not_asked_about() -> None:
    bench = Bench().begin()
    right, wrong = made(bench, "h2+"), made(bench, "h2-")
    for view in (*[right] * 6, wrong, *[right] * 9):
        bench.once(view)
        assert bench.table.question is None
    assert bench.moves == ["h2+"]


def test_a_hand_after_which_nothing_is_seen_is_answered_with_what_to_do() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    as_it_lies, another = chaos_view(bench), chaos_view(bench, "b3>35.8,0,0")
    bench.once(as_it_lies)
    assert waiting(bench.table).why == ""
    bench.look(as_it_lies)
    assert waiting(bench.table).why == IN_VAIN
    bench.once(as_it_lies)
    assert waiting(bench.table).why == IN_VAIN  # until something happens
    bench.hand()
    assert waiting(bench.table).why == bench.table.sight.text
    bench.once(another)
    assert waiting(bench.table).why == ""  # what this hand did is not seen twice yet
    assert bench.look(another).kind == "move"
    assert waiting(bench.table).why == ""


@pytest.mark.parametrize("sight", [NO_CAMERA, BLIND, *map(sight_of, map(blocked, ("frozen", "dark", "moved")))])
def test_a_camera_that_comes_back_or_was_moved_has_seen_no_hand_that_came_in_vain(sight: Sight) -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    bench.once(chaos_view(bench))
    bench.hand()  # whoever bumps against the camera, and its first pictures, seem to be one
    bench.table.set_sight(sight)
    bench.look(chaos_view(bench))
    assert waiting(bench.table).why == ""
    bench.look(chaos_view(bench))
    assert waiting(bench.table).why == IN_VAIN


def test_photographs_show_no_hand_that_came_in_vain() -> None:
    bench = kaxxt_bench(settings=Settings(take_the_best=True))
    seen(bench, bench.game.layout(bench.position))
    assert waiting(bench.table).why != IN_VAIN
