"""SIGTERM, Ctrl-C, a closed terminal, at any moment from start to end: lamps out, journal closed, exit code 0, soon."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ports import free_port

from companion.journal.archive import open_archive

SERVING = Path(__file__).with_name("serving.py")
END_S = 3.0  # as promised; four times that where the machine may be loaded
CONFIG = '[web]\nhost = "127.0.0.1"\nport = {}\n[pins]\nfactory = "mock"\n'
SIGNALS = (signal.SIGTERM, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
GAP_S = 0.02  # between two signals


def ended(nursery, folder, after_s, number, times):
    """A service that is asked to end; the lamps that it left on, its exit code, and the seconds that it took."""
    nursery.stdin.write(f"{folder}\n")
    nursery.stdin.flush()
    _, service = nursery.stdout.readline().split()
    time.sleep(after_s)
    start = time.monotonic()
    for _ in range(times):
        with contextlib.suppress(ProcessLookupError):  # the first one did it
            os.kill(int(service), number)
        time.sleep(GAP_S)
    said = nursery.stdout.readline().strip()
    took_s = time.monotonic() - start
    return said, (said if said.startswith("left") else nursery.stdout.readline().strip()), took_s


def campaign(folder, moments, most_s, seed):
    """End services after as many random times; the slowest end in seconds."""
    rng, slowest_s, with_lamps = random.Random(seed), 0.0, 0
    (folder / "companion.toml").write_text(CONFIG.format(free_port()))
    with subprocess.Popen(
        [sys.executable, str(SERVING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as nursery:
        for turn in range(moments):
            after_s = rng.uniform(0.0, most_s)
            number, times = SIGNALS[turn % len(SIGNALS)], rng.choice((1, 1, 5))
            lamps, code, took_s = ended(nursery, folder, after_s, number, times)
            log = (folder / "log").read_text()
            assert code == "left 0", (number, after_s, code, log)
            assert lamps in ("ended 0 []", "ended 1 []"), (after_s, lamps, log)  # no lamp is lit, no pins taken twice
            assert took_s < 4 * END_S
            assert "Traceback" not in log
            assert not (folder / "journal.sqlite3-wal").exists(), "the journal was left open"
            with_lamps += lamps != "ended 0 []"
            slowest_s = max(slowest_s, took_s)
            (folder / "starts.json").unlink(missing_ok=True)  # so many ends are no failed starts
        nursery.stdin.close()
    assert with_lamps > moments / 4, "most were ended before they had begun"
    archive = open_archive(folder / "journal.sqlite3")
    assert not archive.notices()
    archive.close()
    return slowest_s


def test_ends_at_any_moment_are_clean(tmp_path):
    campaign(tmp_path, 4, 0.6, 1)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_hundred_ends_are_clean(tmp_path):
    folders = [tmp_path / str(number) for number in range(8)]  # an end is waiting more than work: eight at once
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(len(folders)) as pool:
        slowest_s = max(pool.map(lambda folder: campaign(folder, 25, 1.2, int(folder.name)), folders))
    print(f"200 times asked to end: the slowest end took {slowest_s:.2f} s")
