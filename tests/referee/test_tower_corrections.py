"""What a host corrects of the tower is kept as a labelled picture, every tile where it is seen."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from drawn_tables import camera
from towers import Eye, Tower

from companion.games import kdak
from companion.games.kdak.table import BACK, front
from companion.games.kdak.tower import Place
from companion.pieces import EMPTY
from companion.referee.evidence.laid import Laid
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Corrected
from companion.referee.settings import Settings
from companion.sets.corrections import Corrections
from companion.vision.files import read_truth
from hardware.pictures import frame_of

STANDING = kdak.layout(kdak.start({}))
FRAME = frame_of(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8), 0.0, 0)
LOOK = SimpleNamespace(place=SimpleNamespace(pose=camera(), lens_guessed=False))


def seen(misread: str = "") -> tuple:
    """A view of the set-up, in which one tile may be taken for another; and where its tiles are."""
    view = Tower(5, eye=Eye(0.5)).view()
    cells = Laid().read(view, STANDING, settled=True).by_cell()
    if misread:
        at = cells[misread]
        wrong = replace(at, cell=None, beliefs=((front("S2"), 0.995),))
        view = replace(view, sightings=tuple(wrong if s.x_mm == at.x_mm else s for s in view.sightings))
    return view, {(s.x_mm, s.y_mm) for s in view.sightings if s.piece.kind == "tile"}


def kept(folder: Path, view, *told: Corrected) -> Path | None:
    corrections = Corrections(folder, "600,380,40", 5, Settings(), lambda: 0.0)
    for word in told:
        corrections.told(word)
    return corrections.see("kdak", FRAME, view, LOOK, STANDING)


@pytest.mark.parametrize("cell", ["1c", "0a/moons"])
def test_a_correction_of_the_tower_is_kept_with_every_tile_where_it_lies(tmp_path, cell):
    view, places = seen(misread=cell if "/" not in cell else "")
    right = cells_of(STANDING).get(cell, EMPTY)
    picture = kept(tmp_path, view, Corrected(cell, right.kind, right.colour, face=right.face))
    truth = read_truth(picture.with_suffix(".json"))
    assert len(truth.free) == len(Tower(5).tiles) == 24
    assert {s.piece for s in truth.free} == {BACK}
    assert {(s.x_mm, s.y_mm) for s in truth.free} == places


def test_a_tower_that_is_seen_otherwise_than_told_teaches_nothing(tmp_path):
    view, _ = seen(misread="1c")
    other = str(Place(2, 1))
    assert kept(tmp_path, view, Corrected(other, "tile", face="back")) is None


def test_a_tile_that_has_gone_since_it_was_named_is_not_labelled(tmp_path):
    corrections = Corrections(tmp_path, "600,380,40", 5, Settings(), lambda: 0.0)
    corrections.told(Corrected("1c", "tile", face="back"))
    misread, _ = seen(misread="1c")
    right, _ = seen()
    places = Laid().read(right, STANDING, settled=True).by_cell()
    for shown, cell in ((misread, "2d"), (right, "1c")):
        without = tuple(s for s in shown.sightings if s.x_mm != places[cell].x_mm)
        assert corrections.see("kdak", FRAME, replace(shown, sightings=without), LOOK, STANDING) is None
