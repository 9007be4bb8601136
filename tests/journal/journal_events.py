"""A recorded game of Khet, and plain events to fill a journal with."""

from desks import at_ten, begun

from companion.events import Told
from companion.journal.archive import MemoryArchive
from companion.journal.log import Log
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
    begun(Desk(archive, wall_clock=at_ten), "khet", *moves, layout=layout)
    return archive.events(1)


def journal_of(*games):
    """An archive of such games, each given by its moves."""
    archive = MemoryArchive()
    for number, moves in enumerate(games, 1):
        archive.append(number, khet_events(*moves))
    return archive
