"""`companion games`, `replay` and `export` over a real journal with recorded games."""

import json
import re
import sqlite3
from pathlib import Path

import pytest
from command_line import run, shown
from desks import CLIMB, at_ten, begun, desk_over

from companion.commands.journal_options import spans
from companion.demo.verdict import Verdict
from companion.exports import EXPORTS
from companion.games import game
from companion.journal.database import link
from companion.journal.log import Log
from companion.referee.commands import Command

MOVES = ("c5-", "h8+", "c1d2", "h5i5")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two games: one of four plies that was given up, and one that goes on."""
    path = tmp_path / "games of ours?.sqlite3"
    for layout, moves in (("imhotep-2.0", ()), ("classic-2.0", MOVES), ("classic-2.0", ("h2h3",))):
        with desk_over(path, wall_clock=at_ten) as desk:
            begun(desk, "khet", *moves, layout=layout)
            if moves == MOVES:
                desk.submit(Command("resign", {"seat": 1}))
    return path


def give_up(journal: Path) -> None:
    """The newest game."""
    with desk_over(journal) as desk:
        desk.resume()
        desk.submit(Command("resign", {"seat": 0}))


def test_games_are_listed_newest_first(journal: Path) -> None:
    lines = shown("games", "--journal", journal).splitlines()
    assert [line.split()[0] for line in lines] == ["3", "2", "1"]
    assert lines[0].endswith("Khet, 1 ply: unfinished")
    assert re.search(r"2026-01-01T10:00:00\+0000 +Khet, 4 plies: Red resigns: Silver wins$", lines[1])
    assert lines[2].endswith("Khet, 0 plies: unfinished · Set-up: Imhotep 2.0")
    data = [json.loads(line) for line in shown("games", "--journal", journal, "--json").splitlines()]
    assert [(d["id"], d["plies"]) for d in data] == [(3, 1), (2, 4), (1, 0)]


def test_a_game_is_replayed_position_by_position(journal: Path) -> None:
    text = shown("replay", "2", "--journal", journal)
    assert [int(n) for n in re.findall(r"^(\d+)\. ", text, re.MULTILINE)] == [0, 1, 2, 3, 4]
    rules = game("khet")
    position = rules.start({"layout": "classic-2.0"})
    for move in MOVES:
        assert rules.draw(position) in text
        position = rules.play(position, rules.read_move(position, move)).position
    assert rules.draw(position) in shown("replay", "2", "--ply", "4", "--journal", journal)
    assert shown("replay", "1", "--journal", journal).splitlines()[1] == "Set-up: Imhotep 2.0"
    assert "Silver wins" in text.splitlines()[-1]


def test_the_newest_game_is_meant_unless_one_is_named(journal: Path) -> None:
    assert shown("replay", "--journal", journal).startswith("Khet, game 3")
    assert shown("export", "--journal", journal).startswith("[game khet 3]")


def test_a_replay_ends_with_what_the_host_chose_otherwise_in_mid_game(journal: Path) -> None:
    with desk_over(journal) as desk:
        desk.resume()
        desk.submit(Command("set_options", {"options": {"undo": "refuse"}}))
    last = shown("replay", "--journal", journal).splitlines()[-2:]
    assert last == ["unfinished", "Changed by the host. When a table is put back: Refuse"]


def test_an_export_is_printed_or_written_whole(journal: Path, tmp_path: Path) -> None:
    data = json.loads(shown("export", "2", "--form", "json", "--journal", journal))
    assert tuple(data["moves"]) == MOVES
    file = tmp_path / "new folder" / "game.html"
    assert "written to" in shown("export", "2", "--form", "html", "--out", file, "--journal", journal)
    page = file.read_text()
    assert page.startswith("<!doctype html>")
    assert all(move in page for move in MOVES)


def test_the_companions_own_journal_is_read_when_none_is_named(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/companion.toml").write_text(f'[journal]\npath = "{journal}"\n')
    assert len(shown("games").splitlines()) == 3


def test_looking_at_a_journal_that_is_being_written_disturbs_nobody(journal: Path) -> None:
    with Log(journal, ballast_bytes=0) as log:
        before = sorted(p.name for p in journal.parent.iterdir())
        assert len(shown("games", "--journal", journal).splitlines()) == 3
        assert sorted(p.name for p in journal.parent.iterdir()) == before
        assert log.games() == [1, 2, 3]


def test_a_damaged_journal_is_left_as_it_is_and_its_sound_games_are_shown(journal: Path) -> None:
    with sqlite3.connect(journal) as db:
        db.execute("UPDATE events SET text = '{}' WHERE game = 3")
    db.close()
    before = journal.read_bytes()
    done = run("games", "--journal", journal)
    assert done.exit_code == 0
    assert "the journal is damaged" in done.stderr
    assert len(done.stdout.splitlines()) == 2
    assert journal.read_bytes() == before
    assert not list(journal.parent.glob("*.corrupt.*"))


def of_the_future(journal: Path, game: int) -> None:
    """One more event of this game, which this version does not know."""
    text = '{"name": "of the future"}'
    with sqlite3.connect(journal) as db:
        no, chain = db.execute("SELECT no, chain FROM events ORDER BY no DESC LIMIT 1").fetchone()
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (no + 1, game, text, link(chain, no + 1, game, text)))
    db.close()


def test_a_copy_that_is_not_all_of_a_game_is_told(journal: Path, tmp_path: Path) -> None:
    of_the_future(journal, 3)
    of_the_future(journal, 4)
    lines = shown("games", "--journal", journal).splitlines()
    assert lines[1].endswith("Khet, 1 ply: no result: only its beginning can be read by this version")
    assert shown("replay", "3", "--journal", journal).endswith("can be read by this version\n")
    done = run("export", "--all", "--form", "json", "--out", tmp_path / "copies", "--journal", journal)
    assert "game 3 is of another version, and this one can read only the first" in done.stderr
    assert "game 4 is of another version, and this one can read none of its events" in done.stderr
    assert done.stdout.startswith("3 games written")
    assert shown("restore", tmp_path / "copies", "--journal", tmp_path / "fresh.sqlite3")
    with desk_over(journal, exports=EXPORTS) as desk:
        assert desk.export(3, "json") == (tmp_path / "copies" / "game-3.json").read_text()
        for form in EXPORTS:
            assert "o result: only its beginning can be read by this version" in desk.export(3, form)
        recorded = desk.recorded(3)
        assert recorded.ending == "No result: only its beginning can be read by this version."
        assert [line["result"][:9] for line in desk.games()[:2]] == ["no result", "no result"]


def test_a_replay_names_no_tile_that_lies_face_down_while_the_game_is_on(journal: Path) -> None:
    with desk_over(journal) as desk:
        begun(desk, "kdak", *CLIMB)
        while_on = shown("replay", "--journal", journal)
        desk.submit(Command("resign", {"seat": 0}))
    assert "suns" not in while_on
    assert "S4" not in while_on
    over = shown("replay", "--journal", journal)
    assert "The tile is the 4 of suns." in over
    assert "S4" in over


def test_the_closed_record_of_a_game_that_is_gone_on_with_names_no_tile_either(journal: Path) -> None:
    with desk_over(journal) as desk:
        begun(desk, "kdak", *CLIMB).submit(Command("reset"))
        number = desk.table.game_id
        asked = [
            (*line, "--journal", journal, number) for line in (["replay"], ["export"], ["export", "--form", "html"])
        ]
        assert all("4 of suns" in shown(*line) for line in asked), "closed, it tells everything"
        desk.submit(Command("go_on_with", {"number": number}))
    assert not any("4 of suns" in shown(*line) for line in asked)
    copy = json.loads(shown("export", number, "--form", "json", "--journal", journal))
    assert copy["events"][-1]["event"] == "reset"


def test_a_game_of_other_rules_is_named_and_not_replayed(journal: Path) -> None:
    of_the_future(journal, 4)
    assert "not readable under these rules" in shown("games", "--journal", journal).splitlines()[0]
    assert "[unreadable under these rules]" in shown("export", "4", "--journal", journal)
    assert shown("export", "4", "--form", "html", "--journal", journal).startswith("<!doctype html>")


@pytest.mark.parametrize("command", ["games", "replay", "export"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no journal; play a game first, or name one with --journal"),
        (b"no database at all, but some text\n" * 200, "this journal cannot be read: file is not a database"),
        (b"", "this journal cannot be read: it is empty, or of another program"),
    ],
)
def test_what_is_no_journal_is_said_in_one_line_and_left_alone(
    command: str,
    content: bytes | None,
    said: str,
    tmp_path: Path,
    refused,
) -> None:
    path = tmp_path / "journal"
    if content is not None:
        path.write_bytes(content)
    assert refused(command, "--journal", path) == f"companion: {path}: {said}\n"
    assert [p.name for p in tmp_path.iterdir()] == ([] if content is None else ["journal"])
    assert content is None or path.read_bytes() == content


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("replay", "9"), "there is no game 9; there are 1 to 3"),
        (("export", "9"), "there is no game 9; there are 1 to 3"),
        (("replay", "2", "--ply", "5"), "--ply goes from 0 to 4"),
        (("replay", "2", "--pause", "-1"), "-1.0 is not in the range 0.0<=x<=3600.0"),
        (("replay", "2", "--pause", "nan"), "nan is no number of seconds"),
        (("replay", "2", "--pause", "inf"), "inf is not in the range"),
        (("replay", "two"), "'two' is not a valid integer"),
        (("export", "2", "--form", "pdf"), "'pdf' is not one of 'text', 'json', 'html'"),
    ],
)
def test_wrong_words_are_answered(
    words: tuple[str, ...],
    said: str,
    journal: Path,
    refused,
) -> None:
    assert said in refused(*words, "--journal", journal)


def test_a_place_that_cannot_be_written_is_named(journal: Path, refused) -> None:
    place = journal / "game.txt"  # below a file
    said = refused("export", "--out", place, "--journal", journal)
    assert said.startswith(f"companion: {place}: ")
    assert len(said.splitlines()) == 1


def test_all_games_leave_and_come_back(journal: Path, tmp_path: Path) -> None:
    folder, fresh = tmp_path / "copies", tmp_path / "fresh.sqlite3"
    assert "3 games written" in shown("export", "--all", "--form", "json", "--out", folder, "--journal", journal)
    assert sorted(p.name for p in folder.iterdir()) == ["game-1.json", "game-2.json", "game-3.json"]
    lines = shown("restore", folder, "--journal", fresh).splitlines()
    assert lines[1] == "game 2: Khet, 4 plies: Red resigns: Silver wins"
    assert lines[3] == "The companion goes on with game 3 when it starts."
    with Log(journal, ballast_bytes=0) as old, Log(fresh, ballast_bytes=0) as new:
        assert list(new.rows()) == list(old.rows())
    again = shown("restore", folder, "--journal", fresh).splitlines()
    assert all(line.endswith("(was there already)") for line in again[:3])
    with Log(fresh, ballast_bytes=0) as new:
        assert new.games() == [1, 2, 3]


def test_many_games_say_how_far_they_are(journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.progress.TOLD_EVERY_S", 0.0)
    done = run("export", "--all", "--out", tmp_path / "copies", "--journal", journal)
    assert done.stderr == "companion: 1 of 3 games\ncompanion: 2 of 3 games\n"


def test_nothing_is_restored_into_a_file_that_is_no_journal(journal: Path, tmp_path: Path, refused) -> None:
    copy, letter = tmp_path / "copy.json", tmp_path / "letter.txt"
    shown("export", "2", "--form", "json", "--out", copy, "--journal", journal)
    letter.write_text("Dear Zoe, ...")
    said = refused("restore", copy, "--journal", letter)
    assert said == f"companion: {letter}: this journal cannot be read: file is not a database\n"
    assert letter.read_text() == "Dear Zoe, ..."
    assert not list(tmp_path.glob("letter.txt?*"))


def test_copies_are_brought_up_to_date_and_never_give_way_to_another_game(
    journal: Path, tmp_path: Path, refused
) -> None:
    folder, other = tmp_path / "copies", tmp_path / "other.sqlite3"
    export = ("export", "--all", "--form", "json", "--out", str(folder), "--journal")
    shown(*export, journal)
    give_up(journal)
    assert "3 games written" in shown(*export, journal)
    kept = {path.name: path.read_text() for path in folder.iterdir()}
    assert "resigns" in kept["game-3.json"]
    with desk_over(other) as desk:  # as after `companion erase games`, or on another card
        for _ in range(2):
            begun(desk, layout="dynasty-2.0")
    said = refused(*export, other)
    assert f"{folder / 'game-1.json'} holds another game, or more of this one: name another folder" in said
    (folder / "game-1.json").write_text("a letter")
    assert "holds another game" in refused(*export, journal)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {**kept, "game-1.json": "a letter"}


def test_a_copy_of_a_game_that_was_played_on_brings_nothing_back(journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown("export", "3", "--form", "json", "--out", file, "--journal", journal)
    give_up(journal)
    before = shown("games", "--journal", journal)
    assert shown("restore", file, "--journal", journal) == "game 3: Khet, 1 ply: unfinished (was there already)\n"
    assert shown("games", "--journal", journal) == before


def test_one_game_is_counted_as_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with desk_over(path) as desk:
        begun(desk, "khet", MOVES[0])
    with desk_over(path) as desk:
        assert str(desk.resume()).endswith("after 1 ply")
    assert "1 game written" in shown("export", "--all", "--form", "json", "--out", tmp_path / "out", "--journal", path)
    assert Verdict((), (), (), 0, "", "", asked=1).lines()[0].endswith("it was: 1 time")
    assert Verdict((), (), (), 0, "", "", taken_back=2).lines()[0] == "taken back on the table: 2 times"


def test_one_unfit_file_keeps_all_of_them_out(journal: Path, tmp_path: Path, refused) -> None:
    folder, fresh = tmp_path / "copies", tmp_path / "fresh.sqlite3"
    shown("export", "--all", "--form", "json", "--out", folder, "--journal", journal)
    torn = folder / "game-2.json"
    torn.write_text(torn.read_text()[:-30])
    said = refused("restore", folder, "--journal", fresh)
    assert said.startswith(f"companion: {torn}: no exported game, or a torn one")
    assert not fresh.exists()
    for words, why in (
        (("restore", str(tmp_path / "empty.json")), "No such file"),
        (("export", "--all"), "--all needs a folder"),
    ):
        assert why in refused(*words, "--journal", journal)


def test_nothing_is_restored_under_a_running_companion(journal: Path, tmp_path: Path, refused) -> None:
    file = tmp_path / "game.json"
    shown("export", "2", "--form", "json", "--out", file, "--journal", journal)
    with Log(journal, ballast_bytes=0) as log:
        before = log.last
        said = refused("restore", file, "--journal", journal)
        assert "the companion is running: stop it first" in said
        assert log.last == before


def test_what_happened_before_any_game_is_no_game(tmp_path: Path, refused) -> None:
    path = tmp_path / "journal.sqlite3"
    with desk_over(path) as desk:
        desk.submit(Command("set_quiet", {"on": True}))
        assert desk.games() == []
    assert "No game is recorded yet" in shown("games", "--journal", path)
    assert "no game is recorded yet" in refused("replay", "--journal", path)


@pytest.mark.parametrize(("numbers", "said"), [([4], "4"), ([1, 2], "1 to 2"), ([1, 3, 4, 5, 9], "1, 3 to 5, 9")])
def test_many_games_are_named_in_few_words(numbers: list[int], said: str) -> None:
    assert spans(numbers) == said
