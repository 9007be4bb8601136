"""The guided set-up of camera and table, as the page's host goes through it: one wizard, fed by the vision loop."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from calibration.errors import BadLens, CalibrationError
from calibration.store import load_lens
from calibration.table import parse_markers
from calibration.wizard import Wizard
from companion.errors import CommandRefused
from hardware.frames import Frame

log = logging.getLogger(__name__)

LOOK_S = 0.4  # between two pictures that the wizard is shown: the loop has more to do
IDLE_S = 60.0  # a guide that no page asks about and no new picture comes for was left: the referee goes on
STEPS = ("start", "next", "skip", "stop")
DONE = "the camera is set up: choose a game, or go on with the one that is on"
STOPPED = "the steps were stopped; a lens that was measured is kept"
LEFT = "the steps were ended: no page asked about them, and no new picture came; start them again"


class Guide:
    """Off until it is started. `markers` are W,H,SIDE in mm; `lens_changed` is called once a lens was stored."""

    def __init__(
        self,
        folder: Path,
        markers: str,
        lens_changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._markers, self._lens_changed, self._clock = folder, markers, lens_changed, clock
        self._lock, self._acting = threading.Lock(), threading.Lock()
        self._wizard: Wizard | None = None
        self._measuring: threading.Thread | None = None
        self._said: str | None = None  # what the page says before anything else: trouble, or that all is done
        self._blind = ""  # why there is no picture
        self._seen_s = self._asked_s = 0.0

    # --- the vision loop ----------------------------------------------------------------------------------------

    def see(self, frame: Frame) -> bool:
        """One more picture; False when no guide is on and the picture is the referee's."""
        self._blind = ""
        if self._wizard is None:
            return False
        now = self._clock()
        if now - self._asked_s > IDLE_S:
            self._wizard, self._said = None, LEFT
            return False
        if now - self._seen_s >= LOOK_S and self._lock.acquire(blocking=False):  # busy while a lens is measured
            try:
                self._seen_s = now
                if self._wizard is not None:
                    self._shown(self._wizard, frame)
            finally:
                self._lock.release()
        return True

    def unseen(self, text: str) -> None:
        """There is no picture: why, in words."""
        self._blind = text

    def _shown(self, wizard: Wizard, frame: Frame) -> None:
        """One picture for the wizard; once it has taken one more, somebody is at it, be the phone asleep or not."""
        before = wizard.state().taken
        if wizard.see(frame.pixels).taken > before:
            self._said, self._asked_s = None, self._clock()  # nor is it said any more what was missing

    # --- the page -----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What the page shows: where the wizard is, and the lens in use."""
        self._asked_s = self._clock()
        wizard = self._wizard
        state = {} if wizard is None else asdict(wizard.state())
        if self._measuring is not None and self._measuring.is_alive():
            state["text"] = "measuring the lens from these pictures; this may take a minute"
        elif wizard is not None and self._blind:
            state |= {"text": self._blind, "outlines": ()}
        elif self._said is not None:
            state["text"] = self._said
        return {"running": wizard is not None, "lens": self._lens_in_words(), **state}

    def act(self, step: str, at: str = "") -> None:
        """One of `STEPS`; CommandRefused says what is missing.

        `at` is the wizard's step that the page showed: what another host did meanwhile is not done once more.
        """
        with self._acting:
            self._act(step, at)

    def _act(self, step: str, at: str) -> None:
        if step not in STEPS:
            raise CommandRefused("unreadable", f"the guide knows {', '.join(STEPS)}", 400)
        if self._measuring is not None and self._measuring.is_alive():
            raise CommandRefused("busy", "The lens is being measured: wait a moment")
        self._asked_s = self._clock()
        on = self._wizard.state().step if self._wizard is not None else ""
        if (step == "start" and on) or (step in ("next", "skip") and at and at != on):
            return
        self._said = None
        if step == "start":
            self._wizard = self._started()
        elif step == "stop":
            self._wizard, self._said = None, STOPPED
        elif self._wizard is None:
            raise CommandRefused("no-guide", "The guided steps are not on: start them")
        elif step == "skip":
            self._wizard.skip()
        else:
            self._next(self._wizard)

    def _started(self) -> Wizard:
        try:
            return Wizard(self._folder, parse_markers(self._markers))
        except CalibrationError as error:
            raise CommandRefused("markers", str(error)) from error

    def _next(self, wizard: Wizard) -> None:
        if wizard.state().step == "lens":
            self._measuring = threading.Thread(target=self._measure, args=(wizard,), name="lens", daemon=True)
            self._measuring.start()
            return
        try:
            done = wizard.next().step == "done"
        except CalibrationError as error:
            raise CommandRefused("not-yet", f"{error}") from error
        if done:
            self._wizard, self._said = None, DONE

    def _measure(self, wizard: Wizard) -> None:
        """Seconds of computing: in a thread of its own, so that neither page nor referee waits for it."""
        with self._lock:
            try:
                wizard.next()
                wizard.save()
            except CalibrationError as error:
                self._said = str(error)
                return
        self._lens_changed()

    def _lens_in_words(self) -> str:
        try:
            stored = load_lens(self._folder)
        except BadLens as error:
            return str(error)
        if stored is None:
            return "not measured: it is guessed from the markers"
        how = f"from {stored.pictures} pictures, within {stored.error_px:.2f} pixels"
        return f"measured on {stored.measured[:10]} {how}"
