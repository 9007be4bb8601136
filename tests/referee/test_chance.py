"""Dice, draws and what is certain: who decides them, and what the record says of it."""

from dataclasses import replace

import pytest
from free_benches import arranged, chaos_bench, chaos_view, kaxxt_bench
from referee_tables import Bench, order

from companion.errors import CommandRefused
from companion.games import game as game_named
from companion.referee.asking import ask
from companion.referee.chance import pick
from companion.referee.choices import choices
from companion.referee.dice import rolls, throws
from companion.referee.happenings import Plied, SetUp
from companion.referee.picture import Painter
from companion.referee.snapshot import Choice, Question
from companion.view import TableView


def sources(bench: Bench) -> list[tuple[str, str]]:
    return [(e.move, e.source) for e in bench.events if isinstance(e, Plied)]


def kaxxt(drawn: float = 0.0, **options) -> Bench:
    """A game of Kaxxt that began, with dice that always fall at this share of 0 to 1."""
    bench = Bench("kaxxt", **options)
    bench.table.dice.draw = lambda: drawn
    bench.table.record(SetUp())
    return bench


def test_the_companion_rolls_when_a_player_asks_for_it():
    bench = kaxxt(drawn=0.99)
    snapshot = Painter().snapshot(bench.table)
    roll = next(o for o in snapshot.offers if o.move == "roll")
    assert snapshot.rolls == ""
    order(bench, "play_move", by="seat 0", move=roll.move)
    assert sources(bench) == [("roll", "entered"), ("=6", "rolled")]


@pytest.mark.parametrize("whose", ["companion", "camera", "entered"])
def test_dice_are_thrown_by_the_companion_or_by_people_and_before_and_after_a_game_by_nobody(whose):
    bench = Bench("chaos", dice=whose)
    assert (rolls(bench.table.state), throws(bench.table.state)) == ("", "")
    bench.table.record(SetUp())
    thrown = ("both dice", "") if whose == "companion" else ("", "both dice")
    assert (rolls(bench.table.state), throws(bench.table.state)) == thrown
    order(bench, "resign", seat=0)
    assert (rolls(bench.table.state), throws(bench.table.state)) == ("", "")


@pytest.mark.parametrize("by", ["seat 1", "seat 2"])
def test_nobody_rolls_for_another_player(by):
    bench = kaxxt()
    with pytest.raises(CommandRefused, match="turn"):
        order(bench, "play_move", by=by, move="roll")
    with pytest.raises(CommandRefused, match="turn"):
        order(bench, "roll", by=by)
    assert sources(bench) == []


@pytest.mark.parametrize(("name", "by"), [("roll", "host"), ("roll", "seat 0"), ("end_turn", "button")])
def test_nobody_rolls_while_something_is_to_be_put_right(name, by):
    bench = chaos_bench("b3^0,0,0")
    assert Painter().snapshot(bench.table).rolls == "both dice"
    bench.look(chaos_view(bench, "y3^160,0,0"))
    ruling = bench.table.state.ruling
    assert "then roll both dice" in ruling.remedy
    assert Painter().snapshot(bench.table).rolls == ""
    with pytest.raises(CommandRefused, match="Put it right first"):
        order(bench, name, by=by)
    assert (sources(bench), bench.table.state.ruling) == ([], ruling)
    bench.look(chaos_view(bench))
    order(bench, name, by=by)
    assert [source for _, source in sources(bench)] == ["rolled"]


def test_no_throw_is_offered_while_something_is_asked():
    bench = chaos_bench("b3^0,0,0")
    ask(bench.table, Question("which", "Which was it?", (Choice("no", "None"),)), {}, "which")
    assert Painter().snapshot(bench.table).rolls == ""
    with pytest.raises(CommandRefused, match="Answer this first"):
        order(bench, "roll")


def test_nobody_passes_over_an_action_that_waits_for_the_button():
    bench = kaxxt_bench(end_turn=True)
    for move in ("draw any", "=r3"):
        order(bench, "enter_move", move=move)
    assert [offer.move for offer in Painter().snapshot(bench.table).offers] == ["roll"]
    arranged(bench, "put r3@0.0,-120.0>270.0")
    assert bench.table.pending is not None
    assert Painter().snapshot(bench.table).offers == ()
    with pytest.raises(CommandRefused, match="Press the end-of-turn button first, or put it back: South puts"):
        order(bench, "play_move", by="seat 0", move="roll")
    order(bench, "end_turn", by="seat 0")
    order(bench, "play_move", by="seat 0", move="roll")
    assert [move for move, _ in sources(bench)][2:4] == ["put r3@0.0,-120.0>270.0", "roll"]


def test_entered_dice_wait_for_their_number_and_are_offered_face_by_face():
    bench = kaxxt(dice="entered")
    order(bench, "play_move", move="roll")
    snapshot = Painter().snapshot(bench.table)
    assert (snapshot.rolls, [o.move for o in snapshot.offers]) == ("", ["=1", "=2", "=3", "=4", "=5", "=6"])
    order(bench, "play_move", move="=4")
    assert sources(bench) == [("roll", "entered"), ("=4", "entered")]
    with pytest.raises(CommandRefused, match="no dice"):
        order(bench, "roll")


def test_of_several_dice_each_is_offered_by_its_face_and_its_colour():
    bench = Bench("chaos", dice="entered")
    bench.table.record(SetUp())
    offered = {offer.faces: offer.move for offer in Painter().snapshot(bench.table).offers}
    assert len(offered) == 100
    assert offered["3 (red)", "10 (black)"] == "r3,10"


def test_the_companion_s_dice_are_not_entered_by_players():
    bench = Bench("chaos")
    bench.table.dice.draw = lambda: 0.5
    bench.table.record(SetUp())
    snapshot = Painter().snapshot(bench.table)
    assert snapshot.rolls == "both dice"
    assert snapshot.offers == ()
    chosen = bench.game.write_move(bench.position, bench.game.chance(bench.position)[0][0])
    with pytest.raises(CommandRefused, match="table"):
        order(bench, "play_move", by="seat 0", move=chosen)
    order(bench, "end_turn", by="seat 0")  # the button at the table does the same as the page's
    assert [source for _, source in sources(bench)] == ["rolled"]


@pytest.mark.parametrize(("game", "read"), [("kdak", True), ("chaos", False), ("kaxxt", True)])
def test_no_dice_are_said_to_be_read_where_they_lie_that_the_game_cannot_tell(game: str, read: bool):
    (offered,) = choices({game: game_named(game)})
    (dice,) = [option for option in offered["options"] if option["name"] == "dice"]
    assert ("Read by the camera" in dice["said"]) is read
    assert ("read by the camera where they lie" in dice["meaning"]) is read


def test_who_throws_dice_of_which_the_camera_reads_none_is_told_what_tells_them():
    bench = Bench("chaos", dice="camera")
    bench.table.record(SetUp())
    bench.once(TableView(0.0))
    waiting = Painter().snapshot(bench.table).waiting
    assert waiting.text == "Player 1: throw both dice"
    assert "what is done next" in waiting.why


def test_what_shows_on_the_table_is_not_entered_by_a_seat():
    bench = Bench("ataxx").begin()
    with pytest.raises(CommandRefused, match="camera"):
        order(
            bench,
            "play_move",
            by="seat 0",
            move=bench.game.write_move(bench.position, bench.game.moves(bench.position)[0]),
        )
    assert sources(bench) == []


def test_a_forced_pass_happens_by_itself_and_undo_goes_behind_it():
    bench = Bench("ataxx")
    bench.table.record(SetUp())
    game = bench.game
    before = game.read_position("x--4/---4/---4/6o/7/7/7 o 0 1")  # whatever white does, black is walled in
    bench.table.state = replace(bench.table.state, first=before, position=before, standing=game.layout(before))
    forcing = next(
        m for m in game.moves(before) if game.chance(after := game.play(before, m).position) and not game.outcome(after)
    )
    order(bench, "enter_move", move=game.write_move(before, forcing))
    assert [source for _, source in sources(bench)] == ["entered", "certain"]
    assert game.to_move(bench.position) == game.to_move(before)
    order(bench, "undo")
    assert bench.position == before


@pytest.mark.parametrize("drawn", [0.0, 0.2499, 0.25, 0.999999])
def test_a_throw_falls_where_its_share_lies(drawn):
    outcomes = (("a", 0.25), ("b", 0.5), ("c", 0.25))
    assert pick(outcomes, drawn) == {0.0: "a", 0.2499: "a", 0.25: "b", 0.999999: "c"}[drawn]
