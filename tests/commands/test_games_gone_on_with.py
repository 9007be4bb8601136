"""`companion games --go-on`: a game that was closed before its end is gone on with from the command line."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.journal.archive import open_archive
from companion.journal.log import Log
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Game 1 was closed when game 2 was started, which was given up."""
    path = tmp_path / "journal.sqlite3"
    archive = open_archive(path)
    desk = Desk(archive)
    begin(desk, "h2h3")
    begin(desk)
    desk.submit(Command("resign", {"seat": 0}))
    archive.close()
    return path


def begin(desk: Desk, *moves: str) -> None:
    desk.submit(Command("new_game", {"game": "khet", "options": {"layout": "classic-2.0"}}))
    desk.table.record(SetUp())
    for move in moves:
        desk.submit(Command("enter_move", {"move": move}))


def go_on(journal: Path, number: int, said: str = "") -> Result:
    return CliRunner().invoke(cli.group, ["games", "--journal", str(journal), "--go-on", str(number)], input=said)


def resumed(journal: Path) -> str | None:
    """What the companion goes on with when it starts."""
    archive = open_archive(journal)
    words = Desk(archive).resume()
    archive.close()
    return words


def test_a_closed_game_is_gone_on_with_when_the_companion_starts(journal: Path) -> None:
    done = go_on(journal, 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        "The companion goes on with it as game 3 when it starts.\nPut the pieces as they stood"
    )
    assert resumed(journal) == "Khet, game 3, after 1 ply"
    listed = CliRunner().invoke(cli.group, ["games", "--journal", str(journal)]).stdout.splitlines()
    assert [line.split(": ", 1)[1] for line in listed] == [
        "unfinished",
        "Silver resigns: Red wins",
        "no result: another game was started",
    ]


def test_another_game_that_is_on_is_ended_only_if_that_is_wanted(journal: Path) -> None:
    archive = open_archive(journal)
    begin(Desk(archive), "c5-")
    archive.close()
    asked = "Game 3, Khet, is still going on: it ends without a result. Go on with game 1? [y/N]: "
    for answer in ("n\n", ""):  # nobody is there to answer
        done = go_on(journal, 1, answer)
        assert (done.exit_code, asked in done.stdout) == (1, True)
        assert resumed(journal) == "Khet, game 3, after 1 ply"
    assert go_on(journal, 1, "y\n").exit_code == 0
    assert resumed(journal) == "Khet, game 4, after 1 ply"
    assert go_on(journal, 3, "y\n").exit_code == 0, "and the one that was ended may be gone on with"
    assert resumed(journal) == "Khet, game 5, after 1 ply"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("9",), "there is no game 9; there are 1 to 3"),
        (("2",), "this game is over: start another one"),
        (("3",), "this game is on already, as game 3"),
        (("1", "--json"), "--json belongs to the list"),
        (("one",), "'one' is not a valid integer"),
    ],
)
def test_what_cannot_be_gone_on_with_is_said_before_anything_is_asked(
    words: tuple[str, ...],
    said: str,
    journal: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive = open_archive(journal)
    begin(Desk(archive))
    archive.close()
    before = journal.read_bytes()
    assert said in refused(monkeypatch, capsys, journal, *words)
    assert journal.read_bytes() == before


def test_a_running_companion_and_a_journal_that_is_none_are_said(
    journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Log(journal, ballast_bytes=0):
        assert "the companion is running: stop it first" in refused(monkeypatch, capsys, journal, "1")
    nowhere = journal.parent / "nowhere.sqlite3"
    assert "there is no journal" in refused(monkeypatch, capsys, nowhere, "1")
    assert not nowhere.exists()


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], journal: Path, *words: str) -> str:
    """What the command says on its way out with code 2."""
    monkeypatch.setattr(sys, "argv", ["companion", "games", "--journal", str(journal), "--go-on", *words])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err
