"""Pieces of the other games have their makers' measures."""

import itertools

import numpy as np
import pytest

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_COLOURS, PYRAMID_HEIGHT_MM, PYRAMID_SIZES, SUITS, VALUES
from companion.simulator.piecepack_solids import coin_mesh, suit_die_mesh, tile_mesh
from companion.simulator.pyramid_solids import lain, pyramid_mesh
from companion.simulator.pyramid_style import DYES, usual_finish
from companion.simulator.small_solids import die_mesh, disc_mesh, pawn_mesh


@pytest.mark.parametrize("size", PYRAMID_SIZES)
def test_an_upright_pyramid_has_its_base_height_and_pips(size):
    mesh = pyramid_mesh(size, "upright", True)
    body = mesh.parts[mesh.materials.index("body")].vertices
    assert body[:, 2].max() == pytest.approx(PYRAMID_HEIGHT_MM[size])
    assert np.ptp(body[:, 0]) == pytest.approx(PYRAMID_BASE_MM[size])
    assert mesh.materials.count("pip") == 4 * (PYRAMID_SIZES.index(size) + 1)


@pytest.mark.parametrize("size", PYRAMID_SIZES)
def test_a_lying_pyramid_rests_on_a_face_and_points_along_x(size):
    mesh = pyramid_mesh(size, "lying", True)
    body = mesh.parts[mesh.materials.index("body")].vertices
    assert np.sum(np.abs(body[:, 2]) < 1e-9) == 3
    assert body[:, 2].min() > -1e-9
    upright = np.array([(0.0, 0.0, PYRAMID_HEIGHT_MM[size]), (0.0, 0.0, 0.0)])
    tip, base = lain(upright, PYRAMID_BASE_MM[size], PYRAMID_HEIGHT_MM[size])
    assert np.allclose((tip[0] + base[0]) / 2, 0.0)
    assert tip == pytest.approx([float(body[:, 0].max()), 0.0, 0.0])
    assert np.linalg.norm(np.subtract(tip, base)) == pytest.approx(PYRAMID_HEIGHT_MM[size])


def test_every_colour_has_a_plastic_and_most_are_seen_through():
    assert set(DYES) == set(PYRAMID_COLOURS)
    clear = {c for c in DYES if usual_finish(c).see_through}
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


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("value", VALUES)
def test_every_tile_looks_different_and_its_paint_stays_on_it(suit, value):
    mesh = tile_mesh("front", suit, value)
    assert np.ptp(mesh.parts[0].vertices[:, 0]) == pytest.approx(50.8)
    assert mesh.height_mm == pytest.approx(6.4, abs=0.3)
    assert np.abs(mesh.vertices[:, :2]).max() <= 25.4 + 1e-9
    assert np.all(mesh.normals[mesh.layers > 0][:, 2] > 0.99)
    alike = [v for v in VALUES if len(tile_mesh("front", suit, v).faces) == len(mesh.faces)]
    assert all(v == value or not _same(tile_mesh("front", suit, v), mesh) for v in alike)


def _same(one, other):
    return one.vertices.shape == other.vertices.shape and np.allclose(one.vertices, other.vertices)


def test_the_null_has_no_sign_but_its_suit_and_coins_hide_the_other_side():
    assert len(tile_mesh("front", "suns", "null").parts) < len(tile_mesh("front", "suns", "2").parts)
    assert _same(coin_mesh("value", "suns", "3"), coin_mesh("value", "arms", "3"))
    assert _same(coin_mesh("suit", "suns", "3"), coin_mesh("suit", "suns", "4"))
    assert np.ptp(coin_mesh("value", None, "2").parts[0].vertices[:, 0]) == pytest.approx(19.1)
    assert suit_die_mesh("arms", "ace").height_mm == pytest.approx(12.7, abs=0.3)


def test_a_tile_without_a_suit_shows_its_back_only():
    with pytest.raises(ValueError, match="suit and a value"):
        tile_mesh("front")
    assert len(tile_mesh("back").parts) == 3
