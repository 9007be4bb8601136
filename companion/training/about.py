"""What is written beside weights: when and by which command they were made, and what else is told of them."""

import datetime
import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def made_by(module: str, **told: Any) -> dict[str, Any]:
    """Of weights that are made now, by this module."""
    return {"made": datetime.date.today().isoformat(), "command": _command_line(module), **told}


def write_about(path: Path, about: Mapping[str, Any]) -> None:
    """Write what is told of weights."""
    path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def _command_line(module: str) -> str:
    """This run's command, without the folders of the machine that runs it."""
    return shlex.join(["python", "-m", f"companion.training.{module}", *map(_short, sys.argv[1:])])


def _short(argument: str) -> str:
    return Path(argument).name if "/" in argument else argument
