"""What is written beside weights: the command that made them."""

import shlex
import sys
from pathlib import Path


def command_line(module: str) -> str:
    """This run's command, without the folders of the machine that runs it."""
    return shlex.join(["python", "-m", f"companion.training.{module}", *map(_short, sys.argv[1:])])


def _short(argument: str) -> str:
    return Path(argument).name if "/" in argument else argument
