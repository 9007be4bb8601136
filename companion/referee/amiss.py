"""What lies otherwise than it should while something is refused: for the page, which marks it on the table."""

from companion.games.base import Layout, Lying
from companion.pieces import EMPTY
from companion.referee.evidence.layout import Difference, Evidence, cells_of, differing, place_key
from companion.referee.explanations.explanation import Explanation
from companion.referee.setup import Fault, fault_of, missing


def amiss(found: Explanation, seen: Evidence | None, wanted: Layout) -> tuple[Fault, ...]:
    """Where the table differs from the one that is wanted: by the action that is refused, else by what is seen."""
    if (forbidden := found.forbidden) is not None:
        shown = forbidden.layout
        return _between_cells(shown, wanted) if wanted.celled else _between_places(shown, wanted)
    return tuple(map(fault_of, found.differences or (seen.differences(wanted) if seen is not None else ())))


def _between_cells(shown: Layout, wanted: Layout) -> tuple[Fault, ...]:
    lies, due = cells_of(shown), cells_of(wanted)
    odd = sorted(differing(lies, due))
    return tuple(fault_of(Difference(c, due.get(c, EMPTY), lies.get(c, EMPTY), 1.0)) for c in odd)


def _between_places(shown: Layout, wanted: Layout) -> tuple[Fault, ...]:
    lies, due = ({place_key(p): p for p in layout.pieces} for layout in (shown, wanted))
    gone = (missing(piece) for key, piece in due.items() if key not in lies)
    return (*gone, *(extra(piece) for key, piece in lies.items() if key not in due))


def extra(lying: Lying) -> Fault:
    """A piece that does not belong where it lies."""
    place = (lying.x_mm, lying.y_mm)
    return Fault("extra", Difference(lying.cell, EMPTY, lying.piece, 1.0, *place, heading_deg=lying.heading_deg))
