"""`companion rules GAME`: every numbered rule, and where it is enforced."""

import click

from companion.games import GAMES, game


@click.command(epilog=f"GAME is one of {', '.join(GAMES)}.")
@click.argument("name", metavar="GAME", type=click.Choice(tuple(GAMES)))
@click.option("--rule", "number", default=None, help="Only the rule with this number, for example 'Khet Q7'.")
def command(name: str, number: str | None) -> None:
    """Print the numbered rules of GAME in our own words, each with the function that enforces it."""
    chosen = [rule for rule in game(name).RULES if number is None or rule.number.lower() == number.lower()]
    if not chosen:
        raise click.BadParameter(f"{name} has no rule {number}; leave --rule out to see all", param_hint="--rule")
    for rule in chosen:
        click.echo(f"{rule.number}  {rule.text}\n    enforced in {rule.enforced_in}")
