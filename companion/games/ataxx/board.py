"""Boards as bit masks: one bit for each cell, rows padded so that a shift never wraps round an edge."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from companion.errors import UnreadableText

SMALLEST, LARGEST = 3, 26  # sides of a square board
HEX_SIDE = 5  # Hexxagon: 61 cells, like an Abalone board
PADDING = 2  # empty columns between rows: the length of a jump

_SQUARE_NEAR = ((0, 1), (1, -1), (1, 0), (1, 1))  # half of the steps; the other half are their opposites
_SQUARE_FAR = ((0, 2), (1, -2), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2))
_HEX_NEAR = ((0, 1), (1, 0), (1, 1))
_HEX_FAR = ((0, 2), (1, -1), (1, 2), (2, 0), (2, 1), (2, 2))


@dataclass(frozen=True, slots=True)
class Board:
    """The cells of a board and who neighbours whom (A1, A2, A5, A6); two boards are equal when kind and size are.

    `rows` hold bit numbers, top row first, as FEN lists them; `near` and `far` are the shifts towards cells at
    distance 1 and 2 (half of them: shift both ways); `near_of` and `far_of` the same as masks, by bit number.
    """

    kind: str  # "square" or "hex"
    size: int  # cells along a side
    stride: int = field(compare=False, repr=False)
    rows: tuple[tuple[int, ...], ...] = field(compare=False, repr=False)
    names: dict[int, str] = field(compare=False, repr=False)
    bits: dict[str, int] = field(compare=False, repr=False)
    cells: int = field(compare=False, repr=False)  # mask of all cells
    near: tuple[int, ...] = field(compare=False, repr=False)
    far: tuple[int, ...] = field(compare=False, repr=False)
    near_of: dict[int, int] = field(compare=False, repr=False)
    far_of: dict[int, int] = field(compare=False, repr=False)

    def bit(self, name: str) -> int:
        """The bit number of a cell; UnreadableText when the board has no such cell."""
        if name not in self.bits:
            raise UnreadableText(f"there is no cell {name!r}; cells run from {self.first} to {self.last}")
        return self.bits[name]

    @property
    def first(self) -> str:
        """The first cell of the bottom row."""
        return self.names[self.rows[-1][0]]

    @property
    def last(self) -> str:
        """The last cell of the top row."""
        return self.names[self.rows[0][-1]]

    def around(self, mask: int) -> int:
        """All cells next to a cell of `mask`, cells of `mask` themselves where they touch each other."""
        spread = 0
        for step in self.near:
            spread |= mask << step | mask >> step
        return spread & self.cells

    def beyond(self, mask: int) -> int:
        """All cells at distance two from a cell of `mask`."""
        spread = 0
        for step in self.far:
            spread |= mask << step | mask >> step
        return spread & self.cells

    def names_of(self, mask: int) -> tuple[str, ...]:
        """The names of the cells of `mask`, lowest bit first."""
        return tuple(self.names[bit] for bit in each(mask))

    def mask_of(self, names: tuple[str, ...]) -> int:
        """The mask of named cells."""
        return sum(1 << bit for bit in {self.bit(name) for name in names})

    def distance(self, a: str, b: str) -> int:
        """Steps from cell to cell: king's steps on squares, steps between hexagons on the hexagon."""
        (row_a, col_a), (row_b, col_b) = divmod(self.bit(a), self.stride), divmod(self.bit(b), self.stride)
        rows, cols = row_b - row_a, col_b - col_a
        if self.kind == "hex" and rows * cols < 0:  # against the slant every step changes one coordinate only
            return abs(rows) + abs(cols)
        return max(abs(rows), abs(cols))


def each(mask: int) -> Iterator[int]:
    """The bit numbers of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=64)
def square(size: int) -> Board:
    """A square board (A1); UnreadableText outside 3..26 cells."""
    if not SMALLEST <= size <= LARGEST:
        raise UnreadableText(f"a board has {SMALLEST} to {LARGEST} cells along a side, not {size}")
    stride = size + PADDING
    names = {row * stride + col: f"{chr(ord('a') + col)}{row + 1}" for row in range(size) for col in range(size)}
    return _build("square", size, stride, names, _SQUARE_NEAR, _SQUARE_FAR)


@cache
def hexagon() -> Board:
    """The hexagon of Hexxagon (A2): rows a (bottom) to i (top), diagonals 1 to 9, as Abalone names them."""
    width = 2 * HEX_SIDE - 1
    stride = width + PADDING
    names = {
        row * stride + col: f"{chr(ord('a') + row)}{col + 1}"
        for row in range(width)
        for col in range(width)
        if abs(row - col) < HEX_SIDE
    }
    return _build("hex", HEX_SIDE, stride, names, _HEX_NEAR, _HEX_FAR)


def _build(
    kind: str,
    size: int,
    stride: int,
    names: dict[int, str],
    near: tuple[tuple[int, int], ...],
    far: tuple[tuple[int, int], ...],
) -> Board:
    cells = sum(1 << bit for bit in names)
    rows: dict[int, list[int]] = {}
    for bit in sorted(names):
        rows.setdefault(bit // stride, []).append(bit)
    near_steps, far_steps = (tuple(row * stride + col for row, col in steps) for steps in (near, far))
    return Board(
        kind=kind,
        size=size,
        stride=stride,
        rows=tuple(tuple(rows[row]) for row in sorted(rows, reverse=True)),
        names=names,
        bits={name: bit for bit, name in names.items()},
        cells=cells,
        near=near_steps,
        far=far_steps,
        near_of={bit: _reached(bit, near_steps) & cells for bit in names},
        far_of={bit: _reached(bit, far_steps) & cells for bit in names},
    )


def _reached(bit: int, steps: tuple[int, ...]) -> int:
    mask = 0
    for step in steps:
        mask |= 1 << bit << step | 1 << bit >> step
    return mask
