"""Camera to referee, picture after picture, in one thread; whatever the camera does, the loop goes round."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.guide import Guide
from companion.pace import Pace, slow_words
from companion.referee.happenings import Sight
from companion.referee.readmodel import Desk
from companion.referee.views.sight import NO_CAMERA
from companion.referee.words import sentence
from companion.service.advice import LastingAdvice
from companion.service.light_keeper import LightKeeper
from companion.sets.corrections import Corrections
from companion.sets.lessons import FORGET, LEARN, Lessons
from companion.sets.teaching import SetTeacher
from companion.view import TableView
from companion.vision.above import from_above
from companion.vision.pipeline import Eye, Look
from hardware.errors import CameraEnded, CameraError, CameraFrozen, CameraTimeout
from hardware.frames import Frame, FrameSource

log = logging.getLogger(__name__)

STUCK_S = 60.0  # a camera that cannot even be killed for so long: the watchdog is left to starve, for a new start
READ_S = 0.5  # the longest wait for a picture: everything else gets its turn at least so often
PICTURE_WIDTH = 960  # of the picture that the host sees
JPEG_QUALITY = 80
UNMEASURED = (
    "The lens is not measured: on this table places may be off by some millimetres, and with them a ruling. "
    "Measure it: Host, Camera and table, Start the guided steps."
)
OTHER_SHAPE = (
    "The corners of the board were dragged in pictures of another shape than the camera gives now, and are left aside: "
    "drag them again on Host, Camera and table."
)
MANY_AMISS = 5  # cells of one refusal
MAY_HAVE_MOVED = (
    "Very much lies otherwise than it should. If the camera or the board was moved since its corners were dragged, "
    "drag them again on Host, Camera and table."
)
NO_GAME = Sight("seeing", "The camera works; no game is on")
GUIDED = Sight("starting", "Camera and table are being set up on the page: the referee waits")


class Eyes(Protocol):
    """Makes eyes: one for each game, and one anew when the set is to be learned."""

    def open(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye for this game, with what was taught before; CompanionError when it has none."""

    def fresh(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye for this game that was taught nothing."""

    def keep(self, game: str, eye: Eye, by_hand: bool) -> None:
        """Store what this eye has learned; a lesson by hand goes before a folder that was named, and stays."""

    def learns(self, game: str) -> bool:
        """True unless this game's looks were taught on purpose: then set-ups teach nothing."""

    def forget(self, game: str) -> None:
        """Remove what was stored; CompanionError when it cannot be removed."""


class VisionLoop:
    """Reads frames and hands views to the desk. `beat` is called on every round: it feeds the watchdog.

    `take_time` is called before what lasts longer than a round: to make an eye, to teach it. `measure_light` lets the
    camera measure the light anew, None where it settles by itself or plays a recording. `beat` is called no more
    once a camera's process has outlived its kill by `STUCK_S`: nothing within this service can mend that.
    """

    def __init__(
        self,
        camera: FrameSource | None,
        eyes: Eyes,
        desk: Desk,
        *,
        beat: Callable[[], None] = lambda: None,
        take_time: Callable[[], None] = lambda: None,
        first_look: Callable[[], None] = lambda: None,
        measure_light: Callable[[], None] | None = None,
        learn: bool = True,
        guide: Guide | None = None,
        lessons: Lessons | None = None,
        corrections: Corrections | None = None,
    ) -> None:
        self._camera, self._eyes, self._desk = camera, eyes, desk
        self._beat, self._take_time, self._first_look, self._learn = beat, take_time, first_look, learn
        self._guide, self._lessons, self._corrections = guide, lessons or Lessons(), corrections
        self._light = LightKeeper(measure_light) if measure_light is not None else None
        self._stopping = False  # no lock: a signal may ask for the end in the middle of anything
        self._frame: Frame | None = None
        self._eye: Eye | None = None
        self._no_eye = ""  # why there is none for the game that is on
        self._number = 0  # of the game that the eye is for
        self._game: str | None = None
        self._board: tuple[str, int, int] | None = None
        self._teacher: SetTeacher | None = None
        self._corners: NDArray[np.float64] | None = None
        self._corners_size = self._eye_size = (0, 0)  # of the pictures that they were dragged in; that the eye is for
        self._anew = False
        self._looked = False
        self._advice, self._pace = LastingAdvice(), Pace()

    # --- other threads ------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the loop within `READ_S` and a picture's time."""
        self._stopping = True

    def picture(self) -> bytes | None:
        """The newest picture as JPEG, None without a camera."""
        frame = self._frame
        if frame is None:
            return None
        height, width = frame.pixels.shape[:2]
        return _jpeg(cv2.resize(frame.pixels, (PICTURE_WIDTH, max(1, round(height * PICTURE_WIDTH / width)))))

    def from_above(self, width_mm: float, height_mm: float) -> bytes | None:
        """The newest picture's part of so many millimetres around the table's middle, as seen from above, as JPEG.

        None without a camera, and where the table's markers were not found.
        """
        frame, eye = self._frame, self._eye
        if frame is None or eye is None or eye.last is None or eye.last.place is None:
            return None
        return _jpeg(from_above(frame.pixels, eye.last.place.pose, (width_mm, height_mm), PICTURE_WIDTH))

    def set_corners(self, corners: NDArray[np.float64] | None) -> None:
        """From the next picture on the field's corners (pixels of what `picture` gives) are these."""
        self._corners, self._corners_size = corners, self._size()
        self.look_anew()

    def look_anew(self) -> None:
        """From the next picture on with a new eye: lens, corners or what was taught have changed."""
        self._anew = True

    # --- the loop -----------------------------------------------------------------------------------------------

    def run(self, until: threading.Event | None = None) -> None:
        """Until `stop` is called, `until` is set, or a recording is at its end."""
        if self._camera is None:
            self._desk.set_sight(NO_CAMERA)
        else:
            self._open()
        try:
            while not self._stopping and not (until is not None and until.is_set()) and self._round():
                pass
        finally:
            if self._camera is not None:
                self._camera.close()

    def outlast(self) -> None:
        """Until `stop` is called, though the recording is at its end: what the page asks for is still done."""
        self._camera = None
        while not self._stopping:
            self._round()

    def _open(self) -> None:
        assert self._camera is not None
        try:
            self._camera.open()
        except CameraError as error:
            self._blind("no camera", str(error))

    def _round(self) -> bool:
        """One picture, or none; False when there will never be another."""
        if getattr(self._camera, "unkillable_s", 0.0) < STUCK_S:
            self._beat()
        try:
            frame = self._next_frame()
            if frame is not None:
                self._pace.next(frame.taken_s)
                self._desk.notice("camera", slow_words(self._pace))
                if self._light is not None:
                    self._light.see(frame)
                self._look(frame)
                self._looked_once()
            self._desk.tick()
        except CameraEnded as error:
            self._blind("no camera", str(error))
            return False
        return True

    def _next_frame(self) -> Frame | None:
        if self._camera is None:
            time.sleep(READ_S)
            return None
        try:
            frame = self._camera.read(READ_S)
        except CameraEnded:
            raise
        except CameraTimeout:
            return None
        except CameraFrozen as error:
            self._failed("frozen", str(error))
            return None
        except CameraError as error:
            self._failed("no camera", str(error))
            time.sleep(0.05)
            return None
        self._frame = frame
        return frame

    def _blind(self, state: str, text: str) -> None:
        log.debug("camera: %s", text)
        self._desk.set_sight(Sight(state, f"{sentence(text)} The page and manual entry work on"))
        if self._guide is not None:
            self._guide.unseen(text)
        self._looked_once()

    def _failed(self, state: str, text: str) -> None:
        """The camera gives no picture for now: an old one is not shown as if it were the newest."""
        self._frame = None
        self._blind(state, text)

    def _look(self, frame: Frame) -> None:
        if self._guide is not None and self._guide.see(frame):
            self._desk.set_sight(GUIDED)
            return
        self._choose_eye()
        if self._eye is None:
            self._desk.set_sight(NO_GAME if self._game is None else Sight("lost", self._no_eye))
            return
        view = self._eye.read(frame)
        if "fault" in view.obstacles:
            self.look_anew()  # what this eye remembers may be what it stumbles over
        if view.clear:
            frame = _as_read(frame, self._eye.last)  # from which lessons are learned, and which is kept for later ones
            learn = self._lesson if self._lessons.wanted(LEARN, str(self._game)) else self._taught
            view = learn(frame, view)
            self._advise(view.taken_s)
        self._desk.observe(view)
        self._doubt_corners()
        if view.clear and self._corrections is not None:
            state = self._desk.table.state
            self._corrections.see(state.name, frame, view, self._eye.last, state.standing)

    def _doubt_corners(self) -> None:
        """Without markers nothing else tells that the camera was moved."""
        if self._corners is not None:
            ruling = self._desk.table.state.ruling
            many = ruling is not None and len(ruling.cells) >= MANY_AMISS and self._corners_px() is not None
            self._desk.notice("moved", MAY_HAVE_MOVED if many else None)

    def _advise(self, now_s: float) -> None:
        """What hinders the eye for long is said on the page until it is mended."""
        assert self._eye is not None
        lasting = self._advice.hear(now_s, self._eye.advice())
        self._desk.notice("advice", " ".join(map(sentence, lasting)) or None)

    def _looked_once(self) -> None:
        """What the camera gives is known, whatever it is: the start is over."""
        if not self._looked:
            self._looked = True
            self._first_look()

    def _choose_eye(self) -> None:
        """The eye for the game that is on; made anew for every game, and when its board or the corners change.

        For the next game the board may be laid otherwise, with another set or under another lamp.
        """
        snapshot = self._desk.snapshot()
        game, board = snapshot.game, (snapshot.board.kind, snapshot.board.cols, snapshot.board.rows)
        if game is not None and self._lessons.wanted(FORGET, game):
            self._forget(game)
        number = self._desk.table.game_id
        other_size = self._corners is not None and self._size() != self._eye_size
        if (number, game, board) == (self._number, self._game, self._board) and not self._anew and not other_size:
            return
        self._number, self._game, self._board, self._anew = number, game, board, False
        self._eye_size = self._size()
        self._teacher, self._eye = None, None
        self._advice = LastingAdvice()
        self._desk.notice("advice", None)  # another eye may see better, and without a game there is none
        if game is None:
            self._tell_of_eye()
            return
        corners = self._corners_px()
        self._desk.notice("corners", OTHER_SHAPE if corners is None and self._corners is not None else None)
        self._desk.notice("moved", None)
        self._take_time()  # what was taught is learned anew from its pictures
        try:
            self._eye = self._eyes.open(game, corners)
        except CompanionError as error:
            self._no_eye = f"The table cannot be read. {sentence(str(error))}"
            self._tell_of_eye(missing=str(error))
            return
        guessed = snapshot.board.kind == "free" and not self._eye.lens_measured
        self._tell_of_eye(lens=UNMEASURED if guessed else None)
        if self._learn and self._eyes.learns(game):
            self._teacher = SetTeacher(lambda: self._fresh(game, corners), self._desk.table.settings)

    def _tell_of_eye(self, missing: str | None = None, lens: str | None = None) -> None:
        """Why there is none, or what it lacks; what was told of the one before counts no more."""
        self._desk.notice("eye", missing)
        self._desk.notice("lens", lens)

    def _fresh(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye that is about to be taught."""
        self._take_time()
        return self._eyes.fresh(game, corners)

    def _corners_px(self) -> NDArray[np.float64] | None:
        """The dragged corners in the camera's own pixels; None in pictures of another shape: they show another part."""
        (width, height), (then_width, then_height) = self._size(), self._corners_size
        if self._corners is None or abs(width * then_height - height * then_width) > max(then_width, then_height):
            return None
        return np.asarray(self._corners * (width / PICTURE_WIDTH))

    def _size(self) -> tuple[int, int]:
        """Width and height of the newest picture; 0, 0 before the first."""
        frame = self._frame
        return (0, 0) if frame is None else (frame.pixels.shape[1], frame.pixels.shape[0])

    def _lesson(self, frame: Frame, view: TableView) -> TableView:
        """The host says that the table shows what is drawn: learn the set from it."""
        state, corners = self._desk.table.state, self._corners_px()
        layout = state.standing or state.module.layout(state.position)
        settings = self._desk.table.settings
        eye = self._lessons.learn(frame, view, layout, lambda: self._fresh(state.name, corners), settings)
        if eye is None:
            return view
        self._teacher = None
        self._keep(state.name, eye, by_hand=True)
        return eye.read(frame)

    def _forget(self, game: str) -> None:
        try:
            self._eyes.forget(game)
        except CompanionError as error:
            self._desk.notice("taught", str(error))
        self.look_anew()

    def _keep(self, game: str, eye: Eye, by_hand: bool = False) -> None:
        self._eye = eye
        try:
            self._eyes.keep(game, eye, by_hand)
        except OSError as error:
            self._desk.notice("taught", f"What was learned of the set cannot be stored: {error.strerror}.")
        else:
            self._desk.notice("taught", None)

    def _taught(self, frame: Frame, view: TableView) -> TableView:
        """While a game is set up: learn the looks of the set once the table shows its set-up."""
        state = self._desk.table.state
        if self._teacher is None or state.phase != "set-up" or state.game is None:
            return view
        learned = self._teacher.taught(frame, view, state.game.layout(state.position))
        if learned is None:
            return view
        eye, view = learned
        self._teacher = None
        if eye is None:
            return view
        self._keep(state.name, eye)
        return view


def taught_folder(state: Path, game: str) -> Path:
    """Where the looks of the set for a game are kept."""
    return state / "taught" / game


def _as_read(frame: Frame, look: Look | None) -> Frame:
    """The frame as the eye read it, with less noise than its own; a picture that was shrunk first is another."""
    return frame if look is None or look.picture.shrunk != 1.0 else replace(frame, pixels=look.picture.pixels)


def _jpeg(picture: NDArray[np.uint8] | cv2.typing.MatLike) -> bytes | None:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if done else None
