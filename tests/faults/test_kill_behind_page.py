"""kill -9 while phones look on: what a phone was told is in the journal afterwards, and the page goes on from there."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from running import Phone

from companion.journal.archive import open_archive
from companion.referee.record import finished

PLAYER = Path(__file__).with_name("page_player.py")


def killed(nursery, seed, after_s):
    """A phone that looked on at a house until that was killed."""
    nursery.stdin.write(f"{seed}\n")
    nursery.stdin.flush()
    _, player, port = nursery.stdout.readline().split()
    phone = Phone(int(port))
    phone.read(20.0, lambda: phone.number > 0)
    phone.read(after_s)
    os.kill(int(player), signal.SIGKILL)
    phone.read(10.0)  # what was under way
    phone.close()
    assert nursery.stdout.readline() == "killed\n"
    return phone


def campaign(folder, kills, seed):
    """Kill a house again and again; the number of moves that were told, all of them there."""
    rng, told, command = random.Random(seed), 0, [sys.executable, str(PLAYER), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        for number in range(kills):
            phone = killed(nursery, number, rng.uniform(0.0, 0.1))
            archive = open_archive(folder / "j.sqlite3")
            assert not archive.notices()
            assert archive.last_number() >= phone.number > 0
            game = archive.games()[-1]
            kept = [past.move for past in finished(archive.events(game)).plies]
            earlier = [past.move for past in finished(archive.events(archive.games()[-2])).plies] if game > 1 else []
            assert phone.moves in (kept[: len(phone.moves)], earlier[: len(phone.moves)])
            archive.close()
            told += len(phone.moves)
        nursery.stdin.close()
    return told


def test_what_phones_were_told_outlives_kills(tmp_path):
    assert campaign(tmp_path, 4, 1) > 4


@pytest.mark.long
@pytest.mark.timeout(300)
def test_what_phones_were_told_outlives_two_hundred_kills(tmp_path):
    folders = [tmp_path / str(number) for number in range(8)]  # a short journal is opened sooner
    for folder in folders:
        folder.mkdir()
    assert sum(campaign(folder, 25, number) for number, folder in enumerate(folders)) > 1000
