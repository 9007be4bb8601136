"""What looks like a piece where the table is as it was before the game is its pattern, and no piece."""

from itertools import count

import numpy as np
import pytest
from cases import long
from drawn_tables import Paint, camera, with_noise

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.finders import FinderSettings, TableFinder
from companion.vision.found import Found
from companion.vision.ground.first_look import FirstLook
from companion.vision.ground.foreground import see_ground
from companion.vision.reader import TablePicture

PATTERN, PIECE = (-150.0, 40.0), (0.0, -60.0)
NEAR = np.array([(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)])


class Claims:
    """Sees a piece at each of these places, as surely as it is told."""

    def __init__(self) -> None:
        self.claims: dict[tuple[float, float], float] = {}
        self.piece = Piece("pyramid", colour="red", size="medium", pose="upright")
        self.why: str | None = None

    def find(self, ground):
        return [
            Found(Sighting(((self.piece, sure),), *place, why=self.why), sure, NEAR + place)
            for place, sure in self.claims.items()
        ]


@pytest.fixture
def family() -> Claims:
    return Claims()


def looker(family: Claims, **settings):
    finder, seeds = TableFinder([family], FinderSettings(**settings)), count()

    def look(claims, *shown, brighter=0.0, tilt=(0.0, 0.0), taken_s=1.0, one_table=True):
        paint, pose = Paint(), camera(tilt=tilt)
        for place in (PATTERN, *shown):
            paint.polygon(NEAR + place, (60, 90, 120))
        pixels = with_noise(paint.seen_by(pose, noise=0.0) * np.float32(1 + brighter), next(seeds))
        family.claims = claims
        picture = TablePicture(pixels, np.ones(3), pose, (), taken_s, one_table)
        return {(s.x_mm, s.y_mm) for s in finder.find(picture)}

    return look


@pytest.mark.parametrize("change", [{}, {"brighter": 0.2}, {"tilt": (4.0, -3.0)}], ids=["still", "lamp", "bumped"])
def test_only_what_is_new_on_the_table_is_a_piece(family, change) -> None:
    look = looker(family, starts_bare=True)
    assert look({}) == set()
    assert look({PATTERN: 0.9, PIECE: 0.9}, PIECE, taken_s=20.0, **change) == {PIECE}


def test_what_was_seen_at_first_or_is_sure_stays(family) -> None:
    look = looker(family, starts_bare=True)
    assert look({PATTERN: 0.7}) == {PATTERN}
    assert look({PATTERN: 0.9}, taken_s=20.0) == {PATTERN}
    other = looker(family, starts_bare=True)
    assert other({}) == set()
    assert other({PATTERN: 0.995}, taken_s=20.0) == {PATTERN}


def test_photographs_of_one_table_are_compared_too(family) -> None:
    look = looker(family, starts_bare=True)
    assert look({}, taken_s=None) == set()
    assert look({PATTERN: 0.9, PIECE: 0.9}, PIECE, taken_s=None) == {PIECE}
    assert look({PATTERN: 1.0, PIECE: 0.9}, PIECE, taken_s=None) == {PIECE}  # the first one showed the set-up


@pytest.mark.parametrize("why", [None, "like a pyramid, but not surely one"])
def test_what_looks_like_a_pyramid_in_a_photographed_set_up_is_the_tables_own(family, why) -> None:
    family.why = why
    look = looker(family, starts_bare=True)
    assert look({PATTERN: 0.9}, taken_s=None) == {PATTERN}
    assert look({PATTERN: 0.9}, taken_s=None) == set()
    assert look({PATTERN: 0.9, PIECE: 0.9}, PIECE, taken_s=None) == {PIECE}


def test_what_surely_is_a_pyramid_in_the_first_photograph_lies_there_in_the_next(family) -> None:
    look = looker(family, starts_bare=True)
    assert look({PIECE: 0.995, PATTERN: 0.9}, PIECE, taken_s=None) == {PIECE, PATTERN}
    assert look({PIECE: 0.995, PATTERN: 0.9}, PIECE, taken_s=None) == {PIECE}
    assert look({PATTERN: 0.9}, taken_s=None) == set()


def test_a_die_in_a_photographed_set_up_lies_there(family) -> None:
    family.piece = Piece("die", value="3")
    look = looker(family, starts_bare=True)
    assert look({PATTERN: 0.9}, taken_s=None) == {PATTERN}
    assert look({PATTERN: 0.9}, taken_s=None) == {PATTERN}


@pytest.mark.parametrize(("settings", "one_table"), [({}, True), ({"starts_bare": True}, False)])
def test_tables_that_start_full_and_single_pictures_are_read_as_they_are(family, settings, one_table) -> None:
    look = looker(family, **settings)
    assert look({}, taken_s=None) == set()
    assert look({PATTERN: 0.9}, taken_s=None, one_table=one_table) == {PATTERN}


@pytest.mark.parametrize(
    ("place", "was", "tone", "sure", "unchanged"),
    [
        (PATTERN, (60, 90, 120), (66, 99, 132), 1.0, True),
        (PATTERN, (60, 90, 120), (69, 104, 138), 1.0, False),
        (PATTERN, (60, 90, 120), (69, 104, 138), 0.8, True),
        (PIECE, (120, 140, 150), (132, 154, 165), 1.0, False),
    ],
    ids=["bold", "bold, and much", "bold, and much of what is hardly a piece", "plain"],
)
def test_of_a_bold_pattern_more_must_change_than_of_plain_cloth(place, was, tone, sure, unchanged) -> None:
    pose, grounds = camera(), []
    for colour in (was, tone):
        paint = Paint()
        paint.polygon(NEAR + place, colour)
        grounds.append(see_ground(TablePicture(paint.seen_by(pose, noise=0.0), np.ones(3), pose)))
    first = FirstLook()
    first.remember(grounds[0], ())
    assert first.unchanged(grounds[1], NEAR + place, sure) is unchanged


@pytest.mark.parametrize(("sure", "kept"), [(0.8, set()), (0.95, {PATTERN})], ids=["hardly a piece", "a piece"])
def test_of_what_is_hardly_a_piece_more_must_change(family, sure, kept) -> None:
    finder, pose = TableFinder([family], FinderSettings(starts_bare=True)), camera()
    for claims, tone in (({}, (60, 90, 120)), ({PATTERN: sure}, (69, 104, 138))):
        paint = Paint()
        paint.polygon(NEAR + PATTERN, tone)
        family.claims = claims
        seen = finder.find(TablePicture(paint.seen_by(pose, noise=0.0), np.ones(3), pose, (), None, True))
    assert {(s.x_mm, s.y_mm) for s in seen} == kept


class Shadowed:
    """Sees nothing until it is `shown` a white piece; then, so far beside it, one of another colour, too."""

    shown = False

    def __init__(self, apart=20.0, sure=0.9, colour="clear", beside="white"):
        self.apart, self.sure, self.colour, self.beside = apart, sure, colour, beside

    def find(self, ground):
        if not self.shown:
            return []
        white, other = (
            Piece("pyramid", colour=colour, size="medium", pose="upright") for colour in (self.beside, self.colour)
        )
        beside = (PIECE[0] + self.apart, PIECE[1])
        return [
            Found(Sighting(((white, 1.0),), *PIECE), 1.0, NEAR + PIECE),
            Found(Sighting(((other, self.sure),), *beside), self.sure, NEAR + beside),
        ]


DARKER = (90, 105, 112)


@pytest.mark.parametrize("beside", ["white", "clear"])
@pytest.mark.parametrize(
    ("tone", "belief"), [(DARKER, 0.05), long((150, 175, 188), 0.9), ((60, 140, 150), 0.9)], ids=str
)
def test_a_clear_piece_that_may_be_the_shadow_of_its_neighbour_is_no_news(tone, belief, beside) -> None:
    assert beliefs_beside(Shadowed(beside=beside), tone) == pytest.approx([1.0, belief], abs=0.01)


@pytest.mark.parametrize(("apart", "sure", "belief"), [(40.0, 0.85, 0.04), (40.0, 0.95, 0.95), (70.0, 0.85, 0.85)])
def test_a_shadow_may_be_long_where_the_piece_is_hardly_seen(apart, sure, belief) -> None:
    assert beliefs_beside(Shadowed(apart, sure), DARKER, DARKER) == pytest.approx([1.0, belief], abs=0.01)


def test_where_the_table_between_is_as_bright_as_before_there_is_no_shadow_of_a_neighbour() -> None:
    assert beliefs_beside(Shadowed(40.0, 0.85), DARKER) == pytest.approx([1.0, 0.85], abs=0.01)


@pytest.mark.parametrize(
    ("colour", "tone", "sure", "belief"),
    [
        ("black", DARKER, 0.97, 0.05),
        ("black", (92, 100, 97), 0.97, 0.05),
        ("white", DARKER, 0.97, 0.97),
        ("black", DARKER, 0.995, 0.995),
        ("black", (30, 35, 37), 0.97, 0.97),
        ("black", (60, 100, 150), 0.97, 0.97),
    ],
    ids=["a shadow", "one of a warm lamp", "white", "surely a piece", "as dark as no shadow", "of another hue"],
)
def test_a_dark_piece_that_may_be_the_shadow_of_its_neighbour_is_no_news(colour, tone, sure, belief) -> None:
    assert beliefs_beside(Shadowed(sure=sure, colour=colour), tone) == pytest.approx([1.0, belief], abs=0.01)


def test_a_dark_piece_is_not_taken_for_its_own_shadow() -> None:
    assert beliefs_beside(Shadowed(40.0, 0.97, "black"), DARKER) == pytest.approx([1.0, 0.97], abs=0.01)


@pytest.mark.parametrize(("wide_mm", "belief"), [(0.8, 0.9), (0.0, 0.05)])
def test_what_has_bright_edges_of_its_own_is_no_shadow_of_its_neighbour(wide_mm, belief) -> None:
    edges = [np.array([[-9.0, y], [9.0, y], [9.0, y + wide_mm], [-9.0, y + wide_mm]]) for y in (-5.0, 5.0)]
    seen = beliefs_beside(Shadowed(), DARKER, lines=edges if wide_mm else ())
    assert seen == pytest.approx([1.0, belief], abs=0.01)


def beliefs_beside(family, tone, between=None, lines=()):
    """What is believed of the white piece, and of what has that tone beside it, and another one `between` them.

    `lines` are drawn on it, a little brighter.
    """
    finder = TableFinder([family], FinderSettings(starts_bare=True))
    pose, views = camera(), []
    for shown in (False, True):
        paint = Paint()
        if shown:
            if between is not None:
                strip = np.array([[0.0, 10.0], [family.apart, 10.0], [family.apart, -10.0], [0.0, -10.0]])
                paint.polygon(strip + PIECE, between)
            paint.polygon(NEAR + PIECE, (210, 215, 220))
            paint.polygon(NEAR * 1.15 + (PIECE[0] + family.apart, PIECE[1]), tone)
            for line in lines:
                paint.polygon(np.add(line, (PIECE[0] + family.apart, PIECE[1])), (110, 128, 135))
        family.shown = shown
        picture = TablePicture(paint.seen_by(pose, noise=0.0), np.ones(3), pose, (), None, True)
        views.append(finder.find(picture))
    return [s.confidence for s in views[1]]
