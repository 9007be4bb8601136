"""What phones and buttons may ask: each command, and each refusal."""

import pytest
from referee_tables import Bench, comes_back, order, refused, shown

from companion.errors import CommandRefused, IllegalMove
from companion.events import GameOver
from companion.games import GAMES
from companion.journal.export import as_text
from companion.pieces import EMPTY, Piece
from companion.referee.commands import COMMANDS, Command
from companion.referee.happenings import CHOSEN, ENTERED, SetUp, Sight
from companion.referee.orders import ORDERS, OUTSIDE, carry_out, refusing
from companion.referee.state import BY_HOST
from companion.view import TableView


def test_every_command_has_somebody_to_carry_it_out():
    assert set(COMMANDS) == set(ORDERS) | OUTSIDE
    assert not OUTSIDE & {"new_game", "undo", "enter_move", "allow"}


def test_players_join_withdraw_and_are_replaced_at_any_time():
    bench = Bench()
    order(bench, "join", seat=0, player="Ann")
    bench.begin().play("c1b1")
    order(bench, "join", seat="red", player="  Bo  ")
    order(bench, "join", seat=0, player="Cy")
    assert dict(bench.table.state.players) == {0: "Cy", 1: "Bo"}
    order(bench, "withdraw", by="seat 1")
    assert dict(bench.table.state.players) == {0: "Cy"}
    assert refused(bench, "withdraw", seat=1) == "seat-free"
    assert refused(bench, "join", seat=2, player="Di") == "no-such-seat"
    assert refused(bench, "join", seat=1, player=" ") == "no-name"


def test_nobody_speaks_for_another_seat():
    bench = Bench().begin()
    assert refused(bench, "resign", by="seat 0", seat=1) == "not-your-seat"
    order(bench, "resign", by="seat 0")
    assert bench.table.state.over.winners == (1,)


def test_resignation_ends_the_game_and_can_be_undone():
    bench = Bench().begin().play("c1b1")
    order(bench, "resign", seat=1)
    assert bench.table.state.phase == "over"
    assert refused(bench, "resign", seat=0) == "not-now"
    assert refused(bench, "enter_move", move="e8e7") == "not-now"
    order(bench, "undo", ply=0)
    assert bench.table.state.phase == "play"


def test_a_draw_is_offered_declined_and_agreed():
    bench = Bench().begin()
    assert refused(bench, "answer_draw", seat=0, accept=True) == "no-offer"
    order(bench, "offer_draw", by="seat 0")
    assert refused(bench, "answer_draw", by="seat 0", accept=True) == "own-offer"
    order(bench, "answer_draw", by="seat 1", accept=False)
    assert bench.table.state.draw.by is None
    order(bench, "offer_draw", by="seat 0")
    order(bench, "answer_draw", by="seat 1", accept=True)
    assert isinstance(bench.archive.events(1)[-1], GameOver)
    assert bench.table.state.over.reason == "agreed"


def test_a_draw_offer_lapses_with_the_next_action_of_the_other_side():
    bench = Bench().begin()
    order(bench, "offer_draw", by="seat 0")
    bench.play("c1b1")
    assert bench.table.state.draw.by == 0
    bench.play("e8e7")
    assert bench.table.state.draw.by is None


def test_a_repetition_is_claimed_by_the_player_about_to_move():
    bench = Bench().begin()
    assert refused(bench, "claim_draw") == "no-claim"
    bench.play(*("e1e2", "f8f7", "e2e1", "f7f8") * 2)
    assert refused(bench, "claim_draw", by="seat 1") == "not-your-turn"
    order(bench, "claim_draw", by="seat 0")
    assert bench.table.state.over.reason == "repetition"
    assert bench.table.state.over.winners == ()


def test_a_move_that_cannot_be_entered_is_refused_with_its_rule():
    bench = Bench().begin()
    assert refused(bench, "enter_move", move="h2h4") == "two-squares"
    assert refused(bench, "enter_move", move="rubbish") == "unreadable"
    assert not bench.table.state.plies


@pytest.mark.parametrize("entered", ["c1b1", "h2+"])
def test_a_move_that_the_table_shows_already_is_taken_as_seen_and_no_other_is(entered):
    bench = Bench().begin()
    bench.hand()
    bench.once(shown(bench.during("c1b1")))
    assert not bench.table.state.plies  # one look is not enough
    order(bench, "enter_move", move=entered)
    (made,) = bench.table.state.plies
    assert (made.move, made.source) == (entered, CHOSEN if entered == "c1b1" else ENTERED)


def test_undo_goes_no_further_than_there_are_plies():
    bench = Bench().begin().play("c1b1", "e8e7", "b1c1")
    for ply in (-1, 3, True, "1", None):
        assert refused(bench, "undo", ply=ply) == "no-such-ply"
    order(bench, "undo", ply=1)
    assert len(bench.table.state.plies) == 1
    order(bench, "undo")
    assert refused(bench, "undo") == "no-such-ply" or not bench.table.state.plies


@pytest.mark.parametrize(
    ("text", "remedy", "said"),
    [
        ("roll first", "roll first", "Roll first."),
        ("that is too far", "move it nearer", "That is too far. Move it nearer."),
        ("the game is over", "", "The game is over."),
    ],
)
def test_a_refusal_says_its_remedy_as_a_sentence_and_only_once(text, remedy, said):
    with pytest.raises(CommandRefused) as caught, refusing():
        raise IllegalMove("not-now", "C4", text, remedy)
    assert caught.value.text == said


def test_commands_that_mean_another_table_are_refused():
    bench = Bench().begin()
    with pytest.raises(CommandRefused) as caught:
        carry_out(bench.table, Command("enter_move", {"move": "c1b1"}, expects=1), "now")
    assert caught.value.name == "out-of-date"
    carry_out(bench.table, Command("enter_move", {"move": "c1b1"}, expects=bench.table.number), "now")


def test_a_word_on_a_piece_holds_whatever_was_said_or_ruled_since_until_hands_may_have_moved_it():
    bench = Bench().begin()
    seen, h4 = bench.table.number, {"kind": "pyramid", "colour": "silver", "facing": "NW"}
    assert bench.act("h2h4").kind == "unlawful"
    for cell, piece in (("c3", "empty"), ("h4", "empty"), ("h4", h4)):
        carry_out(bench.table, Command("correct", {"cell": cell, "piece": piece}, expects=seen), "now")
    assert bench.act("h2h4").kind == "unlawful"  # it lies there still
    assert bench.show(bench.game.layout(bench.position)).kind == "take-back"
    _is_out_of_date(bench, seen)
    seen = bench.table.number
    order(bench, "enter_move", move="c1b1")
    _is_out_of_date(bench, seen)


def _is_out_of_date(bench, seen):
    with pytest.raises(CommandRefused) as caught:
        carry_out(bench.table, Command("correct", {"cell": "h2", "piece": "empty"}, expects=seen), "now")
    assert caught.value.name == "out-of-date"
    assert not bench.table.state.overrides


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("new_game", {"game": "chess"}),
        ("new_game", {"game": "khet", "options": {"layout": "nonsense"}}),
        ("new_game", {"game": "khet", "options": {"undo": "maybe"}}),
        ("correct", {"cell": "z9", "piece": "empty"}),
        ("correct", {"cell": "e4", "piece": {"kind": "queen"}}),
        ("correct", {"cell": "e4", "piece": {"kind": "scarab", "colour": "pink"}}),
        ("correct", {"cell": "e4", "piece": {"kind": "scarab", "facing": "N"}}),
        ("correct", {"cell": "e4", "piece": {"kind": "pyramid", "size": "giant"}}),
        ("correct", {"cell": "e4", "piece": {"kind": "pyramid", "pose": "flying"}}),
        ("answer", {"question": "which", "choice": "0"}),
        ("allow", {}),
    ],
)
def test_odd_arguments_are_refused_and_change_nothing(name, arguments):
    bench = Bench().begin()
    count = len(bench.archive.events(1))
    refused(bench, name, **arguments)
    assert len(bench.archive.events(1)) == count


def test_the_hour_without_a_move_resets_only_when_the_timeout_is_on():
    for on in (True, False):
        bench = Bench(timeout=on).begin()
        bench.now += 3590
        bench.table.tick()
        assert bench.table.state.phase == "play"
        bench.play("c1b1")
        bench.now += 3590
        bench.table.tick()
        assert bench.table.state.phase == "play"
        bench.now += 20
        bench.table.tick()
        assert bench.table.state.phase == ("idle" if on else "play")


def test_the_hour_without_a_move_begins_anew_with_a_game_that_is_gone_on_with():
    bench = Bench(timeout=True).begin().play("c1b1")
    bench.now += 9000
    bench.table.restore(1, bench.archive.events(1), bench.table.number)
    bench.table.tick()
    assert bench.table.state.phase == "play"
    bench.now += 3610
    bench.table.tick()
    assert bench.table.state.phase == "idle"


@pytest.mark.parametrize(
    ("apart_s", "later_s", "sight"), [(0.25, 2.1, "lost"), (5.0, 4.9, "seeing"), (5.0, 11.0, "lost")]
)
def test_a_camera_is_missed_once_its_picture_is_late_by_its_own_pace(
    apart_s: float, later_s: float, sight: str
) -> None:
    bench = Bench().begin()
    for _ in range(3):
        bench.once(shown(bench.game.layout(bench.position)), apart_s)
    bench.now += later_s
    bench.table.tick()
    assert bench.table.sight.state == sight


def test_quiet_mode_is_switched_and_kept():
    bench = Bench(quiet=True)
    assert bench.table.state.quiet
    order(bench, "set_quiet", on=False)
    assert not bench.table.state.quiet
    order(bench, "set_quiet", on=True)
    order(bench, "new_game", game="khet")
    bench.show(bench.game.layout(bench.game.start({"layout": "dynasty-2.0"})))  # an option that the table tells
    assert bench.table.state.quiet


def test_sight_is_lost_within_two_seconds_without_pictures():
    bench = Bench().begin()
    assert bench.table.sight.state == "seeing"
    bench.now += 2.1
    bench.table.tick()
    assert bench.table.sight.state == "lost"


@pytest.mark.parametrize("state", ["frozen", "no camera", "seeing"])
def test_what_the_camera_says_of_itself_holds_until_there_is_a_picture(state):
    """Without a game nobody looks at pictures, and the camera is well all the same."""
    bench = Bench(None)
    for _ in range(4):
        bench.table.set_sight(Sight(state, "as the camera says"))
        bench.now += 1.0
        bench.table.tick()
    assert [e.state for e in bench.events if isinstance(e, Sight)] == [state]
    bench.now += 2.0
    bench.table.tick()
    assert bench.table.sight.state == ("lost" if state == "seeing" else state)


@pytest.mark.parametrize("name", GAMES)
def test_the_host_may_begin_though_nothing_is_seen(name):
    bench = Bench(name)
    order(bench, "begin")
    assert bench.table.state.phase == "play"
    assert bench.archive.events(1)[1] == SetUp(by_host=True)
    assert refused(bench, "begin") == "begun"
    assert comes_back(bench.archive)
    assert f"0.  ; {BY_HOST}\n" in as_text(1, bench.archive.events(1))
    assert BY_HOST not in as_text(1, Bench().begin().archive.events(1))


def test_nothing_begins_where_no_game_is():
    assert refused(Bench(None), "begin") == "no-game"


PLAYING = [
    ("end_turn", {}),
    ("resign", {"seat": 0}),
    ("offer_draw", {"seat": 0}),
    ("answer_draw", {"seat": 0, "accept": True}),
    ("claim_draw", {}),
    ("enter_move", {"move": "c1b1"}),
    ("play_move", {"move": "c1b1"}),
    ("roll", {}),
    ("allow", {}),
    ("take_up", {"seat": 0}),
]


@pytest.mark.parametrize(("name", "arguments"), PLAYING, ids=[name for name, _ in PLAYING])
def test_nothing_is_played_without_a_game_before_it_begins_or_after_its_end(name, arguments):
    assert refused(Bench(None), name, **arguments) == "no-game"
    assert refused(Bench(), name, **arguments) == "not-now"
    over = Bench().begin().play("c1b1")
    order(over, "resign", seat=1)
    assert refused(over, name, **arguments) == "not-now"


def test_what_the_host_says_is_set_up_looks_as_it_is_seen():
    """Two pieces are misread, and go on being so: play goes on, and an action beside them is read."""
    bench = Bench()
    misread = {"c1": EMPTY, "e1": Piece("scarab", "red", facing="/")}
    assert bench.show(bench.table.layout, misread).kind == "set-up"
    order(bench, "begin")
    assert bench.show(bench.table.layout, misread).kind == "nothing new"
    move = bench.game.read_move(bench.position, "h2h3")
    assert bench.show(bench.game.during(bench.position, move), misread).moves == ("h2h3",)


def test_a_free_game_that_the_host_began_goes_on_though_the_card_is_not_seen():
    bench = Bench("kaxxt", seats=2)
    bare = TableView(0.0, ())
    assert bench.look(bare).kind == "set-up"
    order(bench, "begin")
    assert bench.look(bare).kind == "nothing new"
