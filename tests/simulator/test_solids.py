"""Pieces of the other games have their makers' measures."""

import itertools

import numpy as np
import pytest

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_COLOURS, PYRAMID_HEIGHT_MM, PYRAMID_SIZES
from companion.simulator.icehouse_solids import COLOURS, PIPS, icehouse_finish, icehouse_mesh, lying_points
from companion.simulator.small_solids import die_mesh, disc_mesh, pawn_mesh


@pytest.mark.parametrize("size", PYRAMID_SIZES)
def test_an_upright_pyramid_has_its_base_height_and_pips(size):
    mesh = icehouse_mesh(size, "upright")
    assert mesh.height_mm == pytest.approx(PYRAMID_HEIGHT_MM[size])
    assert np.ptp(mesh.parts[0].vertices[:, 0]) == pytest.approx(PYRAMID_BASE_MM[size])
    assert sum(name == "trim" for name in mesh.materials) == 4 * PIPS[size]


@pytest.mark.parametrize("size", PYRAMID_SIZES)
def test_a_lying_pyramid_rests_on_a_face_and_points_along_x(size):
    mesh = icehouse_mesh(size, "lying")
    body = mesh.parts[0].vertices
    assert np.sum(np.abs(body[:, 2]) < 1e-9) == 3
    assert body[:, 2].min() > -1e-9
    tip, base = lying_points(size)
    assert np.allclose((tip[0] + base[0]) / 2, 0.0)
    assert tip == pytest.approx((float(body[:, 0].max()), 0.0, 0.0))
    assert np.linalg.norm(np.subtract(tip, base)) == pytest.approx(PYRAMID_HEIGHT_MM[size])


def test_every_colour_has_a_plastic_and_most_are_seen_through():
    assert set(COLOURS) == set(PYRAMID_COLOURS)
    clear = {c for c in COLOURS if icehouse_finish(c).materials["body"].clear > 0}
    assert clear == set(PYRAMID_COLOURS) - {"white", "black"}


def test_a_die_shows_each_value_once_with_opposite_faces_summing_to_seven():
    for top, front in itertools.permutations(range(1, 7), 2):
        if top + front == 7:
            with pytest.raises(ValueError, match="opposite"):
                die_mesh(top, front)
            continue
        pips = die_mesh(top, front).parts[1:]
        assert len(pips) == 21 - (7 - top)  # the face below is not drawn


def test_dice_are_western():
    def left(top, front):
        return sum(1 for p in die_mesh(top, front).parts[1:] if p.vertices[:, 1].mean() > 7.9)

    assert left(1, 2) == 3
    assert left(2, 1) == 4
    assert left(6, 2) == 4


def test_discs_and_pawns_have_their_measures():
    assert np.ptp(disc_mesh().vertices[:, 0]) == pytest.approx(32.0)
    assert disc_mesh().height_mm == pytest.approx(6.0)
    assert pawn_mesh().height_mm == pytest.approx(28.6, abs=0.6)
