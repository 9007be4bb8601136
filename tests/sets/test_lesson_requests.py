"""What the host asks to be learned or forgotten: of which game it is, and what calls it off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import House, built, merged_look
from companion.config import Config, PinsConfig
from companion.errors import CommandRefused
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.service.vision_loop import taught_folder
from companion.sets.lessons import FORGET, LEARN, Lessons
from hardware.cameras import make_camera


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A companion whose camera nobody looks through."""
    config = Config(pins=PinsConfig(factory="mock"))
    with built(config, make_camera("usb:95"), merged_look(config, {}), state=tmp_path, port=0) as house:
        yield house


def page(house: House, game: str | None = None) -> dict[str, Any]:
    """What the host's page is told of lessons, in this game if one is begun."""
    if game is not None:
        house.desk.submit(Command("new_game", {"game": game, "options": {}}))
    return house.desk.calibration() or {}


@pytest.mark.parametrize("what", [LEARN, FORGET])
def test_without_a_game_there_is_nothing_to_learn_or_forget(what: str) -> None:
    lessons = Lessons()
    with pytest.raises(CommandRefused, match="No game is on"):
        lessons.ask(what, None)
    assert not lessons.wanted(what, "khet")
    assert lessons.said_of(None) == ""


def test_a_lesson_that_waits_is_called_off_and_what_came_of_another_is_still_said() -> None:
    lessons = Lessons()
    lessons.ask(LEARN, "ataxx")
    assert (lessons.waits("ataxx"), lessons.waits("khet")) == (True, False)
    lessons.call_off()
    assert not lessons.waits("ataxx")
    assert not lessons.wanted(LEARN, "ataxx")
    assert lessons.said_of("ataxx") == ""
    lessons.text = "The looks of 4 pieces were learned from this picture."
    lessons.call_off()
    assert lessons.said_of("ataxx").startswith("The looks")
    lessons.ask(FORGET, "ataxx")
    lessons.call_off()
    assert lessons.wanted(FORGET, "ataxx")


def test_a_lesson_that_waits_is_called_off_by_the_game_that_begins(house: House) -> None:
    for number, game in enumerate(("ataxx", "khet", "ataxx")):
        state = page(house, game)
        assert (state["lesson"], state["waits"]) == ("", False)
        if number == 0:
            house.desk.submit(Command("learn_set", {}))


def test_only_what_is_stored_can_be_forgotten_be_it_of_use_or_not(tmp_path: Path, house: House) -> None:
    assert page(house)["forgets"] is False
    assert page(house, "khet")["forgets"] is False
    folder = taught_folder(tmp_path, "khet")
    folder.mkdir(parents=True)
    (folder / "khet.json").write_text("{torn")
    assert page(house)["forgets"] is True


def test_corners_are_asked_for_where_a_board_may_lie(house: House) -> None:
    asked = [page(house, game)["corners"] for game in (None, "kaxxt", "ataxx", "kdak")]
    assert asked == [True, False, True, False]


@pytest.mark.parametrize("what", [LEARN, FORGET])
def test_what_was_asked_in_one_game_is_not_done_in_another(what: str) -> None:
    lessons = Lessons()
    lessons.ask(what, "ataxx")
    assert not lessons.wanted(what, "khet")
    assert lessons.said_of("khet") == ""
    assert not lessons.wanted(what, "ataxx")
    lessons.ask(what, "ataxx")
    assert [lessons.wanted(what, "ataxx") for _ in range(2)] == [True, False]


def test_a_lesson_waits_for_no_game_that_is_gone_on_with_in_place_of_its_own():
    desk, lessons = Desk(MemoryArchive()), Lessons()
    desk.listen(lessons.heard)
    for layout in ("classic-2.0", "imhotep-2.0"):
        desk.submit(Command("new_game", {"game": "khet", "options": {"layout": layout}}))
    lessons.ask(LEARN, "khet")
    desk.submit(Command("set_quiet", {"on": True}))
    assert lessons.waits("khet")
    desk.submit(Command("go_on_with", {"number": 1}))
    assert not lessons.waits("khet")
