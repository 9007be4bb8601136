"""Photorealistic tables that nothing here was fitted on: taught by one picture, no wrong cell in another."""

import pytest
from drawn_tables import samples as sample_pictures

from companion.bench.vision import read_into, samples
from companion.bench.vision_score import Score
from companion.vision.khet.reader import new_reader
from companion.vision.weights import WEIGHTS

pytestmark = pytest.mark.skipif(not (WEIGHTS / "khet.onnx").exists(), reason="the trained network is not here")


@pytest.fixture(scope="module")
def pictures():
    return list(samples(sample_pictures("khet")))


def test_colours_and_empty_cells_are_right_without_teaching(pictures):
    score = Score()
    for picture in pictures:
        read_into(score, picture, new_reader())
    assert score.unread == 0
    assert [e for e in score.errors if (e.is_.kind == "empty") != (e.seen.kind == "empty")] == []
    assert [e for e in score.errors if e.is_.colour != e.seen.colour] == []
    assert score.wrong + score.unknown <= 0.02 * score.cells


@pytest.mark.parametrize("lesson", [0, 1, 2])
def test_taught_by_one_picture_no_cell_of_the_others_is_wrong(pictures, lesson):
    reader, score = new_reader(), Score()
    pictures[lesson].eye(reader).teach(pictures[lesson].frame(), pictures[lesson].cells)
    for picture in pictures[:lesson] + pictures[lesson + 1 :]:
        read_into(score, picture, reader)
    assert [str(error) for error in score.errors if error.why is None] == []


def test_a_photographed_game_is_read_after_its_set_up(pictures):
    game = next(iter(sorted(sample_pictures("games").glob("khet*"))), None)
    if game is None:
        pytest.skip("no photographed game among the samples")
    shots = list(samples(game))
    reader, score = new_reader(), Score()
    shots[0].eye(reader).teach(shots[0].frame(), shots[0].cells)
    for shot in shots[1:]:
        read_into(score, shot, reader)
    assert [str(error) for error in score.errors] == []
