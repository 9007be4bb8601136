"""What is played without asking whether it is lawful, in every game that offers it: a host lets it stand."""

import itertools
import random
from functools import cache

import pytest

from companion.errors import IllegalMove
from companion.games import GAMES, game
from companion.games.base import Move, Position
from companion.games.extras import extras

OFFERED = [name for name in GAMES if extras(game(name)).carry_out is not None]
SEEDS = range(3)


@cache
def line(name: str, seed: int) -> list[tuple[Position, Move]]:
    """The first positions of a game at random, each with what is played there."""
    rules, rng, played = game(name), random.Random(seed), []
    position = rules.start({})
    while len(played) < 25 and rules.outcome(position) is None:
        move = rng.choice([move for move, _ in rules.chance(position)] or list(rules.moves(position)))
        played.append((position, move))
        position = rules.play(position, move).position
    return played


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_lawful_is_carried_out_as_it_is_played(name: str, seed: int) -> None:
    rules, carry_out = game(name), extras(game(name)).carry_out
    for position, move in line(name, seed):
        assert carry_out(position, move).position == rules.play(position, move).position


@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_carried_out_anywhere_leads_to_where_play_goes_on_or_is_refused(name: str, seed: int) -> None:
    rules, carry_out = game(name), extras(game(name)).carry_out
    for (position, _), (_, move) in itertools.product(line(name, seed), repeat=2):
        try:
            after = carry_out(position, move).position
        except IllegalMove as refusal:
            assert refusal.remedy
            continue
        assert rules.from_json(rules.to_json(after)) == after
        assert rules.to_move(after) is not None or rules.outcome(after) is not None or rules.chance(after)
