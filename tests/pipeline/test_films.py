"""Whole games from rendered frames, with hands, shadows and askew pieces: no wrong move is ever committed."""

import pytest
from random_games import design, playbook

from companion.demo import play_fast
from companion.simulator.playbook import load, names


def test_a_short_film_is_refereed_as_it_was_played():
    result = play_fast(playbook(4, 2, mischief=0.0), design(4), seed=4)
    assert result.read == result.played
    assert result.agreed, result


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40, 60))
def test_random_films_are_refereed_without_a_wrong_move(seed):
    result = play_fast(playbook(seed, 5), design(seed), seed=seed)
    assert result.read == result.played[: len(result.read)], "a wrong move was committed"
    assert result.agreed, result


@pytest.mark.long
@pytest.mark.parametrize("name", names("khet"))
def test_every_shipped_script_is_refereed_as_it_says(name):
    result = play_fast(load("khet", name))
    assert result.agreed, result
