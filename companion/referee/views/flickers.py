"""What comes and goes beside a free set-up is clutter that the eye is in two minds about, and none of the game's."""

from companion.games.base import Layout
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import apart
from companion.referee.evidence.layout import Evidence
from companion.referee.settings import Settings
from companion.view import Sighting


class Flickers:
    """What was taken for pieces while the table was set up, and when."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seen: dict[Sighting, float] = {}

    def note(self, seen: Evidence, layout: Layout, now: float) -> None:
        """One more look at the set-up, at `now` (seconds)."""
        if isinstance(seen, FreeEvidence):
            self._seen |= dict.fromkeys(seen.matching(layout).extra, now)
            self._seen = {s: at for s, at in self._seen.items() if now - at <= self._settings.flicker_s}

    def agreed(self, seen: Evidence, layout: Layout) -> None:
        """Looks agreed upon what is there: of what is surely seen nobody was in two minds. Taken away, it may be laid
        in the same place.
        """
        if isinstance(seen, FreeEvidence):
            sure = [s for s in seen.matching(layout).extra if s.told >= self._settings.surely_there]
            near_mm = self._settings.nudge_mm
            self._seen = {s: at for s, at in self._seen.items() if all(apart(s, one) > near_mm for one in sure)}

    def settled(self) -> tuple[Sighting, ...]:
        """What flickered of late; nothing does any more."""
        flickered, self._seen = tuple(self._seen), {}
        return flickered
