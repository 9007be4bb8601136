"""The same games played by python-ataxx, which was written by others."""

import random

import pytest

from companion.bench import ataxx_rules
from companion.games import ataxx
from companion.games.ataxx.notation import read_fen

theirs = pytest.importorskip("ataxx", reason="the package ataxx (python-ataxx) is not installed")
STARTS = (
    "x5o/7/7/7/7/7/o5x x",
    "x5o/7/2-1-2/7/2-1-2/7/o5x x",
    "x5o/7/3-3/2-1-2/3-3/7/o5x o",
    "7/7/7/2x1o2/7/7/7 x",
)


@pytest.mark.parametrize("fen", STARTS)
@pytest.mark.parametrize("seed", range(5))
def test_moves_and_positions_agree_through_whole_games(fen: str, seed: int) -> None:
    ours, board, source = read_fen(fen), theirs.Board(fen), random.Random(seed)
    for _ in range(150):
        assert ataxx.write_position(ours).split()[:2] == board.get_fen().split()[:2]
        if ataxx.outcome(ours) is not None:
            assert board.gameover() or not board.legal_moves()
            return
        listed = sorted(ataxx.write_move(ours, move) for move in ataxx.moves(ours))
        assert listed == (sorted(str(move) for move in board.legal_moves()) or ["0000"])
        text = source.choice(listed)
        ours = ataxx.play(ours, ataxx.read_move(ours, text)).position
        board.makemove(theirs.Move.from_san(text))


def test_the_bench_says_how_many_times_faster() -> None:
    said: list[str] = []
    ataxx_rules.report(said.append, rounds=3)
    assert said[0].split()[-1] == "times"
    assert float(said[1].split()[-1]) >= 10
