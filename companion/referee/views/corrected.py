"""What the host said of the table: the pieces named by hand, on cells and at places."""

from companion.pieces import EMPTY, Piece
from companion.referee.happenings import Corrected
from companion.referee.state import State
from companion.view import Sighting


def corrections(state: State) -> dict[str, Piece]:
    """What the host said of cells; who stands on one place of a plan stands on no other."""
    told = {cell: corrected_piece(event) for cell, event in state.overrides.items() if event.x_mm is None}
    plan = state.module.layout(state.position).plan
    if plan is None:
        return told
    heads = (*(spot.cell for spot in plan.spots), plan.away)
    names = [cell.partition("/")[2] for cell, piece in told.items() if piece != EMPTY]
    elsewhere = {f"{head}/{walker.name}": EMPTY for walker in plan.walkers if walker.name in names for head in heads}
    return elsewhere | told


def corrected_piece(event: Corrected) -> Piece:
    """The piece that the host named."""
    return Piece(event.kind, event.colour, event.size, event.pose, event.facing, event.suit, event.value, event.face)


def corrected_places(state: State) -> tuple[Sighting, ...]:
    """What the host said of places of a free table, as if it were seen; the last word last."""
    return tuple(corrected_place(event) for event in state.overrides.values() if event.x_mm is not None)


def corrected_place(event: Corrected) -> Sighting:
    """The piece that the host named, where it was said to lie."""
    return Sighting(((corrected_piece(event), 1.0),), event.x_mm, event.y_mm, event.heading_deg)
