"""The options that `look`, `teach` and `run` share: lens, markers, board, corners and taught looks."""

from collections.abc import Callable
from typing import Any

import click

from companion.commands.paths import FILE, FOLDER

_OPTIONS = (
    click.option("--lens", type=FILE, default=None, help="Lens model (JSON); else the stored calibration, or a guess."),
    click.option(
        "--markers",
        default=None,
        help="W,H[,SIDE]: mm between the middles of the printed markers, and a marker's side; else 600,380,40, "
        "or for the service what the configuration says.",
    ),
    click.option("--board", type=FILE, default=None, help="Board (JSON): cols, rows, cell_mm ..., its pose if known."),
    click.option("--corners", type=FILE, default=None, help="Without markers: the four corners of the cells (JSON)."),
    click.option("--taught", type=FOLDER, default=None, help="Folder with what `companion teach` learned of this set."),
)


def eye_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a click command; they arrive as lens, markers, board, corners and taught."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
