"""Games of Ataxx, played on from a position."""

import pytest

from companion.errors import IllegalMove
from companion.games import ataxx
from companion.games.ataxx.notation import read_fen
from companion.games.base import Turn


def played(fen: str, *texts: str) -> Turn:
    """The last turn after these moves."""
    position = read_fen(fen)
    turn = Turn(position)
    for text in texts:
        turn = ataxx.play(turn.position, ataxx.read_move(turn.position, text))
    return turn


def after(fen: str, *texts: str) -> str:
    return ataxx.write_position(played(fen, *texts).position)


def refused(fen: str, text: str) -> IllegalMove:
    """The refusal of a move; the position stays what it was."""
    position = read_fen(fen)
    with pytest.raises(IllegalMove) as caught:
        ataxx.play(position, ataxx.read_move(position, text))
    assert ataxx.write_position(position) == fen
    assert caught.value.text
    assert caught.value.remedy
    return caught.value
