"""The companion's errors.

CompanionError
├── UnreadableText (ValueError)   a text that is no move, no position, no option
├── OddPosition (ValueError)      read, but no lawful game can look like this; `reasons` say why
├── IllegalMove (ValueError)      read, but forbidden here; names the rule
├── CommandRefused (RuntimeError) a request of a phone or button that cannot be carried out now
├── ConfigError (ValueError)      the configuration; names file and line
└── RecordError (OSError)         the record of the game cannot be written now; nothing of it is lost
"""

from collections.abc import Mapping


class CompanionError(Exception):
    """Base of every error that the companion raises on purpose."""


class UnreadableText(CompanionError, ValueError):
    """The text cannot be read; the message says what would have been right."""


class OddPosition(CompanionError, ValueError):
    """The position can be read, but the rules cannot lead to it."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class IllegalMove(CompanionError, ValueError):
    """The move can be read, but the rules forbid it here.

    `name` is stable ("reserved-square"), `rule` cites the numbered rule ("Khet 3b.2"), `remedy` says how to
    put it right, `figures` hold what was measured ({"too_far_mm": 12.5}).
    """

    def __init__(
        self, name: str, rule: str, text: str, remedy: str = "", figures: Mapping[str, float] | None = None
    ) -> None:
        super().__init__(text)
        self.name, self.rule, self.text, self.remedy = name, rule, text, remedy
        self.figures = dict(figures or {})


class CommandRefused(CompanionError, RuntimeError):
    """A request that cannot be carried out now; `name` is stable, `status` the HTTP status that fits."""

    def __init__(self, name: str, text: str, status: int = 409) -> None:
        super().__init__(text)
        self.name, self.text, self.status = name, text, status


class ConfigError(CompanionError, ValueError):
    """The configuration cannot be used; the message names file, line and what is allowed."""


class RecordError(CompanionError, OSError):
    """The record cannot be written (the disk is full, or cannot be reached); what was written before stays."""
