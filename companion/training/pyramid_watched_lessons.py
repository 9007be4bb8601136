"""What tables that are watched teach the network that sees what has changed since the last look.

A simulated table is laid piece by piece, now and then one is taken off or shoved, and each time the eye looks as it
does in a game. Of every look that lesson is kept which `pyramid_patch_lessons` keeps of one picture; of what has not
changed only a part.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.simulator.pyramid_tables import PyramidTable, pyramid_table
from companion.simulator.renderer import Renderer
from companion.simulator.rooms import random_exposure
from companion.simulator.scene import Scene, Thing
from companion.simulator.sensor import Developer, exposed
from companion.simulator.surfaces import surface_albedo
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import FAINT_COLOURS
from companion.training.pyramid_patch_lessons import PatchLesson, Recording, joined_lessons, lesson_of
from companion.vision.errors import ObstructedView
from companion.vision.finders import FinderSettings, TableFinder
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.patches import CHANNELS, MIDDLE
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

Singles = NDArray[np.float32]
CHECKED, FEW = 0.15, 0.6  # of the tables: with checked cloth, with pieces of a few colours only
FAINT = 650_000  # from this seed on, three of five pieces on half of the tables are clear or white
TONED, TONED_CHECKED = 670_000, 0.6  # from this seed on, pieces are of the cloth's tone, which is checked on so many
STREWN, STREWN_COUNT = 680_000, 14  # from this seed on, small things of no game are laid, too
WALLS, DARK = 4, 0.02  # that light passes on its way to the cloth and back; light that is as good as none
SAMPLE_MM, SAMPLE_PX_PER_MM, DARKER = (300.0, 300.0), 0.5, 0.2  # of the cloth: what is looked at
STACKING, SAME_SIZE = 0.3, 0.1
LAID = 8  # pieces, at most, one after another
TAKEN, SHOVED = 0.12, 0.12  # of the steps: a piece is taken off as well, or shoved
SHOVED_MM = 9.0
TURNED = 0.4  # of the steps: the robot's card is turned as well, where pieces are of the cloth's tone
LOOK_S = 1.0  # between two looks
OUTLINED, CHANGED = 128, 5.0  # levels: inside of the outline, and by how much it has changed on the mean
AVERAGED = 4  # pixels of a patch
UNCHANGED_KEPT = 0.15


def watched_lesson(seed: int, folder: Path) -> PatchLesson | None:
    """The lesson of a table; None when its markers are not found. Nothing else is kept in the `folder`."""
    rng = np.random.default_rng([seed, 83])
    table = _table(seed, rng)
    eye = Eye(EyeSettings(live=True), table.scene.camera.lens, table.scene.markers.places, None)
    judge = Recording(PyramidSettings())
    finder = TableFinder([PyramidFinder(judge.settings, judge)], FinderSettings(starts_bare=bool(rng.random() < 0.7)))
    kept: list[PatchLesson] = []
    for number, (shown, frame) in enumerate(_filmed(table, rng)):
        judge.forget()
        try:
            look = eye.look(frame)
            finder.find(eye.table_picture(look, number * LOOK_S))
        except ObstructedView:
            return None
        windows = judge.windows
        if windows is not None and windows.since is not None:
            truth = [p for p in shown.truth()["pieces"] if p["kind"] == "pyramid"]
            if (lesson := lesson_of(judge, windows, truth, rng)) is not None:
                kept.append(_changed(lesson, rng))
    return joined_lessons(kept) if kept else None


def _table(seed: int, rng: np.random.Generator) -> PyramidTable:
    count = int(rng.integers(2, 7)) if rng.random() < FEW else len(PYRAMID_COLOURS)
    colours = tuple(str(colour) for colour in rng.choice(PYRAMID_COLOURS, count, replace=False))
    if seed >= FAINT and rng.random() < 0.5:
        colours = FAINT_COLOURS
    share = TONED_CHECKED if TONED <= seed < STREWN else CHECKED
    game, checked = str(rng.choice(["pieces", "kaxxt", "chaos"])), bool(rng.random() < share)
    stacking = STACKING if rng.random() < 0.5 else 0.0
    pieces, strewn = int(rng.integers(4, 30)), STREWN_COUNT if seed >= STREWN else 0

    def laid(colours: tuple[str, ...]) -> PyramidTable:
        return pyramid_table(
            seed,
            game,
            colours=colours,
            checked=checked,
            stacking=stacking,
            same_size=SAME_SIZE,
            count=pieces,
            strewn=strewn,
        )

    toned = TONED <= seed < STREWN
    return laid(_toned(laid(PYRAMID_COLOURS).scene, colours[:2]) if toned else colours)


def _toned(scene: Scene, others: tuple[str, ...]) -> tuple[str, ...]:
    """The colours of two pieces, not clear, that are hardest to see on the darker parts of the cloth; and others."""
    sample = surface_albedo(scene.surface, *SAMPLE_MM, SAMPLE_PX_PER_MM).reshape(-1, 3)
    light = sample.mean(axis=1)
    cloth = sample[light <= np.quantile(light, DARKER)].mean(axis=0)
    pieces = [(t.piece.colour, t.finish.materials["body"]) for t in scene.things if t.piece is not None]
    bodies = {colour: body for colour, body in pieces if colour in PYRAMID_COLOURS and colour != "clear"}

    def apart(colour: str) -> float:
        body = bodies[colour]
        seen = body.colour + cloth * np.power(body.through or 0.0, WALLS)
        return float(np.abs(np.log(seen + DARK) - np.log(cloth + DARK)).max())

    first, *more = sorted(bodies, key=apart)[:2]
    return (first, first, *more, *others)


def _filmed(table: PyramidTable, rng: np.random.Generator) -> Iterator[tuple[PyramidTable, Frame]]:
    """The table bare or half laid, and with a piece more, and one more: what it holds, and its picture."""
    renderer, lens, developer = Renderer(), table.scene.camera.lens, None
    scenes = _scenes(table, rng)
    if TONED <= table.seed < STREWN and table.card is not None:
        scenes = _with_card_turned(scenes, rng)
    for number, scene in enumerate(scenes):
        light, box = renderer.draw(scene)
        if developer is None:
            sensor = exposed(table.sensor, light, *random_exposure(rng))
            developer = Developer(sensor, lens.width, lens.height, table.seed)
        developer.update(light, box)
        pixels = developer.picture(number)
        yield replace(table, scene=scene), Frame(pixels, small_grey(pixels), number * LOOK_S, number)


def _scenes(table: PyramidTable, rng: np.random.Generator) -> Iterator[Scene]:
    """Pieces and what is strewn are laid in any order in which what carries another comes first."""
    scene, strewn = table.scene, {thing.name for thing in table.strewn}
    pyramids = [t for t in scene.things if t.name in strewn or (t.piece is not None and t.piece.kind == "pyramid")]
    others = tuple(t for t in scene.things if t not in pyramids)
    order = _order(pyramids, rng)
    first = int(rng.integers(0, max(1, len(order)))) if rng.random() < 0.85 else 0
    if rng.random() < 0.7:
        yield replace(scene, things=others)
    on_table = order[:first]
    yield replace(scene, things=(*others, *on_table))
    for thing in order[first : first + LAID]:
        carrying = {t.nested_on for t in (*order, thing)}
        single = [i for i, t in enumerate(on_table) if t.nested_on is None and t.name not in carrying]
        if single and rng.random() < TAKEN:
            del on_table[single[int(rng.integers(len(single)))]]
        elif single and rng.random() < SHOVED:
            i = single[int(rng.integers(len(single)))]
            on_table[i] = _shoved(on_table[i], rng)
        on_table.append(thing)
        yield replace(scene, things=(*others, *on_table))


def _with_card_turned(scenes: Iterator[Scene], rng: np.random.Generator) -> Iterator[Scene]:
    """The same, with the robot's card, the last of what is printed, turned now and then, and shoved a little."""
    turn, shove = 0.0, np.zeros(2)
    for scene in scenes:
        if rng.random() < TURNED:
            turn, shove = float(rng.uniform(20, 340)), rng.normal(0, SHOVED_MM / 3, 2)
        *others, card = scene.prints
        x, y = np.array([card.x_mm, card.y_mm]) + shove
        card = replace(card, x_mm=float(x), y_mm=float(y), turn_deg=card.turn_deg + turn)
        yield replace(scene, prints=(*others, card))


def _order(pyramids: list[Thing], rng: np.random.Generator) -> list[Thing]:
    """A random order, what is stacked after what carries it."""
    left, order = [pyramids[i] for i in rng.permutation(len(pyramids))], list[Thing]()
    while left:
        laid = {t.name for t in order}
        order.append(left.pop(next(i for i, t in enumerate(left) if t.nested_on is None or t.nested_on in laid)))
    return order


def _shoved(thing: Thing, rng: np.random.Generator) -> Thing:
    dx, dy = (float(v) for v in rng.normal(0, SHOVED_MM / 2, 2))
    return replace(thing, x_mm=thing.x_mm + dx, y_mm=thing.y_mm + dy, heading_deg=thing.heading_deg + rng.normal(0, 6))


def _changed(lesson: PatchLesson, rng: np.random.Generator) -> PatchLesson:
    """All rows of what has changed, and some of the others."""
    off = _averaged(lesson.patches[:, CHANNELS:].astype(np.float32) - MIDDLE)
    inside = _averaged((lesson.patches[:, 3:4] > OUTLINED).astype(np.float32))[:, 0]
    mean = (np.abs(off).max(axis=1) * inside).sum(axis=(1, 2)) / np.maximum(inside.sum(axis=(1, 2)), 1)
    kept = np.flatnonzero((mean > CHANGED) | (rng.random(len(mean)) < UNCHANGED_KEPT))
    return PatchLesson(*(getattr(lesson, name)[kept] for name in PatchLesson.__slots__))


def _averaged(pictures: Singles) -> Singles:
    """(n, c, h, w) of every few pixels: noise is no change."""
    n, c, high, wide = pictures.shape
    parts = pictures.reshape(n, c, high // AVERAGED, AVERAGED, wide // AVERAGED, AVERAGED)
    return np.asarray(parts.mean(axis=(3, 5)), np.float32)


WATCHED_LESSONS = LessonFolder("-watched.npz", PatchLesson, watched_lesson)

if __name__ == "__main__":
    WATCHED_LESSONS.main(__doc__)
