"""An evening that does not end: games into one journal, phones that come and go; nothing piles up."""

import gc
import os
import random
from pathlib import Path

import pytest
from journal_player import one_move

from companion.exports import EXPORTS
from companion.journal.archive import open_archive
from companion.referee.commands import Command
from companion.referee.readmodel import Desk

PLIES = 40  # of a game, then the next one
GROWN_KIB_A_MOVE = 2.0  # a record's lines are kept while a game is on; what were kept for ever would be more


def resident_kib() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4.0


def soak(folder: Path, moves: int) -> tuple[float, int]:
    """KiB that each of the last three quarters of so many moves has cost, and the open files more at the end."""
    rng, before_kib = random.Random(5), 0.0
    archive = open_archive(folder / "j.sqlite3")
    desk = Desk(archive, exports=EXPORTS)
    files = len(os.listdir("/proc/self/fd"))
    for number in range(moves):
        if number == moves // 4:
            gc.collect()
            before_kib = resident_kib()
        one_move(desk, rng)
        if len(desk.table.state.plies) >= PLIES:
            desk.submit(Command("reset", key=f"key {number}"))
            desk.games()
    gc.collect()
    grown_kib = (resident_kib() - before_kib) / (moves * 0.75)
    assert not archive.notices()
    more = len(os.listdir("/proc/self/fd")) - files
    archive.close()
    return grown_kib, more


@pytest.mark.long
@pytest.mark.timeout(600)
def test_thousands_of_moves_leave_nothing_behind(tmp_path: Path) -> None:
    grown_kib, files = soak(tmp_path, 3000)
    print(f"3000 moves: {grown_kib:.2f} KiB more for each")
    assert grown_kib < GROWN_KIB_A_MOVE
    assert files <= 2  # SQLite's own
