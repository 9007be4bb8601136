"""What only rare combinations show, in several games: each of these was wrong once."""

from dataclasses import replace

import pytest

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.events import Event, GameOver, Told, TurnBegan
from companion.games import ataxx, chaos, hexxagon, kdak, khet
from companion.games.base import Game, Position, Turn
from companion.games.chaos import geometry as g
from companion.games.chaos.aim import close_call
from companion.games.chaos.position import House, Standing, standing


def played(game: Game, position: Position, *texts: str) -> Turn:
    """The last turn after these moves."""
    turn = Turn(position)
    for text in texts:
        turn = game.play(turn.position, game.read_move(turn.position, text))
    return turn


def kinds(events: tuple[Event, ...]) -> set[type]:
    return {type(event) for event in events}


# --- Ataxx --------------------------------------------------------------------------------------------------------


AT_100 = "x5o/7/7/7/7/7/o5x x 100 51"


def test_aa6_a_drop_ends_what_a_draw_was_offered_for() -> None:
    offered = played(ataxx, ataxx.read_position(AT_100), "draw?").position
    dropped = played(ataxx, offered, "b7").position
    assert dropped.offered_by is None
    assert ataxx.read_position(ataxx.write_position(dropped)) == dropped
    assert played(ataxx, offered, "a7c7").position.offered_by == 0


def test_aa7_a_pass_that_nobody_chose_declines_no_draw() -> None:
    walled = ataxx.read_position("x6/7/7/7/---4/---4/o--4 x 100 51")
    offered = played(ataxx, walled, "draw?", "a7c7").position
    passed = played(ataxx, offered, "0000").position
    assert (passed.turn, passed.offered_by) == (0, 0)
    again = played(ataxx, passed, "c7e7").position
    assert ataxx.outcome(played(ataxx, again, "draw!").position).rule == "AA6"


def test_aa6_no_draw_is_offered_in_a_game_that_is_over() -> None:
    turn = played(ataxx, ataxx.read_position("x2o3/7/7/7/7/7/7 x 99 50"), "a7c7")
    assert GameOver in kinds(turn.events)
    assert Told not in kinds(turn.events)


def test_a_move_of_ataxx_has_one_spelling() -> None:
    start = ataxx.start({})
    lawful = next(move for move in ataxx.moves(start) if move.kind == "drop")
    text = ataxx.write_move(start, lawful)
    assert ataxx.read_move(start, f"{text}=x") == lawful
    nobody = ataxx.read_move(start, "d4c4")
    assert ataxx.write_move(start, nobody) == "d4c4"
    with pytest.raises(IllegalMove):
        ataxx.play(start, nobody)


def test_hexxagon_takes_no_square_board_from_json() -> None:
    with pytest.raises(UnreadableText, match="Hexxagon"):
        hexxagon.from_json(ataxx.to_json(ataxx.start({})))
    start = hexxagon.start({})
    assert hexxagon.from_json(hexxagon.to_json(start)) == start
    move = next(iter(hexxagon.moves(start)))
    assert hexxagon.from_json(hexxagon.to_json(move)) == move


# --- Khet ---------------------------------------------------------------------------------------------------------


def test_a_drawn_position_of_khet_keeps_its_house_rules() -> None:
    chosen = {"swap_into_reserved": "yes", "both_pharaohs": "draw", "repetition": "automatic"}
    position = khet.start({"layout": "osiris-1.0", **chosen})
    again = khet.read_position(khet.draw(position))
    assert again.house == position.house
    assert khet.write_position(again) == khet.write_position(position)


# --- K'Dak --------------------------------------------------------------------------------------------------------


def test_ka8_nobody_stays_on_a_tile_that_the_switch_turned_down_though_he_fell_onto_it() -> None:
    start = "cooperative S5.?.?.?.?.?/?.?.?.?.C3.?/?.?.?.?.?.?/?.?.?.?.?.? 0a,4b 0 move shut 0,0 0,0 - -"
    fallen = played(kdak, kdak.read_position(start), "1a", "=A2", "r1", "x1a").position
    assert fallen.pawns[0].fallen
    switched = played(kdak, fallen, "5b", "=M4", "r2", "x2d", "=Mn").position
    assert not switched.tower[0][0].up
    assert "stay" not in [kdak.write_move(switched, move) for move in kdak.moves(switched)]


def test_k27_the_next_turn_of_one_who_is_alone_begins() -> None:
    start = "solitaire S5.?.?.?.?.?/C3.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? 0a 0 move open 0 1 - -"
    turn = played(kdak, kdak.read_position(start), "coin", "0b")
    assert TurnBegan in kinds(turn.events)


def test_two_explorers_have_pawns_of_two_suits() -> None:
    for chosen in ({"first_pawn": "arms"}, {"second_pawn": "moons"}):
        pawns = kdak.start(chosen).house.pawns
        assert len(set(pawns)) == 2
        assert set(chosen.values()) <= set(pawns)
    with pytest.raises(UnreadableText, match="both pawns cannot be of suns: choose another suit for one of them"):
        kdak.start({"first_pawn": "suns", "second_pawn": "suns"})
    kdak.start({"variant": "solitaire", "first_pawn": "arms", "second_pawn": "arms"})


# --- Chaos --------------------------------------------------------------------------------------------------------


def chaos_table(*pieces: Standing, **fields: object) -> chaos.Position:
    """A position in which these lie and the array gives white small ones, to be placed by two white dice."""
    start = chaos.start({})
    given: dict[str, object] = {"array": ((0, 0, 4), *start.array[1:]), "dice": ("white", "white"), "phase": "place"}
    return replace(start, pieces=pieces, **{**given, **fields})  # type: ignore[arg-type]


def at_edge(edge: g.Edge, along_mm: float, out_mm: float) -> tuple[float, float]:
    """The place so far along an edge and so far outside it."""
    nx, ny = g.direction(edge.normal_deg)
    share = along_mm / edge.length
    x, y = (a + (b - a) * share for a, b in zip(edge.start, edge.end, strict=True))
    return x + nx * out_mm, y + ny * out_mm


def test_ca2_only_what_a_capture_hangs_on_is_a_close_call() -> None:
    support, shooter = standing("blue", "large", "upright", -12.7, 0), standing("blue", "large", "lying", 23.1, 0, 0)
    tip = g.tip(shooter)[0]
    red = standing("red", "large", "upright", tip + 10 + 17.96, -17.96 + 3.5, 45)
    cyan = standing("cyan", "small", "upright", tip + 19, 0.6 + 7.145)
    grazed = standing("cyan", "large", "upright", tip + 60, 12.7)
    far = standing("cyan", "large", "upright", tip + 150 + 17.96, 17.96 - 1.0, 45)
    pressed = standing("red", "large", "upright", tip + 12.2, 0)
    had = {"captured": ((("cyan", "large"),), ())}
    gone = chaos.start({}).array
    gone = (*gone[:6], (0, 0, 0), *gone[7:])  # of cyan
    assert close_call(chaos_table(support, red, cyan), shooter) == cyan  # the red one's corner is nearer, its rim not
    assert close_call(chaos_table(support, grazed), shooter) == grazed
    assert close_call(chaos_table(support, grazed, **had), shooter) is None
    assert close_call(chaos_table(support, grazed, array=gone), shooter) is None
    assert close_call(chaos_table(support, far), shooter) is None
    assert close_call(chaos_table(support, pressed, grazed), shooter) is None


def test_c4_no_die_is_skipped_for_a_place_between_two_tips() -> None:
    lying = standing("white", "large", "lying", 12.7 + g.slant_mm("large") / 2, 0)
    upright = [standing("white", "large", "upright", x, 0) for x in (0, -178)]
    edge, other = g.supports(lying)
    tips = []
    for along, colour in ((7, "red"), (26.5, "green"), (41, "black")):
        heading = (edge.normal_deg + 180) % 360
        dx, dy = g.direction(heading)
        x, y = at_edge(edge, along, 6.0)
        tips.append(standing(colour, "small", "lying", x - dx * 23.1 / 2, y - dy * 23.1 / 2, heading))
    beside = [(x + u, v) for x in (0, -178) for u, v in ((0, 28), (0, -28), (-28, 0), (28, 0)) if (x, u) != (0, 28)]
    walls = [standing("orange", "large", "upright", *place) for place in beside]
    walls.append(standing("blue", "large", "upright", *at_edge(other, other.length / 2, 18), other.normal_deg))
    position = chaos_table(*upright, lying, *tips, *walls)
    assert {move.kind for move in chaos.moves(position)} == {"place"}
    with pytest.raises(IllegalMove, match="can be placed"):
        played(chaos, position, "skip w")


def test_ca6_two_small_ones_do_not_share_the_edge_of_a_large_one() -> None:
    defenders = [standing("white", "large", "upright", 0, y) for y in (0, -178)]
    out = 12.7 + g.slant_mm("small") / 2
    first = played(chaos, chaos_table(*defenders), f"w1>{out:.1f},6.4,0").position
    with pytest.raises(IllegalMove) as refused:
        played(chaos, first, f"w1>{out:.1f},-6.4,0")
    assert refused.value.rule == "CA6"
    side = g.supports(standing("white", "large", "lying", 60, 90, 90))[0]  # three small ones fit on 46 mm
    wide = chaos_table(*defenders, standing("white", "large", "lying", 60, 90, 90))
    for along in (8, 23):
        x, y = at_edge(side, along, g.slant_mm("small") / 2)
        wide = played(chaos, wide, f"w1>{x:.1f},{y:.1f},{side.normal_deg:.1f}").position


def test_c4_what_is_let_stand_takes_the_die_that_was_not_read() -> None:
    position = played(chaos, chaos.start({}), "r1,1", "w3^0,0", "w3^177.8,0", "r8,?").position
    far = chaos.read_move(position, "r3^-300,0")
    assert chaos.carry_out(position, far).position.dice == ("blue",)


def test_c18_a_colour_that_is_not_played_is_refused_with_a_rule() -> None:
    position = played(chaos, chaos.start({"colours": 6}), "r1,?").position
    purple = chaos.read_move(position, "p3^0,0")
    for carry_out in (chaos.play, chaos.carry_out):
        with pytest.raises(IllegalMove, match="not played with 6"):
            carry_out(position, purple)


def test_c17_the_end_of_a_game_with_points_names_points() -> None:
    ring = ("red", "yellow", "green", "blue")
    every, three = tuple((c, "small") for c in ring), tuple((c, "large") for c in ring[:3])
    points = House(2, 4, score_by_size=True)
    won = chaos.Position(points, captured=(every, three[:1]), phase="over")
    assert chaos.outcome(won).text == "Player 1 wins with 4 points."
    tied = replace(won, captured=(every, (("red", "large"), ("blue", "small"))))
    assert (chaos.outcome(tied).reason, chaos.outcome(tied).rule) == ("all-colours", "C1")
    stuck = replace(won, captured=(three, every[:3]), stuck=True)
    assert chaos.outcome(stuck).text.endswith("Player 1 has most, 9 points.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2/4 0 over - 555/555/555/555 -/- - 0 -", "only then"),
        ("2/4 0 roll - 555/555/555/555 -/- - 0 stuck", "only then"),
        ("2/4 0 roll - 455/455/455/455 r3y3g3b3/- - 0 -", "only then"),
        ("2/4 0 over - 455/455/455/455 r3y3g3b3/- - 0 stuck", "not stuck"),
    ],
)
def test_c1_a_game_of_chaos_is_over_exactly_when_it_is_won_or_stuck(text: str, reason: str) -> None:
    with pytest.raises(OddPosition, match=reason):
        chaos.read_position(text)


def test_two_dice_that_were_not_read_are_named_as_such() -> None:
    card = chaos.cards(played(chaos, chaos.start({}), "r?,?").position)[0]
    assert card.text == "to place: what the dice show"
