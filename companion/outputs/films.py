"""Moving pictures for a strip of lights, as data. Pure: time is an argument."""

from collections import deque
from dataclasses import dataclass

Colour = tuple[int, int, int]  # red, green, blue, 0 to 255
Picture = tuple[Colour, ...]  # one colour for each light, the first first
DARK: Colour = (0, 0, 0)
MOST_WAITING = 3  # films that wait for another to end; what is older than that is no news


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture for so long."""

    picture: Picture
    seconds: float


@dataclass(frozen=True, slots=True)
class Film:
    """Frames one after the other, again and again when `repeats`, else once."""

    frames: tuple[Frame, ...]
    repeats: bool = False

    @property
    def seconds(self) -> float:
        """Duration of one round."""
        return sum(frame.seconds for frame in self.frames)

    def at(self, since_s: float) -> tuple[Picture, float | None]:
        """The picture so long after the start, and the seconds until the next; None when nothing changes any more."""
        if self.repeats and len(self.frames) == 1:
            return self.frames[0].picture, None
        left_s = since_s % self.seconds if self.repeats else since_s
        for frame in self.frames:
            if left_s < frame.seconds:
                return frame.picture, frame.seconds - left_s
            left_s -= frame.seconds
        return self.frames[-1].picture, 0.001 if self.repeats else None  # rounding at the very end of a round


def still(picture: Picture) -> Film:
    """One picture for good."""
    return Film((Frame(picture, 1.0),), repeats=True)


def dark(lights: int) -> Film:
    """Nothing."""
    return still((DARK,) * lights)


def dimmed(colour: Colour, share: float) -> Colour:
    """The colour with this share of its brightness."""
    red, green, blue = (round(level * share) for level in colour)
    return red, green, blue


class Reel:
    """A film that lasts, and others that run over it once, one after the other."""

    def __init__(self, lasting: Film) -> None:
        self._lasting, self._since_s = lasting, 0.0
        self._passing: deque[Film] = deque(maxlen=MOST_WAITING)
        self._running: tuple[Film, float] | None = None

    def show(self, film: Film, now_s: float) -> None:
        """What lasts from now on; one that runs already runs on."""
        if film != self._lasting:
            self._lasting, self._since_s = film, now_s

    def run(self, film: Film) -> None:
        """Once, when those before it have ended."""
        self._passing.append(film)

    def cut(self) -> None:
        """What runs or waits to be run counts no more."""
        self._passing.clear()
        self._running = None

    def at(self, now_s: float) -> tuple[Picture, float | None]:
        """The picture to be shown now, and in how many seconds to ask again."""
        if self._running is not None and now_s - self._running[1] >= self._running[0].seconds:
            self._running = None
        if self._running is None and self._passing:
            self._running = (self._passing.popleft(), now_s)
        if self._running is None:
            return self._lasting.at(now_s - self._since_s)
        film, since_s = self._running
        return film.at(now_s - since_s)
