"""What an action led to stands beside it: in the record, in the last line, and when it is spoken."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_tables import Bench, first_hit, order

from companion.games import chaos, kaxxt, kdak
from companion.games.extras import extras
from companion.referee.happenings import CERTAIN, ENTERED, TABLE
from companion.referee.picture import Painter
from companion.referee.state import Past
from companion.referee.upshot import changes, newest, reported, told
from companion.referee.words import Palette


def test_what_was_hit_is_named() -> None:
    bench = Bench().begin()
    cell = bench.act(first_hit(bench)).hits[0]
    shown = Painter().snapshot(bench.table)
    (hit,) = shown.record[-1].hits
    assert hit.endswith(f" on {cell}")
    assert hit != f"nothing on {cell}"
    assert shown.last_text.endswith(f" Hit: {hit}.")
    assert shown.record[-1].changes == ()


@pytest.mark.parametrize(
    ("sources", "last"), [((), 0), ((TABLE, TABLE), 1), ((TABLE, ENTERED, CERTAIN, CERTAIN), 3), ((CERTAIN,), 1)]
)
def test_the_last_action_is_what_somebody_did_last_with_what_happened_by_itself_after_it(sources, last) -> None:
    begun = kaxxt.start({})
    plies = [replace(past_of(kaxxt, begun, "draw any"), source=source) for source in sources]
    assert newest(plies) == plies[len(plies) - last :]


def past_of(game, position, move: str) -> Past:
    played = game.play(position, game.read_move(position, move))
    return Past(0, move, "South rolls.", position, played.position, game.layout(position), played.events)


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(4, 30))
def test_a_shield_is_told_with_what_it_lost(face: int, shield: int) -> None:
    begun = kaxxt.start({})
    before = kaxxt.play(replace(begun, shields=(shield, 30)), kaxxt.read_move(begun, "roll")).position
    past = past_of(kaxxt, before, f"={face}")
    lost = shield - past.after.shields[0]
    said = changes(kaxxt, past, Palette())
    assert said == ((f"South: {shield - lost} of 30 (−{lost})",) if lost else ())
    assert told(kaxxt, past, Palette()) == " ".join(["South rolls.", *(f"{one}." for one in said)])
    assert {card.name for card in extras(kaxxt).cards(past.after) if card.most} >= {"South", "North", "Kaxxt"}


def test_what_a_tile_of_the_tower_was_worth_is_told_with_the_points_by_now() -> None:
    down = "(C5).?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?"
    before = kdak.read_position(f"duel {down} 1b,0b 1 move open 9,11 0,0 - -")
    past = past_of(kdak, before, "0a")
    assert changes(kdak, past, Palette()) == ("Kaka: 16 (+5)",)
    assert told(kdak, past, Palette()) == "South rolls. Kaka: 16 (+5)."
    again = past_of(kdak, kdak.read_position(f"duel {down.replace('(C5)', 'C5')} 1b,0b 1 move open 9,11 0,0 - -"), "0a")
    assert changes(kdak, again, Palette()) == ()


def test_what_the_rules_had_told_stands_beside_the_action_and_is_read_out() -> None:
    bench = Bench("chaos")
    begun = chaos.play(chaos.start({}), chaos.read_move(chaos.start({}), "r3,5")).position
    first = chaos.play(begun, chaos.read_move(begun, "r3^0,0,0")).position
    past = past_of(chaos, first, "y3^182,0,0")  # 156.6 mm from edge to edge
    doubt = "It is 4.2 mm more than six inches from the nearest piece: let it stand, or measure."
    assert changes(chaos, past, Palette()) == (doubt,)
    assert told(chaos, past, Palette()) == f"South rolls. {doubt}"
    order(bench, "begin")
    for move in ("r3,5", "r3^0,0,0", "y3^182,0,0"):
        reading = bench.table.enter(chaos.read_move(bench.position, move))
    assert doubt in reading.text
    shown = Painter().snapshot(bench.table)
    assert shown.record[-1].changes == (doubt,)
    assert doubt in shown.last_text


def test_an_annihilation_is_told_with_the_shield_that_it_took() -> None:
    loop = "area.south=r3@0.0,-110.0>180.0 area.north=r2@0.0,110.0>180.0"
    before = kaxxt.read_position(
        f"shields=30,30 kaxxt=30 turn=south target=south phase=roll bag=r1b1b2b3g1g2g3y1y2y3k1k2k3 {loop}"
    )
    past = past_of(kaxxt, before, "=1")
    lost, why = "South: 0 of 30 (−30), out", "Stack overflow: South is annihilated."
    assert changes(kaxxt, past, Palette()) == (lost, "North: 28 of 30 (−2)", why)
    assert told(kaxxt, past, Palette()).endswith(why)
    assert why in reported([past], Palette())
