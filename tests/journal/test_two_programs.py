"""Two programs at one journal: nothing is mixed or lost, and who has to wait is told so."""

import contextlib
import sqlite3
import threading

import pytest
from journal_events import filled, told

from companion.errors import RecordError
from companion.journal import database
from companion.journal.database import connect, what_is_wrong
from companion.journal.log import Log


def test_two_may_make_a_journal_at_the_same_time(tmp_path):
    for number in range(12):
        path, gate, failed = tmp_path / str(number), threading.Barrier(2), []

        def write(path=path, gate=gate, failed=failed):
            gate.wait()
            try:
                with Log(path, ballast_bytes=0) as log:
                    log.append(1, told(3))
            except RecordError as error:  # the other one was quicker: nothing is lost by that
                failed.append(str(error))

        writers = [threading.Thread(target=write) for _ in range(2)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        with Log(path, ballast_bytes=0) as log:
            assert log.last == 3 * (2 - len(failed)), failed
        assert not list(tmp_path.glob("*.corrupt.*"))


def test_what_somebody_writes_while_a_journal_is_checked_is_no_damage(tmp_path):
    path = filled(tmp_path / "j.sqlite3", 5)
    with Log(path, ballast_bytes=0) as other, contextlib.closing(connect(path)) as db:
        written = []

        def write(statement):
            if statement.startswith("SELECT no, game") and not written:
                written.append(other.append(1, told(1, start=5)))

        db.set_trace_callback(write)
        assert what_is_wrong(db) is None
        assert written == [6]
        assert not db.in_transaction


def test_two_writers_never_mix_their_events(tmp_path):
    path = tmp_path / "j.sqlite3"
    with Log(path) as one, Log(path) as other:
        one.append(1, told(2))
        with pytest.raises(RecordError, match="another companion writes into"):
            other.append(1, told(2))
        assert one.append(1, told(1)) == 3
        assert (tmp_path / "j.sqlite3.ballast").exists()
    with Log(path, ballast_bytes=0) as log:
        assert log.notice is None
        assert len(list(log.rows())) == 3


def test_while_another_program_holds_the_journal_that_is_said_and_nothing_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT_S", 0.1)
    path = filled(tmp_path / "j.sqlite3", 2)
    with Log(path, ballast_bytes=1000) as log, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError, match="another program holds it") as caught:
            log.append(1, told(1))
        assert "Free some space" not in str(caught.value)
        assert not log.low_on_space(), "what is kept for a full disk helps here nothing"
        other.execute("ROLLBACK")
        assert log.append(1, told(1)) == 3
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RecordError, match="cannot be opened: another program holds it"):
            Log(path)
    with Log(path, ballast_bytes=0) as log:
        assert log.notice is None
        assert log.last == 3
