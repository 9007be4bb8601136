"""Boards on simulated tables of wide variety: found where they lie, with a measured and with a guessed lens."""

import numpy as np
import pytest

from companion.simulator.tables import MEASURING, khet_table, picture_of
from companion.vision.boards.cells import to_table
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

TABLES = 50
FIELD = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2


@pytest.mark.long
def test_boards_are_found_on_simulated_tables():
    off, missed = {"measured": [], "guessed": []}, []
    for seed in range(MEASURING.start + 700_000, MEASURING.start + 700_000 + TABLES):
        table = khet_table(seed)
        image = picture_of(table)
        shape, lying = table.scene.board.shape, table.scene.board.pose
        markers = table.scene.markers.places
        for lens, name in ((table.scene.camera.lens, "measured"), (None, "guessed")):
            view = Eye(EyeSettings(), lens, markers, shape).read(Frame(image, small_grey(image), 0.0, 0))
            if view.board is None:
                missed.append((seed, name, view.obstacles))
                continue
            corners = FIELD * (shape.cols, shape.rows) * shape.cell_mm
            off[name].append(np.hypot(*(to_table(corners, view.board) - to_table(corners, lying)).T).max())
    assert len(missed) <= 0.04 * 2 * TABLES, missed
    assert np.median(off["measured"]) < 0.2
    assert np.percentile(off["measured"], 95) < 1.0
    assert np.median(off["guessed"]) < 0.5
    assert np.percentile(off["guessed"], 95) < 1.5
