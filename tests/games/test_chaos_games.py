"""Chaos: whole random games, notation both ways, and a state machine that also tries what is not lawful."""

import json
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.errors import IllegalMove, OddPosition
from companion.games import chaos
from companion.games.chaos.colours import RINGS
from companion.games.chaos.notation import oddities
from companion.games.chaos.position import Move, Position, standing
from companion.games.chaos.spots import spots
from companion.games.options import placed

VARIANTS = ((2, 4), (3, 6), (2, 10), (5, 12))


def some_positions(seed: int, plies: int) -> list[Position]:
    """The first plies of a random game."""
    rng = random.Random(seed)
    players, colours = VARIANTS[seed % 4]
    position = chaos.start({"seats": players, "colours": colours})
    positions = [position]
    while chaos.to_move(position) is not None and len(positions) < plies:
        position = chaos.play(position, rng.choice(list(chaos.moves(position)))).position
        positions.append(position)
    return positions


def test_a_whole_game_ends() -> None:
    last = some_positions(0, 1000)[-1]
    assert chaos.outcome(last) is not None
    assert not list(chaos.moves(last))


@pytest.mark.parametrize("seed", range(4))
def test_texts_and_json_both_ways(seed: int) -> None:
    for position in some_positions(seed, 25):
        assert chaos.read_position(chaos.write_position(position)) == position
        assert chaos.from_json(json.loads(json.dumps(chaos.to_json(position)))) == position
        for move in list(chaos.moves(position))[:20]:
            assert chaos.read_move(position, chaos.write_move(position, move)) == move
            assert chaos.from_json(chaos.to_json(move)) == move


class Table(RuleBasedStateMachine):
    """Places pieces well and badly; a refusal names its rule and how far off, and changes nothing."""

    position: Position

    @initialize(variant=st.sampled_from(VARIANTS))
    def begin(self, variant: tuple[int, int]) -> None:
        self.position = chaos.start({"seats": variant[0], "colours": variant[1]})

    @rule(data=st.data())
    def lawful(self, data: Any) -> None:
        moves = list(chaos.moves(self.position))
        if moves:
            before = self.position
            self.position = chaos.play(before, data.draw(st.sampled_from(moves))).position
            assert len(self.position.pieces) - len(before.pieces) in (0, 1)

    @rule(
        colour=st.integers(0, 11),
        size=st.sampled_from(("large", "medium", "small")),
        pose=st.sampled_from(("upright", "lying")),
        x=st.floats(-500, 500),
        y=st.floats(-350, 350),
        heading=st.floats(0, 360),
    )
    def anywhere(self, colour: int, size: str, pose: str, x: float, y: float, heading: float) -> None:
        ring = RINGS[self.position.house.colours]
        piece = standing(ring[colour % len(ring)], size, pose, x, y, heading)
        try:
            turn = chaos.play(self.position, Move("place", piece=piece))
        except IllegalMove as refusal:
            assert refusal.rule.startswith("C")
            assert refusal.remedy
        else:
            assert self.position.phase == "place"
            self.position = turn.position

    @invariant()
    def nothing_is_odd(self) -> None:
        assert oddities(self.position) == ()

    @invariant()
    def every_piece_is_accounted_for(self) -> None:
        left = sum(map(sum, self.position.array))
        taken = sum(map(len, self.position.captured))
        assert left + taken + len(self.position.pieces) == 15 * self.position.house.colours

    @invariant()
    def never_more_defenders_than_players(self) -> None:
        for colour in RINGS[self.position.house.colours]:
            upright = [p for p in self.position.pieces if p.colour == colour and p.pose == "upright"]
            lying = [p for p in self.position.pieces if p.colour == colour and p.pose == "lying"]
            assert len(upright) <= self.position.house.players
            assert not lying or len(upright) == self.position.house.players


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


def test_every_spot_is_lawful() -> None:
    for position in some_positions(2, 30)[1:]:
        for colour in dict.fromkeys(position.dice):
            for piece in spots(position, colour):
                assert chaos.play(position, Move("place", piece=piece)).position.pieces[-1] == piece


def test_odd_positions_say_why() -> None:
    with pytest.raises(OddPosition, match="not 5"):
        chaos.read_position("2/4 0 roll - 555/555/555/555 -/- r3^0.0,0.0,0.0 0 -")
    with pytest.raises(OddPosition, match="another piece"):
        chaos.read_position("2/4 0 roll - 455/455/555/555 -/- r3^0.0,0.0,0.0;y3^5.0,0.0,0.0 0 -")
    with pytest.raises(OddPosition, match="is not played"):
        chaos.read_position("2/4 0 place p 555/555/555/555 -/- - 0 -")


@pytest.mark.parametrize(("word", "colours"), [("4", 4), ("six", 6), ("twelve-colours", 12), ("Four colours", 4)])
def test_a_variant_is_named_by_its_colours(word: str, colours: int) -> None:
    assert placed(chaos.OPTIONS, "variant", word) == {"colours": colours}
