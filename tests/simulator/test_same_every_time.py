"""The same game and the same picture in every run: nothing is decided by the order of Python's sets."""

import os
import subprocess
import sys
from pathlib import Path

EVENING = Path(__file__).parent / "one_evening.py"
ROOT = EVENING.parents[2]


def begun(hash_seed: str) -> subprocess.Popen[str]:
    own = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, str(EVENING)], env={**os.environ, **own}, stdout=subprocess.PIPE, text=True
    )


def test_two_runs_with_other_hashes_record_the_same_game_and_draw_the_same_picture() -> None:
    runs = [begun(seed) for seed in ("1", "2")]
    told = [run.communicate()[0].splitlines() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert told[0] == told[1]
    assert told[0][-1].startswith("11 ")  # so many plies were read
    assert sum('"event": "ruled"' in line for line in told[0]) == 3
