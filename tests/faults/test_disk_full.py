"""A disk that is really full: the page stays, nothing is half written, and play goes on once there is room."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.app import open_journal
from companion.events import Told
from companion.exports import EXPORTS
from companion.journal.archive import Archive
from companion.journal.database import what_is_wrong
from companion.journal.log import Log
from companion.referee.commands import Command
from companion.referee.happenings import Joined, SetUp
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app, pin
from companion.web.parts import parts

PIN = "2580"
HEADERS = {"X-Companion": "1", "Content-Type": "application/json"}
SIZE_MB = 3
BALLAST = 2**18  # small, so that it is soon used up


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "tmpfs", str(folder)], capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"no file system may be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes every byte there is."""
    filler = folder / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (2**16, 2**12, 2**8, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return filler


def test_what_is_appended_is_whole_or_refused_and_works_again_when_there_is_room(disk: Path) -> None:
    log = Log(disk / "journal.sqlite3", ballast_bytes=0)
    filler, written, refused = fill(disk), 0, 0
    for number in range(400):
        try:
            log.append(1, [Told(f"{number} " + "x" * 2000, "")] * 3)
            written += 3
        except OSError as error:
            assert "Free some space" in str(error)
            refused += 1
    assert refused
    assert len(list(log.rows())) == written
    filler.unlink()
    log.append(1, [Told("there is room", "")])
    assert what_is_wrong(log._db) is None
    assert len(list(log.rows())) == written + 1
    log.close()
    with Log(disk / "journal.sqlite3", ballast_bytes=0) as again:
        assert again.notice is None
        assert again.last == written + 1


def played(disk: Path) -> Path:
    """A journal of one game, closed politely."""
    path = disk / "journal.sqlite3"
    archive = Archive(Log(path, ballast_bytes=BALLAST))
    Desk(archive).submit(Command("new_game", {"game": "khet", "options": {}}))
    archive.close()
    return path


def test_a_start_on_a_full_disk_goes_on_with_the_game_and_records_it(disk: Path) -> None:
    path = played(disk)
    filler = fill(disk)
    archive = Archive(Log(path, ballast_bytes=BALLAST))
    desk = Desk(archive)
    assert desk.resume() == "Khet, game 1, after 0 plies"
    desk.submit(Command("join", {"seat": 0, "player": "Anna"}))
    assert any("disk is nearly full" in notice for notice in archive.notices())
    archive.close()
    filler.unlink()
    archive = Archive(Log(path, ballast_bytes=BALLAST))
    assert any(isinstance(event, Joined) for event in archive.events(1))
    archive.close()


def cut_off(disk: Path) -> Path:
    """The same as a program leaves it that was cut off: all of it in the WAL."""
    elsewhere = disk.parent / "elsewhere.sqlite3"
    with Log(elsewhere, ballast_bytes=0) as log:
        Desk(Archive(log)).submit(Command("new_game", {"game": "khet", "options": {}}))
        for suffix in ("", "-wal"):
            shutil.copy(f"{elsewhere}{suffix}", disk / f"journal.sqlite3{suffix}")
    return disk / "journal.sqlite3"


@pytest.mark.parametrize("left", [played, cut_off])
@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_what_cannot_be_written_at_the_start_is_read(disk: Path, left: Callable[[Path], Path], trouble: str) -> None:
    path = left(disk)
    if trouble == "full":
        path.with_name(f"{path.name}.ballast").unlink(missing_ok=True)
        fill(disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    archive, told = open_journal(path)
    desk = Desk(archive)
    assert told is not None
    assert "This game is not recorded" in told
    assert desk.resume() == "Khet, game 1, after 0 plies"
    assert [line["id"] for line in desk.games()] == [1]
    desk.submit(Command("new_game", {"game": "ataxx", "options": {}}))
    assert [line["game"] for line in desk.games()] == ["ataxx", "khet"]


def test_a_damaged_journal_on_a_full_disk_is_shown_and_mended_once_there_is_room(disk: Path) -> None:
    path = played(disk)
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO events VALUES (99, 1, '{}', 'x')")
    db.close()
    path.with_name(f"{path.name}.ballast").unlink()
    filler = fill(disk)
    archive, told = open_journal(path)
    assert told is not None
    assert archive.games() == [1]
    assert any("damaged" in notice for notice in archive.notices())
    filler.unlink()
    archive, told = open_journal(path)
    assert (archive.games(), told) == ([1], None)
    assert any("moved to" in notice for notice in archive.notices())


@pytest.fixture
def archive(disk: Path) -> Iterator[Archive]:
    archive = Archive(Log(disk / "journal.sqlite3", ballast_bytes=BALLAST))
    yield archive
    archive.close()


@pytest.fixture
def desk(archive: Archive) -> Desk:
    return Desk(archive, exports=EXPORTS)


@pytest.fixture
def host(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setitem(pin.SCRYPT, "n", 2)
    app = build_app(desk, desk, WebSettings(tmp_path / "state", changes_per_s=10_000))
    parts(app).pins.set(PIN)
    client = app.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=HEADERS).status_code == 200
    return client


def ask(host: FlaskClient, name: str, **arguments: Any) -> Any:
    return host.post(f"/api/commands/{name}", json={"arguments": arguments}, headers=HEADERS)


def test_the_page_says_so_and_play_goes_on_once_there_is_room(
    disk: Path, archive: Archive, desk: Desk, host: FlaskClient
) -> None:
    assert ask(host, "new_game", game="khet", options={"layout": "imhotep-2.0"}).status_code == 200
    desk.table.record(SetUp())
    filler = fill(disk)
    confirmed, answer = 0, None
    for move in moves_of(desk):
        answer = ask(host, "enter_move", move=move)
        if answer.status_code != 200:
            break
        confirmed += 1
    assert answer.status_code == 507
    assert "Free some space" in answer.json["text"]
    assert confirmed > 5  # the ballast made room for them
    state = host.get("/api/state").json
    assert len(state["record"]) == confirmed
    assert any("disk is nearly full" in notice for notice in state["notices"])
    assert host.get("/game").status_code == 200
    desk.tick()
    filler.unlink()
    assert ask(host, "enter_move", move=move).status_code == 200
    assert len(host.get("/api/state").json["record"]) == confirmed + 1
    assert not host.get("/api/state").json.get("notices")
    recorded = Desk(archive).recorded(1)
    assert recorded.record[-1].number == confirmed + 1


def moves_of(desk: Desk) -> Iterator[str]:
    """Actions that hit nobody, for ever."""
    while True:
        game, position = desk.table.state.module, desk.table.state.position
        yield game.write_move(position, next(m for m in game.moves(position) if harmless(game, position, m)))


def harmless(game: Any, position: Any, move: Any) -> bool:
    after = game.play(position, move).position
    return game.outcome(after) is None and len(game.layout(after).pieces) == len(game.layout(position).pieces)
