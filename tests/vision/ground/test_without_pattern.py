"""A checked cloth is taken out of the picture of a table; what lies on it stays."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from drawn_tables import Paint, camera, with_noise

from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.vision.chaos_finder import new_reader
from companion.vision.files import truth_of
from companion.vision.find_watch import FindWatch
from companion.vision.ground.first_look import FirstLook
from companion.vision.ground.foreground import Ground, Region, draw_table, see_ground
from companion.vision.ground.pattern_settings import PatternSettings
from companion.vision.ground.pattern_under import UnderSettings, completed
from companion.vision.ground.without_pattern import seen_before, told_from, without_pattern
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import TablePicture
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

CHECK_MM = 30.0
DARK, LIGHT = (110, 60, 40), (185, 180, 175)
THING, OLD = np.array([40.0, -25.0]), np.array([-70.0, 45.0])
SQUARE = np.array([(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)])
ORANGE, GREEN = (30, 110, 210), (60, 140, 50)


def photographed(
    *things: tuple[np.ndarray, tuple[int, int, int]], by=(0.0, 0.0), brighter=1.0, tilt=(4.0, -3.0), seed=1, grain=2.0
) -> TablePicture:
    paint = Paint(LIGHT)
    for col in range(-15, 15):
        for row in range(-12, 12):
            if (col + row) % 2:
                corner = np.array([col, row]) * CHECK_MM + by
                paint.polygon(corner + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * CHECK_MM, DARK)
    for place, colour in things:
        paint.polygon(SQUARE + place, colour)
    pose = camera(tilt=tilt)
    pixels = paint.seen_by(pose, noise=0.0) * np.float32(brighter)
    noise = np.where(pixels.mean(axis=2, keepdims=True) < 100, grain, 2.0)
    return TablePicture(with_noise(pixels, seed, noise), np.ones(3), pose)


def cloth(*things: tuple[np.ndarray, tuple[int, int, int]], **change) -> Ground:
    return see_ground(photographed(*things, **change))


def level(ground: Ground, place_mm: np.ndarray) -> np.ndarray:
    col, row = np.rint(ground.fine_px(place_mm)).astype(int)
    return np.median(ground.colours[row - 6 : row + 7, col - 6 : col + 7].reshape(-1, 3), axis=0)


def plain_of(now: Ground, bare: Ground, kept: Sequence[np.ndarray] = ()) -> Ground:
    """Without what another picture of the bare table showed."""
    settings = PatternSettings()
    return without_pattern(now, seen_before(now, bare, settings), kept, settings)


def unevenness(ground: Ground) -> float:
    """Spread of the table's middle, far from every thing."""
    (left, low), (right, top) = (np.rint(ground.fine_px(np.array(p))).astype(int) for p in ((-45, -100), (20, -45)))
    return float(ground.colours[top:low, left:right].std(axis=(0, 1)).max())


def middle_mm(ground: Ground, region: Region) -> np.ndarray:
    return ground.to_mm((np.array([region.x, region.y]) + np.array(region.size_px) / 2) * ground.settings.coarse)


def is_near(ground: Ground, region: Region) -> bool:
    """True but for what lies at the picture's rim."""
    return bool((abs(middle_mm(ground, region)) < 180).all())


@pytest.mark.parametrize(
    "change", [{}, {"brighter": 1.15}, {"tilt": (3.0, -4.0)}], ids=["still", "lamp turned up", "camera bumped"]
)
def test_the_cloth_is_plain_and_the_thing_as_it_was_taken(change) -> None:
    bare, now = cloth(), cloth((THING, ORANGE), seed=2, **change)
    plain = plain_of(now, bare)
    assert plain.taken is now
    assert unevenness(plain) < 0.25 * unevenness(now)
    assert level(plain, THING) == pytest.approx(level(now, THING), abs=3)
    assert [middle_mm(plain, r) for r in plain.regions if r.area_mm2 > 100 and is_near(plain, r)] == [
        pytest.approx(THING, abs=3)
    ]


def test_what_lies_beyond_the_markers_is_found_as_it_was_taken() -> None:
    beyond, papers = np.array([-140.0, -25.0]), [SQUARE + np.array(at) * 50.0 for at in ((-1, -1), (1, 1))]

    def runner(*places: np.ndarray, seed: int) -> Ground:
        """A chequered runner on a plain table."""
        paint, pose = Paint(LIGHT), camera()
        for col, row in np.ndindex(4, 4):
            if (col + row) % 2:
                paint.polygon(SQUARE / 0.9 + np.array([col - 2, row - 2]) * 20.0, DARK)
        for place in places:
            paint.polygon(SQUARE + place, ORANGE)
        return see_ground(TablePicture(paint.seen_by(pose, noise=2.0, seed=seed), np.ones(3), pose))

    now = replace(runner(THING, beyond, seed=2), covered_mm=tuple(papers))
    plain = plain_of(now, runner(seed=1))
    assert plain.taken is now
    left, top, right, low = (2 * at for at in now.between_papers(PatternSettings().beyond_mm))
    assert left > 0
    assert top > 0
    outside = np.ones(now.colours.shape[:2], bool)
    outside[top:low, left:right] = False
    assert (plain.colours[outside] == now.colours[outside]).all()
    for place in (beyond, THING):
        assert [np.hypot(*(middle_mm(plain, r) - place)) < 3 for r in plain.regions].count(True) == 2  # with its rim
    assert len(plain.regions) == 4, "nothing of the runner"


@pytest.mark.parametrize(
    "change", [{}, {"brighter": 1.15}, {"tilt": (3.0, -4.0)}], ids=["still", "lamp turned up", "camera bumped"]
)
def test_what_was_worked_out_for_the_picture_before_serves_only_one_from_there(change) -> None:
    first, fresh = FirstLook(), FirstLook()
    for look in (first, fresh):
        look.remember(cloth(), ())
    first.without_pattern(cloth((OLD, GREEN), seed=3))
    now = cloth((THING, ORANGE), seed=2, **change)
    again, once = first.without_pattern(now), fresh.without_pattern(now)
    assert again.taken is now
    assert (again.colours == once.colours).all()


def test_the_surface_is_that_of_the_bare_cloth_which_the_picture_itself_has_told() -> None:
    settings, now, bare = PatternSettings(), cloth((THING, ORANGE), seed=2), cloth(seed=2)
    plain = without_pattern(now, told_from(bare, settings), (), settings)
    assert plain.taken is now
    assert plain.surface is bare.surface


def test_checks_that_are_noisier_than_others_do_not_show_by_their_noise() -> None:
    def noise(ground: Ground, col: int, row: int) -> float:
        (left, low), (right, top) = (
            np.rint(ground.fine_px((np.array((col, row)) + at) * CHECK_MM)).astype(int) for at in (0.2, 0.8)
        )
        return float(ground.colours[top:low, left:right].std(axis=(0, 1)).mean())

    now, bare = cloth((THING, ORANGE), seed=2, grain=8.0), cloth(grain=8.0)
    plain = plain_of(now, bare)
    assert noise(now, -3, -2) > 2.5 * noise(now, -2, -2)
    assert noise(plain, -3, -2) < noise(now, -3, -2)  # that of two pictures would be more by four tenths
    assert level(plain, THING) == pytest.approx(level(now, THING), abs=3)


@pytest.mark.parametrize("clear", [True, False])
def test_checks_that_show_through_a_clear_thing_are_taken_out_of_it(clear: bool) -> None:
    """What hides the cloth keeps its own light and dark parts."""
    corner = np.array([1.0, 1.0]) * CHECK_MM + (0.0 if clear else 7.0)
    quarters = [np.array(at) * 9.0 for at in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    through = {tone: tuple(round(0.45 * level + 5) for level in tone) for tone in (LIGHT, DARK)}
    light, dark = (through[LIGHT], through[DARK]) if clear else ((40, 90, 200), (30, 60, 130))
    things = [(corner + at, dark if at.prod() < 0 else light) for at in quarters]
    now = cloth(*things, seed=2)
    plain = plain_of(now, cloth())

    def spread(ground: Ground) -> float:
        return float(np.ptp([level(ground, corner + at).mean() for at in quarters]))

    assert (spread(plain) < 0.5 * spread(now)) is clear
    assert clear or spread(plain) == pytest.approx(spread(now), rel=0.1)


def test_what_lay_there_before_stays_where_it_is_named() -> None:
    bare, now = cloth((OLD, GREEN)), cloth((OLD, GREEN), (THING, ORANGE), seed=2)
    gone = plain_of(now, bare)
    assert abs(level(gone, OLD) - level(now, OLD)).max() > 40
    kept = plain_of(now, bare, [SQUARE + OLD])
    assert level(kept, OLD) == pytest.approx(level(now, OLD), abs=3)


def test_what_is_taken_away_leaves_the_cloth() -> None:
    bare, now = cloth((OLD, GREEN)), cloth(seed=2)
    plain = plain_of(now, bare)
    assert level(plain, OLD) == pytest.approx(level(now, OLD), abs=3)


def test_a_cloth_that_was_moved_shows_as_it_is() -> None:
    now = cloth((THING, ORANGE), by=(CHECK_MM / 2, CHECK_MM / 2), seed=2)
    seen = plain_of(now, cloth())
    assert level(seen, THING) == pytest.approx(level(now, THING), abs=3)
    assert unevenness(seen) == pytest.approx(unevenness(now), rel=0.2)


def test_a_cloth_that_hardly_has_a_pattern_leaves_none_on_a_thing_of_nearly_its_tone() -> None:
    def table(*things: tuple[np.ndarray, tuple[float, ...]], seed: int) -> Ground:
        paint, pose = Paint(LIGHT), camera()
        for at in np.ndindex(40, 40):
            paint.polygon(SQUARE / 3 + (np.array(at) - 20) * 10.0, tuple(0.94 * tone for tone in LIGHT))
        for place, colour in things:
            paint.polygon(SQUARE + place, colour)
        return see_ground(TablePicture(paint.seen_by(pose, noise=0.7, seed=seed), np.ones(3), pose))

    def spread(ground: Ground) -> float:
        col, row = np.rint(ground.fine_px(THING)).astype(int)
        return float(ground.colours[row - 10 : row + 11, col - 10 : col + 11].std(axis=(0, 1)).max())

    now = table((THING, tuple(1.17 * tone for tone in LIGHT)), seed=2)
    plain = plain_of(now, table(seed=1))
    assert plain.taken is now
    assert spread(plain) < 1.5 * spread(now)


def test_old_shadows_are_not_drawn_on_a_table_that_is_plain() -> None:
    """Where the bare table showed more than this one does, nothing is taken out."""

    def lit(*things):
        pose, paint = camera(), Paint()
        for place in things:
            paint.polygon(SQUARE * 2 + place, (108, 126, 135))  # a tenth darker: too little for a thing
        return see_ground(TablePicture(paint.seen_by(pose, noise=0.0), np.ones(3), pose))

    shadows = [np.array([x, y]) for x in (-150.0, -50.0, 50.0, 150.0) for y in (-80.0, 0.0, 80.0)]
    now = lit()
    assert plain_of(now, lit(*shadows)) is now


def test_a_table_at_rest_is_compared_as_it_was_taken() -> None:
    picture, watch = photographed((THING, ORANGE), seed=2), FindWatch()
    plain = plain_of(see_ground(picture), cloth())
    for taken_s in (0.0, 1.0):
        watch.read(plain, (), None, taken_s)
    assert watch.resting(draw_table(picture), 2.0)


def photographs(table: PyramidTable) -> list[Frame]:
    """The bare table and the table as it is, each with noise of its own."""
    bare = replace(table.scene, things=tuple(t for t in table.scene.things if t.piece is None))
    pictures = [pyramid_picture(replace(table, seed=table.seed + 1, scene=bare)), pyramid_picture(table)]
    return [Frame(p, small_grey(p), float(n), n) for n, p in enumerate(pictures)]


def test_pyramids_on_checked_cloth_are_read_once_the_bare_table_was_seen() -> None:
    table = pyramid_table(1008029, checked=True)
    truth = [s for s in truth_of(table.truth()).free if s.piece.kind == "pyramid"]
    eye = Eye(EyeSettings(one_table=True), table.scene.camera.lens, table.scene.markers.places, None, new_reader())
    _, full = (eye.read(frame) for frame in photographs(table))
    seen = [s for s in full.sightings if s.piece.kind == "pyramid"]
    assert len(seen) == len(truth)
    for piece in truth:
        like = [s for s in seen if s.piece == piece.piece]
        assert any(np.hypot(s.x_mm - piece.x_mm, s.y_mm - piece.y_mm) < 4 for s in like), piece.piece


def remembered(*things: tuple[np.ndarray, tuple[int, int, int]]) -> FirstLook:
    first = FirstLook()
    first.remember(cloth(*things), [SQUARE + place for place, _ in things])
    return first


def test_where_a_thing_lay_at_first_the_cloth_goes_on() -> None:
    now = cloth((THING, ORANGE), seed=2)
    plain = remembered((OLD, GREEN)).without_pattern(now)
    bare = remembered().without_pattern(now)
    assert level(plain, OLD) == pytest.approx(level(bare, OLD), abs=4)
    assert [middle_mm(plain, r) for r in plain.regions if r.area_mm2 > 100 and is_near(plain, r)] == [
        pytest.approx(THING, abs=4)
    ]


def test_a_thing_that_lies_where_it_lay_at_first_is_as_it_was_taken() -> None:
    now = cloth((OLD, DARK), (THING, ORANGE), seed=2)  # of the colour of the checks
    plain = remembered((OLD, DARK)).without_pattern(now)
    assert level(plain, OLD) == pytest.approx(level(now, OLD), abs=2)


def test_another_thing_where_one_lay_at_first_is_seen() -> None:
    now = cloth((OLD, ORANGE), seed=2)
    plain, usual = (first.without_pattern(now) for first in (remembered((OLD, GREEN)), remembered()))
    assert level(plain, OLD) == pytest.approx(level(usual, OLD), abs=4)
    assert not remembered((OLD, GREEN)).unchanged(now, SQUARE + OLD)
    assert remembered((OLD, GREEN)).unchanged(cloth(seed=2), SQUARE + OLD)


def test_at_the_rim_of_the_table_nothing_is_made_up() -> None:
    corners = [np.array([x, y]) for x in (-160.0, 160.0) for y in (-140.0, 140.0)]
    ground = replace(cloth((OLD, GREEN)), covered_mm=tuple(SQUARE + corner for corner in corners))
    rim = np.array([124.0, 0.0])  # where the table ends
    _, known = completed(ground, [SQUARE + rim, SQUARE + OLD], UnderSettings())
    assert known == (False, True)


def test_what_does_not_repeat_itself_is_not_made_up() -> None:
    paint, rng = Paint(LIGHT), np.random.default_rng(7)
    for _ in range(400):
        paint.polygon(SQUARE * rng.uniform(0.3, 2.0) + rng.uniform(-300, 300, 2), rng.uniform(40, 220, 3).tolist())
    paint.polygon(SQUARE + OLD, GREEN)
    pose = camera()
    ground = see_ground(TablePicture(paint.seen_by(pose), np.ones(3), pose))
    same, known = completed(ground, [SQUARE + OLD], UnderSettings())
    assert known == (False,)
    assert (same.colours == ground.colours).all()
