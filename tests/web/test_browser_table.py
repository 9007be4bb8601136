"""The table's page in Chromium: what is drawn, what arrives by itself, and what hands and keys do."""

import re
from dataclasses import replace
from typing import Any

import pytest
from browser_visit import JPEG, PHONE, Visit
from flask import Flask
from free_states import chaos, kaxxt
from hostile_texts import HOSTILE
from playwright.sync_api import Browser, expect
from web_fakes import BEAM, FakeTable, playing, record, ruled, won
from web_helpers import PIN

from companion.referee.snapshot import BoardView, Choice, PieceView, Question, Ruling, Snapshot, Step, Waiting
from companion.web import serve
from companion.web.parts import parts

pytestmark = pytest.mark.browser


def test_the_host_sees_the_laser_on_the_picture_of_the_table(visit: Visit) -> None:
    visit.table.image = JPEG
    page = visit.go("/game", kaxxt())
    expect(page.locator("#photo")).to_be_hidden()
    page = visit.as_host("/game", kaxxt())
    page.get_by_role("button", name="Camera picture").click()
    picture = page.locator("#board image")
    expect(picture).to_have_attribute("href", re.compile(r"/api/table\.jpg\?width_mm=\d"))
    assert page.locator("#board .badge").count() == len(kaxxt().beams)
    assert (
        page.evaluate("fetch(document.querySelector('#board image').getAttribute('href')).then((a) => a.status)") == 200
    )
    page.get_by_role("button", name="Camera picture").click()
    expect(picture).to_have_count(0)


def test_the_next_game_is_shown_whole_though_the_one_before_was_looked_at_closely(visit: Visit) -> None:
    page = visit.go("/game", kaxxt())
    page.get_by_role("button", name="Closer").click()
    expect(page.locator("#board.close")).to_be_visible()
    visit.table.publish(chaos())
    expect(page.locator("#title")).to_have_text(chaos().title)
    expect(page.locator("#board.close")).to_have_count(0)


def test_shields_and_the_power_of_a_beam_are_always_in_view(visit: Visit) -> None:
    page = visit.go("/game", kaxxt())
    expect(page.locator("#cards .sheet")).to_have_count(6)  # Kaxxt, four players, the bag
    south = page.locator("#cards .sheet", has_text="South")
    expect(south.locator(".card-value")).to_have_text("+2 26/30")
    powers = page.locator("#board .badge text").all_text_contents()
    assert powers[0] == "3"
    assert {beam.power for beam in kaxxt().beams} == {float(power) for power in powers}
    expect(page.locator("#board")).to_contain_text("North 29")
    expect(page.locator("#board .scale-text")).to_have_text("100 mm")
    page.get_by_role("button", name="Closer").click()
    page.get_by_role("button", name="Closer").click()
    expect(page.locator("#board .scale-text")).to_have_text("50 mm")
    page = visit.go("/game", chaos())
    expect(page.locator("#cards .token.have")).to_have_count(1)
    expect(page.locator("#cards .sheet", has_text="Player 2")).to_contain_text("large black, standing")


def test_the_beam_and_every_piece_are_drawn(visit: Visit) -> None:
    page = visit.go("/game", playing())
    assert page.locator("#board .piece").count() == 26
    assert page.locator("#board .beam-core").count() == 1
    drawn = page.locator("#board .beam-core").get_attribute("d")
    assert drawn.count("L") == len(BEAM.points) - 1


def test_the_beam_grows_hop_by_hop_unless_motion_is_unwanted(browser: Browser, house: Any) -> None:
    server, table, _ = house
    table.publish(playing(beams=()))
    for motion, moving in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(viewport=PHONE, reduced_motion=motion)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.address[1]}/game")
        page.wait_for_selector("#board rect")
        table.publish(playing())
        page.wait_for_selector("#board .beam-core")
        running = page.evaluate("document.querySelector('#board .beam-core').getAnimations().length")
        assert bool(running) == moving
        table.publish(playing(beams=()))
        context.close()


def test_the_host_lets_stand_what_can_stand(visit: Visit) -> None:
    visit.log_in()
    for allows, shown in (("action", "We allow it"), ("table", "Go on from this"), ("", None)):
        page = visit.go("/game", replace(ruled(), ruling=replace(ruled().ruling, allows=allows)))
        for name in ("We allow it", "Go on from this"):
            expect(page.get_by_role("button", name=name)).to_have_count(int(name == shown))
    page = visit.go("/game", replace(ruled(), ruling=replace(ruled().ruling, allows="table")))
    assert "Was a piece seen wrongly? Tap it on the board and say what it is." in page.inner_text("#ruling")
    page.get_by_role("button", name="Go on from this").click()
    page.locator("#dialog select").select_option("1")
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator("#dialog")).to_be_hidden()
    assert visit.asked("take_up")[-1].arguments == {"seat": 1}


def test_states_arrive_by_themselves_and_are_announced(visit: Visit) -> None:
    page = visit.go("/game", playing())
    visit.table.publish(ruled())
    page.wait_for_selector("#ruling:not([hidden])")
    assert "a3" in page.inner_text("#ruling")
    assert page.inner_text("#ruling .remedy") == "Put the pyramid back on b3."
    assert "Was a piece seen wrongly? The host can say what it is." in page.inner_text("#ruling")
    assert page.text_content("#why") == ""  # it is what is waited for, too, and said once
    assert "Put the pyramid back on b3." in (page.text_content("#ruled") or "")
    page.click("text=Why?")
    assert "Eye of Horus" in page.inner_text("#rule-words")
    visit.table.publish(won())
    page.wait_for_selector("#result:not([hidden])")
    assert page.locator("#board .wash rect").count() == 80
    assert page.locator("#ruling").is_hidden()


def test_an_action_as_long_as_an_arrangement_of_many_pyramids_is_entered_whole(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    action = "put " + " ".join(f"y3@-123.4,-{place}.5>90.0" for place in range(100, 115))
    page.locator("#move-text").focus()
    page.keyboard.insert_text(action)
    page.keyboard.press("Enter")
    assert visit.asked("enter_move")[0].arguments == {"move": action}


def test_what_hands_have_to_take_away_is_called_so_in_words(visit: Visit) -> None:
    usual = playing()
    ghost = replace(usual.pieces[0], cell="f5", state="ghost", words="the red scarab on f5")
    page = visit.go("/game", replace(usual, pieces=(*usual.pieces, ghost)))
    page.click("summary >> text=The board in words")
    expect(page.locator("#words td", has_text="scarab on f5")).to_have_text("to be taken away: the red scarab on f5")
    expect(page.locator("#board-title")).to_contain_text(f"{len(usual.pieces)} pieces")


def test_by_keyboard_alone(visit: Visit) -> None:
    page = visit.as_host("/game", ruled())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(document.activeElement.textContent || '').trim()"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", reached[-1]
        if reached[-1] == "Turned on c4":
            break
    page.keyboard.press("Enter")
    assert visit.asked("answer")[-1].arguments == {"question": "q1", "choice": "2"}


def test_every_answer_shows_the_table_as_it_would_be(visit: Visit) -> None:
    page = visit.go("/game", ruled())
    pictures = page.locator("#question .answers svg")
    expect(pictures).to_have_count(2)  # who is no host looks, too
    expect(page.locator("#question button")).to_have_count(0)
    page = visit.as_host("/game", ruled())
    expect(page.locator("#question button")).to_have_count(2)
    moved, turned = (page.locator("#question button", has_text=text) for text in ("Moved to b4", "Turned on c4"))
    lying = len(ruled().pieces)
    assert [button.locator(".piece").count() for button in (moved, turned)] == [lying + 1, lying + 1]
    assert moved.locator(".piece > [opacity]").count() == 1  # what would lie there no longer is faint
    assert turned.locator(".piece > [opacity]").count() == 0
    assert [button.locator(".beams path").count() > 0 for button in (moved, turned)] == [True, False]
    assert page.locator("#question svg text").count() == 0  # too small to be read
    moved.locator("svg").click()
    assert visit.asked("answer")[-1].arguments == {"question": "q1", "choice": "1"}


def test_a_player_claims_a_seat_and_plays(visit: Visit) -> None:
    page = visit.go("/game", playing(to_move=1))
    page.click("text=Join")
    page.fill("#field-player", "<b>Grace</b>")
    page.fill("#field-pin", PIN)
    page.click("#dialog button[value=yes]")
    page.wait_for_selector("text=Your turn")
    assert "<b>Grace</b>" in page.inner_text("#seats")
    page.click("text=Resign")
    page.click("#dialog button[value=yes]")
    assert visit.asked("resign")[-1].by == "seat 1"


def test_a_seat_that_this_game_lacks_cannot_be_left(visit: Visit) -> None:
    page = visit.go("/game", playing(to_move=0))
    page.get_by_label("Join Red").click()
    page.fill("#field-player", "Grace")
    page.fill("#field-pin", PIN)
    page.click("#dialog button[value=yes]")
    expect(page.get_by_text("Leave the seat")).to_be_visible()
    visit.table.publish(playing(to_move=0, seats=playing().seats[:1]))
    expect(page.locator("#seats li")).to_have_count(1)
    expect(page.locator("#actions-card")).to_be_hidden()


def test_a_lost_connection_is_said_and_mended(browser: Browser, app: Flask, table: FakeTable) -> None:
    server = serve(app, "127.0.0.1", 0)
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.address[1]}/game")
    page.wait_for_selector("#board rect")
    server.close()
    page.wait_for_selector("#link:not([hidden])")
    assert "lost" in page.inner_text("#link")
    parts(app).closing.clear()
    again = serve(app, "127.0.0.1", server.address[1])
    table.publish(replace(playing(), last_text="Back again."))
    expect(page.locator("#last")).to_have_text("Back again.", timeout=20000)
    assert page.locator("#link").is_hidden()
    context.close()
    again.close()


def test_hostile_texts_stay_texts_wherever_they_are_shown(visit: Visit) -> None:
    def count() -> int:
        return int(visit.page.evaluate("document.querySelectorAll('script,iframe,object,base,style,img').length"))

    usual = playing()
    page = visit.go("/game", usual)
    elements = count()
    lines = [replace(ply, text=text, move=text) for ply, text in zip(record(len(HOSTILE)), HOSTILE, strict=True)]
    for first in range(0, len(HOSTILE), 48):
        few = HOSTILE[first : first + 48]
        seated = [replace(seat, player=text, name=text) for seat, text in zip(usual.seats, few, strict=False)]
        asked = Question("q", few[3], tuple(Choice(str(i), text) for i, text in enumerate(few)))
        steps = tuple(Step(text, False, "c4") for text in few)
        hostile = replace(
            ruled(),
            number=100 + first,
            seats=tuple(seated),
            title=few[2],
            question=asked,
            ruling=Ruling(few[4], few[5], few[6], few[7], few[8]),
            waiting=Waiting(few[9], few[10], steps),
            notices=tuple(few),
            last_text=few[11],
            sight_text=few[0],
            pieces=tuple(replace(piece, words=few[12]) for piece in usual.pieces),
            record=tuple(lines),
        )
        visit.table.publish(hostile)
        expect(page.locator("#last")).to_have_text(few[11])
        assert few[9] in (page.text_content("main") or "")
    assert page.locator("#record li").count() == len(HOSTILE)
    assert count() == elements
    assert page.url == f"{visit.base}/game"


def test_a_free_table_and_a_board_of_hexagons(visit: Visit) -> None:
    page = visit.go("/game", free_table())
    assert page.locator("#board [data-piece]").count() == len(free_table().pieces)
    whole = page.locator("#board").get_attribute("viewBox") or ""
    page.click("text=Closer")
    near = page.locator("#board").get_attribute("viewBox") or ""
    assert float(near.split()[2]) < float(whole.split()[2]) == 400
    page.click("text=Whole table")
    assert page.locator("#board").get_attribute("viewBox") == whole
    page = visit.go("/game", hexxagon())
    assert page.locator("#board [data-cell]").count() == 61
    assert page.locator("#zoom").is_hidden()


@pytest.mark.parametrize("cells", [("c3", "d3", "e3"), ()], ids=["a sheet", "nothing"])
def test_cells_under_a_sheet_are_hatched(visit: Visit, cells: tuple[str, ...]) -> None:
    for state in (playing(covered=cells), replace(hexxagon(), covered=cells)):
        page = visit.go("/game", state)
        assert page.locator("#board .covered").count() == len(cells)
        assert (page.text_content("#words") or "").count("covered") == len(cells)  # for whoever does not see the board


def test_pieces_of_a_free_table_keep_their_own_colours_however_the_seats_are_named(visit: Visit) -> None:
    of = {"red": "#d93a2e", "yellow": "#f0d021"}
    colours = [piece.colour for piece in chaos().pieces]
    page = visit.go("/game", chaos())
    fills = [
        {side.get_attribute("fill") for side in piece.locator("polygon").all()}
        for piece in page.locator("#board [data-piece]").all()
    ]
    assert set(colours) == set(of)
    assert [[name for name in of if of[name] in own] for own in fills] == [[colour] for colour in colours]


def free_table() -> Snapshot:
    """Pyramids, tiles, coins, pawn and die in millimetres."""
    lying = [
        PieceView("pyramid", "green", size="large", pose="lying", x_mm=-120, y_mm=60, heading_deg=30),
        PieceView("pyramid", "red", size="small", pose="upright", x_mm=-60, y_mm=40, heading_deg=10),
        PieceView("pyramid", "black", size="medium", pose="upright", x_mm=-20, y_mm=70, heading_deg=45, state="wrong"),
        PieceView("tile", suit="suns", value="3", face="face", x_mm=60, y_mm=40, heading_deg=0),
        PieceView("tile", face="back", x_mm=111, y_mm=40, heading_deg=0),
        PieceView("coin", suit="arms", face="suit", x_mm=60, y_mm=-20, heading_deg=90),
        PieceView("coin", value="ace", face="value", x_mm=90, y_mm=-20, heading_deg=0),
        PieceView("pawn", suit="crowns", x_mm=120, y_mm=-20),
        PieceView("die", suit="moons", value="4", x_mm=150, y_mm=-20, heading_deg=20),
        PieceView("unknown", x_mm=-100, y_mm=-60),
    ]
    return playing(board=BoardView("free", width_mm=400, height_mm=260), pieces=tuple(lying), beams=(), last_cells=())


def hexxagon() -> Snapshot:
    """Three discs each in the corners."""
    cells = {"a1": "black", "e9": "black", "i5": "black", "a5": "white", "i9": "white", "e1": "white"}
    discs = tuple(PieceView("disc", colour, cell=cell) for cell, colour in cells.items())
    return playing(board=BoardView("hex", 9, 9), pieces=discs, beams=(), last_cells=("e9",), game="hexxagon")


@pytest.mark.parametrize("voice", [True, False])
def test_a_phone_without_a_voice_is_not_asked_to_speak(visit: Visit, voice: bool) -> None:
    has = "window.speechSynthesis ??= {};" if voice else "delete window.speechSynthesis;"
    visit.page.add_init_script(has)
    page = visit.go("/game", playing())
    page.click("summary:has-text('This phone')")
    expect(page.locator("#speak")).to_be_visible(visible=voice)
