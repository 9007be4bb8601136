"""The `companion` command: a table of sub-commands, each loaded only when it is called."""

import errno
import importlib
import io
import os
import sys
from typing import NoReturn, TextIO

import click

from companion.errors import CompanionError

COMMANDS = {
    "run": "referee a game at the table, or from a folder of pictures",
    "demo": "watch a scripted game refereed on the simulated table",
    "look": "say what is seen in a picture",
    "teach": "learn from pictures how your set looks",
    "sets": "list the taught sets that are kept, use, rename or delete one",
    "play": "play a game in the terminal",
    "rules": "print a game's numbered rules",
    "perft": "count the lines of play of a game, for developers",
    "bench": "measure speed and accuracy, for developers",
    "games": "list the recorded games, go on with one",
    "replay": "step through a recorded game",
    "export": "write a recorded game as text, JSON or HTML",
    "restore": "bring exported games back",
    "print": "print markers, boards and calibration sheets as PDF",
    "calibrate": "measure the lens from pictures of the printed lens board",
    "wiring": "show which pin goes where, try what is connected there",
    "check": "say whether this machine has all that is needed",
    "pin": "set the host's PIN",
    "erase": "remove what is stored: games, names, pictures",
}

# numpy's products here are small: threads only wait for each other, busily, ten times as long on a machine at work
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")
PIXELS = ("OPENCV_IO_MAX_IMAGE_PIXELS", str(2**28))  # more than any camera has, and no more than memory holds
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # of standard output sent to a file
FAILING = ("strict", "surrogateescape")  # ways of encoding that raise for a sign that a terminal has none for


class LazyGroup(click.Group):
    """Knows its sub-commands by name and imports `companion.commands.NAME` on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"companion.commands.{cmd_name}_command")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabletop-companion")
def group() -> None:
    """The Tabletop Companion: a camera above the table referees real, physical games."""


def main() -> None:
    """Entry point: the companion's own errors, and what is not permitted, become one line on stderr and exit code 2.

    So do a folder that is none, and output that finds no room; a reader that closed its pipe is no error to speak of,
    and click's own. Signs that the terminal has none for are replaced.
    """
    os.environ.setdefault(*ONE_THREAD)  # before anything imports numpy
    os.environ.setdefault(*PIXELS)  # ... and cv2
    if sys.stdin is None:  # it was closed by whoever called: nobody answers
        sys.stdin = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in FAILING:
            stream.reconfigure(errors="replace")
    try:
        group(standalone_mode=True)
    except CompanionError as error:
        _leave(str(error))
    except (PermissionError, NotADirectoryError) as error:  # somebody else's file or folder, or a home that is none
        _leave(f"{error.filename}: {error.strerror}")
    except OSError as error:
        if error.filename is not None or error.errno not in NO_ROOM:
            raise
        _let_go(sys.stdout)
        _leave(f"the output cannot be written: {error.strerror}")


def _leave(text: str) -> NoReturn:
    try:
        click.echo(f"companion: {text}", err=True)
    except OSError:  # as full: the exit code says it alone
        _let_go(sys.stderr)
    sys.exit(2)


def _let_go(stream: TextIO) -> None:
    """What this stream still holds goes nowhere: Python would try to write it once more at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
