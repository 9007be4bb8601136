"""`companion run`: referee a game at the table, or from a folder of pictures."""

import json
from pathlib import Path
from typing import Any

import click

from companion.commands.eye_options import eye_options
from companion.commands.paths import FILE
from companion.errors import ConfigError
from companion.eye_options import EyeOptions, read_eye_options
from companion.folder_run import FolderRun
from companion.games import GAMES, usual
from companion.games import game as game_named
from companion.games.base import Game
from companion.games.options import placed
from companion.journal.export import as_text
from companion.referee.settings import Settings
from companion.teaching import SetTeacher
from companion.texts import printable
from companion.vision.files import read_board
from companion.vision.settings import EyeSettings
from hardware.pictures import pictures_in

ONE_TABLE = EyeSettings(one_table=True)
PHOTOGRAPHS_CONTRADICT = 0.12  # share of cells in which an untaught eye may misread a photographed set-up

PHOTOGRAPHS_FAIR = 0.6  # nobody can be asked: the better one of two actions is taken at this much
PHOTOGRAPHS_NOTHING = 2.5  # a photograph is taken because something happened
PHOTOGRAPHS_SEEN = 0.04  # ... so that a colour that is hardly believed is weighed against all that speaks for it
PHOTOGRAPHS_CLEARED = 1.0  # it may well show an action with all that follows from it, as it may show the action alone
PHOTOGRAPHS_CATCH_UP = 1.5  # between two of them any two plies may have been made, or one of them cannot be read
PHOTOGRAPHS_TAKEN_BACK = 4.5  # nobody puts the last action back between two photographs more than an earlier one
PHOTOGRAPHS_UNSURE = 6  # pieces of a photographed set-up that need not be told for sure


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
@click.option("--config", type=FILE, default=None, help="Configuration file.")
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
    if leave:
        if camera is None or not camera.startswith("folder:"):
            raise click.UsageError("--exit belongs to a folder of pictures: --camera folder:PATH")
        _from_pictures(Path(camera.removeprefix("folder:")), game or usual(), options, look, fast, as_json)
        return
    from companion.app import serve  # the service has much to import

    serve(config, game, options, camera, look)


def photograph_settings() -> Settings:
    """The referee over photographs: nobody can be asked, and every picture means something."""
    return Settings(
        unsure_at_start=PHOTOGRAPHS_UNSURE,
        fair=PHOTOGRAPHS_FAIR,
        nothing_cost=PHOTOGRAPHS_NOTHING,
        least_seen=PHOTOGRAPHS_SEEN,
        cleared_cost=PHOTOGRAPHS_CLEARED,
        catch_up_cost=PHOTOGRAPHS_CATCH_UP,
        taken_back_cost=PHOTOGRAPHS_TAKEN_BACK,
        take_the_best=True,
    )


def _options(
    game: str, layout: str | None, seats: int | None, variant: str | None, more: tuple[str, ...]
) -> dict[str, str | int | bool]:
    options: dict[str, str | int | bool] = {}
    for name, word in (("layout", layout), ("variant", variant)):
        if word is not None:
            options |= placed(game_named(game).OPTIONS, name, word)
    if seats is not None and not _always(game, seats):
        options["seats"] = seats
    for text in more:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"--option {text}: write NAME=VALUE")
        options[name.strip()] = value.strip()
    return options


def _always(game: str, seats: int) -> bool:
    """True if this game is played by so many and no others: then there is nothing to choose."""
    module = game_named(game)
    if any(option.name == "seats" for option in module.OPTIONS):
        return False
    return len(module.seats(module.start({}))) == seats


def _from_pictures(
    folder: Path, game: str, options: dict[str, str | int | bool], look: dict[str, Any], fast: bool, as_json: bool
) -> None:
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder")
    paths = pictures_in(folder)
    if not paths:
        raise ConfigError(f"{folder}: there is no picture in it (JPEG, PNG, BMP, TIFF or WebP)")

    module = game_named(game)
    options = {**_by_board(module, look.get("board")), **options}
    own = {option.name for option in module.OPTIONS}
    board = module.layout(module.start({k: v for k, v in options.items() if k in own})).board

    def chosen() -> EyeOptions:
        return read_eye_options(game, **look, played=board)

    settings = photograph_settings()
    teacher = None
    if look.get("taught") is None:
        teacher = SetTeacher(lambda: chosen().eye(ONE_TABLE), settings, PHOTOGRAPHS_CONTRADICT)
    run = FolderRun(chosen().eye(ONE_TABLE), game, options, teacher, settings)
    for line in run.run(paths, _no_wait if fast else _wait):
        click.echo(json.dumps(line.to_json()) if as_json else printable(_for_people(line.to_json())))
    if not as_json:
        click.echo("")
        click.echo(as_text(1, run.archive.events(1)), nl=False)
        if not run.pictures_read:
            raise ConfigError(f"{folder}: none of its pictures could be read")


def _by_board(module: Game, path: Path | None) -> dict[str, str | int | bool]:
    """What the board that was described says of the game's options, by the game's optional `options_for`."""
    options_for = getattr(module, "options_for", None)
    if path is None or options_for is None:
        return {}
    return dict(options_for(read_board(path)[0]))


def _for_people(line: dict[str, Any]) -> str:
    rule = f" ({line['rule']})" if line["rule"] else ""
    return f"{line['image']}: {line['reading']}{rule}: {line['text']}"


def _no_wait() -> None:
    """Fast: nothing."""


def _wait() -> None:
    import time

    time.sleep(1.0)
