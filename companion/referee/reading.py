"""What became of one view, in the words of `companion run --json`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """`kind`: set-up, nothing new, move, step, take-back, unlawful, unclear.

    `decided` is False while more equal views are needed before anything may be believed.
    """

    kind: str
    text: str = ""
    moves: tuple[str, ...] = ()  # in the game's notation
    hits: tuple[str, ...] = ()  # cells
    rule: str | None = None
    decided: bool = True
