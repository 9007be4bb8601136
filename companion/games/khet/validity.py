"""What is odd about a position: things that no lawful game can lead to."""

from collections import Counter

from companion.games.khet import faces
from companion.games.khet.position import Position, reserved, sphinx_square
from companion.games.khet.squares import LASER_SQUARE, NAME, ON_BOARD

# A side's pieces in the box; eyes are not limited by the rules (Khet Q20). A stack counts as two obelisks.
IN_THE_BOX = {"pharaoh": 1, "pyramid": 7, "scarab": 2, "anubis": 2, "sphinx": 1, "obelisk": 4}
ONLY_IN = {"anubis": "2.0", "sphinx": "2.0", "obelisk": "1.0", "stack": "1.0"}


def reasons(position: Position) -> tuple[str, ...]:
    """Why no lawful game can look like this; () when it can."""
    corners = (reason for seat in range(2) for reason in _sphinx(position, seat))
    return (*impossible(position), *corners, *_on_reserved_squares(position))


def impossible(position: Position) -> tuple[str, ...]:
    """Why nobody can play on from this; () when they can, though a host may have let something unlawful stand."""
    found: list[str] = []
    for seat in range(2):
        found += _too_many(position, seat) + _no_sphinx(position, seat)
    for square in ON_BOARD:
        code = position.cells[square]
        if code != faces.EMPTY:
            found += _of_other_edition(position, square, code)
    return tuple(found)


def _too_many(position: Position, seat: int) -> list[str]:
    count = Counter(faces.KIND[c] for c in position.cells if faces.SEAT[c] == seat)
    count["obelisk"] += 2 * count.pop("stack", 0)
    colour = faces.COLOUR[seat]
    return [
        f"{colour} has {count[kind]} {kind}{'es' if kind[-1] in 'sx' else 's'}, a set has {limit}"
        for kind, limit in IN_THE_BOX.items()
        if count[kind] > limit
    ]


def _no_sphinx(position: Position, seat: int) -> list[str]:
    """In 2.0 the light comes from the sphinx, wherever that stands."""
    there = faces.KIND[position.cells[sphinx_square(position.cells, seat)]] == "sphinx"
    return [] if there or position.house.edition != "2.0" else [f"the {faces.COLOUR[seat]} sphinx is not on the board"]


def _sphinx(position: Position, seat: int) -> list[str]:
    """In 2.0 the sphinx never leaves its corner and never fires off the board (Khet Q11)."""
    if position.house.edition != "2.0":
        return []
    name, colour = NAME[LASER_SQUARE[seat]], faces.COLOUR[seat]
    code = position.cells[LASER_SQUARE[seat]]
    if code not in faces.SPHINX[seat]:
        return [f"the {colour} sphinx is not on {name}"]
    if faces.FACING[code] not in faces.SPHINX_FACINGS[seat]:
        return [f"the {colour} sphinx on {name} fires off the board"]
    return []


def _of_other_edition(position: Position, square: int, code: int) -> list[str]:
    kind = faces.KIND[code]
    if ONLY_IN.get(kind, position.house.edition) == position.house.edition:
        return []
    return [f"{_words(square, code)} does not belong to Khet {position.house.edition}"]


def _on_reserved_squares(position: Position) -> list[str]:
    """Pieces that cannot have come to where they stand (Khet 3b.2, Khet Q1)."""
    swapped = position.house.swap_into_reserved
    return [
        f"{_words(square, code)} stands on a square reserved for the other side"
        for square in ON_BOARD
        if (code := position.cells[square]) != faces.EMPTY
        and reserved(square, faces.LOOK[code][0])
        and not (swapped and faces.SWAPPABLE[code])
    ]


def _words(square: int, code: int) -> str:
    seat, kind, _ = faces.LOOK[code]
    return f"the {faces.COLOUR[seat]} {kind} on {NAME[square]}"
