"""Scripted games as plain text files: what is played, what goes wrong, and the options it is played by."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from companion.errors import UnreadableText
from companion.games import game as game_named
from companion.games.base import Game, Position
from companion.simulator.script import STEPS, Step

FOLDER = "scripts"
FIRST = "classic"  # the script of each game that is played when none is named
HOW = (
    "steps are: move M (or M; M), offer M, roll M, unlawful M, half M, forget M CELL, wrong removal M CELL, take back, "
    "nudge, hover CELL, wait"
)


@dataclass(frozen=True, slots=True)
class Playbook:
    """One scripted game."""

    name: str
    game: Game
    options: Mapping[str, str | int | bool]  # of the game
    table: Mapping[str, str | int | bool]  # of the table
    steps: tuple[Step, ...]
    title: str = ""

    def start(self) -> Position:
        """The first position."""
        return self.game.start(self.options)


def names(game: str) -> list[str]:
    """The scripts that the project ships for a game."""
    files = (f.name for f in resources.files("companion.simulator").joinpath(FOLDER).iterdir())
    return sorted(f.removesuffix(".txt") for f in files if f.startswith(f"{game}_") and f.endswith(".txt"))


def load(game: str, name: str = FIRST) -> Playbook:
    """A script by its name, with or without the game's; UnreadableText lists those there are."""
    game_named(game)  # UnreadableText lists the games there are
    known = names(game)
    full = name if name in known else f"{game}_{name}"
    if full not in known:
        raise UnreadableText(f"no script {name!r} for {game}; there are {', '.join(known) or 'none'}")
    file = resources.files("companion.simulator").joinpath(FOLDER, f"{full}.txt")
    return read(game, full, file.read_text(encoding="utf-8"))


def read(game: str, name: str, text: str) -> Playbook:
    """A script's text: lines of `option NAME VALUE`, `table NAME VALUE` and steps; # begins a comment."""
    module = game_named(game)
    options: dict[str, str | int | bool] = {}
    table: dict[str, str | int | bool] = {}
    steps: list[Step] = []
    title = ""
    for number, line in enumerate(text.splitlines(), start=1):
        words, _, comment = line.partition("#")
        parts = words.split()
        if not parts:
            title = title or comment.strip()
        elif parts[0] in ("option", "table") and len(parts) == 3:
            (options if parts[0] == "option" else table)[parts[1]] = parts[2]
        else:
            steps.append(_step(parts, f"{name}, line {number}"))
    return Playbook(name, module, options, table, tuple(steps), title)


def _step(parts: list[str], where: str) -> Step:
    what = " ".join(parts[:2]) if parts[0] in ("wrong", "take") else parts[0]
    rest = parts[len(what.split()) :]
    if what not in STEPS:
        raise UnreadableText(f"{where}: {' '.join(parts)!r}; {HOW}")
    moves, places = STEPS[what]
    at = len(rest) - places
    if at < moves or (not moves and at > 0):
        raise UnreadableText(f"{where}: {what} takes {moves} move and {places} place; {HOW}")
    return Step(what, " ".join(rest[:at]), " ".join(rest[at:]))
