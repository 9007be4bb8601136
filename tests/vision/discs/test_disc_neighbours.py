"""The greys of discs beside those near them: sheen and shadow that change slowly are taken out."""

import numpy as np
import pytest

from companion.vision.discs.neighbours import REACHES, Around, near_columns

SIDE = 8
PLACES = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(np.float32)
WHITE = (PLACES.sum(axis=1) % 2).astype(bool)
HUES, TONES = np.zeros((SIDE * SIDE, 2), np.float32), WHITE.astype(np.int64)
PER_REACH = 4  # columns of one kind of grey: beside black and how much of it there is, the same for white


def board(greys: np.ndarray) -> tuple[np.ndarray, Around]:
    shares = np.zeros((SIDE * SIDE, 3), np.float32)
    shares[WHITE, 2] = shares[~WHITE, 1] = 1
    seen = greys[:, None].astype(np.float32)
    return seen, Around(PLACES, seen, shares, greys.astype(np.float32), HUES, TONES)


def test_a_black_disc_in_sheen_is_like_the_black_ones_near_it() -> None:
    sheen = 3 * PLACES[:, 0] / SIDE  # brighter to the right: black there outshines white on the left
    greys = sheen + 1.0 * WHITE
    assert greys[~WHITE].max() > greys[WHITE].min()
    columns = near_columns(PLACES, *board(greys))
    from_black, from_white = columns[:, 0], columns[:, 2]
    inner = (PLACES[:, 0] > 1) & (PLACES[:, 0] < SIDE - 2)
    assert np.abs(from_black[inner & ~WHITE]).max() < 0.3
    assert np.abs(from_white[inner & WHITE]).max() < 0.3
    assert from_black[inner & WHITE].min() > 0.6
    assert from_white[inner & ~WHITE].max() < -0.6


def test_a_cell_does_not_count_itself() -> None:
    greys = np.zeros(SIDE * SIDE)
    greys[27] = 5.0
    seen, around = board(greys)
    row = near_columns(PLACES, seen, around)[27]
    beside = 0 if not WHITE[27] else 2
    assert row[beside] == pytest.approx(5.0, abs=0.2)
    assert row[len(REACHES) * PER_REACH : -1] == pytest.approx(
        [5.0, 5.0]
    )  # beside the darkest and brightest next to it


def test_where_no_disc_lies_near_nothing_is_told() -> None:
    dark = np.zeros((SIDE * SIDE, 1), np.float32)
    none = Around(PLACES, dark, np.eye(3, dtype=np.float32)[np.zeros(64, int)], dark[:, 0], HUES, TONES)
    columns = near_columns(PLACES, np.ones((SIDE * SIDE, 1), np.float32), none)
    assert np.isfinite(columns).all()
    assert (columns[:, -1] == 0).all()


def test_cells_seen_anew_replace_what_was_known_of_them() -> None:
    _, around = board(np.zeros(SIDE * SIDE))
    two = np.full((2, 1), 7, np.float32)
    anew = Around(PLACES[3:5], two, np.eye(3, dtype=np.float32)[[0, 1]], two[:, 0], HUES[3:5] + 1, TONES[3:5])
    later = around.with_these(anew)
    assert len(later.places) == SIDE * SIDE
    at = [int(np.flatnonzero((later.places == place).all(axis=1))[0]) for place in PLACES[3:5]]
    assert later.greys[at, 0].tolist() == [7, 7]
    assert later.lights[at].tolist() == [7, 7]
    assert later.hues[at].tolist() == [[1, 1], [1, 1]]
    assert later.shares[at].argmax(axis=1).tolist() == [0, 1]
