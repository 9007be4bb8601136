"""Folders of lessons and weights: made at once, and filled with files that are whole or not there."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.training.seeds import for_training

BOARD, PICTURE = "board-{:06d}.npz", "{:07d}.png"  # of a seed


def made_folder(name: str | Path) -> Path:
    """As the type of an option: a folder to write to, made at once, as its want would only show after hours of work."""
    path = Path(name)
    path.mkdir(parents=True, exist_ok=True)
    return path


def boards_in(folders: Sequence[Path], pick: slice = slice(None)) -> list[Path]:
    """Files of boards, each folder's in the order of their names; `pick` chooses among each folder's."""
    return [path for folder in folders for path in sorted(folder.glob("board-*.npz"))[pick]]


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write a file that is to be `path` once it is whole, so that what was stopped leaves no torn one."""
    half = made_folder(path.parent / "half") / path.name
    yield half
    half.replace(path)


def fill(
    folder: Path, name: str, seeds: Sequence[int], write: Callable[[int, Path], object], minutes: float = math.inf
) -> None:
    """Write a file for each seed (`name.format(seed)`), but for those that are there, until the minutes are over.

    SystemExit for a seed that is not for training.
    """
    begun = time.monotonic()
    for seed in map(for_training, seeds):
        path = folder / name.format(seed)
        if not path.exists():
            with whole(path) as half:
                write(seed, half)
        if time.monotonic() - begun > 60 * minutes:
            break
    kept = sum((folder / name.format(seed)).exists() for seed in seeds)
    print(f"{kept} of {len(seeds)} in {folder}, {time.monotonic() - begun:.0f} s")
