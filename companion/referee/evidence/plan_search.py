"""Looks for a plan that may lie anywhere on the table: by which pieces lie on which of its spots."""

import cmath
import heapq
import itertools
from collections.abc import Sequence

from companion.games.base import Plan, Spot
from companion.referee.evidence.laid_settings import LaidSettings
from companion.referee.evidence.plan_poses import Point, Pose, Poses, drawn, part_offsets

Pairs = list[tuple[Spot, int]]  # a spot and the number of the piece that lies on it


class PlanSearch:
    """Finds the poses of a plan's parts, and pairs spots with what lies on them."""

    def __init__(self, settings: LaidSettings) -> None:
        self._settings = settings

    def pairs(
        self, plan: Plan, spots: Sequence[Spot], places: Sequence[Point], poses: Poses, faint: Sequence[bool] = ()
    ) -> Pairs:
        """Which piece lies on which spot: nearest pairs first, what is faintly seen last."""
        reach = self._settings.near * plan.side_mm
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

    def found_each_way(self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point]) -> list[dict[str, Pose]]:
        """As `found`, for each of four ways that the plan may look: what is left of it may extend any way."""
        turns = self._turns(plan, places)
        found = (self.found(plan, wanted, places, [turn * way for turn in turns]) for way in (1, 1j, -1, -1j))
        return [poses for poses in found if poses]

    def found(
        self, plan: Plan, wanted: Sequence[Spot], places: Sequence[Point], turns: Sequence[complex] = ()
    ) -> dict[str, Pose]:
        """The poses under which most pieces lie on spots: every turn of their lattice, or these, and every spread.

        And every spot under the piece that lies most amid the others: what lies elsewhere draws nothing away so. A spot
        that is to be empty, too: what lies there may be what comes down next to it.
        """
        tried: dict[tuple[complex, int], tuple[float, float, dict[str, Pose]]] = {}  # the best spread of each
        amid = min(places, key=lambda place: sum(abs(place - other) for other in places))
        for turn in turns or self._turns(plan, places):
            for spread in _steps(plan.spread_mm, self._settings.spread_step_mm):
                offsets = part_offsets(plan, spread)
                model = [turn * (complex(s.x_mm, s.y_mm) + offsets[s.part]) for s in wanted]
                for number, spot in enumerate(plan.spots):
                    shift = amid - turn * (complex(spot.x_mm, spot.y_mm) + offsets[spot.part])
                    fit = self._fit([shift + point for point in model], places, plan.side_mm)
                    poses = {part: Pose(turn, shift + turn * offset) for part, offset in offsets.items()}
                    tried[turn, number] = max(
                        (fit, -spread, poses), tried.get((turn, number), (0.0, 0.0, poses)), key=lambda t: t[:2]
                    )
        if not tried:
            return {}
        # no part lies quite where the others say: only what is laid onto its own pieces can be compared
        best = heapq.nlargest(self._settings.refined, tried.values(), key=lambda t: t[:2])
        likely = [self._settled(plan, wanted, places, poses) for _, _, poses in best]
        fits = [self._fit(self._spots_at(wanted, poses), places, plan.side_mm) for poses in likely]
        fit, first = max((fit, -number) for number, fit in enumerate(fits))
        return likely[-first] if fit >= min(self._settings.least, len(wanted)) / 2 else {}

    def _spots_at(self, wanted: Sequence[Spot], poses: Poses) -> list[Point]:
        return [poses[spot.part].at(complex(spot.x_mm, spot.y_mm)) for spot in wanted]

    def _fit(self, spots: Sequence[Point], places: Sequence[Point], side: float) -> float:
        reach = self._settings.snug * side
        total = 0.0
        for spot in spots:
            away = min(abs(spot - place) for place in places)
            if away < reach:
                total += 1 - (away / reach) ** 2
        return total

    def _turns(self, plan: Plan, places: Sequence[Point]) -> list[complex]:
        """Ways the plan may look: along the lattice of neighbouring pieces, and along their longest extent.

        Few that are left of it may extend any way: it is taken to look to the right.
        """
        side = plan.side_mm
        steps = [b - a for a, b in itertools.combinations(places, 2) if abs(abs(b - a) - side) < 0.15 * side]
        fourfold = sum((step / abs(step)) ** 4 for step in steps) if steps else 0j
        few = len(places) < self._settings.least
        heart = sum(places) / len(places)
        spread = sum((place - heart) ** 2 for place in places)  # twice the angle of the longest extent
        long = 1 + 0j if few else _rightwards(cmath.exp(0.5j * cmath.phase(spread)))
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
            pairs = self.pairs(plan, wanted, places, poses)
            for part, pose in list(poses.items()):
                own = [(spot, places[j]) for spot, j in pairs if spot.part == part]
                if own:
                    poses[part] = drawn(pose, own, 1.0)
        return poses


def _steps(most: float, step: float) -> list[float]:
    return [i * step for i in range(int(most / step) + 1)]


def _rightwards(turn: complex) -> complex:
    return turn if turn.real > 0 or (turn.real == 0 and turn.imag > 0) else -turn
