"""Kaxxt on Ice and Chaos from photographs: every placement read, every unlawful one refused with its rule."""

import dataclasses
import json

import pytest

from companion.agreement import same_layout
from companion.eye_options import read_eye_options
from companion.photographs import ONE_TABLE, photographed_run
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for
from companion.simulator.playbook import load
from companion.simulator.script import TOGETHER, Script, Timing
from companion.simulator.setting import Setting
from hardware.pictures import pictures_in

FIRST_SEED = 3_000_200  # of the tables
RULES = {  # that the unlawful placements of each script break, in order
    "kaxxt_classic": ["X19", "XA24", "X6"],
    "kaxxt_four": [],
    "chaos_classic": ["C8", "C9", "C11"],
    "chaos_double": ["C10", "C6", "C7"],
}

SEEDS = (0, 7, 2, 3)  # of the table for each


def photographed(name, seed, folder):
    """A script played and photographed, and what was read: (its script, [what a picture shows, its line], the run)."""
    book = load(name.partition("_")[0], name)
    design = dataclasses.replace(design_for(book.game.NAME, book.game.layout(book.start())), seed=FIRST_SEED + seed)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, 1), Timing(), 1)
    shown = write_album([beat for beat in script.beats() if beat.still and not beat.entered], design, folder)
    lens = folder / "lens.json"
    lens.write_text(json.dumps(furniture.scene.camera.lens.to_json()), encoding="utf-8")

    def eye():
        return read_eye_options(book.game.NAME, lens, "600,380,40", None, None, None).eye(ONE_TABLE)

    run = photographed_run(eye, book.game.NAME, book.options)
    lines = list(run.run([path for path in pictures_in(folder) if path.stem.isdigit()]))
    return script, list(zip(shown, lines, strict=True)), run


def bare(text):
    """A placement's pieces, without where they lie: "r3^", "put r3k2 y2"."""
    return " ".join(part.partition("@")[0].rstrip("0123456789.,-") for part in text.split(TOGETHER)[-1].split())


@pytest.mark.long
@pytest.mark.parametrize(("name", "seed"), list(zip(RULES, SEEDS, strict=True)))
def test_photographs_of_a_free_table_are_refereed(name, seed, tmp_path):
    script, pairs, run = photographed(name, seed, tmp_path)
    assert pairs[0][1].reading.kind == "set-up"
    rules = [line.reading.rule for shown, line in pairs if shown.startswith("unlawful")]
    assert rules == RULES[name]
    for shown, line in pairs:
        what, _, move = shown.partition(" ")
        if what == "moved" and not move.startswith("face"):
            assert line.reading.kind == "move", (shown, line)
            assert bare(line.reading.moves[-1]) == bare(move), (shown, line)
        elif what in ("put", "taken"):
            assert line.reading.kind == "take-back", (shown, line)
    game = script.game
    assert same_layout(game.layout(script.position), game.layout(run.desk.table.state.position))
