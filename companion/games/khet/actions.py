"""The legal actions, as small tuples for speed: (origin, target, code left on origin, code put on target)."""

import re
from collections.abc import Iterator

from companion.games.khet import faces
from companion.games.khet.beam import struck, way
from companion.games.khet.faces import AFTER_HIT, MOVES, OBELISK, OBELISKS, PHARAOH, STACK, SWAPPABLE, SWAPS, TURNS
from companion.games.khet.position import House, Move, Position, laser, reserved
from companion.games.khet.squares import NAME, ON_BOARD, RESERVED_AGAINST, SIZE, neighbours

Action = tuple[int, int, int, int]

_OWN = tuple(
    re.compile(b"[" + bytes((1 + seat * faces.OWN_CODES,)) + b"-" + bytes(((1 + seat) * faces.OWN_CODES,)) + b"]")
    for seat in range(2)
)
# By seat and square: the squares that this side's pieces may enter from here (Khet 3b.2).
ENTERABLE = tuple(
    tuple(tuple(t for t in neighbours(s) if not reserved(t, seat)) if s in ON_BOARD else () for s in range(SIZE))
    for seat in range(2)
)


def _steps(code: int, square: int) -> tuple[tuple[int, Action], ...]:
    """The squares that this piece may step to when they are empty, each with the step made ready."""
    seat = faces.SEAT[code]
    targets = ENTERABLE[seat][square] if seat is not None and MOVES[code] else ()
    return tuple((target, (square, target, 0, code)) for target in targets)


_STEPS = tuple(tuple(_steps(code, square) for square in range(SIZE)) for code in range(faces.RIM))
_QUARTERS = tuple(
    tuple(tuple((square, square, turned, turned) for turned in TURNS[code]) for square in range(SIZE))
    for code in range(faces.RIM)
)


def actions(cells: bytes | bytearray, seat: int, house: House) -> list[Action]:
    """Every legal action of this seat: steps, swaps, stacking, quarter turns."""
    found: list[Action] = []
    for match in _OWN[seat].finditer(cells):
        square = match.start()
        code = cells[square]
        found += [step for target, step in _STEPS[code][square] if not cells[target]]
        found += _QUARTERS[code][square]
        if SWAPS[code]:
            found += _swaps(cells, seat, square, house)
        elif OBELISKS[code]:
            found += _obelisk_actions(cells, seat, square)
    return found


def move_of(cells: bytes, action: Action) -> Move:
    """The action as a value that people can read."""
    origin, target, left, put = action
    code = cells[origin]
    if origin == target:
        clockwise = faces.quarter_turn(faces.KIND[code], faces.FACING[code], 1) == faces.FACING[put]
        return Move("turn", NAME[origin], turn=1 if clockwise else -1)
    if left == faces.EMPTY:
        return Move("step", NAME[origin], NAME[target])
    return Move("top" if faces.OBELISKS[left] and faces.OBELISKS[code] else "swap", NAME[origin], NAME[target])


def _swaps(cells: bytes | bytearray, seat: int, square: int, house: House) -> list[Action]:
    """A scarab or an eye changes places with a neighbour of either colour (Khet 3a.scarab, Khet Q14)."""
    code = cells[square]
    return [
        (square, target, cells[target], code)
        for target in ENTERABLE[seat][square]
        if SWAPPABLE[cells[target]] and swap_lands_well(cells[target], square, house)
    ]


def swap_lands_well(pushed: int, square: int, house: House) -> bool:
    """May a swap push this piece onto this square? Not onto one reserved against it, unless so agreed (Khet Q1)."""
    return house.swap_into_reserved or square not in RESERVED_AGAINST[faces.SEAT[pushed] or 0]


def _obelisk_actions(cells: bytes | bytearray, seat: int, square: int) -> Iterator[Action]:
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


def over(cells: bytes | bytearray) -> bool:
    """True once a pharaoh is gone (Khet 3b.5)."""
    return PHARAOH[0] not in cells or PHARAOH[1] not in cells


def turns(cells: bytes | bytearray, seat: int, house: House) -> list[bytearray]:
    """The board after each legal action and its shot, in the order of `actions`.

    Most actions leave the light's way untouched and remove what the shot removes anyhow; the others are traced
    anew from the first square on the way that they change.
    """
    lit, usual = way(cells, *laser(cells, seat, house.edition))
    unlit = bytearray(cells)
    for square in usual:
        unlit[square] = AFTER_HIT[unlit[square]]
    found = []
    for origin, target, left, put in actions(cells, seat, house):
        first, second = lit[origin], lit[target]
        if first is None and second is None:
            after = unlit[:]
            after[origin] = left
            after[target] = put
        else:
            after = bytearray(cells)
            after[origin] = left
            after[target] = put
            if first is None or (second is not None and second < first):
                first = second
            assert first is not None
            for square in struck(after, first[1], first[2]):
                after[square] = AFTER_HIT[after[square]]
        found.append(after)
    return found


def perft(position: Position, depth: int) -> int:
    """How many lines of play there are to a depth; a finished game has no children, no draw rule counts."""
    return _count(position.cells, position.to_move, position.house, depth)


def _count(cells: bytes | bytearray, seat: int, house: House, depth: int) -> int:
    if depth == 0:
        return 1
    if over(cells):
        return 0
    if depth == 1:
        return len(actions(cells, seat, house))
    return sum(_count(after, 1 - seat, house, depth - 1) for after in turns(cells, seat, house))
