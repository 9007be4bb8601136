"""Simulated piecepack tables: the same for a seed, whole decks at most once, truth that fits the picture."""

from collections import Counter

import numpy as np

from companion.simulator.piecepack_tables import piecepack_picture, piecepack_table
from companion.simulator.tables import TESTING


def test_a_seed_gives_one_table_and_each_tile_of_a_deck_lies_at_most_once():
    for seed in TESTING[:12]:
        truth = piecepack_table(seed).truth()
        assert truth == piecepack_table(seed).truth()
        fronts = [(p["suit"], p["value"]) for p in truth["pieces"] if p["kind"] == "tile" and p["face"] == "front"]
        assert max(Counter(fronts).values(), default=1) == 1
        assert sum(p["kind"] == "tile" for p in truth["pieces"]) <= 24
        assert all(
            (p["heading_deg"] is None) == (p.get("face") == "back" or p["kind"] == "pawn") for p in truth["pieces"]
        )
        assert [p["index"] for p in truth["pieces"]] == list(range(len(truth["pieces"])))


def test_of_a_played_tower_some_tiles_are_gone():
    for seed in TESTING[:6]:
        table = piecepack_table(seed, played=True)
        assert 8 < len(table.tiles) < 24
        assert table.truth() == piecepack_table(seed, played=True).truth()


def test_the_figure_of_a_tile_is_where_the_truth_says():
    """Taking the tiles away changes the picture inside every tile's outline."""
    table = piecepack_table(TESTING[3])
    picture = piecepack_picture(table).astype(int)
    camera = table.scene.camera
    blocks = []
    for tile in table.tiles:
        x, y = np.rint(camera.project(np.array([[tile.x_mm, tile.y_mm, table.thickness_mm]]))[0]).astype(int)
        blocks.append(picture[y - 30 : y + 30, x - 30 : x + 30].reshape(-1, 3).std(axis=0).max())
    assert len(blocks) >= 4
    assert np.median(blocks) > 6
