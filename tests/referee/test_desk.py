"""The desk between the table, its record and those who look at it: what it shows, previews, and does not lose."""

import pytest
from desks import begun, in_memory
from referee_tables import Bench, shown

from companion.errors import CommandRefused
from companion.games import GAMES
from companion.journal.archive import MemoryArchive
from companion.pieces import EMPTY
from companion.referee.commands import Command
from companion.referee.picture import Painter, set_up_of
from companion.referee.readmodel import Desk

TWO_STACKS = "3k6/10/10/3o1d4/10/10/10/6K3 r 1.0"


def test_the_stacks_of_a_set_up_are_drawn_as_stacks():
    bench = Bench(layout="classic-1.0")
    stacks = {lying.cell: lying.count for lying in bench.table.layout.pieces}
    assert {piece.cell: piece.count for piece in set_up_of(bench.archive.events(1)[0]).pieces} == stacks
    bench.show(bench.table.layout, {"d1": EMPTY})
    assert {piece.cell: piece.count for piece in Painter().snapshot(bench.table).pieces} == stacks


def test_a_move_of_khet_that_no_camera_sees_is_offered_and_after_a_restart_still_is():
    bench = Bench(layout=TWO_STACKS).begin()
    bench.play("d5e5")
    bench.play("g1f1")
    offered = Painter().snapshot(bench.table).offers
    assert ("f5te5", ()) in [(offer.move, offer.faces) for offer in offered]
    again = Desk(bench.archive)
    assert again.resume() is not None
    assert again.snapshot().offers == offered


def test_that_nothing_can_be_written_is_said_until_it_is_written():
    archive, now = MemoryArchive(), [100.0]
    desk = begun(Desk(archive, clock=lambda: now[0]), "ataxx", board=5)
    game, position = desk.table.state.module, desk.table.state.position
    view = shown(game.during(position, game.read_move(position, "b5")))
    archive.full = True

    def notices() -> tuple[str, ...]:
        for _ in range(12):
            now[0] += 0.25
            desk.observe(view)
            desk.tick()  # after every look
        return desk.snapshot().notices

    assert [text.endswith("The game is paused and goes on by itself") for text in notices()] == [True]
    archive.full = False
    assert notices() == ()
    assert [past.move for past in desk.table.state.plies] == ["b5"]


def test_a_key_is_carried_out_once():
    desk = Desk(MemoryArchive())
    first = desk.submit(Command("new_game", {"game": "khet"}, key="a"))
    assert desk.submit(Command("new_game", {"game": "khet"}, key="a")) is first
    assert desk.table.game_id == 1


def test_a_record_that_cannot_be_written_pauses_and_loses_nothing():
    desk, archive = in_memory()
    archive.full = True
    with pytest.raises(CommandRefused) as caught:
        desk.submit(Command("join", {"seat": 0, "player": "Ann"}))
    assert caught.value.name == "record"
    assert not desk.table.state.players
    archive.full = False
    desk.submit(Command("join", {"seat": 0, "player": "Ann"}))
    assert desk.snapshot().seats[0].player == "Ann"


def test_watchers_are_woken_by_every_change():
    desk = Desk(MemoryArchive())
    version = desk.version()
    assert desk.wait(version, 0.01) is None
    desk.submit(Command("new_game", {"game": "khet"}))
    assert desk.wait(version, 0.01).phase == "set-up"


@pytest.mark.parametrize("game", GAMES)
def test_a_set_up_is_previewed_without_starting_anything(game):
    desk = Desk(MemoryArchive())
    shown = desk.preview(game, {})
    assert (shown.phase, shown.game, desk.snapshot().phase) == ("set-up", game, "idle")
    assert shown.pieces or game == "chaos"  # whose table is empty at first
    with pytest.raises(CommandRefused, match="no option"):
        desk.preview(game, {"nonsense": "1"})


def test_a_preview_of_no_game_is_refused():
    with pytest.raises(CommandRefused):
        Desk(MemoryArchive()).preview("chess", {})
