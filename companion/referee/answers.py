"""What requests were answered, so that one which is sent twice is carried out once."""

from collections import OrderedDict

from companion.referee.commands import Command
from companion.referee.snapshot import Snapshot

KEPT = 256  # requests that are remembered


class Answers:
    """Of the newest requests that bear an idempotency key; one of another sender or of another kind is another one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], Snapshot] = OrderedDict()

    def before(self, command: Command) -> Snapshot | None:
        """What the same request was answered before; None where it is new."""
        return None if command.key is None else self._kept.get((command.by, command.name, command.key))

    def keep(self, command: Command, answer: Snapshot) -> None:
        """Remember what it was answered; the oldest is forgotten."""
        if command.key is not None:
            self._kept[command.by, command.name, command.key] = answer
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
