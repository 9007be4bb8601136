"""K'Dak's Tower: whole random games, notation both ways, secrets, and a state machine beside a naive count."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from turns import kinds, played

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.events import TurnBegan
from companion.games import kdak
from companion.games.kdak import tower as t
from companion.games.kdak.notation import oddities
from companion.games.kdak.position import Move, Position
from companion.view import TableView

VARIANTS = ("duel", "talisman", "solitaire", "cooperative")


def random_game(seed: int) -> list[Position]:
    rng = random.Random(seed)
    position = kdak.start({"variant": VARIANTS[seed % 4]})
    positions = [position]
    while kdak.to_move(position) is not None:
        faces = [move for move, _ in kdak.chance(position)]
        position = kdak.play(position, rng.choice(faces or list(kdak.moves(position)))).position
        positions.append(position)
    return positions


@pytest.mark.parametrize("seed", range(8))
def test_random_games_end_and_read_back(seed: int) -> None:
    positions = random_game(seed)
    assert kdak.outcome(positions[-1]) is not None
    assert not list(kdak.moves(positions[-1]))
    for position in positions:
        text = kdak.write_position(position)
        assert kdak.read_position(text) == position
        assert kdak.from_json(json.loads(json.dumps(kdak.to_json(position)))) == position
        for move in kdak.moves(position):
            spelling = kdak.write_move(position, move)
            assert kdak.read_move(position, spelling) == move
            assert kdak.from_json(kdak.to_json(move)) == move


@pytest.mark.parametrize("seed", range(4))
def test_gold_is_counted_once(seed: int) -> None:
    """After the switch each scored tile lies face-up or has left: points never exceed the gold that was seen."""
    for position in random_game(seed):
        seen = {*t.known(position.tower), *position.gone} - {"?"}
        assert sum(position.scores) <= sum(map(t.gold, seen))
        assert sum(position.scores) == 0 or position.door_open


class Tower(RuleBasedStateMachine):
    """Plays anything, lawful or not; a refused move changes nothing."""

    position: Position

    @initialize(variant=st.sampled_from(VARIANTS))
    def begin(self, variant: str) -> None:
        self.position = kdak.start({"variant": variant})

    @precondition(lambda self: kdak.to_move(self.position) is not None)
    @rule(data=st.data())
    def lawful(self, data: Any) -> None:
        moves = [move for move, _ in kdak.chance(self.position)] or list(kdak.moves(self.position))
        before = self.position
        turn = kdak.play(before, data.draw(st.sampled_from(moves)))
        self.position = turn.position
        assert turn.events[0].name == "acted"
        lost = sum(map(len, before.tower)) - sum(map(len, self.position.tower))
        assert lost in (0, 1)
        assert len(self.position.gone) - len(before.gone) == lost
        assert all(new >= old for new, old in zip(self.position.scores, before.scores, strict=True))

    @rule(data=st.data())
    def anything(self, data: Any) -> None:
        moves = list(kdak.candidates(self.position, TableView(0.0)))
        moves += [
            Move("stay"),
            Move("out"),
            Move("pass"),
            Move("coin"),
            Move("end"),
            Move("roll", level=3),
            Move("tile", tile="Sa"),
        ]
        move = data.draw(st.sampled_from(moves))
        legal = move in list(kdak.moves(self.position))
        try:
            kdak.play(self.position, move)
            assert legal
        except IllegalMove as refusal:
            assert not legal
            assert refusal.name
            assert refusal.rule.startswith("K")

    @invariant()
    def nothing_is_odd(self) -> None:
        assert oddities(self.position) == ()

    @invariant()
    def whoever_is_inside_stands_on_a_tile(self) -> None:
        for pawn in self.position.pawns:
            assert pawn.place is None or t.has(self.position.tower, pawn.place)

    @invariant()
    def spectators_see_no_hidden_face(self) -> None:
        public = kdak.seen_by(self.position, None)
        assert all(tile.up for column in public.tower for tile in column if tile.name is not None)


TestTower = Tower.TestCase
TestTower.settings = settings(max_examples=25, stateful_step_count=60, deadline=None)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=20) | st.from_regex(r"[x=r]?\s?[0-9a-zA-Z]{1,5}", fullmatch=True))
def test_any_move_text_is_read_or_refused(text: str) -> None:
    position = kdak.start({})
    try:
        move = kdak.read_move(position, text)
    except UnreadableText as error:
        assert "write" in str(error) or "place" in str(error) or "level" in str(error)
    else:
        assert kdak.read_move(position, kdak.write_move(position, move)) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("duel ?/?/?/? -,- 0 move shut 0,0 0,0 - -", "tiles in the tower"),
        ("duel Sa.?.?.?.?.?/Sa.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? -,- 0 move shut 0,0 0,0 - -", "twice"),
        ("solitaire ?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? -,- 0 move shut 0,0 0,0 - -", "pawns"),
        ("duel ?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? 5a,- 0 move shut 0,0 0,0 S2 -", "where no tile is"),
        ("duel ?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? 1a,- 7 move shut 0,0 0,0 - -", "no seat"),
        ("duel ?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? out,1a 0 move open 0,0 0,0 - -", "has left"),
    ],
)
def test_odd_positions_say_why(text: str, reason: str) -> None:
    with pytest.raises(OddPosition, match=reason):
        kdak.read_position(text)


def test_unknown_options_are_refused_with_what_is_allowed() -> None:
    with pytest.raises(UnreadableText, match="variant"):
        kdak.start({"varaint": "duel"})
    with pytest.raises(UnreadableText, match="solitaire"):
        kdak.start({"variant": "chess"})


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
