"""Lessons on simulated tables: what is learned, and what is refused as the picture differs."""

import contextlib
import dataclasses
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from lesson_tables import NOTHING, drawn, eyes, photographed, pictured, seen

from companion.cli import group
from companion.errors import CompanionError
from companion.games.base import Layout
from companion.pieces import Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.settings import Settings
from companion.sets.lessons import Lessons
from companion.sets.stored_eyes import StoredEyes
from companion.sets.teaching import SetTeacher, check_labels, doubles, seen_of
from companion.view import Sighting, TableView
from companion.vision.pipeline import Eye
from companion.vision.taught_looks import taught_in
from hardware.frames import Frame
from hardware.pictures import frame_of


def lesson(
    stored: StoredEyes, game: str, layout: Layout | None = None, view: TableView = NOTHING, frame: Frame | None = None
) -> tuple[Eye | None, str]:
    """An eye taught by the picture of a set-up, if it shows the layout, and what is said of the lesson."""
    lessons = Lessons()
    shown, known = frame or pictured(game)[0], layout or drawn(game)
    return lessons.learn(shown, view, known, lambda: stored.fresh(game, None), Settings()), lessons.text


def test_a_lesson_on_the_table_that_is_drawn_is_learned(tmp_path: Path) -> None:
    taught, text = lesson(eyes(tmp_path, "ataxx"), "ataxx")
    assert taught is not None
    assert text.startswith("The looks of 4 pieces were learned")


def test_a_lesson_on_another_table_is_refused_and_names_cells(tmp_path: Path) -> None:
    taught, text = lesson(eyes(tmp_path, "khet"), "khet", drawn("khet", layout="dynasty-2.0"))
    assert taught is None
    assert "does not show what is drawn: look at a" in text
    assert "and 1" in text  # so many more


@pytest.mark.parametrize(
    ("game", "one", "other", "named"),
    [("khet", "c4", "g8", "c4, g8"), ("khet", "f4", "f5", "f4, f5"), ("ataxx", "a1", "a8", "a1, a8")],
)
def test_pieces_that_stand_in_each_others_places_teach_nothing_and_are_named(
    tmp_path: Path, game: str, one: str, other: str, named: str
) -> None:
    layout, swaps = drawn(game), {one: other, other: one}
    pieces = tuple(dataclasses.replace(p, cell=swaps.get(str(p.cell), p.cell)) for p in layout.pieces)
    taught, text = lesson(eyes(tmp_path, game), game, dataclasses.replace(layout, pieces=pieces))
    assert taught is None
    assert text.endswith(f"another piece, or one that is turned otherwise, is seen on {named}.")


def test_what_a_sheet_lies_over_is_learned_neither_by_hand_nor_by_itself(tmp_path: Path) -> None:
    stored, pixels = eyes(tmp_path, "khet"), pictured("khet")[0].pixels.copy()
    height, width = pixels.shape[:2]
    sheet = np.array([(0.475, 0.465), (0.545, 0.46), (0.547, 0.552), (0.476, 0.557)]) * (width, height)
    frame = frame_of(cv2.fillConvexPoly(pixels, sheet.astype(np.int32), (120, 165, 150)), 0.0, 0)
    taught, text = lesson(stored, "khet", frame=frame)
    assert taught is None
    assert re.search("something lies over .*: take it off the board first.$", text)
    eye = stored.fresh("khet", None)
    eye.rests(frame)
    view = eye.read(frame)
    assert view.hidden_cells()
    assert SetTeacher(lambda: stored.fresh("khet", None), Settings()).taught(frame, view, drawn("khet")) is None


@pytest.mark.parametrize("more", ["d4", "b5"])
def test_one_disc_that_is_not_drawn_is_not_learned_as_an_empty_cell(tmp_path: Path, more: str) -> None:
    """As a refused action leaves the set-up."""
    layout = drawn("ataxx")
    disc = dataclasses.replace(next(lying for lying in layout.pieces if lying.piece.colour == "white"), cell=more)
    frame = photographed("ataxx", dataclasses.replace(layout, pieces=(*layout.pieces, disc)), layout)
    taught, text = lesson(eyes(tmp_path, "ataxx"), "ataxx", frame=frame)
    assert taught is None
    assert text.endswith(f"look at {more}.")


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


def test_places_are_named_in_whole_millimetres_and_the_rest_is_counted() -> None:
    there = [dataclasses.replace(LYING, x_mm=60.0 * n, y_mm=-0.2) for n in range(20)]
    view = TableView(0.0, tuple(there[:11]))
    (doubt,) = check_labels({}, there, view, Settings())
    assert doubt.startswith("nothing is seen at (660, 0), (720, 0), ")
    assert "(960, 0) mm and 3 more, where a piece is labelled" in doubt


def test_what_is_covered_is_left_out_of_a_lesson_and_the_others_keep_what_carries_them() -> None:
    small = Sighting(((Piece("pyramid", colour="blue", size="small"), 1.0),), 10.0, -110.0, nested_on=1)
    covered = dataclasses.replace(LYING, y_mm=120.0)
    labels = [covered, LYING, small, dataclasses.replace(small, y_mm=118.0, nested_on=0)]
    kept = seen_of(labels, TableView(0.0, (LYING,)))
    assert kept == [LYING, dataclasses.replace(small, nested_on=0)]


def test_free_pieces_are_learned_where_they_lie(tmp_path: Path) -> None:
    stored = eyes(tmp_path, "kaxxt")
    taught, text = lesson(stored, "kaxxt", view=seen("kaxxt", stored))
    assert taught is not None
    assert text == "The looks of 1 piece were learned from this picture."
    stored.keep("kaxxt", taught, True)
    assert set(stored.taught("kaxxt").pictures) == {"robot-card"}
    taught, text = lesson(stored, "kaxxt")
    assert taught is None
    assert "does not surely show" in text


def test_a_table_on_which_nothing_is_drawn_teaches_nothing_and_that_is_said(tmp_path: Path) -> None:
    said = "Nothing was learned: no piece is drawn yet: play a few onto the table first."
    assert lesson(eyes(tmp_path, "chaos"), "chaos") == (None, said)


def test_tiles_that_lie_face_down_teach_nothing_and_that_is_said(tmp_path: Path) -> None:
    stored = eyes(tmp_path, "kdak")
    taught, text = lesson(stored, "kdak", view=seen("kdak", stored))
    assert taught is None
    assert "face-down" in text


@pytest.mark.parametrize(
    ("game", "start", "options", "said"),
    [
        ("ataxx", "start", (), "learned from 1 picture"),
        ("ataxx", "7x7", (("board", "7"),), "learned from 1 picture"),
        ("hexxagon", "start", (), "learned from 1 picture"),
        ("kaxxt", "start", (), "learned from 1 picture"),
        (
            "kdak",
            "duel",
            (),
            "what lies there tells nothing of the set, as tiles that lie face-down do: play some face-up first",
        ),
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


class Alike:
    too_close = (("red", "orange"),)


def test_classes_that_are_too_close_are_named_with_what_helps() -> None:
    (told,) = doubles(Alike())
    assert told.startswith("red and orange of this set look almost alike")
    assert "lamp" in told
    assert "cloth" in told
    assert doubles(object()) == []
