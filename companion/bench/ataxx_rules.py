"""Leaves of Ataxx a second (perft on the 7x7 board), beside the package `ataxx` (python-ataxx)."""

import importlib
from collections.abc import Callable

from companion.bench.timing import beside
from companion.games.ataxx import perft, start

BOARD, DEPTH = 7, 4


def report(say: Callable[[str], None], rounds: int = 3) -> None:
    """One line; without the package it says how to get it."""
    try:
        theirs = importlib.import_module("ataxx")
    except ImportError:
        say("Ataxx: to compare, install the package ataxx (python-ataxx): pip install ataxx")
        return
    ours, plain = compare(lambda: int(theirs.Board().perft(DEPTH)), rounds)
    say(f"{'Ataxx, leaves per second':30}{'ours':>12}{'python-ataxx':>14}{'times':>8}")
    say(f"  {f'{BOARD}x{BOARD}, depth {DEPTH}':28}{ours:12,.0f}{plain:14,.0f}{ours / plain:8.1f}")


def compare(plain: Callable[[], int], rounds: int) -> tuple[float, float]:
    """Leaves a second of our count and of another program's, over the same tree."""
    position = start({"board": BOARD})
    return beside(lambda: perft(position, DEPTH), plain, rounds)
