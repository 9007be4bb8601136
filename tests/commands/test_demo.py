"""`companion demo` as a person calls it."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import run

from companion.errors import UnreadableText
from companion.games import GAMES
from companion.simulator.playbook import names
from companion.vision.errors import UnusableWeights


@pytest.mark.parametrize("words", [("demo", "--fast", "--script", "nudge"), ("play", "khet")])
def test_a_seed_is_no_negative_number(words):
    refused = run(*words, "--seed", "-1")
    assert refused.exit_code == 2
    assert "'--seed': -1 is not in the range x>=0" in refused.output


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--seed", "3"), "--seed belongs to --fast"), (("--fast", "--port", "8081"), "--port belongs to a page")],
)
def test_what_would_not_be_heeded_is_refused(words, said):
    refused = run("demo", "--script", "nudge", *words)
    assert refused.exit_code == 2
    assert said in refused.output


def test_the_scripts_of_all_games_are_listed_or_those_of_the_game_that_is_named():
    assert run("demo", "--script", "list").output.split() == [name for game in GAMES for name in names(game)]
    assert run("demo", "--script", "list", "--game", "chaos").output.split() == names("chaos")


def test_what_is_listed_is_found_without_its_game(monkeypatch):
    agreed = SimpleNamespace(agreed=True, lines=list)
    monkeypatch.setattr("companion.demo.fast.play_fast", lambda book, seed, tell: agreed)
    for game in GAMES:
        for name in names(game):
            assert run("demo", "--script", name, "--fast").output.startswith(f"{name}: ")


@pytest.mark.parametrize("script", ["list", "classic"])
def test_a_game_that_there_is_none_of_has_no_scripts(script):
    refused = run("demo", "--game", "nope", "--script", script, "--fast")
    assert isinstance(refused.exception, UnreadableText)
    assert str(refused.exception).startswith("no game is called 'nope'; there are khet, ")


def test_a_game_that_cannot_be_looked_at_is_not_played_through_unseen(monkeypatch):
    def torn(eyes, game, corners):
        raise UnusableWeights(Path("khet.onnx"), "torn")

    monkeypatch.setattr("companion.sets.stored_eyes.StoredEyes.open", torn)
    refused = run("demo", "--script", "nudge", "--fast")
    assert isinstance(refused.exception, UnusableWeights)
    assert str(refused.exception).startswith("khet.onnx cannot be used (torn): install the companion again")
