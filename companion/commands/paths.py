"""Kinds of paths on the command line, and what is said of one that cannot be read or written.

Whether one can be read shows when it is: the service's wrapper lets commands read what `access` knows nothing of.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion.errors import ConfigError


class _Named(click.Path):
    """No empty text, which would be the current folder: an empty variable of a script is no place to write to."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("this names nothing; the current folder is called '.'", param, ctx)
        return super().convert(value, param, ctx)


ANY = _Named(readable=False, path_type=Path)
FILE = _Named(dir_okay=False, readable=False, path_type=Path)
FOLDER = _Named(file_okay=False, readable=False, path_type=Path)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """ConfigError with the path's name where it cannot be read or written."""
    try:
        yield
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
