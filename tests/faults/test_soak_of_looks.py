"""A camera that looks all evening: of the pictures it took, only the last ones are kept."""

import tracemalloc

import pytest

from companion.bench.random_game import FIRST_SEED, random_game
from companion.demo.fast import play_fast

SEED = FIRST_SEED + 836
FIRST, LAST = 8, 26  # things that hands did, after which is weighed
MOST_MIB = 40.0  # two looks more, at two pictures each: what were kept of every look would be hundreds
READS = [tracemalloc.Filter(True, f"*/companion/{part}/*") for part in ("vision", "referee", "games")]


def held_mib() -> float:
    """What the code that looks and judges has asked for and not given back."""
    return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces(READS).traces) / 2**20


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kaxxt", {"seats": 4}),
        ("chaos", {"seats": 2}),
        ("kdak", {"variant": "duel"}),
        ("khet", {"layout": "classic-2.0"}),
        ("ataxx", {"board": 7}),
    ],
)
def test_whole_games_keep_no_pictures(name: str, options: dict[str, object]) -> None:
    book, design = random_game((name, options), LAST, SEED)
    beats, weighed = 0, []

    def ends(beat: object, script: object, desk: object) -> bool:
        nonlocal beats
        beats += 1
        if beats in (FIRST, LAST):
            weighed.append(held_mib())
        return beats >= LAST

    tracemalloc.start(1)
    try:
        play_fast(book, design, fps=4.0, seed=SEED, ends=ends)
    finally:
        tracemalloc.stop()
    first, last = weighed
    print(f"{name}: {first:.1f} MiB after {FIRST}, {last:.1f} after {LAST}")
    assert last - first < MOST_MIB
