"""What is asked for without play waiting for it: coins by the levels, and coins on a sheet that lies by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.games.base import Layout, Lying, Plan
from companion.pieces import Piece
from companion.referee.evidence.plan_poses import Point, Pose, Poses, drawn_onto, nearest_part, point_of
from companion.view import Sighting, TableView


@dataclass(frozen=True, slots=True)
class AsideSettings:
    """How near is right, in millimetres."""

    near_mm: float = 90.0  # a piece that belongs somewhere round a place of the plan
    on_sheet_mm: float = 12.5  # from its place on a sheet, along either side
    off_plan_mm: float = 45.0  # a piece nearer to a spot than this lies on the plan, and on no sheet
    belief: float = 0.3
    apart_mm: float = 40.0  # two places of a sheet this far apart tell how it is turned
    kept: int = 24  # places of a sheet that are remembered
    moved_mm: float = 12.5  # from where a piece lay, so far that hands have moved it


@dataclass(frozen=True, slots=True)
class Aside:
    """One soft piece of the layout, and whether it is seen where it belongs."""

    lying: Lying
    done: bool
    at: Point | None = None  # where on its sheet it is seen instead, as a point of the plan


@dataclass
class Asides:
    """Compares soft pieces with views; learns where each sheet lies from the pieces that lie right on it."""

    settings: AsideSettings = field(default_factory=AsideSettings)
    seen: tuple[Aside, ...] = ()
    _sheets: dict[str, dict[Point, Point]] = field(default_factory=dict)  # of each: a place of the plan, where it is
    _lie: dict[Piece, Point] = field(default_factory=dict)  # where each was seen last ...
    _lay: dict[Piece, Point] = field(default_factory=dict)  # ... and before the table was last hidden

    def forget(self) -> None:
        """Another game is laid out."""
        self.seen, self._sheets, self._lie, self._lay = (), {}, {}, {}

    def unseen(self) -> None:
        """A hand, or something else, hides the table."""
        self._lay = dict(self._lie)

    @property
    def moved(self) -> bool:
        """True if a piece is seen elsewhere than before the table was last hidden."""
        return any(map(self._moved, self._lie))

    def knows(self, sheet: str) -> bool:
        """True once something was seen on that sheet."""
        return sheet in self._sheets

    def look(self, view: TableView, layout: Layout, poses: Poses, settled: bool) -> None:
        """One more view. While the layout is not `settled`, a sheet lies where its pieces are seen."""
        plan = layout.plan
        if plan is None or not poses:
            self.seen = ()
            return
        if not settled:
            self._sheets = {}
        soft = [p for p in layout.pieces if p.soft and p.x_mm is not None and p.y_mm is not None]
        on_plan = [poses[s.part].at(complex(s.x_mm, s.y_mm)) for s in plan.spots]
        loose = [s for s in view.sightings if s.x_mm is not None and s.cell is None and not s.faint]
        apart = [s for s in loose if all(abs(point_of(s) - p) > self.settings.off_plan_mm for p in on_plan)]
        self._lie |= {p.piece: at for p in soft if (at := self._surest(p, loose)) is not None}
        for sheet in self._sheets:
            self._follow(sheet, [p for p in soft if p.sheet == sheet], poses, apart)
        right = {p for p in soft if self._right(p, plan, poses, apart if p.sheet else loose)}
        covered = {(p.sheet, p.x_mm, p.y_mm) for p in right if p.sheet}  # one of two may hide the other
        done = [p in right or (p.sheet, p.x_mm, p.y_mm) in covered for p in soft]
        self.seen = tuple(
            Aside(p, is_done, None if is_done else self._elsewhere(p, poses, apart))
            for p, is_done in zip(soft, done, strict=True)
        )

    def _moved(self, piece: Piece) -> bool:
        return piece not in self._lay or abs(self._lie[piece] - self._lay[piece]) > self.settings.moved_mm

    def _follow(self, name: str, on_it: Sequence[Lying], poses: Poses, among: Sequence[Sighting]) -> None:
        """A sheet was moved if all of several pieces on it were, and they lie there as they should by each other."""
        moved = [p for p in on_it if p.piece in self._lie and self._moved(p.piece)]
        seen = {_place(p): at for p in moved if (at := self._surest(p, among)) is not None}
        if 1 < len(seen) == len(on_it) and all(self._fits(self._pose(seen, poses), *pair) for pair in seen.items()):
            self._sheets[name] = seen

    def _fits(self, pose: Pose, place: Point, seen: Point) -> bool:
        """True for what is seen in its place on a sheet that lies so; most places are square."""
        off = pose.back(seen) - place
        return max(abs(off.real), abs(off.imag)) < self.settings.on_sheet_mm

    def _elsewhere(self, lying: Lying, poses: Poses, among: Sequence[Sighting]) -> Point | None:
        """Where on its sheet, if that is known, a piece is seen that does not lie where it belongs."""
        sheet, at = self._sheets.get(lying.sheet) if lying.sheet else None, self._surest(lying, among)
        return self._pose(sheet, poses).back(at) if sheet and at is not None else None

    def _surest(self, lying: Lying, among: Sequence[Sighting]) -> Point | None:
        """Where a piece is seen, on the table."""
        seen = [s for s in among if s.belief(lying.piece) >= self.settings.belief]
        return point_of(max(seen, key=lambda s: s.belief(lying.piece))) if seen else None

    def _right(self, lying: Lying, plan: Plan, poses: Poses, among: Sequence[Sighting]) -> bool:
        seen = [point_of(s) for s in among if s.belief(lying.piece) >= self.settings.belief]
        if not lying.sheet:
            at = nearest_part(plan, poses, lying)
            return any(abs(place - at) < self.settings.near_mm for place in seen)
        sheet = self._sheets.get(lying.sheet)
        if sheet is None:
            if seen:
                self._sheets[lying.sheet] = {_place(lying): seen[0]}
            return bool(seen)
        pose = self._pose(sheet, poses)
        for place in seen:
            if self._fits(pose, _place(lying), place):
                sheet.pop(_place(lying), None)
                sheet[_place(lying)] = place
                if len(sheet) > self.settings.kept:
                    del sheet[next(iter(sheet))]
                return True
        return False

    def _pose(self, sheet: dict[Point, Point], poses: Poses) -> Pose:
        """A sheet looks the way the plan does, until places on it that lie apart tell better."""
        turn = sum(pose.turn for pose in poses.values())
        pairs = list(sheet.items())
        told = max(abs(a - b) for a in sheet for b in sheet) > self.settings.apart_mm
        return drawn_onto(Pose(turn / abs(turn)), pairs if told else pairs[-1:], 1.0)


def _place(lying: Lying) -> Point:
    """Where a piece belongs, on the plan."""
    return complex(lying.x_mm or 0.0, lying.y_mm or 0.0)
