"""What may have happened from a position on: every candidate as a layout and how unlikely it is before looking."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.errors import IllegalMove, UnreadableText
from companion.games.base import Game, Layout, Move, Position
from companion.games.extras import extras
from companion.referee.chance import dice
from companion.referee.evidence.layout import Evidence, cells_of, changed, differing, signature
from companion.referee.settings import Settings
from companion.referee.words import sentence
from companion.view import TableView


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One thing that may have happened. `kind` is nothing, cleared, move, earlier, early or unlawful."""

    kind: str
    layout: Layout
    cost: float
    moves: tuple[Move, ...] = ()
    settled: bool = False  # the consequences are carried out on the table already
    ply: int = 0  # of an earlier position
    error: IllegalMove | None = None
    after: Layout | None = None  # the table once all is carried out, where that may be seen half done

    @property
    def key(self) -> Hashable:
        """Equal for readings that mean the same."""
        return self.kind, self.moves, self.settled, self.ply


def rank(seen: Evidence, hypotheses: Iterable[Hypothesis]) -> list[tuple[float, Hypothesis]]:
    """Hypotheses with their log-scores, the best first; of equals the one given first."""
    scored = [(seen.score(h.layout) - h.cost, h) for h in hypotheses]
    return sorted(scored, key=lambda pair: -pair[0])


class Outlook:
    """What may come next from one position: computed once, weighed against many views."""

    def __init__(self, game: Game, position: Position, settings: Settings) -> None:
        self.game, self.position = game, position
        self._settings = settings
        self.layout = game.layout(position)
        self._extras = extras(game)
        self._built: dict[Move, tuple[Hypothesis, ...]] = {}
        self._after: dict[Move, Layout] = {}

    @cached_property
    def lawful(self) -> tuple[Hypothesis, ...]:
        """Every lawful action that changes the table, before and after its consequences are carried out."""
        return tuple(h for move in self._moves for h in self._lawful(move))

    def likely(self, view: TableView) -> tuple[Hypothesis, ...]:
        """The lawful actions that this view gives reason to weigh: all, unless the game can tell (`plausible`)."""
        plausible = self._extras.plausible
        if plausible is None:
            return self.lawful
        return tuple(h for move in plausible(self.position, view) for h in self._lawful(move))

    def _lawful(self, move: Move) -> tuple[Hypothesis, ...]:
        if move not in self._built:
            during, after = self.game.during(self.position, move), self._carried_out(move)
            found = []
            if changed(self.layout, during):
                cost, parts = self._settings.lawful_cost, _in_parts(during, after)
                found.append(Hypothesis("move", during, cost, (move,), after=parts))
            if changed(during, after) and self._settles(after):
                found.append(Hypothesis("move", after, self._cleared_cost(move), (move,), settled=True))
            cost = self._settings.lawful_cost + self._settings.under_way_cost
            found += [Hypothesis("move", laid, cost, (move,)) for laid, _ in self._under_way(self.position, move)[:-1]]
            self._built[move] = tuple(found)
        return self._built[move]

    def _carried_out(self, move: Move) -> Layout:
        """The table after a lawful action and all that follows from it."""
        if move not in self._after:
            self._after[move] = self.game.layout(self.game.play(self.position, move).position)
        return self._after[move]

    def _settles(self, after: Layout) -> bool:
        """True if this table shows that an action was made and carried out, and not only that pieces were lifted.

        A game may know better (`cleared_cost`).
        """
        gone_only = signature(after) < signature(self.layout) and self._extras.cleared_cost is None
        return changed(self.layout, after) and not gone_only

    @cached_property
    def most_changed(self) -> int:
        """How many cells of a board the lawful action changes that changes most."""
        here = cells_of(self.layout)
        return max((len(differing(here, cells_of(h.layout))) for h in self.lawful), default=0)

    @cached_property
    def losses(self) -> tuple[Hypothesis, ...]:
        """The lawful actions after which a piece is gone and nothing else has changed: it was struck where it went."""
        found = []
        for move in self._moves:
            after = self._carried_out(move)
            if changed(self.layout, after) and not self._settles(after):
                found.append(Hypothesis("move", after, self._cleared_cost(move), (move,), settled=True))
        return tuple(found)

    @cached_property
    def unshown(self) -> tuple[Move, ...]:
        """The lawful moves of which a camera sees nothing when they are made."""
        return tuple(m for m in self._moves if not changed(self.layout, self.game.during(self.position, m)))

    @cached_property
    def _all_reached(self) -> frozenset[frozenset[object]]:
        return frozenset(signature(h.layout) for h in self.lawful)

    def reached(self, likely: tuple[Hypothesis, ...]) -> frozenset[frozenset[object]]:
        """The tables that lawful actions lead to: none of them is an earlier table put back."""
        if self._extras.plausible is not None:
            return frozenset(signature(h.layout) for h in likely)
        return self._all_reached

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        return tuple(self.game.moves(self.position))

    @cached_property
    def _listed(self) -> frozenset[Move]:
        return frozenset(self._moves)

    def candidates(self, view: TableView) -> tuple[Hypothesis, ...]:
        """What the game itself offers for this view beyond its list of moves: lawful or not."""
        found: list[Hypothesis] = []
        refused: dict[Move, IllegalMove] = {}
        plausible = None if self.layout.celled else self._extras.plausible
        # on a free table the list of moves is endless, or as good as
        listed = self._listed if plausible is None else frozenset(plausible(self.position, view))
        for move in self.game.candidates(self.position, view):
            if move in listed:
                continue
            try:
                during = self.game.during(self.position, move)
                self.game.play(self.position, move)
            except IllegalMove as error:
                if changed(self.layout, during):
                    cost = self._settings.unlawful_cost + self._extras.oddity(self.position, move)
                    after = self._let_stand(during, move)
                    found.append(Hypothesis("unlawful", during, cost, (move,), error=error, after=after))
                refused[move] = error.with_traceback(None)  # whose frames would keep the picture
            except UnreadableText:
                continue
            else:
                if changed(self.layout, during):
                    found.append(Hypothesis("move", during, self._settings.lawful_cost, (move,)))
        return (*found, *self._carried_on(refused, found))

    def _carried_on(self, refused: Mapping[Move, IllegalMove], found: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
        """Unlawful actions of which hands have done what follows, or some of it: that is to be undone as well.

        None that leaves the table as something simpler does.
        """
        if self._extras.under_way is None:
            return
        cost = self._settings.unlawful_cost + self._settings.under_way_cost
        known = {signature(self.layout), *self._all_reached, *(signature(h.layout) for h in found)}
        for move, error in refused.items():
            for laid, back in self._under_way(self.position, move):
                if signature(laid) not in known:
                    known.add(signature(laid))
                    undone = IllegalMove(error.name, error.rule, error.text, sentence(back), error.figures)
                    yield Hypothesis("unlawful", laid, cost, (move,), error=undone)

    def _under_way(self, position: Position, move: Move) -> tuple[tuple[Layout, str], ...]:
        """The tables between an action and all that follows from it, the last with all done, if the game tells them."""
        offered = self._extras.under_way
        return () if offered is None else tuple(offered(position, move))

    def sequences(self, view: TableView, implied: bool) -> tuple[Hypothesis, ...]:
        """Moves that the game says explain this view only together: one that is seen, and what must have led to it.

        `implied`: throws of dice may be among them; else only what no dice decide.
        """
        found: list[Hypothesis] = []
        midway: list[Hypothesis] = []
        for moves in self._extras.sequences(self.position, view):
            (midway if self._ends_midway(moves) else found).extend(self._followed(moves, implied))
        if not self._settings.take_the_best:  # hands that rest have finished; a photograph may be taken any time
            done = {signature(h.layout) for h in found}
            midway = [h for h in midway if signature(h.layout) not in done]
        return (*found, *midway)

    def _ends_midway(self, moves: tuple[Move, ...]) -> bool:
        """True if lawful moves leave the turn in its middle, where the game tells that (`midway`)."""
        if (midway := self._extras.midway) is None:
            return False
        position = self.position
        try:
            for move in moves:
                position = self.game.play(position, move).position
        except (IllegalMove, UnreadableText):
            return False
        return midway(position)

    def _followed(self, moves: tuple[Move, ...], implied: bool) -> list[Hypothesis]:
        game, settings, position = self.game, self._settings, self.position
        for index, move in enumerate(moves):
            if not implied and dice(game, position):
                return []
            try:
                during, before = game.during(position, move), position
                position = game.play(position, move).position
            except IllegalMove as error:
                last = index + 1 == len(moves)
                unseen = index + (index > 0)  # moves that nobody saw lead to something lawful rather
                cost = settings.unlawful_cost + settings.implied_cost * unseen
                kept = error.with_traceback(None)  # whose frames would keep the picture
                return [Hypothesis("unlawful", during, cost, moves, error=kept)] if last else []
            except UnreadableText:
                return []
        after, more = game.layout(position), settings.implied_cost * (len(moves) - 1)
        found = []
        if changed(self.layout, during):
            found.append(Hypothesis("move", during, settings.lawful_cost + more, moves))
        if changed(during, after) and self._settles(after):
            found.append(Hypothesis("move", after, self._cleared_cost(moves[-1]) + more, moves, settled=True))
        cost = settings.lawful_cost + settings.under_way_cost + more
        return found + [Hypothesis("move", laid, cost, moves) for laid, _ in self._under_way(before, moves[-1])[:-1]]

    def _let_stand(self, during: Layout, move: Move) -> Layout | None:
        """The table that hands would make of an unlawful action in the end, where they have more to do."""
        carry_out = self._extras.carry_out
        if carry_out is None or during.board is None:
            return None
        try:
            after = self.game.layout(carry_out(self.position, move).position)
        except IllegalMove:  # the game cannot go on from it
            return None
        return after if changed(during, after) else None

    def _cleared_cost(self, move: Move) -> float:
        """Against the consequences having been carried out at once, unless the game knows better (`cleared_cost`)."""
        own = self._extras.cleared_cost
        return self._settings.cleared_cost if own is None else own(self.position, move)


def _in_parts(during: Layout, after: Layout) -> Layout | None:
    """The table afterwards if, on a board, it takes more than one cell to get there."""
    if during.board is None:
        return None
    return after if len(differing(cells_of(during), cells_of(after))) > 1 else None
