"""`companion print`: markers, cards, tracks, boards and measuring sheets as PDF."""

import dataclasses
import json
from pathlib import Path

import click

from calibration.errors import CalibrationError
from calibration.paper import PAPERS, pdf
from companion.commands.game_options import named_values
from companion.commands.paths import FOLDER, naming
from companion.errors import ConfigError
from companion.prints import sheet as sheet_named
from companion.prints import sheets
from companion.prints.base import Sheet
from companion.storage import write_safely
from companion.texts import counted


@click.command()
@click.argument("name", metavar="[SHEET]", default="all")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="Paper in the printer.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice of the sheet: see `list`.")
@click.option("--out", type=FOLDER, default=Path(), help="Folder for the PDFs; else this one.")
def command(name: str, paper: str, options: tuple[str, ...], out: Path) -> None:
    """Write printable sheets in exact millimetres: one by its name, else all of them; `list` says which there are."""
    if name == "list":
        for found in sheets().values():
            click.echo(_described(found))
        return
    given = named_values(options)
    if name == "all" and given:
        raise ConfigError("--option belongs to one sheet: name it")
    chosen = list(sheets().values()) if name == "all" else [sheet_named(name)]
    for found in chosen:
        for line in _written(found, paper, given, out):
            click.echo(line)


def _written(sheet: Sheet, paper: str, given: dict[str, str], out: Path) -> list[str]:
    """What is said of the files of a sheet; ConfigError when they cannot be made or written."""
    try:
        with naming(out):
            out.mkdir(parents=True, exist_ok=True)
            return _made(sheet, paper, given, out)
    except CalibrationError as error:
        raise ConfigError(str(error)) from error


def _made(sheet: Sheet, paper: str, given: dict[str, str], out: Path) -> list[str]:
    settled = sheet.settle(given)
    pages = sheet.pages(paper, settled)
    path = out / f"{sheet.name}-{paper}.pdf"
    write_safely(path, pdf(pages, f"Tabletop Companion: {sheet.title}"))
    lines = [f"{path}: {sheet.title}, {counted(len(pages), 'page')}; print at 100 % and check the ruler"]
    if sheet.shape is not None:
        measures = path.with_name(f"{sheet.name}.json")
        write_safely(measures, json.dumps(dataclasses.asdict(sheet.shape(settled))).encode())
        lines.append(f"{measures}: its measures, for --board")
    return lines


def _described(sheet: Sheet) -> str:
    lines = [f"{sheet.name:16}{sheet.title}"]
    for o in sheet.options:
        default = o.default if isinstance(o.default, str) else f"{o.default:g}"
        among = f" ({o.allowed()})" if o.allowed() else ""
        lines.append(f"{'':16}{o.name}={default}: {o.meaning}{among}")
    return "\n".join(lines)
