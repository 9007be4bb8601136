"""A game as photographs of another make: every still table path traced, to be refereed from its folder.

`python -m companion.training.album_scenes chaos_classic --seed 9700000 --out FOLDER` writes the pictures with what they
show, the lens and the board, and says how `companion run` is to be called; needs mitsuba. Five seconds of one core a
picture. The scripts are those of `companion demo --script list`; `random` instead draws the random games that
`companion bench albums` would play in the same environment, and says how that bench referees them.
"""

import argparse
import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.bench.random_game import called, plies, random_game, seeds, variants
from companion.simulator.album import write_album
from companion.simulator.design import TableDesign, furnish, scene_of
from companion.simulator.designs import design_for
from companion.simulator.playbook import load
from companion.simulator.script import Beat, Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.state import TableState
from companion.training.path_tracing import traced
from companion.training.pyramid_lessons import TRACED
from companion.training.pyramid_scenes import solids_on


def trace_album(beats: Iterable[Beat], design: TableDesign, folder: Path, game: str) -> list[str]:
    """As `write_album`, path traced."""
    furniture, seed = furnish(design), design.seed

    def photograph(number: int, state: TableState) -> NDArray[np.uint8]:
        scene = scene_of(furniture, state)
        solids = solids_on(scene, np.random.default_rng([seed, 67]), TRACED)
        return traced(scene, furniture.sensor, solids, seed, number=number)

    return write_album(beats, design, folder, game, photograph)


def trace_random(out: Path) -> None:
    """Albums of the games that the bench would play in this environment, each in a folder of its own."""
    for variant in variants():
        for seed in seeds():
            book, design = random_game(variant, plies(), seed)
            script = Script(book.game, book.start(), book.steps, Setting(furnish(design), seed), Timing(), seed)
            folder = out / called(variant, seed)
            made = trace_album((beat for beat in script.beats() if not beat.entered), design, folder, book.game.NAME)
            print(f"{folder}: {len(made)} pictures", flush=True)
    print(f"COMPANION_BENCH_PICTURES={out} companion bench albums")


def trace_script(name: str, seed: int, out: Path) -> None:
    """The album of one script, with what `companion run` is told, and how."""
    game = name.partition("_")[0]
    book = load(game, name)
    design = dataclasses.replace(design_for(book.game.NAME, book.game.layout(book.start())), seed=seed)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, 1), Timing(), 1)
    trace_album((beat for beat in script.beats() if not beat.entered), design, out, book.game.NAME)
    scene = furniture.scene
    (out / "lens.json").write_text(json.dumps(scene.camera.lens.to_json()), encoding="utf-8")
    sheets = scene.markers
    told = [
        f"--lens {out / 'lens.json'}",
        f"--markers {sheets.width_mm:g},{sheets.height_mm:g},{sheets.side_mm:g}",
    ]
    if (shape := furniture.design.shape) is not None:
        (out / "board.json").write_text(json.dumps(dataclasses.asdict(shape)), encoding="utf-8")
        told.append(f"--board {out / 'board.json'}")
    told += [f"--option {name}={value}" for name, value in book.options.items()]
    print(f"companion run --game {game} {' '.join(told)} --camera folder:{out} --fast --exit --json")


def main() -> None:
    """Trace an album, or several, and say how to have them refereed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("script")
    parser.add_argument("--seed", type=int, default=9_700_000, help="of the table of a script")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.script == "random":
        trace_random(given.out)
    else:
        trace_script(given.script, given.seed, given.out)


if __name__ == "__main__":
    main()
