"""What can stand in the way of seeing.

CompanionError
├── ObstructedView (RuntimeError)   the table cannot be read now; `obstacle` is a stable word
├── NothingTaught (ValueError)      a folder holds no looks of what was asked for
└── UnusableWeights (ValueError)     a file of the shipped weights is of no use
"""

from pathlib import Path

from companion.errors import CompanionError

# obstacle -> what it means to a person
OBSTACLES = {
    "picture": "the picture cannot be used",
    "dark": "the picture is dark",
    "bright": "the picture is overexposed",
    "grey": "the picture has no colour",
    "blank": "the picture shows one tone only",
    "blurred": "the picture is blurred",
    "markers": "the table markers are not seen",
    "board": "the board is not seen",
    "moving": "something moves",
    "settling": "the table has just come to rest",
    "hand": "a hand is in view",
    "moved": "the camera was moved",
    "frozen": "the camera delivers the same picture again and again",
    "weights": "a file of what the companion has learned is damaged",
    "fault": "the companion failed to read the picture, through a fault of its own",
}


class ObstructedView(CompanionError, RuntimeError):
    """The table cannot be read now. `obstacle` is one of `OBSTACLES`; the message says what to do."""

    def __init__(self, obstacle: str, text: str, markers_found: int = 0) -> None:
        super().__init__(text)
        self.obstacle, self.markers_found = obstacle, markers_found


class NothingTaught(CompanionError, ValueError):
    """A folder holds no looks of what was asked for: it is another game's, or is not there."""


class UnusableWeights(CompanionError, ValueError):
    """A file of weights is damaged, or fits another version of the program; the message names it."""

    def __init__(self, path: Path, why: Exception | str) -> None:
        super().__init__(f"{path} cannot be used ({why}): install the companion again, or train it anew")
