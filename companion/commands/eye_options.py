"""The options that `look`, `teach` and `run` share: lens, markers, board, corners and taught looks."""

from collections.abc import Callable
from typing import Any

import click

from companion.commands.paths import FILE, FOLDER

_OPTIONS = (
    click.option("--lens", type=FILE, default=None, help="Lens model (JSON); else the stored calibration, or a guess."),
    click.option("--markers", default="600,380,40", show_default=True, help="W,H[,SIDE] of the table markers, in mm."),
    click.option("--board", type=FILE, default=None, help="Board (JSON): cols, rows, cell_mm ..., its pose if known."),
    click.option("--corners", type=FILE, default=None, help="Without markers: the field's four corners (JSON)."),
    click.option("--taught", type=FOLDER, default=None, help="Looks of this set, made by `companion teach`."),
)


def eye_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a click command; they arrive as lens, markers, board, corners and taught."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
