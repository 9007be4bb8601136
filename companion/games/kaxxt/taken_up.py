"""A table of Kaxxt on Ice as it lies, taken up again: whose pyramids are where, and whom Kaxxt attacks."""

from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.kaxxt.arranging import straight
from companion.games.kaxxt.position import ACT, Position
from companion.games.kaxxt.pyramids import Pyramid
from companion.games.kaxxt.seen import faced, stands_seen
from companion.games.kaxxt.sides import side_at
from companion.games.kaxxt.stands import Stand, nested_mm, without
from companion.view import TableView


def taken_up(position: Position, view: TableView, seat: int) -> Position:
    """The position in which the table shows this, with that seat to move; UnreadableText where Kaxxt faces another.

    Shields stay as they were, and so do draws that may still be told. What stands before a player is theirs, from
    whatever hand or bag it came, and what is gone is in their hand again; of whom all is gone, they are out (XA4).
    """
    target = next(iter(faced(position, view)), position.target)
    old = replace(position, areas=tuple(_before(position, at) for at in range(position.seats)))
    areas = tuple(_area(old, view, at) for at in range(position.seats))
    out = [bool(old.areas[at]) and not areas[at] for at in range(position.seats)]
    placed = {pyramid for area in areas for stand in area for pyramid in stand.pyramids}
    up = replace(
        position,
        shields=tuple(0 if gone else shield for gone, shield in zip(out, position.shields, strict=True)),
        areas=areas,
        hands=tuple(
            () if gone else tuple(pyramid for pyramid in old.pyramids_of(at) if pyramid not in placed)
            for at, gone in enumerate(out)
        ),
        bag=tuple(pyramid for pyramid in position.bag if pyramid not in placed),
        turn=seat,
        target=seat,
        phase=ACT,
        drawn=False,
        wanted=0,
    )
    if seat != target or not up.present[seat]:
        raise UnreadableText(f"Kaxxt looks at {position.names[target].capitalize()}")
    return up


def _before(position: Position, seat: int) -> tuple[Stand, ...]:
    """What stands before a player, whoever put it there."""
    stands = (stand for area in position.areas for stand in area)
    return tuple(stand for stand in stands if side_at(position.seats, stand.x_mm, stand.y_mm) == seat)


def _area(position: Position, view: TableView, seat: int) -> tuple[Stand, ...]:
    """What stands before a player now, straight."""
    up = replace(position, turn=seat)
    seen = _before(replace(up, areas=(stands_seen(up, view),)), seat)
    left = (without(stand, _gone(stand, view)) for stand in seen)
    side = position.sides[seat]
    return tuple(replace(stand, heading_deg=straight(side, stand.heading_deg)) for stand in left if stand.pyramids)


def _gone(stand: Stand, view: TableView) -> set[Pyramid]:
    """The pyramids of a stand in whose places the table is bare."""
    places = ((pyramid, *nested_mm(stand, level)) for level, pyramid in enumerate(stand.pyramids))
    return {pyramid for pyramid, x, y, _ in places if view.bare(x, y)}
