"""Lights and sounds as one listener of the referee: snapshots say what lasts, events what just happened."""

import time
from collections.abc import Callable, Sequence
from typing import Self

from companion.events import Event
from companion.outputs import patterns, tunes
from companion.outputs.answers import answer_to
from companion.outputs.films import Film, dark
from companion.outputs.guard import Guard, Notice, unheard
from companion.outputs.players import LightPlayer, SoundPlayer, StripPlayer, close_all
from companion.outputs.scene import Alarm, Flashes, Refusals, Situation
from companion.outputs.shows import show_of
from companion.referee.snapshot import Snapshot
from hardware.errors import PinsError
from hardware.lights import Lights
from hardware.sounds import Buzzer
from hardware.strip import Strip


class Outputs:
    """Use it as a context: everything is off at its end, also after an exception.

    `tell(snapshot)` and `happened(event)` return at once and may be called from any thread. `notice(name, text)`
    hears "lights off: ..." or "sounds off: ..." once for each failure, and None when the device works again; it is
    called from the output's own thread. `strip` is how to open a strip of lights, and how many it has; None: no strip.
    `seat_lamps` are the lamps at seats that are connected, by name.
    """

    def __init__(
        self,
        open_lights: Callable[[], Lights],
        open_buzzer: Callable[[], Buzzer],
        *,
        strip: tuple[Callable[[], Strip], int] | None = None,
        seat_lamps: tuple[str, ...] = (),
        silent: Callable[[], bool] = lambda: False,
        notice: Notice = unheard,
        retry_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._quiet, self._seat_lamps = False, seat_lamps
        self._clock, self._alarm, self._refusals = clock, Alarm(), Refusals()
        self._lights = LightPlayer(Guard("lights", open_lights, (PinsError,), retry_s, notice), clock)
        self._sounds = SoundPlayer(
            Guard("sounds", open_buzzer, (PinsError,), retry_s, notice), lambda: self._quiet or silent(), clock
        )
        self._strip: StripPlayer | None = None
        if strip is not None:
            self._strip = StripPlayer(Guard("strip", strip[0], (PinsError,), retry_s, notice), strip[1], clock)
        self._situation = Situation()
        self._snapshot: Snapshot | None = None
        self._film: Film | None = None

    def tell(self, snapshot: Snapshot) -> None:
        """The newest state of the game and of the eye."""
        self._quiet = snapshot.quiet
        if self._quiet:
            self._sounds.hush()
        result = snapshot.result
        situation = Situation(
            to_move=snapshot.to_move if snapshot.phase == "play" else None,
            sight=snapshot.sight,
            unlawful=snapshot.ruling is not None,
            over=result is not None,
            winners=result.winners if result is not None else (),
            lamps=self._seat_lamps,
        )
        self._snapshot = snapshot
        ruling = snapshot.ruling
        refused = self._refusals.news(ruling.text if ruling is not None else None, snapshot.sight)
        if self._strip is not None:
            self._show_on(self._strip, snapshot)
        before, self._situation = self._situation, situation
        if situation != before:
            self._lights.mailbox.put(situation)
        if refused or situation != before:
            self._sound_the_change(before, situation, refused)

    def _show_on(self, strip: StripPlayer, snapshot: Snapshot) -> None:
        show = show_of(snapshot.game)
        film = show.lasting(snapshot, strip.lights) if show is not None else dark(strip.lights)
        if film != self._film:
            self._film = film
            strip.mailbox.put(film)

    def _sound_the_change(self, before: Situation, after: Situation, refused: bool) -> None:
        ails = self._alarm.news(after.sight, self._clock())
        if refused:
            self._sounds.mailbox.put(tunes.ILLEGAL)
        elif ails is patterns.ERROR:
            self._sounds.mailbox.put(tunes.ERROR)
        elif ails is patterns.BLIND and before.sight in ("seeing", "hand"):
            self._sounds.mailbox.put(tunes.BLIND)

    def happened(self, *events: Event) -> None:
        """Something that passes: a hit, a turn, the end. What happened at once is shown and heard in its order."""
        answers = [answer_to(event) for event in events]
        anew = max((number for number, answer in enumerate(answers) if answer.anew), default=-1)
        lights = tuple(answer.light for answer in answers[anew + 1 :] if answer.light is not None)
        if lights or anew >= 0:
            self._lights.mailbox.put(Flashes(lights, anew >= 0))
        if anew >= 0:
            self._sounds.hush()
        heard = [answer.tune for answer in answers[max(anew, 0) :] if answer.tune is not None]
        self._sounds.mailbox.put(*([None] if anew >= 0 else []), *heard)
        if self._strip is not None:
            self._run_on(self._strip, events[anew + 1 :], anew >= 0)

    def _run_on(self, strip: StripPlayer, events: Sequence[Event], anew: bool) -> None:
        snapshot = self._snapshot
        show = show_of(snapshot.game) if snapshot is not None else None
        films = [show.passing(event, snapshot, strip.lights) for event in events] if show and snapshot else []
        strip.mailbox.put(*([None] if anew else []), *(film for film in films if film is not None))

    def pressed(self) -> None:
        """A button was pressed, whatever comes of it."""
        self._sounds.mailbox.put(tunes.PRESSED)

    def refused(self, text: str) -> None:
        """A press of a button came to nothing."""
        self._sounds.mailbox.put(tunes.REFUSED)

    def start(self) -> None:
        """Begin; the lamps say "not seeing" until the first snapshot."""
        self._lights.mailbox.put(self._situation)
        self._lights.start()
        self._sounds.start()
        if self._strip is not None:
            self._strip.start()

    def close(self) -> None:
        """All off; waits a little for a device that is stuck, but not for ever."""
        close_all(self._lights, self._sounds, *([self._strip] if self._strip is not None else []))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
