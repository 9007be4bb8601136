"""What one photograph showed and those after it do not was misread: the photographs since then are read again.

Where nobody can be asked, the likeliest action is taken of each photograph. The eye may be quite sure of what never was
there: a piece, its colour or size, how it lies, what it stands on. If later photographs outvote the one that told of
it, or nothing else explains the last, play is taken back to before it, and every photograph since is read as the later
ones show that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.events import Event
from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.referee import happenings as h
from companion.referee.consequences import acted_out
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import FreeMemory, apart, carriers
from companion.referee.evidence.layout import Evidence, Remembered, place_key
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.supposed import explained_from
from companion.referee.photographs.played_on import lawful
from companion.referee.photographs.read_anew import SECOND_THOUGHTS
from companion.referee.state import State, fold, fold_all
from companion.referee.words import sentence
from companion.view import COVERED_MM, Sighting, TableView, square_at

if TYPE_CHECKING:
    from companion.referee.table import Table

NEAR_MM = 8.0  # what lies so near to a place lies there
UNMOVED = ("nothing", "idle")  # kinds of what explains a photograph
NOTHING_DONE = "what the photograph before showed was not there."
Spot = tuple[tuple[float, float], ...]  # where a piece lies, and what carries it
Look = frozenset[Piece]  # what surely lies in one place, one upon the other; nothing where the table is bare


@dataclass(frozen=True, slots=True)
class PhotographSettings:
    """How many photographs are kept, and which of them count."""

    kept: int = 6
    sure: float = 0.8  # belief from which a look counts
    cleared_mm: float = 21.0  # so far around it the table is as bare as the later photograph shows
    outvoted: int = 2  # so many photographs that show the same are believed against fewer that show what was recorded


@dataclass(frozen=True, slots=True)
class Photograph:
    """One that was ruled on: the view, and what was known of the table before it."""

    raw: TableView
    view: TableView
    plies: int
    memory: Remembered | FreeMemory


@dataclass(slots=True)
class _PlayedAgain:
    """Play from a photograph on as it is read again: where it stands, how the table looked, what is to be recorded."""

    state: State
    memory: Remembered | FreeMemory
    events: list[Event]
    taken: list[Photograph] = field(default_factory=list)

    def look(self, table: Table, photograph: Photograph, view: TableView) -> tuple[Explanation, Evidence]:
        """What explains the photograph seen like this."""
        self.taken.append(replace(photograph, plies=len(self.state.plies), memory=self.memory))
        return explained_from(table, self.state, view, self.memory)

    def go_on(self, best: Hypothesis | None, seen: Evidence) -> None:
        """The action is made, if there is one, and how the table looks is kept in mind."""
        assert isinstance(seen, FreeEvidence)
        if best is None:
            self.memory = seen.looks(self.state.standing or Layout(()))
            return
        made = acted_out(self.state, best.moves, best.settled)
        self.events += made
        self.state = fold_all(made, self.state)
        self.memory = replace(seen.looks(best.layout), dice=seen.dice)

    def write_down(self, table: Table, first: int) -> None:
        """Other actions than those recorded from that ply on take their place."""
        made_anew, made_then = (each.plies[first:] for each in (self.state, table.state))
        if [past.move for past in made_anew] != [past.move for past in made_then]:
            done = " ".join(table.colours.text(sentence(past.text)) for past in made_anew)
            table.record(*self.events)
            table.mended = f"{SECOND_THOUGHTS} {done or NOTHING_DONE}"
        table.known.looks = self.memory


@dataclass(slots=True)
class Photographs:
    """The last few photographs of a free table, the newest last; the last is the one that is looked at."""

    settings: PhotographSettings = field(default_factory=PhotographSettings)
    _taken: list[Photograph] = field(default_factory=list)

    def note(self, raw: TableView, view: TableView, plies: int, memory: Remembered | FreeMemory) -> None:
        """One more photograph, seen after so many plies; one is looked at more than once, and counts but once."""
        self._taken = [photograph for photograph in self._taken if photograph.plies <= plies]  # others were taken back
        if not self._taken or self._taken[-1].raw is not raw:
            self._taken = [*self._taken[-self.settings.kept :], Photograph(raw, view, plies, memory)]

    def forget(self) -> None:
        """How play came to where it stands is not known any more: nothing can be read again."""
        self._taken = self._taken[-1:]

    def look(
        self, table: Table, found: Explanation, seen: Evidence, stuck: bool = False
    ) -> tuple[Explanation, Evidence] | None:
        """The action that the last photograph shows once those before it are read as it shows what they misread.

        `found` is what explains it from the table as it is recorded, `stuck` if that is nothing lawful.
        """
        now = len(table.state.plies)
        if not isinstance(seen, FreeEvidence) or table.state.phase != "play":
            return None
        if table.state.ruling is not None and not stuck:
            return None  # what was refused is put back, or let stand
        for at in reversed(range(len(self._taken) - 1)):
            since = self._taken[at:]
            misread = self._misread(table.state, since, found, stuck) if since[0].plies < now else set()
            if stuck:
                misread |= self._unexplained(table.state, since, found)
            if misread and (again := self._read_again(table, since, misread)) is not None:
                return again
        return None

    # --- what was misread ---------------------------------------------------------------------------------------

    def _misread(self, state: State, since: Sequence[Photograph], found: Explanation, stuck: bool) -> set[Spot]:
        """The places where something was put since that the last photograph shows otherwise, and not it alone."""
        assert state.standing is not None
        before = set(map(place_key, state.module.layout(state.at(since[0].plies)).pieces))
        hidden = set(map(place_key, carriers(state.standing)))
        kept = None if stuck or found.best is None else set(map(place_key, found.best.layout.pieces))
        wrong: set[Spot] = set()
        for lying in state.standing.pieces:
            key, spot = place_key(lying), _spot(lying, state.standing)
            if key in before or key in hidden or not spot or (kept is not None and key not in kept):
                continue
            if self._outvoted(spot, lying.piece, since, state.standing, found if stuck else None):
                wrong.add(spot)
        return wrong

    def _unexplained(self, state: State, since: Sequence[Photograph], found: Explanation) -> set[Spot]:
        """The same of what those photographs show and nothing was made of, while the last is explained by nothing."""
        before = state.module.layout(state.at(since[0].plies))
        wrong: set[Spot] = set()
        for photograph in since[:-1]:
            for seen in photograph.view.pieces():
                if seen.x_mm is None or seen.y_mm is None or any(_lies_there(p, seen) for p in before.pieces):
                    continue
                spot = tuple(_places(seen, photograph.view))
                if self._outvoted(spot, seen.piece, since, state.standing or before, found):
                    wrong.add(spot)
        return wrong

    def _outvoted(
        self, spot: Spot, piece: Piece, since: Sequence[Photograph], standing: Layout, found: Explanation | None
    ) -> bool:
        """True if the last photograph, and not it alone, shows surely that something else lies there.

        `found`: what the last shows is explained by nothing lawful; then it alone is believed against one other, and
        a piece that is gone from there was moved if such a one lies where none stands.
        """
        looks = [self._look(spot, photograph.view) for photograph in since]
        first = next((n for n, look in enumerate(looks) if look is not None and piece in look), 0)
        looks = looks[first:]  # what was there before says nothing against it
        last, told = looks[-1], sum(look is not None and piece in look for look in looks)
        if last is None or piece in last:
            return False
        if found is not None and not last and _put_elsewhere(piece, since[-1].view, standing):
            return False
        if found is not None and told <= 1 and _tells_of(found, piece, last):
            return True
        return looks.count(last) >= max(self.settings.outvoted, told + 1)

    def _look(self, spot: Spot, view: TableView) -> Look | None:
        """What surely lies there in a view; None where it is not sure."""
        there = self._at(spot, view)
        if not there:
            return frozenset() if all(view.bare(*place) for place in spot) else None
        sure = all(seen.why is None and seen.confidence >= self.settings.sure for seen in there)
        return frozenset(seen.piece for seen in there) if sure else None

    def _at(self, spot: Spot, view: TableView) -> list[Sighting]:
        return [seen for seen in view.pieces() if any(apart(seen, Sighting((), *place)) <= NEAR_MM for place in spot)]

    # --- reading again ------------------------------------------------------------------------------------------

    def _read_again(
        self, table: Table, since: Sequence[Photograph], misread: set[Spot]
    ) -> tuple[Explanation, Evidence] | None:
        """What explains the last photograph after those before it were read again, if all are lawful then."""
        first, last = since[0], since[-1]
        taken_back = h.TakenBack(first.plies, on_table=True)
        try:
            play = _PlayedAgain(fold(table.state, taken_back), first.memory, [taken_back])
        except CompanionError:
            return None
        for photograph, later in pairwise(since):
            view = self._mended(photograph.view, misread, last.view)
            after, seen = play.look(table, photograph, view)
            best = lawful(after)
            if best is not None or after.kind in UNMOVED:
                play.go_on(best, seen)
            elif view is not photograph.view or photograph.plies != later.plies:
                return None  # else it was refused before, too
        after, seen = play.look(table, last, last.view)
        if after.kind not in UNMOVED and ((best := lawful(after)) is None or seen.differences(best.layout)):
            return None
        play.write_down(table, first.plies)
        self._taken = [*[p for p in self._taken if p.plies < first.plies], *play.taken]
        return after, seen

    def _mended(self, view: TableView, misread: set[Spot], other: TableView) -> TableView:
        """The view with those places as the other view shows them."""
        for spot in sorted(misread):
            view = self._as_shown(view, spot, other)
        return view

    def _as_shown(self, view: TableView, spot: Spot, other: TableView) -> TableView:
        """The view with one place as another view shows it."""
        if self._look(spot, view) == self._look(spot, other):
            return view
        gone, put = self._at(spot, view), self._at(spot, other)
        kept = [seen for seen in view.sightings if not any(seen is one for one in gone)]
        sightings = (*_renumbered(kept, view), *_renumbered(put, other, len(kept)))
        if view.covered is None or other.covered is None:
            return replace(view, sightings=sightings)
        around = frozenset(self._around(spot))
        return replace(view, sightings=sightings, covered=(view.covered - around) | (other.covered & around))

    def _around(self, spot: Spot) -> Iterator[tuple[int, int]]:
        steps = range(-int(self.settings.cleared_mm // COVERED_MM), int(self.settings.cleared_mm // COVERED_MM) + 1)
        return ((col + i, row + j) for col, row in (square_at(*place) for place in spot) for i in steps for j in steps)


def _spot(lying: Lying, layout: Layout) -> Spot:
    """Where a piece lies, and what carries it; () where that is not said."""
    places = []
    below: Lying | None = lying
    while below is not None:
        if below.x_mm is None or below.y_mm is None:
            return ()
        places.append((below.x_mm, below.y_mm))
        below = None if below.nested_on is None else layout.pieces[below.nested_on]
    return tuple(places)


def _places(seen: Sighting | None, view: TableView) -> Iterator[tuple[float, float]]:
    """Where it is seen, and what carries it."""
    while seen is not None:
        yield seen.x_mm or 0.0, seen.y_mm or 0.0
        seen = None if seen.nested_on is None else view.sightings[seen.nested_on]


def _put_elsewhere(piece: Piece, view: TableView, standing: Layout) -> bool:
    """True if the view shows such a piece where none stands: rather it was moved there than misread before."""
    return any(seen.piece == piece and not any(_lies_there(p, seen) for p in standing.pieces) for seen in view.pieces())


def _lies_there(lying: Lying, seen: Sighting) -> bool:
    """True for the same piece in the same place."""
    return lying.piece == seen.piece and apart(seen, lying) <= NEAR_MM


def _tells_of(found: Explanation, piece: Piece, look: Look) -> bool:
    """True if what nothing explains may come from the piece having been misread; none is put just where one lies."""
    if found.kind in ("strange", "unclear"):
        return True
    return any(other.kind == piece.kind and other.pose == piece.pose for other in look)


def _renumbered(some: Sequence[Sighting], view: TableView, first: int = 0) -> Iterator[Sighting]:
    """Some sightings of a view, the first of which becomes one of that number, on what carries them if it is there."""
    numbers = {id(seen): number for number, seen in enumerate(some, start=first)}
    for seen in some:
        below = None if seen.nested_on is None else view.sightings[seen.nested_on]
        yield seen if below is None else replace(seen, nested_on=numbers.get(id(below)))
