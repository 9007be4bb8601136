"""Piecepack tiles, coins, pawns and dice on simulated tables; taught looks; what is none."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from flat_grounds import flat_ground, tile_at

from companion.bench.piecepack import MARKERS, PiecepackScore, read_into, sightings
from companion.pieces import Piece
from companion.simulator.piecepack_tables import PiecepackTable, piecepack_picture, piecepack_table
from companion.simulator.tables import TESTING
from companion.training.seen_ground import ground_of
from companion.vision.finders import TableFinder
from companion.vision.kdak_finder import new_reader
from companion.vision.piecepack.finder import LOOKS, PiecepackFinder
from companion.vision.piecepack.networks import Layer, Networks, bent
from companion.vision.piecepack.patches import cut
from companion.vision.piecepack.places import Place, Spot
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.stayed import tiles_before
from companion.vision.piecepack.tiles import FACES, completing, one_of_each, tiles_among
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

TOWER = TESTING[1]  # a table with six squares of tiles


@cache
def drawn(seed: int) -> tuple[PiecepackTable, np.ndarray]:
    table = piecepack_table(seed)
    return table, piecepack_picture(table)


def frame_of(picture: np.ndarray) -> Frame:
    return Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table")


def test_a_patch_looks_along_its_heading():
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[28:32, 40:50] = 255  # to the right of the middle
    for heading, row, col in ((0.0, 2, 10), (90.0, 10, 17), (180.0, 17, 10), (270.0, 10, 2)):
        patch = cut(picture, 29.5, 29.5, heading, 40.0, 20)
        assert patch[row, col].min() > 200, heading


def test_tiles_of_simulated_tables_are_read():
    score, reader = PiecepackScore(), new_reader()
    for seed in TESTING[1:3]:
        table, picture = drawn(seed)
        lens = table.scene.camera.lens
        read_into(score, str(seed), picture, sightings(table.truth()["pieces"]), lens, MARKERS, reader)
    assert score.there["tile"] >= 20
    assert score.right["tile"] >= 0.85 * score.there["tile"], score.errors
    assert score.right["coin"] + score.right["pawn"] >= 0.7 * (score.there["coin"] + score.there["pawn"]), score.errors
    assert np.median(score.mm) < 2.0
    assert np.median(score.degrees) < 3.0


def test_taught_looks_are_kept_and_taken_back(tmp_path):
    table, picture = drawn(TESTING[0])
    reader, again = new_reader(), new_reader()
    eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, reader)
    before = eye.read(frame_of(picture)).sightings
    eye.teach_free(frame_of(picture), sightings(table.truth()["pieces"]))
    reader.save(tmp_path)
    about = json.loads((tmp_path / "piecepack.json").read_text(encoding="utf-8"))
    assert all((tmp_path / name).exists() for name in about["pictures"])
    assert any("tile" in name for name in about["pictures"])
    again.load(tmp_path)
    own, other = (Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, one) for one in (reader, again))
    taught = own.read(frame_of(picture)).sightings
    assert other.read(frame_of(picture)).sightings == taught
    assert taught != before


def test_pictures_of_what_was_taught_before_stay_beside_those_of_a_later_lesson(tmp_path):
    table, picture = drawn(TESTING[0])
    labels = sightings(table.truth()["pieces"])
    tiles = [label for label in labels if label.piece.kind == "tile"]
    small = [label for label in labels if label.piece.kind != "tile"]
    shown = []
    for lesson in (tiles, small):
        reader = new_reader()
        reader.load(tmp_path)
        Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, reader).teach_free(frame_of(picture), lesson)
        reader.save(tmp_path)
        shown.append({path.name for path in tmp_path.glob("*.png")})
    assert tiles
    assert shown[0] < shown[1]


def test_pictures_show_what_was_taught_as_the_last_lesson_did(tmp_path):
    table, picture = drawn(TESTING[0])
    reader, shown = new_reader(), []
    for lesson in (picture, cv2.convertScaleAbs(picture, alpha=0.9)):
        eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, reader)
        eye.teach_free(frame_of(lesson), sightings(table.truth()["pieces"]))
        reader.save(tmp_path)
        shown.append({path.stem: path.read_bytes() for path in tmp_path.glob("*.png")})
    assert shown[0].keys() == shown[1].keys()
    assert not shown[0].items() & shown[1].items()


def test_the_picture_of_a_taught_tile_shows_the_sign_in_its_corner(tmp_path):
    table, picture = drawn(TESTING[500_000])
    reader = new_reader()
    eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, reader)
    eye.teach_free(frame_of(picture), sightings(table.truth()["pieces"]))
    reader.save(tmp_path)
    blank = cv2.imread(str(tmp_path / "piecepack-tile-front-suns-null.png")).astype(int)
    assert (blank[..., 2] - blank[..., 1] > 100).sum() > 20  # nothing else is red on a tile of no value


def test_looks_that_fit_nothing_are_refused(tmp_path):
    (tmp_path / "piecepack.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="teach the set anew"):
        PiecepackFinder().load(tmp_path)
    with pytest.raises(ValueError, match="'suits' is missing"):
        Networks(tmp_path)


def test_what_was_taught_to_other_networks_is_refused(tmp_path):
    LOOKS.write(tmp_path, {"networks": -1}, {}, {})
    with pytest.raises(ValueError, match=r"taught to networks -1.*teach the set anew"):
        PiecepackFinder().load(tmp_path)


@pytest.mark.parametrize("torn", [lambda weight: weight[:-1], lambda weight: np.full_like(weight, np.nan)])
def test_of_looks_of_which_some_cannot_be_used_none_are_taken_over(tmp_path, torn):
    finder = PiecepackFinder()
    shipped = dict(finder.networks.layers)
    arrays = {name: layer.weight + 1 for name, layer in shipped.items()}
    arrays["die"] = torn(arrays["die"])
    LOOKS.write(tmp_path, {"networks": finder.networks.version}, arrays, {})
    with pytest.raises(ValueError, match="teach the set anew"):
        finder.load(tmp_path)
    assert finder.networks.layers == shipped


def test_a_bent_layer_answers_as_taught_and_leaves_what_was_not_shown():
    rng = np.random.default_rng(3)
    layer = Layer(rng.normal(0, 0.1, (97, 17)).astype(np.float32))
    looks = np.abs(rng.normal(0, 1, (30, 96))).astype(np.float32)
    suits = np.arange(30) % 2  # of four
    changed = bent(layer, looks, {"suit": suits}, "tile")
    answers = changed.answers(looks)[:, 7:11]
    assert (answers[:, :2].argmax(axis=1) == suits).all()
    assert (changed.weight[:, 9:11] == layer.weight[:, 9:11]).all()
    assert (changed.weight[:, :7] == layer.weight[:, :7]).all()


def test_of_two_tiles_that_claim_a_front_the_surer_has_it():
    ace, two = FACES.index(Piece("tile", suit="arms", value="ace", face="front")), 7
    shares = np.full((3, len(FACES)), 1e-6)
    shares[0, [ace, two]] = 0.97, 0.03
    shares[1, [ace, two]] = 0.6, 0.4
    shares[2, 0] = 1.0
    told = one_of_each(shares)
    assert told.argmax(axis=1).tolist() == [ace, two, 0]
    assert told[2, 0] > 0.99
    backs = np.full((4, len(FACES)), 1e-6)
    backs[:, 0] = 1.0
    assert (one_of_each(backs)[:, 0] > 0.99).all()


def test_a_piece_that_cannot_be_told_is_unknown_and_says_between_what():
    table, picture = drawn(TESTING[0])
    finder = PiecepackFinder()
    finder.settings = replace(finder.settings, sure_label=1.01)
    eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, TableFinder([finder]))
    seen = eye.read(frame_of(picture)).sightings
    assert seen
    assert all(s.piece == Piece("unknown") and s.why for s in seen)


def test_a_bare_table_bears_no_pieces():
    table, _ = drawn(TESTING[2])
    bare = replace(table, scene=replace(table.scene, things=(), prints=()), tiles=())
    eye = Eye(EyeSettings(), bare.scene.camera.lens, MARKERS, None, new_reader())
    assert eye.read(frame_of(piecepack_picture(bare))).pieces() == ()


class Blinded(PiecepackFinder):
    """Does not notice whatever lies near one place of the table."""

    blind_mm = np.zeros(2)

    def spots(self, ground, picture):
        at = ground.fine_px(self.blind_mm)
        return [s for s in super().spots(ground, picture) if np.hypot(s.x - at[0], s.y - at[1]) > 45]


def tiles_near(table: PiecepackTable, picture: np.ndarray, finder: PiecepackFinder, at: np.ndarray) -> list[Piece]:
    eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, TableFinder([finder]))
    seen = [s for s in eye.read(frame_of(picture)).sightings if s.piece.kind == "tile" and not s.faint]
    return [s.piece for s in seen if np.hypot(s.x_mm - at[0], s.y_mm - at[1]) < 12]


def test_the_fourth_tile_of_a_square_is_looked_for_where_it_should_lie():
    table, picture = drawn(TOWER)
    finder = Blinded()
    tile = table.tiles[9]
    finder.blind_mm = np.array([tile.x_mm, tile.y_mm])
    assert tiles_near(table, picture, finder, finder.blind_mm) == [tile.piece]
    finder.settings = replace(finder.settings, joined_to=1.1)  # no tile is sure enough to expect another beside it
    assert tiles_near(table, picture, finder, finder.blind_mm) == []


def test_what_is_seen_half_a_tile_off_does_not_hide_where_the_fourth_should_lie():
    three = [tile_at(0, 0, 0.99), tile_at(51, 0, 0.99), tile_at(0, 51, 0.99)]
    half_off = tile_at(51, 25, 0.8)
    for seen in (three, [*three, half_off]):
        looked = [(spot.x, spot.y) for spot in completing(flat_ground(), seen, PiecepackSettings())]
        assert any(np.hypot(x - 51, y - 51) < 2 for x, y in looked)
    fourth = tile_at(52, 50, 0.8)
    looked = [(spot.x, spot.y) for spot in completing(flat_ground(), [*three, fourth], PiecepackSettings())]
    assert not any(np.hypot(x - 51, y - 51) < 20 for x, y in looked)


class Misnaming(PiecepackFinder):
    """Proposes whatever is small as a die."""

    def spots(self, ground, picture):
        return [replace(spot, kind=3) if spot.kind else spot for spot in super().spots(ground, picture)]


def test_what_is_proposed_as_another_kind_is_what_it_is_read_as():
    table, picture = drawn(TESTING[0])
    score = PiecepackScore()
    wanted = [s for s in sightings(table.truth()["pieces"]) if s.piece.kind in ("coin", "pawn")]
    assert {s.piece.kind for s in wanted} == {"coin", "pawn"}
    eye = Eye(EyeSettings(), table.scene.camera.lens, MARKERS, None, TableFinder([Misnaming()]))
    view = eye.read(frame_of(picture))
    score.add("table", wanted, view, picture, None, 0.0)
    assert score.right["coin"] >= score.there["coin"] - 1
    assert score.right["pawn"] == score.there["pawn"]


def test_the_gap_that_a_taken_tile_leaves_in_its_square_is_not_filled():
    three = [tile_at(0, 0, 0.99), tile_at(51, 0, 0.99), tile_at(0, 51, 0.99)]
    beside, gap = tile_at(102, 0, 0.4), tile_at(51, 51, 0.1)
    found = tiles_among(flat_ground(), [*three, beside, gap], PiecepackSettings())
    firm = {(round(f.outline_mm[:, 0].mean()), round(f.outline_mm[:, 1].mean())) for f in found if not f.sighting.faint}
    assert firm == {(0, 0), (51, 0), (0, 51), (102, 0)}
    assert [f.sighting.faint for f in found].count(True) == 1


def lying(tiles: list[Place], s: PiecepackSettings | None = None, before: Sequence[Spot] = ()) -> list[tuple[int, int]]:
    outlines = [
        f.outline_mm
        for f in tiles_among(flat_ground(), tiles, s or PiecepackSettings(), before)
        if not f.sighting.faint
    ]
    return sorted((round(outline[:, 0].mean()), round(outline[:, 1].mean())) for outline in outlines)


def test_a_row_lies_where_it_lay_rather_than_half_a_tile_on():
    row = [(0, 0), (51, 0), (102, 0)]
    there, half_on = [tile_at(x, y, 0.9) for x, y in row], [tile_at(x + 25, y, 0.97) for x, y in row]
    assert lying([*half_on, *there]) == [(x + 25, y) for x, y in row]
    past = [found for place in there for found in tiles_among(flat_ground(), [place], PiecepackSettings())]
    ground = SimpleNamespace(**vars(flat_ground()), past=SimpleNamespace(found=past))
    before = tiles_before(ground, PiecepackSettings())
    assert [(spot.x, spot.y, spot.heading_deg) for spot in before] == [(x, y, 0.0) for x, y in row]
    assert lying([*half_on, *there], before=before) == row
    assert lying(half_on, before=before) == [(x + 25, y) for x, y in row]  # they were moved


def test_backs_that_look_alike_half_a_tile_further_lie_corner_to_corner():
    there = [(51 * column, 51 * row) for column in range(5) for row in range(2)]
    shifted = [(51 * column + 25, 0) for column in (1, 2, 3)]
    tiles = [tile_at(x, y, 0.85 if 0 < x < 204 else 0.97) for x, y in there]
    tiles += [tile_at(x, y, 0.998) for x, y in shifted]
    assert lying(tiles) == sorted(there)
    plain = PiecepackSettings(staggered=0.0, cornered=0.0)
    assert lying(tiles, plain) != sorted(there)


def test_tiles_laid_like_bricks_are_where_they_are_seen():
    bricks = [(0, 0), (51, 0), (102, 0), (25, 51), (76, 51), (0, 102), (51, 102), (102, 102)]
    assert lying([tile_at(x, y, 0.9) for x, y in bricks]) == sorted(bricks)


def test_pieces_are_looked_for_between_the_markers_and_little_beyond() -> None:
    papers = [np.array([[100.0, 80.0], [140.0, 120.0]]), np.array([[500.0, 380.0], [540.0, 420.0]])]
    ground = SimpleNamespace(
        colours=np.zeros((1000, 2000, 3), np.uint8),
        settings=SimpleNamespace(fine_mm=0.5),
        covered_mm=papers,
        fine_px=lambda at: at / 0.5,
    )
    finder = PiecepackFinder()
    beyond = finder.settings.beyond_mm
    assert 0 < beyond < 25  # what lies further out is money, a card or a cup more often than a piece
    left, top, right, low = finder.extent(ground, beyond)
    assert (left, top) == ((100 - beyond) / 0.5, (80 - beyond) / 0.5)
    assert (right, low) == ((540 + beyond) / 0.5, (420 + beyond) / 0.5)


class Everywhere(PiecepackFinder):
    """Finds something at two places, the second far outside."""

    def peaks(self, answer, left, top, pitch, least):
        inside, outside = self.extent(self.ground, 0.0), self.extent(self.ground)
        return [Spot(1, inside[0] + 200, inside[1] + 200, 0.0, 0.9), Spot(1, outside[0] + 5, outside[1] + 5, 0.0, 0.9)]


def test_what_lies_far_outside_the_markers_is_no_piece() -> None:
    table, picture = drawn(TOWER)
    finder, ground = Everywhere(), ground_of(table.scene, picture)
    assert ground is not None
    finder.ground = ground
    (only,) = finder.spots(ground, ground.colours)
    assert only.x == finder.extent(ground, 0.0)[0] + 200
