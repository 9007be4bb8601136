"""Pieces of the other games have their makers' measures."""

import dataclasses
import itertools

import cv2
import numpy as np
import pytest

from companion.games.chaos.colours import CHART
from companion.pieces import PYRAMID_BASE_MM, PYRAMID_COLOURS, PYRAMID_HEIGHT_MM, PYRAMID_SIZES, SUITS, VALUES, Piece
from companion.simulator.piecepack_art import PAWNS, random_piecepack_style
from companion.simulator.piecepack_solids import pawn_mesh
from companion.simulator.pyramid_solids import lain, pyramid_mesh
from companion.simulator.pyramid_style import DYES, usual_finish
from companion.simulator.sets import usual_looks
from companion.simulator.small_solids import die_mesh
from companion.simulator.solids import lying_print, rests_flat, standing_thing
from companion.simulator.state import Standing

LOOKS = usual_looks("silver-red", 40.0)


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
    assert set(DYES) == {*PYRAMID_COLOURS, *CHART}
    clear = {c for c in DYES if usual_finish(c).see_through}
    assert clear == set(DYES) - {"white", "black"}


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


def looks_of(piece, **more):
    return standing_thing(Standing("one", piece, 0.0, 0.0, 0.0, 0.0, **more), LOOKS)


@pytest.mark.parametrize(
    ("piece", "wide", "high"),
    [
        (Piece("disc", "black"), 32.0, 6.1),
        (Piece("pawn", suit="suns"), 15.9, 28.6),
        (Piece("tile", suit="suns", value="2", face="front"), 50.8, 6.4),
        (Piece("tile", face="back"), 50.8, 6.4),
        (Piece("coin", suit="suns", face="suit"), 19.1, 3.2),
        (Piece("die", suit="arms", value="ace"), 12.7, 12.7),
        (Piece("die", value="3"), 16.0, 16.0),
        (Piece("robot_card"), 88.0, 0.4),
    ],
)
def test_pieces_have_their_makers_measures(piece, wide, high):
    mesh = looks_of(piece).mesh
    assert np.ptp(mesh.vertices[:, 0]) == pytest.approx(wide, abs=0.4)
    assert mesh.height_mm == pytest.approx(high, abs=0.6)


def test_every_tile_shows_another_picture_and_the_null_only_its_suit():
    fronts = [looks_of(Piece("tile", suit=s, value=v, face="front")).decals[0].albedo for s in SUITS for v in VALUES]
    assert all(np.abs(one - other).max() > 0.1 for one, other in itertools.combinations(fronts, 2))

    def darkest(front):
        return front[60:100, 60:100, 1].min()

    assert darkest(fronts[0]) > 0.25
    assert all(darkest(front) < 0.1 for front in fronts[2:6])


def test_a_coin_hides_its_other_side():
    value = looks_of(Piece("coin", suit="suns", value="3", face="value")).decals[0].albedo
    assert np.array_equal(value, looks_of(Piece("coin", suit="arms", value="3", face="value")).decals[0].albedo)


@pytest.mark.parametrize("value", VALUES)
def test_a_suits_die_shows_another_value_on_each_side_upright_and_to_the_outside(value):
    die = looks_of(Piece("die", suit="moons", value=value))
    pictures = [decal.albedo for decal in die.decals]
    assert len(pictures) == 5
    assert all(np.abs(one - other).max() > 0.1 for one, other in itertools.combinations(pictures, 2))
    assert {decal.part for decal in die.decals} <= set(die.mesh.materials)
    for decal in die.decals:
        upper_left, upper_right, lower_right, lower_left = decal.corners_mm
        outwards = np.cross(upper_right - upper_left, upper_left - lower_left)
        assert outwards @ (decal.corners_mm.mean(axis=0) - (0.0, 0.0, 6.35)) > 0
        assert np.linalg.norm(upper_right - lower_right) == pytest.approx(12.7)
    for side in die.decals[1:]:
        assert side.corners_mm[0, 2] == side.corners_mm[1, 2] > side.corners_mm[2, 2]


@pytest.mark.parametrize("shape", PAWNS)
def test_seen_from_above_a_pawn_hides_all_that_it_stands_on(shape):
    mesh = pawn_mesh(shape)
    foot, seen = (np.zeros((400, 400), np.uint8) for _ in range(2))
    corners = (mesh.vertices[mesh.faces][:, :, :2] * 20 + 200).round().astype(np.int32)
    for face, normal in zip(corners, mesh.normals, strict=True):
        cv2.fillConvexPoly(foot, face, 255)
        if normal[2] > 1e-6:
            cv2.fillConvexPoly(seen, face, 255)
    assert (seen[foot > 0] > 0).mean() > 0.98


@pytest.mark.parametrize("shape", PAWNS)
def test_pawns_of_every_shape_have_their_makers_measures(shape):
    mesh = pawn_mesh(shape)
    assert mesh.height_mm == pytest.approx(28.6, abs=0.1)
    assert np.ptp(mesh.vertices[:, 0]) == pytest.approx(15.9, rel=0.16)
    assert {random_piecepack_style(np.random.default_rng(seed)).pawn for seed in range(40)} == set(PAWNS)


def test_a_disc_in_a_hand_is_tilted_about_its_middle():
    flat, tilted = (looks_of(Piece("disc", "black"), pitch_deg=degrees).mesh for degrees in (0.0, 60.0))
    assert np.ptp(tilted.vertices[:, 2]) == pytest.approx(32.0 * np.sin(np.radians(60)), abs=4)
    assert tilted.vertices.mean(axis=0) == pytest.approx(flat.vertices.mean(axis=0), abs=1.5)
    assert looks_of(Piece("tile", face="back"), pitch_deg=75.0).decals == ()


def test_what_lies_flat_and_rests_is_printed_on_the_table():
    tile = Standing("one", Piece("tile", face="back"), 10.0, 20.0, 0.0, 90.0)
    assert rests_flat(tile)
    assert not rests_flat(dataclasses.replace(tile, z_mm=5.0))
    assert not rests_flat(dataclasses.replace(tile, piece=Piece("coin", face="suit")))
    sheet = lying_print(tile, LOOKS)
    assert (sheet.x_mm, sheet.y_mm, sheet.turn_deg, sheet.z_mm) == (10.0, 20.0, 0.0, 6.4)
