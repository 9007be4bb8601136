"""`companion check`: does this machine have all that is needed?"""

import contextlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from companion.commands.paths import ANY
from companion.service.machine_check import findings

SIGNS = {"ok": "ok  ", "note": "note", "fail": "FAIL"}


@click.command()
@click.option("--config", "path", type=ANY, default=None, help="Configuration file; else the usual one.")
@click.option("--camera/--no-camera", default=True, help="Take a picture (not while the service runs).")
def command(path: Path | None, camera: bool) -> None:
    """Print what was found. The exit code is 1 when something makes the companion unusable."""
    failed = False
    with _quiet("hardware"):  # what matters of it is among the findings
        for finding in findings(path, camera):
            failed = failed or finding.state == "fail"
            click.echo(f"{SIGNS[finding.state]}  {finding.what}: {finding.text}")
    sys.exit(1 if failed else 0)


@contextlib.contextmanager
def _quiet(name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
