"""The looks of one set, learned from labelled cells: the network's last layer bent towards what was seen.

The bent layer is the one that explains the taught cells best without leaving the shipped one further than needed
(a Gaussian prior around the shipped weights), so one picture changes what it shows and leaves the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax
from companion.vision.khet.network import CLASSES, Head

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LooksSettings:
    """How strongly taught cells pull."""

    stiffness: float = 8.0  # weight of staying near the shipped layer, of one taught cell of each class
    loose_stiffness: float = 0.01  # ... when nothing is shipped
    absent_handicap: float = 2.0  # log-odds by which a class that was not shown is held back as a rival
    rounds: int = 150
    lessons: int = 12  # the latest pictures that are kept
    close: float = 0.08  # kinds that are taken for each other with a larger share than this are named
    close_colours: float = 4.0  # ... and sides whose colours lie fewer spreads apart than this


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What one labelled picture showed: embeddings with classes, colours with sides (0 silver, 1 red)."""

    embeddings: Singles
    labels: NDArray[np.int64]
    colours: Floats
    sides: NDArray[np.int64]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """As named arrays, small enough to keep."""
        return {
            "embeddings": self.embeddings.astype(np.float16),
            "labels": self.labels.astype(np.int8),
            "colours": self.colours.astype(np.float32),
            "sides": self.sides.astype(np.int8),
        }

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[np.generic]], number: int) -> "Lesson":
        """Back from `arrays` of lesson `number`; KeyError when one is missing."""
        return cls(
            arrays[f"embeddings_{number}"].astype(np.float32),
            arrays[f"labels_{number}"].astype(np.int64),
            arrays[f"colours_{number}"].astype(np.float64),
            arrays[f"sides_{number}"].astype(np.int64),
        )


def bend(head: Head, embeddings: Singles, labels: NDArray[np.int64], stiffness: float, settings: LooksSettings) -> Head:
    """The head of least loss on the embeddings, rare classes weighing more for each cell, kept near `head`.

    Classes that were not shown keep their rows, and hardly count as rivals: that a piece is not on the table now
    says little about whether the set has it.
    """
    counts = np.bincount(labels, minlength=len(CLASSES))
    shown = counts > 0
    weight = (1.0 / np.sqrt(counts[labels] * float(counts[shown].min()))).astype(np.float64)
    target = np.eye(len(CLASSES))[labels]
    handicap = np.where(shown, 0.0, -settings.absent_handicap)
    inputs = np.hstack([embeddings, np.ones((len(embeddings), 1))]).astype(np.float64)
    start = np.hstack([head.weight, head.bias[:, None]]).astype(np.float64) / head.temperature
    now, velocity = start.copy(), np.zeros_like(start)
    steepest = float(np.linalg.norm((inputs * weight[:, None]).T @ inputs, 2))
    step = 1 / (0.5 * steepest + stiffness)  # the loss curves no more than that
    for round_ in range(settings.rounds):
        ahead = now + velocity * round_ / (round_ + 3)
        error = (softmax((inputs @ ahead.T + handicap).astype(np.float32)) - target) * weight[:, None]
        downhill = error.T @ inputs + stiffness * (ahead - start)
        downhill[~shown] = 0.0
        moved = ahead - step * downhill
        velocity, now = moved - now, moved
    return Head(now[:, :-1].astype(np.float32), now[:, -1].astype(np.float32))


def close_pairs(shares: Floats, labels: NDArray[np.int64], names: Sequence[str], most: float) -> list[tuple[str, str]]:
    """Pairs of names that are taken for each other: (n, names) probabilities after teaching, (n) truth.

    A pair is named when cells of the one give the other a share of more than `most` on average.
    """
    there = [i for i in range(len(names)) if (labels == i).any()]
    mixed = {i: shares[labels == i].mean(axis=0) for i in there}
    return [(names[i], names[j]) for i in there for j in there if i < j and max(mixed[i][j], mixed[j][i]) > most]
