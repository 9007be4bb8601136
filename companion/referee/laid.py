"""A plan that may lie anywhere on the table: found by what lies on it, followed when it is nudged, read as cells.

Points of the table are complex numbers, x + iy in millimetres.
"""

import cmath
import heapq
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.base import Layout, Lying, Plan, Spot
from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView

Point = complex
STRANGE = 1e-4  # likelihood of a walker looking like another one


@dataclass(frozen=True, slots=True)
class LaidSettings:
    """How near is on a spot, and how sure what is not seen is not there. Shares are of a spot's side."""

    near: float = 0.45  # a piece this near to the middle of a spot lies on it
    snug: float = 0.35  # ... and is believed in while the plan is being found
    stands: float = 0.62  # a walker within this square round the middle of a spot stands on it
    around: float = 1.6  # a piece that lies on no spot, but this near to one, speaks against where the plan is thought
    least: int = 6  # pieces without which no plan is looked for
    spread_step_mm: float = 4.0
    refined: int = 8  # so many of the places that fit best are looked at more closely
    lost: int = 3  # so many pieces on no spot: the plan may have been moved as a whole
    absent: float = 0.97  # belief that nothing lies where nothing is seen
    weighed: int = 6  # so many of the surest sightings of walkers are told apart
    still_mm: float = 25.0
    stale: float = 0.1  # factor for what has not moved since before the game
    faintness: float = 4.0  # the power to which doubt in a faintly seen piece says that nothing is there ...
    doubt: float = 1.6  # ... and in what is rather taken for a face; backs are alike, the table is none of them
    beside: float = 0.8  # belief in a piece beside the plan, whichever, from which one is shown there ...
    news: float = 0.98  # ... and where something that hardly was one has been seen before
    unseen: float = 0.01  # likelihood that a walker is on the table and not seen; the least that one seen is strange
    hidden: float = 0.5  # from this probability of not being seen nothing is said of where a walker stands
    lifted: float = 0.5  # share of not being seen in the game that is being nowhere, and not somewhere hidden
    follows: float = 0.5  # share of what a part was moved that is followed at one view
    soft_near_mm: float = 75.0  # a soft piece is looked for so far from its place, to tell which way round the plan is
    upright: float = 0.5  # advantage of the plan's X looking to the right, in natural log-odds


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a part lies: a point p of the plan is seen at `shift + turn * p`; |turn| = 1."""

    turn: complex = 1 + 0j
    shift: complex = 0j

    def at(self, point: Point) -> Point:
        """A point of the plan on the table."""
        return self.shift + self.turn * point

    def back(self, seen: Point) -> Point:
        """A point of the table on the plan."""
        return (seen - self.shift) / self.turn


Poses = Mapping[str, Pose]
Pairs = list[tuple[Spot, int]]  # a spot and the number of the piece that lies on it


@dataclass
class Laid:
    """Where one plan lies; keeps it from view to view."""

    settings: LaidSettings = field(default_factory=LaidSettings)
    poses: dict[str, Pose] = field(default_factory=dict)
    _before: tuple[Point, ...] = ()  # where walkers, or what looks like them, were beside the plan before the game
    _faint: tuple[Point, ...] = ()  # where something beside the plan looked a little like a piece when none was due
    _parts: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Another game is laid out."""
        self.poses, self._before, self._faint = {}, (), ()

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
        places = [point_of(s) for s in lying]
        firm = [i for i, s in enumerate(lying) if not s.faint]
        self._locate(plan, layout, [places[i] for i in firm], [lying[i] for i in firm], view, settled)
        if not self.poses:
            blind = tuple(Sighting((), cell=cell, why="the tiles are not found") for cell in plan.cells())
            return replace(view, sightings=(*blind, *view.sightings))
        return self._as_cells(view, plan, lying, places, settled)

    def place(self, spot: Spot) -> Point:
        """The middle of a spot on the table."""
        return self.poses[spot.part].at(complex(spot.x_mm, spot.y_mm))

    # --- where the plan lies ------------------------------------------------------------------------------------

    def _locate(
        self,
        plan: Plan,
        layout: Layout,
        places: Sequence[Point],
        lying: Sequence[Sighting],
        view: TableView,
        settled: bool,
    ) -> None:
        taken = {p.cell for p in layout.pieces}
        wanted = [spot for spot in plan.spots if spot.cell in taken] if settled else list(plan.spots)
        known = settled and bool(self.poses)  # after a restart in mid-game it is not
        if self.poses:
            pairs = self._pairs(plan, wanted, places, self.poses)
            if self._astray(plan, places, {j for _, j in pairs}) >= self.settings.lost:
                self._found_again(plan, wanted, places, pairs)
            else:
                self._follow(plan, pairs, places)
        elif len(places) >= self.settings.least:
            self.poses = self._found(plan, wanted, places)
        if self.poses and not known:
            self._right_way_round(plan, layout, places, lying, view)

    def _found_again(self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point], before: Pairs) -> None:
        """The whole plan was moved, if it explains more pieces elsewhere; it was not turned upside down."""
        found = self._found(plan, wanted, places)
        if not found:
            return
        ahead = (found[p].turn / self.poses[p].turn for p in found)
        if sum(turn.real for turn in ahead) < 0:
            found = turned_round(plan, found)
        if len(self._pairs(plan, wanted, places, found)) > len(before) + 1:
            self.poses = found

    def _follow(self, plan: Plan, pairs: Pairs, places: Sequence[Point]) -> None:
        """Each part goes a little after what lies on it."""
        for part in self.poses:
            own = [(spot, places[j]) for spot, j in pairs if spot.part == part]
            if own:
                self.poses[part] = _drawn(self.poses[part], own, self.settings.follows)

    def _astray(self, plan: Plan, places: Sequence[Point], used: set[int]) -> int:
        reach = self.settings.around * plan.side_mm
        spots = [self.place(spot) for spot in plan.spots]
        return sum(j not in used and any(abs(place - spot) < reach for spot in spots) for j, place in enumerate(places))

    def _pairs(
        self, plan: Plan, spots: Sequence[Spot], places: Sequence[Point], poses: Poses, faint: Sequence[bool] = ()
    ) -> Pairs:
        """Which piece lies on which spot: nearest pairs first, what is faintly seen last."""
        reach = self.settings.near * plan.side_mm
        at = [(spot, poses[spot.part].at(complex(spot.x_mm, spot.y_mm))) for spot in spots]
        near = [
            (bool(faint) and faint[j], away, i, j)
            for i, (_, middle) in enumerate(at)
            for j, place in enumerate(places)
            if (away := abs(place - middle)) < reach
        ]
        pairs: Pairs = []
        spent: set[int] = set()
        used: set[int] = set()
        for _, _, i, j in sorted(near):
            if i not in spent and j not in used:
                spent.add(i)
                used.add(j)
                pairs.append((at[i][0], j))
        return pairs

    def _found(self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point]) -> dict[str, Pose]:
        """The poses under which most pieces lie on spots: every turn of their lattice, spread and shift is tried."""
        tried: dict[tuple[complex, int, int], tuple[float, float, dict[str, Pose]]] = {}  # the best spread of each
        heart = sum(places) / len(places)
        for turn in self._turns(plan, places):
            for spread in _steps(plan.spread_mm, self.settings.spread_step_mm):
                offsets = _offsets(plan, spread)
                model = [complex(s.x_mm, s.y_mm) + offsets[s.part] for s in wanted]
                if not model:
                    return {}
                middle = sum(model) / len(model)
                for along, across in itertools.product(range(-6, 7), range(-2, 3)):
                    shift = heart + turn * (complex(along, across) * plan.side_mm / 2 - middle)
                    fit = self._fit([shift + turn * point for point in model], places, plan.side_mm)
                    poses = {part: Pose(turn, shift + turn * offset) for part, offset in offsets.items()}
                    tried[turn, along, across] = max(
                        (fit, -spread, poses), tried.get((turn, along, across), (0.0, 0.0, poses)), key=lambda t: t[:2]
                    )
        # pieces that lie elsewhere draw the heart away: only what is laid onto its own pieces can be compared
        best = heapq.nlargest(self.settings.refined, tried.values(), key=lambda t: t[:2])
        likely = [self._settled(plan, wanted, places, poses) for _, _, poses in best]
        fits = [self._fit(self._spots_at(wanted, poses), places, plan.side_mm) for poses in likely]
        fit, first = max((fit, -number) for number, fit in enumerate(fits))
        return likely[-first] if fit >= self.settings.least / 2 else {}

    def _spots_at(self, wanted: Sequence[Spot], poses: Poses) -> list[Point]:
        return [poses[spot.part].at(complex(spot.x_mm, spot.y_mm)) for spot in wanted]

    def _fit(self, spots: Sequence[Point], places: Sequence[Point], side: float) -> float:
        reach = self.settings.snug * side
        total = 0.0
        for spot in spots:
            away = min(abs(spot - place) for place in places)
            if away < reach:
                total += 1 - (away / reach) ** 2
        return total

    def _turns(self, plan: Plan, places: Sequence[Point]) -> list[complex]:
        """Ways the plan may look: along the lattice of neighbouring pieces, and along their longest extent."""
        side = plan.side_mm
        steps = [b - a for a, b in itertools.combinations(places, 2) if abs(abs(b - a) - side) < 0.15 * side]
        fourfold = sum((step / abs(step)) ** 4 for step in steps) if steps else 0j
        heart = sum(places) / len(places)
        spread = sum((place - heart) ** 2 for place in places)  # twice the angle of the longest extent
        long = _rightwards(cmath.exp(0.5j * cmath.phase(spread)))
        if not abs(fourfold):
            return [long]
        first = cmath.exp(0.25j * cmath.phase(fourfold))
        along = max((first, first * 1j), key=lambda turn: abs((long / turn).real))
        return [_rightwards(along), long]

    def _settled(
        self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point], poses: dict[str, Pose]
    ) -> dict[str, Pose]:
        """Every part laid onto its own pieces."""
        for _ in range(3):
            pairs = self._pairs(plan, wanted, places, poses)
            for part, pose in list(poses.items()):
                own = [(spot, places[j]) for spot, j in pairs if spot.part == part]
                if own:
                    poses[part] = _drawn(pose, own, 1.0)
        return poses

    def _right_way_round(
        self, plan: Plan, layout: Layout, places: Sequence[Point], lying: Sequence[Sighting], view: TableView
    ) -> None:
        """Turn the plan by half if what lies on and round it fits better so."""
        other = turned_round(plan, self.poses)
        if self._fits(plan, layout, places, lying, view, other) > self._fits(
            plan, layout, places, lying, view, self.poses
        ):
            self.poses = other

    def _fits(
        self,
        plan: Plan,
        layout: Layout,
        places: Sequence[Point],
        lying: Sequence[Sighting],
        view: TableView,
        poses: dict[str, Pose],
    ) -> float:
        wanted = {p.cell: p.piece for p in layout.pieces if not p.soft}
        pairs = self._pairs(plan, plan.spots, places, poses)
        fit = sum(math.log(max(lying[j].belief(wanted[s.cell]), 1e-3)) for s, j in pairs if s.cell in wanted)
        mean = sum(pose.turn for pose in poses.values())
        fit += self.settings.upright * (mean.real > 0)
        for soft in (p for p in layout.pieces if p.soft and p.x_mm is not None and p.y_mm is not None):
            at = nearest_part(plan, poses, soft)
            near = [s.belief(soft.piece) for s in view.sightings if _within(s, at, self.settings.soft_near_mm)]
            fit += max(near, default=0.0)
        return fit

    # --- the view as cells --------------------------------------------------------------------------------------

    def _as_cells(
        self, view: TableView, plan: Plan, lying: Sequence[Sighting], places: Sequence[Point], settled: bool
    ) -> TableView:
        pairs = self._pairs(plan, plan.spots, places, self.poses, [s.faint for s in lying])
        on = {spot.cell: lying[j] for spot, j in pairs}
        walking = self._walking(view, plan, settled)
        trodden = {cell.partition("/")[0] for cell, piece in walking.items() if piece[1] > 0.5}
        cells: list[Sighting] = []
        for spot in plan.spots:
            at = self.place(spot)
            if (seen := on.get(spot.cell)) is not None:
                cells.append(self._lying(seen, spot.cell))
            else:
                hidden = spot.cell in trodden
                beliefs = () if hidden else ((EMPTY, self.settings.absent),)
                why = "a pawn hides it" if hidden else None
                cells.append(Sighting(beliefs, at.real, at.imag, cell=spot.cell, why=why))
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

    def _lying(self, seen: Sighting, cell: str) -> Sighting:
        """What lies on a spot; what is not surely seen may be nothing: the table, framed by the pieces around."""
        if not seen.faint and _top(seen).face != "front":
            return replace(seen, cell=cell)
        power = self.settings.faintness if seen.faint else self.settings.doubt
        nothing = self.settings.absent * max(0.0, 1.0 - _surely(seen)) ** power
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
        where = [self._trodden(plan, point_of(s)) for s in standing]
        if not settled:
            self._before = tuple(point_of(s) for s, head in zip(standing, where, strict=True) if head == plan.away)
        trust = [self._trust(s, head == plan.away) for s, head in zip(standing, where, strict=True)]
        beliefs = [[s.belief(w.piece) * t for s, t in zip(standing, trust, strict=True)] for w in plan.walkers]
        shares = shared_out(beliefs, self.settings.unseen)
        found = {}
        for walker, row in zip(plan.walkers, shares, strict=True):
            unseen = max(0.0, 1.0 - sum(row))
            blind = settled and unseen > self.settings.hidden
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

    def _trodden(self, plan: Plan, at: Point) -> str:
        """The spot under a walker."""
        half = self.settings.stands * plan.side_mm
        best = (half, plan.away)
        for spot in plan.spots:
            off = self.poses[spot.part].back(at) - complex(spot.x_mm, spot.y_mm)
            away = max(abs(off.real), abs(off.imag))
            if away < best[0]:
                best = away, spot.cell
        return best[1]

    def _shown(self, plan: Plan, loose: Iterable[Sighting]) -> Sighting:
        """The piece beside the plan that was not there before; what a print was faintly taken for is none."""
        new = [s for s in loose if not s.faint and not any(piece.fits(_top(s)) for piece in plan.gone)]
        new = [s for s in new if _surely(s) >= (self.settings.news if self._looked_like(s) else self.settings.beside)]
        if not new:
            return Sighting(((EMPTY, self.settings.absent),), cell=plan.shown_cell)
        return replace(max(new, key=lambda s: (_top(s).face == "front", s.confidence)), cell=plan.shown_cell)

    def _looked_like(self, seen: Sighting) -> bool:
        """True if something that hardly was a piece lay there before."""
        return any(abs(point_of(seen) - at) < self.settings.still_mm for at in self._faint)


# --- geometry -----------------------------------------------------------------------------------------------------


def turned_round(plan: Plan, poses: Poses) -> dict[str, Pose]:
    """The same places taken from the other end: a point p of the plan lies where -p lay."""
    middles = _middles(plan)
    opposite = {part: min(middles, key=lambda p: abs(middles[p] + middle)) for part, middle in middles.items()}
    return {part: Pose(-poses[other].turn, poses[other].shift) for part, other in opposite.items()}


def nearest_part(plan: Plan, poses: Poses, lying: Lying) -> Point:
    """Where a point of the plan is on the table, by the part that is nearest to it."""
    point = complex(lying.x_mm or 0.0, lying.y_mm or 0.0)
    middles = _middles(plan)
    return poses[min(middles, key=lambda part: abs(middles[part] - point))].at(point)


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


def drawn_onto(pose: Pose, pairs: Sequence[tuple[Point, Point]], share: float) -> Pose:
    """A pose moved a share of the way onto pairs of (point of the plan, point of the table); one pair turns nothing."""
    ours = sum(a for a, _ in pairs) / len(pairs)
    theirs = sum(b for _, b in pairs) / len(pairs)
    turn = pose.turn
    if len(pairs) > 1:
        towards = sum((b - theirs) * (a - ours).conjugate() for a, b in pairs)
        if abs(towards):
            turn = pose.turn * (towards / abs(towards) / pose.turn) ** share
            turn /= abs(turn)
    here = pose.at(ours)
    there = here + share * (theirs - here)
    return Pose(turn, there - turn * ours)


def _drawn(pose: Pose, own: Sequence[tuple[Spot, Point]], share: float) -> Pose:
    return drawn_onto(pose, [(complex(s.x_mm, s.y_mm), at) for s, at in own], share)


def _middles(plan: Plan) -> dict[str, Point]:
    parts: dict[str, list[Point]] = {}
    for spot in plan.spots:
        parts.setdefault(spot.part, []).append(complex(spot.x_mm, spot.y_mm))
    return {part: sum(points) / len(points) for part, points in parts.items()}


def _offsets(plan: Plan, spread: float) -> dict[str, Point]:
    """How far each part is shifted when neighbours lie `spread` further apart along X."""
    middles = _middles(plan)
    order = sorted(middles, key=lambda part: middles[part].real)
    return {part: complex((i - (len(order) - 1) / 2) * spread, 0.0) for i, part in enumerate(order)}


def _steps(most: float, step: float) -> list[float]:
    return [i * step for i in range(int(most / step) + 1)]


def _rightwards(turn: complex) -> complex:
    return turn if turn.real > 0 or (turn.real == 0 and turn.imag > 0) else -turn


# --- sightings ----------------------------------------------------------------------------------------------------


def point_of(sighting: Sighting) -> Point:
    """Where on the table."""
    return complex(sighting.x_mm or 0.0, sighting.y_mm or 0.0)


def _top(sighting: Sighting) -> Piece:
    return max(sighting.beliefs, key=lambda pair: pair[1])[0] if sighting.beliefs else EMPTY


def _kind(sighting: Sighting) -> str:
    """The kind of the most believed piece, though its label may not be sure."""
    return _top(sighting).kind


def _surely(sighting: Sighting) -> float:
    """How sure it is that a piece lies there, whichever."""
    return sum(p for _, p in sighting.beliefs)


def _within(sighting: Sighting, at: Point, reach: float) -> bool:
    return sighting.x_mm is not None and abs(point_of(sighting) - at) < reach


def _walker_sighting(cell: str, piece: Piece, there: float, absent: float) -> Sighting:
    beliefs = tuple((p, b) for p, b in ((piece, there), (EMPTY, absent)) if b > 0)
    why = None if beliefs else f"the {piece.kind} is not seen"
    return Sighting(beliefs, cell=cell, why=why, hidden=not beliefs)
