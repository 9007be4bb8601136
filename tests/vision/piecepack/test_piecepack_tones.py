"""A gap between tiles has the table's tone, and a tile that is hardly made out that of its neighbours."""

from types import SimpleNamespace

import numpy as np
import pytest

from companion.vision.piecepack.places import Place, Spot
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.tiles import toned
from companion.vision.piecepack.tones import tone_odds

SIDE_MM, TABLE, TILE, FACE = 50.0, (3.0, 3.5, 3.2), (4.4, 4.6, 4.8), (2.5, 5.4, 2.5)
FIRM, DOUBTFUL = 0.95, 0.4


def square(x: float, y: float) -> np.ndarray:
    h = SIDE_MM / 2
    return np.array([[x + h, y + h], [x - h, y + h], [x - h, y - h], [x + h, y - h]])


def table_with(tones: list[tuple[tuple[float, float], tuple[float, ...]]], bare: tuple[float, ...] = TABLE):
    """Ground of 600 x 600 mm with its first corner in the origin, a coarse pixel a millimetre."""
    rng = np.random.default_rng(5)
    log = np.tile(np.float32(bare), (600, 600, 1))
    for (x, y), tone in tones:
        log[int(y - 25) : int(y + 25), int(x - 25) : int(x + 25)] = tone
    log = (log + rng.normal(0, 0.1, log.shape)).astype(np.float32)
    return SimpleNamespace(
        log=log,
        seen=np.ones(log.shape[:2], bool),
        coarse_px=lambda at: at,
        settings=SimpleNamespace(fine_mm=1.0),
    )


PLACES = [(200.0, 200.0), (250.0, 200.0), (200.0, 250.0), (254.0 + 50, 200.0), (254.0 + 50, 250.0)]
LAST = (250.0, 250.0)


def odds_of_the_last(tone: tuple[float, ...] | None, bare: tuple[float, ...] = TABLE, firm: int = len(PLACES)) -> float:
    lying = [(place, TILE) for place in PLACES] + ([(LAST, tone)] if tone else [])
    sures = [FIRM] * firm + [DOUBTFUL] * (len(PLACES) - firm + 1)
    odds = tone_odds(table_with(lying, bare), [square(*place) for place in (*PLACES, LAST)], sures)
    assert (odds[:firm] == 0.0).all()  # what is sure by itself stays so
    return float(odds[-1])


def test_a_gap_is_the_table_and_a_tile_is_like_its_neighbours():
    assert odds_of_the_last(None) < -3.0
    assert odds_of_the_last(TILE) > 3.0


BACK, FACE_UP = (0.01, 0.98, 0.01), (0.01, 0.01, 0.98)  # no tile, its back, its front
NULL, TWO = np.eye(6)[0], np.eye(6)[2]


@pytest.mark.parametrize(
    ("sure", "kind", "value", "gone"),
    [
        (0.98, BACK, TWO, True),
        (0.98, FACE_UP, TWO, False),
        (0.98, FACE_UP, NULL, True),
        (0.8, FACE_UP, TWO, True),
    ],
)
def test_a_gap_that_passes_for_a_tile_is_doubted_though_the_network_is_sure(sure, kind, value, gone):
    """Of a face nobody knows the tone: on a light table it may be the table's. A bare one is little but its tone."""
    ground = table_with([(at, TILE) for at in PLACES])
    ground.to_mm = lambda at: at
    told = {LAST: (sure, kind, value), **dict.fromkeys(PLACES, (FIRM, BACK, TWO))}
    places = [Place(Spot(0, *at, 0.0, p), p, p, {"kind": np.array(k), "value": v}) for at, (p, k, v) in told.items()]
    compared = {(p.spot.x, p.spot.y): p.sure for p in toned(ground, places, PiecepackSettings())}
    assert (compared[LAST] < 0.1) == gone
    assert all(compared[at] == pytest.approx(FIRM) for at in PLACES)


@pytest.mark.parametrize("faces", [1, 2])
def test_faces_among_its_neighbours_do_not_change_what_tone_a_back_has(faces):
    lying = [(place, FACE if i < faces else TILE) for i, place in enumerate(PLACES)]
    sures = [*[FIRM] * len(PLACES), DOUBTFUL]
    for tone, like_a_tile in ((TILE, True), (None, False)):
        ground = table_with(lying + ([(LAST, tone)] if tone else []))
        odds = tone_odds(ground, [square(*place) for place in (*PLACES, LAST)], sures)
        assert (odds[-1] > 3.0) == like_a_tile
        assert (odds[-1] < -3.0) != like_a_tile


@pytest.mark.parametrize(
    ("tone", "bare", "firm"),
    [
        (FACE, TABLE, 5),  # a face is neither
        (None, tuple(t + 0.1 for t in TILE), 5),  # a table of the tiles' tone
        (None, TABLE, 3),  # too few tiles that show theirs
    ],
)
def test_what_a_tone_cannot_tell_is_left_open(tone, bare, firm):
    assert odds_of_the_last(tone, bare, firm) == 0.0


def test_only_what_lies_flush_with_a_tile_is_judged_by_its_tone():
    def place(x: float, y: float, sure: float) -> Place:
        return Place(Spot(0, x, y, 0.0, sure), sure, sure, {})

    ground = table_with([(at, TILE) for at in PLACES])
    ground.to_mm = lambda at: at
    lone, gap = (450.0, 450.0), LAST
    settings = PiecepackSettings()
    places = [place(*lone, DOUBTFUL), place(*gap, DOUBTFUL), *(place(*p, FIRM) for p in PLACES)]
    compared = toned(ground, places, settings)
    sures = {(p.spot.x, p.spot.y): p.sure for p in compared}
    assert sures[lone] == DOUBTFUL
    assert sures[gap] < settings.faint
    assert [p.sure for p in compared] == sorted(sures.values(), reverse=True)


def test_what_completes_a_square_in_the_tone_of_its_tiles_is_one_though_the_networks_see_none():
    ground = table_with([(at, TILE) for at in (*PLACES, LAST)])
    ground.to_mm = lambda at: at
    places = [
        Place(Spot(0, x, y, 0.0, sure), sure, sure, {})
        for (x, y), sure in ((LAST, 0.005), *((p, FIRM) for p in PLACES))
    ]
    compared = {(p.spot.x, p.spot.y): p.sure for p in toned(ground, places, PiecepackSettings())}
    assert compared[LAST] > 0.8


def test_a_tile_that_its_tone_makes_sure_of_holds_the_next_one():
    firm, doubted = [(200.0, 200.0), (150.0, 200.0), (150.0, 150.0), (200.0, 150.0)], [(250.0, 200.0), (300.0, 200.0)]
    ground = table_with([(at, TILE) for at in (*firm, *doubted)])
    ground.to_mm = lambda at: at
    told = {**dict.fromkeys(doubted, 0.005), **dict.fromkeys(firm, FIRM)}
    places = [Place(Spot(0, x, y, 0.0, sure), sure, sure, {}) for (x, y), sure in told.items()]
    compared = {(p.spot.x, p.spot.y): p.sure for p in toned(ground, places, PiecepackSettings())}
    assert all(compared[at] > 0.8 for at in doubted)
