"""Photographs of one table tell whether what may be the shadow of a piece came with it, or by itself."""

from itertools import count

import numpy as np
import pytest
from drawn_tables import Paint, camera, with_noise

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.finders import FinderSettings, TableFinder
from companion.vision.found import Found
from companion.vision.reader import TablePicture

WHITE, BESIDE = (0.0, -60.0), (20.0, -60.0)
NEAR = np.array([(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)])
BRIGHT, DARKER, DARK = (210, 215, 220), (90, 105, 112), (30, 35, 37)
SURE = 0.88


class Told:
    """Sees the pieces that it is told of, by their places."""

    def __init__(self) -> None:
        self.pieces: dict[tuple[float, float], tuple[str, float]] = {}

    def find(self, ground):
        return [
            Found(
                Sighting(((Piece("pyramid", colour=colour, size="medium", pose="upright"), sure),), *at),
                sure,
                NEAR + at,
            )
            for at, (colour, sure) in self.pieces.items()
        ]


def beliefs(*photographs):
    """What is believed of what lies beside the white piece, in each photograph: (tones by place, pieces by place)."""
    family, pose, noise, told = Told(), camera(), count(), []
    finder = TableFinder([family], FinderSettings(starts_bare=True))
    for tones, family.pieces in photographs:
        paint = Paint()
        for at, tone in tones.items():
            paint.polygon(NEAR * (1.15 if at == BESIDE else 1.0) + at, tone)
        pixels = with_noise(paint.seen_by(pose, noise=0.0), next(noise))
        seen = finder.find(TablePicture(pixels, np.ones(3), pose, (), None, True))
        told += [s.confidence for s in seen if (s.x_mm, s.y_mm) == BESIDE] or [None]
    return told


BARE = ({}, {})
ALONE = ({WHITE: BRIGHT}, {WHITE: ("white", 1.0)})
BOTH = ({WHITE: BRIGHT, BESIDE: DARKER}, {WHITE: ("white", 1.0), BESIDE: ("clear", SURE)})
UNSEEN = ({WHITE: BRIGHT, BESIDE: DARKER}, {WHITE: ("white", 1.0)})
COVERED = ({WHITE: BRIGHT, BESIDE: DARK}, {WHITE: ("white", 1.0), BESIDE: ("black", 1.0)})
DOUBTED = SURE * 0.05


@pytest.mark.parametrize(
    ("photographs", "believed"),
    [
        ((BARE, ALONE, BOTH, BOTH), [None, None, SURE, SURE]),
        ((BARE, BOTH, BOTH), [None, DOUBTED, DOUBTED]),
        ((BARE, UNSEEN, BOTH), [None, None, DOUBTED]),
        ((BARE, COVERED, BOTH), [None, 1.0, DOUBTED]),
    ],
    ids=["came by itself", "came with the piece", "was as dark before", "lay under what was taken away"],
)
def test_what_came_by_itself_is_no_shadow(photographs, believed) -> None:
    told = beliefs(*photographs)
    assert [None if t is None else pytest.approx(t, abs=0.01) for t in believed] == told
