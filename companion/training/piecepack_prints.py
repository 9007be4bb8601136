"""Prints of piecepack sets in the fonts of this machine: digits of many, and signs of suits that some fonts hold.

The simulator's own prints are the same on every machine; these are for lessons only, and the more fonts are installed
the better (`fonts-lato`, `fonts-ebgaramond`, `fonts-symbola` and their like). Needs fontconfig's `fc-list`.
"""

import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from companion.simulator.piecepack_art import PEN, PiecepackStyle, random_piecepack_style

DIGITS = "2345"
SIGNS = {"suns": "☀☼✹✺❂🌞", "moons": "☽☾🌙", "crowns": "♔♕♚♛👑", "arms": "⚜⚜⚜✠⚔🛡"}
PENNED, DRAWN = 0.15, 0.45  # shares of digits by the pen, and of signs in the simulator's own shapes


def printed_style(seed: int) -> PiecepackStyle:
    """A maker's set by its seed; the same fonts give the same one."""
    rng = np.random.default_rng([seed, 131])
    style = random_piecepack_style(rng)
    font = PEN if rng.random() < PENNED else _any_font(rng, DIGITS)
    letters = {suit: str(rng.choice(list(signs))) for suit, signs in SIGNS.items() if rng.random() >= DRAWN}
    return replace(style, font=font, letters={suit: (_any_font(rng, sign), sign) for suit, sign in letters.items()})


def _any_font(rng: np.random.Generator, letters: str) -> str:
    """One that has these letters, of any maker alike; makers offer from one to a hundred."""
    makers = fonts(letters)
    if not makers:
        raise SystemExit(f"no font of this machine has {letters}: install some, as fonts-dejavu and fonts-symbola")
    files = makers[int(rng.integers(len(makers)))]
    return files[int(rng.integers(len(files)))]


@lru_cache
def fonts(letters: str) -> tuple[tuple[str, ...], ...]:
    """The files of fonts that have all these letters, by their folders."""
    asked = ["fc-list", f":charset={' '.join(f'{ord(letter):x}' for letter in letters)}", "file"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    paths = sorted(Path(line.rstrip(": ")) for line in told.splitlines())
    files = [path for path in paths if path.suffix in (".ttf", ".otf") and "Keyboard" not in path.name]
    folders = dict.fromkeys(path.parent for path in files)
    return tuple(tuple(str(path) for path in files if path.parent == folder) for folder in folders)
