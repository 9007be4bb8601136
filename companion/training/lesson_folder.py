"""Lessons of tables in a folder: each is made once and kept beside the picture that it was made of."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import cv2
import numpy as np

from companion.training.folders import made_folder, whole
from companion.training.seeds import for_training

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class LessonFolder(Generic[T]):
    """One kind of lessons: a dataclass of arrays, and what makes one from a table's seed and the folder."""

    ending: str
    kind: type[T]
    make: Callable[[int, Path], T | None]

    def kept(self, seed: int, folder: Path) -> T | None:
        """The lesson of a table; None when the table teaches nothing."""
        path = folder / f"{seed:07d}{self.ending}"
        names = [f.name for f in fields(self.kind)]
        if not path.exists():
            made = self.make(seed, folder)
            arrays: dict[str, Any] = {name: getattr(made, name) for name in names} if made else {}
            with whole(path) as half:
                np.savez(half, **arrays)
            return made
        with np.load(path) as stored:
            return self.kind(**{name: stored[name] for name in names}) if len(stored) else None

    def split(self, folder: Path | None, apart: tuple[int, int]) -> tuple[list[T], list[T]]:
        """The lessons that a folder holds: those of the tables kept apart, and those to learn from."""
        sides: tuple[list[T], list[T]] = ([], [])
        for path in sorted(folder.glob(f"*{self.ending}")) if folder else []:
            seed = int(path.name.removesuffix(self.ending))
            if (one := self.kept(seed, path.parent)) is not None:
                sides[seed not in range(*apart)].append(one)
        return sides

    def main(self, description: str | None) -> None:
        """Make lessons as the command line says."""
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--seeds", type=int, nargs=2, default=(0, 0), help="tables to draw: first, and after last")
        parser.add_argument("--kept", action="store_true", help="of all tables of which the folder keeps pictures")
        parser.add_argument("--folder", type=made_folder, required=True)
        options = parser.parse_args()
        cv2.setNumThreads(1)
        kept = sorted(int(path.stem) for path in options.folder.glob("*[0-9].png")) if options.kept else []
        for seed in map(for_training, [*range(*options.seeds), *kept]):
            self.kept(seed, options.folder)
