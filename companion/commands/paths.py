"""Kinds of paths on the command line.

Whether one can be read shows when it is: the service's wrapper lets commands read what `access` knows nothing of.
"""

import os
from pathlib import Path
from typing import Any

import click


class _Named(click.Path):
    """No empty text, which would be the current folder: an empty variable of a script is no place to write to."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("this names nothing; the current folder is called '.'", param, ctx)
        return super().convert(value, param, ctx)


ANY = _Named(readable=False, path_type=Path)
FILE = _Named(dir_okay=False, readable=False, path_type=Path)
FOLDER = _Named(file_okay=False, readable=False, path_type=Path)
