"""Pip dice anywhere in a picture."""

import time

import cv2
import numpy as np
import pytest
from cases import long
from numpy.typing import NDArray

from calibration.table import TableMarkers
from companion.pieces import UNKNOWN
from companion.simulator.dice_tables import dice_picture, dice_table
from companion.simulator.tables import TESTING
from companion.vision.dice import pip_dice
from companion.vision.dice.network import FACES
from companion.vision.dice.pip_dice import PLACES, DiceSettings, find_faces
from companion.vision.dice.pips import find_spots
from companion.vision.dice.search import DieSearchSettings, first_places
from companion.vision.dice_finder import DISAGREE, UNREAD, UNSURE, PipDice, new_reader
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import TablePicture
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

PIPS = {1: (8,), 2: (0, 2), 3: (0, 2, 8), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 8), 6: (0, 1, 2, 3, 4, 6)}


def _face(value: int, turn_deg: float = 20.0, side: float = 90.0, dark: bool = False) -> NDArray[np.uint8]:
    """A drawn face in the middle of a brownish picture."""
    rng = np.random.default_rng(value)
    image = np.full((300, 400, 3), (70, 95, 120), np.float64) + rng.normal(0, 4, (300, 400, 1))
    c, s = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    turn = np.array([(c, s), (-s, c)])
    body, ink = ((40, 30, 35), (230, 235, 230)) if dark else ((225, 230, 232), (25, 22, 20))
    square = np.array([200.0, 150.0]) + side / 2 * PLACES[:4] @ turn
    cv2.fillConvexPoly(image, np.rint(square).astype(np.int32), body, cv2.LINE_AA)
    for x, y in np.array([200.0, 150.0]) + 0.25 * side * PLACES[list(PIPS[value])] @ turn:
        cv2.circle(image, (round(x), round(y)), round(0.09 * side), ink, -1, cv2.LINE_AA)
        if not dark:
            cv2.circle(image, (round(x + 3), round(y - 3)), 2, (250, 250, 250), -1, cv2.LINE_AA)  # a lamp in the pip
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.9), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("dark", [False, True])
def test_every_value_is_told(value: int, dark: bool) -> None:
    found = find_faces(_face(value, 20.0 + 11 * value, dark=dark), DiceSettings())
    assert [face.value for face in found if face.doubt is None] == [value]
    assert np.hypot(*(found[0].middle - (200, 150))) < 4


@pytest.mark.parametrize("value", range(2, 7))
def test_a_die_seen_from_very_near_is_told(value: int) -> None:
    near = np.asarray(cv2.resize(_face(value), None, fx=5.5, fy=5.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert [face.value for face in find_faces(near, DiceSettings()) if face.doubt is None] == [value]


@pytest.mark.parametrize(("value", "told"), [(2, False), (3, False), (4, True), (5, True), (6, True)])
def test_many_pips_in_order_are_a_face_though_its_rim_is_hardly_seen(value: int, told: bool) -> None:
    picture = _face(value, 0.0)
    picture[:, :156] = (225, 230, 232)  # half of it lies on cloth of its own colour
    picture[:106, :205] = (225, 230, 232)
    assert [face.value for face in find_faces(picture, DiceSettings()) if face.doubt is None] == [value] * told


def test_the_pips_of_two_faces_are_no_two() -> None:
    picture = _face(2, 0.0, dark=True)
    picture[:, 200:] = (40, 30, 35)
    cv2.ellipse(picture, (222, 172), (4, 8), 0, 0, 360, (230, 235, 230), -1, cv2.LINE_AA)  # a pip seen from the side
    picture[:, 245:] = (70, 95, 120)
    picture[:105], picture[195:] = (70, 95, 120), (70, 95, 120)
    assert [face.value for face in find_faces(picture, DiceSettings()) if face.doubt is None] == []


def test_a_covered_pip_is_no_other_value() -> None:
    picture = _face(5, 0.0)
    picture[140:162, 188:214] = (120, 130, 140)  # something lies over the middle
    assert all(face.doubt or face.value == 5 for face in find_faces(picture, DiceSettings()))


@pytest.mark.parametrize(("finder", "share"), [long(PipDice(), 0.5), (new_reader(), 0.75)], ids=["lattice", "both"])
def test_simulated_dice_are_right_where_they_are_told(finder: PipDice, share: float) -> None:
    right = told = dice = false = 0
    for seed in TESTING[:5]:
        table = dice_table(seed)
        seen = finder.find(TablePicture(dice_picture(table), np.ones(3), None))
        for x, y, value in table.dice:
            near = [s for s in seen if np.hypot((s.x_px or 0) - x, (s.y_px or 0) - y) < 22 and s.piece != UNKNOWN]
            dice += 1
            told += len(near)
            right += sum(s.piece.value == value for s in near)
        false += sum(s.piece != UNKNOWN for s in seen)
    assert dice >= 8
    assert right == told
    assert right >= share * dice
    assert false - told <= 1


def test_pips_that_nearly_touch_are_each_seen() -> None:
    picture = np.full((600, 800, 3), (40, 40, 120), np.uint8)
    pips = [(386, 230), (400, 230), (414, 230)]
    for pip in pips:
        cv2.circle(picture, pip, 6, (200, 200, 210), -1, cv2.LINE_AA)
    spots = find_spots(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6), np.uint8), DiceSettings().pips)
    for pip in pips:
        near = np.hypot(*(spots.centres - pip).T) < 2
        assert spots.radii[near] == pytest.approx([6.0], abs=0.5)


@pytest.mark.parametrize("turn_deg", [8.0, 40.0])
def test_a_die_whose_pips_nobody_sees_is_looked_at(turn_deg: float) -> None:
    picture = np.full((960, 1280, 3), (120, 130, 60), np.uint8)
    cv2.fillPoly(picture, [np.rint(cv2.boxPoints(((600, 450), (46, 46), turn_deg))).astype(int)], (250, 250, 250))
    places = first_places(find_spots(picture, DiceSettings().pips), DieSearchSettings())
    there = np.hypot(*(places.at - (600, 450)).T) < 4
    assert (np.abs(places.side[there] / 46 - 1) < 0.15).any()


def test_pips_are_no_dice_of_their_own() -> None:
    picture = np.full((600, 800, 3), 240, np.uint8)
    for pip in ((380, 230), (400, 250), (420, 270)):
        cv2.circle(picture, pip, 9, (20, 20, 20), -1, cv2.LINE_AA)
    spots = find_spots(picture, DiceSettings().pips)
    assert len(spots) == 3
    assert first_places(spots, DieSearchSettings()).side.min() > 4 * spots.radii.max()


def test_the_dots_of_a_cloth_are_no_pips_and_a_die_on_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.full((600, 800, 3), (70, 95, 120), np.uint8)
    for x, y in ((x, y) for x in range(8, 800, 24) for y in range(8, 600, 24)):
        cv2.circle(picture, (x, y), 6, (215, 215, 210), -1, cv2.LINE_AA)
    picture[180:420, 240:560] = cv2.resize(_face(5), (320, 240), interpolation=cv2.INTER_AREA)
    tried, across = [], pip_dice._Search._across
    monkeypatch.setattr(pip_dice._Search, "_across", lambda *pair: tried.append(pair) or across(*pair))
    assert [face.value for face in find_faces(picture, DiceSettings())] == [5]
    assert len(tried) < 100  # of the dots there are thousands of pairs


class Says:
    """A network that sees one value wherever it looks, this sure of it, and so sure that there is none."""

    def __init__(self, value: int, sure: float, none: float | None = None) -> None:
        self.value, self.sure = value, sure
        self.none = (1 - sure) / (FACES - 1) if none is None else none

    def told(self, patches: NDArray[np.uint8], sides: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        faces = np.full((len(patches), FACES), (1 - self.sure - self.none) / (FACES - 2), np.float32)
        faces[:, 0], faces[:, self.value] = self.none, self.sure
        return faces, np.zeros((len(patches), 2))


@pytest.mark.parametrize(
    ("network", "told", "why"),
    [(Says(5, 0.6), "5", None), (Says(3, 0.9999), None, DISAGREE), (Says(3, 0.6), None, DISAGREE)],
)
def test_network_and_lattice_have_to_agree(network: Says, told: str | None, why: str | None) -> None:
    seen = PipDice(network=network).find(TablePicture(_face(5), np.ones(3), None))
    near = [s for s in seen if np.hypot((s.x_px or 0) - 200, (s.y_px or 0) - 150) < 60]
    assert {(s.piece.value, s.why) for s in near} == {(told, why)}


@pytest.mark.parametrize(
    ("sure", "none", "why"),
    [(0.9, 0.02, UNREAD), (0.9999, 0.0, None), (0.9, 0.099, None), (0.7, 0.2999, UNREAD)],
    ids=["of no value", "of one value", "of one value, if it is a die", "hardly of a die"],
)
def test_where_no_lattice_is_seen_the_network_has_to_be_sure(sure: float, none: float, why: str | None) -> None:
    picture = np.full((300, 400, 3), 90, np.uint8)
    cv2.circle(picture, (200, 150), 6, (230, 230, 230), -1, cv2.LINE_AA)  # one spot, no face
    seen = PipDice(network=Says(4, sure, none)).find(TablePicture(picture, np.ones(3), None))
    assert {s.why for s in seen} == {why}


@pytest.mark.parametrize(("none", "seen"), [(0.97, []), (0.7, [(None, UNSURE)])])
def test_what_the_lattice_alone_tells_the_network_is_asked_about(none: float, seen: list[tuple[str, str]]) -> None:
    told = PipDice(network=Says(0, none)).find(TablePicture(_face(4), np.ones(3), None))
    assert [(s.piece.value, s.why) for s in told] == seen
    assert all(s.confidence <= 1 - none + 1e-6 for s in told)


@pytest.mark.parametrize("seeds", [TESTING[:6], long(TESTING[6:40])], ids=["few", "many"])
def test_small_things_of_no_game_are_no_dice(seeds: range) -> None:
    finder, false = new_reader(), 0
    for seed in seeds:
        table = dice_table(seed, strewn=12)
        told = [s for s in finder.find(TablePicture(dice_picture(table), np.ones(3), None)) if s.piece != UNKNOWN]
        dice = np.array([(x, y) for x, y, _ in table.dice]).reshape(-1, 2)
        false += sum(not (np.hypot(*(dice - (s.x_px or 0, s.y_px or 0)).T) < 30).any() for s in told)
    assert false <= len(seeds) // 6 // 2


def test_a_face_seen_from_the_side_is_no_smaller_die() -> None:
    table = dice_table(330141)  # one of its dice shows a six beside its upper face
    seen = new_reader().find(TablePicture(dice_picture(table), np.ones(3), None))
    assert sorted(s.piece.value or "" for s in seen) == sorted(value for _, _, value in table.dice)


def test_without_markers_places_are_pixels() -> None:
    picture = _face(4)
    eye = Eye(EyeSettings(), None, TableMarkers(), None, PipDice())
    view = eye.read(Frame(picture, small_grey(picture), time.monotonic(), 0))
    (die,) = view.sightings
    assert view.clear
    assert die.x_mm is None
    assert die.x_px == pytest.approx(200, abs=4)
    assert die.piece.value == "4"


def test_bad_pictures_hold_no_dice() -> None:
    rng = np.random.default_rng(1)
    for picture in (np.zeros((40, 40, 3), np.uint8), rng.integers(0, 256, (240, 320, 3)).astype(np.uint8)):
        for finder in (PipDice(), new_reader()):
            assert finder.find(TablePicture(picture, np.ones(3), None)) == []
