"""The threads that move lamps and buzzer. Each has a mailbox of its own and may get stuck alone."""

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Protocol

from companion.outputs.films import Film, Reel, dark
from companion.outputs.guard import Guard
from companion.outputs.mailbox import Mailbox
from companion.outputs.scene import Flashes, FlashLimit, Scene, Situation
from companion.outputs.tunes import GAP_S, Tune, in_turn
from hardware.lights import Lights
from hardware.sounds import Buzzer
from hardware.strip import AGAIN_S, Strip

MAILBOX_SIZE = 32
END_S = 2.0  # how long `close_all` waits for threads that are stuck in a device


class Player(Protocol):
    """A thread that can be asked to end."""

    def end(self) -> None:
        """Ask for it, and do not wait."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for it."""


def close_all(*players: Player) -> None:
    """Dark and silent; threads that are stuck in a device are waited for together, and left behind."""
    for player in players:
        player.end()
    until_s = time.monotonic() + END_S
    for player in players:
        with contextlib.suppress(RuntimeError):  # never started
            player.join(max(0.0, until_s - time.monotonic()))


class LightPlayer(threading.Thread):
    """Shows situations and flashes on lamps."""

    def __init__(self, lights: Guard[Lights], clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name="lights", daemon=True)
        self._lights, self._clock = lights, clock
        self._scene, self._limit = Scene(), FlashLimit()
        self._held_since_s: float | None = None  # a lamp is held back by the limit
        self.mailbox: Mailbox[Situation | Flashes] = Mailbox(MAILBOX_SIZE)

    def run(self) -> None:
        """Until closed; dark at the end, whatever ended it."""
        wait_s: float | None = 0.0
        try:
            while not self.mailbox.closed:
                for message in self.mailbox.take(wait_s):
                    self._heed(message)
                wait_s = self._step()
        finally:
            self._lights.close()

    def _heed(self, message: Situation | Flashes) -> None:
        if isinstance(message, Situation):
            self._scene.show(message, self._clock())
        else:
            self._scene.flash(message, self._clock())

    def _step(self) -> float | None:
        """Bring the lamps to what the scene wants now; seconds until they may want another look."""
        now = self._clock()
        if self._held_since_s is not None:
            self._scene.put_off(now - self._held_since_s)
        lit, held_s = self._limit.allow(self._scene.lit(now), now)
        self._held_since_s = now if held_s is not None else None
        self._lights.use(lambda lights: lights.set(dict.fromkeys(lit, 1.0)), now)
        waits = (held_s, self._scene.next_change_s(now), self._lights.next_try_s(now))
        return min((wait for wait in waits if wait is not None), default=None)

    def end(self) -> None:
        """Dark, soon."""
        self.mailbox.close()


class StripPlayer(threading.Thread):
    """Shows films on a strip of lights, a still picture again and again. One that repeats lasts; others run over it."""

    def __init__(self, strip: Guard[Strip], lights: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name="strip", daemon=True)
        self._strip, self._clock = strip, clock
        self._reel = Reel(dark(lights))
        self.lights = lights
        self.mailbox: Mailbox[Film | None] = Mailbox(MAILBOX_SIZE)  # None: what runs over it counts no more

    def run(self) -> None:
        """Until closed; dark at the end, whatever ended it."""
        wait_s: float | None = 0.0
        try:
            while not self.mailbox.closed:
                for film in self.mailbox.take(wait_s):
                    if film is None:
                        self._reel.cut()
                    elif film.repeats:
                        self._reel.show(film, self._clock())
                    else:
                        self._reel.run(film)
                wait_s = self._step()
        finally:
            self._strip.close()

    def _step(self) -> float:
        """Bring the strip to the picture of this moment; seconds until it may want another."""
        now = self._clock()
        picture, change_s = self._reel.at(now)
        self._strip.use(lambda strip: strip.show(picture), now)
        waits = (change_s, self._strip.next_try_s(now), AGAIN_S)
        return min(wait for wait in waits if wait is not None)

    def end(self) -> None:
        """Dark, soon."""
        self.mailbox.close()


class SoundPlayer(threading.Thread):
    """Plays tunes on a buzzer, unless `silent()`."""

    def __init__(
        self, buzzer: Guard[Buzzer], silent: Callable[[], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(name="sounds", daemon=True)
        self._buzzer, self._silent, self._clock = buzzer, silent, clock
        self._end, self._hushed = threading.Event(), threading.Event()
        self.mailbox: Mailbox[Tune | None] = Mailbox(MAILBOX_SIZE)  # None: what came before counts no more

    def run(self) -> None:
        """Until closed; silent at the end, whatever ended it."""
        try:
            while not self.mailbox.closed:
                messages = self.mailbox.take(self._buzzer.next_try_s(self._clock()))
                if messages:
                    self._play(*in_turn(messages))
                elif not self.mailbox.closed:
                    self._sound(None)  # whether it works is known before there is something to hear
        finally:
            self._buzzer.close()

    def _play(self, *tunes: Tune) -> None:
        self._hushed.clear()
        for hertz, seconds in (note for tune in tunes for note in (*tune.notes, (None, GAP_S))):
            if self._silent() or self._end.is_set():
                break
            self._sound(hertz)
            if self._hushed.wait(seconds):
                break
        self._sound(None)

    def _sound(self, hertz: float | None) -> None:
        self._buzzer.use(lambda buzzer: buzzer.sound(hertz), self._clock())

    def hush(self) -> None:
        """What is played now ends in the middle of its note."""
        self._hushed.set()

    def end(self) -> None:
        """Silence, soon."""
        self._end.set()
        self.hush()
        self.mailbox.close()
