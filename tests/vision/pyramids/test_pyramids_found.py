"""Pyramids on drawn tables: sizes, poses, places, headings, stacks, colours, and what is none."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_COLOURS, PYRAMID_HEIGHT_MM, Piece
from companion.simulator.clutter import CLUTTER
from companion.view import Sighting
from companion.vision.ground.foreground import see_ground
from companion.vision.kaxxt_finder import new_reader
from companion.vision.pyramids import colours, score
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses, on_top
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, STANDING, shape_of
from companion.vision.weights import WEIGHTS

needs_weights = pytest.mark.skipif(not (WEIGHTS / "pyramids.npz").exists(), reason="the fitted judge is not here")

SCATTERED = (
    ("red", "large", "upright", -90.0, 40.0, 20.0),
    ("blue", "medium", "lying", -20.0, 60.0, 130.0),
    ("yellow", "small", "upright", 40.0, 30.0, 50.0),
    ("black", "large", "lying", 100.0, 50.0, 250.0),
    ("green", "medium", "upright", -60.0, -50.0, 70.0),
    ("orange", "small", "lying", 20.0, -60.0, 10.0),
)


def nearest(found: list[Sighting], x: float, y: float) -> Sighting:
    return min(found, key=lambda s: math.hypot(s.x_mm - x, s.y_mm - y))


def test_a_lying_pyramid_touches_the_table_with_its_tip_and_one_edge_of_its_base():
    for size, base in PYRAMID_BASE_MM.items():
        shape = shape_of(size, "lying")
        low = shape.corners[np.abs(shape.corners[:, 2]) < 1e-9]
        assert len(low) == 3
        assert np.linalg.norm(low[0] - low[1]) == pytest.approx(base)
        middle = shape.corners[:4].mean(axis=0)
        assert np.allclose((shape.corners[4] + middle)[:2] / 2, 0.0)
        assert np.linalg.norm(shape.corners[4] - middle) == pytest.approx(PYRAMID_HEIGHT_MM[size])


def test_a_stacked_tip_lies_beyond_the_tip_below_along_the_axis():
    kinds = np.arange(len(CLASSES))
    lower = Hypotheses(kinds, np.array([[12.0, -7.0, 33.0, 0.0]] * len(kinds)), np.zeros(len(kinds), np.intp))
    for size in range(STANDING):
        upper = on_top(lower, kinds - kinds % STANDING + size, np.full(len(kinds), 5.3))
        for below, above in zip(lower.corners(), upper.corners(), strict=True):
            axes = [own[4] - own[:4].mean(axis=0) for own in (below, above)]
            along, other = (axis / np.linalg.norm(axis) for axis in axes)
            assert np.allclose(above[4] - below[4], along * 5.3)
            assert along @ other > 0.99  # sizes do not lean alike


@needs_weights
@pytest.mark.parametrize("view", [1, 2])
def test_scattered_pieces_are_found_where_they_lie(view):
    found = new_reader().find(table_picture(on_table(SCATTERED), view))
    assert len(found) == len(SCATTERED)
    for _, size, pose, x, y, heading in SCATTERED:
        seen = nearest(found, x, y)
        guess = seen.beliefs[0][0]
        assert (guess.size, guess.pose) == (size, pose)
        assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3.0
        if pose == "lying":
            assert abs((seen.heading_deg - heading + 180) % 360 - 180) < 6.0
        else:
            assert seen.heading_deg is None
        assert 0.0 < sum(p for _, p in seen.beliefs) <= 1.0 + 1e-9


@needs_weights
def test_a_piece_against_another_and_one_upon_another_are_told():
    things = on_table(
        (
            ("green", "large", "upright", -40.0, 0.0, 0.0),
            ("yellow", "small", "on", 0.0, 0.0, 0.0),
            ("red", "large", "upright", 60.0, 0.0, 0.0),
            ("blue", "medium", "lying", 92.6, 0.0, 0.0),
        )
    )
    found = new_reader().find(table_picture(things, 1))
    assert sorted((s.beliefs[0][0].size, s.beliefs[0][0].pose) for s in found) == [
        ("large", "upright"),
        ("large", "upright"),
        ("medium", "lying"),
        ("small", "upright"),
    ]
    upper = next(s for s in found if s.beliefs[0][0].size == "small")
    assert upper.nested_on is not None
    assert abs(found[upper.nested_on].x_mm + 40.0) < 3.0
    assert sum(s.nested_on is not None for s in found) == 1


@needs_weights
def test_everyday_things_are_no_pyramids():
    rng = np.random.default_rng(5)
    things = tuple(
        CLUTTER[kind](rng, kind, x, y)
        for kind, x, y in (("pencil", -60.0, 60.0), ("coin", 40.0, -40.0), ("mug", 120.0, 40.0), ("box", -140.0, -40.0))
    )
    assert new_reader().find(table_picture(things, 2)) == []


def test_without_markers_nothing_is_found_or_learned():
    blind = replace(table_picture(on_table(SCATTERED), 1), pose=None)
    reader = new_reader()
    assert reader.find(blind) == []
    with pytest.raises(ValueError, match="markers"):
        reader.learn(blind, [])


@needs_weights
def test_taught_colours_are_kept_and_told(tmp_path):
    lesson = table_picture(on_table(SCATTERED, maker=9), 1)
    labels = [
        Sighting(
            ((Piece("pyramid", colour, size, pose), 1.0),),
            x_mm=x,
            y_mm=y,
            heading_deg=heading if pose == "lying" else None,
        )
        for colour, size, pose, x, y, heading in SCATTERED
    ]
    reader = new_reader()
    reader.learn(lesson, labels)
    reader.save(tmp_path)
    shown = (tmp_path / "pyramid-red-large-upright.png").read_bytes()
    again = new_reader()
    again.load(tmp_path)
    (tmp_path / "more").mkdir()
    again.save(tmp_path / "more")
    assert (tmp_path / "more/pyramid-red-large-upright.png").read_bytes() == shown
    picture = table_picture(on_table(SCATTERED, maker=9), 2)
    taught, loaded = reader.find(picture), again.find(picture)
    assert [s.beliefs for s in taught] == [s.beliefs for s in loaded]
    right = sum(nearest(taught, p[3], p[4]).beliefs[0][0].colour == p[0] for p in SCATTERED)
    assert right >= len(SCATTERED) - 1
    again.learn(picture, labels)
    again.save(tmp_path)
    assert (tmp_path / "pyramid-red-large-upright.png").read_bytes() != shown, "a later lesson shows its own pictures"


@needs_weights
def test_every_colour_that_is_thought_of_is_told():
    """The referee weighs even what is hardly likely: among ten colours the right one may be the fifth."""
    table = table_picture(on_table(SCATTERED), 1)
    found = PyramidFinder(PyramidSettings(least_belief=0.0)).find(see_ground(table))
    told = [len({piece.colour for piece, _ in claim.sighting.beliefs}) for claim in found]
    assert told == [len(PYRAMID_COLOURS)] * len(SCATTERED)


def test_broken_taught_looks_say_so(tmp_path):
    (tmp_path / "pyramids.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="teach the set anew"):
        new_reader().load(tmp_path)


def test_without_fitted_weights_pieces_are_still_found(without_weights):
    without_weights(score, score.shipped_net)
    without_weights(colours, colours.shipped_looks)
    found = new_reader().find(table_picture(on_table(SCATTERED), 1))
    near = [p for p in SCATTERED if math.hypot((s := nearest(found, p[3], p[4])).x_mm - p[3], s.y_mm - p[4]) < 4.0]
    assert len(near) >= 4


@needs_weights
def test_colours_are_told_from_the_picture_as_it_was_taken():
    other = {"red": "blue", "blue": "yellow", "yellow": "red"}
    shown = tuple(piece for piece in SCATTERED if piece[0] in other)
    taken = tuple((other[colour], *where) for colour, *where in shown)
    ground, as_taken = (see_ground(table_picture(on_table(pieces), 1)) for pieces in (shown, taken))
    finder = PyramidFinder()
    for seen, pieces in ((ground, shown), (replace(ground, taken=as_taken), taken)):
        found = [claim.sighting for claim in finder.find(seen)]
        assert [nearest(found, p[3], p[4]).piece.colour for p in pieces] == [p[0] for p in pieces]
