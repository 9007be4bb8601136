"""Squares as numbers on a padded board: 12 wide, 10 high, so that a step off the board lands on the rim."""

from companion.errors import UnreadableText

FILES, RANKS = 10, 8
WIDTH = FILES + 2
SIZE = WIDTH * (RANKS + 2)

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("N", "E", "S", "W")
STEP = (WIDTH, 1, -WIDTH, -1)  # by direction


def number(name: str) -> int:
    """The number of a square by its name, "a1" to "j8"; UnreadableText otherwise."""
    if len(name) == 2 and name[0] in "abcdefghij" and name[1] in "12345678":
        return int(name[1]) * WIDTH + ord(name[0]) - ord("a") + 1
    raise UnreadableText(f"{name!r} is no square; squares are a1 to j8")


def file_rank(square: int) -> tuple[int, int]:
    """File and rank counted from 0; the rim gives -1, 8 or 10."""
    return square % WIDTH - 1, square // WIDTH - 1


ON_BOARD = tuple(rank * WIDTH + file for rank in range(1, RANKS + 1) for file in range(1, FILES + 1))
NAME = {square: f"{chr(96 + square % WIDTH)}{square // WIDTH}" for square in ON_BOARD}
NUMBER = {name: square for square, name in NAME.items()}


def neighbours(square: int) -> tuple[int, ...]:
    """The up to eight squares of the board that touch this one."""
    around = (square + WIDTH * up + right for up in (1, 0, -1) for right in (-1, 0, 1) if up or right)
    return tuple(s for s in around if s in NAME)


def distance(one: int, other: int) -> int:
    """How many king's steps lie between two squares."""
    (f1, r1), (f2, r2) = file_rank(one), file_rank(other)
    return max(abs(f1 - f2), abs(r1 - r2))


RED_ONLY = frozenset(
    number(name) for name in ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "i1", "i8")
)  # Eye of Horus sign
SILVER_ONLY = frozenset(
    number(name) for name in ("j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8")
)  # Ankh sign
RESERVED_AGAINST = (RED_ONLY, SILVER_ONLY)  # by seat: where silver, where red may not stand
SIGNS = {NAME[s]: "eye" for s in sorted(RED_ONLY)} | {NAME[s]: "ankh" for s in sorted(SILVER_ONLY)}
LASER_SQUARE = (number("j1"), number("a8"))  # where the 2.0 sphinxes stand, by seat
RIM_LASER = (LASER_SQUARE[0] - WIDTH, LASER_SQUARE[1] + WIDTH)  # where the 1.0 lasers sit, by seat
RIM_HEADING = (NORTH, SOUTH)
