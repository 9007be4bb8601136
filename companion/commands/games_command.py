"""`companion games`: list the games in the journal."""

import json
from pathlib import Path

import click

from companion.commands.journal_options import journal_option, opened
from companion.referee.record import summary


@click.command()
@journal_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game and line.")
def command(journal: Path | None, as_json: bool) -> None:
    """List the recorded games, newest first."""
    shelf = opened(journal)
    games = shelf.games()
    if not games and not as_json:
        click.echo("No game is recorded yet.")
    for game in reversed(games):
        line = summary(game, shelf.events(game), shelf.whole(game))
        if as_json:
            click.echo(json.dumps(line, ensure_ascii=False))
        else:
            result = line["result"] or "unfinished"
            count = "1 ply" if line["plies"] == 1 else f"{line['plies']} plies"
            title = line["title"] or f"{line['game'] or 'a game'} (not readable under these rules)"
            about = f" · {line['about']}" if line["about"] else ""
            click.echo(f"{line['id']:>4}  {line['started']:<25}  {title}, {count}: {result}{about}")
