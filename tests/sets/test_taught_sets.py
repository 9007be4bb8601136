"""Sets that are kept under names: what is in use, and what deleting, renaming and bringing back leave."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lesson_tables import eyes, pictured, pupil

from companion.app import House, built, merged_look
from companion.config import Config, PinsConfig
from companion.errors import CommandRefused
from companion.referee.commands import Command
from companion.service.erasing import remove
from companion.service.erasing import stored as there
from companion.service.vision_loop import VisionLoop, taught_folder
from companion.sets import taught_sets
from companion.sets.lessons import forget
from companion.sets.stored_eyes import StoredEyes
from companion.sets.taught_sets import TaughtSets
from hardware.cameras import make_camera


@pytest.fixture
def stored(tmp_path: Path) -> StoredEyes:
    return eyes(tmp_path, "ataxx")


@pytest.fixture
def sets(tmp_path: Path, stored: StoredEyes) -> TaughtSets:
    return TaughtSets(tmp_path / "taught-sets", stored)


@pytest.fixture
def one_and_two(stored: StoredEyes, sets: TaughtSets) -> None:
    """What is in use, kept under two names."""
    stored.keep("ataxx", pupil(stored), by_hand=True)
    for name in ("One", "Two"):
        sets.act("ataxx", "keep", "", name)


@pytest.fixture
def house(tmp_path: Path, stored: StoredEyes) -> Iterator[House]:
    """A companion that has learned a set of Ataxx and keeps it under a name."""
    stored.keep("ataxx", pupil(stored), by_hand=True)
    config = Config(pins=PinsConfig(factory="mock"))
    look = merged_look(config, pictured("ataxx")[1])
    with built(config, make_camera("usb:95"), look, state=tmp_path, port=0) as house:
        house.desk.submit(Command("new_game", {"game": "ataxx", "options": {}}))
        house.desk.submit(Command("keep_sets", {"step": "keep", "set": None, "name": "Club set"}))
        yield house


def named(sets: TaughtSets) -> dict[str, str]:
    """Each set's name, and how it is marked."""
    return {one["name"]: "deleted" if one["deleted"] else "used" if one["used"] else "" for one in sets.listed("ataxx")}


def number(sets: TaughtSets, name: str) -> str:
    return next(one["id"] for one in sets.listed("ataxx") if one["name"] == name)


def test_a_set_is_kept_and_used_again_after_another_was_learned(stored: StoredEyes, sets: TaughtSets) -> None:
    with pytest.raises(CommandRefused, match="Nothing was learned"):
        sets.act("ataxx", "keep", "", "Club set")
    stored.keep("ataxx", pupil(stored), by_hand=False)
    sets.act("ataxx", "keep", "", " Club  set ")
    assert named(sets) == {"Club set": "used"}
    (kept,) = sets.listed("ataxx")
    assert kept["version"]
    assert kept["learned"] == stored.taught("ataxx").date
    stored.keep("ataxx", pupil(stored, 20), by_hand=True)
    assert named(sets) == {"Club set": ""}
    sets.act("ataxx", "use", number(sets, "Club set"), "")
    assert named(sets)["Club set"] == "used"
    assert not stored.learns("ataxx")  # no set-up replaces what was chosen
    assert stored.open("ataxx", None).reader is not None
    (other,) = [name for name in named(sets) if name != "Club set"]
    assert other.startswith("Learned 20")  # what was in use without a name is not lost
    assert TaughtSets(stored.folder / "taught-sets", stored).listed("ataxx") == sets.listed("ataxx")
    assert sets.listed("khet") == []


@pytest.mark.usefixtures("one_and_two")
def test_a_deleted_set_comes_back_until_another_one_is_deleted(stored: StoredEyes, sets: TaughtSets) -> None:
    with pytest.raises(CommandRefused, match="is in use"):
        sets.act("ataxx", "delete", number(sets, "One"), "")
    forget(taught_folder(stored.folder, "ataxx"))
    one = number(sets, "One")
    sets.act("ataxx", "delete", one, "")
    assert named(sets) == {"Two": "", "One": "deleted"}
    sets.act("ataxx", "restore", one, "")
    assert named(sets) == {"One": "", "Two": ""}
    sets.act("ataxx", "delete", one, "")
    sets.act("ataxx", "delete", number(sets, "Two"), "")
    assert named(sets) == {"Two": "deleted"}
    with pytest.raises(CommandRefused, match="not there any more"):
        sets.act("ataxx", "restore", one, "")


def test_a_deleted_set_comes_back_once_its_name_is_free_and_though_the_list_is_full(
    stored: StoredEyes, sets: TaughtSets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taught_sets, "MOST", 2)
    stored.keep("ataxx", pupil(stored), by_hand=True)
    sets.act("ataxx", "keep", "", "One")
    forget(taught_folder(stored.folder, "ataxx"))
    one = number(sets, "One")
    sets.act("ataxx", "delete", one, "")
    stored.keep("ataxx", pupil(stored, 20), by_hand=True)
    sets.act("ataxx", "keep", "", "one")
    with pytest.raises(CommandRefused, match="Another set is called One: rename that one first"):
        sets.act("ataxx", "restore", one, "")
    sets.act("ataxx", "rename", number(sets, "one"), "Other")
    sets.act("ataxx", "keep", "", "Third")
    with pytest.raises(CommandRefused, match="2 sets are kept"):
        sets.act("ataxx", "keep", "", "Fourth")
    sets.act("ataxx", "restore", one, "")
    assert named(sets) == {"One": "", "Other": "used", "Third": "used"}


def test_who_erases_what_was_learned_erases_the_kept_sets_too(stored: StoredEyes, sets: TaughtSets) -> None:
    stored.keep("ataxx", pupil(stored), by_hand=True)
    sets.act("ataxx", "keep", "", "One")
    remove(there("looks", stored.folder, stored.folder / "journal.sqlite3"))
    assert sets.listed("ataxx") == []
    assert not stored.knows("ataxx")


@pytest.mark.usefixtures("one_and_two")
def test_no_two_sets_have_one_name_and_none_is_used_that_is_torn(stored: StoredEyes, sets: TaughtSets) -> None:
    with pytest.raises(CommandRefused, match="Another set is called one"):
        sets.act("ataxx", "rename", number(sets, "Two"), "one")
    sets.act("ataxx", "rename", number(sets, "Two"), "TWO")
    two = stored.folder / "taught-sets/ataxx" / number(sets, "TWO")
    (two / "looks/discs.json").write_text("{torn", encoding="utf-8")
    with pytest.raises(CommandRefused, match="cannot be used any more"):
        sets.act("ataxx", "use", two.name, "")
    assert named(sets) == {"One": "used", "TWO": ""}
    (two / "set.json").write_text(json.dumps({"name": 3}), encoding="utf-8")
    assert named(sets) == {"One": "used"}
    with pytest.raises(CommandRefused, match="No game is on"):
        sets.act(None, "keep", "", "One")


def test_the_page_lists_the_sets_of_the_game_that_is_on(house: House) -> None:
    state = house.desk.calibration() or {}
    assert [one["name"] for one in state["sets"]] == ["Club set"]
    assert state["keeps"] is True
    house.desk.submit(Command("new_game", {"game": "khet", "options": {}}))
    assert (house.desk.calibration() or {})["sets"] == []


def test_who_uses_another_set_calls_the_lesson_off_and_has_the_next_picture_read_with_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew: list[VisionLoop] = []
    monkeypatch.setattr(VisionLoop, "look_anew", lambda loop: anew.append(loop))
    house.desk.submit(Command("learn_set"))
    state = house.desk.calibration() or {}
    assert (state["lesson"], state["waits"], anew) == ("Waiting for a clear picture of the table.", True, [])
    (club,) = state["sets"]
    house.desk.submit(Command("keep_sets", {"step": "use", "set": club["id"], "name": None}))
    state = house.desk.calibration() or {}
    assert (state["lesson"], state["waits"], len(anew)) == ("", False, 1)
