"""`companion run`: referee a game at the table, or from a folder of pictures."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from companion.commands.eye_options import eye_options
from companion.commands.game_options import joined, named_values
from companion.commands.paths import FILE
from companion.errors import ConfigError, UnreadableText
from companion.eye_options import EyeOptions, read_eye_options
from companion.games import GAMES, usual
from companion.games import game as game_named
from companion.games.base import Game
from companion.games.options import placed
from companion.journal.export import as_text
from companion.photographed_board import options_for, photographed_board
from companion.photographs import ONE_TABLE, photographed_run
from companion.referee.orders import started
from companion.texts import printable
from companion.vision.files import read_board
from hardware.pictures import photographs_in

PAUSE_S = 1.0  # between pictures, for a person who reads along


@click.command()
@click.option("--game", default=None, help=f"{', '.join(GAMES)}; with a folder of pictures it starts at once.")
@click.option("--layout", default=None, help="The starting position, such as classic-2.0; else the one that is set up.")
@click.option("--seats", type=int, default=None, help="How many play.")
@click.option("--variant", default=None, help="A variant of the game.")
@click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Any other option of the game or table.")
@click.option("--camera", default=None, help="picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated.")
@eye_options
@click.option("--fast", is_flag=True, help="From pictures: do not wait between them.")
@click.option("--exit", "leave", is_flag=True, help="From pictures: end after the last one and print the record.")
@click.option("--json", "as_json", is_flag=True, help="From pictures: one JSON line for each.")
@click.option("--config", type=FILE, default=None, help="Configuration file; else the usual one.")
def command(
    game: str | None,
    layout: str | None,
    seats: int | None,
    variant: str | None,
    more: tuple[str, ...],
    camera: str | None,
    fast: bool,
    leave: bool,
    as_json: bool,
    config: Path | None,
    **look: Any,
) -> None:
    """Referee games at the table: the service. With a folder of pictures and --exit: one game from photographs."""
    options = _options(game or usual(), layout, seats, variant, more)
    if (fast or as_json) and not leave:
        raise click.UsageError("--fast and --json belong to --exit: one game from a folder of pictures")
    if not leave and game is None and options:
        raise click.UsageError("--layout, --seats, --variant and --option belong to --game: name the one to begin")
    if leave:
        if config is not None:
            raise click.UsageError("--config is the service's: with --exit give --lens, --markers, --board or --taught")
        if camera is None or not camera.startswith("folder:"):
            raise click.UsageError("--exit belongs to a folder of pictures: --camera folder:PATH")
        folder = camera.removeprefix("folder:")
        if not folder:  # as a path it would be the current folder
            raise ConfigError("--camera folder: names no folder; write --camera folder:PATH")
        _from_pictures(Path(folder), game or usual(), options, look, fast, as_json)
        return
    from companion.app import serve  # the service has much to import

    if game is not None:  # what is wrong is said before anything is opened
        started({"game": game, "options": options}, "")
        read_eye_options(game, **look)
    serve(config, game, options, camera, look)


def _options(
    game: str, layout: str | None, seats: int | None, variant: str | None, more: tuple[str, ...]
) -> dict[str, str | int | bool]:
    options: dict[str, str | int | bool] = {}
    for name, word in (("layout", layout), ("variant", variant)):
        if word is not None:
            options = joined(options, placed(game_named(game).OPTIONS, name, word))
    options = joined(options, {**named_values(more)})
    return options if seats is None else joined(options, _seats(game_named(game), options, seats))


def _seats(module: Game, options: dict[str, str | int | bool], seats: int) -> dict[str, str | int | bool]:
    """The option that so many play; none where the game, with these options, leaves it no choice. UnreadableText."""
    if any(option.name == "seats" for option in module.OPTIONS):
        return {"seats": seats}
    count = len(module.seats(module.start(_own(module, options))))
    if count != seats:
        raise UnreadableText(f"--seats {seats}: {module.TITLE}, as it was chosen, is played by {count}")
    return {}


def _own(module: Game, options: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
    """The options that are the game's, not the table's."""
    names = {option.name for option in module.OPTIONS}
    return {name: value for name, value in options.items() if name in names}


def _from_pictures(
    folder: Path, game: str, options: dict[str, str | int | bool], look: dict[str, Any], fast: bool, as_json: bool
) -> None:
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder")
    paths = photographs_in(folder)
    if not paths:
        raise ConfigError(f"{folder}: there is no picture in it (JPEG, PNG, BMP, TIFF or WebP)")

    module = game_named(game)
    described, measured = look.get("board"), None
    if described is not None:
        options = {**options_for(module, read_board(described)[0]), **options}
    told = "board" in options

    def chosen() -> EyeOptions:
        played = module.layout(module.start(_own(module, options))).board
        named = read_eye_options(game, **look, played=played)
        return named if measured is None else replace(named, shape=measured)

    found = photographed_board(paths, chosen, module, _own(module, options)) if described is None else None
    if found is not None:
        measured, options = found.shape, {**options_for(module, found.shape), **options}
    if not told and not as_json and any(option.name == "board" for option in module.OPTIONS):
        assert measured is not None
        click.echo(f"no --board was given: it is taken to have {measured.cols} x {measured.rows} cells", err=True)

    note = found.note if found is not None else ""
    run = photographed_run(lambda: chosen().eye(ONE_TABLE), game, options, look.get("taught") is not None, note)
    for line in run.run(paths):
        click.echo(json.dumps(line.to_json()) if as_json else printable(_for_people(line.to_json())))
        time.sleep(0.0 if fast else PAUSE_S)
    if not as_json:
        click.echo("")
        click.echo(as_text(1, run.archive.events(1)), nl=False)
        if not run.pictures_read:
            raise ConfigError(f"{folder}: none of its pictures could be read")


def _for_people(line: dict[str, Any]) -> str:
    rule = f" ({line['rule']})" if line["rule"] else ""
    return f"{line['image']}: {line['reading']}{rule}: {line['text']}"
