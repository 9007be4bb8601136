"""The current fails at any call to the disk: what the journal acknowledged is there afterwards, and nothing is torn."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest
from power_disk import Connection, Disk, Drive

from companion.errors import RecordError
from companion.events import Told
from companion.journal.database import what_is_wrong
from companion.journal.log import Log, event_text

LIVES = 25  # cuts after which a disk begins anew
CALLS_MOST = 80  # to the disk between two cuts


@dataclass
class Loss:
    """What a campaign of power cuts did."""

    acknowledged: int = 0
    lost: int = 0
    cuts_with_loss: int = 0
    damaged: int = 0


@pytest.fixture
def drive(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drive]:
    drive = Drive()
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    yield drive
    drive.unregister()


@pytest.fixture
def plug_in(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> Callable[[Disk, bool], Log]:
    def open_journal(disk: Disk, weak: bool = False) -> Log:
        drive.disk = disk
        monkeypatch.setattr(sqlite3, "connect", lambda path, **_: Connection(path, weak))
        return Log(disk.folder / "j.sqlite3", ballast_bytes=0)

    return open_journal


def written(number: int) -> Told:
    return Told(f"event {number}: " + "the scarab on e4 stands still " * (number % 7), "Khet 3b.1")


def append_until_it_fails(log: Log) -> None:
    while True:
        log.append(1, [written(log.last + 1 + i) for i in range(1 + log.last % 3)])


def cut_again_and_again(plug_in: Callable[..., Log], cuts: int, weak: bool, seed: int) -> Loss:
    rng, loss, disk, told = random.Random(seed), Loss(), Disk(), 0
    for number in range(cuts):
        if number % LIVES == 0:
            disk, told = Disk(), 0
        disk.fails_at = rng.randint(1, CALLS_MOST)
        log = None
        try:
            log = plug_in(disk, weak)
            found = [row.text for row in log.rows()]
            assert found == [event_text(written(i + 1)) for i in range(len(found))]
            loss.damaged += log.notice is not None
            loss.lost += max(0, told - len(found))
            loss.cuts_with_loss += told > len(found)
            told = len(found)
            append_until_it_fails(log)
        except RecordError:
            if log is not None:
                loss.acknowledged += log.last - told
                told = log.last
        disk = disk.after_the_cut(rng)
    return loss


def test_what_was_acknowledged_survives_every_power_cut(plug_in: Callable[..., Log]) -> None:
    loss = cut_again_and_again(plug_in, 400, False, 1)
    assert loss.acknowledged > 1000
    assert (loss.lost, loss.damaged) == (0, 0)


def test_the_disk_has_teeth(plug_in: Callable[..., Log]) -> None:
    assert cut_again_and_again(plug_in, 100, True, 2).cuts_with_loss > 10  # SQLite's lesser promise would lose events


@pytest.mark.long
def test_ten_thousand_power_cuts(plug_in: Callable[..., Log]) -> None:
    loss = cut_again_and_again(plug_in, 10_000, False, 3)
    print(f"10000 power cuts: {loss}")
    assert loss.acknowledged > 30_000
    assert (loss.lost, loss.damaged) == (0, 0)


@pytest.mark.parametrize("fault", [apsw.IOError, apsw.FullError])
def test_an_error_at_the_nth_call_is_told_and_nothing_is_lost(plug_in: Callable[..., Log], fault: type) -> None:
    refused = 0
    for number in range(1, 60):
        disk = Disk()
        log = plug_in(disk)
        log.append(1, [written(1)])
        disk.fault, disk.lasting, disk.fails_at = fault, False, disk.calls + number
        while disk.calls < disk.fails_at:
            before = log.last
            try:
                log.append(1, [written(log.last + 1)])
            except RecordError as error:
                assert "Free some space" in str(error)
                refused += 1
                assert log.last == before
        log.append(1, [written(log.last + 1)])  # the fault is gone: it works again
        assert [row.text for row in log.rows()] == [event_text(written(i + 1)) for i in range(log.last)]
        assert what_is_wrong(log._db) is None
        log.close()
        again = plug_in(disk.after_the_cut(random.Random(number)))
        assert (again.last, again.notice) == (log.last, None)
        again.close()
    assert refused > 20
