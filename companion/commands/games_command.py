"""`companion games`: list the games in the journal, and go on with one that was closed before its end."""

import json
from pathlib import Path

import click

from companion.commands.journal_options import chosen, journal_option, opened, own_journal, writable
from companion.journal.archive import Shelf
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.referee.record import summary
from companion.referee.state import GOING_ON
from companion.texts import counted


@click.command()
@journal_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game and line.")
@click.option("--go-on", type=int, metavar="NUMBER", default=None, help="Go on with a game closed before its end.")
def command(journal: Path | None, as_json: bool, go_on: int | None) -> None:
    """List the recorded games, newest first, or go on with one that was closed before its end.

    To go on with one, the companion needs to be stopped: while it runs, that is done on the game's page.
    """
    if as_json and go_on is not None:
        raise click.UsageError("--json belongs to the list: leave it out with --go-on")
    shelf = opened(journal)
    if go_on is None:
        _list(shelf, as_json)
        return
    number, _ = chosen(shelf, go_on)
    with writable(journal or own_journal()) as archive:
        _go_on(Desk(archive), number)


def _list(shelf: Shelf, as_json: bool) -> None:
    games = shelf.games()
    if not games and not as_json:
        click.echo("No game is recorded yet.")
    for game in reversed(games):
        line = summary(game, shelf.events(game), shelf.whole(game))
        if as_json:
            click.echo(json.dumps(line, ensure_ascii=False))
        else:
            result = line["result"] or "unfinished"
            count = counted(line["plies"], "ply", "plies")
            title = line["title"] or f"{line['game'] or 'a game'} (not readable under these rules)"
            about = f" · {line['about']}" if line["about"] else ""
            click.echo(f"{line['id']:>4}  {line['started']:<25}  {title}, {count}: {result}{about}")


def _go_on(desk: Desk, number: int) -> None:
    """As the game's page does: one that is on ends without a result, if that is wanted."""
    desk.resume()
    desk.may_go_on(number)
    on = desk.snapshot()
    if on.phase in GOING_ON:
        told = f"Game {on.game_number}, {on.title}, is still going on: it ends without a result"
        click.confirm(f"{told}. Go on with game {number}?", abort=True)
    now = desk.submit(Command("go_on_with", {"number": number}))
    click.echo(f"The companion goes on with it as game {now.game_number} when it starts.")
    click.echo("Put the pieces as they stood when it was closed: the page says what lies otherwise.")
