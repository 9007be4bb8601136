"""How fast pictures come: a slow camera is slow all the time, and one that was away comes back once."""

SLOW_S = 3.0  # from one picture to the next: people wait for what is read, and think that it is broken
LATE = 2.0  # so many times its own pace a picture may take


class Pace:
    """Fed with the time of every picture, in seconds."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._gaps_s = (0.0, 0.0)  # before the last picture but one, and before the last

    @property
    def usual_s(self) -> float:
        """From one picture to the next: the shorter of the last two gaps, so that a single long one is none of it."""
        return min(self._gaps_s)

    def late_s(self, least_s: float) -> float:
        """A gap of so many seconds is longer than it should be: `least_s`, or more where the camera is slow."""
        return max(least_s, LATE * self.usual_s)

    def next(self, now_s: float) -> None:
        """One more picture."""
        if self._last_s is not None:
            self._gaps_s = self._gaps_s[1], now_s - self._last_s
        self._last_s = now_s


def slow_words(pace: Pace) -> str | None:
    """What is to be said of slow pictures; None where they come often enough."""
    if pace.usual_s < SLOW_S:
        return None
    return (
        "The camera's pictures come seconds apart: what is done at the table is seen that much later. "
        "Check its cable, choose smaller pictures, and see what else this computer does."
    )
