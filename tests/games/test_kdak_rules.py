"""K'Dak's Tower: one test or more for every numbered rule, by its number."""

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.errors import IllegalMove, OddPosition
from companion.events import Chance, GameOver, Scored, Told
from companion.games import kdak
from companion.games.base import Turn
from companion.games.kdak.play import Crumbled
from companion.games.kdak.position import Move, Position
from companion.games.kdak.table import place_mm
from companion.games.kdak.tower import TILES, Place, gold
from companion.games.kdak.track import SQUARES, square_at, square_mm

NEW = ".".join("?" * 6)
FULL = "/".join([NEW] * 4)


def at(text: str) -> Position:
    """A position; missing fields at the end stand for scores 0,0, no coins, nothing gone."""
    position: Position = kdak.read_position(text)
    return position


def played(position: Position, *texts: str) -> Turn:
    """The last turn after some moves."""
    turn = Turn(position)
    for text in texts:
        turn = kdak.play(turn.position, kdak.read_move(turn.position, text))
    return turn


def refused(position: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        played(position, text)
    return caught.value


def legal(position: Position) -> set[str]:
    return {kdak.write_move(position, move) for move in kdak.moves(position)}


def duel(
    tower: str = FULL,
    pawns: str = "-,-",
    phase: str = "move",
    door: str = "shut",
    rest: str = "0,0 0,0 - -",
    seat: int = 0,
) -> Position:
    return at(f"duel {tower} {pawns} {seat} {phase} {door} {rest}")


def test_k0_set_up() -> None:
    start = kdak.start({})
    assert [len(column) for column in start.tower] == [6, 6, 6, 6]
    pieces = Counter((lying.piece.kind, lying.piece.face) for lying in kdak.layout(start).pieces)
    assert pieces == {("tile", "back"): 24, ("coin", "value"): 6, ("coin", "suit"): 2, ("pawn", None): 2}
    values = [lying.piece.value for lying in kdak.layout(start).pieces if lying.piece.face == "value"]
    assert values == ["null", "ace", "2", "3", "4", "5"]
    assert len(set(TILES)) == 24
    assert sum(map(gold, TILES)) == 60


def test_k1_first_step_onto_any_null_tile() -> None:
    assert legal(kdak.start({})) == {"0a", "0b", "0c", "0d"}
    assert refused(kdak.start({}), "1a").rule == "K1"


def test_k2_entering_turns_the_tile() -> None:
    turn = played(kdak.start({}), "0b", "=S4")
    assert turn.position.tower[1][0].up
    assert Chance("tile", "S4") in turn.events
    assert refused(played(kdak.start({}), "0b", "=S4", "0a").position, "=S4").name == "seen-elsewhere"


def test_k3_door_shut_and_nothing_scored_before_the_switch() -> None:
    position = duel(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a,-")
    assert refused(position, "out").rule == "K3"
    assert played(position, "0b", "=S3").position.scores == (0, 0)


def test_k4_steps_beside_and_down_never_diagonal() -> None:
    position = duel(f"?.S5.?.?.?.?/{NEW}/{NEW}/{NEW}", "1a,-")
    assert legal(position) == {"1b", "1c", "0a"}
    assert refused(position, "1d").name == "diagonal"
    assert refused(position, "0b").name == "too-far"
    assert refused(position, "3a").name == "too-far"
    assert refused(position, "1a").name == "no-step"


def test_k5_up_only_from_two_face_up_tiles() -> None:
    one = duel(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a,-")
    refusal = refused(one, "1a")
    assert (refusal.rule, refusal.figures["face_up"]) == ("K5", 1)
    two = duel(f"S5.?.?.?.?.?/S4.?.?.?.?.?/{NEW}/{NEW}", "0a,-")
    assert "1a" in legal(two)


def test_k6_a_face_up_tile_may_be_entered() -> None:
    two = duel(f"S5.?.?.?.?.?/S4.?.?.?.?.?/{NEW}/{NEW}", "0a,-")
    after = played(two, "0b").position
    assert (after.pawns[0].place, after.seat) == (Place(0, 1), 1)


def test_k7_pawns_may_share() -> None:
    shared = duel(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "-,0a", seat=0)
    assert played(shared, "0a").position.pawns[0].place == shared.pawns[1].place


SWITCH = "?.?.?.?.S5.?/?.?.?.?.S4.?/" + f"{NEW}/{NEW}"


def test_k8_the_switch_turns_everything_down_and_opens_the_door() -> None:
    after = played(duel(SWITCH, "4a,4b"), "5a", "=M5")
    assert after.position.door_open
    assert not any(tile.up for column in after.position.tower for tile in column)
    assert any(isinstance(event, Told) and event.rule == "K8" for event in after.events)


def test_k9_every_turn_ends_with_the_die_and_a_tile() -> None:
    after = played(duel(SWITCH, "4a,4b"), "5a", "=M5", "r2")
    assert legal(after.position) == {"x2a", "x2b", "x2c", "x2d"}
    assert refused(after.position, "x3a").name == "other-level"
    assert refused(after.position, "1a").name == "not-now"


def test_k10_the_tile_is_shown_and_leaves() -> None:
    turn = played(duel(SWITCH, "4a,4b"), "5a", "=M5", "r2", "x2c")
    assert turn.position.phase == "discard"
    assert Crumbled(0, "2c", "K10") in turn.events
    shown = played(turn.position, "=C3").position
    assert shown.gone == ("C3",)
    assert (shown.phase, shown.seat) == ("move", 1)


OPEN = "0,0 0,0 - -"


def test_k11_a_pawn_falls_to_the_tile_beneath_or_out() -> None:
    falls = played(duel(FULL, "3a,0b", "take:3", "open"), "x3a").position
    assert (falls.pawns[0].place, falls.pawns[0].fallen) == (Place(2, 0), True)
    leaves = played(duel(FULL, "3a,0b", "take:0", "open"), "x0b").position
    assert leaves.pawns[1].out


def test_k12_everything_above_drops_one_level() -> None:
    position = duel(f"?.?.S2.S3.?.?/{NEW}/{NEW}/{NEW}", "3a,0b", "take:1", "open")
    after = played(position, "x1a").position
    assert [tile.name for tile in after.tower[0]] == [None, "S2", "S3", None, None]
    assert after.pawns[0].place == Place(2, 0)


def test_k13_a_fall_turns_no_tile() -> None:
    after = played(duel(FULL, "3a,0b", "take:3", "open"), "x3a", "=S5").position
    assert not after.tower[0][2].up
    assert after.scores == (0, 0)


def test_k14_after_the_switch_a_turned_tile_counts_and_a_face_up_one_does_not() -> None:
    position = duel(f"?.?.?.?.?.?/{NEW}/{NEW}/(A4).?.?.?.?.?", "0b,3b", "move", "open")
    turn = played(position, "0d")
    assert turn.position.scores == (4, 0)
    assert [e.points for e in turn.events if isinstance(e, Scored)] == [4]
    face_up = duel(f"A4.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0b,3b", "move", "open")
    assert played(face_up, "0a").position.scores == (0, 0)
    null = duel(f"(An).?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0b,3b", "move", "open")
    assert played(null, "0a").position.scores == (0, 0)


def test_k15_a_fallen_pawn_may_stay_and_score() -> None:
    position = duel(f"(A4).?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a!,3b", "move", "open")
    assert "stay" in legal(position)
    after = played(position, "stay").position
    assert (after.scores, after.tower[0][0].up) == ((4, 0), True)
    face_up = duel(f"A4.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a!,3b", "move", "open")
    assert (refused(face_up, "stay").name, refused(face_up, "stay").rule) == ("must-move", "KA2")


def test_k16_an_empty_level_passes_the_loss_to_the_highest() -> None:
    low = "?.?.?/?.?/?.?/?.?"
    gone = ".".join(TILES[:15])
    turn = played(duel(low, "0b,1b", "roll", "open", f"0,0 0,0 {gone} -"), "r4")
    assert turn.position.level == 2
    assert legal(turn.position) == {"x2a"}
    assert any(isinstance(event, Told) and event.rule == "K16" for event in turn.events)


def test_k17_no_way_back() -> None:
    position = duel(FULL, "out,2b", "move", "open", seat=1)
    after = played(position, "2a", "=S2", "r5", "x5a", "=S3").position
    assert after.seat == 1
    alone = Position(pawns=(*position.pawns[:1], *position.pawns[1:]), seat=0, door_open=True, phase="move")
    assert refused(alone, "0a").rule == "K17"


FEW = "A4/S3/-/-"
FEW_GONE = ".".join(name for name in TILES if name not in ("A4", "S3"))


def test_k18_over_when_all_is_face_up_or_everybody_is_out() -> None:
    position = duel("(A4)/S3/-/-", "0b,out", "move", "open", f"7,3 0,0 {FEW_GONE} -")
    turn = played(position, "0a")
    assert turn.position.phase == "over"
    assert turn.position.scores == (11, 3)
    ended = [event for event in turn.events if isinstance(event, GameOver)]
    assert [(event.reason, event.winners) for event in ended] == [("explored", (0,))]
    out = played(duel(FULL, "0b,out", "move", "open", "7,9 0,0 - -"), "out").position
    outcome = kdak.outcome(out)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("out", (1,))


def test_k19_more_gold_wins() -> None:
    out = played(duel(FULL, "0b,out", "move", "open", "10,9 0,0 - -"), "out").position
    outcome = kdak.outcome(out)
    assert outcome is not None
    assert outcome.winners == (0,)


def talisman(text: str) -> Position:
    return at(f"talisman {text}")


def test_k20_a_null_gives_a_coin_up_and_down() -> None:
    up = talisman(f"{FULL} -,- 0 move shut 0,0 0,0 - -")
    assert played(up, "0a", "=Sn").position.coins == (1, 0)
    down = talisman(f"(Sn).?.?.?.?.?/{NEW}/{NEW}/{NEW} 0b,3b 0 move open 0,0 0,0 - -")
    assert played(down, "0a").position.coins == (1, 0)
    assert played(kdak.start({}), "0a", "=Sn").position.coins == (0, 0)


def test_k21_nulls_reload_at_the_switch() -> None:
    position = talisman(f"?.?.?.?.Sn.?/?.?.?.?.S4.?/{NEW}/{NEW} 4a,4b 0 move shut 0,0 1,0 - -")
    after = played(position, "5a", "=M5", "r0", "x0d", "=C2", "end", "4a")
    assert after.position.coins == (1, 1)


def test_k22_a_coin_buys_a_turn_and_is_gone() -> None:
    position = talisman(f"{FULL} -,- 0 move shut 0,0 1,0 - -")
    turn = played(position, "0a", "=S2", "coin")
    assert (turn.position.seat, turn.position.phase, turn.position.coins) == (0, "move", (0, 0))
    two = talisman(f"{FULL} -,- 0 move shut 0,0 2,0 - -")
    again = played(two, "0a", "=S2", "coin", "0b", "=S3", "coin", "0d", "=S4")
    assert (again.position.seat, again.position.coins) == (1, (0, 0))


def solo(text: str) -> Position:
    return at(f"solitaire {text}")


def test_k23_alone_it_crumbles_at_once_and_scores_on_the_way_down() -> None:
    start = kdak.start({"variant": "solitaire"})
    turn = played(start, "0a", "=S5")
    assert (turn.position.phase, turn.position.scores) == ("roll", (0,))
    down = solo(f"{NEW}/{NEW}/{NEW}/{NEW} 4b 0 move open 0 0 - -")
    assert played(down, "4a", "=S5").position.scores == (5,)


def test_k24_alone_no_face_up_tiles_are_needed() -> None:
    assert "1a" in legal(solo(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW} 0a 0 move shut 0 0 - -"))


def test_k25_level_five_gives_the_talisman_and_the_door() -> None:
    position = solo(f"{FULL} 4a 0 move shut 0 0 - -")
    after = played(position, "5a", "=S5").position
    assert (after.door_open, after.coins, after.scores) == (True, (1,), (0,))
    shut = solo(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW} 0a 0 move shut 0 0 - -")
    assert refused(shut, "out").rule == "K25"


def test_k26_no_level_five_left_is_lost() -> None:
    five = ".".join("?" * 5)
    position = solo(f"{NEW}/{five}/{five}/{five} 2b 0 take:5 shut 0 0 S2.S3.S4 -")
    outcome = kdak.outcome(played(position, "x5a", "=S5").position)
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.rule) == ("lost", (), "K26")


def test_k27_the_talisman_buys_a_turn_without_removal() -> None:
    position = solo(f"{FULL} 4a 0 move open 0 1 - -")
    after = played(position, "coin", "4b", "=S3").position
    assert (after.phase, after.coins, after.calm) == ("move", (0,), False)
    assert played(after, "3b", "=S2").position.phase == "roll"
    assert refused(after, "coin").rule == "K27"


@pytest.mark.parametrize(
    ("points", "name"),
    [
        *((36, None), (37, "camel boy"), (41, "camel boy"), (42, "big camel boy"), (47, "big camel boy")),
        *((48, "lead camel boy"), (52, "lead camel boy"), (53, "supreme camel boy"), (60, "supreme camel boy")),
    ],
)
def test_k28_titles_and_ka25_at_least(points: int, name: str | None) -> None:
    out = played(solo(f"{FULL} 0b 0 move open {points} 0 - -"), "out").position
    outcome = kdak.outcome(out)
    assert outcome is not None
    assert outcome.reason == "escaped"
    assert outcome.winners == (0,)
    assert (name or "37 make") in outcome.text


def test_k29_together_points_are_pooled() -> None:
    position = at(f"cooperative {FULL} 0b,out 0 move open 20,22 0,0 - -")
    outcome = kdak.outcome(played(position, "out").position)
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert "big camel boy" in outcome.text


def test_ka1_squares_of_the_line_do_not_touch() -> None:
    position = duel(f"S5.?.?.?.?.?/S4.?.?.?.?.?/{NEW}/{NEW}", "0b,-")
    assert "1a" not in legal(position)
    assert place_mm(Place(1, 0))[0] - place_mm(Place(0, 1))[0] > 50.8


def test_ka2_a_pawn_that_can_move_must_and_a_walled_in_one_stays() -> None:
    position = duel(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a,-")
    assert (refused(position, "stay").name, refused(position, "stay").rule) == ("must-move", "KA2")
    assert (refused(position, "pass").name, refused(position, "pass").rule) == ("must-move", "KA2")
    gone = ".".join(TILES[5:22])
    walled = solo(f"Sn/-/-/?.?.?.?.?.? 0a 0 move shut 0 0 {gone} -")
    assert legal(walled) == {"pass"}
    assert played(walled, "pass").position.phase == "roll"


def test_ka3_up_onto_a_face_up_tile_is_a_house_rule() -> None:
    tower = f"?.S5.A3.?.?.?/{NEW}/{NEW}/{NEW}"
    assert refused(duel(tower, "1a,2b"), "2a").rule == "K5"
    house = at(f"duel {tower} 1a,2b 0 move shut 0,0 0,0 - - up_onto_face_up=yes")
    assert "2a" in legal(house)
    dark = at(f"duel ?.S5.?.?.?.?/{NEW}/{NEW}/{NEW} 1a,2b 0 move shut 0,0 0,0 - - up_onto_face_up=yes")
    assert refused(dark, "2a").rule == "K5"


def test_ka4_the_own_tile_counts() -> None:
    assert "1a" in legal(duel(f"S5.?.?.?.?.?/{NEW}/S4.?.?.?.?.?/{NEW}", "0a,-"))


def test_ka5_the_same_test_after_the_switch() -> None:
    assert refused(duel(FULL, "1a,3b", "move", "open"), "2a").rule == "K5"


def test_ka6_nobody_leaves_before_the_switch() -> None:
    assert refused(duel(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW}", "0a,-"), "out").name == "door-shut"


def test_ka7_the_triggering_tile_gives_nothing() -> None:
    assert played(duel(SWITCH, "4a,4b"), "5a", "=M5").position.scores == (0, 0)


def test_ka8_turned_down_by_the_switch_is_not_fallen() -> None:
    position = played(duel(SWITCH, "4a,4b"), "5a", "=M5", "r0", "x0d", "=C2").position
    assert refused(position, "stay").rule == "K15"
    assert "stay" not in legal(position)


def test_ka9_carried_is_not_fallen() -> None:
    after = played(duel(FULL, "3a,0b", "take:1", "open"), "x1a").position
    assert (after.pawns[0].place, after.pawns[0].fallen) == (Place(2, 0), False)
    kept = played(duel(FULL, "3a!,0b", "take:1", "open"), "x1a").position
    assert kept.pawns[0].fallen


def test_ka10_both_pawns_fall() -> None:
    after = played(duel(FULL, "3a,3a", "take:3", "open"), "x3a").position
    assert [pawn.place for pawn in after.pawns] == [Place(2, 0), Place(2, 0)]


def test_ka11_the_roller_picks_also_the_own_tile() -> None:
    position = duel(FULL, "3a,0b", "take:3", "open")
    assert legal(position) == {"x3a", "x3b", "x3c", "x3d"}
    assert kdak.to_move(position) == 0


def test_ka12_the_switch_turn_rolls() -> None:
    assert played(duel(SWITCH, "4a,4b"), "5a", "=M5").position.phase == "roll"


def test_ka13_leaving_from_the_null_level_and_rolling() -> None:
    after = played(duel(FULL, "0c,3b", "move", "open"), "out").position
    assert (after.pawns[0].out, after.phase, after.seat) == (True, "roll", 0)
    refusal = refused(duel(FULL, "1c,3b", "move", "open"), "out")
    assert (refusal.name, refusal.rule) == ("not-at-the-door", "KA13")


def test_ka14_who_is_out_has_no_turn() -> None:
    after = played(duel(FULL, "0c,3b", "move", "open"), "out", "r5", "x5a", "=S2", "3a", "=S3", "r5", "x5b", "=S4")
    assert after.position.seat == 1


def test_ka15_the_end_after_the_step_needs_no_roll_and_after_the_removal_counts() -> None:
    position = duel("A4/(S3)/-/-", "0a,out", "take:0", "open", f"7,3 0,0 {FEW_GONE} -")
    over = played(position, "x0b").position
    assert over.phase == "over"
    going_on = duel("A4.?/(S3)/-/-", "0a,out", "take:0", "open", f"7,3 0,0 {FEW_GONE.replace('Sn.', '')} -")
    assert played(going_on, "x0b").position.phase == "move"


def test_ka16_falling_out_keeps_the_gold() -> None:
    after = played(duel(FULL, "0a,3b", "take:0", "open", "7,3 0,0 - -"), "x0a").position
    assert (after.pawns[0].out, after.scores) == (True, (7, 3))


def test_ka17_a_tie_is_a_shared_win() -> None:
    outcome = kdak.outcome(played(duel(FULL, "0b,out", "move", "open", "9,9 0,0 - -"), "out").position)
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_ka18_a_coin_is_used_after_the_own_turn_inside_the_tower() -> None:
    position = talisman(f"{FULL} 0c,3b 0 move open 0,0 1,0 - -")
    assert refused(position, "coin").rule == "K22"
    assert played(position, "out", "r5", "x5a", "=S2").position.seat == 1
    bought = played(position, "0a", "=S2", "r5", "x5a", "=S3", "coin", "0b", "=S4").position
    assert (bought.seat, bought.phase) == (0, "roll")


def test_ka19_a_triggering_null_gives_its_coin() -> None:
    position = talisman(f"{SWITCH} 4a,4b 0 move shut 0,0 0,0 - -")
    after = played(position, "5a", "=Mn").position
    assert after.coins == (1, 0)
    assert not after.tower[0][5].up


def test_ka20_alone_tiles_are_turned_down_unless_the_house_differs() -> None:
    fields = f"?.?.?.?.S5.?/{NEW}/{NEW}/{NEW} 4a 0 move shut 0 0 - -"
    assert not played(solo(fields), "5a", "=M5").position.tower[0][4].up
    assert played(at(f"solitaire {fields} solitaire_turn_down=no"), "5a", "=M5").position.tower[0][4].up


def test_ka21_falling_out_alone() -> None:
    lost = kdak.outcome(played(solo(f"{FULL} 0a 0 take:0 shut 0 0 - -"), "x0a", "=S2").position)
    assert lost is not None
    assert (lost.reason, lost.rule) == ("lost", "KA21")
    escaped = kdak.outcome(played(solo(f"{FULL} 0a 0 take:0 open 5 0 - -"), "x0a", "=S2").position)
    assert escaped is not None
    assert escaped.reason == "escaped"


def test_ka22_alone_face_up_tiles_do_not_end_it() -> None:
    position = solo(f"(A4)/S3/-/- 0b 0 move open 7 0 {FEW_GONE} -")
    assert played(position, "0a").position.phase == "roll"


def test_ka23_alone_the_talisman_is_used_between_turns() -> None:
    position = solo(f"{FULL} 4a 0 move open 0 1 - -")
    assert "coin" in legal(position)
    assert played(position, "coin").position.phase == "move"
    twice = played(solo(f"{FULL} 4a 0 move open 0 1 - -"), "coin").position
    assert "coin" not in legal(twice)


def test_ka24_together() -> None:
    start = kdak.start({"variant": "cooperative"})
    after = played(start, "0a", "=S2", "r3", "x3c", "=S3").position
    assert (after.seat, after.scores) == (1, (0, 0))
    holder = played(at(f"cooperative {FULL} 4a,0b 0 move shut 0,0 0,0 - -"), "5a", "=M5").position
    assert holder.coins == (1, 0)
    both_out = at(f"cooperative {FULL} 0a,out 0 take:0 shut 0,0 0,0 - -")
    outcome = kdak.outcome(played(both_out, "x0a", "=S2").position)
    assert outcome is not None
    assert (outcome.reason, outcome.rule) == ("lost", "KA24")


def test_k18_a_tower_of_face_up_tiles_is_no_game_in_play() -> None:
    gone = ".".join(name for name in TILES if name not in ("A4", "S3"))
    with pytest.raises(OddPosition, match="the game is over"):
        kdak.read_position(f"duel A4/S3/-/- 0b,0a 0 move open 5,9 0,0 {gone} -")


def test_secrets_stay_face_down() -> None:
    position = duel(f"(A4).S5.?.?.?.?/{NEW}/{NEW}/{NEW}", "1a,-")
    public = kdak.seen_by(position, None)
    assert "A4" not in kdak.write_position(public)
    assert "S5" in kdak.write_position(public)
    assert not any(
        "arms" in (lying.piece.suit or "") and lying.piece.kind == "tile" for lying in kdak.layout(position).pieces
    )


def test_the_track_holds_every_score_once() -> None:
    centres = [square_mm(number) for number in range(SQUARES)]
    assert len(set(centres)) == 61
    assert [square_at(*centre) for centre in centres] == list(range(61))
    assert square_at(1000.0, 0.0) is None
    coins = [
        lying
        for lying in kdak.layout(duel(FULL, "0b,1b", rest="14,60 0,0 - -")).pieces
        if "coin belongs" in lying.words
    ]
    assert [lying.words for lying in coins] == ["Baba's coin belongs on 14", "Kaka's coin belongs on 60"]
    with pytest.raises(ValueError, match="0 to 60"):
        square_mm(61)


def test_everything_lies_where_the_set_up_says() -> None:
    pitch = 2 * 50.8 + 4.0
    assert place_mm(Place(0, 0)) == pytest.approx((-2.5 * pitch - 25.4, -25.4))
    assert place_mm(Place(5, 3)) == pytest.approx((2.5 * pitch + 25.4, 25.4))
    assert square_mm(0) == (-126.0, 42.0)
    assert square_mm(13) == (126.0, 21.0)
    assert square_mm(60) == (42.0, -42.0)
    solitaire = kdak.layout(kdak.start({"variant": "solitaire"})).pieces
    coins = {lying.words: (lying.x_mm, lying.y_mm) for lying in solitaire if lying.piece.kind == "coin"}
    assert coins["the coin of level 0"] == pytest.approx((-2.5 * pitch, 50.8 + 19.1))
    assert coins["the talisman"] == pytest.approx((2.5 * pitch + 1.5 * 50.8, 0.0))
    assert coins["Kaka's coin belongs on 0"] == pytest.approx((-126.0, -140.0 + 42.0))
    found = kdak.layout(solo(f"{FULL} 4a 0 move open 0 1 - -")).pieces
    assert "the talisman" not in [lying.words for lying in found]


@pytest.mark.parametrize("level", [None, -1, 6])
def test_a_die_shows_a_level(level: int | None) -> None:
    position = played(duel(SWITCH, "4a,4b"), "5a", "=M5").position
    with pytest.raises(IllegalMove, match="die shows"):
        kdak.play(position, Move("roll", level=level))


def test_during_shows_the_turned_face() -> None:
    entered = played(kdak.start({}), "0b").position
    faces = [p.piece for p in kdak.during(entered, Move("tile", tile="S4")).pieces if p.piece.face == "front"]
    assert [(face.suit, face.value) for face in faces] == [("suns", "4")]
    assert not [p for p in kdak.during(entered, Move("roll", level=1)).pieces if p.piece.face == "front"]


def test_during_shows_the_gap_and_the_pawn() -> None:
    position = duel(FULL, "3a,0b", "take:3", "open")
    tiles = [p for p in kdak.during(position, Move("take", Place(3, 0))).pieces if p.piece.kind == "tile"]
    assert len(tiles) == 23
    walking = kdak.during(duel(FULL, "3a,0b", "move", "open"), Move("go", Place(3, 1)))
    pawn = next(p for p in walking.pieces if p.piece.kind == "pawn")
    assert (pawn.x_mm, pawn.y_mm) == place_mm(Place(3, 1))


def test_every_rule_has_a_test_that_names_it() -> None:
    text = Path(__file__).read_text(encoding="utf-8").lower()
    tested = set(re.findall(r"(?<![a-z])(ka?\d+)(?=_)", "\n".join(re.findall(r"def test_(\w+)", text))))
    assert {rule.number.lower() for rule in kdak.RULES} <= tested


def test_k10_play_goes_on_though_nobody_saw_the_face_of_a_taken_tile() -> None:
    alone = kdak.start({"variant": "solitaire"})
    taken = played(alone, "0b", "=S4", "r3", "x3a").position
    assert taken.phase == "discard"
    on = played(taken, "=?").position
    assert (on.phase, on.gone) == ("move", ("?",))
    assert kdak.read_position(kdak.write_position(on)) == on
    assert refused(played(on, "0a").position, "=?").name == "no-such-tile"  # the one under the pawn is turned up
