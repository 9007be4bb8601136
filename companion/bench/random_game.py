"""What the benches of whole games play: which games, and random ones in which things go wrong, by their seeds.

Environment: COMPANION_BENCH_GAME (only this one), COMPANION_BENCH_OPTIONS (JSON: only with these options, as
{"seats": 3}); each bench says what else.
"""

import dataclasses
import json
import os
from collections.abc import Mapping
from typing import Any

from companion.bench.asked import whole_number
from companion.errors import UnreadableText
from companion.games import game
from companion.simulator.design import TableDesign
from companion.simulator.designs import design_for, has_room
from companion.simulator.playbook import Playbook
from companion.simulator.random_games import disturbed, random_steps

FIRST_SEED = 7_000_000  # of tables with looks of their own that nothing was fitted to
MISCHIEF = 0.3
Variant = tuple[str, Mapping[str, Any]]
VARIANTS: tuple[Variant, ...] = (
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


def seeds() -> range:
    """Of the tables that are asked for: COMPANION_BENCH_GAMES, behind the first COMPANION_BENCH_FIRST."""
    first = FIRST_SEED + whole_number("COMPANION_BENCH_FIRST", 0)
    return range(first, first + whole_number("COMPANION_BENCH_GAMES", 2, least=1))


def called(variant: Variant, seed: int) -> str:
    """One of these games, as a folder is called: "kdak-duel-7000000"."""
    name, options = variant
    return "-".join(map(str, (name, *options.values(), seed)))


def plies() -> int:
    """How long the games are that are asked for, at most: COMPANION_BENCH_PLIES."""
    return whole_number("COMPANION_BENCH_PLIES", 10, least=1)


def variants() -> list[Variant]:
    """What is to be played: all, those of one game, or one game as it is told."""
    name, options = os.environ.get("COMPANION_BENCH_GAME"), os.environ.get("COMPANION_BENCH_OPTIONS")
    names = tuple(dict.fromkeys(variant[0] for variant in VARIANTS))
    if name is not None and name not in names:
        raise UnreadableText(f"COMPANION_BENCH_GAME is {name!r}: choose from {', '.join(names)}")
    if options is None:
        return [variant for variant in VARIANTS if name in (None, variant[0])]
    try:
        read = json.loads(options)
    except ValueError as error:
        raise UnreadableText(f"COMPANION_BENCH_OPTIONS is not JSON: {error}") from error
    if name is None or not isinstance(read, dict):
        raise UnreadableText('COMPANION_BENCH_OPTIONS goes with COMPANION_BENCH_GAME, as {"seats": 3} goes with chaos')
    return [(name, read)]


def random_game(variant: Variant, plies: int, seed: int) -> tuple[Playbook, TableDesign]:
    """The script of a random game of at most so many plies, disturbed, and the table that it is played on."""
    name, options = variant
    rules = game(name)
    start = rules.start(options)
    design = dataclasses.replace(design_for(name, rules.layout(start)), seed=seed)
    room = has_room(design)
    lawful, _ = random_steps(rules, start, plies, seed, room=room)
    steps = disturbed(rules, start, lawful, MISCHIEF, seed, room)
    return Playbook(f"random {seed}", rules, dict(options), {}, tuple(steps)), design
