"""The legal actions, as small tuples for speed: (origin, target, code left on origin, code put on target)."""

import re
from collections.abc import Iterator

from companion.games.khet import faces
from companion.games.khet.beam import lit_squares, struck
from companion.games.khet.faces import AFTER_HIT, MOVES, OBELISK, OBELISKS, PHARAOH, STACK, SWAPPABLE, SWAPS, TURNS
from companion.games.khet.position import House, Position, laser, reserved
from companion.games.khet.squares import ON_BOARD, RESERVED_AGAINST, SIZE, neighbours

Action = tuple[int, int, int, int]

_OWN = tuple(
    re.compile(b"[" + bytes((1 + seat * faces.OWN_CODES,)) + b"-" + bytes(((1 + seat) * faces.OWN_CODES,)) + b"]")
    for seat in range(2)
)
# By seat and square: the squares that a piece may enter from here, rank and file alone considered.
ENTERABLE = tuple(
    tuple(tuple(t for t in neighbours(s) if not reserved(t, seat)) if s in ON_BOARD else () for s in range(SIZE))
    for seat in range(2)
)


def actions(cells: bytes, seat: int, house: House) -> list[Action]:
    """Every legal action of this seat: steps and swaps, stacking, quarter turns."""
    found: list[Action] = []
    add = found.append
    for match in _OWN[seat].finditer(cells):
        square = match.start()
        code = cells[square]
        if MOVES[code]:
            swaps = SWAPS[code]
            for target in ENTERABLE[seat][square]:
                other = cells[target]
                if not other:
                    add((square, target, 0, code))
                elif swaps and SWAPPABLE[other] and swap_lands_well(other, square, house):
                    add((square, target, other, code))
            if OBELISKS[code]:
                found.extend(_obelisk_actions(cells, seat, square))
        for turned in TURNS[code]:
            add((square, square, turned, turned))
    return found


def swap_lands_well(pushed: int, square: int, house: House) -> bool:
    """May a swap push this piece onto this square? Not onto one reserved against it, unless so agreed (Khet Q1)."""
    return house.swap_into_reserved or square not in RESERVED_AGAINST[faces.SEAT[pushed] or 0]


def _obelisk_actions(cells: bytes, seat: int, square: int) -> Iterator[Action]:
    """Stacking a single obelisk, or stepping with the top one of a stack (Khet 3a.stack, Khet Q13)."""
    single, stack = OBELISK[seat], STACK[seat]
    for target in ENTERABLE[seat][square]:
        if cells[square] == single:
            if cells[target] == single:
                yield square, target, 0, stack
        elif cells[target] == single:
            yield square, target, single, stack
        elif not cells[target]:
            yield square, target, single, single


def over(cells: bytes) -> bool:
    """True once a pharaoh is gone (Khet 3b.5)."""
    return PHARAOH[0] not in cells or PHARAOH[1] not in cells


def turns(cells: bytes, seat: int, house: House) -> Iterator[bytes]:
    """The board after each legal action and its shot, in the order of `actions`.

    Most actions leave the light's way untouched: only those that change a lit square are traced again.
    """
    source, heading = laser(cells, seat, house.edition)
    lit, usual = lit_squares(cells, source, heading)
    for origin, target, left, put in actions(cells, seat, house):
        after = bytearray(cells)
        after[origin] = left
        after[target] = put
        hits = usual
        if origin in lit or target in lit:
            if origin == source:
                hits = struck(after, *laser(after, seat, house.edition))
            else:
                hits = struck(after, source, heading)
        for square in hits:
            after[square] = AFTER_HIT[after[square]]
        yield bytes(after)


def perft(position: Position, depth: int) -> int:
    """How many lines of play there are to a depth; a finished game has no children, no draw rule counts."""
    return _count(position.cells, position.to_move, position.house, depth)


def _count(cells: bytes, seat: int, house: House, depth: int) -> int:
    if depth == 0:
        return 1
    if over(cells):
        return 0
    if depth == 1:
        return len(actions(cells, seat, house))
    return sum(_count(after, 1 - seat, house, depth - 1) for after in turns(cells, seat, house))
