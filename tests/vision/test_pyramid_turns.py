"""What is proposed with a wrong heading is turned until it fits, but only where nothing was found."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyramid_tables import on_table, table_picture

from companion.vision import pyramid_candidates
from companion.vision.foreground import see_ground
from companion.vision.pyramid_hypotheses import Hypotheses
from companion.vision.pyramid_proposals import Proposals
from companion.vision.pyramid_settings import PyramidSettings
from companion.vision.pyramid_shapes import CLASSES, STANDING
from companion.vision.pyramid_turns import TurnSettings, turned
from companion.vision.pyramids import PyramidFinder

S = TurnSettings()
PIECES = (("clear", "large", "upright", -60.0, 10.0, 25.0), ("clear", "medium", "lying", 50.0, -20.0, 40.0))
places = st.lists(st.tuples(st.integers(0, 5), st.floats(-200, 200), st.floats(-200, 200)), max_size=9)


def hypotheses(rows):
    kinds = np.array([row[0] for row in rows], np.intp)
    place = np.array([(x, y, 7.0, 0.0) for _, x, y in rows]).reshape(-1, 4)
    return Hypotheses(kinds, place, np.arange(len(rows), dtype=np.intp))


@given(places, places)
def test_only_what_lies_near_nothing_found_is_turned(proposed, found):
    rough, sure = hypotheses(proposed), hypotheses(found)
    ways = turned(rough, sure, S)
    open_ = [
        row for row in proposed if all(np.hypot(row[1] - x, row[2] - y) >= S.near_mm for _, x, y in found)
    ]  # fewer than are turned at most
    wanted = [
        (kind, x, y, 7.0 + turn) for kind, x, y in open_ for turn in (S.upright_deg if kind < STANDING else S.lying_deg)
    ]
    assert len(ways) == len(wanted)
    assert np.allclose(np.column_stack([ways.kind, ways.place[:, :3]]), np.array(wanted).reshape(-1, 4))


def test_so_many_at_most_are_turned():
    rows = [(0, 30.0 * i, 0.0) for i in range(9)]
    few = turned(hypotheses(rows), hypotheses([]), replace(S, most=4))
    assert sorted(set(few.window)) == [0, 1, 2, 3]


@pytest.mark.parametrize("most", [0, S.most])
def test_a_piece_that_is_proposed_askew_is_found(monkeypatch, most):
    kinds = np.array([CLASSES.index((size, pose)) for _, size, pose, *_ in PIECES])
    place = np.array([(x, y, heading + 32.0, 0.0) for *_, x, y, heading in PIECES])
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: Proposals(kinds, place, np.ones(len(kinds))))
    finder = PyramidFinder(PyramidSettings(turns=TurnSettings(most=most), by_edges=0.0))
    seen = finder.see(see_ground(table_picture(on_table(PIECES))))
    right = sum(
        np.hypot(x - found[0], y - found[1]) < 4 and abs((heading - found[2] + 45) % 90 - 45) < 8
        for *_, x, y, heading in PIECES
        for found in seen.found.place
    )
    assert right == (len(PIECES) if most else 0)
