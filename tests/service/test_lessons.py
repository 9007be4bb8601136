"""Lessons on simulated tables: what is learned, what is refused as the picture differs, and which lesson counts."""

import contextlib
import dataclasses
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import group
from companion.errors import CompanionError
from companion.games import game as game_named
from companion.games.base import Layout
from companion.lessons import FORGET, Lessons, forget
from companion.pieces import Piece
from companion.referee.evidence import cells_of
from companion.referee.settings import Settings
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for, look_options
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from companion.stored_eyes import StoredEyes
from companion.teaching import check_labels, doubles
from companion.view import Sighting, TableView
from companion.vision.pipeline import Eye
from companion.vision.taught_looks import MEMORY, taught_in
from hardware.frames import Frame
from hardware.pictures import frame_of

SEED = 6_000_011
NOTHING = TableView(0.0, ())


def drawn(game: str, **options: str) -> Layout:
    rules = game_named(game)
    return rules.layout(rules.start(options))


@cache
def pictured(game: str, options: tuple[tuple[str, str], ...] = ()) -> tuple[Frame, Mapping[str, Any]]:
    """A picture of a game's set-up, and where the eye finds its lens, markers and board."""
    layout = drawn(game, **dict(options))
    design = dataclasses.replace(design_for(game, layout), seed=SEED)
    with TemporaryDirectory() as folder:
        write_album([Beat(Setting(furnish(design), 1).state(layout), 1.0, "set-up")], design, Path(folder))
        pixels = cv2.imread(str(next(Path(folder).glob("*.jpg"))))
    told = Path(folder).parent / f"{Path(folder).name}-told"
    told.mkdir()
    return frame_of(np.asarray(pixels, np.uint8), 0.0, 0), look_options(design, told)


def eyes(folder: Path, game: str, **more: Any) -> StoredEyes:
    return StoredEyes({**pictured(game)[1], **more}, folder)


def test_a_lesson_on_the_table_that_is_drawn_is_learned(tmp_path: Path) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "ataxx")
    assert lessons.learn(pictured("ataxx")[0], NOTHING, drawn("ataxx"), lambda: stored.fresh("ataxx", None), Settings())
    assert lessons.text.startswith("The looks of 4 pieces were learned")


def test_a_lesson_on_another_table_is_refused_and_names_cells(tmp_path: Path) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "khet")
    other = drawn("khet", layout="dynasty-2.0")
    frame, _ = pictured("khet")
    assert lessons.learn(frame, NOTHING, other, lambda: stored.fresh("khet", None), Settings()) is None
    assert "does not show what is drawn: look at a" in lessons.text
    assert "and 1" in lessons.text  # so many more


@pytest.mark.parametrize("more", ["d4", "b5"])
def test_one_disc_that_is_not_drawn_is_not_learned_as_an_empty_cell(tmp_path: Path, more: str) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "ataxx")
    frame = with_another("ataxx", more)
    assert lessons.learn(frame, NOTHING, drawn("ataxx"), lambda: stored.fresh("ataxx", None), Settings()) is None
    assert lessons.text.endswith(f"look at {more}.")


def with_another(game: str, cell: str) -> Frame:
    """The set-up with one white disc more, as a refused action leaves it."""
    rules = game_named(game)
    layout = rules.layout(rules.start({}))
    more = dataclasses.replace(next(lying for lying in layout.pieces if lying.piece.colour == "white"), cell=cell)
    design = dataclasses.replace(design_for(game, layout), seed=SEED)
    state = Setting(furnish(design), 1).state(dataclasses.replace(layout, pieces=(*layout.pieces, more)))
    with TemporaryDirectory() as folder:
        write_album([Beat(state, 1.0, "set-up")], design, Path(folder))
        return frame_of(np.asarray(cv2.imread(str(next(Path(folder).glob("*.jpg")))), np.uint8), 0.0, 0)


@pytest.mark.parametrize(("layout", "fits"), [("classic-2.0", True), ("imhotep-2.0", False), ("dynasty-2.0", False)])
def test_the_labels_of_another_picture_are_refused(tmp_path: Path, layout: str, fits: bool) -> None:
    view = seen("khet", eyes(tmp_path, "khet"))
    labels = cells_of(drawn("khet", layout=layout))
    with (
        contextlib.nullcontext()
        if fits
        else pytest.raises(CompanionError, match=r"not of this picture: look at [a-j]\d")
    ):
        check_labels(labels, (), view, Settings())


@pytest.mark.parametrize("pushed_mm", [0.0, 9.0, 70.0])
def test_the_labels_of_another_free_table_are_refused(tmp_path: Path, pushed_mm: float) -> None:
    view = seen("kdak", eyes(tmp_path, "kdak"))
    labels = [dataclasses.replace(s, y_mm=(s.y_mm or 0.0) + pushed_mm) for s in view.sightings]
    assert len(labels) > 8
    with pytest.raises(CompanionError, match="nothing is seen at") if pushed_mm > 20 else contextlib.nullcontext():
        check_labels({}, labels, view, Settings())


@pytest.mark.parametrize("turned", [0.2, 0.4, 1.0])
def test_labels_of_other_pieces_in_the_same_places_are_refused(tmp_path: Path, turned: float) -> None:
    view = seen("kdak", eyes(tmp_path, "kdak"))
    labels = list(view.sightings)
    tiles = [number for number, label in enumerate(labels) if label.piece.kind == "tile"]
    for number in tiles[: round(turned * len(tiles))]:
        face_up = Piece("tile", suit="suns", value="3", face="front")
        labels[number] = dataclasses.replace(labels[number], beliefs=((face_up, 1.0),))
    refused = pytest.raises(CompanionError, match="other pieces are seen at")
    with refused if turned > 0.2 else contextlib.nullcontext():
        (doubt,) = check_labels({}, labels, view, Settings())
        assert doubt.startswith("other pieces than are labelled seem to lie at (")


CARD = Sighting(((Piece("robot_card"), 0.99),), 0.0, 0.0, 0.0)
LYING = Sighting(((Piece("pyramid", colour="red", size="large", pose="lying"), 0.99),), 10.0, -110.0, 90.0)


@pytest.mark.parametrize(("elsewhere", "seen_too", "refused"), [(2, 0, True), (1, 1, False), (0, 2, False)])
def test_a_few_labels_that_all_lie_elsewhere_are_refused_and_one_of_them_is_doubted(
    elsewhere: int, seen_too: int, refused: bool
) -> None:
    there = [dataclasses.replace(LYING, x_mm=100.0 * n) for n in range(seen_too)]
    labels = [CARD, *there, *(dataclasses.replace(LYING, x_mm=100.0 * n, y_mm=120.0) for n in range(elsewhere))]
    view = TableView(0.0, (CARD, *(there or [LYING])))
    with pytest.raises(CompanionError, match="nothing is seen at") if refused else contextlib.nullcontext():
        doubts = check_labels({}, labels, view, Settings())
        assert len(doubts) == elsewhere
        assert all("where a piece is labelled: is the label of this picture?" in doubt for doubt in doubts)


def test_free_pieces_are_learned_where_they_lie(tmp_path: Path) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "kaxxt")
    frame, _ = pictured("kaxxt")
    taught = lessons.learn(
        frame, seen("kaxxt", stored), drawn("kaxxt"), lambda: stored.fresh("kaxxt", None), Settings()
    )
    assert taught is not None
    assert lessons.text == "The looks of 1 piece were learned from this picture."
    stored.keep("kaxxt", taught, True)
    assert set(stored.taught("kaxxt").pictures) == {"robot-card"}
    assert lessons.learn(frame, NOTHING, drawn("kaxxt"), lambda: stored.fresh("kaxxt", None), Settings()) is None
    assert "does not surely show" in lessons.text


def test_a_table_on_which_nothing_is_drawn_teaches_nothing_and_that_is_said(tmp_path: Path) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "chaos")
    fresh = stored.fresh("chaos", None)
    assert lessons.learn(pictured("chaos")[0], NOTHING, drawn("chaos"), lambda: fresh, Settings()) is None
    assert lessons.text == "Nothing was learned: no piece is drawn yet: play a few onto the table first."


def test_tiles_that_lie_face_down_teach_nothing_and_that_is_said(tmp_path: Path) -> None:
    lessons, stored = Lessons(), eyes(tmp_path, "kdak")
    view = seen("kdak", stored)
    fresh = stored.fresh("kdak", None)
    assert lessons.learn(pictured("kdak")[0], view, drawn("kdak"), lambda: fresh, Settings()) is None
    assert "face-down" in lessons.text


@pytest.mark.parametrize(
    ("game", "start", "options", "said"),
    [
        ("ataxx", "start", (), "learned from 1 picture"),
        ("ataxx", "7x7", (("board", "7"),), "learned from 1 picture"),
        ("hexxagon", "start", (), "learned from 1 picture"),
        ("kaxxt", "start", (), "learned from 1 picture"),
        ("kdak", "duel", (), "what lies there tells nothing of the set, as tiles that lie face-down do"),
        ("chaos", "start", (), "no piece is drawn yet"),
    ],
)
def test_a_photograph_of_a_starting_position_teaches_the_set_of_every_game(
    game: str, start: str, options: tuple[tuple[str, str], ...], said: str, tmp_path: Path
) -> None:
    frame, look = pictured(game, options)
    cv2.imwrite(str(tmp_path / "set-up.png"), frame.pixels)
    words = ["--game", game, "--layout", start, "--lens", str(look["lens"]), "--out", f"{tmp_path}/t"]
    done = CliRunner().invoke(group, ["teach", *words, f"{tmp_path}/set-up.png"])
    assert said in f"{done.output}{done.exception}"
    assert bool(taught_in(tmp_path / "t").pictures) is ("learned" in said)


def seen(game: str, stored: StoredEyes) -> TableView:
    """What an eye that knows nothing of the set makes out."""
    eye = stored.fresh(game, None)
    eye.rests(pictured(game)[0])
    return eye.read(pictured(game)[0])


def pupil(folder: Path) -> Eye:
    """An eye that was taught just now."""
    eye = eyes(folder / "nowhere", "ataxx").fresh("ataxx", None)
    eye.teach(pictured("ataxx")[0], cells_of(drawn("ataxx")))
    return eye


def taught_by_hand(folder: Path) -> Path:
    """A folder that `companion teach` may have written, some time ago."""
    reader = pupil(folder).reader
    assert reader is not None
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


def test_a_lesson_by_hand_goes_before_the_folder_that_was_named(tmp_path: Path) -> None:
    named = taught_by_hand(tmp_path)
    stored = eyes(tmp_path / "state", "ataxx", taught=named)
    later = pupil(tmp_path)
    stored.keep("ataxx", later, False)
    assert date_of(stored, tmp_path / "a") == date_of_file(named)
    stored.keep("ataxx", later, True)
    assert date_of(stored, tmp_path / "b") == date_of_file(tmp_path / "state/taught/ataxx")


def test_no_set_up_replaces_what_was_taught_on_purpose(tmp_path: Path) -> None:
    stored = eyes(tmp_path / "state", "ataxx")
    for taught in (False, True):  # by a set-up, which the next one may replace; by hand
        stored.keep("ataxx", pupil(tmp_path), taught)
        assert stored.learns("ataxx") is not taught
    before = files_in(tmp_path / "state/taught/ataxx")
    stored.keep("ataxx", pupil(tmp_path), False)
    assert files_in(tmp_path / "state/taught/ataxx") == before
    stored.forget("ataxx")
    assert stored.learns("ataxx")


def test_a_lesson_that_cannot_be_stored_leaves_the_one_by_hand_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = eyes(tmp_path / "state", "ataxx")
    stored.keep("ataxx", pupil(tmp_path), True)
    before = files_in(tmp_path / "state/taught/ataxx")

    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    second = pupil(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("companion.stored_eyes.files_of", lambda reader: ["discs.json"])
        patch.setattr("companion.vision.taught_looks.write_safely", full)
        with pytest.raises(OSError, match="No space"):
            stored.keep("ataxx", second, True)
    assert files_in(tmp_path / "state/taught/ataxx") == before
    assert not stored.learns("ataxx")


@pytest.mark.skipif(not MEMORY.is_dir(), reason="no folder in memory here")
def test_a_full_disk_hides_no_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    eyes(tmp_path, "ataxx").keep("ataxx", pupil(tmp_path), True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no room"))
    assert StoredEyes(pictured("ataxx")[1], tmp_path).knows("ataxx")


def files_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in folder.iterdir()}


def date_of(stored: StoredEyes, folder: Path) -> str:
    """When the eye that is opened was taught."""
    reader = stored.open("ataxx", None).reader
    assert reader is not None
    folder.mkdir()
    reader.save(folder)
    return date_of_file(folder)


def date_of_file(folder: Path) -> str:
    return str(json.loads((folder / "discs.json").read_text(encoding="utf-8"))["taught"])


def test_what_was_learned_is_shown_and_forgotten(tmp_path: Path) -> None:
    stored, lessons = eyes(tmp_path / "state", "ataxx"), Lessons()
    assert not stored.knows("ataxx")
    assert stored.taught("ataxx").pictures == {}
    stored.keep("ataxx", pupil(tmp_path), True)
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
    stored.keep("ataxx", pupil(tmp_path), True)
    assert stored.left_aside("ataxx") == ""
    (tmp_path / "taught/ataxx/discs.json").write_text(about, encoding="utf-8")
    assert "teach the set anew" in stored.left_aside("ataxx")
    assert stored.left_aside("khet") == ""
    stored.keep("ataxx", pupil(tmp_path), False)
    assert stored.left_aside("ataxx") == ""


@pytest.mark.parametrize("what", ["keep", "forget"])
def test_a_page_that_asks_while_a_lesson_is_written_or_removed_finds_nothing_amiss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    stored, folder, told = eyes(tmp_path, "ataxx"), tmp_path / "taught/ataxx", []
    asking = Thread(target=lambda: told.append(stored.knows("ataxx")))
    taught = pupil(tmp_path)
    assert taught.reader is not None
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
    monkeypatch.setattr("companion.stored_eyes.forget", halfway)
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


class Alike:
    too_close = (("red", "orange"),)


def test_classes_that_are_too_close_are_named_with_what_helps() -> None:
    (told,) = doubles(Alike())
    assert told.startswith("red and orange of this set look almost alike")
    assert "lamp" in told
    assert "cloth" in told
    assert doubles(object()) == []
