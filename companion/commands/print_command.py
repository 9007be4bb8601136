"""`companion print`: markers and calibration sheets as PDF."""

from pathlib import Path

import click

from calibration.errors import CalibrationError
from calibration.sheets import PAPERS, lens_pages, marker_pages, pdf
from calibration.store import write_atomically
from companion.errors import ConfigError

SHEETS = {"markers": "the four table markers", "lens": "the board for measuring the lens"}


@click.command()
@click.argument("sheet", type=click.Choice([*SHEETS, "all"]), default="all")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option("--side", type=click.FloatRange(min=10, max=180), default=40.0, show_default=True, help="Marker, mm.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder for the PDFs.")
def command(sheet: str, paper: str, side: float, out: Path) -> None:
    """Write printable sheets: the table markers, the lens board, or all of them."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in SHEETS if sheet == "all" else (sheet,):
            pages = marker_pages(paper, side) if name == "markers" else lens_pages(paper)
            path = out / f"{name}-{paper}.pdf"
            write_atomically(path, pdf(pages, f"Tabletop Companion: {SHEETS[name]}"))
            click.echo(f"{path}: {SHEETS[name]}; print at 100 % and check the ruler")
    except CalibrationError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or error}") from error
