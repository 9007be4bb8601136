"""K'Dak's Tower with the talisman, alone and together: every numbered rule, by its number."""

import pytest
from kdak_positions import FEW_GONE, FULL, NEW, SWITCH, at, duel, legal, played, refused, solo, talisman

from companion.events import Told
from companion.games import kdak
from companion.games.kdak.position import Move


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
    turn = played(position, "5a", "=S5")
    after = turn.position
    assert (after.door_open, after.coins, after.scores) == (True, (1,), (0,))
    told = [event.text for event in turn.events if isinstance(event, Told) and event.rule == "K25"]
    assert told == ["The talisman is found: Kaka takes its coin, and the door opens."]
    shut = solo(f"S5.?.?.?.?.?/{NEW}/{NEW}/{NEW} 0a 0 move shut 0 0 - -")
    assert refused(shut, "out").rule == "K25"


def test_k26_no_level_five_left_is_lost() -> None:
    five = ".".join("?" * 5)
    position = solo(f"{NEW}/{five}/{five}/{five} 2b 0 take:5 shut 0 0 S2.S3.S4 -")
    outcome = kdak.outcome(played(position, "x5a", "=S5").position)
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
    if name is None:
        told = (outcome.reason, outcome.winners, outcome.text)
        assert told == ("untitled", (), "Escaped with 36 points: 1 more would make a camel boy.")
    else:
        assert (outcome.reason, outcome.winners) == ("escaped", (0,))
        assert f": {name}!" in outcome.text


def test_k29_together_points_are_pooled() -> None:
    position = at(f"cooperative {FULL} 0b,out 0 move open 20,22 0,0 - -")
    outcome = kdak.outcome(played(position, "out").position)
    assert outcome.winners == (0, 1)
    assert "big camel boy" in outcome.text


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
    assert (lost.reason, lost.rule) == ("lost", "KA21")
    escaped = kdak.outcome(played(solo(f"{FULL} 0a 0 take:0 open 5 0 - -"), "x0a", "=S2").position)
    assert escaped.text == "Escaped with 5 points: 32 more would make a camel boy."


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
    assert (outcome.reason, outcome.rule) == ("lost", "KA24")


def test_k10_play_goes_on_though_nobody_saw_the_face_of_a_taken_tile() -> None:
    alone = kdak.start({"variant": "solitaire"})
    taken = played(alone, "0b", "=S4", "r3", "x3a").position
    assert taken.phase == "discard"
    on = played(taken, "=?").position
    assert (on.phase, on.gone) == ("move", ("?",))
    assert kdak.read_position(kdak.write_position(on)) == on
    assert refused(played(on, "0a").position, "=?").name == "no-such-tile"  # the one under the pawn is turned up


def test_points_are_shown_and_who_holds_talismans_where_there_are_any() -> None:
    held = talisman(f"{FULL} 0c,3b 0 move open 4,0 2,0 - -")
    assert [(card.name, card.seat, card.value, card.text) for card in kdak.cards(held)] == [
        ("Baba", 0, 4, "2 talismans"),
        ("Kaka", 1, 0, "no talisman"),
    ]
    assert [card.text for card in kdak.cards(solo(f"{FULL} 4a 0 move open 0 1 - -"))] == ["1 talisman"]
    assert [(card.name, card.value, card.text) for card in kdak.cards(duel(rest="3,12 0,0 - -"))] == [
        ("Baba", 3, ""),
        ("Kaka", 12, ""),
    ]
    purse = kdak.cards(at(f"cooperative {FULL} 0c,3b 0 move open 21,16 1,0 - -"))
    assert [(card.name, card.seat, card.value) for card in purse] == [
        ("Baba", 0, 21),
        ("Kaka", 1, 16),
        ("Purse", None, 37),
    ]


def test_a_talisman_is_named_as_it_is_held() -> None:
    assert kdak.describe(solo(f"{FULL} 4a 0 move open 0 1 - -"), Move("coin")) == "Kaka uses the talisman."
    held = talisman(f"{FULL} 0c,3b 0 coin open 0,0 2,0 - -")
    assert kdak.describe(held, Move("coin")) == "Baba uses a talisman."
    assert kdak.describe(held, Move("end")) == "Baba keeps the talismans and ends the turn."
