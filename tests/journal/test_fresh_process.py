"""A journal is read by a process that has not met its game yet: after a restart, and from the command line."""

import json
import random
import subprocess
import sys

import pytest
from desks import begun

from companion.errors import IllegalMove
from companion.games import GAMES
from companion.journal.archive import open_archive
from companion.journal.log import Log
from companion.referee.commands import Command
from companion.referee.readmodel import Desk

PLIES = 40
OF_ONE_GAME = {"ataxx": "flipped", "hexxagon": "flipped", "kaxxt": "targeted", "chaos": "captured"}
READER = """
import sys
from pathlib import Path
from companion.journal.archive import open_archive
from companion.referee.record import finished
for name in sys.argv[2:]:
    events = open_archive(Path(sys.argv[1]) / name).events(1)
    state = finished(events)
    print(len(events), len(state.plies), state.module.write_position(state.position))
"""


def played(path, name):
    """A random game in a journal: how many events it has, and where it stands."""
    archive, rng = open_archive(path), random.Random(9)
    desk = begun(Desk(archive), name)
    while len(desk.table.state.plies) < PLIES and desk.table.state.phase == "play":
        state = desk.table.state
        move = rng.choice(list(state.module.moves(state.position)))
        try:
            desk.submit(Command("enter_move", {"move": state.module.write_move(state.position, move)}))
        except IllegalMove:
            continue
    state, count = desk.table.state, archive.last_number()
    archive.close()
    return f"{count} {len(state.plies)} {state.module.write_position(state.position)}"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """By game: what was played, and what another process reads."""
    folder = tmp_path_factory.mktemp("journals")
    expected = [played(folder / name, name) for name in GAMES]
    command = [sys.executable, "-c", READER, str(folder), *GAMES]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    events = {}
    for name in GAMES:
        with Log(folder / name, ballast_bytes=0) as log:
            events[name] = {json.loads(row.text)["event"] for row in log.rows()}
    return dict(zip(GAMES, zip(expected, read, strict=True), strict=True)), events


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_in_another_process_where_it_was(told, name):
    lines, events = told
    expected, read = lines[name]
    assert OF_ONE_GAME.get(name, "ply") in events[name], "this game shows nothing"
    assert read == expected
