"""The set-up is a free labelled picture: learn the looks of the set from it, but only when it surely is the set-up."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import CompanionError
from companion.games.base import Layout
from companion.pieces import EMPTY, KHET_FACINGS, Piece
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import Pair
from companion.referee.evidence.laid import Laid
from companion.referee.evidence.layout import cells_of
from companion.referee.evidence.weighing import posterior
from companion.referee.settings import Settings
from companion.referee.views.told import corrected_view
from companion.view import Sighting, TableView
from companion.vision.errors import ObstructedView
from companion.vision.pipeline import Eye
from companion.vision.reader import TellsDoubles
from companion.vision.taught_looks import files_of
from hardware.frames import Frame

log = logging.getLogger(__name__)


MOST_NAMED = 6  # cells, or places, in one sentence
FEW = 2.5  # so many sure contradictions are rather faults of the set-up than of the eye
ODD_SHARE = 0.25  # of a board's labelled pieces: so many cells that surely differ, and the labels are another picture's
BARE_SHARE = 0.5  # ... and of free pieces that are labelled so many where nothing is seen
OTHER_SHARE = 0.2  # ... and of free pieces so many that have another shape than is labelled
NEAR_MM = 20.0  # what is seen so near a labelled place is what was labelled
EVERYWHERE = "robot_card"
Place = tuple[float, float]  # millimetres on the table


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much a view resembles a layout: shares of the cells, 0 to 1."""

    occupied: float  # cells on which something, or nothing, rightly stands
    contradicted: float  # cells whose piece is surely another one than the layout's
    misplaced: int = 0  # cells that surely are empty and should not be, or the other way round


def likeness(layout: Layout, view: TableView, settings: Settings) -> Likeness:
    """Compare what an eye that does not know the set believes with a layout."""
    cells, sightings = cells_of(layout), view.by_cell()
    if not sightings:
        return Likeness(0.0, 0.0)
    right = sum((s.belief(EMPTY) < 0.5) == (cell in cells) for cell, s in sightings.items())
    wrong = sum(_contradicts(s.beliefs, cells.get(cell, EMPTY), settings) for cell, s in sightings.items())
    return Likeness(right / len(sightings), wrong / len(sightings), len(misplaced(layout, view, settings)))


def misplaced(layout: Layout, view: TableView, settings: Settings) -> list[str]:
    """The cells that surely are empty and should not be, or the other way round."""
    return _misplaced(cells_of(layout), view, settings)


def _misplaced(cells: Mapping[str, Piece], view: TableView, settings: Settings) -> list[str]:
    return sorted(
        cell
        for cell, s in view.by_cell().items()
        if s.beliefs and s.why is None
        if max(s.belief(EMPTY), 1.0 - s.belief(EMPTY)) >= settings.sure_seen
        and (s.belief(EMPTY) < 0.5) != (cell in cells)
    )


def seen_at_rest(eye: Eye, frame: Frame) -> TableView:
    """What an eye makes out in a frame in which the table is at rest. ObstructedView, where that is nothing."""
    eye.rests(frame)
    view = eye.read(frame)
    if not view.clear:
        raise ObstructedView(view.obstacles[0], view.warnings[0])
    return view


def learned(eye: Eye, frame: Frame, layout: Layout, settings: Settings) -> None:
    """Teach the eye that the board shows this layout, as a person says; not where the picture plainly differs.

    ObstructedView, ValueError; CompanionError names what differs. The eye is spoiled then.
    """
    untaught = seen_at_rest(eye, frame)
    if hidden := untaught.hidden_cells():
        raise CompanionError(f"something lies over {_first(hidden)}: take it off the board first")
    odd = misplaced(layout, untaught, settings)
    if odd:  # were it learned, what lies wrong would be right from then on
        raise CompanionError(f"the table does not show what is drawn: look at {_first(odd)}")
    eye.teach(frame, cells_of(layout))
    seen = eye.read(frame)
    if not shows(layout, seen, settings):
        raise CompanionError(
            f"the table does not show what is drawn: {_others(cells_of(layout), untaught, seen, settings)}"
        )


def _others(cells: Mapping[str, Piece], untaught: TableView, taught: TableView, settings: Settings) -> str:
    """Which cells show another piece than is drawn there: surely to an eye that knows no set, and to one that does."""
    tops = {cell: s.likeliest for cell, s in taught.by_cell().items() if s.beliefs}
    others = {cell for cell, top in tops.items() if not cells.get(cell, EMPTY).fits(top)}
    before = untaught.by_cell().items()
    surely = {cell for cell, s in before if _contradicts(s.beliefs, cells.get(cell, EMPTY), settings)}
    if not others:
        return "some pieces are others, or turned otherwise"
    return f"another piece, or one that is turned otherwise, is seen on {_first(sorted(surely & others or others))}"


def learned_free(eye: Eye, frame: Frame, view: TableView, layout: Layout, settings: Settings) -> int:
    """Teach the eye a layout without a board, as `learned`, where `view` surely shows it: how many pieces that were."""
    if not layout.pieces:
        raise CompanionError("no piece is drawn yet: play a few onto the table first")
    labels = labels_of(layout, view, settings)
    if not labels:
        raise CompanionError("the table does not surely show what is drawn: look for what is marked on the table page")
    eye.teach_free(frame, labels)
    if eye.reader is None or not files_of(eye.reader):
        raise CompanionError(
            "what lies there tells nothing of the set, as tiles that lie face-down do: play some face-up first"
        )
    return len(labels)


def _first(names: Sequence[str], unit: str = "") -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + unit + more


def check_labels(
    cells: Mapping[str, Piece], free: Sequence[Sighting], view: TableView, settings: Settings
) -> tuple[str, ...]:
    """CompanionError when labels plainly are another picture's: too many of them lie where this one shows nothing.

    `view` is what was made out in the picture before. A few mistakes of the eye are what a lesson is for: the sentences
    name them, as they may be mistakes of the labels.
    """
    odd = _misplaced(cells, view, settings)
    if len(odd) > max(FEW, ODD_SHARE * len(cells)):
        raise CompanionError(f"the labels are not of this picture: look at {_first(odd)}")
    seen = _placed(view.sightings)
    placed = _placed(free)
    bare = [at for at in placed if all(math.dist(at, there) > NEAR_MM for there in seen)]
    if len(bare) > max(FEW, BARE_SHARE * len(placed)) or _all_elsewhere(bare, free, view, settings):
        raise CompanionError(f"the labels are not of this picture: nothing is seen at {_named_places(bare)}")
    other = [at for at in placed if _shows_another(at, free, view, settings)]
    if len(other) > max(FEW, OTHER_SHARE * len(placed)):
        raise CompanionError(f"the labels are not of this picture: other pieces are seen at {_named_places(other)}")
    doubts = (
        (odd, f"another piece than is labelled seems to stand on {_first(odd)}"),
        (bare, f"nothing is seen at {_named_places(bare)}, where a piece is labelled"),
        (other, f"other pieces than are labelled seem to lie at {_named_places(other)}"),
    )
    left = " What is not seen teaches nothing"
    return tuple(
        f"{said}: is the label of this picture?{left if where is bare else ''}" for where, said in doubts if where
    )


def seen_of(free: Sequence[Sighting], view: TableView) -> list[Sighting]:
    """The labelled pieces that are seen, with what carries each numbered anew: the others are perhaps covered.

    Of what covers a piece nothing is to be learned.
    """
    seen = _placed(view.sightings)
    kept = [n for n, s in enumerate(free) if (at := _place(s)) and any(math.dist(at, one) <= NEAR_MM for one in seen)]
    new = {old: number for number, old in enumerate(kept)}
    return [replace(free[n], nested_on=None if (below := free[n].nested_on) is None else new.get(below)) for n in kept]


def _all_elsewhere(bare: Sequence[Place], free: Sequence[Sighting], view: TableView, settings: Settings) -> bool:
    """True if all that was played lies where nothing is seen, while a piece is surely seen where none is labelled.

    What every table of a game has in the same place tells nothing.
    """
    played = _placed([s for s in free if s.piece.kind != EVERYWHERE])
    sure = (s for s in view.sightings if s.why is None and s.confidence >= settings.sure_seen)
    seen = _placed([s for s in sure if s.piece.kind != EVERYWHERE])
    unnamed = [at for at in seen if all(math.dist(at, there) > NEAR_MM for there in played)]
    return bool(played) and bool(unnamed) and set(played) <= set(bare)


def _placed(sightings: Sequence[Sighting]) -> list[Place]:
    return [at for at in map(_place, sightings) if at is not None]


def _named_places(places: Sequence[Place]) -> str:
    return _first([f"({round(x)}, {round(y)})" for x, y in places], " mm")


def _place(sighting: Sighting) -> Place | None:
    return None if sighting.x_mm is None or sighting.y_mm is None else (sighting.x_mm, sighting.y_mm)


def _shows_another(at: Place, free: Sequence[Sighting], view: TableView, settings: Settings) -> bool:
    """True if what is surely seen just there has the shape of nothing that is labelled there.

    Its looks are what the lesson is for.
    """
    sure = (s for s in view.sightings if s.why is None and s.confidence >= settings.sure_seen)
    seen = {_shape(s.piece) for s in sure if (place := _place(s)) and math.dist(at, place) <= NEAR_MM}
    labelled = {_shape(s.piece) for s in free if (place := _place(s)) and math.dist(at, place) <= NEAR_MM}
    return bool(seen) and not seen & labelled


def _shape(piece: Piece) -> tuple[str | None, ...]:
    """What is told of a piece without knowing its set: kind, size, how it lies, which side is up."""
    return piece.kind, piece.size, piece.pose if piece.kind == "pyramid" else None, piece.face


def doubles(reader: object) -> list[str]:
    """Sentences about classes of the taught set that are too much alike, and what helps."""
    pairs = reader.too_close if isinstance(reader, TellsDoubles) else ()
    return [
        f"{one} and {other} of this set look almost alike to the camera: expect questions about them, "
        "or try more light, a whiter lamp or a plain cloth of another colour"
        for one, other in pairs
    ]


def _contradicts(beliefs: tuple[tuple[Piece, float], ...], expected: Piece, settings: Settings) -> bool:
    top, sure = max(beliefs, key=lambda pair: pair[1], default=(EMPTY, 0.0))
    return sure >= settings.sure_seen and not expected.fits(top) and not _half_turned(expected, top)


def _half_turned(expected: Piece, seen: Piece) -> bool:
    """The same piece the other way round: from above that is easily seen by mistake, and no evidence of a fault."""
    facings = KHET_FACINGS.get(expected.kind, ())
    if (expected.kind, expected.colour) != (seen.kind, seen.colour) or len(facings) != 4:
        return False
    if expected.facing is None or seen.facing is None:
        return False
    return (facings.index(expected.facing) - facings.index(seen.facing)) % 4 == 2


class SetTeacher:
    """Replaces an eye by one that knows the set, once the table shows the set-up.

    `fresh` makes an eye that was not taught; `contradictions` is the share of cells in which the untaught eye may
    be of another opinion (0 where a person can still turn a piece, more for photographs of a game).
    """

    def __init__(self, fresh: Callable[[], Eye], settings: Settings, contradictions: float = 0.0) -> None:
        self._fresh, self._settings, self._contradictions = fresh, settings, contradictions

    def taught(self, frame: Frame, view: TableView, layout: Layout) -> tuple[Eye | None, TableView] | None:
        """An eye that has learned from this frame, and what it sees in it; None when it is not surely the set-up.

        The eye is None when the set looks so usual that nothing had to be learned: it would only see worse.
        """
        if not layout.celled:
            return self._taught_free(frame, view, layout)
        like = likeness(layout, view, self._settings)
        if like.misplaced or like.occupied < self._settings.starts_alike or self._contradicts(like, view):
            return None
        if view.hidden_cells():
            return None
        eye = self._fresh()
        try:
            eye.teach(frame, cells_of(layout))
        except (ObstructedView, ValueError) as error:
            log.info("the set-up teaches nothing: %s", error)
            return None
        seen = eye.read(frame)
        candidates = [(eye, seen), (None, view)]
        fitting = [(e, v) for e, v in candidates if v.clear and shows(layout, v, self._settings)]
        return max(fitting, key=lambda pair: score(layout, pair[1], self._settings)) if fitting else None

    def _taught_free(self, frame: Frame, view: TableView, layout: Layout) -> tuple[Eye | None, TableView] | None:
        """The same for pieces that lie free, such as a card, of which a lesson says which way up it is."""
        labels = labelled(layout, view, self._settings)
        if not labels:
            return None
        eye = self._fresh()
        try:
            eye.teach_free(frame, labels)
        except (ObstructedView, ValueError) as error:
            log.info("the set-up teaches nothing: %s", error)
            return None
        seen = eye.read(frame)
        return (eye, seen) if seen.clear and labelled(layout, seen, self._settings) else None

    def _contradicts(self, like: Likeness, view: TableView) -> bool:
        """One or two sure contradictions are pieces put up wrong; a set of strange looks is misread in many places."""
        count = like.contradicted * len(view.sightings)
        return 0 < count <= FEW or like.contradicted > self._contradictions


def labelled(layout: Layout, view: TableView, settings: Settings) -> list[Sighting]:
    """What the view shows of a free layout, each named for what it is; nothing when it does not surely show it."""
    seen = FreeEvidence(view, settings)
    if posterior([seen.score(layout), seen.best_score(layout)])[0] < settings.certainty:
        return []
    return [_named(pair) for pair in seen.matching(layout).pairs]


def labels_of(layout: Layout, view: TableView, settings: Settings) -> list[Sighting]:
    """What the view shows of a layout without a board, each named for what it is; nothing unless it surely shows it."""
    if layout.plan is None:
        return labelled(layout, view, settings)
    return on_plan(layout, Laid().read(view, layout, settled=True), settings, {})


def on_plan(layout: Layout, seen: TableView, settings: Settings, said: Mapping[str, Piece]) -> list[Sighting]:
    """What lies on the spots of a plan, each named for what it is; nothing unless what is `seen` there, with what the
    host said of some cells, surely shows it. Nobody needs to know what lies beside the plan.
    """
    assert layout.plan is not None
    if not shows(layout, corrected_view(seen, said), settings):
        return []
    spots, places = {spot.cell for spot in layout.plan.spots}, seen.by_cell()
    there = ((piece, places[cell]) for cell, piece in cells_of(layout).items() if cell in spots)
    return [replace(lying, beliefs=((piece, 1.0),), cell=None, why=None) for piece, lying in there]


def _named(pair: Pair) -> Sighting:
    """The sighting as that piece; as it should be turned, where the eye could not tell how it is."""
    seen, lying = pair.sighting, pair.lying
    heading = lying.heading_deg if seen.heading_deg is None else seen.heading_deg
    return replace(seen, beliefs=((lying.piece, 1.0),), heading_deg=heading, why=None)


def score(layout: Layout, view: TableView, settings: Settings) -> float:
    """Log-likelihood of the view if the table shows this layout."""
    return CellEvidence(view, settings).score(layout)


def shows(layout: Layout, view: TableView, settings: Settings) -> bool:
    """True if the view surely shows this layout and nothing else."""
    seen = CellEvidence(view, settings)
    return posterior([seen.score(layout), seen.best_score(layout)])[0] >= settings.certainty
