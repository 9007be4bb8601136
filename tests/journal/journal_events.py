"""A recorded game of Khet, and plain events to fill a journal with."""

from companion.events import Told
from companion.journal.archive import MemoryArchive
from companion.journal.log import Log
from companion.referee.commands import Command
from companion.referee.readmodel import Desk


def told(count, start=0):
    return [Told(f"event {i}: the scarab on e4 stands still", "Khet 3b.1") for i in range(start, start + count)]


def filled(path, count=40):
    """A journal of that many events, at this path."""
    with Log(path, ballast_bytes=0) as log:
        for event in told(count):
            log.append(1, [event])
    return path


def khet_events(*moves, layout="classic-2.0"):
    """The events of a game whose moves were entered by hand."""
    archive = MemoryArchive()
    desk = Desk(archive, wall_clock=lambda: "2026-01-01T10:00:00+0000")
    desk.submit(Command("new_game", {"game": "khet", "options": {"layout": layout}}))
    from companion.referee.happenings import SetUp

    desk.table.record(SetUp())
    for move in moves:
        desk.submit(Command("enter_move", {"move": move}))
    return archive.events(1)
