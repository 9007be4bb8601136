"""Dice that lie loose among pyramids, seen from as far above as a whole table is."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from card_tables import eye_for

from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.vision.dice import loose_places
from companion.vision.dice.loose_dice import LooseDice
from companion.vision.dice.loose_places import PlaceSettings, _within, pip_groups
from companion.vision.dice.network import DieNetwork, shipped
from companion.vision.dice.pip_dice import DiceSettings, find_faces
from companion.vision.errors import UnusableWeights
from companion.vision.ground.foreground import see_ground
from companion.vision.picture import small_grey
from hardware.frames import Frame

TABLE = pyramid_table(TESTING[1], "kaxxt")
SIDE_PX, FINER = 26, 8
NEAR, MID, FAR = 0.27, 0.5, 0.73
CROSS = [(NEAR, NEAR), (FAR, NEAR), (NEAR, FAR), (FAR, FAR)]
PIPS = {
    1: [(MID, MID)],
    3: [CROSS[0], (MID, MID), CROSS[3]],
    4: CROSS,
    5: [*CROSS, (MID, MID)],
    6: [*CROSS, (NEAR, MID), (FAR, MID)],
}


def put_die(picture: np.ndarray, value: int, middle: tuple[float, float], turned: float) -> None:
    """Paint the upper face of a die into a picture."""
    side = SIDE_PX * FINER
    face = np.full((side, side, 3), 235, np.uint8)
    for x, y in PIPS[value]:
        cv2.circle(face, (round(x * side), round(y * side)), round(0.1 * side), (20, 20, 20), -1, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), turned, 1 / FINER)
    turn[:, 2] += np.array(middle) - side / 2
    size = picture.shape[1::-1]
    drawn = cv2.warpAffine(cv2.GaussianBlur(face, (0, 0), 4), turn, size, flags=cv2.INTER_AREA)
    there = cv2.warpAffine(np.full((side, side), 255, np.uint8), turn, size) > 127
    picture[there] = drawn[there]


READERS = {"network": DieNetwork, "its pips": lambda: None}


@pytest.mark.parametrize("reader", READERS)
def test_dice_among_pyramids_are_read_and_pyramids_are_no_dice(reader):
    eye, plain = eye_for(TABLE, LooseDice(network=READERS[reader]()))
    assert eye.read(plain).sightings == ()
    picture = pyramid_picture(TABLE).copy()
    height, width = picture.shape[:2]
    places = {3: (0.36 * width, 0.30 * height), 4: (0.64 * width, 0.30 * height), 6: (0.5 * width, 0.78 * height)}
    for value, middle in places.items():
        put_die(picture, value, middle, 20.0 * value)
    seen = eye.read(Frame(picture, small_grey(picture), 1.0, 1, name="dice")).sightings
    found = {int(s.piece.value): (s.x_px, s.y_px) for s in seen}
    assert found.keys() == places.keys()
    for value, middle in places.items():
        assert np.hypot(*np.subtract(found[value], middle)) < 3


def on_checks(picture: np.ndarray, middle: tuple[int, int], side: int = 25, reach: int = 90) -> None:
    """Paint a piece of checked cloth as bright as a die."""
    x, y = middle
    rows, cols = np.mgrid[-reach:reach, -reach:reach] // side
    picture[y - reach : y + reach, x - reach : x + reach] = np.where((rows + cols) % 2, 225, 120)[..., None]


@pytest.mark.parametrize("reader", READERS)
def test_a_die_on_a_cloth_that_hides_its_outline_is_found_by_its_pips(reader):
    eye, _ = eye_for(TABLE, LooseDice(network=READERS[reader]()))
    picture = pyramid_picture(TABLE).copy()
    height, width = picture.shape[:2]
    middle = (round(0.36 * width), round(0.30 * height))
    on_checks(picture, middle)
    bare = Frame(picture.copy(), small_grey(picture), 1.0, 1, name="checks")
    assert eye.read(bare).sightings == ()
    put_die(picture, 4, middle, 30.0)
    seen = eye.read(Frame(picture, small_grey(picture), 2.0, 2, name="die on checks")).sightings
    assert [s.piece.value for s in seen] == ["4"]


@pytest.mark.parametrize("at", [(-90.0, 60.0), (0.0, 0.0), (200.0, -120.0)])
def test_in_a_zone_the_same_spots_are_seen_as_in_the_whole_picture(at, monkeypatch):
    picture = pyramid_picture(TABLE).copy()
    eye, _ = eye_for(TABLE, LooseDice())
    eye.read(Frame(picture, small_grey(picture), 1.0, 1, name="bare"))
    x, y = np.rint(eye.last.place.pose.project(np.array([[*at, 0.0]]))[0]).astype(int)
    put_die(picture, 5, (int(x), int(y)), 30.0)
    ground = see_ground(replace(eye.table_picture(eye.last), pixels=picture))
    col, row = np.rint(ground.fine_px(np.array(at)) / ground.settings.coarse).astype(int)
    zone = np.zeros(ground.log.shape[:2], bool)
    zone[max(row - 40, 0) : row + 40, max(col - 50, 0) : col + 50] = True
    part = list(pip_groups(replace(ground, zone=zone), [], PlaceSettings()))
    monkeypatch.setattr(loose_places, "_part", lambda ground, beyond_px: (0, 0, *picture.shape[1::-1]))
    assert part == list(pip_groups(replace(ground, zone=zone), [], PlaceSettings()))
    assert any(left < x < right and top < y < low for left, top, right, low in part)


def test_where_the_picture_has_no_spot_there_are_no_pips():
    picture = np.full((1200, 1600, 3), 128, np.uint8)
    eye, _ = eye_for(TABLE, LooseDice())
    drawn = pyramid_picture(TABLE)
    eye.read(Frame(drawn, small_grey(drawn), 1.0, 1, name="markers"))
    ground = see_ground(replace(eye.table_picture(eye.last), pixels=picture))
    assert list(pip_groups(ground, [], PlaceSettings())) == []


@pytest.fixture(scope="module")
def thrown():
    """Tables with dice, where each lies, and what is seen of dice."""
    read = []
    for seed in range(TESTING[1] + 100, TESTING[1] + 103):
        table = pyramid_table(seed, "kaxxt", dice=4)
        dice = [thing for thing in table.scene.things if thing.piece is not None and thing.piece.kind == "die"]
        eye, frame = eye_for(table, LooseDice())
        read.append((dice, eye.read(frame).sightings))
    return read


def test_thrown_dice_are_read_where_they_lie(thrown):
    dice = [(die, seen) for there, seen in thrown for die in there]
    assert len(dice) >= 10
    read = 0
    for die, seen in dice:
        near = [s for s in seen if np.hypot(s.x_mm - die.x_mm, s.y_mm - die.y_mm) < 4]
        assert len(near) <= 1
        assert all(s.piece.kind == "unknown" or s.piece.value == die.piece.value for s in near)
        read += any(s.piece.value == die.piece.value for s in near)
    assert read >= 0.9 * len(dice)
    assert sum(s.piece.kind == "die" for _, seen in thrown for s in seen) <= len(dice)  # and nothing else is one


@pytest.mark.parametrize("seed", [44083, 44089, 44185], ids=["beside a pencil", "long shadows", "beside a pyramid"])
def test_dice_are_read_where_they_and_their_shadows_reach_other_things(seed):
    table = pyramid_table(seed, "kaxxt", dice=3)
    dice = [thing for thing in table.scene.things if thing.piece is not None and thing.piece.kind == "die"]
    eye, frame = eye_for(table, LooseDice())
    seen = eye.read(frame).sightings
    assert len(dice) == len(seen) == 3
    for die in dice:
        read = [s.piece for s in seen if np.hypot(s.x_mm - die.x_mm, s.y_mm - die.y_mm) < 4]
        assert read == [die.piece]


def test_without_a_network_dice_are_read_by_their_pips():
    table = pyramid_table(44083, "kaxxt", dice=3)
    eye, frame = eye_for(table, LooseDice(network=None))
    values = Counter(thing.piece.value for thing in table.scene.things if thing.piece and thing.piece.kind == "die")
    read = Counter(s.piece.value for s in eye.read(frame).sightings)
    assert read
    assert read <= values


def test_without_its_weights_there_is_no_network(tmp_path):
    assert shipped(tmp_path) is None
    with pytest.raises(UnusableWeights, match=r"pip_dice\.json"):
        DieNetwork(tmp_path)


SIDE = 78


def blown_out(pips: list[tuple[float, float]]) -> np.ndarray:
    """A blown-out face on a grey table: its light has left little of its pips."""
    picture = np.full((2 * SIDE, 2 * SIDE, 3), 110, np.uint8)
    picture[SIDE // 2 : SIDE // 2 + SIDE, SIDE // 2 : SIDE // 2 + SIDE] = 255
    for x, y in pips:
        cv2.circle(picture, pixel(x, y), 2, (120, 120, 120), -1, cv2.LINE_AA)
    return picture


def pixel(x: float, y: float) -> tuple[int, int]:
    return round(SIDE / 2 + x * SIDE), round(SIDE / 2 + y * SIDE)


def test_a_blown_out_face_is_read_only_where_no_pip_can_be_lost():
    read = [face for face in find_faces(blown_out(CROSS), DiceSettings()) if face.doubt is None]
    assert [face.value for face in read] == [4]
    picture = blown_out([CROSS[0], CROSS[3]])
    seen = find_faces(picture, DiceSettings())
    assert [(face.value, face.doubt) for face in seen] == [(2, None)]
    for place in (CROSS[1], CROSS[2]):  # what is nearly gone is no bare place
        picture[pixel(*place)[::-1]] = 236
    assert all(face.doubt is not None for face in find_faces(picture, DiceSettings()))


@pytest.mark.parametrize("seed", range(5))
def test_what_lies_within_a_paper_is_what_opencv_says_lies_there(seed):
    rng = np.random.default_rng(seed)
    outline = cv2.convexHull(rng.uniform(-20, 20, (4, 2)).astype(np.float32))
    points = np.concatenate([rng.uniform(-25, 25, (200, 2)).astype(np.float32), outline[:, 0]])
    said = [cv2.pointPolygonTest(outline, point.tolist(), measureDist=False) >= 0 for point in points]
    for way in (1, -1):
        assert _within(points.astype(np.float64), outline[::way, 0].astype(np.float64)).tolist() == said


@pytest.mark.parametrize(
    ("half_mm", "beside_mm", "asked"),
    [(13.0, 0.0, False), (13.0, 10.0, False), (13.0, 12.0, True), (8.0, 0.0, True)],
    ids=["within", "near its rim", "at its rim", "as small as a die"],
)
def test_no_die_is_looked_for_well_inside_of_what_is_surely_found_and_larger(half_mm, beside_mm, asked):
    picture = pyramid_picture(TABLE).copy()
    eye, _ = eye_for(TABLE, LooseDice())
    eye.read(Frame(picture, small_grey(picture), 1.0, 1, name="bare"))
    x, y = np.rint(eye.last.place.pose.project(np.array([[0.0, 60.0, 0.0]]))[0]).astype(int)
    put_die(picture, 1, (int(x), int(y)), 0.0)
    ground = see_ground(replace(eye.table_picture(eye.last), pixels=picture))
    dice = LooseDice()
    at = dice.probes(ground)[0]
    square = at + np.array([(beside_mm + half_mm * x, half_mm * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    left = dice.probes(replace(ground, claimed_mm=(square,)))
    assert any(np.array_equal(place, at) for place in left) is asked
