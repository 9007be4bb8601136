"""Ends that players bring about: what kind each is, who has to agree on a draw, and what giving up leads to."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CommandRefused
from companion.events import GameOver, Told
from companion.exports import EXPORTS
from companion.games import game as game_named
from companion.games import kdak
from companion.journal.archive import MemoryArchive
from companion.referee.chance import certain
from companion.referee.commands import Command
from companion.referee.consequences import played_out
from companion.referee.draw_offer import DrawOffer
from companion.referee.endings import kind
from companion.referee.happenings import ENTERED, DrawOffered, SetUp, Started, TakenUp
from companion.referee.readmodel import Desk
from companion.referee.state import State, fold_all
from companion.web.replay_file import replay_file


class Club:
    """A desk at which a game has begun."""

    def __init__(self, game, **options):
        self.desk = Desk(MemoryArchive(), exports=EXPORTS)
        self.do("new_game", game=game, options=options)
        self.desk.table.record(SetUp())
        self.desk.tick()

    def do(self, name, **arguments):
        return self.desk.submit(Command(name, arguments))

    def refused(self, name, **arguments):
        with pytest.raises(CommandRefused) as caught:
            self.do(name, **arguments)
        return caught.value.name


@pytest.mark.parametrize(
    ("game", "options", "resigns", "head", "ended"),
    [
        ("kdak", {"variant": "solitaire"}, "The game ends, and is lost.", "The game is lost", "lost"),
        ("kdak", {"variant": "cooperative"}, "The game ends, and is lost.", "The game is lost", "lost"),
        ("khet", {}, "The game ends, and Red wins.", "Red wins", "won"),
        (
            "chaos",
            {"seats": 4},
            "The game ends, and Player 2, Player 3 and Player 4 win.",
            "Player 2, Player 3 and Player 4 win",
            "won",
        ),
    ],
)
def test_giving_up_is_told_before_and_afterwards(game, options, resigns, head, ended):
    club = Club(game, **options)
    assert club.desk.snapshot().seats[0].resigns == resigns
    result = club.do("resign", seat=0).result
    assert (result.head, result.kind, result.said) == (head, ended, True)
    assert json.loads(club.desk.export(1, "json"))["ended"] == ended
    assert club.desk.recorded(1).result == result


@pytest.mark.parametrize(
    ("name", "options"),
    [("ataxx", {"board": "5"}), ("kdak", {}), ("kdak", {"variant": "solitaire"}), ("kaxxt", {"seats": 2})],
    ids=str,
)
@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_that_a_game_is_over_is_told_once_and_last(name, options, seed):
    game, rng = game_named(name), random.Random(seed)
    state = fold_all([Started(name, tuple(options.items())), SetUp()])
    for _ in range(200):
        events = played_out(state, rng.choice(list(game.moves(state.position))), ENTERED)
        state = fold_all(events, state)
        over = game.outcome(state.position) is not None
        assert [event for event in events if isinstance(event, GameOver)] == events[-1:] * over
        if over:
            return


def test_with_no_game_on_who_watches_is_not_asked_to_choose_one():
    club = Club("khet")
    assert club.do("reset").waiting.text == "The host starts a game"


def test_nobody_is_to_place_anything_once_a_game_was_given_up_and_is_again_when_that_is_undone():
    club = Club("chaos", dice="entered")
    due = club.do("play_move", move="r1,1").cards[0].due
    assert due == "to place: large white, standing; then white again"
    shown = club.do("resign", seat=0)
    assert [card.due for card in (*shown.cards, *club.desk.recorded(1).cards) if card.due] == []
    assert club.do("undo").cards[0].due == due


def test_the_board_asks_for_no_disc_to_be_turned_over_once_the_game_is_over():
    club = Club("ataxx", board=3)
    asked = club.do("enter_move", move="b1")
    assert {piece.cell: piece.state for piece in asked.pieces if piece.state} == {"b1": "missing", "a1": "turned"}
    shown = club.do("resign", seat=0)
    assert {piece.state for piece in shown.pieces} == {""}


@pytest.mark.parametrize(
    ("points", "head", "text", "ended"),
    [
        (36, "Escaped, and no title", "Escaped with 36 points: 1 more would make a camel boy.", "ended"),
        (37, "Kaka wins", "Escaped with 37 points: camel boy!", "won"),
    ],
)
def test_who_escapes_the_tower_with_too_few_points_is_told_how_many_are_missing_and_wins_nothing(
    points, head, text, ended
):
    club = Club("kdak", variant="solitaire")
    tower = "/".join([".".join("?" * 6)] * 4)
    position = kdak.read_position(f"solitaire {tower} 0b 0 move open {points} 0 - -")
    club.desk.table.record(TakenUp("as it lay", json.dumps(kdak.to_json(position))))
    result = club.do("enter_move", move="out").result
    assert (result.head, result.text, result.kind, result.said) == (head, text, ended, False)
    assert club.desk.snapshot().waiting.why == text
    assert json.loads(club.desk.export(1, "json"))["ended"] == ended
    assert club.desk.recorded(1).result == result


def test_a_player_who_is_called_like_a_colour_keeps_the_name():
    club = Club("khet", colours="orange-blue")
    club.do("join", seat=0, player="Red Silver")
    told = "Blue resigns: Orange (Red Silver) wins"
    over = club.do("resign", seat=1)
    assert (over.result.text, over.waiting.why) == (told, f"{told}.")
    assert club.desk.recorded(1).ending == f"{told}."
    assert all(told in club.desk.export(1, form) for form in EXPORTS)


@pytest.mark.parametrize(
    ("game", "reason", "ended"),
    [
        ("kdak", "lost", "lost"),
        ("kaxxt", "all-out", "lost"),
        ("khet", "repetition", "drawn"),
        ("chaos", "agreed", "drawn"),
    ],
)
def test_an_end_without_a_winner_is_a_draw_only_where_nobody_lost(game, reason, ended):
    assert kind(game_named(game), GameOver(reason, (), "")) == ended


@pytest.mark.parametrize("variant", ["solitaire", "cooperative"])
def test_who_plays_against_nobody_offers_no_draw(variant):
    club = Club("kdak", variant=variant)
    assert club.desk.snapshot().draw_between == ()
    assert club.refused("offer_draw", seat=0) == "nobody-against"


def test_a_draw_among_four_needs_all_of_them():
    club = Club("kaxxt", seats=4)
    assert club.desk.snapshot().draw_between == (0, 1, 2, 3)
    shown = club.do("offer_draw", seat=1)
    assert shown.draw_text == "West offers a draw. South, North and East have not answered yet."
    shown = club.do("answer_draw", seat=3, accept=True)
    assert (shown.phase, shown.draw_open) == ("play", (0, 2))
    assert club.refused("answer_draw", seat=3, accept=True) == "answered-already"
    assert club.do("answer_draw", seat=0, accept=True).draw_text == "West offers a draw. North has not answered yet."
    shown = club.do("answer_draw", seat=2, accept=True)
    assert (shown.phase, shown.result.kind, shown.result.head) == ("over", "drawn", "A draw")
    assert club.desk.recorded(1).result == shown.result


def test_an_offer_that_one_declines_or_that_is_made_anew_begins_from_nothing():
    club = Club("kaxxt", seats=3)
    club.do("offer_draw", seat=0)
    club.do("answer_draw", seat=1, accept=True)
    assert club.do("answer_draw", seat=2, accept=False).draw_text == "North has declined the draw."
    shown = club.do("offer_draw", seat=2)
    assert (shown.draw_open, shown.draw_text) == ((0, 1), "North offers a draw. South and West have not answered yet.")


def test_that_a_draw_was_declined_is_told_until_the_next_action():
    club = Club("ataxx", board=7)
    club.do("offer_draw", seat=0)
    assert club.do("answer_draw", seat=1, accept=False).draw_text == "White has declined the draw."
    assert club.do("enter_move", move="a7c7").draw_text == ""


def test_an_offer_that_comes_with_an_action_stands_until_the_other_side_acts():
    club = Club("ataxx", board=7)
    club.do("offer_draw", seat=0)
    shown = club.do("enter_move", move="a7c7")
    assert (shown.draw_offered_by, shown.draw_open) == (0, (1,))
    assert shown.draw_text == "Black offers a draw. White has not answered yet."
    assert club.do("answer_draw", seat=1, accept=True).result.head == "A draw"


def test_an_offer_that_somebody_accepted_stands_while_that_player_acts():
    club = Club("kaxxt", seats=3)
    club.do("offer_draw", seat=2)
    club.do("answer_draw", seat=0, accept=True)
    assert club.do("enter_move", move="draw any").draw_open == (1,)  # by seat 0, who is to move
    assert club.do("answer_draw", seat=1, accept=True).result.head == "A draw"


def test_an_offer_stands_while_somebody_is_skipped_who_cannot_act():
    game = game_named("ataxx")
    state = State(
        "ataxx",
        game,
        phase="play",
        position=game.read_position("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1"),
        draw=DrawOffer(by=1),
    )
    skipped = fold_all(certain(state), state)
    assert (len(skipped.plies), skipped.draw.by) == (1, 1)


def test_that_an_offer_has_lapsed_is_told_and_recorded():
    club = Club("ataxx", board=7)
    club.do("join", seat=1, player="Ann")
    club.do("offer_draw", seat=1)
    assert club.do("enter_move", move="a7c7").draw_text == "The draw that White offered has lapsed: play went on."
    assert Told("The draw that White (Ann) offered has lapsed: play went on") in club.desk.events()
    assert club.refused("answer_draw", seat=0, accept=True) == "no-offer"
    assert club.do("enter_move", move="a1b2").draw_text == ""
    assert sum("lapsed" in event.text for event in club.desk.events() if isinstance(event, Told)) == 1


def test_a_lapsed_offer_is_told_although_more_happens_by_itself():
    club = Club("kaxxt", seats=2)
    club.do("offer_draw", seat=1)
    club.do("enter_move", move="draw any")
    assert "North offered has lapsed" in club.do("enter_move", move="=k1").draw_text


def test_an_offer_that_the_host_takes_back_behind_has_lapsed():
    club = Club("ataxx", board=7)
    club.do("enter_move", move="a7c7")
    club.do("offer_draw", seat=0)
    assert "Black offered has lapsed" in club.do("undo").draw_text


def test_an_offer_stands_where_only_what_came_after_it_is_taken_back():
    club = Club("ataxx", board=7)
    club.do("offer_draw", seat=0)
    club.do("enter_move", move="a7c7")
    assert club.do("undo").draw_offered_by == 0
    assert club.do("enter_move", move="a7b6").draw_offered_by == 0


def test_who_is_out_has_no_say_in_a_draw_and_nothing_to_give_up():
    club = Club("kaxxt", seats=3)
    state = club.desk.table.state
    club.desk.table.state = replace(state, position=replace(state.position, shields=(0, 25, 9), turn=1, target=1))
    assert club.refused("offer_draw", seat=0) == club.refused("resign", seat=0) == "out"
    assert club.desk.snapshot().seats[0].resigns == ""
    assert club.do("offer_draw", seat=1).draw_open == (2,)


def test_a_draw_offered_and_agreed_in_an_older_record_is_read_as_it_was():
    archive = MemoryArchive()
    events = [
        *Club("kaxxt", seats=4).desk.events(),
        DrawOffered(1),
        GameOver("agreed", (), "The players agree on a draw"),
    ]
    archive.append(archive.next_game(), events)
    assert Desk(archive).recorded(1).result.head == "A draw"


def test_a_game_that_goes_on_is_told_as_such():
    club = Club("ataxx", board=7)
    assert club.desk.recorded(1).ending == "It is still being played."
    assert "It is still being played." in replay_file(club.desk.recorded(1))
    club.do("reset")
    assert club.desk.recorded(1).ending == "No result: the host ended it."
    again = Club("ataxx", board=7)
    again.do("resign", seat=0)
    assert again.desk.recorded(1).ending == "Black resigns: White wins."
