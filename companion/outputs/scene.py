"""Which patterns run together, and what that means for each lamp at each moment. Pure: time is an argument."""

from collections import deque
from dataclasses import dataclass

from companion.outputs import patterns
from companion.outputs.patterns import FLASHES_PER_S, Pattern, weight

GOOD_S = 10.0  # of seeing the table, after which a camera that fails is news again
SIGHT = {  # the snapshot's word -> what the lamps say
    "starting": patterns.BLIND,
    "seeing": patterns.SEEING,
    "hand": patterns.HAND,
    "lost": patterns.BLIND,
    "dark": patterns.BLIND,
    "moved": patterns.BLIND,
    "frozen": patterns.ERROR,
    "no camera": patterns.ERROR,
}


@dataclass(frozen=True, slots=True)
class Situation:
    """What lasts: who is to move, what is seen, whether something has to be put back, who won."""

    to_move: int | None = None
    sight: str = "starting"
    unlawful: bool = False
    over: bool = False
    winners: tuple[int, ...] = ()
    lamps: tuple[str, ...] = ()  # at the seats, that are connected

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of a situation, the more urgent first."""
        chosen = [SIGHT.get(self.sight, patterns.BLIND)]
        if self.unlawful and not self.over:
            chosen.append(patterns.ILLEGAL)
        if self.over:
            chosen.append(patterns.win(self.winners, self.lamps))
        elif self.to_move is not None:
            chosen.append(patterns.turn(self.to_move, self.lamps))
        return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Flashes:
    """What happened at once, each once and in this order; `anew`: what was shown before it counts no more."""

    patterns: tuple[Pattern, ...]
    anew: bool = False


class Scene:
    """Running patterns. One that lasts keeps its start, so that its rhythm goes on when something else changes."""

    def __init__(self) -> None:
        self._lasting: dict[Pattern, float] = {}
        self._passing: list[tuple[Pattern, float]] = []  # what runs once, and when each begins: after the one before

    def show(self, situation: Situation, now_s: float) -> None:
        """Patterns that were running run on; new ones start now."""
        self._lasting = {pattern: self._lasting.get(pattern, now_s) for pattern in situation.patterns()}

    def flash(self, flashes: Flashes, now_s: float) -> None:
        """Run patterns over what lasts, each to its end and one after the other.

        What has not begun yet is no news any more, unless it is more important than all that comes now.
        """
        heaviest = max(map(weight, flashes.patterns), default=-1)
        left = [] if flashes.anew else [(p, at) for p, at in self._passing if now_s < at + p.seconds]
        self._passing = [(p, at) for p, at in left if at <= now_s]
        waiting = [p for p, at in left if at > now_s and weight(p) > heaviest]
        for number, pattern in enumerate(coming := (*waiting, *flashes.patterns)):
            if pattern.counts or pattern not in coming[:number]:
                begins_s = max((at + p.seconds for p, at in self._passing), default=now_s)
                self._passing.append((pattern, begins_s))

    def lit(self, now_s: float) -> frozenset[str]:
        """The lamps that are lit; a pattern whose lamps a more urgent one uses is not shown at all.

        What lasts stands still while something passes: of too many flashes some are held back, and a count is wrong.
        """
        passing = self._runs_once(now_s)
        shown = [(pattern, pattern.at(now_s - start_s)) for pattern, start_s in passing]
        shown += [(p, p.at_rest if passing else p.at(now_s - start_s)) for p, start_s in self._lasting.items()]
        lit: set[str] = set()
        taken: set[str] = set()
        for pattern, lamps in shown:
            if not taken & pattern.lamps:
                lit |= lamps
                taken |= pattern.lamps
        return frozenset(lit)

    def put_off(self, seconds: float) -> None:
        """What passes stood still for so long: a lamp was held back, and nothing of it is to be lost."""
        self._passing = [(pattern, at + seconds) for pattern, at in self._passing]

    def next_change_s(self, now_s: float) -> float | None:
        """Seconds until a lamp may change by itself."""
        running = self._runs_once(now_s) or self._lasting.items()
        changes = [pattern.next_change_s(now_s - start_s) for pattern, start_s in running]
        changes += [at - now_s for _, at in self._passing if at > now_s]
        return min((change for change in changes if change is not None), default=None)

    def _runs_once(self, now_s: float) -> list[tuple[Pattern, float]]:
        """The one of what passes whose time it is."""
        return [(pattern, at) for pattern, at in self._passing if at <= now_s < at + pattern.seconds]


class Alarm:
    """What ails the sight is news once, and again only after it was well for a while.

    A loose plug fails on and on, and whoever leans over the table covers its corners again and again.
    """

    def __init__(self, good_s: float = GOOD_S) -> None:
        self._good_s = good_s
        self._told: set[Pattern] = set()
        self._well_since_s: float | None = None

    def news(self, sight: str, now_s: float) -> Pattern | None:
        """What is to be heard of this change of sight: that it is blind, or an error; None for nothing."""
        if sight == "starting":
            return None
        pattern = SIGHT.get(sight, patterns.BLIND)
        if pattern not in (patterns.BLIND, patterns.ERROR):
            if self._well_since_s is None:
                self._well_since_s = now_s
            return None
        if self._well_since_s is not None and now_s - self._well_since_s >= self._good_s:
            self._told.clear()
        self._well_since_s = None
        if pattern in self._told or patterns.ERROR in self._told:
            return None
        self._told.add(pattern)
        return pattern


class Refusals:
    """A refusal is news when it comes, and again once hands have made another one of it.

    Without a hand nothing moves: the same thing is only read otherwise.
    """

    def __init__(self) -> None:
        self._told: str | None = None
        self._hand = False  # one was in view since that was told

    def news(self, refused: str | None, sight: str) -> bool:
        """True if what is refused now, in words, is to be heard."""
        self._hand = self._hand or sight == "hand"
        if refused == self._told:
            return False
        news = refused is not None and (self._told is None or self._hand)
        self._told, self._hand = refused, sight == "hand"
        return news


class FlashLimit:
    """Holds lamps back that would make a fourth flash within a second, whatever the scene asks for."""

    def __init__(self, most: int = FLASHES_PER_S, window_s: float = 1.0) -> None:
        self._window_s = window_s
        self._rises: deque[float] = deque(maxlen=most)
        self._lit: frozenset[str] = frozenset()

    def allow(self, wanted: frozenset[str], now_s: float) -> tuple[frozenset[str], float | None]:
        """The lamps that may be lit now, and in how many seconds to ask again when some may not."""
        fresh = wanted - self._lit
        if not fresh:
            self._lit = wanted
            return wanted, None
        full = len(self._rises) == self._rises.maxlen
        wait_s = self._rises[0] + self._window_s - now_s if full else 0.0
        if wait_s > 0:
            self._lit = wanted & self._lit
            return self._lit, wait_s
        self._rises.append(now_s)
        self._lit = wanted
        return wanted, None
