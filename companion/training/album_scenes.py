"""A scripted game as photographs of another make: every still table path traced, to be refereed from its folder.

`python -m companion.training.album_scenes chaos_classic --seed 9700000 --out FOLDER` writes the pictures with what they
show, the lens and the board, and says how `companion run` is to be called; needs mitsuba. Five seconds of one core a
picture. The scripts are those of `companion demo --script list`.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.simulator.album import write_album
from companion.simulator.design import Furniture, furnish, scene_of
from companion.simulator.designs import design_for
from companion.simulator.playbook import Playbook, load
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.state import TableState
from companion.training.path_tracing import traced
from companion.training.pyramid_lessons import TRACED
from companion.training.pyramid_scenes import solids_on


def trace_album(book: Playbook, seed: int, folder: Path) -> Furniture:
    """Write the album of a script at the table of that seed; gives what stands and lies there."""
    design = dataclasses.replace(design_for(book.game.NAME, book.game.layout(book.start())), seed=seed)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, 1), Timing(), 1)
    stills = [beat for beat in script.beats() if beat.still and not beat.entered]

    def photograph(number: int, state: TableState) -> NDArray[np.uint8]:
        scene = scene_of(furniture, state)
        return traced(
            scene, furniture.sensor, solids_on(scene, np.random.default_rng([seed, 67]), TRACED), seed, number=number
        )

    write_album(stills, design, folder, book.game.NAME, photograph)
    return furniture


def main() -> None:
    """Trace an album, and say how to have it refereed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("script")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    game = given.script.partition("_")[0]
    book = load(game, given.script)
    furniture = trace_album(book, given.seed, given.out)
    scene = furniture.scene
    (given.out / "lens.json").write_text(json.dumps(scene.camera.lens.to_json()), encoding="utf-8")
    sheets = scene.markers
    told = [
        f"--lens {given.out / 'lens.json'}",
        f"--markers {sheets.width_mm:g},{sheets.height_mm:g},{sheets.side_mm:g}",
    ]
    if (shape := furniture.design.shape) is not None:
        (given.out / "board.json").write_text(json.dumps(dataclasses.asdict(shape)), encoding="utf-8")
        told.append(f"--board {given.out / 'board.json'}")
    told += [f"--option {name}={value}" for name, value in book.options.items()]
    print(f"companion run --game {game} {' '.join(told)} --camera folder:{given.out} --fast --exit --json")


if __name__ == "__main__":
    main()
