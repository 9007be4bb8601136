"""JSON from anywhere is a position or a move of a game, or it is refused; never anything else."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import OddPosition, UnreadableText
from companion.games import GAMES, game
from companion.games.base import Game

plain = st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.text("rbgyk123ahxo", max_size=4)
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner))


@cache
def some(name: str) -> list[dict[str, Any]]:
    """Positions and moves of a short game, as JSON."""
    rules: Game = game(name)
    position, found = rules.start({}), []
    for ply in range(14):
        moves = [move for move, _ in rules.chance(position)] or list(rules.moves(position))
        if not moves:
            break
        move = moves[ply * 7 % len(moves)]
        found += [rules.to_json(position), rules.to_json(move)]
        position = rules.play(position, move).position
    return found


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_any_json_is_read_or_refused(name: str, data: st.DataObject) -> None:
    rules = game(name)
    value: Any = data.draw(values | st.sampled_from(some(name)))
    if isinstance(value, dict) and value:
        key = data.draw(st.sampled_from(sorted(value)))
        value = {**value, key: data.draw(values | st.just(value[key]))}
    try:
        read = rules.from_json(value)
    except (UnreadableText, OddPosition) as error:
        assert str(error)
        return
    assert rules.from_json(json.loads(json.dumps(rules.to_json(read)))) == read


@pytest.mark.parametrize("name", GAMES)
def test_untouched_json_is_read(name: str) -> None:
    rules = game(name)
    assert all(rules.to_json(rules.from_json(data)) == data for data in some(name))
