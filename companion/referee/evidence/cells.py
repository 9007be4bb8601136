"""A board as evidence: every cell speaks for itself."""

import math
import weakref
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

from companion.games.base import Layout
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import (
    DOUBT,
    Beliefs,
    Cells,
    Difference,
    Evidence,
    Remembered,
    cells_of,
    differing,
    likeness,
)
from companion.referee.settings import Settings
from companion.view import COVERED, Sighting, TableView


class CellEvidence:
    """A board: every cell speaks for itself, and is compared with how it looked when last known.

    A piece that nobody touched looks as it looked before, be that clear or not; so a cell that the eye finds hard to
    read is no doubt at every look, and one that changed is noticed although the eye was never sure of it.
    """

    def __init__(
        self,
        view: TableView,
        settings: Settings,
        overrides: Mapping[str, Piece] | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        self._settings = settings
        self._remembered = {c: r for c, r in (remembered or {}).items() if c not in (overrides or {})}
        self._sightings = view.by_cell()
        for cell, piece in (overrides or {}).items():
            self._sightings[cell] = told_cell(cell, piece, self._sightings.get(cell))
        self._cells = tuple(self._sightings)
        self._hidden = {cell for cell, sighting in self._sightings.items() if sighting.hidden}
        self._known: dict[tuple[str, Piece], float] = {}
        self._all_empty = sum(self.log_p(cell, EMPTY) for cell in self._cells)
        self._gains = _Gains(self)

    def spots(self, layout: Layout, like: Iterable[Hashable] = ()) -> dict[Hashable, Piece]:
        return dict(cells_of(layout).items())

    def belief(self, spot: Hashable, piece: Piece) -> float:
        """The eye's belief that this stands on the cell, 0 for one that is not in view."""
        sighting = self._sightings.get(str(spot))
        return sighting.belief(piece) if sighting else 0.0

    def reads(self, spot: Hashable) -> bool:
        return self.top(str(spot))[1] > 0

    def log_p(self, cell: str, piece: Piece) -> float:
        """Natural log of how likely the cell would look like this with that piece on it."""
        key = (cell, piece)
        if (known := self._known.get(key)) is None:
            told, floor = self._told(cell, piece), self._settings.floor
            known = math.log((1 - floor) * min(told, 1.0) + floor * self._settings.spread)
            self._known[key] = known
        return known

    def _told(self, cell: str, piece: Piece) -> float:
        """Probability of this look of the cell, memory taken into account."""
        sighting = self._sightings.get(cell)
        beliefs = sighting.beliefs if sighting else ()
        missing = max(0.0, 1.0 - sum(p for _, p in beliefs)) * self._settings.spread
        now = self.belief(cell, piece) + missing
        if cell not in self._remembered or not beliefs:
            return now
        known, before = self._remembered[cell]
        unchanged = self._unchanged(cell, known, before)
        if known.fits(piece):
            return unchanged
        return now * (1.0 - unchanged) / max(1.0 - self.belief(cell, known), 1e-6)

    def _unchanged(self, cell: str, known: Piece, before: Beliefs) -> float:
        """Probability that the known piece still stands there: it looks alike, or more like itself than before."""
        now = self._sightings[cell].beliefs
        alike = math.pow(likeness(now, before), self._settings.likeness_power)
        belief, was = self.belief(cell, known), sum(p for piece, p in before if known.fits(piece))
        rather, sure = self._settings.rather_seen, self._settings.sure_seen
        if was >= rather and any(p >= sure for piece, p in now if not known.fits(piece)):
            alike = 0.0  # from what it rather showed to another thing, surely: hard to read is neither
        return min(max(alike, belief * min(1.0, belief / max(was, 1e-6))), 1.0)

    def _as_before(self, cell: str, piece: Piece) -> bool:
        """True if this is known to stand there, and the cell rather looks as it did than not, clear or unclear."""
        if cell not in self._remembered or cell not in self._sightings:
            return False
        known, before = self._remembered[cell]
        return known.fits(piece) and self._unchanged(cell, known, before) >= self._settings.as_before

    def looks(self, layout: Layout) -> dict[str, tuple[Piece, Beliefs]]:
        """What is to be remembered of a table that is known to show this layout; a cell misread looks so still."""
        cells = cells_of(layout)
        own = {c: s.unnamed.beliefs for c, s in self._sightings.items()}
        found = {c: (cells.get(c, EMPTY), beliefs) for c, beliefs in own.items() if beliefs}
        return found if self._settings.take_the_best else self._without_news(found, layout)

    def _without_news(
        self, found: dict[str, tuple[Piece, Beliefs]], layout: Layout
    ) -> dict[str, tuple[Piece, Beliefs]]:
        """The same without looks of what hands at a watched table may have done since: that is still to be read."""
        kept = {c: r for c, r in self._remembered.items() if c in found and found[c][0] == r[0]}
        news = {d.cell for d in self.differences(layout) if d.cell in self._remembered}
        found = {c: looks for c, looks in found.items() if c not in news}
        return found | {c: looks for c, looks in kept.items() if self._speaks_against(c, looks[0])}

    def score(self, layout: Layout) -> float:
        return self.score_cells(cells_of(layout))

    def score_cells(self, cells: Mapping[str, Piece]) -> float:
        """Log-likelihood of a board with these pieces and nothing else."""
        return self._all_empty + sum(map(self._gains.__getitem__, cells.items()))

    def best_score(self, layout: Layout) -> float:
        cells = cells_of(layout)
        gains = [self._stray(c) - self.log_p(c, cells.get(c, EMPTY)) for c in self._cells]
        strays = sum(gain for gain in gains if gain > 0)
        return self.score_cells(cells) + (strays if strays > 0 else -self._settings.stray_cost)

    def differences(self, layout: Layout) -> tuple[Difference, ...]:
        cells = cells_of(layout)
        found = []
        for cell in self._cells:
            expected = cells.get(cell, EMPTY)
            sighting = self._sightings[cell]
            if self._stray(cell) > self.log_p(cell, expected):
                found.append(Difference(cell, expected, sighting.piece, sighting.confidence, why=sighting.why))
        return tuple(found)

    def another(self, layout: Layout, most_changed: int) -> bool:
        """True if a photographed board differs in so many cells that it is rather another one.

        An action changes as many as `most_changed`.
        """
        if not self._settings.take_the_best:
            return False  # the camera of a watched table sees no other
        most = max(self._settings.most_odd_cells, self._settings.odd_actions * most_changed)
        return len(self.differences(layout)) > most

    def shown(self, layout: Layout) -> Cells | None:
        """What the board shows, beginning with what it should; None where some cell that differs is not surely told."""
        cells = cells_of(layout)
        for odd in self.differences(layout):
            if odd.cell is None or odd.why is not None or odd.belief < self._settings.sure_seen:
                return None
            cells[odd.cell] = odd.seen
        return {cell: piece for cell, piece in cells.items() if piece != EMPTY}

    def saw(self, before: Layout, after: Layout, plainly: bool = False) -> bool:
        old, new = cells_of(before), cells_of(after)
        changed = differing(old, new)
        told = changed - self._hidden
        return (bool(told) or not changed) and all(self.saw_cell(c, new.get(c, EMPTY), plainly) for c in told)

    def untold(self, before: Layout, after: Layout) -> tuple[Difference, ...]:
        """The cells in which the two layouts differ, those that are hidden aside, and that rather show the later one,
        but not fairly surely.
        """
        old, new = cells_of(before), cells_of(after)
        fair = math.log(self._settings.fair / (1.0 - self._settings.fair))
        found = []
        for cell in sorted(differing(old, new) - self._hidden):
            was, wanted = old.get(cell, EMPTY), new.get(cell, EMPTY)
            if self.log_p(cell, wanted) - self.log_p(cell, was) < fair:
                top, sure = self.top(cell)
                found.append(Difference(cell, wanted, top, sure, why=DOUBT))
        return tuple(found)

    def unseen(self, layout: Layout) -> tuple[Difference, ...]:
        return self._not_plain(cells_of(layout).items())

    def doubted(self, layout: Layout) -> tuple[Difference, ...]:
        """The cells, empty ones as well, that do not plainly show what they should."""
        cells = cells_of(layout)
        odd = self._not_plain((cell, cells.get(cell, EMPTY)) for cell in self._cells if cell not in self._hidden)
        return tuple(replace(difference, why=difference.why or DOUBT) for difference in odd)

    def _not_plain(self, expected: Iterable[tuple[str, Piece]]) -> tuple[Difference, ...]:
        found = []
        for cell, piece in expected:
            if not self.saw_cell(cell, piece, plainly=True) and not self._as_before(cell, piece):
                sighting = self._sightings.get(cell)
                top, sure = self.top(cell)
                faint = self.belief(cell, piece) >= self._settings.faint_seen
                unsure = DOUBT if faint or sure < self._settings.sure_seen else None
                why = sighting.why or unsure if sighting else "not in view"
                found.append(Difference(cell, piece, top, sure, why=why))
        return tuple(found)

    def faintly(self, difference: Difference) -> bool:
        return difference.cell is not None and (
            self.belief(difference.cell, difference.expected) >= self._settings.faint_seen
        )

    def saw_cell(self, cell: str, piece: Piece, plainly: bool = False) -> bool:
        """True if the eye itself gives this piece a fair belief there."""
        belief, best = self.belief(cell, piece), self.top(cell)[1]
        settings = self._settings
        least, share = (settings.plain_seen, settings.plain_share) if plainly else (settings.least_seen, 0.0)
        return belief >= least and belief >= share * best

    def contradicts(self, layout: Layout) -> bool:
        """True if some cell, memory taken into account, hardly looks like this layout, or far more like another."""
        cells = cells_of(layout)
        return any(self._speaks_against(cell, cells.get(cell, EMPTY)) for cell in self._cells)

    def _speaks_against(self, cell: str, expected: Piece) -> bool:
        """True if the cell hardly looks as if this stood there, or something else is many times likelier to."""
        fits = self.log_p(cell, expected)
        limit = fits + math.log(self._settings.outweighed)
        return fits < math.log(self._settings.contradicted) or any(
            self.log_p(cell, p) > limit for p, _ in self._sightings[cell].beliefs if not expected.fits(p)
        )

    def askew(self) -> dict[str, float]:
        """Cells whose piece stands further off its facing than allowed, with the degrees."""
        limit = self._settings.askew_deg
        return {c: s.skew_deg for c, s in self._sightings.items() if abs(s.skew_deg) > limit and s.piece != EMPTY}

    def covered(self) -> list[str]:
        """Cells over which something lies."""
        return [cell for cell, sighting in self._sightings.items() if sighting.why == COVERED]

    def top(self, cell: str) -> tuple[Piece, float]:
        """The most believed piece of a cell, and how far it is believed."""
        sighting = self._sightings.get(cell)
        return (sighting.likeliest, sighting.confidence) if sighting and sighting.beliefs else (EMPTY, 0.0)

    def _stray(self, cell: str) -> float:
        return max((self.log_p(cell, piece) for piece, _ in self._sightings[cell].beliefs), default=-math.inf) - (
            self._settings.stray_cost
        )


class _Gains(dict[tuple[str, Piece], float]):
    """By how much likelier a look of a cell is with a piece on it than without: asked for by every hypothesis."""

    def __init__(self, seen: "CellEvidence") -> None:
        super().__init__()
        self._seen = weakref.proxy(seen)  # which holds these

    def __missing__(self, key: tuple[str, Piece]) -> float:
        cell, piece = key
        gain: float = self._seen.log_p(cell, piece) - self._seen.log_p(cell, EMPTY)
        self[key] = gain
        return gain


def told_cell(cell: str, piece: Piece, seen: Sighting | None) -> Sighting:
    """The piece that the host named on a cell, and how the cell looks to the eye."""
    own = () if seen is None else seen.unnamed.beliefs
    return Sighting(((piece, 1.0),), cell=cell, misread=own)


def open_facings(seen: Evidence, layout: Layout, sure: float) -> dict[str, str]:
    """The facings, where surely seen, of pieces whose facing the rules do not count."""
    if not isinstance(seen, CellEvidence):
        return {}
    found = {}
    for lying in layout.pieces:
        if lying.cell is not None and lying.piece.facing is None:
            piece, belief = seen.top(lying.cell)
            if belief >= sure and piece.facing is not None and piece.kind == lying.piece.kind:
                found[lying.cell] = piece.facing
    return found


def covered(seen: Evidence | None) -> list[str]:
    """The cells over which something lies; none on a free table."""
    return seen.covered() if isinstance(seen, CellEvidence) else []
