"""`companion bench games`: disturbed random games on the simulated table, refereed from frames alone.

The tables have looks of their own, of seeds that nothing was fitted to; their lenses are calibrated, as the README
asks. Where a game departs from what was played is told, with the table's picture before it and there. Environment, with
that of `random_game`: COMPANION_BENCH_GAMES (how many of each, default 2), COMPANION_BENCH_PLIES (how long, default
10), COMPANION_BENCH_FIRST (how many seeds are left out before them, default 0), COMPANION_BENCH_SECONDS (a game that
takes longer is cut), COMPANION_BENCH_FPS (default 8), COMPANION_BENCH_OUT (where the pictures go, default the system's
temporary folder).
"""

import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.bench.asked import figure
from companion.bench.departures import Departures
from companion.bench.loops import each
from companion.bench.random_game import plies, random_game, seeds, variants
from companion.demo.fast import play_fast
from companion.demo.verdict import Verdict

FPS = 8.0  # finer than the usual quarter of a second, for the waiting times


@dataclass
class Tally:
    """Figures over the games of one variant."""

    games: int = 0
    whole: int = 0
    right: int = 0  # whole ones, and those that were right when they were cut
    played: int = 0
    read: int = 0
    wrong: int = 0
    asked: int = 0
    unlawful: int = 0
    refused: int = 0
    waits_s: list[float] = field(default_factory=list)
    looks_s: list[float] = field(default_factory=list)

    def add(self, result: Verdict, watch: Departures) -> None:
        """Count one game."""
        self.games += 1
        self.whole += result.agreed
        self.right += result.agreed or (watch.cut and watch.found is None and not watch.unrefused)
        self.played += len(result.played)
        self.read += len(result.read)
        self.wrong += watch.wrong
        self.asked += result.asked
        self.unlawful += watch.unlawful
        self.refused += len(result.refused)
        self.waits_s += result.waits_s
        self.looks_s += result.looks_s

    def line(self) -> str:
        """For people."""
        waits, looks = self.waits_s or [float("nan")], self.looks_s or [float("nan")]
        return (
            f"{self.whole} of {self.games} whole games agreed, {self.right} with those that were cut; "
            f"{self.read} of {self.played} moves read, "
            f"{self.wrong} wrong, {self.asked} asked about; {self.refused} refusals of {self.unlawful} unlawful; "
            f"hand away to event {np.median(waits):.2f} s median, {np.percentile(waits, 95):.2f} s 95 %; one look "
            f"{1000 * np.median(looks):.0f} ms median, {1000 * np.percentile(looks, 95):.0f} ms 95 %"
        )


def run(say: Callable[[str], None]) -> None:
    """Play and print."""
    for name, options in variants():
        tally = Tally()
        for seed in each(seeds(), "games", say):
            result, watch = played(name, options, plies(), seed)
            tally.add(result, watch)
            for line in _astray(f"{name}-{seed}", watch):
                say(line)
        say(f"  {name} {' '.join(map(str, options.values()))}: {tally.line()}")


def played(name: str, options: Mapping[str, Any], plies: int, seed: int) -> tuple[Verdict, Departures]:
    """One game, and where it departed from its script."""
    book, design = random_game((name, options), plies, seed)
    watch = Departures(design, book.start(), figure("COMPANION_BENCH_SECONDS", math.inf))
    return play_fast(book, design, fps=figure("COMPANION_BENCH_FPS", FPS), seed=seed, ends=watch), watch


def _astray(name: str, watch: Departures) -> Iterator[str]:
    """Where a game departed, told and drawn."""
    places = [place for place in (watch.found, *watch.unrefused) if place is not None]
    for place in dict.fromkeys(places):
        path = Path(os.environ.get("COMPANION_BENCH_OUT", tempfile.gettempdir())) / f"{name}-{place.ply}"
        yield f"  {name} departs at ply {place.ply}: {place.done}; {place.told}"
        try:
            watch.draw(place, path)
            yield f"    its pictures: {path}-*.png"
        except OSError as error:
            yield f"    its pictures cannot be written: {error}"
