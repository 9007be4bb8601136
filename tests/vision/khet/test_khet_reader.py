"""The reader of Khet cells on simulated tables: untaught, taught, part by part, and without its network."""

import json
from dataclasses import replace

import numpy as np
import pytest
from cases import long
from khet_tables import cut_table

from companion.pieces import EMPTY, UNKNOWN, Piece
from companion.view import ASKEW
from companion.vision.khet.network import CLASSES, FIRST, gradients, mirrored_class, shipped, turned_class
from companion.vision.khet.reader import KhetReader, KhetSettings, new_reader
from companion.vision.khet.views import View
from companion.vision.khet.windows import windows
from companion.vision.weights import WEIGHTS

VIEWS = (1, 2, 3)
MOST_WRONG = 2  # of 80 cells, wrong or unknown
needs_weights = pytest.mark.skipif(not (WEIGHTS / "khet.onnx").exists(), reason="the trained network is not here")


@needs_weights
@pytest.mark.parametrize("view", VIEWS)
def test_an_untaught_set_is_read(view):
    table = cut_table(view)
    assert len(table.wrong(new_reader().read(table.patches))) <= MOST_WRONG


@needs_weights
def test_beliefs_are_probabilities_and_never_surer_than_certain():
    readings = new_reader().read(cut_table(1).patches)
    sums = [sum(p for _, p in reading.beliefs) for reading in readings]
    assert max(sums) <= 1.0 + 1e-6
    assert min(sums) > 0.9
    assert all(list(r.beliefs) == sorted(r.beliefs, key=lambda pair: -pair[1]) for r in readings)


@needs_weights
@pytest.mark.parametrize("colours", [long("silver-gold"), long("orange-blue"), "green-purple"])
def test_sides_of_other_sets_are_told_once_taught(colours):
    lesson, table = cut_table(4, maker=2, colours=colours), cut_table(5, maker=2, colours=colours)
    reader = new_reader()
    reader.learn(lesson.patches, lesson.pieces)
    seen = [r.beliefs[0][0] for r in reader.read(table.patches)]
    sides = {cell: piece.colour for cell, piece in zip(table.patches.cells, seen, strict=True) if piece != EMPTY}
    assert sides == {cell: piece.colour for cell, piece in table.pieces.items()}


@needs_weights
def test_teaching_makes_the_right_answer_likelier():
    lesson, table = cut_table(1, maker=3, colours="silver-gold"), cut_table(2, maker=3, colours="silver-gold")
    shown = {p.kind for p in lesson.pieces.values()}
    places = {table.patches.cells.index(c): p for c, p in table.pieces.items() if p.kind in shown}
    reader = new_reader()
    before = _belief(reader, table, places)
    reader.learn(lesson.patches, lesson.pieces)
    assert _belief(reader, table, places) > before
    assert len(table.wrong(reader.read(table.patches))) <= MOST_WRONG


def _belief(reader, table, places):
    """The mean belief in what really stands on these cells."""
    readings = reader.read(table.patches)
    bare = {
        i: Piece(p.kind, p.colour, facing=None if p.kind in ("pharaoh", "obelisk") else p.facing)
        for i, p in places.items()
    }
    return np.mean([sum(p for seen, p in readings[i].beliefs if piece.fits(seen)) for i, piece in bare.items()])


@needs_weights
def test_a_part_of_a_board_is_read_like_the_whole():
    table, reader = cut_table(3), new_reader()
    whole = reader.read(table.patches)
    chosen = [table.patches.cells.index(cell) for cell in list(table.pieces)[:6]] + [0]
    for index, reading in zip(chosen, reader.read(table.patches.only(chosen)), strict=True):
        assert reading.beliefs[0][0] == whole[index].beliefs[0][0]
        assert reading.beliefs[0][1] == pytest.approx(whole[index].beliefs[0][1], abs=0.2)


def test_looks_survive_saving_and_show_every_class(tmp_path):
    lesson, table = cut_table(1), cut_table(2)
    reader, again = new_reader(), new_reader()
    reader.learn(lesson.patches, lesson.pieces)
    reader.save(tmp_path)
    again.load(tmp_path)
    for mine, theirs in zip(reader.read(table.patches), again.read(table.patches), strict=True):
        assert mine.beliefs[0][0] == theirs.beliefs[0][0]
        assert mine.beliefs[0][1] == pytest.approx(theirs.beliefs[0][1], abs=1e-3)
    about = json.loads((tmp_path / "khet.json").read_text())
    assert about["format"] == 1
    assert about["taught"].startswith("20")
    pictures = {path.stem for path in tmp_path.glob("*.png")}
    assert pictures == {f"{p.colour}-{p.kind}" for p in lesson.pieces.values()} | {"empty"}
    second = cut_table(3)
    again.learn(second.patches, second.pieces)
    again.save(tmp_path)
    assert json.loads((tmp_path / "khet.json").read_text())["lessons"] == 2


def test_who_checks_a_lesson_sees_pictures_of_that_one_and_not_of_one_before(tmp_path):
    reader, shown = new_reader(), []
    for lesson in (cut_table(2), cut_table(3)):
        reader.learn(lesson.patches, lesson.pieces)
        reader.save(tmp_path)
        shown.append({path.stem: path.read_bytes() for path in tmp_path.glob("*.png")})
    assert shown[0].keys() == shown[1].keys()
    assert not shown[0].items() & shown[1].items()


def taught(lesson):
    """A reader without the network that was shown this table."""
    reader = KhetReader(gradients())
    reader.learn(lesson.patches, lesson.pieces)
    return reader


@pytest.mark.parametrize("name", ["khet.json", "khet-*.npz"])
def test_broken_looks_are_refused_with_advice(tmp_path, name):
    taught(cut_table(1)).save(tmp_path)
    next(tmp_path.glob(name)).write_bytes(b"{")
    with pytest.raises(ValueError, match="teach the set anew"):
        KhetReader(gradients()).load(tmp_path)


def test_looks_of_other_eyes_are_refused(tmp_path):
    taught(cut_table(1)).save(tmp_path)
    about = json.loads((tmp_path / "khet.json").read_text())
    (tmp_path / "khet.json").write_text(json.dumps(about | {"eyes": "network 0"}))
    with pytest.raises(ValueError, match=r"network 0.*teach the set anew"):
        KhetReader(gradients()).load(tmp_path)


def test_without_the_network_nothing_is_claimed_before_teaching():
    readings = KhetReader(gradients()).read(cut_table(1).patches)
    assert all(reading.why is not None for reading in readings)


def test_without_the_network_a_taught_set_is_read_usably():
    lesson, table = cut_table(1), cut_table(2)
    reader = taught(lesson)
    assert lesson.wrong(reader.read(lesson.patches)) == []
    assert len(table.wrong(reader.read(table.patches))) < 0.35 * len(table.patches)


def test_a_set_up_without_facings_of_pharaohs_can_be_learned():
    lesson = cut_table(1)
    bare = {
        c: Piece(p.kind, p.colour, facing=None if p.kind == "pharaoh" else p.facing) for c, p in lesson.pieces.items()
    }
    reader = KhetReader(gradients())
    reader.learn(lesson.patches, bare)
    assert lesson.wrong(reader.read(lesson.patches)) == []


@pytest.mark.parametrize(
    ("stranger", "said"), [(Piece("disc", "black"), "a disc is no piece of Khet"), (UNKNOWN, "nothing to learn")]
)
def test_nothing_can_be_learned_from_strangers(stranger, said):
    patches = cut_table(1).patches
    labels = dict.fromkeys(patches.cells, stranger)
    with pytest.raises(ValueError, match=said):
        KhetReader(gradients()).learn(patches, labels)


@needs_weights
@pytest.mark.parametrize("view", VIEWS)
def test_a_board_seen_upside_down_is_noticed(view):
    patches = cut_table(view).patches
    around = replace(patches, pixels=np.ascontiguousarray(patches.pixels[::-1, ::-1, ::-1]), lean=-patches.lean[::-1])
    assert new_reader().turned(patches) < -3
    assert new_reader().turned(around) > 3


def test_quarter_turns_of_windows_and_classes_agree():
    assert turned_class(FIRST["pyramid"], 1) == FIRST["pyramid"] + 1  # NE becomes NW
    assert turned_class(FIRST["scarab"], 2) == FIRST["scarab"]
    patches = cut_table(1).patches
    straight, lean = windows(patches, 64, 1.36, 1.0)
    turned, leaning = windows(patches, 64, 1.36, 1.0, View(1, False))
    assert np.array_equal(turned[:, 0, 0], straight[:, 0, -1])  # the top right corner comes to the top left
    assert leaning[5] == pytest.approx([-lean[5, 1], lean[5, 0]])


def test_windows_turned_by_degrees_and_by_quarters_agree():
    patches = cut_table(0).patches
    for quarters in range(4):
        seen = windows(patches, 32, 1.2, 1.0, View(quarters, False))
        by_degrees = windows(patches, 32, 1.2, 1.0, turn_deg=90.0 * quarters)
        assert np.allclose(by_degrees[0], seen[0], atol=0.02)
        assert np.allclose(by_degrees[1], seen[1], atol=1e-6)


@pytest.mark.parametrize("off_deg", [36.0, -36.0, 45.0])
def test_of_most_that_stands_askew_it_is_told_and_of_nothing_else(off_deg):
    askew = []
    for view in (2, 3, 5):
        table = cut_table(view, off_deg=off_deg)
        told = dict(zip(table.patches.cells, new_reader().read(table.patches), strict=True))
        askew += [told.pop(cell) for cell in table.askew]
        assert all(reading.why != ASKEW and not reading.skew_deg for reading in told.values())
    seen = [reading.skew_deg for reading in askew if reading.why == ASKEW]
    assert len(seen) >= 0.7 * len(askew)
    if abs(off_deg) < 45:  # from there on it may be the next facing that is askew
        assert sum(skew * off_deg > 0 for skew in seen) >= 0.7 * len(seen)


def test_mirrored_windows_and_classes_agree():
    assert CLASSES[mirrored_class(FIRST["pyramid"])] == ("pyramid", "NW")
    assert CLASSES[mirrored_class(FIRST["sphinx"])] == ("sphinx", "N")
    assert CLASSES[mirrored_class(FIRST["eye"])] == ("eye", "\\")
    assert all(mirrored_class(mirrored_class(index)) == index for index in range(len(CLASSES)))
    patches = cut_table(1).patches
    straight, lean = windows(patches, 64, 1.36, 1.0)
    mirrored, leaning = windows(patches, 64, 1.36, 1.0, View(1, True))
    assert np.array_equal(mirrored[:, 0, 0], straight[:, 0, 0])  # the top left corner goes right, and back by the turn
    assert leaning[5] == pytest.approx([-lean[5, 1], -lean[5, 0]])


@needs_weights
def test_a_second_look_sees_every_view_as_the_piece_lies():
    table, settings = cut_table(1), KhetSettings(second_look_below=1.1)
    reader = KhetReader(shipped(), settings)
    reader.looks(table.patches)
    pieces = table.patches.named([c for c, p in table.pieces.items() if p.kind == "pyramid"][: settings.second_looks])
    once, twice = (reader.looks(pieces, twice=again)[0] for again in (False, True))
    assert len(pieces) > 4
    assert np.abs(once - twice).max(axis=1).min() > 0
    assert np.array_equal(twice.argmax(axis=1), once.argmax(axis=1))
