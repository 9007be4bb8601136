"""What people have said was not done: it is not asked about again, and without a hand no look makes it count."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.spelling import described
from companion.referee.state import State


@dataclass(slots=True)
class Denied:
    """The explanation that was asked about, and every action of it in words; none before anybody said no."""

    key: Hashable = None
    done: frozenset[str] = frozenset()
    refused: bool = False  # what lies there was refused since

    @classmethod
    def of(cls, key: Hashable, asked: Iterable[Hypothesis], state: State) -> Denied:
        """What is denied with an answer that is none of those that were `asked` about."""
        return cls(key, frozenset(described(state, meant) for meant in asked if meant.kind == "move"))

    def hand(self) -> None:
        """A hand may do now what was not done before."""
        self.done, self.refused = frozenset(), False

    def left(self, choices: Iterable[Hypothesis], state: State) -> tuple[Hypothesis, ...]:
        """Those of several actions that were not denied."""
        return tuple(c for c in choices if not (self.done and c.kind == "move" and described(state, c) in self.done))

    def heeded(self, found: Explanation, state: State) -> Explanation:
        """The explanation without what was denied; one that is asked about no more where nothing is left of it."""
        if not self.done or found.kind not in ("move", "choice", "between"):
            return found
        told = (found.best,) if found.kind == "move" and found.best is not None else found.choices
        left = self.left(told, state)
        if len(left) == len(told):
            return found
        if not left:
            return replace(found, kind="choice" if found.kind == "move" else found.kind, key=self.key)
        return replace(found, key=(found.kind, frozenset(c.key for c in left)), best=left[0], choices=left)
