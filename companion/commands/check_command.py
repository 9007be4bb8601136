"""`companion check`: does this machine have all that is needed?"""

import logging
import sys
from pathlib import Path

import click

from companion.machine_check import findings

SIGNS = {"ok": "ok  ", "note": "note", "fail": "FAIL"}


@click.command()
@click.option(
    "--config", "path", type=click.Path(path_type=Path), default=None, help="Configuration; else the usual one."
)
@click.option("--camera/--no-camera", default=True, help="Take a picture (not while the service runs).")
def command(path: Path | None, camera: bool) -> None:
    """Print what was found. The exit code is 1 when something makes the companion unusable."""
    logging.getLogger("hardware").setLevel(logging.ERROR)  # what matters is printed below
    failed = False
    for finding in findings(path, camera):
        failed = failed or finding.state == "fail"
        click.echo(f"{SIGNS[finding.state]}  {finding.what}: {finding.text}")
    sys.exit(1 if failed else 0)
