"""What the lamps show, as data. Meanings differ in rhythm and in place, never only in colour.

Lamps: "seats.0", "seats.1" ... one at each seat; "sight", "wait", "stop", "hit" between them. A seat for which no lamp
is connected has its turn on one of the other seats' lamps, and is told from those by how often that blinks.
Nothing flashes more than three times a second (WCAG 2.2, 2.3.1).
"""

from dataclasses import dataclass, replace

FLASHES_PER_S = 3


@dataclass(frozen=True, slots=True)
class Stroke:
    """These lamps are lit, all others dark, for so long."""

    lamps: frozenset[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """Strokes one after the other, again and again when `repeats`, else once.

    `counts`: two of it say more than one, as two dice do that show the same.
    """

    name: str
    strokes: tuple[Stroke, ...]
    repeats: bool = True
    counts: bool = False

    @property
    def lamps(self) -> frozenset[str]:
        """Every lamp that it uses: its place."""
        return frozenset[str]().union(*(stroke.lamps for stroke in self.strokes))

    @property
    def seconds(self) -> float:
        """Duration of one round."""
        return sum(stroke.seconds for stroke in self.strokes)

    @property
    def at_rest(self) -> frozenset[str]:
        """The lamps that are lit for longest: so it stands while something is counted out beside it."""
        return max(self.strokes, key=lambda stroke: stroke.seconds).lamps

    def at(self, since_s: float) -> frozenset[str]:
        """The lamps that are lit so long after its start; none once it is over."""
        if not self.repeats and since_s >= self.seconds:
            return frozenset()
        return self.strokes[self._index(since_s)[0]].lamps

    def next_change_s(self, since_s: float) -> float | None:
        """Seconds from then until the next stroke; None when nothing changes any more."""
        still = len(self.strokes) == 1 if self.repeats else since_s >= self.seconds
        if still:
            return None
        return self._index(since_s)[1]

    def _index(self, since_s: float) -> tuple[int, float]:
        left_s = since_s % self.seconds if self.repeats else since_s
        for index, stroke in enumerate(self.strokes):
            if left_s < stroke.seconds:
                return index, stroke.seconds - left_s
            left_s -= stroke.seconds
        return len(self.strokes) - 1, 0.001  # rounding at the very end of a round


def _rhythm(name: str, *strokes: tuple[str, float], repeats: bool = True) -> Pattern:
    """Lamps separated by spaces ("" = dark) and seconds."""
    return Pattern(name, tuple(Stroke(frozenset(lamps.split()), s) for lamps, s in strokes), repeats)


def lamp_of(seat: int, connected: tuple[str, ...] = ()) -> str:
    """The lamp at a seat, or the one that stands for it where its own is not among those `connected`."""
    own = f"seats.{seat}"
    return own if own in connected or not connected else connected[seat % len(connected)]


def turn(seat: int, connected: tuple[str, ...] = ()) -> Pattern:
    """Steady light at the seat; the second seat's blinks once every four seconds, the third's twice ..."""
    lamp = lamp_of(seat, connected)
    return _rhythm(f"turn {seat}", (lamp, 4.0), *_blinks(lamp, seat))


def win(seats: tuple[int, ...], connected: tuple[str, ...] = ()) -> Pattern:
    """The winners' lamps and the hit lamp in turns; a draw has all other things dark and the hit lamp alone.

    A winner without a lamp of the own is shown after the others, with the blinks of that seat.
    """
    lamps = [(seat, lamp_of(seat, connected)) for seat in seats]
    own = " ".join(lamp for seat, lamp in lamps if lamp == f"seats.{seat}")
    strokes = [(own, 0.8)] if own or not seats else []
    for seat, lamp in lamps:
        if lamp != f"seats.{seat}":
            strokes += [*([("", 0.3)] if strokes else []), (lamp, 0.8), *_blinks(lamp, seat)]
    return _rhythm(f"win {' '.join(map(str, seats))}" if seats else "draw", *strokes, ("hit", 0.4))


def _blinks(lamp: str, seat: int) -> tuple[tuple[str, float], ...]:
    return (("", 0.3), (lamp, 0.4)) * seat


SEEING = _rhythm("seeing", ("sight", 0.15), ("", 4.85))  # a heartbeat: the camera runs
HAND = _rhythm("hand in view", ("wait", 0.7), ("", 0.7))
BLIND = _rhythm("not seeing", ("sight", 1.0), ("wait", 1.0))
ILLEGAL = _rhythm("illegal", ("stop", 1.5), ("", 0.5))
ERROR = _rhythm("error", ("stop wait", 0.2), ("", 0.3), ("stop wait", 0.2), ("", 0.3), ("stop wait", 1.0), ("", 1.0))
HIT = _rhythm("hit", ("hit", 0.25), ("", 0.35), ("hit", 0.25), ("", 0.35), ("hit", 0.25), ("", 0.35), repeats=False)
DESTROYING = _rhythm("Kaxxt hit", ("hit sight", 0.3), ("", 0.3), ("hit sight", 0.9), ("", 0.3), repeats=False)
OUT = _rhythm("out", ("stop hit", 1.2), ("", 0.4), ("hit", 0.4), ("", 0.4), repeats=False)
ANNIHILATED = _rhythm(  # everything between the seats swells and dies, three times, ever longer
    "annihilated",
    *(("sight", 0.35), ("sight wait", 0.35), ("sight wait stop", 0.35), ("sight wait stop hit", 0.6), ("", 0.4)),
    *(("sight wait stop hit", 0.8), ("", 0.4), ("sight wait stop hit", 1.4), ("", 0.4)),
    repeats=False,
)


PASSING = (HIT, DESTROYING, OUT, ANNIHILATED)  # the more important later; less than all is the number of a die


def weight(passing: Pattern) -> int:
    """How important a pattern is that runs once."""
    return PASSING.index(passing) if passing in PASSING else -1


def rolled(number: int) -> Pattern:
    """A die's number counted out, once; a null is one long light. A pause after it, for another die may follow."""
    strokes = (*(("wait hit", 0.3), ("", 0.35)) * (number - 1), ("wait hit", 0.3 if number else 1.8), ("", 1.0))
    return replace(_rhythm(f"rolled {number}", *strokes, repeats=False), counts=True)
