"""Positions of Chaos made by hand."""

from dataclasses import replace

import pytest

from companion.errors import IllegalMove
from companion.games import chaos
from companion.games.base import Turn
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import RINGS
from companion.games.chaos.position import SIZES, STASH, House, Move, Position, Standing, standing


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


def defender(colour: str, x: float, y: float = 0.0, size: str = "large", heading: float = 0.0) -> Standing:
    return standing(colour, size, "upright", x, y, heading)


def attacker(colour: str, base_x: float, base_y: float, heading: float, size: str = "large") -> Standing:
    """A lying piece by the middle of its base."""
    dx, dy = g.direction(heading)
    half = g.slant_mm(size) / 2
    return standing(colour, size, "lying", base_x + dx * half, base_y + dy * half, heading)


def table(
    *pieces: Standing,
    dice: tuple[str, ...] = ("blue", "red"),
    house: House | None = None,
    captured: tuple[tuple[tuple[str, str], ...], ...] | None = None,
) -> Position:
    """A position with these pieces in play and the array to match."""
    house = house or House()
    captured = captured or ((),) * house.players
    ring = RINGS[house.colours]
    used = [(p.colour, p.size) for p in pieces] + [piece for got in captured for piece in got]
    large, medium, small = (
        [five - used.count((colour, size)) for colour in ring] for size, five in zip(SIZES, STASH, strict=True)
    )
    array = tuple(zip(large, medium, small, strict=True))
    return Position(house, pieces, array, captured, 0, dice, "place" if dice else "roll")


def placed(position: Position, piece: Standing) -> Turn:
    return chaos.play(position, Move("place", piece=piece))


def refused(position: Position, piece: Standing) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        placed(position, piece)
    return caught.value


ONE = House(players=2)
# two blue defenders far apart, so that blue attackers are due
BLUES = (defender("blue", 0.0), defender("blue", 200.0))
R = g.base_mm("large") / 2
