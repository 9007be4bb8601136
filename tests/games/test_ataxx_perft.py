"""Leaf counts that other programs published, and counts of two independent programs."""

import pytest

from companion.games import ataxx, hexxagon
from companion.games.ataxx.notation import read_fen

PUBLISHED = [
    ("x5o/7/7/7/7/7/o5x x 0 1", (16, 256, 6460, 155888)),
    ("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", (14, 196, 4184, 86528)),
    ("x5o/7/2-1-2/3-3/2-1-2/7/o5x x 0 1", (14, 196, 4100, 83104)),
    ("x5o/7/3-3/2-1-2/3-3/7/o5x x 0 1", (16, 256, 5948, 133264)),
    ("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1", (1, 75, 249, 14270, 452980)),
    ("7/7/7/7/ooooooo/ooooooo/xxxxxxx o 0 1", (75, 249, 14270, 452980)),
    ("7/7/7/2x1o2/7/7/7 x 0 1", (23, 419, 7887, 168317)),
    ("7/7/7/7/-------/-------/x5o x 0 1", (2, 4, 13, 30, 73, 174)),
    ("7/7/7/7/7/7/7 x 0 1", (0, 0, 0)),
    ("x5o/7/7/7/7/7/o5x x 100 1 without_drop=draw", (0, 0, 0)),
    ("x3o/5/5/5/o3x x 0 1", (16, 244, 4592)),
    ("x6o/8/8/8/8/8/8/o6x x 0 1", (16, 256, 6496)),
    ("x3o/6/7/8/o7x/8/7/6/x3o x 0 1", (24, 570, 16824)),
]
DEEP = [
    ("x5o/7/7/7/7/7/o5x x 0 1", 4752668),
    ("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", 2266352),
    ("x5o/7/2-1-2/3-3/2-1-2/7/o5x x 0 1", 2114588),
    ("x5o/7/3-3/2-1-2/3-3/7/o5x x 0 1", 3639856),
    ("7/7/7/2x1o2/7/7/7 x 0 1", 4266992),
]


@pytest.mark.parametrize(("fen", "counts"), PUBLISHED)
def test_A5_A6_AA3_leaves_equal_the_published_numbers(fen: str, counts: tuple[int, ...]) -> None:
    position = read_fen(fen)
    assert tuple(ataxx.perft(position, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("fen", "leaves"), DEEP)
def test_depth_five_equals_the_published_numbers(fen: str, leaves: int) -> None:
    assert ataxx.perft(read_fen(fen), 5) == leaves


@pytest.mark.parametrize("fen", [fen for fen, _ in PUBLISHED])
def test_counting_in_bulk_equals_playing_every_move(fen: str) -> None:
    position = read_fen(fen)

    def walk(at: ataxx.Position, depth: int) -> int:
        moves = ataxx.moves(at)
        return len(moves) if depth == 1 else sum(walk(ataxx.play(at, move).position, depth - 1) for move in moves)

    assert [walk(position, depth) for depth in (1, 2)] == [ataxx.perft(position, depth) for depth in (1, 2)]


def test_depth_zero_is_the_position_itself() -> None:
    assert ataxx.perft(ataxx.start({}), 0) == hexxagon.perft(hexxagon.start({}), 0) == 1
