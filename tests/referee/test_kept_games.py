"""What the host does with the recorded games: one is erased, an exported one comes back."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desks import at_ten, begun

from companion.errors import CommandRefused, ConfigError, UnreadableText
from companion.exports import EXPORTS
from companion.journal import log
from companion.journal.archive import Archive, open_archive
from companion.journal.export import seal
from companion.journal.restore import restorer
from companion.journal.rewrite import drafted
from companion.referee.commands import Command
from companion.referee.happenings import QuietSet
from companion.referee.readmodel import Desk


@pytest.fixture
def archive(tmp_path: Path) -> Any:
    kept = open_archive(tmp_path / "j.sqlite3")
    yield kept
    kept.close()


@pytest.fixture
def desk(archive: Archive) -> Desk:
    return Desk(archive, exports=EXPORTS, restorer=restorer, wall_clock=at_ten)


def play(desk: Desk, player: str, *, over: bool = True) -> int:
    """A game of Khet of one move by hand, given up where it is to be over."""
    begun(desk, "khet", "c5-", players=(player,))
    if over:
        desk.submit(Command("resign", {"seat": 0}))
    return desk.table.game_id


def erase(desk: Desk, number: int) -> None:
    desk.submit(Command("erase_game", {"number": number}))


def test_of_the_games_that_can_be_started_the_last_one_tells_how_it_was_started(desk: Desk, archive: Archive) -> None:
    assert not any("last" in choice for choice in desk.choices())
    play(desk, "Ada")
    desk.submit(Command("new_game", {"game": "kdak", "options": {"variant": "solitaire"}}))
    desk.submit(Command("reset"))
    told = {choice["name"]: choice["last"] for choice in Desk(archive).choices() if "last" in choice}
    assert list(told) == ["kdak"]
    assert (told["kdak"]["variant"], told["kdak"]["dice"]) == ("solitaire", "companion")


def test_a_game_is_erased_with_its_players_and_the_one_on_the_table_goes_on(desk: Desk, archive: Archive) -> None:
    first, second = play(desk, "Ada"), play(desk, "Grace", over=False)
    assert [line["id"] for line in desk.games()] == [second, first]
    erase(desk, first)
    assert [line["id"] for line in desk.games()] == [second]
    assert desk.recorded(first) is None
    assert desk.snapshot().number == archive.last_number()
    desk.submit(Command("undo", {}, expects=desk.snapshot().number))
    again = Desk(archive)
    assert again.resume() == f"Khet, game {second}, after 0 plies"
    assert again.snapshot().pieces == desk.snapshot().pieces


def test_the_table_goes_on_while_a_game_is_erased(desk: Desk, archive: Archive, monkeypatch: Any) -> None:
    first, second = play(desk, "Ada"), play(desk, "Grace", over=False)
    quiet = Command("set_quiet", {"on": True})

    def meanwhile(*what: Any) -> Any:
        table = threading.Thread(target=lambda: [desk.tick(), desk.submit(quiet)])
        table.start()
        table.join(10.0)
        assert not table.is_alive()
        return drafted(*what)

    monkeypatch.setattr(log, "drafted", meanwhile)
    erase(desk, first)
    assert archive.events(second)[-1] == QuietSet(True)
    assert desk.snapshot().number == archive.last_number()
    assert desk.snapshot().quiet


def test_the_game_on_the_table_and_one_that_there_is_not_are_not_erased(desk: Desk, archive: Archive) -> None:
    number = play(desk, "Ada")  # over, and still on the table
    before = archive.last_number()
    for wanted, name in ((number, "on-the-table"), (99, "no-such-game")):
        with pytest.raises(CommandRefused) as refused:
            erase(desk, wanted)
        assert refused.value.name == name
    assert archive.last_number() == before


def test_what_is_said_after_the_newest_game_was_erased_belongs_to_no_erased_one(desk: Desk, archive: Archive) -> None:
    first, second = play(desk, "Ada"), play(desk, "Grace", over=False)
    desk.submit(Command("reset"))
    erase(desk, second)
    desk.submit(Command("set_quiet", {"on": True}))
    assert archive.games() == [first]
    again = Desk(archive)
    again.resume()
    assert (again.table.game_id, again.snapshot().phase, again.snapshot().quiet) == (first, "over", True)
    assert play(desk, "Ann") not in (first, second)


def test_an_erased_game_comes_back_as_it_was(desk: Desk, archive: Archive) -> None:
    first = play(desk, "Zoë </script>")
    play(desk, "Grace")
    kept, events = desk.export(first, "json"), archive.events(first)
    erase(desk, first)
    assert desk.restore_game(kept.encode()) == (first, True), "it has its old place"
    assert archive.events(first) == events
    assert desk.restore_game(kept.encode()) == (first, False), "twice is once"
    assert desk.snapshot().phase == "over", "what lies on the table stays there"


def test_an_erased_game_comes_back_while_another_is_played_which_stays_the_newest(desk: Desk, archive: Archive) -> None:
    first, second = play(desk, "Ada"), play(desk, "Grace", over=False)
    kept = desk.export(first, "json")
    erase(desk, first)
    assert desk.restore_game(kept.encode()) == (first, True)
    assert archive.games() == [first, second]
    desk.submit(Command("undo", {}))
    assert Desk(archive).resume() == f"Khet, game {second}, after 0 plies"


def test_a_game_that_was_not_at_its_end_is_gone_on_with_at_once_as_after_a_restart(
    desk: Desk, archive: Archive
) -> None:
    number = play(desk, "Ada", over=False)
    kept = desk.export(number, "json")
    with pytest.raises(ConfigError, match=f"game {number} is still going on: end it first"):
        desk.restore_game(foreign(kept))
    play(desk, "Grace")
    back, _ = desk.restore_game(foreign(kept))
    assert (desk.snapshot().phase, desk.table.game_id) == ("play", back)
    desk.submit(Command("undo", {}))
    again = Desk(archive)
    assert again.resume() == f"Khet, game {back}, after 0 plies"


def test_a_game_whose_end_is_taken_back_after_another_one_came_behind_it_is_gone_on_with(
    desk: Desk, archive: Archive
) -> None:
    first = play(desk, "Ada")
    kept = desk.export(first, "json")
    behind, _ = desk.restore_game(foreign(kept))
    assert (behind > first, desk.table.game_id) == (True, first), "what lies on the table stays there"
    assert Desk(archive).resume() == f"Khet, game {behind}, after 1 ply", "the newest one's end"
    desk.submit(Command("undo", {}))
    again = Desk(archive, restorer=restorer)
    assert again.resume() == f"Khet, game {first}, after 1 ply"
    assert again.snapshot().phase == "play"
    with pytest.raises(ConfigError, match=f"game {first} is still going on: end it first"):
        again.restore_game(foreign(kept, "2024-04-04T10:00:00+0000"))


def test_while_a_game_is_written_back_the_table_does_not_wait_for_all_others_to_be_read(
    desk: Desk, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = play(desk, "Ada")
    archive.append(first + 1, [*archive.events(first)[:1]])  # another game that began in the same second
    for number in range(first + 2, first + 9):
        begun = archive.events(first)
        archive.append(number, [replace(begun[0], at=str(number)), *begun[1:]])  # type: ignore[type-var]
    read: list[int] = []
    events = archive.events
    monkeypatch.setattr(archive, "events", lambda game: read.append(game) or events(game))
    assert desk.restore_game(desk.export(first, "json").encode()) == (first, False)
    assert set(read) == {first, first + 1}


def test_however_many_look_back_at_games_one_is_played_through_at_a_time(
    desk: Desk, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = play(desk, "Ada")
    inside, most, together, events = [0], [0], threading.Event(), archive.events

    def counted(game: int) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        if inside[0] > 1:
            together.set()
        together.wait(0.1)
        inside[0] -= 1
        return events(game)

    monkeypatch.setattr(archive, "events", counted)
    asking = [threading.Thread(target=desk.recorded, args=(number,)) for _ in range(3)]
    asking += [threading.Thread(target=desk.export, args=(number, form)) for form in EXPORTS]
    for phone in asking:
        phone.start()
    for phone in asking:
        phone.join()
    assert most == [1]


def foreign(kept: str, at: str = "2025-05-05T10:00:00+0000") -> bytes:
    """The game as another companion would have it: begun at another time."""
    data = json.loads(kept)
    data["events"][0]["at"] = at
    data["seal"] = seal(data["events"])
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"format": "x"}', b"\xff\xfe", b"\x00" * 99, b"[" * 99999], ids=range(7)
)
def test_what_is_no_exported_game_changes_nothing(desk: Desk, archive: Archive, content: bytes) -> None:
    play(desk, "Ada")
    before = archive.last_number()
    with pytest.raises(UnreadableText):
        desk.restore_game(content)
    assert archive.last_number() == before


def test_where_nothing_can_be_restored_that_is_said(archive: Archive) -> None:
    with pytest.raises(CommandRefused) as refused:
        Desk(archive).restore_game(b"{}")
    assert refused.value.name == "no-restoring"
