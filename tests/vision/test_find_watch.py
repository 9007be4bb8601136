"""A watched table is read again only where it has changed, and what is new is read twice."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from drawn_tables import Paint, camera, with_noise

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.find_watch import FindWatchSettings
from companion.vision.finders import TableFinder
from companion.vision.found import Found
from companion.vision.reader import TablePicture

POSE = camera(tilt=(0.0, 0.0))
SQUARES = {"red": (-150.0, 40.0), "blue": (0.0, -60.0), "green": (160.0, 70.0)}
COLOURS = {"red": (30, 30, 200), "blue": (190, 60, 40), "green": (50, 160, 40)}


class Family:
    """Takes every region for a piece, and remembers how many it was shown."""

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.overlooks: list[int] = []  # the looks at which the first square is missed

    def find(self, ground):
        squares = [
            region for region in ground.regions if region.mask.mean() > 0.9
        ]  # the faint rings round them are none
        self.shown.append(len(squares))
        squares = squares[len(self.shown) - 1 in self.overlooks :]
        found = []
        for region in squares:
            places = (np.argwhere(region.mask)[:, ::-1] + (region.x, region.y) + 0.5) * ground.settings.coarse
            low, high = ground.to_mm(places.min(axis=0)), ground.to_mm(places.max(axis=0))
            outline = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
            x, y = (low + high) / 2
            found.append(Found(Sighting(((Piece("die"), 1.0),), float(x), float(y)), 1.0, outline))
        return found

    def learn(self, ground, sightings):
        pass


class Watched:
    """A finder before a table on which squares are laid and taken away, with noise."""

    def __init__(self, noise: float = 2.0) -> None:
        self.family, self.noise = Family(), noise
        self.finder = TableFinder([self.family])
        self.looks = 0
        self.pyramids: set[float | None] = set()

    def look(self, taken_s: float | None, *names: str, brighter: int = 0, pose=POSE):
        """What is found (by its place), and how many regions the family was shown, each time it was asked."""
        self.looks += 1
        pixels = with_noise(cv2.add(drawn(names), (brighter,) * 3), self.looks, self.noise)
        picture = TablePicture(pixels, np.ones(3), pose, (), taken_s)
        before = len(self.family.shown)
        found = self.finder.find(picture)
        self.pyramids = {s.x_mm for s in found if s.piece.kind == "pyramid"}
        return {near(s) for s in found}, self.family.shown[before:]


@cache
def drawn(names: tuple[str, ...]):
    paint = Paint()
    for name in names:
        x, y = SQUARES[name]
        corners = [(x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12)]
        paint.polygon(np.array(corners), COLOURS[name])
    return paint.seen_by(POSE, noise=0.0)


def near(sighting: Sighting) -> str:
    return min(SQUARES, key=lambda name: abs(sighting.x_mm - SQUARES[name][0]) + abs(sighting.y_mm - SQUARES[name][1]))


@pytest.fixture
def settled() -> Watched:
    watched = Watched()
    assert watched.look(1.0, "red", "blue") == ({"red", "blue"}, [2])
    assert watched.look(1.2, "red", "blue") == ({"red", "blue"}, [2])
    return watched


def test_what_did_not_change_is_not_read_a_third_time(settled) -> None:
    assert settled.look(1.4, "red", "blue") == ({"red", "blue"}, [])
    assert settled.look(1.6, "red", "blue") == ({"red", "blue"}, [])


def test_only_what_is_new_is_read_and_twice(settled) -> None:
    settled.look(1.4, "red", "blue")
    for taken_s in (1.6, 1.8):
        assert settled.look(taken_s, "red", "blue", "green") == ({"red", "blue", "green"}, [1])
    assert settled.look(2.0, "red", "blue", "green") == ({"red", "blue", "green"}, [])


class Piled(Family):
    """Takes every square to lie on the first."""

    def find(self, ground):
        found = super().find(ground)
        return [*found[:1], *(replace(claim, on=0) for claim in found[1:])]


def test_a_pile_is_read_as_a_whole() -> None:
    watched = Watched()
    watched.family = Piled()
    watched.finder = TableFinder([watched.family])
    for taken_s, shown in ((1.0, [2]), (1.2, [2]), (1.4, [])):
        assert watched.look(taken_s, "red", "blue") == ({"red", "blue"}, shown)
    assert watched.look(1.6, "red")[1] == [1]  # the one that the other lay on is looked at again, too


class Leaning(Family):
    """Takes every square for a die, and sees a pyramid beside them, at each look in another place."""

    def __init__(self, *places_mm: float) -> None:
        super().__init__()
        self.places_mm = list(places_mm)

    def find(self, ground):
        x, y = self.places_mm.pop(0), SQUARES["blue"][1]
        outline = np.array([(x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12)])
        pyramid = Sighting(((Piece("pyramid", "red", "medium", "upright"), 0.9),), x, y)
        return [*super().find(ground), Found(pyramid, 0.9, outline)]


@pytest.mark.parametrize(("then_mm", "places"), [(38.0, {47.0}), (20.0, {20.0, 47.0})])
def test_a_pyramid_that_lies_still_is_not_seen_twice_for_its_neighbour_is_new(then_mm, places) -> None:
    watched = Watched()
    watched.family = Leaning(47.0, 47.0, then_mm)
    watched.finder = TableFinder([watched.family])
    for taken_s in (1.0, 1.2, 1.4):
        watched.look(taken_s, "red")
    watched.look(1.6, "red", "blue")
    assert watched.pyramids == places


def test_what_was_taken_away_is_gone(settled) -> None:
    found, shown = settled.look(1.4, "red")
    assert found == {"red"}
    assert shown == [0]


def test_after_a_while_everything_is_read(settled) -> None:
    assert settled.look(20.0, "red", "blue")[1] == [2]
    assert settled.look(20.2, "red", "blue")[1] == []


def test_other_light_or_another_place_of_the_camera_means_everything(settled) -> None:
    assert settled.look(1.4, "red", "blue", brighter=25)[1] == [2]
    assert settled.look(1.6, "red", "blue", brighter=25, pose=replace(POSE))[1] == [2]


def test_light_that_changes_slowly_is_noticed(settled) -> None:
    shown = [settled.look(1.4 + number / 10, "red", "blue", brighter=number)[1] for number in range(20)]
    assert [2] in shown


def test_noise_at_the_rim_of_the_picture_is_no_change_of_what_lies_beyond() -> None:
    watched, askew = Watched(noise=8.0), camera(tilt=(0.0, 0.0), turn=20.0)
    shown = [watched.look(1.0 + number / 5, "red", "blue", brighter=-80, pose=askew)[1] for number in range(4)]
    assert [len(times) for times in shown] == [1, 1, 0, 0]


def test_what_is_new_at_the_second_look_is_alone_read_at_the_third() -> None:
    watched = Watched()
    assert watched.look(1.0, "red", "blue")[1] == [2]
    assert watched.look(1.2, "red", "blue", "green")[1] == [3]
    assert watched.look(1.4, "red", "blue", "green") == ({"red", "blue", "green"}, [1])
    assert watched.look(1.6, "red", "blue", "green")[1] == []


def test_what_two_looks_see_differently_is_looked_at_until_two_agree() -> None:
    watched = Watched()
    watched.family.overlooks = [1]  # the second look misses one of two
    looks = [watched.look(1.0 + number / 5, "red", "blue") for number in range(5)]
    assert [len(found) for found, _ in looks] == [2, 1, 2, 2, 2]
    assert [len(times) for _, times in looks] == [1, 1, 1, 1, 0]


def test_what_most_looks_saw_is_not_taken_away_by_one_that_misses_it() -> None:
    watched = Watched()
    watched.family.overlooks = [1, 4]
    looks = [watched.look(when, "red", "blue")[0] for when in (1.0, 1.2, 1.4, 1.6, 12.0)]
    assert [len(found) for found in looks] == [2, 1, 2, 2, 2]
    assert len(watched.family.shown) == 5  # after so long everything is looked at


def test_what_looks_never_agree_upon_is_not_looked_at_for_ever() -> None:
    watched = Watched()
    watched.family.overlooks = [1, 3, 5, 7, 9]
    asked = [len(watched.look(1.0 + number / 5, "red", "blue")[1]) for number in range(8)]
    assert asked == [1, 1, 1, 1, 1, 0, 0, 0]


def test_a_single_picture_is_read_whole() -> None:
    watched = Watched()
    assert [watched.look(None, "red")[1] for _ in range(3)] == [[1], [1], [1]]


def test_what_was_learned_is_used_at_once(settled) -> None:
    settled.look(1.4, "red", "blue")
    settled.finder.learn(TablePicture(drawn(("red",)).astype(np.uint8), np.ones(3), POSE), [])
    assert settled.look(1.6, "red", "blue")[1] == [2]


def test_what_two_looks_saw_was_seen_again(settled) -> None:
    def again() -> dict[str, bool]:
        return {near(claim.sighting): claim.again for claim in settled.finder._watch.found}

    assert again() == {"red": True, "blue": True}
    settled.look(1.4, "red", "blue", "green")
    assert again() == {"red": True, "blue": True, "green": False}
    settled.look(1.6, "red", "blue", "green")
    assert again()["green"]


def test_what_two_looks_agree_on_is_what_the_table_rested_at(settled) -> None:
    def rested() -> set[str]:
        return {near(claim.sighting) for claim in settled.finder._watch.past.rested.found}

    assert rested() == {"red", "blue"}
    settled.look(1.4, "red", "blue", "green")
    assert rested() == {"red", "blue"}
    settled.look(1.6, "red", "blue", "green")
    assert rested() == {"red", "blue", "green"}
    settled.look(1.8, "red", "blue", "green", pose=camera(tilt=(0.0, 2.0)))
    assert settled.finder._watch.past.rested is None  # another table, as far as the camera tells


def test_it_is_kept_where_nothing_has_changed_since_before_the_table_was_touched(settled) -> None:
    def untouched():
        watch = settled.finder._watch
        return watch.past_of(watch._last.ground).untouched

    def still(name: str) -> bool:
        ground = settled.finder._watch._last.ground
        col, row = np.rint(ground.fine_px(np.array(SQUARES[name])) / ground.settings.coarse).astype(int)
        return bool(untouched().mask[row, col])

    assert untouched() is None
    for at_s in (1.4, 1.6, 1.8):
        settled.look(at_s, "red", "blue", "green")
        assert {near(claim.sighting) for claim in untouched().found} == {"red", "blue"}
        assert [still(name) for name in SQUARES] == [True, True, False]
    settled.look(2.0, "blue", "green")
    assert {near(claim.sighting) for claim in untouched().found} == {"red", "blue", "green"}
    assert [still(name) for name in SQUARES] == [False, True, True]
    settled.look(2.2, "blue", "green", pose=camera(tilt=(0.0, 2.0)))
    assert untouched() is None


def test_the_first_looks_after_a_touch_are_compared_with_the_table_as_it_was_before(settled, monkeypatch) -> None:
    watch, asked = settled.finder._watch, []
    original = watch.past_of
    monkeypatch.setattr(watch, "past_of", lambda ground: asked.append(original(ground).calm) or original(ground))
    before = watch._last.ground
    for at_s in (1.4, 1.6):
        settled.look(at_s, "red", "blue", "green")
    assert [past.ground is before for past in asked] == [True, True]
    rested = watch._last.ground
    for at_s in (1.8, 2.0):
        settled.look(at_s, "blue", "green")
    assert [past.ground is rested for past in asked[2:]] == [True, True]
    for number in range(FindWatchSettings().most_looks):  # the table rests, and is read anew from time to time
        settled.look(15.0 * (number + 1), "blue", "green")
    assert asked[-1] is None
