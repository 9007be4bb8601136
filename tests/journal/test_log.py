"""The journal's file: durable, checked, never deleted, always opened."""

import contextlib
import errno
import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from journal_events import filled, told

from companion.errors import RecordError
from companion.journal import database
from companion.journal.database import FIRST_LINK, link
from companion.journal.log import Log, event_text
from companion.journal.schema import SCHEMA_STEPS, bring_up_to_date


def test_what_was_appended_is_there_after_closing(tmp_path):
    path = filled(tmp_path / "j.sqlite3", 5)
    with Log(path, ballast_bytes=0) as log:
        assert [row.text for row in log.rows()] == [event_text(e) for e in told(5)]
        assert log.last == 5
        assert log.notice is None
        assert log.append(2, told(2)) == 7
        assert log.games() == [1, 2]
        assert log.next_game() == 3
        assert [row.no for row in log.rows(2)] == [6, 7]


def test_folders_that_are_not_there_yet_are_made(tmp_path):
    assert filled(tmp_path / "club" / "table 2" / "j.sqlite3", 1).is_file()


def test_a_sound_journal_goes_before_one_that_was_being_mended(tmp_path):
    path = filled(tmp_path / "j.sqlite3", 5)
    filled(tmp_path / "j.sqlite3.mended", 2)
    with Log(path, ballast_bytes=0) as log:
        assert (log.last, log.notice) == (5, None)
    assert not (tmp_path / "j.sqlite3.mended").exists()


def test_events_of_one_call_are_written_together_or_not_at_all(tmp_path, monkeypatch):
    log = Log(tmp_path / "j.sqlite3", ballast_bytes=0)
    log.append(1, told(3))
    monkeypatch.setattr("companion.journal.log.event_text", lambda event: None if "9" in event.text else "{}")
    with pytest.raises(RecordError):
        log.append(1, told(3, start=7))
    monkeypatch.undo()
    assert log.append(1, told(1)) == 4
    assert len(list(log.rows())) == 4
    log.close()


def test_the_file_promises_durability(tmp_path):
    log = Log(tmp_path / "j.sqlite3", ballast_bytes=0)
    assert log._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert log._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert "STRICT" in log._db.execute("SELECT sql FROM sqlite_master WHERE name = 'events'").fetchone()[0]
    log.close()


def test_the_chain_covers_number_game_text_and_the_row_before():
    rows = {
        link("0", 1, 1, "a"),
        link("0", 2, 1, "a"),
        link("0", 1, 2, "a"),
        link("0", 1, 1, "b"),
        link("1", 1, 1, "a"),
    }
    assert len(rows) == 5
    assert link(FIRST_LINK, 1, 2, "a") == "c9f04ea94f0fa351", "journals that there are would be damaged ones"


@pytest.mark.parametrize("how", ["text", "game", "deleted", "swapped"])
def test_a_changed_row_is_noticed_and_the_good_prefix_kept(tmp_path, how):
    path = filled(tmp_path / "j.sqlite3")
    db = sqlite3.connect(path)
    change = {
        "text": "UPDATE events SET text = replace(text, 'still', 'stoll') WHERE no = 20",
        "game": "UPDATE events SET game = 7 WHERE no = 20",
        "deleted": "DELETE FROM events WHERE no = 20",
        "swapped": "UPDATE events SET text = (SELECT text FROM events WHERE no = 21) WHERE no = 20",
    }
    db.execute(change[how])
    db.commit()
    db.close()
    with Log(path, ballast_bytes=0) as log:
        assert log.last == 19
        assert "corrupt.1" in log.notice
        assert log.append(1, told(1)) == 20
    assert (tmp_path / "j.sqlite3.corrupt.1").exists()
    with Log(path, ballast_bytes=0) as log:
        assert log.notice is None


def flipped(raw, rng):
    data = bytearray(raw)
    at = rng.randrange(len(data))
    data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def survives(tmp_path, raw, damaged, original):
    """Opened without a traceback; what it holds is a prefix of what was written."""
    path = tmp_path / "d.sqlite3"
    for old in tmp_path.glob("d.sqlite3*"):
        old.unlink()
    path.write_bytes(damaged)
    try:
        with Log(path, ballast_bytes=0) as log:
            rows = [row.text for row in log.rows()]
            noticed = log.notice is not None
            log.append(9, told(1))
    except RecordError as error:
        assert "newer version" in str(error)
        return True
    assert rows == original[: len(rows)]
    assert noticed or len(rows) == len(original)
    return noticed


def damage(tmp_path, rounds, seed):
    path = filled(tmp_path / "j.sqlite3", 60)
    original = [event_text(e) for e in told(60)]
    raw, rng = path.read_bytes(), random.Random(seed)
    for _ in range(rounds):
        survives(tmp_path, raw, flipped(raw, rng), original)
    return raw, rng, original


def test_flipped_bits_never_change_an_event_unnoticed(tmp_path):
    damage(tmp_path, 120, 1)


def test_a_table_whose_name_is_no_text_is_damage_like_any_other(tmp_path):
    path = filled(tmp_path / "j.sqlite3", 5)
    raw, original = path.read_bytes(), [event_text(e) for e in told(5)]
    schema = raw.index(b"CREATE TABLE")
    for at in range(schema - 20, schema + 60):
        damaged = bytearray(raw)
        damaged[at] ^= 0x80
        survives(tmp_path, raw, bytes(damaged), original)


@pytest.mark.long
def test_thousands_of_flipped_bits(tmp_path):
    damage(tmp_path, 6000, 2)


def test_overwritten_pages_are_always_survived(tmp_path):
    raw, rng, original = damage(tmp_path, 0, 3)
    for _ in range(40):
        page = rng.randrange(len(raw) // 4096) * 4096
        damaged = raw[:page] + rng.randbytes(4096) + raw[page + 4096 :]
        survives(tmp_path, raw, damaged, original)


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95, 0.9999])
def test_of_a_file_that_was_cut_short_the_events_before_the_cut_are_kept(tmp_path, part):
    path = filled(tmp_path / "j.sqlite3", 400)
    original = [event_text(e) for e in told(400)]
    raw = path.read_bytes()
    path.write_bytes(raw[: int(part * len(raw))])
    rows, fault = database.read_only(path)
    assert fault
    with Log(path, ballast_bytes=0) as log:
        assert [row.text for row in log.rows()] == original[: log.last] == [text for _, _, text, _ in rows]
        assert log.last > 400 * part / 2  # of each row there is an entry of the index, too
        assert f"{log.last} events before the damage were kept" in log.notice
        assert log.append(2, told(1)) == log.last


@pytest.mark.parametrize("damaged", [slice(0, 100), slice(0, 4096), slice(16, 18), slice(100, 110)])
@pytest.mark.parametrize("with_wal", [False, True])
def test_behind_a_damaged_first_page_everything_is_kept(tmp_path, damaged, with_wal):
    log = Log(tmp_path / "j.sqlite3", ballast_bytes=0)
    for event in told(400):
        log.append(1, [event])
    if not with_wal:
        log.close()
    path = tmp_path / "d.sqlite3"
    for old in tmp_path.glob("j.sqlite3*"):
        shutil.copyfile(old, tmp_path / old.name.replace("j.", "d."))
    log.close()
    raw = bytearray(path.read_bytes())
    raw[damaged] = random.Random(1).randbytes(damaged.stop - damaged.start)
    path.write_bytes(raw)
    with Log(path, ballast_bytes=0) as again:
        assert [row.text for row in again.rows()] == [event_text(e) for e in told(400)]
        assert again.append(2, told(1)) == 401


@pytest.mark.parametrize("junk", [b"", b"no database at all", b"SQLite format 3\x00" + b"\xff" * 4080, None])
def test_a_file_that_is_no_database_is_moved_aside(tmp_path, junk):
    path = filled(tmp_path / "j.sqlite3")
    path.write_bytes(path.read_bytes()[:5000] if junk is None else junk)
    with Log(path, ballast_bytes=0) as log:
        assert log.append(1, told(1)) == log.last
        assert bool(log.notice) == bool(junk is None or junk)


def test_what_is_no_file_is_left_where_it_is(tmp_path):
    path = tmp_path / "journal.sqlite3"
    path.symlink_to("/dev/null")
    with pytest.raises(RecordError, match="this is no file"):
        Log(path)
    assert os.listdir(tmp_path) == [path.name]
    assert path.is_char_device()


def test_several_damaged_files_are_all_kept(tmp_path):
    path = tmp_path / "j.sqlite3"
    for _ in range(3):
        path.write_bytes(b"junk" * 2000)
        Log(path, ballast_bytes=0).close()
    assert len(list(tmp_path.glob("*.corrupt.*"))) == 3


@pytest.mark.parametrize("steps", range(1, len(SCHEMA_STEPS)))
def test_files_of_every_older_schema_are_opened_and_go_on(tmp_path, steps):
    path = tmp_path / "j.sqlite3"
    db, chain = sqlite3.connect(path, isolation_level=None), "0" * 16
    bring_up_to_date(db, SCHEMA_STEPS[:steps])
    for no, event in enumerate(told(3), start=1):
        chain = link(chain, no, 1, event_text(event))
        db.execute("INSERT INTO events VALUES (?, 1, ?, ?)", (no, event_text(event), chain))
    db.close()
    with Log(path, ballast_bytes=0) as log:
        assert log.notice is None
        assert log.append(1, told(1, start=3)) == 4
        assert [row.text for row in log.rows(1)] == [event_text(e) for e in told(4)]
        assert log._db.execute("PRAGMA user_version").fetchone() == (len(SCHEMA_STEPS),)


def test_a_file_of_a_newer_version_is_left_alone(tmp_path):
    path = filled(tmp_path / "j.sqlite3")
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(RecordError, match="newer version"):
        Log(path)
    assert not list(tmp_path.glob("*.corrupt.*"))


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "photos.db"
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE albums (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(RecordError, match="of another program, with a table 'albums'"):
        Log(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot be opened"):
        Log(tmp_path / "file" / "j.sqlite3")


def test_a_full_disk_is_survived_and_play_resumes(tmp_path):
    """A limit on the file's pages stands for the disk: SQLite reports it in the same words."""
    log = Log(tmp_path / "j.sqlite3", ballast_bytes=4096)
    log._db.execute("PRAGMA max_page_count = 8")
    written = 0
    while not log.low_on_space():
        with contextlib.suppress(RecordError):
            written = log.append(1, told(10, start=written))
    with pytest.raises(RecordError, match="full"):
        log.append(1, told(100))
    assert log.low_on_space()
    assert len(list(log.rows())) == written
    log._db.execute("PRAGMA max_page_count = 1000")
    assert log.append(1, told(1)) == written + 1
    log.keep_ballast()
    assert not log.low_on_space()
    log.close()
    with Log(tmp_path / "j.sqlite3", ballast_bytes=0) as again:
        assert again.notice is None
        assert again.last == written + 1


def test_a_disk_that_turns_read_only_pauses_the_game_and_play_resumes(tmp_path, monkeypatch):
    log = Log(tmp_path / "j.sqlite3", ballast_bytes=4096)
    log.append(1, told(3))

    def read_only(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    log._db.execute("PRAGMA query_only = ON")
    with monkeypatch.context() as disk:
        disk.setattr(Path, "unlink", read_only)
        with pytest.raises(RecordError, match=r"readonly.*see whether it can still be written"):
            log.append(1, told(1, start=3))
    assert not log.low_on_space()
    log._db.execute("PRAGMA query_only = OFF")
    assert log.append(1, told(1, start=3)) == 4
    log.close()


@pytest.mark.parametrize("name", ["/", "a\0b"])
def test_what_can_be_no_files_name_is_said_in_words(name):
    with pytest.raises(RecordError, match="cannot be opened"):
        Log(Path(name))


def test_readers_of_a_file_that_is_damaged_while_it_is_open_are_told(tmp_path):
    path = tmp_path / "j.sqlite3"
    log = Log(path, ballast_bytes=0)
    log.append(1, told(200))
    with contextlib.closing(sqlite3.connect(path)) as other:  # whoever writes empties the log's own memory of the file
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(random.Random(3).randbytes(path.stat().st_size))
    for read in (log.games, log.next_game, log.rows):
        with pytest.raises(RecordError, match="cannot be read"):
            read()
    log.close()


def damaged_at_its_end(path):
    """A journal of two games whose last event is damaged."""
    with Log(path, ballast_bytes=0) as log:
        log.append(1, told(30))
        log.append(2, told(31, start=30))
        log._db.execute("UPDATE events SET text = 'x' WHERE no = 61")
    return path


class Killed(BaseException):
    """The program is gone."""


@pytest.mark.parametrize("at", [1, 2, 3])
def test_killed_while_mending_nothing_is_lost_and_the_next_start_says_so(tmp_path, monkeypatch, at):
    path, left = damaged_at_its_end(tmp_path / "j.sqlite3"), [at]

    def dies(move):
        def counted(*names, **more):
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return move(*names, **more)

        return counted

    with monkeypatch.context() as patched:
        for name in ("replace", "rename"):
            patched.setattr(os, name, dies(getattr(os, name)))
        with pytest.raises(Killed):
            Log(path, ballast_bytes=0)
    with Log(path, ballast_bytes=0) as log:
        assert log.last == 60
        assert log.games() == [1, 2]
        assert "moved to j.sqlite3.corrupt.1" in log.notice
    assert sorted(os.listdir(tmp_path)) == ["j.sqlite3", "j.sqlite3.corrupt.1"]
    with Log(path, ballast_bytes=0) as log:
        assert (log.last, log.notice) == (60, None)


def test_damage_on_a_full_disk_is_left_as_it_is_and_mended_later(tmp_path, monkeypatch):
    path = damaged_at_its_end(tmp_path / "j.sqlite3")
    before = path.read_bytes()

    def full(new, alive=None):
        if new != path:
            raise sqlite3.OperationalError("database or disk is full")
        return connect(new, alive)

    connect = database.connect
    with monkeypatch.context() as disk:
        disk.setattr(database, "connect", full)
        with pytest.raises(RecordError, match="full"):
            Log(path, ballast_bytes=0)
    assert os.listdir(tmp_path) == ["j.sqlite3"]
    assert path.read_bytes() == before
    with Log(path, ballast_bytes=0) as log:
        assert log.last == 60


@pytest.mark.parametrize("text", ["text", "text || 'x'"])
def test_while_a_long_journal_is_checked_and_mended_there_are_signs_of_life(tmp_path, monkeypatch, text):
    path, signs = filled(tmp_path / "j.sqlite3"), []
    db = sqlite3.connect(path)
    db.execute(f"UPDATE events SET text = {text} WHERE no = 40")
    db.commit()
    db.close()
    monkeypatch.setattr(database, "ALIVE_STEPS", 50)
    with Log(path, ballast_bytes=0, alive=lambda: signs.append(True)) as log:
        assert len(signs) > 5
        heard = len(signs)
        log.append(1, told(20))
    assert len(signs) == heard
