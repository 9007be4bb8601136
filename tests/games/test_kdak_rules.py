"""K'Dak's Tower for two explorers: one test or more for every numbered rule, by its number."""

import re
from collections import Counter
from pathlib import Path

import pytest
from kdak_positions import FEW_GONE, FULL, NEW, SWITCH, at, duel, legal, played, refused, solo

from companion.errors import OddPosition
from companion.events import Chance, GameOver, Scored, Told
from companion.games import kdak
from companion.games.kdak.play import Crumbled
from companion.games.kdak.position import Position
from companion.games.kdak.table import place_mm
from companion.games.kdak.tower import TILES, Place, gold


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


def test_k18_over_when_all_is_face_up_or_everybody_is_out() -> None:
    position = duel("(A4)/S3/-/-", "0b,out", "move", "open", f"7,3 0,0 {FEW_GONE} -")
    turn = played(position, "0a")
    assert turn.position.phase == "over"
    assert turn.position.scores == (11, 3)
    ended = [event for event in turn.events if isinstance(event, GameOver)]
    assert [(event.reason, event.winners) for event in ended] == [("explored", (0,))]
    out = played(duel(FULL, "0b,out", "move", "open", "7,9 0,0 - -"), "out").position
    outcome = kdak.outcome(out)
    assert (outcome.reason, outcome.winners) == ("out", (1,))


@pytest.mark.parametrize(
    ("scores", "winner", "text"), [("10,9", 0, "Baba wins, 10 to 9."), ("7,25", 1, "Kaka wins, 25 to 7.")]
)
def test_k19_more_gold_wins(scores: str, winner: int, text: str) -> None:
    out = played(duel(FULL, "0b,out", "move", "open", f"{scores} 0,0 - -"), "out").position
    outcome = kdak.outcome(out)
    assert (outcome.winners, outcome.text) == ((winner,), text)


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
    assert outcome.winners == (0, 1)


def test_k18_a_tower_of_face_up_tiles_is_no_game_in_play() -> None:
    gone = ".".join(name for name in TILES if name not in ("A4", "S3"))
    with pytest.raises(OddPosition, match="the game is over"):
        kdak.read_position(f"duel A4/S3/-/- 0b,0a 0 move open 5,9 0,0 {gone} -")


def test_every_rule_has_a_test_that_names_it() -> None:
    files = Path(__file__).parent.glob("test_kdak_*rules.py")
    text = "".join(file.read_text(encoding="utf-8").lower() for file in files)
    tested = set(re.findall(r"(?<![a-z])(ka?\d+)(?=_)", "\n".join(re.findall(r"def test_(\w+)", text))))
    assert {rule.number.lower() for rule in kdak.RULES} <= tested
