"""What was learned of a set: where it is kept, what goes before what, how it is shown and forgotten."""

import json
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
import pytest
from lesson_tables import eyes, pictured, pupil

from companion.errors import CompanionError
from companion.sets.lessons import FORGET, Lessons, forget
from companion.sets.stored_eyes import StoredEyes
from companion.vision.discs import reader
from companion.vision.errors import UnusableWeights
from companion.vision.taught_looks import MEMORY, taught_in
from hardware.pictures import frame_of


def taught_by_hand(folder: Path) -> Path:
    """A folder that `companion teach` may have written, some time ago."""
    reader = pupil(eyes(folder / "nowhere", "ataxx")).reader
    (folder / "mine").mkdir()
    reader.save(folder / "mine")
    about = folder / "mine/discs.json"
    said = json.loads(about.read_text(encoding="utf-8")) | {"taught": "2026-01-02T10:00:00+00:00"}
    about.write_text(json.dumps(said), encoding="utf-8")
    return folder / "mine"


def test_a_folder_that_was_named_is_for_its_own_game_only(tmp_path: Path) -> None:
    named = taught_by_hand(tmp_path)
    stored = eyes(tmp_path / "state", "ataxx", taught=named)
    assert not stored.learns("ataxx")
    assert stored.knows("ataxx")
    assert stored.learns("khet")
    assert not stored.knows("khet")
    assert stored.open("khet", None).reader is not None


def test_a_folder_that_is_not_there_blinds_no_game(tmp_path: Path) -> None:
    stored = eyes(tmp_path / "state", "ataxx", taught=tmp_path / "gone")
    assert stored.learns("ataxx")
    assert stored.open("ataxx", None).reader is not None


def test_what_else_is_wrong_is_told_all_the_same(tmp_path: Path) -> None:
    stored = eyes(tmp_path / "state", "ataxx", taught=tmp_path / "gone", lens=tmp_path / "gone.json")
    with pytest.raises(CompanionError, match=r"gone\.json"):
        stored.open("ataxx", None)


def test_corners_that_were_named_stand_in_for_markers_where_a_board_lies(tmp_path: Path) -> None:
    (tmp_path / "corners.json").write_text('{"corners_px": [[60, 50], [560, 50], [560, 430], [60, 430]]}')
    bare = frame_of(np.random.default_rng(1).integers(90, 160, (480, 640, 3), np.uint8), 0.0, 0)  # shows no marker
    stored = eyes(tmp_path / "state", "ataxx", corners=tmp_path / "corners.json")
    for game, wanted in (("ataxx", False), ("chaos", True)):
        eye = stored.open(game, None)
        eye.rests(bare)
        assert ("markers" in eye.read(bare).obstacles) is wanted


def test_a_lesson_by_hand_goes_before_the_folder_that_was_named(tmp_path: Path) -> None:
    named = taught_by_hand(tmp_path)
    stored = eyes(tmp_path / "state", "ataxx", taught=named)
    later = pupil(stored)
    stored.keep("ataxx", later, False)
    assert date_of(stored, tmp_path / "a") == date_of_file(named)
    stored.keep("ataxx", later, True)
    assert date_of(stored, tmp_path / "b") == date_of_file(tmp_path / "state/taught/ataxx")


def test_no_set_up_replaces_what_was_taught_on_purpose(tmp_path: Path) -> None:
    stored = eyes(tmp_path / "state", "ataxx")
    for taught in (False, True):  # by a set-up, which the next one may replace; by hand
        stored.keep("ataxx", pupil(stored), taught)
        assert stored.learns("ataxx") is not taught
    before = files_in(tmp_path / "state/taught/ataxx")
    stored.keep("ataxx", pupil(stored), False)
    assert files_in(tmp_path / "state/taught/ataxx") == before
    stored.forget("ataxx")
    assert stored.learns("ataxx")


def test_a_lesson_that_cannot_be_stored_leaves_the_one_by_hand_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = eyes(tmp_path / "state", "ataxx")
    stored.keep("ataxx", pupil(stored), True)
    before = files_in(tmp_path / "state/taught/ataxx")

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    second = pupil(stored)
    with monkeypatch.context() as patch:
        patch.setattr("companion.sets.stored_eyes.files_of", lambda reader: ["discs.json"])
        patch.setattr("companion.vision.taught_looks.write_safely", full)
        with pytest.raises(OSError, match="No space"):
            stored.keep("ataxx", second, True)
    assert files_in(tmp_path / "state/taught/ataxx") == before
    assert not stored.learns("ataxx")


@pytest.mark.skipif(not MEMORY.is_dir(), reason="no folder in memory here")
def test_a_full_disk_hides_no_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = eyes(tmp_path, "ataxx")
    stored.keep("ataxx", pupil(stored), True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no room"))
    assert StoredEyes(pictured("ataxx")[1], tmp_path).knows("ataxx")


def files_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in folder.iterdir()}


def date_of(stored: StoredEyes, folder: Path) -> str:
    """When the eye that is opened was taught."""
    reader = stored.open("ataxx", None).reader
    folder.mkdir()
    reader.save(folder)
    return date_of_file(folder)


def date_of_file(folder: Path) -> str:
    return str(json.loads((folder / "discs.json").read_text(encoding="utf-8"))["taught"])


def test_what_was_learned_is_shown_and_forgotten(tmp_path: Path) -> None:
    stored, lessons = eyes(tmp_path / "state", "ataxx"), Lessons()
    assert not stored.knows("ataxx")
    assert stored.taught("ataxx").pictures == {}
    stored.keep("ataxx", pupil(stored), True)
    assert stored.knows("ataxx")
    taught = stored.taught("ataxx")
    assert set(taught.pictures) == {"black", "empty", "white"}
    assert taught.date == date_of_file(tmp_path / "state/taught/ataxx")
    assert cv2.imread(str(taught.pictures["white"])).mean() > cv2.imread(str(taught.pictures["black"])).mean()
    lessons.ask(FORGET, "ataxx")
    assert lessons.wanted(FORGET, "ataxx")
    stored.forget("ataxx")
    assert not stored.knows("ataxx")
    forget(tmp_path / "state/taught/ataxx")  # nothing there any more: nothing to say


def test_an_empty_or_torn_folder_is_no_knowledge(tmp_path: Path) -> None:
    stored = eyes(tmp_path, "ataxx")
    folder = tmp_path / "taught/ataxx"
    folder.mkdir(parents=True)
    assert not stored.knows("ataxx")
    (folder / "discs.json").write_text(
        '{"format": 3, "pictures": ["../../secret.png", "gone.png", 7]}', encoding="utf-8"
    )
    assert not stored.knows("ataxx")
    assert taught_in(folder).pictures == {}
    assert stored.open("ataxx", None).reader is not None


@pytest.mark.parametrize("about", ['{"format": 3, "pic', '{"format": 99, "pictures": []}'])
def test_what_is_left_aside_of_a_set_is_told_until_it_is_taught_anew(tmp_path: Path, about: str) -> None:
    stored = eyes(tmp_path, "ataxx")
    assert stored.left_aside("ataxx") == ""
    stored.keep("ataxx", pupil(stored), True)
    assert stored.left_aside("ataxx") == ""
    (tmp_path / "taught/ataxx/discs.json").write_text(about, encoding="utf-8")
    assert "teach the set anew" in stored.left_aside("ataxx")
    assert stored.left_aside("khet") == ""
    stored.keep("ataxx", pupil(stored), False)
    assert stored.left_aside("ataxx") == ""


def test_what_was_learned_is_still_shown_where_damaged_weights_let_no_eye_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = eyes(tmp_path, "ataxx")
    stored.keep("ataxx", pupil(stored), True)

    def torn() -> None:
        raise UnusableWeights(Path("discs.npz"), "torn")

    monkeypatch.setattr(reader, "new_reader", torn)
    later = eyes(tmp_path, "ataxx")
    assert set(later.taught("ataxx").pictures) == {"black", "empty", "white"}
    assert (later.knows("ataxx"), later.left_aside("ataxx")) == (True, "")
    with pytest.raises(UnusableWeights, match="install the companion again"):
        later.open("ataxx", None)


@pytest.mark.parametrize("what", ["keep", "forget"])
def test_a_page_that_asks_while_a_lesson_is_written_or_removed_finds_nothing_amiss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    stored, folder, told = eyes(tmp_path, "ataxx"), tmp_path / "taught/ataxx", []
    asking = Thread(target=lambda: told.append(stored.knows("ataxx")))
    taught = pupil(stored)
    whole = {"keep": taught.reader.save, "forget": forget}[what]
    if what == "forget":
        stored.keep("ataxx", taught, False)

    def halfway(place: Path) -> None:
        if place == folder:
            for arrays in folder.glob("*.npz"):
                arrays.unlink()
            asking.start()
            asking.join(1)  # it may as well wait until all is done
        whole(place)

    monkeypatch.setattr(taught.reader, "save", halfway)
    monkeypatch.setattr("companion.sets.stored_eyes.forget", halfway)
    if what == "keep":
        stored.keep("ataxx", taught, False)
    else:
        stored.forget("ataxx")
    asking.join()
    assert told == [what == "keep"]
    assert caplog.messages == []


def test_a_file_that_goes_while_it_is_looked_at_is_no_fault(tmp_path: Path) -> None:
    stored = eyes(tmp_path, "ataxx")
    (tmp_path / "taught/ataxx").mkdir(parents=True)
    (tmp_path / "taught/ataxx/gone.json").symlink_to("nowhere")
    assert not stored.knows("ataxx")


def test_an_eye_that_learned_nothing_leaves_nothing(tmp_path: Path) -> None:
    stored = eyes(tmp_path, "kdak")
    stored.keep("kdak", stored.fresh("kdak", None), False)
    assert list(tmp_path.rglob("*")) == []
