"""For whom a phone acts: the buttons of a seat, of a host with a seat of their own, and what they take back."""

import re
import threading
from dataclasses import replace
from typing import Any

import pytest
from browser_visit import Visit, too_small
from playwright.sync_api import Page, expect
from web_fakes import playing, ruled, setting_up

from companion.journal.archive import MemoryArchive
from companion.referee.readmodel import Desk
from companion.referee.snapshot import Result, Snapshot, Step, Waiting

AS_CHOSEN = (("undo", "refuse"), ("end_turn", False), ("timeout", False))  # for the table

pytestmark = pytest.mark.browser


def seated(visit: Visit, seat: int = 0) -> Page:
    """The host's phone, which plays a seat of its own."""
    page = visit.as_host("/game", playing(seats=tuple(replace(s, player=None) for s in playing().seats)))
    page.wait_for_selector("#host-card:not([hidden])")
    page.locator("#seats button").nth(seat).click()
    page.fill("#field-player", "Ann")
    page.check("#field-claim")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#actions-head")).to_have_text(re.compile("^Your seat"))
    return page


def test_a_host_with_a_seat_gives_up_for_that_seat_alone(visit: Visit) -> None:
    page = seated(visit)
    visit.table.publish(replace(visit.table.state, to_move=1, number=60))
    expect(page.locator("#turn .who")).to_have_text("Red to move")
    page.click("#actions >> text=Offer a draw")
    assert visit.asked("offer_draw")[-1].arguments["seat"] == 0
    page.click("#actions >> text=Resign")
    expect(page.locator("#dialog-head")).to_have_text("Silver resigns?")
    expect(page.locator("#dialog p")).to_have_text("The game ends, and Red wins.")
    page.click("#dialog button[value=yes]")
    assert visit.asked("resign")[-1].arguments["seat"] == 0
    visit.at_rest().click("#main-bar >> text=Red’s action is final")
    visit.asked("end_turn")


def test_a_host_with_a_seat_answers_for_it_and_else_for_whoever_has_no_phone(visit: Visit) -> None:
    page = seated(visit, 1)
    for offered, answers in ((0, 1), (1, 0)):
        offer = {"draw_offered_by": offered, "draw_open": (answers,), "draw_text": f"{offered} offers a draw."}
        visit.table.publish(replace(visit.table.state, **offer, number=60 + offered))
        expect(page.locator("#draw")).to_have_text(f"{offered} offers a draw.")
        expect(page.locator("#announce")).to_contain_text(f"{offered} offers a draw.")
        visit.at_rest().click(
            f"#actions >> text=Accept {('Silver', 'Red')[offered]}’s draw{('', ' for Silver')[offered]}"
        )
        assert visit.asked("answer_draw", offered + 1)[-1].arguments["seat"] == answers


def test_who_has_to_answer_a_draw_is_told_so_above_the_board_and_led_to_the_buttons(visit: Visit) -> None:
    page = seated(visit, 1)
    words = "Silver offers a draw. Red has not answered yet."
    offer = {"draw_offered_by": 0, "draw_open": (1,), "draw_text": words}
    visit.table.publish(replace(visit.table.state, **offer, number=60))
    expect(page.locator("#now")).to_have_text(words)
    expect(page.locator("#now")).to_have_attribute("href", "#actions-card")
    hands = Waiting("Hands, please", "", (Step("take the red pyramid on b5 off the board", False, "b5"),))
    visit.table.publish(replace(visit.table.state, waiting=hands, number=61))
    expect(page.locator("#now")).to_have_text("Hands, please: take the red pyramid on b5 off the board")
    visit.table.publish(replace(visit.table.state, draw_open=(), draw_text="", waiting=Waiting("Wait"), number=62))
    expect(page.locator("#now")).to_have_text("Wait")


def test_a_host_who_offers_a_draw_is_not_urged_to_answer_it(visit: Visit) -> None:
    page = seated(visit, 1)
    words = "Red offers a draw. Silver has not answered yet."
    offer = {"draw_offered_by": 1, "draw_open": (0,), "draw_text": words, "waiting": Waiting("Silver to move")}
    visit.table.publish(replace(visit.table.state, **offer, number=60))
    expect(page.locator("#draw")).to_have_text(words)
    expect(page.locator("#now")).to_have_text("Silver to move")
    expect(page.locator("#actions")).to_contain_text("Accept Red’s draw for Silver")


def test_a_seat_that_a_new_game_lacks_is_none(visit: Visit) -> None:
    page = seated(visit, 1)
    visit.table.publish(replace(visit.table.state, seats=visit.table.state.seats[:1], to_move=0, number=60))
    expect(page.locator("#actions-head")).to_have_text("For Silver")
    page.click("#actions >> text=Resign")
    expect(page.locator("#dialog-head")).to_have_text("Silver resigns?")


def test_a_dialog_stays_open_where_the_table_tells_an_option_and_not_where_another_game_begins(visit: Visit) -> None:
    visit.log_in()
    set_up = replace(setting_up(), game_number=4, seats=playing().seats)
    page = visit.go("/game", set_up)
    page.locator("#seats button").first.click()
    page.fill("#field-player", "Zo")
    told = replace(set_up, number=set_up.number + 1, options=(("layout", "imhotep-2.0"),), last_text="It is that one.")
    visit.table.publish(told)
    expect(page.locator("#last")).to_have_text("It is that one.")
    expect(page.locator("#field-player")).to_have_value("Zo")
    visit.table.publish(replace(told, number=set_up.number + 2, game_number=5))
    expect(page.locator("#dialog")).to_be_hidden()


def test_a_host_without_a_seat_acts_for_whoever_moves(visit: Visit) -> None:
    page = visit.as_host("/game", playing(to_move=1))
    expect(page.locator("#actions-head")).to_have_text("For Red")
    page.click("#actions >> text=Offer a draw")
    assert visit.asked("offer_draw")[-1].arguments["seat"] == 1


def test_nobody_offers_a_draw_where_there_is_nobody_to_agree(visit: Visit) -> None:
    page = visit.as_host("/game", playing(draw_between=()))
    expect(page.locator("#actions")).to_contain_text("Resign")
    expect(page.locator("#actions")).not_to_contain_text("draw")


def test_an_end_is_announced_as_what_it_is(visit: Visit) -> None:
    lost = Result("resigned", (), "Kaka resigns: the game is lost", "lost", "The game is lost")
    page = visit.go("/game", playing(phase="over", to_move=None, result=lost))
    expect(page.locator("#result h2")).to_have_text("The game is lost")


def test_the_button_says_how_much_is_taken_back(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    undo = page.locator("#host-tools button", has_text="Undo")
    expect(undo).to_have_text("Undo the last action")
    page.locator("#record button").nth(4).click()
    expect(undo).to_have_text("Undo to after action 5")
    undo.click()
    expect(page.locator("#dialog")).to_contain_text("Everything after action 5 is taken back.")
    page.click("#dialog button[value=yes]")
    assert visit.asked("undo")[-1].arguments == {"ply": 5}
    expect(undo).to_have_text("Undo the last action")
    page.locator("#record button").last.click()
    expect(page.locator("#last")).to_have_text(re.compile(r"^12\."))
    expect(undo).to_have_text("Undo the last action")  # the last line shows what is now
    undo.click()
    page.click("#dialog button[value=yes]")
    assert visit.asked("undo", 2)[-1].arguments == {}


def test_of_an_end_that_players_agreed_on_the_button_takes_back_the_end_alone(visit: Visit) -> None:
    visit.log_in()
    agreed = Result("agreed", (), "The players agree on a draw", "drawn", "A draw", said=True)
    page = visit.go("/game", playing(phase="over", to_move=None, result=agreed))
    page.locator("#host-tools button", has_text="Undo the end").click()
    expect(page.locator("#dialog")).to_contain_text("The end is taken back. Play goes on as the pieces stand.")
    page.click("#dialog button[value=yes]")
    assert visit.asked("undo")[-1].arguments == {}
    visit.table.publish(playing(number=61))
    expect(page.locator("#host-tools button", has_text="Undo")).to_have_text("Undo the last action")


def test_the_host_chooses_otherwise_for_the_table_while_a_game_is_on(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit.table, "choices", Desk(MemoryArchive()).choices)  # the table is all tests' own
    visit.log_in()
    now = {"seats": 2, "dice": "companion", "undo": "offer", "end_turn": True, "timeout": False, "quiet": False}
    page = visit.go("/game", playing(game="kaxxt", options=tuple(now.items())))
    page.click("#host-tools >> text=Options")
    labels = ["End-of-turn button", "When a table is put back", "Reset when nobody plays", "Dice"]
    expect(page.locator("#dialog label")).to_have_text(labels)
    expect(page.locator("#dialog option:checked")).to_have_text(["Ask", "Rolled by the companion"])
    expect(page.get_by_label("End-of-turn button")).to_be_checked()
    expect(page.get_by_label("Reset when nobody plays")).not_to_be_checked()
    assert too_small(page) == []
    page.get_by_label("Dice").select_option(label="Read by the camera")
    page.get_by_label("End-of-turn button").uncheck()
    page.click("#dialog >> text=Change")
    assert visit.asked("set_options")[-1].arguments == {"options": {"dice": "camera", "end_turn": False}}
    page.click("#host-tools >> text=Options")
    page.click("#dialog >> text=Change")
    expect(page.locator("#dialog")).to_be_hidden()
    visit.table.publish(playing(phase="idle", game="", record=(), seats=(), options=()))
    expect(page.locator("#host-tools > *").first).to_have_text("Start a game")
    expect(page.locator("#host-tools >> text=Options")).to_have_count(0)
    assert len(visit.asked("set_options")) == 1


def test_what_hands_are_asked_for_is_announced_with_whose_turn_it_is(visit: Visit) -> None:
    page = visit.go("/game", playing(waiting=Waiting("Silver to move")))
    steps = (Step("take the red pyramid away", done=True), Step("take off the board what lies over e4"))
    visit.table.publish(playing(waiting=Waiting("Silver to move", steps=steps)))
    expect(page.locator("#announce")).to_have_text("Silver to move: take off the board what lies over e4")


def test_everybody_is_told_what_the_host_chose_otherwise(visit: Visit) -> None:
    page = visit.go("/game", playing())
    expect(page.locator("#chosen")).to_have_text("")
    visit.table.publish(playing(chosen_anew="Changed by the host. Dice: Read by the camera"))
    for place in ("#chosen", "#announce"):
        expect(page.locator(place)).to_have_text("Changed by the host. Dice: Read by the camera")


def host_of_a_slow_machine(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> tuple[Page, threading.Event]:
    """The choices come once the event is set."""
    choices, may_answer = Desk(MemoryArchive()).choices(), threading.Event()

    def slow() -> list[dict[str, Any]]:
        may_answer.wait(20)
        return choices

    monkeypatch.setattr(visit.table, "choices", slow)
    page = visit.as_host("/game", playing(game="kaxxt", options=(("dice", "camera"), *AS_CHOSEN)))
    page.locator("#host-tools >> text=Options").evaluate("button => { button.click(); button.click(); }")
    return page, may_answer


def test_options_are_those_of_the_game_that_is_on_when_they_are_shown(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, may_answer = host_of_a_slow_machine(visit, monkeypatch)
    visit.table.publish(playing(game="khet", game_number=2, title="Another game", options=AS_CHOSEN))
    expect(page.locator("#title")).to_have_text("Another game")
    may_answer.set()
    expect(page.get_by_label("When a table is put back")).to_have_value("2")
    expect(page.get_by_label("Dice")).to_have_count(0)
    page.get_by_label("Reset when nobody plays").check()
    page.click("#dialog >> text=Change")
    assert visit.asked("set_options")[-1].arguments == {"options": {"timeout": True}}


def test_options_that_come_late_take_the_place_of_no_other_question(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, may_answer = host_of_a_slow_machine(visit, monkeypatch)
    page.locator("#host-tools >> text=End without result").evaluate("button => button.click()")
    with page.expect_response("**/api/choices"), page.expect_response("**/api/choices"):
        may_answer.set()
    visit.at_rest()
    expect(page.locator("#dialog-head")).to_have_text("End this game?")
    page.click("#dialog >> text=Cancel")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (replace(ruled(), question=None), "What was refused does not become final: put it right first."),
        (ruled(), "Answer the question first."),
    ],
)
def test_who_says_that_an_action_is_final_is_told_why_none_becomes_so(
    visit: Visit, state: Snapshot, words: str
) -> None:
    page = visit.as_host("/game", state)
    visit.at_rest().locator("#main-bar button").click()
    visit.asked("end_turn")
    expect(page.locator("#toast")).to_have_text(words)


@pytest.mark.parametrize(("button", "name"), [("We allow it", "allow"), ("Undo the last action", "undo")])
def test_a_dialog_is_about_the_table_that_it_was_opened_over(visit: Visit, button: str, name: str) -> None:
    page = visit.as_host("/game", replace(ruled(), ruling=replace(ruled().ruling, allows="action")))
    seen = visit.table.state.number
    page.get_by_role("button", name=button).click()
    visit.table.publish(replace(ruled(), number=seen + 1, last_text="Another action."))
    expect(page.locator("#last")).to_have_text("Another action.")
    page.click("#dialog button[value=yes]")
    assert visit.asked(name)[-1].expects == seen
    expect(page.locator("#toast")).to_have_text("Somebody was quicker: look at the new state.")
    visit.faults.clear()  # the browser notes the refusal
