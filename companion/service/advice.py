"""What the eye says again and again is worth a person's time: less light, a marker in its place, the board's size."""

import re
from collections.abc import Iterable

LASTS_S = 5.0  # a hand over a marker, or a cloud, is gone sooner
NUMBERS = re.compile(r"\d+(\.\d+)?")  # they are measured anew in every picture


class LastingAdvice:
    """Texts that were said for `LASTS_S` without a break of as long."""

    def __init__(self, lasts_s: float = LASTS_S) -> None:
        self._lasts_s = lasts_s
        self._said: dict[str, tuple[str, float, float]] = {}  # without its numbers: the text, since when, until when

    def hear(self, now_s: float, texts: Iterable[str]) -> tuple[str, ...]:
        """What holds after one more picture taken at `now_s` (seconds), in the words that were said first."""
        for text in texts:
            said, since_s, _ = self._said.get(key := NUMBERS.sub("", text), (text, now_s, now_s))
            self._said[key] = said, since_s, now_s
        self._said = {key: told for key, told in self._said.items() if now_s - told[2] < self._lasts_s}
        return tuple(text for text, since_s, until_s in self._said.values() if until_s - since_s >= self._lasts_s)
