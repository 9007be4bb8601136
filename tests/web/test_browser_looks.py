"""How the pages look at a phone's width, by day and by night: lines, the head, what is shown while no game is on."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser_visit import PHONE, Visit, too_small
from flask import Blueprint
from free_states import chaos, hexagon, kaxxt, tower
from playwright.sync_api import Browser, Page, expect
from web_fakes import FakeTable, discs, playing, record, seats

from companion.referee.snapshot import PieceView, Snapshot, Waiting
from companion.web import ExtraPages, WebSettings, build_app, serve

NARROW = {"width": 390, "height": 844}
PLAIN = 3.0  # contrast that a line needs against what it is drawn on (WCAG 1.4.11)
# of all colours that a seat may have, against the card that the strip lies on
CONTRASTS = """async () => {
  const { PALETTE, lineShade } = await import('/static/colours.js');
  const light = (r, g, b) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const card = light(...getComputedStyle(document.querySelector('.card')).backgroundColor.match(/\\d+/g).map(Number));
  return Object.keys(PALETTE).map((colour) => {
    const line = light(...lineShade({ colour }, 0).match(/\\w\\w/g).map((two) => parseInt(two, 16)));
    return [colour, (Math.max(line, card) + 0.05) / (Math.min(line, card) + 0.05)];
  });
}"""
SHADES = """async (colours) => {
  const { lineShade } = await import('/static/colours.js');
  return colours.map((colour, i) => lineShade({ colour }, i));
}"""
# what a window of another size asks for is drawn before the second frame
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
def test_the_course_of_a_game_shows_by_day_and_by_night(visit: Visit) -> None:
    course = tuple(replace(ply, scores=(2 + i, 9 - i)) for i, ply in enumerate(record(8)))
    page = visit.go("/game", discs(record=course))
    faint = [(colour, contrast) for colour, contrast in page.evaluate(CONTRASTS) if contrast < PLAIN]
    assert faint == []
    drawn = page.locator("#strip .strip-line").evaluate_all("all => all.map((line) => line.getAttribute('stroke'))")
    seats = [seat.colour for seat in discs().seats]
    assert drawn == page.evaluate(SHADES, seats)


def test_a_tower_is_framed_as_a_tower_whatever_was_played_before(visit: Visit) -> None:
    page = visit.go("/game", discs())
    board = page.locator("#board")
    assert board.evaluate("e => e.classList.contains('discs')")
    visit.table.publish(tower())
    expect(page.locator("#board .tower-back")).to_have_count(1)
    assert not board.evaluate("e => e.classList.contains('discs')")


def test_while_no_game_is_on_there_are_no_players_and_no_square_to_tap(visit: Visit) -> None:
    page = visit.as_host("/game", Snapshot(1, board=playing().board))
    expect(page.locator("#host-card")).to_be_visible()
    for hidden in ("#seats-card", "#host-help", "#move-form"):
        expect(page.locator(hidden)).to_be_hidden()
    visit.table.publish(playing())
    for shown in ("#seats-card", "#host-help", "#move-form"):
        expect(page.locator(shown)).to_be_visible()


def test_names_run_as_their_script_does_and_the_words_beside_them_as_theirs(visit: Visit) -> None:
    page = visit.go("/game", playing(seats=seats(players=("!فاطمة", "Ada!"))))
    for place in ("#turn .player bdi", "#seats li:nth-child(1) bdi"):
        expect(page.locator(place)).to_have_text("!فاطمة")
        assert page.locator(place).evaluate("name => getComputedStyle(name).direction") == "rtl"
    assert page.locator("#seats li:nth-child(2) bdi").evaluate("name => getComputedStyle(name).direction") == "ltr"
    assert page.locator("#turn").evaluate("turn => getComputedStyle(turn).direction") == "ltr"


def test_the_list_counts_one_action_as_one(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    line = visit.table.games()[0]
    monkeypatch.setattr(visit.table, "games", lambda: [{**line, "plies": 1}, {**line, "plies": 2}])
    page = visit.go("/games")
    assert [words.split(" · ")[1] for words in page.locator("#games .quiet-text").all_inner_texts()] == [
        "1 action",
        "2 actions",
    ]


SIGHTS = {
    "seeing": "The whole board is in view.",
    "hand": "Something is moving: waiting until the table is still.",
    "moved": "The camera was moved: looking for the board.",
    "lost": "It is late.",
}


@pytest.mark.parametrize(
    ("width", "text", "still"),
    [
        (320, "100%", "#board, #seats"),
        (390, "100%", "#board, #seats"),
        (320, "200%", "#board"),
        (360, "200%", "#board"),
    ],
)
def test_nothing_jumps_when_a_hand_comes_and_goes(visit: Visit, width: int, text: str, still: str) -> None:
    visit.page.set_viewport_size({"width": width, "height": 740})
    players = seats(players=("Bartholomew Featherstonehaugh-Smythe", None))
    page = visit.go("/game", playing(sight="lost", to_move=0, seats=players))
    page.evaluate(f"document.documentElement.style.fontSize = '{text}'")
    expect(page.locator("#turn .see")).to_have_attribute("data-sight", "lost")  # so that each state below is awaited
    tops = set()
    for sight, words in SIGHTS.items():
        why = words if sight == "hand" else ""  # said once
        waiting = Waiting("Silver to move", why)
        visit.table.publish(playing(to_move=0, seats=players, sight=sight, sight_text=words, waiting=waiting))
        expect(page.locator("#turn .see")).to_have_attribute("data-sight", sight)
        expect(page.locator("#why, #sight", has_text=words)).to_have_count(1)
        tops.add(tuple(page.locator(still).evaluate_all("all => all.map((e) => e.getBoundingClientRect().top)")))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(tops) == 1


@pytest.mark.parametrize("state", [playing, discs, hexagon, kaxxt, chaos, tower])
def test_a_board_can_be_read_on_a_phone_on_its_side_and_in_a_low_window(
    visit: Visit, state: Callable[[], Snapshot]
) -> None:
    page = visit.go("/game", state())
    for width, height in ((740, 360), (568, 320), (1280, 600), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        page.evaluate(DRAWN)
        assert too_small(page) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)


@pytest.mark.parametrize("state", [playing, discs, hexagon, kaxxt, chaos])
@pytest.mark.parametrize("size", [{"width": 740, "height": 360}, {"width": 844, "height": 390}])
def test_a_phone_on_its_side_shows_the_whole_board_and_whose_turn_it_is(
    visit: Visit, state: Callable[[], Snapshot], size
) -> None:
    visit.log_in()
    visit.page.set_viewport_size(size)
    page = visit.go("/game", replace(state(), record=record(12)))
    page.evaluate(DRAWN)
    board, turn, bar = (page.locator(place).bounding_box() for place in ("#board", "#turn", "#main-bar"))
    assert board["y"] + board["height"] <= size["height"]
    assert turn["y"] + turn["height"] <= bar["y"]
    assert board["x"] + board["width"] <= bar["x"]


@pytest.mark.parametrize("state", [playing, hexagon])
@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 1366, "height": 768}])
def test_in_a_wide_window_the_records_slider_is_in_view_below_the_board(
    visit: Visit, state: Callable[[], Snapshot], size
) -> None:
    visit.page.set_viewport_size(size)
    page = visit.go("/game", replace(state(), record=record(12)))
    box = page.locator("#replay").bounding_box()
    assert box["y"] + box["height"] <= size["height"]
    assert too_small(page) == []


def test_coins_on_one_square_of_the_track_hide_neither_each_other_nor_its_neighbours(visit: Visit) -> None:
    coins = tuple(PieceView(kind="coin", suit=suit, cell=f"on 0 of the track/{suit}") for suit in ("moons", "arms"))
    page = visit.go("/game", replace(tower(), pieces=coins))
    middles = "({ x, y, width }) => [x + width / 2, y + width / 2, width]"
    boxes = page.locator("#board .score-coin").evaluate_all(
        f"all => all.map((e) => e.getBoundingClientRect()).map({middles})"
    )
    square = page.locator("#board .track-square").first.bounding_box()
    (x, y, wide), (right, down, _) = boxes
    assert (x - right) ** 2 + (y - down) ** 2 >= wide**2
    assert square["x"] <= min(x, right) - wide / 2
    assert max(x, right) + wide / 2 <= square["x"] + square["width"] + 1


@pytest.fixture
def demonstrated(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page with all the links that a demonstration has."""
    extra = tuple(
        ExtraPages(Blueprint(name, name, url_prefix=f"/{name}"), "anyone", word)
        for name, word in (("table2", "Virtual table"), ("demos", "Demonstrations"))
    )
    for pages in extra:
        pages.blueprint.add_url_rule("/", "page", lambda: "")
    server = serve(build_app(FakeTable(), FakeTable(), WebSettings(tmp_path, extra=extra)), "127.0.0.1", 0)
    context = browser.new_context(viewport=NARROW)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.address[1]}/games")
    yield page
    context.close()
    server.close()


def test_the_head_of_a_demonstration_takes_two_rows(demonstrated: Page) -> None:
    links = demonstrated.locator("header a").evaluate_all("all => all.map((a) => Math.round(a.offsetTop))")
    assert len(links) == 7
    height = demonstrated.locator("header").evaluate("e => e.offsetHeight")
    row = demonstrated.locator("header nav a").first.evaluate("e => e.offsetHeight")
    assert height < 3 * row
    assert demonstrated.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_a_bare_table_is_told_in_words(visit: Visit) -> None:
    page = visit.go("/game", replace(chaos(), pieces=()))
    expect(page.locator("#words")).to_have_text("No piece is on the table.")


def test_a_link_that_looks_like_a_button_has_its_words_in_the_middle(visit: Visit) -> None:
    page = visit.go("/")
    assert page.locator("a.button").first.evaluate("link => getComputedStyle(link).textAlign") == "center"


def test_a_button_that_a_finger_has_tapped_looks_as_before(visit: Visit, browser: Browser) -> None:
    page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    page.goto(f"{visit.base}/game")
    page.tap("summary:has-text('This phone')")
    button = page.locator("#turn-board")
    shown = "button => [getComputedStyle(button).color, getComputedStyle(button).borderTopColor]"
    before = button.evaluate(shown)
    for pressed in ("true", "false"):
        button.tap()
        expect(button).to_have_attribute("aria-pressed", pressed)
    assert button.evaluate(shown) == before
    page.context.close()


def test_the_fields_of_a_dialog_are_all_as_far_apart(visit: Visit) -> None:
    visit.log_in()
    page = visit.go("/game", chaos())
    visit.tap("[data-piece='1']")
    gaps = """form => [...form.children].map((part) => part.getBoundingClientRect()).filter(({ height }) => height)
        .map(({ top }, i, all) => (i ? Math.round(top - all[i - 1].bottom) : null)).slice(1)"""
    apart = page.locator("#dialog form").evaluate(gaps)
    assert len(apart) == 5
    assert len(set(apart)) == 1


def test_the_head_takes_one_row_on_the_smallest_phone(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 320, "height": 568})
    page = visit.go("/games")
    tops = page.locator("header nav a").evaluate_all("all => all.map((a) => a.offsetTop)")
    assert len(tops) == 4
    assert len(set(tops)) == 1
