"""Buttons at the table: a press becomes a command to the referee, on a thread of its own."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Self

from companion.errors import CommandRefused
from companion.outputs.guard import Guard, Notice, unheard
from companion.outputs.mailbox import Mailbox
from companion.outputs.players import END_S
from companion.referee.commands import Command
from hardware.buttons import Buttons
from hardware.errors import PinsError

log = logging.getLogger(__name__)

QUEUE = 4  # presses that wait while the referee is busy; more are impatience
BY = "button"


class ButtonDesk(threading.Thread):
    """Opens the buttons, tries again when pins fail, and submits commands one after the other.

    `arguments` are given with a command of that name ({"new_game": {"game": NAME}}). A press that comes too
    early is refused by the referee; `refused(text)` hears why.
    """

    def __init__(
        self,
        open_buttons: Callable[[Callable[[str], None]], Buttons],
        submit: Callable[[Command], object],
        *,
        arguments: Mapping[str, dict[str, object]] | None = None,
        refused: Callable[[str], None] = log.info,
        notice: Notice = unheard,
        retry_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="buttons", daemon=True)
        self._submit, self._arguments, self._refused, self._clock = submit, arguments or {}, refused, clock
        self._mailbox: Mailbox[str] = Mailbox(QUEUE)
        self._buttons = Guard("buttons", lambda: open_buttons(self._mailbox.put), (PinsError,), retry_s, notice)

    def run(self) -> None:
        """Until closed; pins released at the end."""
        try:
            while not self._mailbox.closed:
                self._buttons.use(lambda buttons: None, self._clock())
                for name in self._mailbox.take(self._buttons.next_try_s(self._clock())):
                    self._press(name)
        finally:
            self._buttons.close()

    def _press(self, name: str) -> None:
        try:
            self._submit(Command(name, dict(self._arguments.get(name, {})), by=BY))
        except CommandRefused as refusal:
            self._refused(refusal.text)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Pins released."""
        self._mailbox.close()
        with contextlib.suppress(RuntimeError):  # never started
            self.join(END_S)
