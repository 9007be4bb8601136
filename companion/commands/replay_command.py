"""`companion replay`: step through a recorded game."""

import math
import time
from pathlib import Path

import click

from companion.commands.journal_options import chosen, journal_option, opened
from companion.errors import UnreadableText
from companion.referee.choices import chosen_anew
from companion.referee.record import finished, summary
from companion.referee.withheld import as_all_know
from companion.referee.words import sentence

PAUSE_MAX_S = 3600.0


def _seconds(context: click.Context, parameter: click.Parameter, value: float) -> float:
    """`FloatRange` lets through what is no number."""
    if math.isnan(value):
        raise click.BadParameter("nan is no number of seconds")
    return value


@click.command()
@click.argument("number", type=int, required=False)
@journal_option
@click.option("--ply", type=int, default=None, help="Only the position after so many actions (0 = the set-up).")
@click.option(
    "--pause",
    type=click.FloatRange(0.0, PAUSE_MAX_S),
    callback=_seconds,
    default=0.0,
    show_default=True,
    help="Seconds between the positions.",
)
def command(number: int | None, journal: Path | None, ply: int | None, pause: float) -> None:
    """Step through game NUMBER (default: the newest): every action, and the position after it.

    While it is on, what was seen and lies hidden by now is not told.
    """
    shelf = opened(journal)
    game, events = chosen(shelf, number)
    state = as_all_know(finished(events), events)
    if state.game is None:
        raise UnreadableText(f"game {game} cannot be read under these rules")
    line = summary(game, events, shelf.whole(game))
    plies = range(len(state.plies) + 1) if ply is None else [ply]
    if ply is not None and not 0 <= ply <= len(state.plies):
        raise click.UsageError(f"--ply goes from 0 to {len(state.plies)}")
    about = f"\n{line['about']}" if line["about"] else ""
    click.echo(f"{line['title']}, game {game}, {line['started']}{about}")
    for at in plies:
        text = sentence(state.plies[at - 1].text) if at else "The set-up."
        click.echo(f"\n{at}. {text}\n{state.game.draw(state.at(at))}")
        time.sleep(pause if at < len(state.plies) else 0.0)
    if ply is None:
        click.echo("\n".join(filter(None, (f"\n{line['result'] or 'unfinished'}", chosen_anew(state)))))
