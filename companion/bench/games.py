"""`companion bench games`: disturbed random games on the simulated table, refereed from frames alone.

COMPANION_BENCH_GAMES says how many of each, default 2; COMPANION_BENCH_PLIES how long, default 10;
COMPANION_BENCH_FIRST how many seeds are left out before them, default 0; and COMPANION_BENCH_GAME names one. The tables
have looks of their own, of seeds that nothing was fitted to; their lenses are calibrated, as the README asks.
"""

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.agreement import same_moves
from companion.demo.fast import play_fast
from companion.demo.verdict import Verdict
from companion.games import game
from companion.simulator.designs import design_for, has_room
from companion.simulator.playbook import Playbook
from companion.simulator.random_games import disturbed, random_steps

FIRST_SEED = 7_000_000
FPS = 8.0  # finer than the usual quarter of a second, for the waiting times
MISCHIEF = 0.3
VARIANTS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("khet", {"layout": "classic-2.0"}),
    ("khet", {"layout": "dynasty-2.0"}),
    ("ataxx", {"board": 7}),
    ("hexxagon", {}),
    ("kaxxt", {"seats": 2}),
    ("chaos", {"seats": 2}),
    ("kdak", {"variant": "duel"}),
    ("kdak", {"variant": "solitaire"}),
    ("kdak", {"variant": "cooperative"}),
    ("kdak", {"variant": "talisman"}),
)


@dataclass
class Tally:
    """Figures over the games of one variant."""

    games: int = 0
    whole: int = 0
    played: int = 0
    read: int = 0
    wrong: int = 0
    asked: int = 0
    unlawful: int = 0
    refused: int = 0
    waits_s: list[float] = field(default_factory=list)
    looks_s: list[float] = field(default_factory=list)

    def add(self, result: Verdict, wrong: int) -> None:
        """Count one game."""
        self.games += 1
        self.whole += result.agreed
        self.played += len(result.played)
        self.read += len(result.read)
        self.wrong += wrong
        self.asked += result.asked
        self.unlawful += result.disturbances
        self.refused += len(result.refused)
        self.waits_s += result.waits_s
        self.looks_s += result.looks_s

    def line(self) -> str:
        """For people."""
        waits, looks = self.waits_s or [float("nan")], self.looks_s or [float("nan")]
        return (
            f"{self.whole} of {self.games} whole games agreed; {self.read} of {self.played} moves read, "
            f"{self.wrong} wrong, {self.asked} asked about; {self.refused} refusals of {self.unlawful} unlawful; "
            f"hand away to event {np.median(waits):.2f} s median, {np.percentile(waits, 95):.2f} s 95 %; one look "
            f"{1000 * np.median(looks):.0f} ms median, {1000 * np.percentile(looks, 95):.0f} ms 95 %"
        )


def run(say: Callable[[str], None]) -> None:
    """Play and print."""
    count, plies, first = (
        int(os.environ.get(f"COMPANION_BENCH_{name}", usual))
        for name, usual in (("GAMES", 2), ("PLIES", 10), ("FIRST", 0))
    )
    only = os.environ.get("COMPANION_BENCH_GAME")
    for name, options in VARIANTS:
        if only not in (None, name):
            continue
        tally = Tally()
        for number in range(count):
            tally.add(*played(name, options, plies, FIRST_SEED + first + number))
        say(f"  {name} {' '.join(map(str, options.values()))}: {tally.line()}")


def played(name: str, options: Mapping[str, Any], plies: int, seed: int) -> tuple[Verdict, int]:
    """One game, and how many moves were committed that nobody made."""
    rules = game(name)
    start = rules.start(options)
    design = dataclasses.replace(design_for(name, rules.layout(start)), seed=seed)
    room = has_room(design)
    lawful, _ = random_steps(rules, start, plies, seed, room=room)
    steps = disturbed(rules, start, lawful, MISCHIEF, seed, room)
    book = Playbook(f"random {seed}", rules, dict(options), {}, tuple(steps))
    result = play_fast(book, design, fps=FPS, seed=seed)
    right = 0
    while right < len(result.read) and same_moves(rules, start, result.played[: right + 1], result.read[: right + 1]):
        right += 1
    return result, len(result.read) - right
