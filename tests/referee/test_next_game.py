"""What the next game at a table takes over of the one before, and which one it is."""

import pytest
from desks import begun, desk_over
from free_benches import seen
from referee_tables import Bench, order

from companion.games import GAMES
from companion.journal.export import as_json, as_text
from companion.journal.restore import read_game
from companion.referee.commands import Command
from companion.referee.happenings import Joined, Reset
from companion.referee.picture import Painter
from companion.referee.record import summary
from companion.referee.state import fold_all
from companion.referee.turn_words import mover


def test_players_stay_for_the_next_game():
    bench = Bench().begin()
    order(bench, "join", seat=0, player="Ann")
    order(bench, "new_game", game="khet", options={"layout": "dynasty-2.0"})
    assert bench.table.game_id == Painter().snapshot(bench.table).game_number == 2
    assert dict(bench.table.state.players) == {0: "Ann"}
    assert isinstance(bench.archive.events(1)[-1], Reset)
    assert Joined(0, "Ann") in bench.archive.events(2)


def test_players_without_a_seat_in_the_next_game_are_of_none():
    bench = Bench("chaos", seats=4)
    order(bench, "join", seat=3, player="Ann")
    order(bench, "new_game", game="chaos", options={"seats": 2})
    assert dict(bench.table.state.players) == {}
    assert bench.table.state.players == fold_all(bench.archive.events(2)).players


def test_players_for_whom_a_game_had_no_seat_have_theirs_again_in_the_next_one_that_has():
    bench = Bench("kaxxt", seats=4)
    for seat, player in enumerate(("Ann", "Bo", "Cy", "Di")):
        order(bench, "join", seat=seat, player=player)
    for _ in range(2):
        order(bench, "new_game", game="khet", options={})
    assert dict(bench.table.state.players) == {0: "Ann", 1: "Bo"}
    order(bench, "join", seat=1, player="Di")  # who sits now is waited for no more
    order(bench, "new_game", game="chaos", options={"seats": 3})
    assert dict(bench.table.state.players) == {0: "Ann", 1: "Di", 2: "Cy"}
    order(bench, "withdraw", seat=2)
    order(bench, "new_game", game="chaos", options={"seats": 4})
    assert dict(bench.table.state.players) == {0: "Ann", 1: "Di"}


@pytest.mark.parametrize("ended", [False, True])
def test_who_sits_and_who_waits_is_known_after_a_restart_also_with_no_game_on(tmp_path, ended):
    path = tmp_path / "journal.sqlite3"
    with desk_over(path) as desk:
        begun(desk, "kaxxt", players=("Ann", "Bo", "Cy", "Di"), seats=4)
        desk.submit(Command("new_game", {"game": "khet", "options": {}}))
        if ended:
            desk.submit(Command("reset"))
    with desk_over(path) as desk:
        desk.resume()
        assert desk.sitting() == {0: "Ann", 1: "Bo"}
        snapshot = desk.submit(Command("new_game", {"game": "kaxxt", "options": {"seats": 4}}))
        assert [seat.player for seat in snapshot.seats] == ["Ann", "Bo", "Cy", "Di"]


def test_who_waits_is_in_no_list_of_those_who_played_and_comes_back_with_the_game():
    bench = Bench("kaxxt", seats=3)
    order(bench, "join", seat=2, player="Cy")
    order(bench, "new_game", game="khet", options={})
    order(bench, "join", seat=0, player="Ann")
    events = bench.archive.events(2)
    assert summary(2, events)["about"] == "Ann (Silver)"
    assert "Cy" not in as_text(2, events)
    assert read_game(as_json(2, events).encode()).events == tuple(events)


def test_what_was_left_to_the_table_is_left_to_it_again_in_the_next_game():
    bench = Bench("kaxxt", seats=4)
    for side in ("west", "north"):
        begun = bench.game.layout(bench.game.start({"seats": 4, "first": side}))
        seen(bench, begun)
        assert (bench.table.state.phase, mover(bench.table.state)) == ("play", side.capitalize())
        order(bench, "new_game", by="button")
        assert bench.table.state.options == {"seats": 4}


def test_what_was_seen_of_the_game_before_does_nothing_in_the_next():
    bench = Bench("ataxx", board=5).begin()
    bench.act("b5")
    order(bench, "new_game", game="ataxx", options={"board": 5})
    order(bench, "begin")
    order(bench, "enter_move", move="b5")  # there has been no look at this table yet
    assert bench.table.state.plies[0].source == "entered"
    assert [step.done for step in Painter().snapshot(bench.table).waiting.steps] == [False]


@pytest.mark.parametrize("by", ["host", "button"])
def test_quiet_mode_holds_in_the_next_games_until_something_else_is_said(by):
    bench = Bench(quiet=False).begin()
    order(bench, "set_quiet", on=True)
    order(bench, "new_game", by, game="khet", options={})
    order(bench, "new_game", by, game="ataxx", options={})
    assert bench.table.state.quiet
    order(bench, "reset")
    order(bench, "new_game", by, game="khet", options={})
    assert bench.table.state.quiet
    assert dict(Painter().snapshot(bench.table).options)["quiet"] is True
    order(bench, "new_game", game="khet", options={"quiet": False})
    assert not bench.table.state.quiet


def test_the_button_goes_through_the_games_until_one_is_played():
    bench = Bench("khet")
    order(bench, "new_game", by="button", game="khet", options={})
    assert bench.table.state.name == list(GAMES)[1]
    for _ in range(len(GAMES) - 1):
        order(bench, "new_game", by="button", game="khet", options={})
    assert bench.table.state.name == "khet"
    bench.begin()
    order(bench, "new_game", by="button", game="khet", options={})
    assert (bench.table.state.name, bench.table.state.phase) == ("khet", "set-up")


@pytest.mark.parametrize("ended", [False, True])
def test_the_button_starts_the_game_again_that_is_played_at_this_table(ended):
    bench = Bench("ataxx", board="6", end_turn=True)
    bench.begin()
    if ended:
        order(bench, "resign", seat=0)
        assert bench.table.state.phase == "over"
    before = bench.table.state
    order(bench, "new_game", by="button", game="khet", options={"layout": "imhotep-2.0"})
    after = bench.table.state
    assert (after.name, after.options, after.table) == ("ataxx", before.options, before.table)
    assert (after.phase, after.plies) == ("set-up", ())


def test_the_button_starts_what_is_usual_here_while_no_game_is_on():
    bench = Bench("ataxx")
    order(bench, "reset")
    order(bench, "new_game", by="button", game="khet", options={"layout": "imhotep-2.0"})
    assert (bench.table.state.name, bench.table.state.options["layout"]) == ("khet", "imhotep-2.0")


def test_what_was_seen_of_another_game_is_not_how_this_one_looks():
    bench = Bench().begin()
    assert bench.table.known.looks
    order(bench, "new_game", game="khet")
    order(bench, "begin")
    assert bench.table.state.phase == "play"
    assert not bench.table.known.looks
