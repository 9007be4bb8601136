"""`companion games --go-on`: a game that was closed before its end is gone on with from the command line."""

from pathlib import Path

import pytest
from click.testing import Result
from command_line import run, shown
from desks import begun, desk_over

from companion.journal.log import Log
from companion.referee.commands import Command


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Game 1 was closed when game 2 was started, which was given up."""
    path = tmp_path / "journal.sqlite3"
    with desk_over(path) as desk:
        begun(desk, "khet", "h2h3")
        begun(desk).submit(Command("resign", {"seat": 0}))
    return path


def go_on(journal: Path, number: int, said: str = "") -> Result:
    return run("games", "--journal", journal, "--go-on", number, said=said)


def resumed(journal: Path) -> str | None:
    """What the companion goes on with when it starts."""
    with desk_over(journal) as desk:
        return desk.resume()


def test_a_closed_game_is_gone_on_with_when_the_companion_starts(journal: Path) -> None:
    done = go_on(journal, 1)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(
        "The companion goes on with it as game 3 when it starts.\nPut the pieces as they stood"
    )
    assert resumed(journal) == "Khet, game 3, after 1 ply"
    listed = shown("games", "--journal", journal).splitlines()
    assert [line.split(": ", 1)[1] for line in listed] == [
        "unfinished",
        "Silver resigns: Red wins",
        "no result: another game was started",
    ]


def test_another_game_that_is_on_is_ended_only_if_that_is_wanted(journal: Path) -> None:
    with desk_over(journal) as desk:
        begun(desk, "khet", "c5-")
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
    words: tuple[str, ...], said: str, journal: Path, refused
) -> None:
    with desk_over(journal) as desk:
        begun(desk)
    before = journal.read_bytes()
    assert said in refused("games", "--journal", journal, "--go-on", *words)
    assert journal.read_bytes() == before


def test_a_running_companion_and_a_journal_that_is_none_are_said(journal: Path, refused) -> None:
    with Log(journal, ballast_bytes=0):
        assert "the companion is running: stop it first" in refused("games", "--journal", journal, "--go-on", 1)
    nowhere = journal.parent / "nowhere.sqlite3"
    assert "there is no journal" in refused("games", "--journal", nowhere, "--go-on", 1)
    assert not nowhere.exists()
