"""`companion calibrate`: measure the lens from pictures of the printed board."""

import json
import re
from pathlib import Path

import click

from calibration.errors import CalibrationError, PictureUnusable
from calibration.markers import CharucoShape
from calibration.wizard import Wizard
from companion.commands.paths import ANY, FOLDER
from companion.config import state_folder
from companion.errors import ConfigError
from companion.vision.picture import DAMAGED, read_picture

DEFAULT = CharucoShape()
SQUARES = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")
MOST_MM = 10_000  # side of a square


@click.command()
@click.argument("images", nargs=-1, required=True, type=ANY)
@click.option("--squares", default=f"{DEFAULT.cols}x{DEFAULT.rows}", show_default=True, help="Squares of the board.")
@click.option("--square", default=DEFAULT.square_mm, show_default=True, help="Side of a square, in mm.")
@click.option("--marker", default=DEFAULT.marker_mm, show_default=True, help="Side of a marker, in mm.")
@click.option("--dictionary", default=DEFAULT.dictionary, show_default=True, help="Dictionary of the markers.")
@click.option("--out", type=FOLDER, default=None, help="Folder for lens.json; else the companion's own.")
@click.option("--json", "as_json", is_flag=True, help="Print the lens as JSON.")
def command(
    images: tuple[Path, ...],
    squares: str,
    square: float,
    marker: float,
    dictionary: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure the lens from IMAGES of the board that `companion print lens` makes, and store it."""
    folder = out or state_folder() / "calibration"
    try:
        wizard = Wizard(folder, shape=_shape(squares, square, marker, dictionary))
        for path in images:
            said = _show(wizard, path)
            if not as_json:
                click.echo(f"{path.name}: {said}")
        wizard.next()
        path = wizard.save()
    except CalibrationError as error:
        raise ConfigError(str(error)) from error
    measured = wizard.measurement
    assert measured is not None
    if as_json:
        click.echo(json.dumps({"error_px": measured.error_px, "file": str(path)} | measured.lens.to_json()))
        return
    for warning in measured.warnings:
        click.echo(f"! {warning}")
    lens = measured.lens
    click.echo(f"fx {lens.fx:.1f}, fy {lens.fy:.1f}, middle {lens.cx:.1f}, {lens.cy:.1f} pixels")
    click.echo(f"corners fit within {measured.error_px:.3f} pixels in {len(measured.used)} pictures; stored in {path}")


def _show(wizard: Wizard, path: Path) -> str:
    try:
        image, warnings = read_picture(path)
    except PictureUnusable as error:
        return str(error).removeprefix(f"{path}: ")
    return DAMAGED if DAMAGED in warnings else wizard.see(image).text


def _shape(squares: str, square: float, marker: float, dictionary: str) -> CharucoShape:
    found = SQUARES.fullmatch(squares)
    if found is None or min(int(found[1]), int(found[2])) < 3:
        raise ConfigError(f"--squares needs COLUMNSxROWS of at least 3, like 7x5, not {squares!r}")
    if not 0 < marker < square <= MOST_MM:
        raise ConfigError(
            f"the markers have to be smaller than the squares, and both larger than 0 and at most {MOST_MM} mm"
        )
    return CharucoShape(int(found[1]), int(found[2]), square, marker, dictionary)
