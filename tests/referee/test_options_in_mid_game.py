"""What was chosen for the table is chosen otherwise while a game is on it: it holds from then on."""

import pytest
from desks import desk_over
from kdak_players import Evening
from referee_tables import Bench, comes_back, order
from towers import Tower

from companion.errors import CommandRefused, UnreadableText
from companion.exports import as_html
from companion.journal.export import as_json, as_text
from companion.journal.restore import read_game
from companion.referee.commands import Command
from companion.referee.happenings import OptionSet
from companion.referee.picture import Painter
from companion.referee.settings import Settings
from companion.referee.state import fold_all
from companion.referee.table import Table


def test_dice_that_the_companion_was_to_roll_are_read_where_they_lie_from_now_on() -> None:
    tower = Tower(5, variant="cooperative")
    tower.dice = [(300.0, -90.0, "4", 0.98)]
    evening = Evening(tower).begin().until("roll")
    evening.look()
    before = evening.desk.snapshot()
    assert before.rolls
    assert before.waiting.text.endswith("roll the die")
    now = evening.desk.submit(Command("set_options", {"options": {"dice": "camera"}}))
    assert (now.rolls, now.pieces, now.record) == ("", before.pieces, before.record)
    assert now.waiting.text.endswith("throw the die")
    assert dict(now.options)["dice"] == "camera"
    tower.dice = [(210.0, 60.0, "2", 0.97)]
    evening.look(lambda: evening.read[-1] == "r2")
    evening.desk.submit(Command("set_options", {"options": {"dice": "entered"}}))
    now = evening.desk.submit(Command("undo"))
    assert dict(now.options)["dice"] == "entered", "who takes an action back takes back nothing else"
    assert "r4" in [offer.move for offer in now.offers]
    assert evening.desk.submit(Command("enter_move", {"move": "r4"})).record[-1].move == "r4"


def test_a_table_that_is_put_back_is_taken_back_unasked_from_now_on() -> None:
    bench = Bench().begin().play("c5+")
    order(bench, "set_options", options={"undo": "take"})
    assert bench.show(bench.game.layout(bench.table.state.first)).kind == "take-back"
    assert bench.table.question is None
    assert not bench.table.state.plies


def test_an_action_that_waits_for_the_button_is_final_once_there_is_none() -> None:
    bench = Bench("ataxx", board=5).begin()
    order(bench, "set_options", options={"end_turn": True})
    assert bench.act("b5").kind == "nothing new"
    assert bench.table.pending is not None
    order(bench, "set_options", options={"end_turn": False})
    assert not bench.table.state.plies
    bench.act("b5")
    assert bench.moves == ["b5"]


def test_the_hour_begins_when_somebody_wants_one() -> None:
    bench = Bench().begin()
    bench.now += 2 * Settings().timeout_s
    order(bench, "set_options", options={"timeout": True})
    bench.table.tick()
    assert bench.table.state.phase == "play"
    bench.now += Settings().timeout_s + 1.0
    bench.table.tick()
    assert bench.table.state.phase == "idle"


def test_everybody_is_told_what_was_chosen_otherwise_until_the_next_game() -> None:
    bench, painter = Bench("chaos"), Painter()
    order(bench, "set_options", options={"end_turn": True, "undo": "take"})
    order(bench, "set_options", options={"dice": "camera", "undo": "take"})
    told = "End-of-turn button: yes · When a table is put back: Take back · Dice: Told by what is done"
    assert painter.snapshot(bench.table).chosen_anew == f"Changed by the host. {told}"
    assert painter.snapshot(Table.of_record(fold_all(bench.archive.events(1)), 0)).chosen_anew.endswith(told)
    order(bench, "set_options", options={"end_turn": False})
    assert painter.snapshot(bench.table).chosen_anew.endswith("Dice: Told by what is done · End-of-turn button: no")
    order(bench, "new_game", game="khet", options={"end_turn": True})
    assert painter.snapshot(bench.table).chosen_anew == ""
    order(bench, "set_options", options={"dice": "camera"})
    assert painter.snapshot(bench.table).chosen_anew == "", "there are no dice in Khet"


def test_exports_tell_what_was_chosen_otherwise() -> None:
    bench = Bench("chaos")
    order(bench, "set_options", options={"end_turn": True, "undo": "take"})
    told = "Changed by the host. End-of-turn button: yes · When a table is put back: Take back."
    for order_of in ((), ("khet",)):
        for game in order_of:
            order(bench, "new_game", game=game)
        events = bench.archive.events(1)
        assert Painter().recorded(events).ending.endswith(told)
        assert told in as_html(1, events, True)
        assert "[changed end_turn yes]\n[changed undo take]\n" in as_text(1, events)


def test_a_choice_of_another_version_is_not_told_and_stops_nothing() -> None:
    bench = Bench("chaos")
    bench.table.record(OptionSet("dice", "robot"), OptionSet("undo", "take"))
    assert Painter().snapshot(bench.table).chosen_anew == "Changed by the host. When a table is put back: Take back"


@pytest.mark.parametrize(("option", "value"), [("dice", "Camera"), ("end_turn", "yes"), ("dice", "robot"), ("x", 1)])
def test_a_file_with_what_nobody_can_choose_is_refused(option: str, value: str | int) -> None:
    bench = Bench("chaos")
    bench.table.record(OptionSet(option, value))
    with pytest.raises(UnreadableText):
        read_game(as_json(1, bench.archive.events(1)).encode())


def test_it_is_in_the_record_once_and_comes_back_with_the_game() -> None:
    bench = Bench(dice="camera").begin()
    for _ in range(2):
        order(bench, "set_options", options={"dice": "camera", "undo": "refuse", "end_turn": "yes"})
    assert [e for e in bench.archive.events(1) if isinstance(e, OptionSet)] == [
        OptionSet("undo", "refuse"),
        OptionSet("end_turn", True),
    ]
    assert fold_all(bench.archive.events(1)).table == bench.table.state.table
    assert comes_back(bench.archive)
    assert Painter().snapshot(bench.table).phase == "play"


@pytest.mark.parametrize("put_away", [False, True])
def test_the_next_game_is_offered_with_it_also_after_a_restart(tmp_path, put_away) -> None:
    path = tmp_path / "journal.sqlite3"
    with desk_over(path) as desk:
        desk.submit(Command("new_game", {"game": "chaos", "options": {"seats": 3, "undo": "take"}}))
        desk.submit(Command("set_options", {"options": {"dice": "entered"}}))
        if put_away:
            desk.submit(Command("reset"))
    with desk_over(path) as desk:
        desk.resume()
        last = next(choice["last"] for choice in desk.choices() if choice["name"] == "chaos")
        assert (last["seats"], last["undo"], last["dice"]) == (3, "take", "entered")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"layout": "dynasty-2.0"}, "there is no option 'layout' (there are end_turn, undo, timeout, dice)"),
        ({"quiet": True}, "there is no option 'quiet'"),
        (
            {"undo": "refuse", "dice": "thrown"},
            "option 'dice' cannot be 'thrown'; it can be companion, camera, entered",
        ),
    ],
)
def test_what_is_the_games_own_or_no_choice_is_refused_as_a_whole(options, said) -> None:
    bench = Bench().begin()
    before = dict(bench.table.state.table)
    with pytest.raises((CommandRefused, UnreadableText)) as refused:
        order(bench, "set_options", options=options)
    assert said in str(refused.value)
    assert dict(bench.table.state.table) == before
    order(bench, "reset")
    with pytest.raises(CommandRefused, match="No game is on"):
        order(bench, "set_options", options={"undo": "take"})
