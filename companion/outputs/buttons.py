"""Buttons at the table: a press becomes a command to the referee, on a thread of its own."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from math import inf
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
REFUSED = "refused press"  # the name of the notice that says why
SAID_S = 8.0  # so long it is shown
FAULTY = "The press was not carried out, through a fault of the companion that its log names"


class ButtonDesk(threading.Thread):
    """Opens the buttons, tries again when pins fail, and submits commands one after the other.

    `arguments` are given with a command of that name ({"new_game": {"game": NAME}}). `pressed()` hears of each press
    before it is submitted. One that comes too early is refused by the referee: `refused(text)` hears why, and a notice
    says it for `said_s`, or until a press is taken.
    """

    def __init__(
        self,
        open_buttons: Callable[[Callable[[str], None]], Buttons],
        submit: Callable[[Command], object],
        *,
        arguments: Mapping[str, dict[str, object]] | None = None,
        pressed: Callable[[], None] = lambda: None,
        refused: Callable[[str], None] = log.info,
        notice: Notice = unheard,
        retry_s: float = 30.0,
        said_s: float = SAID_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="buttons", daemon=True)
        self._submit, self._arguments, self._clock = submit, arguments or {}, clock
        self._pressed, self._refused = pressed, refused
        self._mailbox: Mailbox[str] = Mailbox(QUEUE)
        self._notice, self._said_s, self._said_until_s = notice, said_s, inf  # inf: nothing is shown
        self._buttons = Guard("buttons", lambda: open_buttons(self._mailbox.put), (PinsError,), retry_s, notice)

    def run(self) -> None:
        """Until closed; pins released at the end."""
        try:
            while not self._mailbox.closed:
                self._buttons.use(lambda buttons: None, self._clock())
                for name in self._mailbox.take(self._wait_s(self._clock())):
                    self._press(name)
                if self._clock() >= self._said_until_s:
                    self._unsay()
        finally:
            self._buttons.close()

    def _wait_s(self, now_s: float) -> float | None:
        """Seconds until there is something to do without a press; None while there is not."""
        tried_s, said_s = self._buttons.next_try_s(now_s), max(0.0, self._said_until_s - now_s)
        wait_s = said_s if tried_s is None else min(tried_s, said_s)
        return wait_s if wait_s < inf else None

    def _press(self, name: str) -> None:
        self._pressed()
        try:
            self._submit(Command(name, dict(self._arguments.get(name, {})), by=BY))
        except CommandRefused as refusal:
            self._say(refusal.text)
        except Exception:  # whatever a press brings to light: the next one may do what it asks for
            log.exception("the press for %r was not carried out", name)
            self._say(FAULTY)
        else:
            self._unsay()

    def _say(self, text: str) -> None:
        """Why a press came to nothing: heard, and shown for a while."""
        self._refused(text)
        self._said_until_s = self._clock() + self._said_s
        self._notice(REFUSED, f"The button at the table: {text}")

    def _unsay(self) -> None:
        """Take the notice away that says why a press was refused."""
        if self._said_until_s < inf:
            self._said_until_s = inf
            self._notice(REFUSED, None)

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
