"""Ataxx and Hexxagon from rendered frames and from photographs: no wrong move, every unlawful action refused."""

import dataclasses

import pytest

from companion.demo.fast import play_fast
from companion.eye_options import read_eye_options
from companion.games import game
from companion.photographs import photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for, look_options
from companion.simulator.playbook import Playbook, load
from companion.simulator.random_games import disturbed, random_steps
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

FIRST_SEED = 3_000_100  # of the tables


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), [("ataxx", {"board": 7}), ("hexxagon", {})])
def test_a_random_disturbed_film_is_refereed_without_a_wrong_move(name, options):
    module = game(name)
    start = module.start(options)
    steps, _ = random_steps(module, start, 6, 2, 0.1)
    book = Playbook("random", module, options, {}, tuple(disturbed(module, start, steps, 0.35, 2)))
    result = play_fast(book, design_for(name, module.layout(start), seed=FIRST_SEED), seed=2)
    assert result.read == result.played
    assert result.agreed, result


@pytest.mark.long
@pytest.mark.parametrize("name", ["ataxx", "hexxagon"])
def test_photographs_of_a_game_are_refereed(name, tmp_path):
    book = load(name, "unlawful")
    start = book.game.layout(book.start())
    design = dataclasses.replace(design_for(name, start), seed=FIRST_SEED + 7)
    script = Script(book.game, book.start(), book.steps, Setting(furnish(design), 1), Timing(), 1)
    shown = write_album(script.beats(), design, tmp_path)
    look = look_options(design, tmp_path)

    def eye():
        return read_eye_options(name, None, look.get("markers", "600,380,40"), look["board"], None, None).eye()

    run = photographed_run(eye, name, book.options)
    lines = list(run.run([path for path in pictures_in(tmp_path) if path.stem.isdigit()]))
    played = iter(script.record)
    for what, line in zip(shown, lines, strict=True):
        if what.startswith("moved"):
            assert (line.reading.kind, line.reading.moves) == ("move", (next(played),)), (what, line)
        elif what.startswith("unlawful"):
            assert (line.reading.kind, line.reading.rule is not None) == ("unlawful", True), (what, line)
        elif what.startswith("put"):
            assert line.reading.kind == "take-back", (what, line)
    assert lines[-1].position == book.game.write_position(script.position)
