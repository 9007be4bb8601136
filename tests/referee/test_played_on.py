"""Photographed games go on although the referee refused something, or did not understand it."""

from dataclasses import replace

import pytest
from free_albums import BLUE, GREEN, LARGE_ORANGE, LARGE_RED, NEAR_RED, RED, Album, placed
from photograph_folders import photographed

from companion.events import GameOver
from companion.folder_run import FolderRun
from companion.games import ataxx, chaos, kaxxt
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.referee.commands import Command
from companion.referee.orders import carry_out
from companion.referee.photographs.played_on import let_stand
from companion.referee.state import State
from companion.view import Sighting, TableView, square_at


def squares(places) -> frozenset:
    """What of the table is covered by pieces at these places."""
    return frozenset(square_at(x, y) for x, y in places)


def one_placed() -> tuple[Album, kaxxt.Position]:
    """Kaxxt on Ice at its set-up; and South's first pyramid placed, which no photograph shows yet."""
    album = Album(kaxxt)
    position = album.bench.position
    for text in ("draw any", "=r3", "put r3@0.0,-70.0^"):
        position = kaxxt.play(position, kaxxt.read_move(position, text)).position
    return album, position


def test_what_was_refused_and_stays_was_let_stand_once_play_goes_on() -> None:
    album = Album(chaos)
    assert album.photograph(placed(RED)).kind == "move"
    refused = album.photograph(placed(RED, NEAR_RED))
    assert refused.kind == "unlawful"
    assert album.photograph(placed(RED, NEAR_RED)).kind == "unlawful"  # nothing followed yet
    assert album.photograph(placed(RED, NEAR_RED, BLUE)).kind == "move"
    assert [m for m in album.moves() if "^" in m] == [RED, NEAR_RED, BLUE]
    assert "Let stand, as play went on" in " ".join(past.text for past in album.bench.table.state.plies)


@pytest.mark.parametrize(("bare", "there"), [(True, 150.0), (False, 0.0)])  # else it may have been overlooked
def test_a_piece_that_is_not_where_it_was_put_and_lies_elsewhere_was_taken_back(bare, there) -> None:
    album = Album(chaos)
    assert album.photograph(placed(RED)).kind == "move"
    where = [(150.0, 60.0)] if bare else [(150.0, 60.0), (0.0, 0.0)]
    elsewhere = placed("r3^150.0,60.0,0.0")
    reading = album.photograph(elsewhere, covered=squares(where))
    assert reading.text.startswith("What was done before was taken back.") == bare
    assert [piece.x_mm for piece in album.bench.position.pieces] == [there]


@pytest.mark.parametrize(("told", "kind"), [(True, "move"), (False, "unlawful")])  # else its place always looks bare
def test_a_piece_of_which_the_place_is_bare_now_was_put_down_again_near_by(told, kind) -> None:
    album, near = Album(chaos), [(50.0, 0.0)]
    places = [(0.0, 0.0)] if told else []
    album.photograph(placed(RED), covered=squares(places))
    reading = album.photograph(placed("r3^50.0,0.0,0.0"), covered=squares(near))
    assert reading.kind == kind


def test_what_was_made_instead_may_be_either_of_two_actions() -> None:
    album, instead = Album(chaos), "b3^150.0,60.0,0.0"
    large_blue = Piece("pyramid", "blue", "large", "upright")
    either = {large_blue: ((large_blue, 0.5), (LARGE_ORANGE, 0.48))}
    album.photograph(placed(RED))
    album.photograph(placed(RED, GREEN))
    where = [(0.0, 0.0), (150.0, 60.0)]
    covered = squares(where)
    reading = album.photograph(placed(RED, instead), beliefs=either, covered=covered)
    assert reading.text.startswith("What was done before was taken back.")
    assert [m for m in album.moves() if "^" in m] == [RED, instead]


def test_what_was_refused_and_may_be_something_lawful_was_that_once_play_goes_on() -> None:
    album, orange = Album(chaos), "o3^40.0,40.0,0.0"
    looks = {LARGE_ORANGE: ((LARGE_RED, 0.93), (LARGE_ORANGE, 0.06))}
    album.photograph(placed(RED))
    assert album.photograph(placed(RED, orange), beliefs=looks).kind == "unlawful"
    reading = album.photograph(placed(RED, orange, BLUE), beliefs=looks)
    assert reading.kind == "move"
    assert reading.text.startswith("On second thoughts: Player 1 places the large orange piece")
    assert [m for m in album.moves() if "^" in m] == [RED, orange, BLUE]
    assert album.photograph(placed(RED, orange, BLUE), beliefs=looks).kind == "nothing new"


def test_what_hardly_looks_like_anything_lawful_was_let_stand() -> None:
    album = Album(chaos)
    looks = {LARGE_RED: ((LARGE_RED, 0.99), (LARGE_ORANGE, 0.003))}
    album.photograph(placed(RED), beliefs=looks)
    assert album.photograph(placed(RED, NEAR_RED), beliefs=looks).kind == "unlawful"
    assert album.photograph(placed(RED, NEAR_RED, BLUE), beliefs=looks).kind == "move"
    assert [m for m in album.moves() if "^" in m] == [RED, NEAR_RED, BLUE]


@pytest.mark.parametrize(("place", "colour"), [("35.8,0.0,0.0", "clear"), ("60.0,-60.0,30.0", "white")])
def test_what_surely_looked_otherwise_is_what_is_lawful_in_just_that_place_once_play_goes_on(place, colour) -> None:
    album, standing = Album(chaos), ["l3^0.0,0.0,0.0", BLUE, "l3^200.0,0.0,0.0"]
    for count in range(1, 1 + len(standing)):
        assert album.photograph(placed(*standing[:count])).kind == "move"
    clear, white = (Piece("pyramid", colour, "large", "lying") for colour in ("clear", "white"))
    for more, kind in (((), "unlawful"), ((GREEN,), "move")):
        reading = album.photograph(placed(*standing, f"l3>{place}", *more), misread={clear: white})
        assert reading.kind == kind
    assert [piece.colour for piece in album.bench.position.pieces] == ["clear", "blue", "clear", colour, "green"]


def test_what_was_refused_and_put_back_was_not_let_stand() -> None:
    album = Album(chaos)
    album.photograph(placed(RED))
    assert album.photograph(placed(RED, NEAR_RED)).kind == "unlawful"
    assert album.photograph(placed(RED)).kind == "take-back"
    assert album.photograph(placed(RED, BLUE)).kind == "move"
    assert NEAR_RED not in album.moves()


def test_what_nothing_explains_is_left_aside_once_play_goes_on() -> None:
    album = Album(chaos)
    album.photograph(placed(RED))
    stranger = Sighting(((Piece("pyramid", "pink", "small", "lying"), 0.99),), -150.0, 120.0, 10.0)
    assert album.photograph(placed(RED), also=(stranger,)).kind in ("unlawful", "unclear")
    assert album.photograph(placed(RED, BLUE), also=(stranger,)).kind == "move"
    assert album.photograph(placed(RED, BLUE), also=(stranger,)).kind == "nothing new"
    assert album.photograph(placed(RED, BLUE, GREEN)).kind == "move"  # the stranger is gone: no matter


def test_a_known_piece_that_is_misread_once_stops_nothing() -> None:
    album = Album(chaos)
    album.photograph(placed(RED))
    assert album.photograph(placed(RED)).kind == "nothing new"  # as often as it is misread
    taken_for = {LARGE_RED: replace(LARGE_RED, colour="orange")}
    assert album.photograph(placed(RED), misread=taken_for).kind == "nothing new"
    assert album.photograph(placed(RED, BLUE), misread=taken_for).kind == "move"
    assert RED in album.moves()


def test_the_live_table_waits_for_its_host() -> None:
    album = Album(chaos)
    album.bench.table.settings = replace(album.bench.table.settings, take_the_best=False)
    album.photograph(placed(RED))
    album.photograph(placed(RED, NEAR_RED))
    assert album.photograph(placed(RED, NEAR_RED, BLUE)).kind != "move"


def test_the_host_can_still_let_something_stand() -> None:
    album = Album(chaos)
    album.photograph(placed(RED))
    album.photograph(placed(RED, NEAR_RED))
    carry_out(album.bench.table, Command("allow", {}), "")
    assert album.bench.table.state.plies[-1].text.startswith("Let stand by the host")


def test_a_pyramid_that_was_kept_in_the_hand_is_placed_with_the_next_one() -> None:
    album = Album(kaxxt, **kaxxt.PHOTOGRAPHED)
    position = album.bench.position
    for target in (1, 0):  # both players draw, and show nothing
        position = replace(position, target=target, turn=target)
        assert album.photograph(kaxxt.layout(position)).kind == "move"
    two = kaxxt.carry_out(position, kaxxt.read_move(position, "put r3@0.0,-70.0^ b1@60.0,-120.0^")).position
    reading = album.photograph(kaxxt.layout(two))
    assert (reading.kind, reading.moves[-1]) == ("move", "put r3@0.0,-70.0^ b1@60.0,-120.0^")
    assert len(reading.moves) == 5  # both draws are recorded
    three = kaxxt.carry_out(two, kaxxt.read_move(two, "put r3@0.0,-70.0^ b1@60.0,-120.0^ g1@-60.0,-120.0^")).position
    assert album.photograph(kaxxt.layout(three)).rule == "XA24"


def test_a_second_pyramid_drawn_in_a_turn_is_let_stand_when_the_card_is_turned_on() -> None:
    album, position = one_placed()
    assert album.photograph(kaxxt.layout(position)).kind == "move"
    two = kaxxt.read_move(position, "put r3@0.0,-70.0^ b1@60.0,-120.0^")
    assert album.photograph(kaxxt.during(position, two)).rule == "XA24"
    after = kaxxt.carry_out(position, two).position
    turned = kaxxt.layout(replace(after, target=1, turn=1))
    assert album.photograph(turned).kind == "move"
    assert album.bench.position.pyramids_of(0) == after.pyramids_of(0)


@pytest.mark.parametrize("gone", [(), (LARGE_RED,)], ids=["seen", "overlooked"])
def test_an_overlooked_piece_does_not_stop_what_follows(gone) -> None:
    album = Album(chaos)
    album.photograph(placed(RED, BLUE))
    album.photograph(placed(RED, BLUE), missed=gone)
    assert album.photograph(placed(RED, BLUE, GREEN), missed=gone).kind == "move"


def test_two_placements_of_two_turns_in_one_photograph_are_both_read() -> None:
    album = Album(chaos)
    album.photograph(placed(RED))
    album.photograph(placed(RED, BLUE))
    album.photograph(placed(RED, BLUE, GREEN))  # of the second player's two, one is due
    reading = album.photograph(placed(RED, BLUE, GREEN, "y3^0.0,100.0,0.0", "k3^0.0,-100.0,0.0"))
    assert reading.kind == "move"
    assert sum("^" in move for move in reading.moves) == 2


def test_a_colour_that_the_set_lacks_is_one_like_it() -> None:
    album, position = one_placed()
    red = Piece("pyramid", "red", "large", "upright")
    assert album.photograph(kaxxt.layout(position), misread={red: replace(red, colour="orange")}).kind == "move"
    assert album.moves()[-1][:6] in ("put r3", "put y3")


@pytest.mark.parametrize(("there", "kind"), [((), "take-back"), (((0.0, -70.0),), "unclear")], ids=["gone", "covered"])
def test_a_piece_is_not_taken_back_while_something_lies_where_it_lay_before(there, kind) -> None:
    album, position = one_placed()
    assert album.photograph(kaxxt.layout(position)).kind == "move"
    moved = kaxxt.play(position, kaxxt.read_move(position, "put r3@-20.0,-130.0^")).position
    assert album.photograph(kaxxt.layout(moved)).kind == "move"
    covered = squares(there)
    reading = album.photograph(kaxxt.layout(position), missed=(LARGE_RED,), covered=covered)
    assert reading.kind == kind
    assert len(album.moves()) == (0 if kind == "take-back" else 4)


PLACED = ("r3^0.0,0.0,0.0", "b3^100.0,0.0,0.0", "g3^-100.0,0.0,0.0", "y3^0.0,100.0,0.0", "k3^0.0,-100.0,0.0")
ELSEWHERE = tuple(f"{c}3^{x}.0,{y}.0,0.0" for c, x, y in (("r", -210, 60), ("o", 160, 90), ("p", 200, -90)))


@pytest.mark.parametrize("before", range(1, 1 + len(PLACED)))
def test_another_table_among_the_photographs_is_no_news(before) -> None:
    album = Album(chaos)
    for count in range(1, before + 1):
        assert album.photograph(placed(*PLACED[:count])).kind == "move"
    played = album.moves()
    more = (*ELSEWHERE, "c3^-150.0,-120.0,0.0", "g3^60.0,150.0,0.0", "y3^-60.0,150.0,0.0")
    reading = album.photograph(placed(*more))
    assert (reading.kind, reading.rule) == ("unclear", None)
    assert "another table" in reading.text
    assert album.moves() == played
    assert album.photograph(placed(*PLACED[:before])).kind == "nothing new"
    assert album.photograph(placed(*PLACED[:before], "o3^160.0,90.0,0.0")).kind == "move"


@pytest.mark.parametrize("back", [1, 2, 3, 4])
def test_actions_put_back_between_two_photographs_are_taken_back(back) -> None:
    album = Album(chaos)
    for count in range(1, 1 + len(PLACED)):
        assert album.photograph(placed(*PLACED[:count])).kind == "move"
    assert album.photograph(placed(*PLACED[: len(PLACED) - back])).kind == "take-back"
    assert sum("^" in move for move in album.moves()) == len(PLACED) - back


def test_what_is_of_no_colour_of_the_set_stops_no_move() -> None:
    album, position = one_placed()
    glare = Sighting(((Piece("pyramid", "white", "medium", "upright"), 0.99),), 60.0, -40.0, base_deg=0.0)
    assert album.photograph(kaxxt.layout(position), also=(glare,)).kind == "move"
    assert album.moves()[-1] == "put r3@0.0,-70.0^"


@pytest.mark.parametrize(("options", "late"), [({}, (0, 0)), ({"draws": "told"}, ())])
def test_a_folder_of_photographs_takes_late_draws_unless_it_is_told_otherwise(options, late) -> None:
    run = FolderRun(NoEye(), "kaxxt", options, None, photograph_settings())
    assert run.desk.table.state.position.late == late


class NoEye:
    """No picture is read."""

    def read(self, frame) -> TableView:
        raise AssertionError(frame)


def test_what_is_let_stand_and_fills_the_board_ends_the_game():
    full = ataxx.read_position("ooo1ooo/ooooooo/xxxxxxx/xxxxxxx/xxxxxxx/ooooooo/ooooooo o 0 40")
    state = State(game=ataxx, phase="play", first=full, position=full)
    *_, last = let_stand(state, [ataxx.read_move(full, "d7=x")], "Let stand")
    assert isinstance(last, GameOver)
    assert last.rule == "A13"


def test_with_a_piece_that_was_taken_back_goes_the_throw_that_it_implied() -> None:
    album = Album(chaos)
    assert album.photograph(placed(RED)).kind == "move"
    instead = placed("b3^150.0,60.0,0.0")
    covered = frozenset({square_at(150.0, 60.0)})
    assert album.photograph(instead, covered=covered).text.startswith("What was done before was taken back.")
    other = Album(chaos)
    assert other.photograph(instead).kind == "move"
    assert album.moves() == other.moves()


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "moves"),
    [
        (32.0, 166.0, ["r10,?", "k3^-100.0,-80.0,0.0"]),
        (20.0, -20.0, ["r1,?", "w3^20.0,-20.0,0.0", "k3^-100.0,-80.0,0.0"]),
    ],
    ids=["too far from it to be lawful", "lawful beside it"],
)
def test_what_seems_to_lie_beside_the_set_up_is_a_piece_only_if_play_went_on_from_it(
    tmp_path, x_mm, y_mm, moves
) -> None:
    white, black = (
        Sighting(((Piece("pyramid", colour, "large", "upright"), 0.99),), x, y, base_deg=0.0)
        for colour, x, y in (("white", x_mm, y_mm), ("black", -100.0, -80.0))
    )
    views = [TableView(0.0, (white,)), TableView(0.0, (white, black))]
    run, (first, second) = photographed(tmp_path, *views, game="chaos", seats=2)
    assert (first.reading.kind, second.reading.kind) == ("set-up", "move")
    assert [past.move for past in run.desk.table.state.plies] == moves
