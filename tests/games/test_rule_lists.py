"""The numbered rules of every game: none is missing, each is a sentence, and what enforces it is there."""

import importlib
from operator import attrgetter

import pytest

from companion.games import GAMES, game


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_points_to_what_enforces_it(name: str) -> None:
    rules = game(name).RULES
    assert len({rule.number for rule in rules}) == len(rules)
    for rule in rules:
        place, _, path = rule.enforced_in.partition(":")
        assert attrgetter(path)(importlib.import_module(place)) is not None, rule
        assert len(rule.text.split()) > 2
        assert rule.text.endswith(".")


@pytest.mark.parametrize(
    ("name", "letter", "rules", "readings"),
    [
        ("ataxx", "A", range(1, 18), range(1, 11)),
        ("hexxagon", "A", range(1, 18), range(1, 11)),
        ("kaxxt", "X", range(1, 31), range(1, 26)),
        ("chaos", "C", range(1, 21), range(1, 22)),
        ("kdak", "K", range(30), range(1, 26)),
    ],
)
def test_no_number_is_missing(name: str, letter: str, rules: range, readings: range) -> None:
    numbers = [rule.number for rule in game(name).RULES]
    assert numbers == [f"{letter}{n}" for n in rules] + [f"{letter}A{n}" for n in readings]
