"""What the benches of whole games play: which games, and random ones in which things go wrong, by their seeds.

Environment: COMPANION_BENCH_GAME (only this one), COMPANION_BENCH_OPTIONS (JSON: only with these options, as
{"seats": 3}); each bench says what else.
"""

import dataclasses
import json
import os
from collections.abc import Mapping
from typing import Any

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


def told(name: str, usual: str) -> str:
    """What the environment says."""
    return os.environ.get(f"COMPANION_BENCH_{name}", usual)


def variants() -> list[Variant]:
    """What is to be played: all, those of one game, or one game as it is told."""
    name, options = os.environ.get("COMPANION_BENCH_GAME"), os.environ.get("COMPANION_BENCH_OPTIONS")
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
