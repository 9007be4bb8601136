"""kill -9 at any instant: what was acknowledged is there afterwards, and play goes on from the same position."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.journal.archive import open_archive
from companion.referee.record import finished

PLAYER = Path(__file__).with_name("journal_player.py")


def campaign(tmp_path, kills, seed):
    """Kill a playing child again and again; every acknowledged event must be there."""
    path, rng = tmp_path / "j.sqlite3", random.Random(seed)
    last, reopened = 0, []
    command = [sys.executable, str(PLAYER), str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        for number in range(kills):
            said = killed(nursery, number, rng.uniform(0.0, 0.05))
            start = time.perf_counter()
            archive = open_archive(path)
            reopened.append(time.perf_counter() - start)
            assert not archive.notices()
            if said:
                count, game, plies = said[-1]
                assert archive.last_number() >= count
                assert len(finished(archive.events(game)).plies) >= plies
            assert archive.last_number() >= last
            last = archive.last_number()
            archive.close()
        nursery.stdin.close()
    reopened.sort()
    return last, reopened[int(len(reopened) * 0.99)]


def killed(nursery, seed, after_s):
    """One player, killed some time after its first word: the numbers that it said."""
    nursery.stdin.write(f"{seed}\n")
    nursery.stdin.flush()
    player = int(nursery.stdout.readline().split()[1])
    lines = [nursery.stdout.readline()]
    time.sleep(after_s)
    os.kill(player, signal.SIGKILL)
    while lines[-1] != "killed\n":
        lines.append(nursery.stdout.readline())
    return [tuple(int(word) for word in line[:-2].split()) for line in lines if line.endswith(".\n")]


def test_thirty_kills_lose_nothing(tmp_path):
    acknowledged, slow_s = campaign(tmp_path, 30, 1)
    assert acknowledged > 30
    print(f"opened again within {slow_s * 1e3:.0f} ms in 99 of 100 cases")


@pytest.mark.long
def test_a_thousand_kills_lose_nothing(tmp_path):
    acknowledged, _ = campaign(tmp_path, 1000, 2)
    assert acknowledged >= 10_000
