"""Looks at one resting table that tell now this action, now that: after a while people are asked which it was."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from companion.referee.explanations.explanation import ACTIONS, Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.settings import Settings


@dataclass(slots=True)
class _Fitted:
    hypothesis: Hypothesis
    looks: int = 0


class Wavering:
    """Remembers every action that fitted a look since the last one that was agreed upon."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._fitted: dict[Hashable, _Fitted] = {}
        self._since_s: float | None = None
        self._acted, self._looks = 0, 0

    def forget(self) -> None:
        """Looks agreed, or something came between."""
        self._fitted, self._since_s = {}, None
        self._acted, self._looks = 0, 0

    def see(self, found: Explanation, now_s: float, patience_s: float = 0.0) -> Explanation | None:
        """One more look upon which none agreed: the choice between all that fitted, once it has lasted too long.

        That is so much longer than looks that do agree are not heeded (`patience_s`).
        """
        told = _actions(found)
        self._acted, self._looks = self._acted + bool(told), self._looks + (found.kind != "unclear")
        for hypothesis in told:
            fitted = self._fitted.setdefault(hypothesis.moves, _Fitted(hypothesis))
            fitted.looks += 1
            self._since_s = now_s if self._since_s is None else self._since_s
        lasts_s = self._settings.wavers_s + patience_s
        if self._since_s is None or now_s - self._since_s < lasts_s or len(self._fitted) < 2:
            return None
        if self._acted < self._settings.wavers_share * self._looks:
            return None
        if all(fitted.hypothesis.error is not None for fitted in self._fitted.values()):
            return None  # whichever it was, it is refused
        often = sorted(self._fitted.values(), key=lambda fitted: -fitted.looks)
        choices = tuple(fitted.hypothesis for fitted in often)
        self.forget()
        return Explanation("choice", ("choice", frozenset(h.key for h in choices)), choices[0], choices)


def _actions(found: Explanation) -> Sequence[Hypothesis]:
    """What a look says may have been done; what is unlawful on a board or a plan is ruled on, and not asked about.

    Nothing, while a hand may hold a piece.
    """
    if found.lifted:
        return ()
    told = found.choices or ((found.best,) if found.best is not None and found.kind in ACTIONS else ())
    return [h for h in told if h.kind == "move" or not h.layout.celled]
