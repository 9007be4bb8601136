"""The end of a game and what comes after it, and pieces of a free table in words."""

from dataclasses import replace

import pytest
from browser_visit import Visit
from free_states import kaxxt
from playwright.sync_api import expect
from web_fakes import playing, won

from companion.journal.archive import MemoryArchive
from companion.referee.readmodel import Desk
from companion.referee.snapshot import Step, Waiting

pytestmark = pytest.mark.browser


def test_how_a_game_ended_is_said_once_and_the_host_is_led_on(visit: Visit) -> None:
    visit.log_in()
    end = won()
    page = visit.go("/game", replace(end, waiting=Waiting("The game is over", f"{end.result.text.rstrip('.')}.")))
    expect(page.locator("#result")).to_contain_text(end.result.text)
    expect(page.locator("#why")).to_be_hidden()
    expect(page.locator("#host-tools button", has_text="End without result")).to_have_count(0)
    page.click("#host-tools >> text=Put the game away")
    visit.asked("reset")
    page.click("#result >> text=Play another game")
    page.wait_for_url("**/new")


def test_a_window_is_named_for_the_end_and_asks_for_no_action_after_it(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    expect(page.locator("#move-form")).to_be_visible()
    visit.table.publish(won())
    end = won().result
    expect(page).to_have_title(end.head)
    expect(page.locator("#move-form")).to_be_hidden()
    expect(page.locator("#host-help")).to_be_visible()


def test_hands_that_put_the_pieces_away_are_not_read_out(visit: Visit) -> None:
    page = visit.go("/game", playing())
    visit.table.publish(won())
    end = won().result
    expect(page.locator("#announce")).to_contain_text(end.text)
    visit.table.publish(replace(won(), sight="hand", sight_text="Something is moving"))
    expect(page.locator("#sight")).to_have_text("Something is moving")
    expect(page.locator("#announce")).to_contain_text(end.text)


def test_who_watches_is_not_led_to_what_only_a_host_may_do(visit: Visit) -> None:
    page = visit.go("/game", won())
    expect(page.locator("#result h2")).to_be_visible()
    expect(page.locator("#result a")).to_have_count(0)


def test_a_new_game_is_offered_as_the_last_one_was(visit: Visit) -> None:
    visit.log_in()
    options = (("layout", "imhotep-2.0"), ("both_pharaohs_tie", True), ("unknown", 3))
    page = visit.go("/new", replace(won(), options=options))
    expect(page.locator("#option-layout option:checked")).to_have_text("Imhotep 2.0")
    expect(page.locator("#option-both_pharaohs_tie")).to_be_checked()
    page = visit.go("/new", replace(won(), game="chaos", options=options))
    expect(page.locator("#option-layout option:checked")).to_have_text("Classic 2.0")
    expect(page.locator("#option-both_pharaohs_tie")).not_to_be_checked()


def test_what_was_left_to_the_table_is_offered_so_again(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    khet = visit.table.choices()[0]
    usual = khet["options"][0]["default"]
    monkeypatch.setattr(visit.table, "choices", lambda: [{**khet, "last": {"layout": usual}}])
    visit.log_in()
    page = visit.go("/new", replace(won(), options=(("layout", "imhotep-2.0"),)))  # as the table told it
    assert page.locator("#option-layout option:checked").get_attribute("value") == str(
        khet["options"][0]["choices"].index(usual)
    )


def test_a_new_game_is_offered_as_quiet_as_the_table_is_now(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    khet = visit.table.choices()[0]
    switch = {**khet["options"][0], "name": "quiet", "choices": [False, True], "said": ["no", "yes"], "default": False}
    monkeypatch.setattr(visit.table, "choices", lambda: [{**khet, "options": [*khet["options"], switch]}])
    visit.log_in()
    for quiet in (True, False):  # switched since the game began
        page = visit.go("/new", replace(won(), options=(("quiet", not quiet),), quiet=quiet))
        expect(page.locator("#option-quiet")).to_be_checked(checked=quiet)


def test_at_a_table_without_a_game_the_one_that_was_played_last_is_offered_first(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    khet = visit.table.choices()[0]
    others = [{**khet, "name": "other", "title": "Another"}, {**khet, "last": {"layout": "imhotep-2.0"}}]
    monkeypatch.setattr(visit.table, "choices", lambda: others)  # the table is all tests' own
    page = visit.as_host("/new", replace(won(), phase="idle", game=None, options=()))
    expect(page.locator("#game option:checked")).to_have_text("Khet")
    expect(page.locator("#option-layout option:checked")).to_have_text("Imhotep 2.0")


@pytest.mark.parametrize("game", ["khet", "chaos", None])
def test_what_was_chosen_for_the_table_is_offered_for_each_game_and_as_quiet_as_the_host_wants_it_now(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, game: str | None
) -> None:
    khet = next(choice for choice in Desk(MemoryArchive()).choices() if choice["name"] == "khet")
    then = {"undo": "take", "end_turn": True, "quiet": False}
    others = [{**khet, "last": then}] if game is None else [khet]
    monkeypatch.setattr(visit.table, "choices", lambda: others)  # the table is all tests' own
    page = visit.as_host(
        "/new", replace(won(), game=game, options=() if game is None else tuple(then.items()), quiet=True)
    )
    expect(page.locator("#option-quiet")).to_be_checked()
    expect(page.locator("#option-end_turn")).to_be_checked()
    expect(page.locator("#option-undo option:checked")).to_have_text("Take back")
    expect(page.locator("#option-timeout")).not_to_be_checked()


def test_steps_begin_as_sentences_do(visit: Visit) -> None:
    page = visit.go("/game", playing(waiting=Waiting("Hands, please", steps=(Step("turn the card to the south"),))))
    expect(page.locator("#steps li")).to_have_text("Turn the card to the south (to do)")


def test_pieces_of_a_free_table_are_told_left_and_right_up_and_down(visit: Visit) -> None:
    state = kaxxt()
    piece = replace(state.pieces[0], words="the card", x_mm=-12.4, y_mm=30.0)
    page = visit.go("/game", replace(state, pieces=(piece, replace(piece, x_mm=5.0, y_mm=-109.0))))
    page.click("summary >> text=The board in words")
    lines = page.locator("#words li")
    expect(lines).to_have_text(["the card, 12 mm left, 30 mm up", "the card, 5 mm right, 109 mm down"])
