"""The start page and the list of games in Chromium."""

import unicodedata
from dataclasses import replace

import pytest
from browser_visit import Visit
from playwright.sync_api import expect
from web_fakes import playing, removing, won

from companion.referee.snapshot import Result, Step, Waiting

pytestmark = pytest.mark.browser


def test_the_start_page_says_once_whose_turn_it_is(visit: Visit) -> None:
    page = visit.go("/", playing(waiting=Waiting("Silver to move")))
    expect(page.locator("#now-waiting")).to_have_text("Silver to move.")
    visit.table.publish(removing())
    asked = "Take the silver pyramid off c7. It was hit on its open side."
    expect(page.locator("#now-waiting")).to_have_text(asked)
    visit.table.publish(playing(waiting=Waiting("Hands, please", steps=(Step("take the silver pyramid off c7"),))))
    expect(page.locator("#now-waiting")).to_have_text("Hands, please. Take the silver pyramid off c7.")


def test_the_screen_beside_the_table_ends_what_it_says_as_sentences_end(visit: Visit) -> None:
    question = Waiting("An answer is needed", "More than one action fits what is seen. Which was it?")
    page = visit.go("/", playing(waiting=question))
    expect(page.locator("#now-waiting")).to_have_text(f"An answer is needed. {question.why}")
    for text, told in (("Silver resigns: Red wins", "Silver resigns: Red wins."), ("Escaped: camel boy!",) * 2):
        visit.table.publish(replace(won(), result=Result("end", (1,), text, "won", "Red wins")))
        expect(page.locator("#now-waiting")).to_have_text(told)


@pytest.mark.parametrize(("width", "height", "text"), [(1280, 800, "100%"), (1920, 1080, "100%"), (360, 640, "200%")])
def test_the_screen_beside_the_table_tells_all_of_what_goes_on(
    visit: Visit, width: int, height: int, text: str
) -> None:
    visit.page.set_viewport_size({"width": width, "height": height})
    page = visit.go(
        "/", playing(title="Khet, Classic 2.0", waiting=Waiting("Silver to move, and " + "more to tell " * 9))
    )
    page.evaluate(f"document.documentElement.style.fontSize = '{text}'")
    for place in ("#now-title", "#now-waiting"):
        expect(page.locator(place)).to_be_visible()
        within = "e => e.getBoundingClientRect().bottom <= e.closest('.card').getBoundingClientRect().bottom"
        assert page.locator(place).evaluate(within)


def test_the_list_of_games_is_sifted_by_word_game_and_end(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [
        ("khet", "Khet", "Silver wins: the other pharaoh was hit."),
        ("khet", "Khet", "no result: an hour without a move"),
        ("chaos", "Chaos", ""),
        ("", "", "no result: only its beginning can be read by this version"),
    ]
    line = visit.table.games()[0]
    many = [{**line, "id": i, "game": g, "title": t, "result": r} for i, (g, t, r) in enumerate(kinds)]
    monkeypatch.setattr(visit.table, "games", lambda: many)  # the table is all tests' own
    page = visit.go("/games")
    shown = page.locator("#games li:visible")
    expect(shown).to_have_count(4)
    expect(shown.last.locator("a")).to_have_text("A game of another version")
    expect(page.locator("#of-game option")).to_have_text(["All games", "Khet", "Chaos"])
    page.fill("#filter", "pharaoh khet")
    expect(shown).to_have_count(1)
    page.fill("#filter", "")
    page.select_option("#of-game", "khet")
    expect(shown).to_have_count(2)
    page.select_option("#ended", "no")
    expect(shown).to_have_count(1)
    page.select_option("#of-game", "chaos")
    page.select_option("#ended", "yes")
    expect(page.locator("#none")).to_be_visible()


def test_a_name_in_the_list_of_games_is_found_however_its_accents_are_written(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (unicodedata.normalize(form, "Zoë (Silver)") for form in ("NFC", "NFD"))
    line = visit.table.games()[0]
    many = [{**line, "id": i, "about": about} for i, about in enumerate((one, other, "Ada (Silver)"))]
    monkeypatch.setattr(visit.table, "games", lambda: many)
    page = visit.go("/games")
    for typed in (unicodedata.normalize("NFC", "ZOË"), unicodedata.normalize("NFD", "ZOË"), "zoe"):
        page.fill("#filter", typed)
        expect(page.locator("#games li:visible")).to_have_count(2)
