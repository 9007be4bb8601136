"""Kinds of paths on the command line.

Whether one can be read shows when it is: the service's wrapper lets commands read what `access` knows nothing of.
"""

from pathlib import Path

import click

ANY = click.Path(readable=False, path_type=Path)
FILE = click.Path(dir_okay=False, readable=False, path_type=Path)
FOLDER = click.Path(file_okay=False, readable=False, path_type=Path)
