"""The eye: from a frame to what lies on the table. `Eye.read` reads like its diagram."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import PictureUnusable
from calibration.lens import Lens
from calibration.light import FlickerMeter, unusable
from calibration.table import TableMarkers
from companion.pieces import Piece
from companion.view import BoardPose, BoardShape, Sighting, TableView
from companion.vision.arms import ArmWatch, Played
from companion.vision.boards.cell_watch import CellWatch
from companion.vision.boards.cells import CellCutter, cell_centres, outline_mm, to_table
from companion.vision.boards.watch import BoardWatch
from companion.vision.errors import OBSTACLES, ObstructedView, UnusableWeights
from companion.vision.ground.foreground import draw_table
from companion.vision.hands import HandFinder
from companion.vision.picture import Picture, as_picture, colourless, small_grey
from companion.vision.reader import (
    CellPatches,
    CellReader,
    CellReading,
    PieceFinder,
    SeesAnywhere,
    SeesGrey,
    TablePicture,
    TellsBare,
)
from companion.vision.resting import Resting
from companion.vision.settings import EyeSettings
from companion.vision.stages import Stages
from companion.vision.stillness import Motion, MotionGate
from companion.vision.table_watch import BLURRED, CornerWatch, MarkerWatch, Place
from hardware.frames import Frame

log = logging.getLogger(__name__)

Floats = NDArray[np.float64]
NO_TABLE = "no table markers are seen: places are told in pixels of the picture only"
FLICKERS = "the light flickers: set the mains frequency, or a longer exposure"
LEAST_OF_BOARD = 0.5  # of the cells, that the picture has to show
MOVED = "the camera was moved; its place was measured anew"


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the last reading was made of, for drawing and for measuring."""

    picture: Picture
    place: Place
    cutter: CellCutter | None = None  # None on a free table
    patches: CellPatches | None = None
    flat: NDArray[np.uint8] | None = None  # the whole board seen straight from above


class Eye:
    """Reads tables. One instance for one camera, one board and one set of pieces; never raises on a picture.

    Without a reader it still finds the table and the board. With `corners` (four outer corners of the playing
    field in pixels) no markers are needed, and there are no table millimetres. `board` is the board's pose where
    it is known; else the board is searched.
    """

    def __init__(
        self,
        settings: EyeSettings,
        lens: Lens | None,
        markers: TableMarkers,
        shape: BoardShape | None,
        reader: CellReader | PieceFinder | None = None,
        board: BoardPose | None = None,
        corners: Floats | None = None,
    ) -> None:
        self.settings, self.shape, self.reader = settings, shape, reader
        self.lens_measured = lens is not None
        self.last: Look | None = None
        self.place: Place | None = None  # where the camera is, as the last picture says that showed the markers
        self.flicker = FlickerMeter(settings.light)
        self._by_corners = corners is not None
        self._table: MarkerWatch | CornerWatch = MarkerWatch(settings, lens, markers)
        if corners is not None and shape is not None:
            self._table, board = CornerWatch(settings, lens, corners, shape), BoardPose(0.0, 0.0, 0.0)
        cells = reader if shape is not None and _reads_cells(reader) else None
        self._board = BoardWatch(settings, markers, shape, board, rough=self._by_corners) if shape is not None else None
        self._cells = CellWatch(settings, cells) if cells else None
        self._motion, self._hands = MotionGate(settings.stillness), HandFinder(settings.hands)
        self._resting = Resting(settings.resting)
        self._arms = ArmWatch(settings.arms)  # over photographs
        self._was_sharp = False  # in an earlier photograph of this table
        self._checksums: tuple[int, int] = (0, 0)  # the last one, and how often it came in a row
        self._damaged = ""  # the file of weights that the log was told of last, and why it is of no use

    def read(self, frame: Frame) -> TableView:
        """What lies on the table. A view with obstacles says why nothing can be told."""
        stages, picture, place = Stages(), None, None
        try:
            with stages.stage("picture"):
                picture = self._picture(frame)
            with stages.stage("motion"):
                picture = self._at_rest(frame, picture)
            with stages.stage("markers"):
                self.place = place = self._place(picture)
            if place is None:
                with stages.stage("pieces"):
                    found = self._found(picture, TablePicture(picture.pixels, np.ones(3), None))
                self.last = None
                return TableView(frame.taken_s, found, (), (NO_TABLE,), stages=stages.seconds, image=frame.name)
            with stages.stage("hands"):
                self._free_of_hands(picture, place, frame.taken_s)
            self._as_sharp_as_others(place)
            with stages.stage("board"):
                look = self._laid_out(picture, place)
            with stages.stage("way round"):
                look = self._right_way_round(look)
            with stages.stage("pieces"):
                sightings = self._sightings(look, frame.taken_s)
        except ObstructedView as obstacle:
            return self._blocked(frame, self._or_a_hand(obstacle, picture, frame.taken_s), place, stages)
        except cv2.error as error:
            return self._blocked(frame, ObstructedView("picture", f"the picture: {error.err}"), place, stages)
        except UnusableWeights as error:  # the disk's fault, not the program's: no traceback says more of it
            if str(error) != self._damaged:  # a damaged file must not fill the log with every picture
                self._damaged = str(error)
                log.error("%s", error)
            return self._blocked(frame, ObstructedView("weights", str(error)), place, stages)
        except Exception as error:  # whatever a picture brings to light: the page, the record and the next one go on
            log.exception("%s was not read", frame.name or "a picture")
            text = f"{OBSTACLES['fault']} ({type(error).__name__}): please report it with the picture and the log"
            return self._blocked(frame, ObstructedView("fault", text), place, stages)
        if self.settings.live:
            self._hands.clear(picture.pixels)
        return self._view(frame, look, sightings, stages)

    def teach(self, frame: Frame, cells: Mapping[str, Piece]) -> None:
        """Learn the looks of the set from a frame in which the table is at rest. ObstructedView.

        `cells` says what stands where, all others are empty.
        """
        if not _reads_cells(self.reader):
            raise ObstructedView("board", "there is nothing that could learn the cells of a board")
        look = self.look(frame)
        self.reader.learn(self._in_view(look), cells)
        if self._cells is not None:
            self._cells.forget()
        self.rests(frame)

    def teach_free(self, frame: Frame, sightings: Sequence[Sighting]) -> None:
        """Learn the looks of pieces on a free table, which is at rest in this frame. ObstructedView."""
        if not _finds_pieces(self.reader):
            raise ObstructedView("picture", "there is nothing that could learn free pieces")
        look = self.look(frame)
        self.reader.learn(self.table_picture(look), sightings)
        self.rests(frame)

    def rests(self, frame: Frame) -> None:
        """The table is known to be at rest in this frame: it may be read at once."""
        self._motion.rests(frame.small, frame.taken_s)
        self._resting.forget()

    def look(self, frame: Frame) -> Look:
        """Where everything is in one still picture, without reading the pieces. ObstructedView."""
        try:
            picture = self._picture(frame)
            return self._right_way_round(self._laid_out(picture, self._table.see(picture)))
        except cv2.error as error:
            raise ObstructedView("picture", f"the picture: {error.err}") from error

    def board_pose(self) -> BoardPose | None:
        """Where the board lies on the table; None before it was found, and without markers."""
        return self._board.fix.pose if self._board and self._board.fix and not self._by_corners else None

    def board_shape(self) -> BoardShape | None:
        """The board with its cells as large as they were measured; None before it was found."""
        return self._board.shape_seen if self._board and self._board.fix else None

    # --- the stages -------------------------------------------------------------------------------------------

    def _picture(self, frame: Frame) -> Picture:
        if self.settings.live and frame.checksum:
            last, times = self._checksums
            self._checksums = (frame.checksum, times + 1 if frame.checksum == last else 1)
            if self._checksums[1] >= self.settings.frozen_frames:
                raise ObstructedView("frozen", f"{OBSTACLES['frozen']}: it is started anew, check its cable")
        try:
            picture = as_picture(frame.pixels, self.settings.widest_px)
        except PictureUnusable as error:
            raise ObstructedView("picture", str(error)) from error
        why = unusable(small_grey(picture.pixels), self.settings.light)
        if why is not None:
            raise ObstructedView(why, f"{OBSTACLES[why]}: check the lamp, the lens cap and the exposure")
        if colourless(picture.pixels) and self.reader is not None and not isinstance(self.reader, SeesGrey):
            raise ObstructedView("grey", f"{OBSTACLES['grey']}, and pieces are told by theirs: take it in colour")
        return picture

    def _place(self, picture: Picture) -> Place | None:
        """Where the camera is; None without markers, when the reader does not need to know."""
        try:
            return self._table.see(picture)
        except ObstructedView as obstacle:
            if obstacle.obstacle == "markers" and isinstance(self.reader, SeesAnywhere) and self.reader.anywhere:
                return None
            raise

    def _at_rest(self, frame: Frame, picture: Picture) -> Picture:
        """The picture as those before it show the table, too, while it rests."""
        if not self.settings.live:
            return picture
        motion = self._motion.see(frame.small, frame.taken_s)
        if motion is Motion.MOVING:
            raise ObstructedView("moving", OBSTACLES["moving"])
        picture = replace(picture, pixels=self._resting.add(picture.pixels, self._motion.since_s))
        if motion is Motion.SETTLING:
            raise ObstructedView("settling", OBSTACLES["settling"])
        self.flicker.add(frame.small)
        return picture

    def _free_of_hands(self, picture: Picture, place: Place, taken_s: float) -> None:
        if not self.settings.live:
            if self.settings.one_table and self._arm_came(picture, place):
                raise ObstructedView("hand", OBSTACLES["hand"])
            return
        if place.moved:  # told once; the next picture is read from the new place
            self._hands.forget()
            self._resting.forget()
            raise ObstructedView("moved", MOVED)
        if self._hands.hand(picture.pixels, taken_s):
            raise ObstructedView("hand", OBSTACLES["hand"])

    def _as_sharp_as_others(self, place: Place) -> None:
        """Of one photograph among sharp ones that is blurred no free piece is believed: the next one shows it too."""
        if not self.settings.one_table or self.settings.live or not _finds_pieces(self.reader):
            return
        if self._was_sharp and not place.sharp:
            raise ObstructedView("blurred", BLURRED)
        self._was_sharp |= place.sharp

    def _arm_came(self, picture: Picture, place: Place) -> bool:
        """True if an arm is in this photograph, over the board or, on a free table, between the markers."""
        arms = self.settings.arms
        if self._board is not None and self._board.fix is not None:
            cells = outline_mm(self._board.shape_seen, self._board.fix.pose)
            played = Played(cells, arms.over_board_mm2, arms.beside_board_mm2)
        elif place.papers_px:
            x, y = place.pose.to_table(np.concatenate(place.papers_px)).T
            around = [(x.min(), y.min()), (x.max(), y.min()), (x.max(), y.max()), (x.min(), y.max())]
            played = Played(np.array(around), arms.over_table_mm2)
        else:
            return False
        seen = TablePicture(picture.pixels, np.ones(3), place.pose)
        return self._arms.hand(draw_table(seen, arms.ground), played)

    def _or_a_hand(self, obstacle: ObstructedView, picture: Picture | None, taken_s: float) -> ObstructedView:
        """An arm that covers markers or board is what is in the way, not what it covers."""
        if not self.settings.live or picture is None or obstacle.obstacle not in ("markers", "board"):
            return obstacle
        hand = self._hands.hand(picture.pixels, taken_s)
        return ObstructedView("hand", OBSTACLES["hand"]) if hand else obstacle

    def _laid_out(self, picture: Picture, place: Place) -> Look:
        if self._board is None:
            return Look(picture, place)
        cutter, flat = self._board.see(picture, place)
        if (cutter.shown >= self.settings.cell_shown).mean() < LEAST_OF_BOARD:
            raise ObstructedView("board", "the board lies beyond the picture: check where it was said to lie")
        white, colours = place.white, self.settings.colours
        patches = cutter.patches(flat, white.gains(colours) if white else None)
        patches = replace(patches, white_known=white is not None and white.enough(colours))
        return Look(picture, place, cutter, patches, flat)

    def _right_way_round(self, look: Look) -> Look:
        """Once for every board that was found: the reader may know by its prints that it lies the other way round."""
        if self._board is None or look.patches is None or not self._board.undecided:
            return look
        turned = _reads_cells(self.reader) and self.reader.turned(self._in_view(look)) > self.settings.turned_log_odds
        self._board.decide(turned)
        return self._laid_out(look.picture, look.place) if turned else look

    def _in_view(self, look: Look) -> CellPatches:
        """The cells that the picture shows."""
        assert look.cutter is not None
        assert look.patches is not None
        return look.patches.only(np.flatnonzero(look.cutter.shown >= self.settings.cell_shown).tolist())

    def _sightings(self, look: Look, taken_s: float) -> tuple[Sighting, ...]:
        if look.cutter is None or look.patches is None:
            return self._found(look.picture, self.table_picture(look, taken_s))
        if self._cells is None or look.flat is None:
            return ()
        readings = self._cells.read(look.cutter, look.flat, look.patches, taken_s)
        return tuple(self._cell_sightings(look, readings))

    def _found(self, picture: Picture, seen: TablePicture) -> tuple[Sighting, ...]:
        """Free pieces, with their places in the pixels of the picture as it was taken."""
        found = self.reader.find(seen) if _finds_pieces(self.reader) else ()
        return tuple(_scaled_back(sighting, picture) for sighting in found)

    def _cell_sightings(self, look: Look, readings: Sequence[CellReading]) -> list[Sighting]:
        assert look.cutter is not None
        assert look.patches is not None
        pixels = look.picture.to_original(look.cutter.centres_px())
        places = to_table(cell_centres(look.cutter.shape), look.cutter.board)
        known = not self._by_corners
        return [
            Sighting(
                beliefs=reading.beliefs,
                x_mm=float(mm[0]) if known else None,
                y_mm=float(mm[1]) if known else None,
                cell=cell,
                x_px=float(px[0]),
                y_px=float(px[1]),
                skew_deg=reading.skew_deg,
                why=reading.why,
            )
            for cell, reading, px, mm in zip(look.patches.cells, readings, pixels, places, strict=True)
        ]

    def table_picture(self, look: Look, taken_s: float | None = None) -> TablePicture:
        """What a finder of free pieces is given; `taken_s` of the camera of a table that is watched."""
        gains = look.place.white.gains(self.settings.colours) if look.place.white else np.ones(3)
        live, one_table = self.settings.live, self.settings.live or self.settings.one_table
        picture, place = look.picture.pixels, look.place
        return TablePicture(picture, gains, place.pose, place.papers_px, taken_s if live else None, one_table)

    # --- the answer -------------------------------------------------------------------------------------------

    def _view(self, frame: Frame, look: Look, sightings: tuple[Sighting, ...], stages: Stages) -> TableView:
        self.last = look
        warnings = [*look.place.lens_notes, *self.advice(), *self._glare_warnings(look)]
        if look.place.moved:
            warnings.append(MOVED)
        view = TableView(
            taken_s=frame.taken_s,
            sightings=sightings,
            markers_found=look.place.markers_found,
            shape=self.shape,
            board=self.board_pose(),
            stages=stages.seconds,
            image=frame.name,
            covered=self.reader.covered if isinstance(self.reader, TellsBare) else None,
            shown=self.reader.shown if isinstance(self.reader, TellsBare) else None,
        )
        if hidden := view.hidden_cells():
            warnings.append(f"something lies over {', '.join(hidden)}: take it off the board")
        return replace(view, warnings=tuple(warnings))

    def _blocked(self, frame: Frame, obstacle: ObstructedView, place: Place | None, stages: Stages) -> TableView:
        return TableView(
            taken_s=frame.taken_s,
            obstacles=(obstacle.obstacle,),
            warnings=(str(obstacle), *((*place.lens_notes, *place.warnings) if place else ())),
            markers_found=place.markers_found if place else obstacle.markers_found,
            shape=self.shape,
            board=self.board_pose() if place else None,
            stages=stages.seconds,
            image=frame.name,
        )

    def advice(self) -> tuple[str, ...]:
        """What a person can mend, as the last picture that could be read says: markers, light, the board's size."""
        place = () if self.last is None else self.last.place.warnings
        return (*place, *self._board_warnings(), *((FLICKERS,) if self.flicker.flickers else ()))

    def _board_warnings(self) -> tuple[str, ...]:
        if self._board is None or self._board.fix is None or self.shape is None:
            return ()
        return self._board.fix.warnings(self.shape, self.settings.board)

    def _glare_warnings(self, look: Look) -> list[str]:
        if look.patches is None:
            return []
        glaring = np.flatnonzero(look.patches.blown > self.settings.glare_share)
        return [f"glare at {look.patches.cells[i]}" for i in glaring]


def _reads_cells(reader: CellReader | PieceFinder | None) -> TypeGuard[CellReader]:
    return reader is not None and hasattr(reader, "read")


def _finds_pieces(reader: CellReader | PieceFinder | None) -> TypeGuard[PieceFinder]:
    return reader is not None and hasattr(reader, "find")


def _scaled_back(sighting: Sighting, picture: Picture) -> Sighting:
    if sighting.x_px is None or sighting.y_px is None:
        return sighting
    x, y = picture.to_original(np.array([[sighting.x_px, sighting.y_px]]))[0]
    return replace(sighting, x_px=float(x), y_px=float(y))
