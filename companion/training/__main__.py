"""Trains one of the networks from nothing, with its recipe: `python -m companion.training khet --lessons FOLDER`.

Makes the lessons, learns from them and writes the weights to companion/vision/weights, where git has those before.
"""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

from companion.training.folders import made_folder
from companion.training.recipes import RECIPES, steps

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Run a recipe's steps in order, and say where to go on when one fails."""
    parser = argparse.ArgumentParser(
        prog="python -m companion.training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("network", choices=RECIPES)
    parser.add_argument("--lessons", type=Path, required=True, help="folder that keeps the lessons")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="STEP", help="go on with this step")
    parser.add_argument("--show", action="store_true", help="print the steps and run none")
    given = parser.parse_args()
    commands = steps(given.network, given.lessons.resolve())
    if not 1 <= given.first <= len(commands):
        parser.error(f"--from: {given.network} has steps 1 to {len(commands)}")
    if not given.show:
        made_folder(given.lessons)
    for number, (module, *options) in list(enumerate(commands, start=1))[given.first - 1 :]:
        command = ["-m", f"companion.training.{module}", *options]
        print(f"step {number} of {len(commands)}: python {shlex.join(command)}", flush=True)
        if not given.show and (code := subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode):
            parser.exit(1, f"step {number} ended with {code}: put it right, then go on with --from {number}\n")


if __name__ == "__main__":
    main()
