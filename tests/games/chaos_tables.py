"""Positions of Chaos made by hand."""

from dataclasses import replace

from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.position import Standing


def chaos_table(*pieces: Standing, **fields: object) -> chaos.Position:
    """A position in which these lie and the array gives white small ones, to be placed by two white dice."""
    start = chaos.start({})
    given: dict[str, object] = {"array": ((0, 0, 4), *start.array[1:]), "dice": ("white", "white"), "phase": "place"}
    return replace(start, pieces=pieces, **{**given, **fields})  # type: ignore[arg-type]


def at_edge(edge: g.Edge, along_mm: float, out_mm: float) -> tuple[float, float]:
    """The place so far along an edge and so far outside it."""
    nx, ny = g.direction(edge.normal_deg)
    share = along_mm / edge.length
    x, y = (a + (b - a) * share for a, b in zip(edge.start, edge.end, strict=True))
    return x + nx * out_mm, y + ny * out_mm
