"""Whether one of the weighed hypotheses is clear enough to be taken, or several lawful ones to be asked about.

It needs a clear margin, and every place that it changes was really seen.
"""

from collections.abc import Sequence

from companion.games.base import Layout
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence, place_key
from companion.referee.evidence.weighing import posterior
from companion.referee.explanations.another_table import explained_elsewhere
from companion.referee.explanations.explanation import ACTIONS, Explanation, Scene
from companion.referee.explanations.outlook import Hypothesis, rank
from companion.referee.settings import Settings

NEAREST = 3  # so many of the best hypotheses are also weighed with strays on top of them
TOLD_WITH = 3.0  # log-odds: what is less likely by no more is told with what is taken where nobody can be asked


class Decider:
    """Takes what is clear enough. Holds no state."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def decide(
        self, scene: Scene, seen: Evidence, hypotheses: Sequence[Hypothesis], plainly: bool = False
    ) -> Explanation | None:
        """The explanation if one hypothesis (or a choice of lawful ones) is clear enough, else None."""
        ranked = rank(seen, hypotheses)
        anything = max(seen.best_score(h.layout) - h.cost for _, h in ranked[:NEAREST])
        odds = posterior([score for score, _ in ranked] + [anything])
        best, sure = ranked[0][1], odds[0]
        if explained_elsewhere(scene, seen, best) or self._overlooks(seen, best):
            return None
        if not self.saw(scene, seen, best, plainly):
            return self._doubtful_looks(scene, seen, ranked, odds)
        if plainly and isinstance(seen, CellEvidence) and seen.contradicts(best.layout):
            return None  # what else hands may have done is to be weighed, too
        if sure >= self.settings.certainty and best.layout.celled:
            return Explanation(best.kind, best.key, best, sure=sure)
        if sure >= self.settings.certainty or self._fair(scene, ranked, odds):
            rivals = self._rivals(ranked, odds)
            return Explanation(best.kind, best.key, best, sure=sure, rivals=rivals, as_well=self._as_well(ranked))
        return self._choice(ranked, odds)

    def _doubtful_looks(
        self, scene: Scene, seen: Evidence, ranked: list[tuple[float, Hypothesis]], odds: list[float]
    ) -> Explanation | None:
        """The choice between actions where something is seen for all that the best one puts down, if not its looks."""
        best = ranked[0][1]
        if self.settings.take_the_best or not isinstance(seen, FreeEvidence) or best.kind != "move":
            return None
        before = set(map(place_key, scene.standing.pieces))
        new = (p for p in best.layout.pieces if place_key(p) not in before)
        if not all(seen.reads((p.x_mm, p.y_mm)) for p in new):
            return None
        choice = self._choice(ranked, odds)
        return choice if choice is not None and choice.kind == "choice" else None

    def _overlooks(self, seen: Evidence, best: Hypothesis) -> bool:
        """True if nothing is said to have happened on a watched free table where a piece surely lies that is new.

        Beside something else that is odd no action may explain it. Kept in mind as of no game, it would never be one.
        """
        return best.kind == "nothing" and self.shows_more(seen, best.layout)

    def shows_more(self, seen: Evidence, layout: Layout) -> bool:
        """True on a watched free table on which a piece surely lies that this layout lacks."""
        return not self.settings.take_the_best and isinstance(seen, FreeEvidence) and seen.shows_more(layout)

    def _fair(self, scene: Scene, ranked: list[tuple[float, Hypothesis]], odds: list[float]) -> bool:
        """True if the best clearly leads, and its rivals are of a kind with it (which way was the piece turned?).

        What was refused counts as put back at this much as well: if it was not, it is refused again. Where nobody can
        be asked, that nothing happened, or something was taken back, is a rival like others: what is waited for here
        is lost with the next picture.
        A table put back counts at less than that: on cells a single piece may be all that differs.
        """
        best = ranked[0][1]
        if best.kind == "earlier":
            return (self.settings.take_the_best or best.layout.celled) and odds[0] >= self.settings.put_back
        if odds[0] < self.settings.fair:
            return False
        if best.kind == "nothing":
            return scene.refused
        if best.kind not in ACTIONS:
            return False
        rivals = (*ACTIONS, "nothing", "earlier") if self.settings.take_the_best else ACTIONS
        total = sum(p for (_, h), p in zip(ranked, odds, strict=False) if h.kind in rivals)
        return total >= self.settings.certainty

    def _rivals(self, ranked: list[tuple[float, Hypothesis]], odds: list[float]) -> tuple[Hypothesis, ...]:
        """The lawful actions beside the best that are not out of the question."""
        best = ranked[0][1]
        least = 1.0 - self.settings.certainty if best.layout.celled else self.settings.thought_of
        if best.kind == "unlawful":
            least = self.settings.lawful_instead
        near = [h for (_, h), p in zip(ranked, odds, strict=False) if p >= least]
        return tuple(h for h in near if h.kind == "move" and best.kind in ACTIONS and h.moves != best.moves)

    def _choice(self, ranked: list[tuple[float, Hypothesis]], odds: list[float]) -> Explanation | None:
        """The lawful actions that together explain the view, when no other explanation comes between."""
        # whose looks on a free table are in doubt is asked about, rather than ruled on
        choosable = ("move",) if ranked[0][1].layout.celled else ACTIONS
        pairs = [(h, p) for (_, h), p in zip(ranked, odds, strict=False) if h.kind in choosable]
        if ranked[0][1].kind not in choosable or sum(p for _, p in pairs) < self.settings.certainty:
            return None
        total, chosen = 0.0, list[Hypothesis]()
        for hypothesis, p in pairs:
            chosen.append(hypothesis)
            total += p
            if total >= self.settings.fair:
                break
        if len({h.moves for h in chosen}) == 1:
            return Explanation(chosen[0].kind, chosen[0].key, chosen[0], sure=total)
        key = ("choice", frozenset(h.key for h in chosen))
        return Explanation("choice", key, chosen[0], tuple(chosen), sure=total, as_well=self._as_well(ranked))

    def _as_well(self, ranked: list[tuple[float, Hypothesis]]) -> tuple[Hypothesis, ...]:
        """What was done beside the best, perhaps: lawful actions, or some taken back."""
        top, best = ranked[0]
        near = (h for score, h in ranked if score >= top - TOLD_WITH and h.kind in ("move", "earlier"))
        return tuple(h for h in near if (h.moves, h.ply) != (best.moves, best.ply))

    def saw(self, scene: Scene, seen: Evidence, hypothesis: Hypothesis, plainly: bool = False) -> bool:
        """True if every place that a hypothesis changes was really seen."""
        if hypothesis.kind == "nothing":
            return True
        before = scene.outlook.layout if hypothesis.kind == "move" and scene.awaiting else scene.standing
        return seen.saw(before, hypothesis.layout, plainly)
