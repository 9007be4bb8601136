"""Two phones press at once: exactly one is heard, the other is told that the table has changed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.errors import CommandRefused
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk


def races(count: int) -> None:
    desk, start = Desk(MemoryArchive()), threading.Barrier(2, timeout=20)

    def press(move: str, seen: int) -> str:
        start.wait()
        try:
            desk.submit(Command("enter_move", {"move": move}, "host", seen))
        except CommandRefused as refused:
            return refused.name
        return "done"

    with ThreadPoolExecutor(2) as phones:
        for number in range(count):
            state = desk.table.state
            if state.phase != "play" or len(state.plies) > 20:
                desk.submit(Command("new_game", {"game": "khet"}))
                desk.table.record(SetUp())
            game, position, seen = desk.table.state.module, desk.table.state.position, desk.table.number
            moves = [game.write_move(position, move) for move in list(game.moves(position))[:2]]
            answers = list(phones.map(press, moves, [seen, seen]))
            assert sorted(answers) == ["done", "out-of-date"], number


def test_of_two_phones_one_wins() -> None:
    races(60)


@pytest.mark.long
def test_of_two_phones_one_wins_ten_thousand_times() -> None:
    races(10_000)
