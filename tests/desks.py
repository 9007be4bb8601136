"""Desks with a game on them, as many tests of journals, pages and commands begin."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.journal.archive import MemoryArchive, open_archive
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk

CLIMB = tuple("0a =S4 0a 0c =S2 1a =S3 1c =C2 2a =Cn 2c =Aa 3a =Ma 3c =Mn 4a =M4 4c =Ca 5a =C5".split())  # fmt: skip  # noqa: SIM905
"""Moves of K'Dak's Tower, after which every tile that was turned up lies face-down again."""


def at_ten() -> str:
    """A wall clock that stands still: all in one second, so no two games are told apart by it."""
    return "2026-01-01T10:00:00+0000"


def begun(desk: Desk, game: str = "khet", *moves: str, players: tuple[str, ...] = (), **options: Any) -> Desk:
    """A new game in play, after these moves entered by hand."""
    desk.submit(Command("new_game", {"game": game, "options": options}))
    desk.table.record(SetUp())
    for seat, player in enumerate(players):
        desk.submit(Command("join", {"seat": seat, "player": player}))
    for move in moves:
        desk.submit(Command("enter_move", {"move": move}))
    return desk


def in_memory(game: str = "khet", *moves: str, **options: Any) -> tuple[Desk, MemoryArchive]:
    """A desk with a game in play, and its journal, which is on no disk."""
    archive = MemoryArchive()
    return begun(Desk(archive), game, *moves, **options), archive


@contextmanager
def desk_over(journal: Path, **how: Any) -> Iterator[Desk]:
    """A desk over a journal on disk, which is closed in the end."""
    archive = open_archive(journal)
    try:
        yield Desk(archive, **how)
    finally:
        archive.close()
