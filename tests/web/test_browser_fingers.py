"""What a finger does on the board and on the picture of the table: taps, corrections, dragged corners."""

import re
from dataclasses import replace

import pytest
from browser_visit import JPEG, Visit, middle, too_small
from free_states import chaos, kaxxt, tower
from playwright.sync_api import expect
from web_fakes import discs, playing, seats

CLICK_GONE_MS = 700  # longer than the page waits for the click of a finger that has left

pytestmark = pytest.mark.browser


def test_a_tapped_disc_shows_where_it_can_go(visit: Visit) -> None:
    page = visit.go("/game", discs())
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).to_have_text("From a7: a new piece on a6, b6; or go to c7.")
    assert page.locator("#board .reach").count() == 4
    assert page.locator('[data-cell="b6"] .reach.drop').count() == 1
    assert page.locator('[data-cell="c7"] .reach.move').count() == 1
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).to_be_empty()


def test_a_host_is_told_that_a_second_tap_corrects_a_disc_that_can_go_somewhere(visit: Visit) -> None:
    page = visit.as_host("/game", discs())
    page.wait_for_selector("#board.may-correct")
    visit.tap("[data-cell=a7]")
    expect(page.locator("#reach")).to_have_text(
        re.compile("or go to c7. Tap a7 again to correct what was seen there.$")
    )
    visit.tap("[data-cell=a7]")
    expect(page.locator("#dialog-head")).to_have_text("Square a7")


def test_a_host_corrects_a_square_by_tapping_it(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    page.wait_for_selector("#board.may-correct")
    visit.tap("[data-cell=c4]", position={"x": 3, "y": 3})
    expect(page.locator("#dialog-head")).to_have_text("Square c4")
    number = visit.table.state.number
    visit.table.publish(replace(visit.table.state, number=number + 1, last_text="Somebody acts meanwhile."))
    expect(page.locator("#last")).to_have_text("Somebody acts meanwhile.")
    page.select_option("#field-kind", "scarab")
    page.select_option("#field-facing", "/")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    asked = visit.asked("correct")[-1]
    assert asked.arguments == {"cell": "c4", "piece": {"kind": "scarab", "colour": "silver", "facing": "/"}}
    assert asked.expects == number
    assert asked.key


def test_a_host_corrects_a_tile_of_the_tower_and_who_stands_on_it_by_tapping_it(visit: Visit) -> None:
    page = visit.as_host("/game", tower())
    visit.tap("[data-cell='0b']", position={"x": 12, "y": 20})
    expect(page.locator("#dialog-head")).to_have_text("Tile 0b")
    page.select_option("#field-lies", "front")
    page.select_option("#field-suit", "crowns")
    page.select_option("#field-value", "ace")
    page.select_option("#field-who", "moons")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    assert [command.arguments for command in visit.asked("correct", 2)] == [
        {"cell": "0b", "piece": {"kind": "tile", "face": "front", "suit": "crowns", "value": "ace"}},
        {"cell": "0b/moons", "piece": {"kind": "pawn", "suit": "moons"}},
    ]


def test_a_tap_counts_though_the_board_is_drawn_anew_under_the_finger(visit: Visit) -> None:
    page = visit.as_host("/game", playing())
    page.locator("#board.may-correct").wait_for()
    page.mouse.move(*middle(page, "#board [data-cell=c4] .square"))
    page.mouse.down()
    visit.table.publish(playing(title="Khet, meanwhile", last_text="Gold moved meanwhile"))
    expect(page.locator("#title")).to_have_text("Khet, meanwhile")
    page.mouse.up()
    expect(page.locator("#dialog-head")).to_have_text("Square c4")
    expect(page.locator("#last")).to_have_text("Gold moved meanwhile")


def test_a_finger_that_stays_after_a_quick_tap_keeps_the_board_as_it_is(visit: Visit) -> None:
    page = visit.go("/game", discs())
    visit.tap("[data-cell=a7]")
    square = page.locator("[data-cell=a7]").bounding_box()
    page.mouse.move(square["x"] + square["width"] / 2, square["y"] + square["height"] / 2)
    page.mouse.down()
    page.locator("[data-cell=a7]").evaluate("cell => { cell.underFinger = true; }")
    visit.table.publish(discs(title="Ataxx, meanwhile"))
    expect(page.locator("#title")).to_have_text("Ataxx, meanwhile")
    page.wait_for_timeout(CLICK_GONE_MS)
    assert page.locator("[data-cell=a7]").evaluate("cell => cell.underFinger === true")
    page.mouse.up()
    expect(page.locator("#reach")).to_be_empty()


def test_a_host_corrects_a_free_piece_and_adds_one_by_tapping(visit: Visit) -> None:
    page = visit.as_host("/game", chaos())
    visit.tap("[data-piece='1']")
    expect(page.locator("#dialog-head")).to_have_text("At 40, 40 mm")
    page.select_option("#field-colour", "orange")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    page.locator("#board").click(position={"x": 40, "y": 30}, force=True)
    page.select_option("#field-lies", "lying")
    page.select_option("#field-heading", "90")
    page.select_option("#field-colour", "blue")
    page.click("#dialog button[value=yes]")
    expect(page.locator("#dialog")).to_be_hidden()
    first, second = (command.arguments for command in visit.asked("correct", 2))
    standing = {"kind": "pyramid", "pose": "upright", "colour": "orange", "size": "large"}
    assert first == {"x_mm": 40.0, "y_mm": 40.0, "piece": standing}
    assert second["piece"] == {"kind": "pyramid", "pose": "lying", "colour": "blue", "size": "large"}
    assert second["heading_deg"] == 90
    assert second["x_mm"] < -150
    assert second["y_mm"] > 50


def test_a_host_adds_a_free_piece_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit.as_host("/game", chaos())
    page.wait_for_selector("#board.may-correct")
    page.focus("summary >> text=The board in words")
    page.keyboard.press("Enter")
    page.focus("#undrawn")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog-head")).to_have_text("A piece that is not drawn")
    for name, typed in (("x_mm", "-120"), ("y_mm", "45"), ("lies", ""), ("colour", "blue"), ("size", "small")):
        expect(page.locator(f"#field-{name}")).to_be_focused()
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    assert too_small(page) == []
    page.keyboard.press("Enter")
    (asked,) = visit.asked("correct")
    piece = {"kind": "pyramid", "pose": "upright", "colour": "blue", "size": "small"}
    assert asked.arguments == {"x_mm": -120.0, "y_mm": 45.0, "piece": piece}


def test_a_host_says_where_kaxxts_card_lies(visit: Visit) -> None:
    page = visit.as_host("/game", kaxxt())
    card = next(i for i, piece in enumerate(kaxxt().pieces) if piece.kind == "robot_card")
    for heading in ("", "180"):
        visit.tap(f"[data-piece='{card}']")
        expect(page.locator("#field-colour")).to_be_hidden()
        page.select_option("#field-heading", heading)
        page.click("#dialog button[value=yes]")
        expect(page.locator("#dialog")).to_be_hidden()
    drawn, turned = (command.arguments for command in visit.asked("correct", 2))
    assert drawn["piece"] == {"kind": "robot_card"}
    assert drawn["heading_deg"] == kaxxt().pieces[card].heading_deg
    assert turned["heading_deg"] == 180


def test_no_colour_is_offered_that_the_set_lacks(visit: Visit) -> None:
    page = visit.as_host("/game", kaxxt())
    pyramid = next(i for i, piece in enumerate(kaxxt().pieces) if piece.kind == "pyramid")
    visit.tap(f"[data-piece='{pyramid}']")
    expect(page.locator("#field-colour option")).to_have_text(["red", "blue", "green", "yellow", "black"])
    page.keyboard.press("Escape")
    visit.table.publish(chaos())
    visit.tap("[data-piece='1']")
    expect(page.locator("#field-colour option")).to_have_count(10)


def test_a_disc_is_corrected_to_the_colour_of_which_none_is_left(visit: Visit) -> None:
    visit.log_in()
    white = tuple(replace(piece, colour="white") for piece in discs().pieces)
    page = visit.go("/game", discs(pieces=white, reach=()))
    visit.tap("[data-cell=a7]")
    expect(page.locator("#field-colour option")).to_have_text(["black", "white"])
    expect(page.locator("#field-colour option:checked")).to_have_text("white")
    page.select_option("#field-colour", "black")
    page.click("#dialog button[value=yes]")
    assert visit.asked("correct")[-1].arguments["piece"] == {"kind": "disc", "colour": "black"}


def test_corrections_name_the_catalogue_whatever_the_sets_colours(visit: Visit) -> None:
    page = visit.as_host("/game", playing(seats=seats("silver", "gold")))
    page.wait_for_selector("#board.may-correct")
    visit.tap("[data-cell=c7]", position={"x": 3, "y": 3})
    assert page.locator("#field-colour option:checked").inner_text() == "gold"
    page.click("#dialog button[value=yes]")
    assert visit.asked("correct")[-1].arguments["piece"] == {"kind": "pyramid", "colour": "red", "facing": "SW"}


def test_corners_are_dragged_and_moved_by_key(visit: Visit) -> None:
    visit.log_in()
    visit.table.image = JPEG
    page = visit.go("/calibrate")
    page.wait_for_selector(".corner")
    page.focus(".corner[data-index='2']")
    page.keyboard.press("ArrowRight")
    page.click("#save")
    corners = visit.asked("set_corners")[-1].arguments["corners"]
    assert len(corners) == 4
    assert corners[2][0] == 1.0  # a picture of one pixel: the key has gone to its edge


def test_a_drag_moves_a_table_that_is_looked_at_closely_as_far_as_the_finger(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 740, "height": 360})  # the drawing is narrower than its room
    page = visit.go("/game", kaxxt())
    page.click("#closer")
    piece = page.locator("#board [data-piece]").first
    page.locator("#board").scroll_into_view_if_needed()
    before, board = piece.bounding_box(), page.locator("#board").bounding_box()
    x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=6)
    page.mouse.up()
    after = piece.bounding_box()
    assert after["x"] - before["x"] == pytest.approx(60, abs=3)
