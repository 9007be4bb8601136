"""`companion demo`: watch a scripted game refereed on the simulated table."""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from companion.config import USUAL_PORT, Config
from companion.games import GAMES, usual
from companion.games import game as game_named
from companion.simulator.playbook import FIRST, Playbook, load, names

if TYPE_CHECKING:
    from companion.demo.verdict import Verdict


@click.command()
@click.option("--game", default=None, help=f"The game: {', '.join(GAMES)}; else the script's, or {usual()}.")
@click.option(
    "--script",
    "name",
    default=FIRST,
    show_default=True,
    help="The script; `--script list` names all, or those of the game.",
)
@click.option("--fast", is_flag=True, help="As fast as pictures can be drawn, without a page.")
@click.option("--exit", "leave", is_flag=True, help="End after the last move, print the record and the verdict.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    help="With --fast: how the hands put pieces down; else 0.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    help=f"The page's port, else {USUAL_PORT}; another if it is taken.",
)
def command(game: str | None, name: str, fast: bool, leave: bool, seed: int | None, port: int | None) -> None:
    """Hands play a scripted game on a simulated table; the referee sees it through the camera alone."""
    if name == "list":
        _list(game)
        return
    if fast and port is not None:
        raise click.UsageError("--port belongs to a page, and with --fast there is none")
    if seed is not None and not fast:
        raise click.UsageError("--seed belongs to --fast")
    book = load(game or _game_of(name), name)
    click.echo(f"{book.name}: {book.title}")
    if fast:
        _fast(book, seed or 0)
    else:
        _watch(book, leave, USUAL_PORT if port is None else port)


def _list(game: str | None) -> None:
    if game is not None:
        game_named(game)  # UnreadableText lists the games there are
    for one in [game] if game is not None else GAMES:
        for name in names(one):
            click.echo(name)


def _game_of(script: str) -> str:
    """The game that a script's whole name begins with; else the usual one."""
    game = script.partition("_")[0]
    return game if game in GAMES else usual()


def _fast(book: Playbook, seed: int) -> None:
    from companion.demo.fast import play_fast

    result = play_fast(book, seed=seed, tell=click.echo)
    click.echo("")
    _end(result)


def _end(result: "Verdict") -> NoReturn:
    click.echo("\n".join(result.lines()))
    if not result.agreed:
        click.echo(f"played: {' '.join(result.played)}")
        click.echo(f"read:   {' '.join(result.read)}")
    click.echo(f"referee agreed with the script: {'yes' if result.agreed else 'no'}")
    sys.exit(0 if result.agreed else 1)


def _watch(book: Playbook, leave: bool, port: int) -> None:
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
        wanted: Playbook | None = book
        while wanted is not None:  # another one each time that somebody chooses it on the page
            wanted, port = _watch_one(wanted, leave, Path(folder), port)


def _watch_one(book: Playbook, leave: bool, state: Path, port: int) -> tuple[Playbook | None, int]:
    """One demonstration; what is to be played next, and the page's port."""
    from companion.app import stopped_by_signals
    from companion.demo.verdict import verdict
    from companion.demo.watched import watched

    config = Config.model_validate({"web": {"host": "0.0.0.0"}, "pins": {"factory": "mock"}})
    chosen: list[Playbook] = []
    with watched(book, config, state, port, _say_code, chosen.append) as demo:
        _say_address(demo.house.address)
        port = demo.house.server.address[1] if demo.house.server is not None else port
        demo.players.start()
        with stopped_by_signals([demo.house]):
            demo.house.loop.run(until=demo.players.done if leave else None)
        if leave and not chosen:
            _end(verdict(demo.script, book.start(), demo.house.desk.events(), demo.house.desk))
    return (chosen[-1] if chosen else None), port


def _say_code(code: str) -> None:
    click.echo(f"To be the host, set a PIN on the page with the code {code}")


def _say_address(address: str) -> None:
    """The address, and as a QR code for phones."""
    import segno

    click.echo(f"The page: {address}   (Ctrl-C ends the demonstration)")
    if sys.stdout.isatty():
        segno.make(address).terminal(compact=True)
