"""What shows the same is left as it is: under a finger, under the keyboard's focus, with what was chosen in it."""

from dataclasses import replace

import pytest
from browser_visit import Visit
from free_states import chaos, kaxxt, tower
from playwright.sync_api import expect
from web_fakes import discs, playing, record, ruled, setting_up

from companion.referee.snapshot import Offer, Question, Snapshot, Waiting

pytestmark = pytest.mark.browser
DRAWS = tuple(Offer(f"d{i}", f"Player 2 draws {i}.") for i in range(1, 20))
ROLLS = tuple(
    Offer(f"r{i},{j}", f"Player 2 rolls {i} and {j}.", (f"{i} (red)", f"{j} (red)"))
    for i in range(1, 5)
    for j in range(1, 5)
)


def hand_over(visit: Visit, state: Snapshot) -> None:
    """The same, with a hand in view, once the page has drawn it."""
    visit.table.publish(replace(state, sight="hand", sight_text="A hand is over the table."))
    expect(visit.page.locator("#turn .see")).to_have_attribute("data-sight", "hand")


def test_what_was_chosen_in_a_list_stays_chosen(visit: Visit) -> None:
    visit.log_in()
    state = replace(chaos(), offers=DRAWS)
    page = visit.go("/game", state)
    page.select_option("#offers select", label="Player 2 draws 7.")
    hand_over(visit, state)
    page.click("#offers >> text=Enter")
    assert visit.asked("play_move")[-1].arguments == {"move": "d7"}


def test_a_throw_of_two_dice_is_told_die_by_die(visit: Visit) -> None:
    visit.log_in()
    state = replace(chaos(), offers=ROLLS)
    page = visit.go("/game", state)
    page.get_by_label("Die 1 shows").select_option(label="3 (red)")
    hand_over(visit, state)
    page.get_by_label("Die 2 shows").select_option(label="4 (red)")
    page.click("#offers >> text=Enter")
    assert visit.asked("play_move")[-1].arguments == {"move": "r3,4"}


def test_the_keyboard_keeps_its_place(visit: Visit) -> None:
    page = visit.as_host("/game", ruled())
    page.locator("details", has_text="The board in words").locator("summary").click()
    for place in ("#ruling button", "#question button", "#words button", "#seats button", "#host-tools button"):
        page.locator(place).first.focus()
        for sight in ("seeing", "hand"):
            visit.table.publish(replace(ruled(), sight=sight))
            expect(page.locator("#turn .see")).to_have_attribute("data-sight", sight)
        expect(page.locator(place).first).to_be_focused()


def test_what_changes_is_drawn_all_the_same(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    page.click("#actions >> text=Resign")
    expect(page.locator("#dialog-head")).to_have_text("Silver resigns?")
    page.click("#dialog button[value=no]")
    visit.table.publish(playing(to_move=1, number=60))
    page.click("#actions >> text=Resign")  # the same word, of another seat
    expect(page.locator("#dialog-head")).to_have_text("Red resigns?")


def test_a_disc_is_put_down_again_once_somebody_has_moved(visit: Visit) -> None:
    page = visit.go("/game", discs())
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).not_to_be_empty()
    visit.table.publish(discs(sight="hand"))
    expect(page.locator("#turn .see")).to_have_attribute("data-sight", "hand")
    expect(page.locator("#reach")).not_to_be_empty()
    visit.table.publish(discs(to_move=1, record=record(1), number=5))
    expect(page.locator("#turn .who")).to_have_text("White to move")
    visit.table.publish(discs(record=record(2), number=7))
    expect(page.locator("#turn .who")).to_have_text("Black to move")
    expect(page.locator("#reach")).to_be_empty()


@pytest.mark.parametrize("state", [kaxxt, chaos, tower, discs, playing])
def test_what_is_urgent_stands_in_view_and_leads_to_where_it_is_told(visit: Visit, state) -> None:
    page = visit.go("/game", state())
    now, view = page.locator("#now"), page.viewport_size
    waiting = state().waiting
    expect(now).to_have_text(": ".join([waiting.text, *(step.text for step in waiting.steps[:1])]))
    ruling, question = ruled().ruling, ruled().question
    assert ruling
    assert question
    visit.table.publish(replace(state(), question=question))
    expect(now).to_have_text(question.text)
    visit.table.publish(replace(state(), question=question, ruling=ruling))
    expect(now).to_have_text(f"Not allowed: {ruling.text}")
    box = now.bounding_box()
    assert box["y"] + box["height"] < view["height"] / 2
    now.click()
    expect(page.locator("#ruling")).to_be_in_viewport()


@pytest.mark.parametrize("sight", ["dark", "moved", "frozen", "lost", "no camera"])
def test_why_nothing_is_seen_stands_in_view(visit: Visit, sight: str) -> None:
    why = "It is too dark to see the table: more light, please"
    page = visit.go("/game", playing(sight=sight, sight_text=why))
    expect(page.locator("#now")).to_have_text(why)
    top = page.locator("#board").bounding_box()
    visit.table.publish(playing(sight="hand", sight_text="A hand is over the table."))
    expect(page.locator("#now")).to_have_text(playing().waiting.text)
    assert page.locator("#board").bounding_box() == pytest.approx(top, abs=0.5)  # of a pixel
    visit.table.publish(replace(ruled(), sight=sight, sight_text=why))
    expect(page.locator("#now")).to_contain_text("Not allowed")


def test_who_looks_back_is_told_so_and_the_table_stays_where_it_is(visit: Visit) -> None:
    page = visit.go("/game", playing())
    page.locator("#back").hover()  # and so scroll there
    before = page.evaluate("scrollY")
    page.click("#back")
    expect(page.locator("#now")).to_contain_text("Looking back, at action 12.")
    page.click("#back")
    expect(page.locator("#now")).to_contain_text("Looking back, at action 11.")
    assert page.evaluate("scrollY") == before
    expect(page.locator("#record [aria-current]")).to_contain_text("11")
    visit.table.publish(ruled())
    expect(page.locator("#now")).to_contain_text("Not allowed")
    visit.table.publish(playing())
    page.click("#now")
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#now")).to_have_text(playing().waiting.text)


def test_a_question_is_read_out_with_its_answers(visit: Visit) -> None:
    page = visit.go("/game", playing())
    question = ruled().question
    assert isinstance(question, Question)
    visit.table.publish(playing(question=question, waiting=Waiting("An answer is needed")))
    expect(page.locator("#announce")).to_have_text(f"{question.text} Moved to b4, or Turned on c4?")


def test_a_dialog_ends_with_the_game_that_it_is_about(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    visit.tap("[data-cell=c4]", position={"x": 3, "y": 3})
    expect(page.locator("#dialog-head")).to_have_text("Square c4")
    visit.table.publish(playing(sight="hand"))
    expect(page.locator("#dialog")).to_be_visible()
    visit.table.publish(setting_up())
    expect(page.locator("#dialog")).to_be_hidden()
    assert not [command for command in visit.table.asked if command.name == "correct"]


def test_a_question_right_after_another_loses_neither_answer(visit: Visit) -> None:
    page = visit.go("/game", playing())
    answers = page.evaluate(
        """async () => {
            const { ask } = await import('/static/widgets.js');
            const press = (answer) => document.querySelector(`#dialog button[value=${answer}]`).click();
            const first = ask('One');
            press('yes');
            const second = ask('Two');
            const one = await first;
            await new Promise((done) => setTimeout(done, 200)); // that the first has closed is told of by now
            const open = document.querySelector('#dialog').open;
            press('no');
            return [one instanceof FormData, open, await second];
        }"""
    )
    assert answers == [True, True, None]


def test_who_is_joining_goes_on_though_the_game_begins(visit: Visit) -> None:
    page = visit.go("/game", setting_up())
    page.click("#seats >> text=Join")
    page.fill("#field-player", "Bob")
    visit.table.publish(playing())
    expect(page.locator("#turn .who")).to_have_text("Silver to move")
    expect(page.locator("#dialog")).to_be_visible()
    assert page.input_value("#field-player") == "Bob"


def test_a_press_before_anything_is_seen_is_answered(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    page.click("#main-bar >> text=My action is final")
    expect(page.locator("#toast")).to_have_text("Heard. As soon as an action is seen, it is final.")
    page.click("#toast")
    expect(page.locator("#toast")).to_be_hidden()


def test_two_taps_start_one_game(visit: Visit) -> None:
    page = visit.as_host("/new", setting_up())
    expect(page.locator("#note")).to_contain_text("is being set up: starting another one ends it without a result.")
    page.wait_for_selector("#go:not([disabled])")
    page.locator("#go").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_url("**/game")
    assert len(visit.asked("new_game")) == 1


def test_a_name_that_was_typed_is_kept_where_the_pin_was_wrong(visit: Visit) -> None:
    page = visit.go("/game", playing())
    page.click("#seats >> text=Join")
    page.fill("#field-player", "Bob")
    page.fill("#field-pin", "99999999")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog p")).to_contain_text("PIN")
    assert page.input_value("#field-player") == "Bob"
    visit.faults.clear()  # the browser notes the refusal


def test_a_table_cannot_be_dragged_out_of_view(visit: Visit) -> None:
    page = visit.go("/game", chaos())
    page.click("#closer")
    page.click("#closer")
    box = page.locator("#board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(8):
        page.mouse.move(x - 100, y)
        page.mouse.down()
        page.mouse.move(x + 120, y, steps=4)
        page.mouse.up()
    left, _, wide, _ = (float(part) for part in (page.get_attribute("#board", "viewBox") or "").split())
    assert left >= -chaos().board.width_mm / 2 - wide / 2 - 1


@pytest.mark.parametrize("colour", ["gray", "pink"])
def test_a_piece_is_said_to_be_of_any_colour_that_is_played(visit: Visit, colour: str) -> None:
    visit.log_in()
    state = chaos()
    pieces = (replace(state.pieces[0], colour=colour), *state.pieces[1:])
    page = visit.go("/game", replace(state, pieces=pieces))
    page.wait_for_selector("#board.may-correct")
    page.locator("details", has_text="The board in words").locator("summary").click()
    page.locator("#words button").first.click()
    assert page.input_value("#field-colour") == colour
