"""What has come to lie on or beside a plan and belongs to nothing there: people are told, and play goes on.

What lay there before the game began is known to be of none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.games.base import Layout, Plan
from companion.pieces import EMPTY
from companion.referee.evidence.free_layouts import apart
from companion.referee.evidence.free_matching import BYSTANDERS
from companion.view import Sighting, TableView

GONE = 0.5  # belief in nothing being there from which a piece has left its spot


@dataclass(frozen=True, slots=True)
class StrangerSettings:
    """When something is surely there, and the same thing as before."""

    surely: float = 0.97  # belief from which it is
    still_mm: float = 25.0
    looks: int = 8  # so many in a row show it
    most: int = 40  # things from before the game that are remembered


@dataclass(frozen=True, slots=True)
class Stranger:
    """Something that does not belong there; `again`: because there is another one like it that does."""

    seen: Sighting
    again: bool = False


@dataclass
class Strangers:
    """Compares what lies loose with the pieces that may, look after look."""

    settings: StrangerSettings = field(default_factory=StrangerSettings)
    _before: tuple[Sighting, ...] | None = None  # what lay there before the game; None: not known yet
    beside: tuple[
        Sighting, ...
    ] = ()  # what is of the kind that lies on the plan's spots, and lies on none, such as tiles
    _now: tuple[tuple[Stranger, int], ...] = ()  # what does not belong there, and in how many looks it was seen

    def forget(self) -> None:
        """Another game is laid out."""
        self._before, self._now, self.beside = None, (), ()

    @property
    def seen(self) -> tuple[Stranger, ...]:
        """What has surely come and does not belong there."""
        return tuple(one for one, looks in self._now if looks >= self.settings.looks)

    def look(self, view: TableView, read: TableView, layout: Layout, settled: bool) -> None:
        """One more view, as it is and read as cells; `settled`: the game has begun."""
        plan = layout.plan
        if plan is None:
            return
        sure = [s for s in view.sightings if self._sure(s)]
        loose = {id(s) for s in read.sightings if s.cell is None}
        self.beside = tuple(s for s in sure if id(s) in loose and s.piece.kind == plan.lies)
        strange = tuple(_strange(sure, [s for s in sure if id(s) in loose], read, layout))
        if not settled or self._before is None:
            there = (*(one.seen for one in strange), *(self._before or ()))
            self._before, self._now = there[: self.settings.most], ()
            return
        new = [one for one in strange if not self._near(one.seen, self._before)]
        looks = [next((n for was, n in self._now if self._same(one, was)), 0) for one in new]
        self._now = tuple((one, n + 1) for one, n in zip(new, looks, strict=True))

    def otherwise(self, before: Sequence[Sighting]) -> bool:
        """True if what lies beside the plan lay not there `before`, or something of that is gone."""
        one_way = any(not self._near(seen, before) for seen in self.beside)
        return one_way or any(not self._near(seen, self.beside) for seen in before)

    def _sure(self, seen: Sighting) -> bool:
        return seen.x_mm is not None and seen.why is None and not seen.faint and seen.told >= self.settings.surely

    def _near(self, seen: Sighting, others: Iterable[Sighting]) -> bool:
        return any(apart(seen, other) <= self.settings.still_mm for other in others)

    def _same(self, now: Stranger, before: Stranger) -> bool:
        """One of two that are alike may be this one now, and now that one."""
        alike = now.seen.piece.kind == before.seen.piece.kind
        return alike and ((now.again and before.again) or self._near(now.seen, (before.seen,)))


def _strange(
    sure: Sequence[Sighting], loose: Sequence[Sighting], read: TableView, layout: Layout
) -> Iterator[Stranger]:
    """What is none of the layout's, nor one of the pieces that have left it, nor the only die."""
    plan, own = layout.plan, {p.piece.kind for p in layout.pieces}
    assert plan is not None
    walking = {walker.piece.kind for walker in plan.walkers}
    yield from (Stranger(s) for s in loose if s.piece.kind not in (*own, *walking, *BYSTANDERS, EMPTY.kind))
    yield from _walkers(sure, plan)
    yield from map(Stranger, _left(loose, read, plan))
    for kind in BYSTANDERS:
        yield from [Stranger(s, again=True) for s in loose if s.piece.kind == kind][1:]


def _walkers(sure: Sequence[Sighting], plan: Plan) -> Iterator[Stranger]:
    """Of walkers those that nobody plays, and a second one of a look."""
    kinds = {walker.piece.kind for walker in plan.walkers}
    left = [walker.piece for walker in plan.walkers]
    for seen in (s for s in sure if s.piece.kind in kinds):
        if (own := next((piece for piece in left if piece.fits(seen.piece)), None)) is not None:
            left.remove(own)
        else:
            yield Stranger(seen, again=any(walker.piece.fits(seen.piece) for walker in plan.walkers))


def _left(loose: Sequence[Sighting], read: TableView, plan: Plan) -> Iterator[Sighting]:
    """Of the kind that lies on the spots more than are missing there, those first that are known to have left them."""
    cells = read.by_cell()
    room = sum(cells[spot.cell].belief(EMPTY) >= GONE for spot in plan.spots if spot.cell in cells)
    here = [s for s in loose if s.piece.kind == plan.lies]
    here.sort(key=lambda s: not any(piece.fits(s.piece) for piece in plan.gone))
    yield from here[room:]
