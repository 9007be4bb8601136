"""`companion erase`: what it lists is what goes, all of it, and nothing else."""

import shutil
import unicodedata
from pathlib import Path

import pytest
from click.testing import Result
from command_line import run
from desks import at_ten, begun, desk_over

from companion.config import Config
from companion.errors import CompanionError
from companion.journal.archive import open_archive
from companion.journal.log import Log
from companion.journal.rewrite import SOMEBODY, rewrite, without_game
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.referee.record import finished
from companion.web import WebSettings, build_app
from companion.web.parts import parts

ADA, BEA = "Ada Lovelace", "Zoë"
MOVES = ("c5-", "h8+", "c1d2")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that a companion stores, made by its own parts where that is quick."""
    folder = tmp_path / "state"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    with desk_over(folder / Config().journal.path, wall_clock=at_ten) as desk:
        for _ in range(2):
            play(desk)
        web = parts(build_app(desk, desk, WebSettings(folder)))
        web.pins.set("2580")
        web.sessions.give(web.sessions.new_token(), host=True)
    for name in ("corrected/khet/000001.jpg", "corrected/khet/000001.json", "taught/khet/khet.npz"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"a picture")
    (folder / "calibration").mkdir()
    (folder / "calibration/lens.json").write_text("{}")
    shutil.copy(folder / Config().journal.path, folder / "journal.sqlite3.corrupt.1")
    (folder / "starts.json").write_text("[]")
    return folder


def play(desk: Desk) -> None:
    begun(desk, "khet", *MOVES, players=(ADA, BEA))
    desk.submit(Command("offer_draw", {"seat": 0}, "seat 0"))  # sentences with names
    desk.submit(Command("resign", {"seat": 1}, "seat 1"))


def erase(*words: str, answer: str = "") -> Result:
    return run("erase", *words, said=answer)


def names_left(state: Path, name: str) -> list[str]:
    return [str(p.relative_to(state)) for p in state.rglob("*") if p.is_file() and name.encode() in p.read_bytes()]


def everything(state: Path) -> dict[str, bytes]:
    return {str(path.relative_to(state)): path.read_bytes() for path in sorted(state.rglob("*")) if path.is_file()}


def test_what_was_left_of_mending_a_journal_goes_with_the_games(state: Path) -> None:
    for name in ("mended", "new"):
        shutil.copy(state / Config().journal.path, state / f"journal.sqlite3.{name}")
    assert erase("games", "--yes").exit_code == 0
    assert not list(state.glob("journal.sqlite3*"))


@pytest.mark.parametrize(("words", "answer"), [(("--list",), ""), ((), "n\n"), ((), "")])
def test_what_would_go_is_listed_and_stays_until_somebody_says_yes(
    state: Path, words: tuple[str, ...], answer: str
) -> None:
    before = everything(state)
    done = erase(*words, answer=answer)
    for path in before:
        top = state / path.split("/")[0]
        listed = str(top if path.startswith(("corrected", "taught")) else state / path)
        assert (listed in done.output) == (path != "starts.json"), path
    assert "Erased" not in done.output
    assert everything(state) == before


def test_everything_is_erased_but_what_tells_of_nobody(state: Path) -> None:
    assert names_left(state, ADA)
    done = erase(answer="y\n")
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "Erased.")
    assert list(everything(state)) == ["starts.json"]
    assert "Nothing of that is stored" in erase("--yes").output


def test_only_what_was_named_goes(state: Path) -> None:
    before = everything(state)
    assert erase("pictures", "host", "--yes").exit_code == 0
    gone = set(before) - set(everything(state))
    assert gone == {
        "corrected/khet/000001.jpg",
        "corrected/khet/000001.json",
        "pin.json",
        "secret.key",
        "sessions.json",
    }


def test_a_name_goes_from_every_byte_and_the_games_stay(state: Path) -> None:
    journal = state / Config().journal.path
    assert erase("--player", " ada  lovelace", "--yes").exit_code == 0
    assert names_left(state, ADA) == []
    with Log(journal, ballast_bytes=0) as log:
        assert log.notice is None
    archive = open_archive(journal)
    for game in archive.games():
        end = finished(archive.events(game))
        assert [past.move for past in end.plies] == list(MOVES)
        assert dict(end.players) == {0: SOMEBODY, 1: BEA}
    play(Desk(archive))  # and the journal goes on
    assert archive.games() == [1, 2, 3]
    archive.close()


def test_a_name_is_found_however_its_accents_are_written(state: Path) -> None:
    with desk_over(state / Config().journal.path) as desk:
        begun(desk, players=(unicodedata.normalize("NFC", "Zoë"), unicodedata.normalize("NFD", "Zoë")))
    assert erase("--player", "zoë", "--yes").exit_code == 0
    assert [names_left(state, unicodedata.normalize(form, "Zoë")) for form in ("NFC", "NFD")] == [[], []]


def test_a_game_goes_and_the_others_stay_as_they_were(state: Path) -> None:
    journal = state / Config().journal.path
    archive = open_archive(journal)
    second = archive.events(2)
    archive.close()
    assert erase("--game", "1", "--yes").exit_code == 0
    archive = open_archive(journal)
    assert not archive.notices()
    assert (archive.games(), archive.events(2)) == ([2], second)
    archive.close()
    assert "there is no game 1" in str(erase("--game", "1", "--yes").exception)


def test_nothing_is_erased_under_a_running_companion(state: Path) -> None:
    archive = open_archive(state / Config().journal.path)
    before = everything(state)
    for words in ((), ("pictures",), ("--player", ADA), ("--game", "1")):
        done = erase(*words, "--yes")
        assert isinstance(done.exception, CompanionError)
        assert "stop it first" in str(done.exception)
    assert everything(state) == before
    archive.close()


def test_a_name_that_nobody_has_is_told(state: Path) -> None:
    told = str(erase("--player", "Eve", "--yes").exception)
    damaged = state / "journal.sqlite3.corrupt.1"
    assert "nobody called 'Eve' has played" in told
    assert f"nothing was erased; {damaged} may hold the name" in told
    damaged.unlink()
    assert str(erase("--player", "Eve", "--yes").exception).endswith("nothing was erased")
    assert erase("--player", ADA, "--game", "1").exit_code == 2


def test_a_cut_of_the_power_leaves_the_old_journal_or_the_new(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = state / Config().journal.path
    before = journal.read_bytes()

    def cut(*names: object) -> None:
        raise OSError("no current")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", cut)
        with pytest.raises(CompanionError, match="cannot be written anew"):
            rewrite(journal, without_game(1))
    assert journal.read_bytes() == before
    assert rewrite(journal, without_game(1)) > 0
    assert not list(state.glob("*.new*"))
