"""A recorded game that was closed before its end is gone on with: over a real journal, also after a restart."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import at_ten, begun
from referee_tables import shown

from companion.errors import CommandRefused, RecordError
from companion.exports import EXPORTS
from companion.journal.archive import Archive, open_archive
from companion.journal.database import link
from companion.journal.restore import restorer
from companion.pieces import EMPTY
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Plied, Reset
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings

MOVES = ("c5+", "h4+", "c5-")


class Evening:
    """A desk over a journal on disk, with a clock that only the test moves."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 100.0
        self.archive: Archive = open_archive(path)
        self.desk = self._seated()

    def _seated(self) -> Desk:
        return Desk(self.archive, clock=lambda: self.now, exports=EXPORTS, restorer=restorer, wall_clock=at_ten)

    def restart(self) -> str | None:
        self.archive.close()
        self.archive = open_archive(self.path)
        self.desk = self._seated()
        return self.desk.resume()

    def play(self, player: str, *moves: str, timeout: bool = False) -> int:
        begun(self.desk, "khet", *moves, players=(player,), timeout=timeout)
        return self.desk.table.game_id

    def go_on(self, number: int) -> int:
        self.desk.submit(Command("go_on_with", {"number": number}))
        return self.desk.table.game_id

    def results(self) -> dict[int, str]:
        return {line["id"]: line["result"] for line in self.desk.games()}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "j.sqlite3")
    yield made
    made.archive.close()


def another_game(evening: Evening) -> None:
    evening.play("Grace")
    evening.desk.submit(Command("resign", {"seat": 0}))


def no_result(evening: Evening) -> None:
    evening.desk.submit(Command("reset"))


def an_hour(evening: Evening) -> None:
    evening.now += Settings().timeout_s + 1
    evening.desk.tick()


CLOSED = {another_game: "another game was started", no_result: "the host ended it", an_hour: "an hour without a move"}


@pytest.mark.parametrize("close", CLOSED)
def test_a_game_that_was_closed_goes_on_as_it_was_and_after_a_restart(evening: Evening, close) -> None:
    number = evening.play("Ada", *MOVES, timeout=True)
    before, written = evening.desk.snapshot(), evening.archive.events(number)
    close(evening)
    closed = evening.archive.events(number)
    assert closed == [*written, Reset(CLOSED[close])]
    anew = evening.go_on(number)
    now = evening.desk.snapshot()
    assert anew == max(evening.archive.games()) > number
    for told in ("phase", "pieces", "to_move", "seats", "options", "record", "waiting"):
        assert getattr(now, told) == getattr(before, told), told
    assert evening.archive.events(number) == closed, "what was written stays"
    evening.desk.tick()
    assert evening.desk.snapshot().phase == "play", "its hour begins anew"
    evening.desk.submit(Command("enter_move", {"move": "h4-"}))
    assert evening.restart() == f"Khet, game {anew}, after 4 plies"
    assert [seat.player for seat in evening.desk.snapshot().seats] == ["Ada", None]


def test_the_game_that_was_on_ends_without_a_result_and_may_be_gone_on_with_itself(evening: Evening) -> None:
    first, second = evening.play("Ada", *MOVES), evening.play("Grace", "c5+")
    third = evening.go_on(first)
    assert evening.results() == {
        first: "no result: another game was started",
        second: "no result: another game was gone on with",
        third: "",
    }
    evening.go_on(second)
    assert [seat.player for seat in evening.desk.snapshot().seats] == ["Grace", None]
    assert len(evening.desk.table.state.plies) == 1
    assert evening.restart() == f"Khet, game {third + 1}, after 1 ply"


def test_a_game_in_its_set_up_goes_on_with_it(evening: Evening) -> None:
    evening.desk.submit(Command("new_game", {"game": "khet", "options": {"layout": "classic-2.0"}}))
    number = evening.desk.table.game_id
    no_result(evening)
    assert evening.go_on(number) > number
    assert evening.desk.snapshot().phase == "set-up"


def test_what_lies_otherwise_on_the_table_is_said(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    wanted = evening.desk.table.layout
    another_game(evening)
    evening.go_on(number)
    cell = next(cell for cell, piece in cells_of(wanted).items() if piece.kind == "pyramid")
    for _ in range(3):
        evening.now += 1.0
        evening.desk.observe(shown(wanted, {cell: EMPTY}))
    told = evening.desk.snapshot()
    assert cell in " ".join([told.waiting.text, told.waiting.why, told.ruling.text if told.ruling else ""]), told
    for _ in range(3):
        evening.now += 1.0
        evening.desk.observe(shown(wanted))
    assert evening.desk.snapshot().ruling is None
    assert evening.desk.snapshot().waiting.why == ""


def test_quiet_is_as_it_is_now(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    another_game(evening)
    evening.desk.submit(Command("set_quiet", {"on": True}))
    evening.go_on(number)
    assert evening.desk.snapshot().quiet
    evening.restart()
    assert evening.desk.snapshot().quiet


def refused(evening: Evening, number: int) -> tuple[str, str]:
    before = evening.archive.last_number(), evening.desk.snapshot()
    with pytest.raises(CommandRefused) as error:
        evening.go_on(number)
    assert (evening.archive.last_number(), evening.desk.snapshot()) == before, "nothing was changed"
    return error.value.name, error.value.text


def test_a_game_that_is_over_or_that_there_is_not_is_refused(evening: Evening) -> None:
    number = evening.play("Ada")
    evening.desk.submit(Command("resign", {"seat": 0}))
    evening.play("Grace")
    assert refused(evening, number) == ("finished", "this game is over: start another one")
    assert refused(evening, 99)[0] == "no-such-game"


def test_a_game_that_is_on_is_refused_under_each_of_its_numbers(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    assert refused(evening, number) == ("on-already", f"this game is on already, as game {number}")
    another_game(evening)
    anew = evening.go_on(number)
    evening.desk.submit(Command("enter_move", {"move": "h4-"}))
    for each in (number, anew):
        assert refused(evening, each) == ("on-already", f"this game is on already, as game {anew}")
    another_game(evening)
    assert evening.go_on(number) > anew, "and from where it was closed first, once it is not on"


def test_a_game_under_other_rules_is_refused(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    no_result(evening)
    evening.archive.append(number, [Plied(4, 1, "c5+")])  # lawful once, and no more
    name, text = refused(evening, number)
    assert name == "other-rules"
    assert text.startswith("the rules have changed since this game was played, and agree with it up to action 3.")


def test_a_game_of_which_not_all_can_be_read_is_refused(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    another_game(evening)
    later = '{"event":"of a later version"}'
    log = evening.archive._log
    log._db.execute(
        "INSERT INTO events VALUES (?, ?, ?, ?)",
        (no := log.last + 1, number, later, link(log._chain, no, number, later)),
    )
    evening.restart()
    name, text = refused(evening, number)
    assert name == "not-whole"
    assert text.endswith("It can be looked at, and not gone on with")


@pytest.mark.parametrize("room_for", [0, 1])
def test_without_room_for_it_that_is_said_and_nothing_is_lost(evening: Evening, monkeypatch, room_for: int) -> None:
    first, second = evening.play("Ada", *MOVES), evening.play("Grace", "c5+")
    writing, left = evening.archive.append, [room_for]

    def full(game, events):
        if not left[0]:
            raise RecordError("the record cannot be written: no room")
        left[0] -= 1
        return writing(game, events)

    monkeypatch.setattr(evening.archive, "append", full)
    with pytest.raises(RecordError, match="no room") as error:
        evening.go_on(first)
    assert ("The game that was on is ended" in str(error.value)) is bool(room_for)
    assert evening.desk.snapshot().phase == ("idle" if room_for else "play")
    monkeypatch.undo()
    if room_for:
        evening.go_on(second)
    assert len(evening.desk.table.state.plies) == 1
    evening.go_on(first)
    assert len(evening.desk.table.state.plies) == len(MOVES)


def test_it_is_told_of_as_a_game_that_is_on_until_it_is_over_and_its_file_keeps_its_end(evening: Evening) -> None:
    number = evening.play("Ada", *MOVES)
    another_game(evening)
    written = evening.desk.export(number, "json")
    evening.go_on(number)
    recorded = evening.desk.recorded(number)
    assert recorded.ending == "It is still being played."
    assert "[result unfinished]" in evening.desk.export(number, "text")
    assert evening.desk.export(number, "json") == written
    assert evening.desk.restore_game(written.encode()) == (number, False)
    evening.desk.submit(Command("resign", {"seat": 0}))
    again = evening.desk.recorded(number)
    assert again.ending == "No result: another game was started."
