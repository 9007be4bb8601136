"""Which candidate explains what is seen: nothing new, an action, a step, an earlier table, something unlawful.

The same for all games. Every hypothesis is a layout with a cost (how unlikely it is before looking); the view is
weighed against each, and against "anything at all"; `deciding` says which is clear enough to be taken.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Game, Layout, Position
from companion.pieces import EMPTY
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import alike
from companion.referee.evidence.layout import Cells, Evidence, cells_of, changed, signature
from companion.referee.evidence.weighing import posterior
from companion.referee.explanations.another_table import explained_elsewhere, like_none
from companion.referee.explanations.deciding import Decider
from companion.referee.explanations.explanation import ACTIONS, Earlier, Explanation, Scene, lacks_one, takes_off
from companion.referee.explanations.outlook import Hypothesis, Outlook, rank
from companion.referee.explanations.taken_back import MOST_TAKEN_BACK
from companion.referee.explanations.two_plies import first_plies, losses, overtaken, pairs, too_early
from companion.referee.settings import Settings
from companion.referee.steps import half_way, without_lifted
from companion.view import TableView

MOST_PAIRS = 8  # of plies that nobody saw, the likeliest, that may be asked about
AS_WELL = 2.0  # log-odds: what is likelier by less explains a view no better


class Explainer:
    """Weighs views. Holds no state but a small store of outlooks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._decider = Decider(settings)
        self._outlooks: dict[tuple[str, Position], Outlook] = {}

    def outlook(self, game: Game, position: Position) -> Outlook:
        """The outlook from a position, remembered."""
        key = (game.NAME, position)
        if key not in self._outlooks:
            if len(self._outlooks) > 64:
                self._outlooks.clear()
            self._outlooks[key] = Outlook(game, position, self.settings)
        return self._outlooks[key]

    def explain(self, scene: Scene, view: TableView, seen: Evidence) -> Explanation:
        """The one explanation of this view, or why there is none."""
        photographed = self.settings.take_the_best
        if isinstance(seen, FreeEvidence):
            view = seen.aligned((scene.outlook.layout, scene.standing))
        usual = self._usual(scene, view, seen)
        usual += self._half_done(usual, seen)
        if (found := self._decider.decide(scene, seen, usual, plainly=True)) is not None:
            unlawful = self._rather_unlawful(found, scene, view)
            if not unlawful and not self._made_unseen(found, scene, view):
                return self._or_step(found, scene, seen)
            usual = [h for h in usual if h.key != found.key or not unlawful]
        offered = self._offered(scene, view) if scene.standing.celled else []
        put_back = {signature(h.layout) for h in usual if h.kind == "earlier"}
        offered = [h for h in offered if h.kind != "unlawful" or signature(h.layout) not in put_back]
        offered += [] if photographed else too_early(scene, view)
        more = [*usual, *offered, *self._after_work(scene, self._half_done(offered, seen))]
        first = self._decider.decide(scene, seen, more)
        if first is not None and not self._doubtful(first, seen):
            return self._or_step(first, scene, seen)
        if first is None and (found := self._step(scene, seen)) is not None:
            return found
        if not scene.stop and self.settings.catch_up_plies > 1:
            firsts, cost = first_plies(self, scene, view, seen), self.settings.catch_up_cost
            plies = pairs(firsts, view, cost) + ([] if photographed else overtaken(firsts, view, seen, cost))
            found = self._decider.decide(scene, seen, [*more, *plies]) if plies else None
            if found is not None and (photographed or not self._leaves_out(found, plies, seen)):
                return found
            if first is None and not photographed:
                strange = self._strange(scene, seen, more)
                if strange.kind != "strange":
                    return strange
                return self._between(scene, seen, strange, [*plies, *losses(scene, firsts, cost)])
        return first or self._strange(scene, seen, more)

    def _or_step(self, found: Explanation, scene: Scene, seen: Evidence) -> Explanation:
        """What is unlawful as part of what was asked for, if it is that as well: nobody broke a rule then.

        On a free table so is what looks as it did earlier: with a piece off that was to be taken off; on cells, where
        that fits the view better. And where plies are undone so is whatever else it looks like: some lie there still.
        """
        back = found.kind == "earlier" and (not scene.standing.celled or _rather_half_done(found, scene, seen))
        still = (
            scene.undoing and found.kind in ("move", "early", "choice", "earlier") and _lies_still(found, scene, seen)
        )
        return (self._step(scene, seen) if back or still or found.forbidden is not None else None) or found

    def _rather_unlawful(self, found: Explanation, scene: Scene, view: TableView) -> bool:
        """True on a board for a table from before the last few plies to which an unlawful action leads as well.

        What went to and fro is soon where it was: nobody takes back so many plies with one hand.
        """
        best = found.best
        if found.kind != "earlier" or best is None or not best.layout.celled:
            return False
        if scene.earlier[0].ply + 1 - best.ply <= MOST_TAKEN_BACK:
            return False
        made = (signature(h.layout) for h in self._offered(scene, view) if h.kind == "unlawful")
        return signature(best.layout) in made

    def _made_unseen(self, found: Explanation, scene: Scene, view: TableView) -> bool:
        """True on a photographed board for an earlier table to which several lawful moves lead that show only together.

        Nobody can be asked whether it was put back.
        """
        best = found.best
        if not self.settings.take_the_best or found.kind != "earlier" or best is None or not best.layout.celled:
            return False
        made = (signature(h.layout) for h in self._offered(scene, view) if h.kind == "move")
        return signature(best.layout) in made

    def _doubtful(self, found: Explanation, seen: Evidence) -> bool:
        """True for an action taken for want of a better one, of which some cell of the board shows nothing.

        And for an unlawful one that is odder than two plies unseen in between.
        """
        if not isinstance(seen, CellEvidence) or found.best is None:
            return False
        odder = self.settings.catch_up_cost + self.settings.lawful_cost
        if found.forbidden is not None and found.forbidden.cost > odder:
            return True
        return self.settings.take_the_best and found.best.kind in ACTIONS and seen.contradicts(found.best.layout)

    def _leaves_out(self, found: Explanation, plies: Sequence[Hypothesis], seen: Evidence) -> bool:
        """True for plies that nobody saw if some cell of a board speaks against them: more of them were made."""
        made = next((ply.layout for ply in plies if ply is found.best), None)
        return made is not None and isinstance(seen, CellEvidence) and seen.contradicts(made)

    def _usual(self, scene: Scene, view: TableView, seen: Evidence) -> list[Hypothesis]:
        expected = scene.awaiting or scene.refused or scene.stop  # then "nothing", or put back, is as likely as not
        usual = [Hypothesis("nothing", scene.standing, 0.0 if expected else self.settings.nothing_cost)]
        if scene.awaiting:
            usual.append(Hypothesis("cleared", scene.outlook.layout, 0.0))
        likely = scene.outlook.likely(view)
        known = {signature(scene.standing), signature(scene.outlook.layout), *scene.outlook.reached(likely)}
        if not scene.standing.celled:
            likely = (*likely, *self._offered(scene, view))  # on a free table little else is likely
        since = [scene.standing]
        for table in scene.earlier:  # of plies that left the table alike, the last one
            layout = table.layout
            gone = not isinstance(seen, FreeEvidence) or seen.gone(layout, since)
            since.append(layout)
            if (shown := signature(layout)) in known or self._done_again(layout, likely):
                continue
            known.add(shown)
            if gone and seen.saw(scene.standing, layout):  # else it is not believed, and is no doubt in anything else
                usual.append(Hypothesis("earlier", layout, self._earlier_cost(scene, table.ply), ply=table.ply))
        halves = [h for table in scene.earlier for h in self._half_taken_back(scene, table, seen)]
        usual += [h for h in halves if signature(h.layout) not in known]
        return usual if scene.stop else [*usual, *likely]

    def _half_taken_back(self, scene: Scene, table: Earlier, seen: Evidence) -> list[Hypothesis]:
        """The last action taken back by hand, while some of what followed from it lies there still."""
        mixed = half_way(table.layout, table.followed, seen) if table.followed is not None else table.layout
        if not changed(mixed, table.layout) or not seen.saw(scene.standing, mixed):
            return []
        return [Hypothesis("earlier", mixed, self._earlier_cost(scene, table.ply), ply=table.ply)]

    def _earlier_cost(self, scene: Scene, ply: int) -> float:
        """Against a table put back; the last action is taken back more often, and on cells by a single piece."""
        last = scene.standing.celled and bool(scene.earlier) and ply == scene.earlier[0].ply
        return self.settings.taken_back_cost if last else self.settings.earlier_cost

    def _half_done(self, hypotheses: Sequence[Hypothesis], seen: Evidence) -> list[Hypothesis]:
        """The actions that ask hands for several things, with as many of them done as fit the view best."""
        found = []
        for h in hypotheses:
            if h.after is not None:
                mixed = half_way(h.layout, h.after, seen)
                whole = h.kind != "unlawful" and not changed(mixed, h.after)  # which is a hypothesis of its own
                if changed(mixed, h.layout) and not whole:
                    found.append(replace(h, layout=mixed, cost=h.cost + self.settings.half_done_cost, after=None))
        return found

    def _done_again(self, earlier: Layout, likely: Sequence[Hypothesis]) -> bool:
        """True on a free table that lawful actions lead to, too: then it is rather no earlier one put back."""
        if earlier.celled:
            return False
        return any(h.kind == "move" and alike(earlier, h.layout, self.settings) for h in likely)

    def _offered(self, scene: Scene, view: TableView) -> list[Hypothesis]:
        """The game's own candidates; while hands are asked for something, none that undoes what was asked for."""
        if scene.stop:
            return []
        return self._after_work(scene, (*scene.outlook.candidates(view), *scene.outlook.sequences(view, scene.implied)))

    def _after_work(self, scene: Scene, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Without the unlawful actions that undo on a board what hands are asked for: that rather is not done yet."""
        if not scene.awaiting or not scene.standing.celled:
            return list(hypotheses)
        wanted = cells_of(scene.outlook.layout)
        asked = [cell for cell, piece in cells_of(scene.standing).items() if wanted.get(cell) != piece]

        def undoes(made: Cells) -> bool:
            return any(made.get(cell) != wanted.get(cell) for cell in asked)

        return [h for h in hypotheses if h.kind != "unlawful" or not undoes(cells_of(h.layout))]

    def _step(self, scene: Scene, seen: Evidence) -> Explanation | None:
        """Part of what hands were asked for, and nothing else."""
        if not scene.awaiting:
            return None
        mixed = _part_done(scene, seen)
        if not seen.saw(scene.standing, mixed):
            return None
        odds = posterior([seen.score(mixed), seen.best_score(mixed)])
        if odds[0] < self.settings.certainty or self._decider.shows_more(seen, mixed):
            return None
        for kind, layout in (("nothing", scene.standing), ("cleared", scene.outlook.layout)):
            if not changed(mixed, layout):
                doubts = seen.untold(scene.standing, mixed) if isinstance(seen, CellEvidence) else ()
                if doubts:  # it may be done, and may as well be still to do
                    return Explanation("unclear", ("undone", tuple(d.cell for d in doubts)), differences=doubts)
                whole = Hypothesis(kind, layout, 0.0)
                return Explanation(kind, whole.key, whole, sure=odds[0])
        if mixed.celled and not scene.undoing and (ply := _ply_of(scene, mixed)) is not None:
            undone = Hypothesis("earlier", mixed, self.settings.earlier_cost, ply=ply)
            return Explanation("earlier", undone.key, undone, sure=odds[0])
        left = tuple(str(p) for p in sorted(map(repr, mixed.pieces)))
        return Explanation("step", ("step", left), Hypothesis("step", mixed, 0.0), sure=odds[0])

    def _between(self, scene: Scene, seen: Evidence, found: Explanation, plies: Sequence[Hypothesis]) -> Explanation:
        """What is strange, but all of it explained by plies nobody saw: too little changed to rule on that unasked."""
        likely = (h for _, h in rank(seen, plies)[:MOST_PAIRS])
        fitting = tuple(h for h in likely if not seen.differences(h.layout) and seen.saw(scene.standing, h.layout))
        if not fitting:
            return found
        return replace(found, kind="between", key=("between", frozenset(h.key for h in fitting)), choices=fitting)

    def _strange(self, scene: Scene, seen: Evidence, hypotheses: Sequence[Hypothesis]) -> Explanation:
        """Nothing explains the view: say where it differs from the nearest of the tables expected."""
        bases = [scene.standing]
        if scene.awaiting:
            bases += [scene.outlook.layout, _part_done(scene, seen)]
        ranked = rank(seen, hypotheses)
        best = ranked[0][1]
        if self.settings.take_the_best and isinstance(seen, CellEvidence) and _only_misread(scene, seen, best):
            anything = seen.best_score(best.layout) - best.cost
            sure = posterior([score for score, _ in ranked] + [anything])[0]
            if sure >= self.settings.fair:
                return Explanation("move", best.key, best, sure=sure)
        if best.kind == "move" and not seen.differences(best.layout) and not self._decider.saw(scene, seen, best):
            hidden = seen.unseen(best.layout)  # a hand lies where it would be seen
            return Explanation("unclear", ("hidden", best.key), best, differences=hidden)
        if explained_elsewhere(scene, seen, best) and like_none(seen, bases):
            return Explanation("elsewhere", ("elsewhere",), best)
        differences = min((seen.differences(base) for base in bases), key=len) or seen.unseen(best.layout)
        if not differences and isinstance(seen, CellEvidence):
            differences = seen.doubted(
                scene.standing
            )  # too little for each of them, and yet something may be otherwise
        if len(differences) > 1 and best.kind == "move" and best.layout.celled and not takes_off(best, scene.standing):
            after = seen.differences(best.layout)
            differences = after if lacks_one(after) else differences  # a hand holds the next piece already
        if best.kind == "nothing" and not differences and not (scene.awaiting or scene.refused):
            return Explanation("idle", ("idle",), best)
        sure = bool(differences) and all(d.why is None and d.belief >= self.settings.sure_seen for d in differences)
        kind = "strange" if sure else "unclear"
        key = (kind, frozenset((d.cell, d.x_mm, d.y_mm, d.seen) for d in differences))
        return Explanation(kind, key, best, differences=differences)


def _only_misread(scene: Scene, seen: CellEvidence, best: Hypothesis) -> bool:
    """True for a move that explains all but the looks of what it put somewhere: a mirror may show another's colour."""
    before, after = cells_of(scene.standing), cells_of(best.layout)
    put = [cell for cell, piece in after.items() if before.get(cell) != piece]
    misread = [cell for cell in put if not seen.saw_cell(cell, after[cell])]
    return (
        best.kind == "move"
        and bool(misread)
        and all(seen.reads(cell) and seen.top(cell)[0].kind == after[cell].kind for cell in misread)
        and all(seen.saw_cell(cell, EMPTY) for cell in before.keys() - after.keys())
        and all(difference.cell in misread for difference in seen.differences(best.layout))
    )


def _ply_of(scene: Scene, shown: Layout) -> int | None:
    """After how many plies the table last looked like this, if it did."""
    return next((table.ply for table in scene.earlier if signature(table.layout) == signature(shown)), None)


def _part_done(scene: Scene, seen: Evidence) -> Layout:
    """The table on which so much of what hands were asked for is done as is seen, or so much of what is undone."""
    mixed = without_lifted(half_way(scene.standing, scene.outlook.layout, seen), scene.moving, seen)
    return max((mixed, *scene.half), key=seen.score)  # the first of those that fit alike


def _rather_half_done(found: Explanation, scene: Scene, seen: Evidence) -> bool:
    """True if what hands were asked for, done by halves, fits the view better than the table that was found."""
    return (
        scene.awaiting
        and found.best is not None
        and seen.score(_part_done(scene, seen)) > seen.score(found.best.layout)
    )


def _lies_still(found: Explanation, scene: Scene, seen: Evidence) -> bool:
    """True if plies that are half put back explain the view as well; what the host has named otherwise is none such."""
    fit = seen.score(_part_done(scene, seen))
    layouts = (h.layout for h in (found.best, *found.choices) if h is not None)
    return all(fit > seen.score(layout) - AS_WELL for layout in layouts)
