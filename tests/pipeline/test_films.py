"""Whole games from rendered frames, with hands, shadows and askew pieces: no wrong move is ever committed."""

import pytest
from random_games import design, measured, playbook

from companion.demo.fast import play_fast
from companion.games import GAMES, game
from companion.simulator.designs import design_for, has_room
from companion.simulator.playbook import Playbook, load, names
from companion.simulator.random_games import disturbed, random_steps


def test_a_short_film_is_refereed_as_it_was_played(tmp_path):
    result = play_fast(playbook(4, 2, mischief=0.0), design(4), seed=4, look=measured(design(4), tmp_path))
    assert result.read == result.played
    assert result.agreed, result


FILMS, TOGETHER = range(40, 60), 5
ASKED = 1  # of about 25 moves, about which players may be asked which way a piece was turned


@pytest.mark.long
@pytest.mark.parametrize("first", FILMS[::TOGETHER])
def test_twenty_random_films_are_refereed_without_a_wrong_move(first, tmp_path):
    asked = 0
    for seed in range(first, first + TOGETHER):
        result = play_fast(playbook(seed, 5), design(seed), seed=seed, look=measured(design(seed), tmp_path))
        assert result.read == result.played[: len(result.read)], f"a wrong move was committed in game {seed}: {result}"
        assert result.agreed, f"game {seed} got stuck: {result}"
        asked += result.asked
    assert asked <= ASKED


OTHERS = [("ataxx", {"board": 7}, 21), ("ataxx", {"board": 9, "blocked": "corners"}, 22), ("hexxagon", {}, 23)]
FREE = [("chaos", {"seats": 3}, 24), ("chaos", {"seats": 2}, 25)]
PLIES, MISCHIEF = 8, 0.5


@pytest.mark.long
@pytest.mark.parametrize(("name", "options", "seed"), OTHERS + FREE)
def test_disturbed_random_films_of_other_games_are_refereed_as_they_were_played(name, options, seed):
    rules = game(name)
    start = rules.start(options)
    room = has_room(design_for(name, rules.layout(start)))
    lawful, _ = random_steps(rules, start, PLIES, seed, room=room)
    steps = disturbed(rules, start, lawful, MISCHIEF, seed, room)
    result = play_fast(Playbook(f"random {seed}", rules, options, {}, tuple(steps)), seed=seed)
    assert result.agreed, result


@pytest.mark.long
@pytest.mark.parametrize("name", [name for rules in GAMES for name in names(rules)])
def test_every_shipped_script_is_refereed_as_it_says(name):
    result = play_fast(load(name.partition("_")[0], name))
    assert result.agreed, result
