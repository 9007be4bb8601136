"""Tables of Kaxxt on Ice that several tests share, laid out on the regular grid of the rules."""

import pytest

from companion.errors import IllegalMove
from companion.games import kaxxt
from companion.games.base import Turn
from companion.games.kaxxt.arranging import grid_stand
from companion.games.kaxxt.beam import Trace, Tracer
from companion.games.kaxxt.position import Position
from companion.games.kaxxt.pyramids import SET, Pyramid, read_codes
from companion.games.kaxxt.sides import sides
from companion.games.kaxxt.stands import Stand

Row = tuple[str, str, int, int]  # codes, direction, row, column

ADVANCED: tuple[Row, ...] = (
    ("b1", "self", 0, -1),
    ("b3", "left", 0, 0),
    ("k3", "up", 1, -1),
    ("g3", "left", 1, 0),
    ("y1", "kaxxt", 2, -1),
    ("r3", "left", 2, 0),
)


def area(seats: int, seat: int, *rows: Row) -> tuple[Stand, ...]:
    """Stands before a seat."""
    side = sides(seats)[seat]
    return tuple(grid_stand(side, read_codes(codes), points, row, col) for codes, points, row, col in rows)


def table(seats: int, rows: dict[int, tuple[Row, ...]]) -> tuple[tuple[Stand, ...], ...]:
    """The areas of all seats; those that are not named are bare."""
    return tuple(area(seats, seat, *rows.get(seat, ())) for seat in range(seats))


def fire(
    seats: int,
    rows: dict[int, tuple[Row, ...]],
    target: int,
    colour: str,
    power: int = 3,
    method: str = "fraction",
    out: tuple[int, ...] = (),
) -> Trace:
    """What a laser does on such a table."""
    present = tuple(seat not in out for seat in range(seats))
    trace = Tracer(table(seats, rows), present, method).fire(target, colour, power)
    assert trace.total == power
    return trace


def position(seats: int, rows: dict[int, tuple[Row, ...]], **changes: object) -> kaxxt.Position:
    """A position with these areas; everything else is in the bag unless `changes` say otherwise."""
    areas = table(seats, rows)
    placed = {pyramid for stands in areas for stand in stands for pyramid in stand.pyramids}
    fields: dict[str, object] = {
        "shields": (30,) * seats,
        "areas": areas,
        "hands": ((),) * seats,
        "bag": tuple(pyramid for pyramid in SET if pyramid not in placed),
    }
    return kaxxt.Position(**{**fields, **changes})  # type: ignore[arg-type]


R3, B1 = Pyramid("red", 3), Pyramid("blue", 1)


def played(at: Position, *texts: str) -> Turn:
    """The last turn after these moves."""
    turn = Turn(at)
    for text in texts:
        turn = kaxxt.play(turn.position, kaxxt.read_move(turn.position, text))
    return turn


def refused(at: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        kaxxt.play(at, kaxxt.read_move(at, text))
    assert caught.value.remedy
    return caught.value
