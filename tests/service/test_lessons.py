"""Lessons on simulated tables: what is learned, and what is refused as the picture differs."""

import contextlib
import dataclasses
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from lesson_tables import NOTHING, SEED, drawn, eyes, pictured, seen

from companion.cli import group
from companion.errors import CompanionError
from companion.games import game as game_named
from companion.pieces import Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.settings import Settings
from companion.sets.lessons import Lessons
from companion.sets.teaching import SetTeacher, check_labels, doubles, seen_of
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.designs import design_for
from companion.simulator.script import Beat
from companion.simulator.setting import Setting
from companion.view import Sighting, TableView
from companion.vision.taught_looks import taught_in
from hardware.frames import Frame
from hardware.pictures import frame_of


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


@pytest.mark.parametrize(
    ("game", "one", "other", "named"),
    [("khet", "c4", "g8", "c4, g8"), ("khet", "f4", "f5", "f4, f5"), ("ataxx", "a1", "a8", "a1, a8")],
)
def test_pieces_that_stand_in_each_others_places_teach_nothing_and_are_named(
    tmp_path: Path, game: str, one: str, other: str, named: str
) -> None:
    lessons, stored, layout = Lessons(), eyes(tmp_path, game), drawn(game)
    swaps = {one: other, other: one}
    pieces = tuple(dataclasses.replace(p, cell=swaps.get(str(p.cell), p.cell)) for p in layout.pieces)
    swapped = dataclasses.replace(layout, pieces=pieces)
    assert lessons.learn(pictured(game)[0], NOTHING, swapped, lambda: stored.fresh(game, None), Settings()) is None
    assert lessons.text.endswith(f"another piece, or one that is turned otherwise, is seen on {named}.")


def test_what_a_sheet_lies_over_is_learned_neither_by_hand_nor_by_itself(tmp_path: Path) -> None:
    lessons, stored, layout = Lessons(), eyes(tmp_path, "khet"), drawn("khet")
    pixels = pictured("khet")[0].pixels.copy()
    height, width = pixels.shape[:2]
    sheet = np.array([(0.475, 0.465), (0.545, 0.46), (0.547, 0.552), (0.476, 0.557)]) * (width, height)
    frame = frame_of(cv2.fillConvexPoly(pixels, sheet.astype(np.int32), (120, 165, 150)), 0.0, 0)
    assert lessons.learn(frame, NOTHING, layout, lambda: stored.fresh("khet", None), Settings()) is None
    assert re.search("something lies over .*: take it off the board first.$", lessons.text)
    eye = stored.fresh("khet", None)
    eye.rests(frame)
    view = eye.read(frame)
    assert view.hidden_cells()
    assert SetTeacher(lambda: stored.fresh("khet", None), Settings()).taught(frame, view, layout) is None


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
