"""Pieces at rest on a free table are held still, though every look measures them a little elsewhere."""

from dataclasses import dataclass, replace

from companion.headings import turn_deg
from companion.referee.evidence.free_layouts import apart
from companion.referee.settings import Settings
from companion.view import Sighting, TableView

QUARTER_DEG = 90.0  # a base looks the same after a quarter of a turn


@dataclass(frozen=True, slots=True)
class _Resting:
    """A piece that several looks showed: where they measure it on average, and where it is taken to lie."""

    measured: Sighting
    held: Sighting
    looks: int = 1


class Held:
    """Remembers the last looks. What lies within the camera's error of them is taken to lie where it lay.

    That is where the first look measured it, until there were enough to tell better: from then on it is their mean.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._last: tuple[_Resting, ...] = ()

    def forget(self) -> None:
        """Something came between: what is seen next is measured anew."""
        self._last = ()

    def hold(self, view: TableView) -> TableView:
        """The view with every piece at rest where it is held."""
        left = list(self._last)
        resting = []
        for sighting in view.sightings:
            was = next((r for r in left if self._same(r.measured, sighting)), None)
            if was is None:
                resting.append(_Resting(sighting, sighting))
            else:
                left.remove(was)
                resting.append(self._once_more(was, sighting))
        self._last = tuple(resting)
        return replace(view, sightings=tuple(piece.held for piece in resting))

    def _once_more(self, was: _Resting, now: Sighting) -> _Resting:
        """The piece after one more look."""
        needed, looks = self._settings.hold_looks, was.looks + 1
        if looks > needed:
            return _Resting(_placed(now, was.measured), _placed(now, was.held), was.looks)
        measured = _placed(now, _mean(was.measured, now, 1 / looks))
        return _Resting(measured, measured if looks == needed else _placed(now, was.held), looks)

    def _same(self, was: Sighting, now: Sighting) -> bool:
        if was.piece != now.piece or apart(was, now) > self._settings.hold_mm:
            return False
        if was.heading_deg is None or now.heading_deg is None:
            return was.heading_deg == now.heading_deg
        return abs(turn_deg(was.heading_deg, now.heading_deg)) <= self._settings.hold_deg


def _placed(looks: Sighting, place: Sighting) -> Sighting:
    """What is seen now, at the place and turned as another sighting is."""
    return replace(looks, x_mm=place.x_mm, y_mm=place.y_mm, heading_deg=place.heading_deg, base_deg=place.base_deg)


def _mean(was: Sighting, now: Sighting, share: float) -> Sighting:
    """The place and turn of one sighting, with so large a share of another one's."""
    assert was.x_mm is not None and was.y_mm is not None  # noqa: PT018 - one condition
    assert now.x_mm is not None and now.y_mm is not None  # noqa: PT018
    return replace(
        was,
        x_mm=was.x_mm + share * (now.x_mm - was.x_mm),
        y_mm=was.y_mm + share * (now.y_mm - was.y_mm),
        heading_deg=_between(was.heading_deg, now.heading_deg, share),
        base_deg=_between(was.base_deg, now.base_deg, share, QUARTER_DEG),
    )


def _between(was: float | None, now: float | None, share: float, period_deg: float = 360.0) -> float | None:
    """The heading so far on the way from one to another, of headings that are the same after `period_deg`."""
    if was is None or now is None:
        return was
    return (was + share * turn_deg(now, was, period_deg)) % period_deg
