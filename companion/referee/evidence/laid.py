"""A plan that may lie anywhere on the table: found by what lies on it, followed when it is nudged, read as cells.

Points of the table are complex numbers, x + iy in millimetres.
"""

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from companion.games.base import Layout, Plan, Spot
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.laid_settings import LaidSettings
from companion.referee.evidence.plan_poses import Point, Pose, drawn, nearest_part, point_of, turned_round
from companion.referee.evidence.plan_search import Pairs, PlanSearch
from companion.view import Sighting, TableView

VEILED = "a sheen perhaps"
UNDER = "a pawn hides it"
PROBES = 5  # places along a side of a spot
STRANGE = 1e-4  # likelihood of a walker looking like another one


@dataclass
class Laid:
    """Where one plan lies; keeps it from view to view."""

    settings: LaidSettings = field(default_factory=LaidSettings)
    poses: dict[str, Pose] = field(default_factory=dict)
    unseen: tuple[str, ...] = ()  # walkers that the last view of the game did not show
    _before: tuple[Point, ...] = ()  # where walkers, or what looks like them, were beside the plan before the game
    _faint: tuple[Point, ...] = ()  # where something beside the plan looked a little like a piece when none was due
    _veiled: frozenset[str] = frozenset()  # spots on which nothing was made out since before the game, nor bare table
    _parts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._search = PlanSearch(self.settings)

    def forget(self) -> None:
        """Another game is laid out."""
        self.poses, self.unseen, self._before, self._faint, self._veiled = {}, (), (), (), frozenset()

    def read(self, view: TableView, layout: Layout, settled: bool) -> TableView:
        """The view with a sighting for every cell of the layout's plan; what lies elsewhere is kept without a cell.

        `settled`: it is known which way round the plan lies; else every view may tell it anew.
        """
        plan = layout.plan
        if plan is None or not view.clear:
            return view
        if (parts := frozenset(s.part for s in plan.spots)) != self._parts:
            self._parts, self.poses = parts, {}
        lying = [s for s in view.sightings if _kind(s) == plan.lies and s.x_mm is not None and s.y_mm is not None]
        firm = [s for s in lying if not s.faint and not _has_left(plan, s)]
        self._locate(plan, layout, firm, view, settled)
        if not self.poses:
            blind = tuple(Sighting((), cell=cell, why="the tiles are not found") for cell in plan.cells())
            return replace(view, sightings=(*blind, *view.sightings))
        expected = {} if settled else {p.cell: p.piece for p in layout.pieces if not p.soft}
        return self._as_cells(view, plan, lying, expected, settled)

    def place(self, spot: Spot) -> Point:
        """The middle of a spot on the table."""
        return self.poses[spot.part].at(complex(spot.x_mm, spot.y_mm))

    def spot_at(self, plan: Plan, at: Point) -> str:
        """The spot on which something at a point of the table lies or stands, or the name of what is beside them."""
        half = self.settings.stands * plan.side_mm
        best = (half, plan.away)
        for spot in plan.spots:
            off = self.poses[spot.part].back(at) - complex(spot.x_mm, spot.y_mm)
            away = max(abs(off.real), abs(off.imag))
            if away < best[0]:
                best = away, spot.cell
        return best[1]

    # --- where the plan lies ------------------------------------------------------------------------------------

    def _locate(self, plan: Plan, layout: Layout, lying: Sequence[Sighting], view: TableView, settled: bool) -> None:
        places = [point_of(s) for s in lying]
        fit = partial(self._fit, plan, layout, lying, view)
        taken = {p.cell for p in layout.pieces}
        wanted = [spot for spot in plan.spots if spot.cell in taken] if settled else list(plan.spots)
        known = settled and bool(self.poses)  # after a restart in mid-game it is not
        if self.poses:
            pairs = self._search.pairs(plan, wanted, places, self.poses)
            empty = len(wanted) - len(pairs)
            if min(empty, self._astray(plan, places, {j for _, j in pairs})) >= self.settings.lost:
                self._found_again(plan, wanted, places, pairs)
            else:
                self._follow(pairs, places)
        elif len(places) >= (least := min(self.settings.least, len(wanted))) > 0:
            if settled:  # which way few tiles look, their faces and the coins tell
                ways = self._search.found_each_way(plan, wanted, self._side_by_side(plan, places, least))
                self.poses = max(ways, key=fit, default={})
            else:
                self.poses = self._search.found(plan, wanted, places)
        if self.poses and not known:
            self.poses = max((self.poses, turned_round(plan, self.poses)), key=fit)  # the first if both fit alike

    def _side_by_side(self, plan: Plan, places: Sequence[Point], least: int) -> Sequence[Point]:
        """Without what lies apart, such as a tile taken away: it would draw the middle of all with it."""
        reach = self.settings.joined * plan.side_mm
        joined = [one for one in places if sum(abs(one - other) < reach for other in places) > 1]
        return joined if len(joined) >= least else places

    def _found_again(self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point], before: Pairs) -> None:
        """The whole plan was moved, if it explains more pieces elsewhere; it was not turned upside down.

        Where more lies on its spots than is wanted, as when a tower is built up again, it lies where it lay.
        """
        found = self._search.found(plan, wanted, places)
        if not found:
            return
        ahead = (found[p].turn / self.poses[p].turn for p in found)
        if sum(turn.real for turn in ahead) < 0:
            found = turned_round(plan, found)
        more = len(self._search.pairs(plan, wanted, places, found)) > len(before) + 1
        on_any, so_far = (len(self._search.pairs(plan, plan.spots, places, poses)) for poses in (found, self.poses))
        if more and on_any >= so_far:
            self.poses = found

    def _follow(self, pairs: Pairs, places: Sequence[Point]) -> None:
        """Each part goes a little after what lies on it."""
        for part in self.poses:
            own = [(spot, places[j]) for spot, j in pairs if spot.part == part]
            if own:
                self.poses[part] = drawn(self.poses[part], own, self.settings.follows)

    def _astray(self, plan: Plan, places: Sequence[Point], used: set[int]) -> int:
        """How many lie on no spot, but near to one, or to another such piece."""
        reach = self.settings.around * plan.side_mm
        left = [place for j, place in enumerate(places) if j not in used]
        near, astray = [self.place(spot) for spot in plan.spots], 0
        while near:
            more = [place for place in left if any(abs(place - one) < reach for one in near)]
            left = [place for place in left if place not in more]
            near, astray = more, astray + len(more)
        return astray

    def _fit(
        self, plan: Plan, layout: Layout, lying: Sequence[Sighting], view: TableView, poses: dict[str, Pose]
    ) -> float:
        """How well what lies on and round the plan fits these poses of it."""
        wanted = {p.cell: p.piece for p in layout.pieces if not p.soft}
        pairs = self._search.pairs(plan, plan.spots, [point_of(s) for s in lying], poses)
        seen = {s.cell: lying[j].belief(wanted[s.cell]) for s, j in pairs if s.cell in wanted}
        asked = [spot.cell for spot in plan.spots if spot.cell in wanted]
        fit = sum(math.log(max(seen.get(cell, 0.0), 1e-3)) for cell in asked)
        mean = sum(pose.turn for pose in poses.values())
        fit += self.settings.upright * (mean.real > 0)
        for soft in (p for p in layout.pieces if p.soft and p.x_mm is not None and p.y_mm is not None):
            at = nearest_part(plan, poses, soft)
            near = [s.belief(soft.piece) for s in view.sightings if _within(s, at, self.settings.soft_near_mm)]
            fit += max(near, default=0.0)
        return fit

    # --- the view as cells --------------------------------------------------------------------------------------

    def _as_cells(
        self,
        view: TableView,
        plan: Plan,
        lying: Sequence[Sighting],
        expected: Mapping[str | None, Piece],
        settled: bool,
    ) -> TableView:
        places, faint = [point_of(s) for s in lying], [s.faint for s in lying]
        pairs = self._search.pairs(plan, plan.spots, places, self.poses, faint)
        on = {spot.cell: lying[j] for spot, j in pairs}
        walking = self._walking(view, plan, settled)
        trodden = {cell.partition("/")[0] for cell, piece in walking.items() if piece[1] > 0.5}
        unseen = frozenset(self._hidden(view, plan, on))
        self._veiled = unseen & self._veiled if settled else unseen
        cells: list[Sighting] = []
        for spot in plan.spots:
            if (seen := on.get(spot.cell)) is not None:
                cells.append(self._lying(seen, spot.cell))
            else:
                cells.append(self._nothing_seen(spot, spot.cell in trodden, expected))
        cells += [_walker_sighting(cell, *belief) for cell, belief in walking.items()]
        used = {j for _, j in pairs}
        loose = [s for j, s in enumerate(lying) if j not in used]
        if plan.shows:
            cells.append(self._shown(plan, loose))
        else:
            self._faint += tuple(point_of(s) for s in loose if s.faint and not self._looked_like(s))
        told = {id(s) for s in on.values()}
        rest = [s for s in view.sightings if id(s) not in told and _kind(s) not in {w.piece.kind for w in plan.walkers}]
        return replace(view, sightings=(*cells, *rest))

    def _nothing_seen(self, spot: Spot, trodden: bool, expected: Mapping[str | None, Piece]) -> Sighting:
        """A spot on which nothing is made out: empty, unless something stands over it or veils it."""
        at = self.place(spot)
        beliefs: tuple[tuple[Piece, float], ...] = ()
        why = UNDER if trodden else VEILED if spot.cell in self._veiled else None
        if why is None:
            beliefs = ((EMPTY, self.settings.absent),)
        elif why == VEILED and spot.cell in expected:
            beliefs = ((expected[spot.cell], self.settings.veiled),)  # something lies there: rather that
        return Sighting(beliefs, at.real, at.imag, cell=spot.cell, why=why)

    def _hidden(self, view: TableView, plan: Plan, seen: Collection[str]) -> list[str]:
        """The spots on which nothing is made out and yet something seems to lie.

        None where what is seen to lie is not told from bare table either: amid pieces a gap may be what differs.
        """
        covered = {s.cell for s in plan.spots if self._not_bare(view, plan, s)}
        if len(covered.intersection(seen)) < self.settings.told_covered * len(seen):
            return []
        return [cell for cell in covered if cell not in seen]

    def _not_bare(self, view: TableView, plan: Plan, spot: Spot) -> bool:
        """True if something seems to lie all over a spot: a sheen may hide what it is."""
        at, half = self.place(spot), self.settings.over * plan.side_mm / 2
        steps = [half * (2 * k / (PROBES - 1) - 1) for k in range(PROBES)]
        places = [at + complex(dx, dy) for dx in steps for dy in steps]
        bare = sum(view.bare(place.real, place.imag) for place in places)
        return view.covered is not None and bare <= self.settings.bare * len(places)

    def _lying(self, seen: Sighting, cell: str) -> Sighting:
        """What lies on a spot; what is not surely seen may be nothing: the table, framed by the pieces around."""
        if not seen.faint and _top(seen).face != "front":
            return replace(seen, cell=cell)
        power = self.settings.faintness if seen.faint else self.settings.doubt
        nothing = self.settings.absent * max(0.0, 1.0 - seen.told) ** power
        if not seen.faint:
            return replace(seen, cell=cell, beliefs=(*seen.beliefs, (EMPTY, nothing)))
        return replace(seen, cell=cell, why=None, faint=False, beliefs=(*seen.beliefs, (EMPTY, nothing)))

    def _walking(self, view: TableView, plan: Plan, settled: bool) -> dict[str, tuple[Piece, float, float]]:
        """Cell -> walker, probability that it stands there, and that it does not.

        One that is not seen is nowhere before the game. In the game it is lifted or hidden; and where it is rather
        not seen than seen, the view tells nothing of where it stands: it may have been overlooked where it stood.
        """
        kinds = {walker.piece.kind for walker in plan.walkers}
        standing = [s for s in view.sightings if _kind(s) in kinds and s.x_mm is not None]
        standing = sorted(standing, key=lambda s: -s.confidence)[: self.settings.weighed]
        where = [self.spot_at(plan, point_of(s)) for s in standing]
        if not settled:
            self._before = tuple(point_of(s) for s, head in zip(standing, where, strict=True) if head == plan.away)
        trust = [self._trust(s, head == plan.away) for s, head in zip(standing, where, strict=True)]
        beliefs = [[s.belief(w.piece) * t for s, t in zip(standing, trust, strict=True)] for w in plan.walkers]
        shares = shared_out(beliefs, self.settings.unseen)
        found, self.unseen = {}, ()
        for walker, row in zip(plan.walkers, shares, strict=True):
            unseen = max(0.0, 1.0 - sum(row))
            blind = settled and unseen > self.settings.hidden
            self.unseen = (*self.unseen, walker.name) if blind else self.unseen
            nowhere = unseen * (self.settings.lifted if settled else 1.0)
            for head in (*(spot.cell for spot in plan.spots), plan.away):
                there = sum(p for p, cell in zip(row, where, strict=True) if cell == head)
                found[f"{head}/{walker.name}"] = (
                    (walker.piece, 0.0, 0.0)
                    if blind
                    else (walker.piece, there, max(0.0, 1.0 - there - unseen + nowhere))
                )
        return found

    def _trust(self, seen: Sighting, away: bool) -> float:
        """What has lain beside the plan since before the game is rather no walker, if there is another one."""
        still = away and any(abs(point_of(seen) - at) < self.settings.still_mm for at in self._before)
        return self.settings.stale if still else 1.0

    def _shown(self, plan: Plan, loose: Iterable[Sighting]) -> Sighting:
        """The piece beside the plan that was not there before; what a print was faintly taken for is none."""
        new = [s for s in loose if not s.faint and not _has_left(plan, s)]
        new = [s for s in new if s.told >= (self.settings.news if self._looked_like(s) else self.settings.beside)]
        if not new:
            return Sighting(((EMPTY, self.settings.absent),), cell=plan.shown_cell)
        return replace(max(new, key=lambda s: (_top(s).face == "front", s.confidence)), cell=plan.shown_cell)

    def _looked_like(self, seen: Sighting) -> bool:
        """True if something that hardly was a piece lay there before."""
        return any(abs(point_of(seen) - at) < self.settings.still_mm for at in self._faint)


# --- walkers ------------------------------------------------------------------------------------------------------


def shared_out(beliefs: Sequence[Sequence[float]], unseen: float) -> list[list[float]]:
    """Walker by sighting: the probability that this one is that one, each being there once.

    A walker may be unseen at the likelihood `unseen`; a sighting is none of them as likely as it is not believed to be
    one, and at least that likely.
    """
    count = len(beliefs[0]) if beliefs else 0
    strangers = [max(unseen, 1.0 - sum(row[j] for row in beliefs)) for j in range(count)]
    shares = [[0.0] * count for _ in beliefs]
    total = 0.0
    for chosen in itertools.product((None, *range(count)), repeat=len(beliefs)):
        used = [j for j in chosen if j is not None]
        if len(set(used)) != len(used):
            continue
        weight = math.prod(stranger for j, stranger in enumerate(strangers) if j not in used)
        for row, j in zip(beliefs, chosen, strict=True):
            weight *= unseen if j is None else max(row[j], STRANGE)
        total += weight
        for i, j in enumerate(chosen):
            if j is not None:
                shares[i][j] += weight
    return [[share / total for share in row] for row in shares] if total else shares


# --- sightings ----------------------------------------------------------------------------------------------------


def _top(sighting: Sighting) -> Piece:
    return sighting.likeliest if sighting.beliefs else EMPTY


def _kind(sighting: Sighting) -> str:
    """The kind of the most believed piece, though its label may not be sure."""
    return _top(sighting).kind


def _has_left(plan: Plan, sighting: Sighting) -> bool:
    """True for what looks like a piece that is known to have left the plan."""
    return any(piece.fits(_top(sighting)) for piece in plan.gone)


def _within(sighting: Sighting, at: Point, reach: float) -> bool:
    return sighting.x_mm is not None and abs(point_of(sighting) - at) < reach


def _walker_sighting(cell: str, piece: Piece, there: float, absent: float) -> Sighting:
    beliefs = tuple((p, b) for p, b in ((piece, there), (EMPTY, absent)) if b > 0)
    why = None if beliefs else f"the {piece.kind} is not seen"
    return Sighting(beliefs, cell=cell, why=why, hidden=not beliefs)
