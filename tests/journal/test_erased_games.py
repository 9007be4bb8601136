"""A game leaves the journal while it is in use: all of it, nothing else, and on a full disk nothing at all."""

import contextlib
import errno
import sqlite3
import threading

import pytest
from journal_events import khet_events, told

from companion.errors import RecordError
from companion.events import Told
from companion.journal import log
from companion.journal.archive import MemoryArchive, open_archive, read_archive
from companion.journal.database import read_only, written_beside
from companion.journal.log import Log
from companion.journal.rewrite import drafted, rewrite


@pytest.fixture
def archive(tmp_path):
    kept = open_archive(tmp_path / "j.sqlite3")
    for game, name in ((1, "Ada"), (2, "Grace"), (3, "Ann")):
        kept.append(game, [Told(f"{name} begins"), *told(3)])
    yield kept
    kept.close()


def test_nothing_is_left_of_it_and_the_others_are_as_before(archive, tmp_path):
    before = {game: archive.events(game) for game in (1, 3)}
    archive.erase(2)
    assert archive.games() == [1, 3]
    assert {game: archive.events(game) for game in (1, 3)} == before
    assert archive.last_number() == 8
    assert archive.append(3, told(1)) == 9
    assert archive.next_game() == 4
    for file in tmp_path.iterdir():
        assert b"Grace begins" not in file.read_bytes(), file
    archive.close()
    rows, fault = read_only(tmp_path / "j.sqlite3")
    assert (len(rows), fault) == (9, None)


def test_what_is_appended_while_the_journal_is_written_anew_is_kept(archive, tmp_path, monkeypatch):
    def meanwhile(path, change):
        draft = drafted(path, change)
        writer = threading.Thread(target=lambda: [archive.append(3, told(2)), archive.append(2, told(1))])
        writer.start()
        writer.join(10.0)
        assert not writer.is_alive(), "nobody waits for the draft"
        return draft

    before = archive.events(3)
    monkeypatch.setattr(log, "drafted", meanwhile)
    archive.erase(2)
    assert archive.games() == [1, 3]
    assert archive.events(3) == [*before, *told(2)]
    assert archive.append(3, told(1)) == archive.last_number() == 11
    archive.close()
    rows, fault = read_only(tmp_path / "j.sqlite3")
    assert (len(rows), fault) == (11, None)
    assert not list(tmp_path.glob("*.new*"))


def test_while_another_program_has_the_journal_open_nothing_goes_and_the_game_goes_on(archive, tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "j.sqlite3")) as other:
        other.execute("SELECT count(*) FROM events").fetchone()
        with pytest.raises(RecordError, match=r"another program has .* open"):
            archive.erase(2)
        assert archive.games() == [1, 2, 3]
        assert not list(tmp_path.glob("*.new*"))
        assert archive.append(3, told(1)) == 13
    archive.erase(2)
    assert archive.games() == [1, 3]


def test_on_a_full_disk_nothing_goes_and_what_follows_is_written(archive, tmp_path, monkeypatch):
    def full(path, rows, alive=None):
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "j.sqlite3.ballast").unlink()
    with monkeypatch.context() as patch:
        patch.setattr("companion.journal.rewrite.written_beside", full)
        with pytest.raises(RecordError, match=r"No space left on device\. Free some space"):
            archive.erase(2)
    assert archive.games() == [1, 2, 3]
    assert archive.append(3, told(1)) == 13
    archive.close()
    with Log(tmp_path / "j.sqlite3", ballast_bytes=0) as kept:
        assert (kept.notice, kept.last) == (None, 13)


def test_on_a_full_disk_the_ballast_makes_room_for_what_makes_room(archive, tmp_path, monkeypatch):
    ballast = tmp_path / "j.sqlite3.ballast"

    def full(path, rows, alive=None):
        if not ballast.exists():
            return written_beside(path, rows, alive)
        raise OSError(errno.ENOSPC, "No space left on device")

    assert ballast.exists()
    monkeypatch.setattr("companion.journal.rewrite.written_beside", full)
    archive.erase(2)
    assert archive.games() == [1, 3]


def test_a_damaged_journal_is_not_written_anew_before_it_is_mended(archive, tmp_path):
    path = tmp_path / "j.sqlite3"
    archive.close()
    with contextlib.closing(sqlite3.connect(path)) as damaged:
        damaged.execute("UPDATE events SET text = replace(text, 'Grace', 'Grete')")
        damaged.commit()
    before = path.read_bytes()
    with pytest.raises(RecordError, match=r"damaged .*: start the companion once"):
        rewrite(path, lambda game, text: None if game == 1 else text)
    assert path.read_bytes() == before


def test_of_a_journal_that_is_only_read_nothing_goes(archive, tmp_path):
    shelf = read_archive(tmp_path / "j.sqlite3")
    number = shelf.next_game()
    shelf.append(number, told(1))
    shelf.erase(number)
    with pytest.raises(RecordError, match="only read"):
        shelf.erase(2)
    assert shelf.games() == [1, 2, 3]


def test_of_games_in_memory_the_one_goes():
    memory = MemoryArchive()
    memory.append(1, khet_events("c5-"))
    memory.append(2, told(1))
    memory.erase(1)
    assert memory.games() == [2]
