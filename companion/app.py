"""The one place where everything is built and wired: camera, eye, referee, journal, outputs, page, watchdog."""

import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from companion.config import Config, config_file, state_folder
from companion.config.reading import load_config
from companion.errors import CommandRefused, RecordError
from companion.events import Event
from companion.exports import EXPORTS
from companion.guide import Guide
from companion.guide_desk import board_of, connect_guide
from companion.journal.archive import Archive, open_archive, read_archive
from companion.journal.restore import restorer
from companion.outputs.devices import make_board, make_buttons, make_outputs
from companion.outputs.outputs import Outputs
from companion.referee.commands import Command
from companion.referee.happenings import Corrected
from companion.referee.readmodel import Desk
from companion.referee.recorder import Archive as AnyArchive
from companion.referee.settings import Settings
from companion.referee.snapshot import Snapshot
from companion.referee.state import GOING_ON
from companion.service.announcing import announced
from companion.service.notify import Notifier
from companion.service.serving import open_page
from companion.service.sole import sole
from companion.service.start_counter import GOOD_AFTER_S, StartCounter
from companion.service.vision_loop import VisionLoop
from companion.sets.corrections import Corrections
from companion.sets.lessons import Lessons
from companion.sets.stored_eyes import StoredEyes
from companion.sets.taught_sets import TaughtSets
from companion.web.server import Server
from companion.web.settings import ExtraPages
from hardware.camera_worker import WorkerCamera
from hardware.cameras import CameraSettings, make_camera
from hardware.errors import CameraError
from hardware.frames import FrameSource

log = logging.getLogger(__name__)


@dataclass(slots=True)
class House:
    """Everything that runs, so that it can be stopped in the right order."""

    desk: Desk
    loop: VisionLoop
    server: Server | None
    address: str
    setup_code: str | None = None


def open_journal(path: Path, alive: Callable[[], None] | None = None) -> tuple[AnyArchive, str | None]:
    """The journal, or one in memory behind what can be read of a file that cannot be used; and what to tell people."""
    try:
        return open_archive(path, alive), None
    except RecordError as error:
        return read_archive(path), f"{error}. This game is not recorded"


@contextlib.contextmanager
def built(
    config: Config,
    camera: FrameSource | None,
    look: Mapping[str, Any],
    *,
    problems: Sequence[str] = (),
    state: Path | None = None,
    extra: tuple[ExtraPages, ...] = (),
    notifier: Notifier | None = None,
    settings: Settings | None = None,
    show_code: Callable[[str], None] = lambda code: None,
    port: int | None = None,
) -> Iterator[House]:
    """The whole house, running but for the vision loop, which the caller runs. Everything is closed at the end."""
    state = state or state_folder()
    notifier = notifier or Notifier()
    journal, trouble = open_journal(state / config.journal.path, notifier.beat)
    settings = settings or Settings(timeout_s=config.timeouts.reset_after_min * 60.0 or float("inf"))
    frames: list[VisionLoop] = []
    desk = Desk(
        journal,
        settings=settings,
        exports=EXPORTS,
        restorer=restorer,
        picture=lambda: frames[0].picture() if frames else None,
        above=lambda width_mm, height_mm: frames[0].from_above(width_mm, height_mm) if frames else None,
    )
    for number, problem in enumerate([*problems, *([trouble] if trouble else [])]):
        log.warning("%s", problem)
        desk.notice(f"start {number}", problem)
    with contextlib.ExitStack() as stack:
        stack.callback(_close, journal)
        resumed = desk.resume()
        if resumed:
            log.info("resumed: %s", resumed)
        board = make_board(config)
        stack.callback(board.close)
        outputs = stack.enter_context(make_outputs(config, board, desk.notice))
        desk.listen(_heard_by(outputs))
        stack.enter_context(make_buttons(config, board, desk.submit, desk.notice, outputs.pressed, outputs.refused))
        eyes = StoredEyes(look, state, played=lambda: board_of(desk))
        loop = _looking(config, camera, eyes, desk, notifier, state)
        frames.append(loop)
        server, address = open_page(stack, config.web, desk, state, extra, show_code, port)
        if server is not None:
            stack.callback(server.close)
            stack.enter_context(_listing_ahead(desk))
        yield House(desk, loop, server, address)
        notifier.stopping()


def serve(
    config_path: Path | None,
    game: str | None,
    options: Mapping[str, str | int | bool],
    camera: str | None,
    look: Mapping[str, Any],
) -> None:
    """`companion run`: the service, until SIGTERM or Ctrl-C."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    houses: list[House] = []
    with stopped_by_signals(houses) as asked, contextlib.ExitStack() as stack:  # heard until the last lamp is out
        config, problems = load_config(config_path or config_file(), must_exist=config_path is not None)
        state = state_folder()
        stack.enter_context(sole(state))
        counter = StartCounter(state / "starts.json")
        safe = counter.begin()
        texts = [str(problem) for problem in problems]
        if safe:
            texts.append("Safe mode: the last starts failed. The camera is left alone; mend the cause and start again")
        notifier = Notifier()
        source: FrameSource | None = None
        extra: tuple[ExtraPages, ...] = ()
        told: Mapping[str, Any] = {}  # of a virtual table: what its host would tell the eye
        if not safe:
            source, extra, told = _camera(stack, config, camera, game, options, texts, houses)
        house = stack.enter_context(
            built(
                config,
                source,
                {**merged_look(config, look), **told},
                problems=texts,
                state=state,
                notifier=notifier,
                show_code=say_code,
                extra=extra,
            )
        )
        houses.append(house)
        if asked():  # while it was being built
            house.loop.stop()
        say_where(house.address)
        if house.server is not None:
            stack.enter_context(announced(house.server.address))
        if source is None:
            notifier.ready()  # nothing to look at: the page is all there is
        begin(house.desk, game, options)
        good = threading.Timer(GOOD_AFTER_S, counter.good)
        good.daemon = True
        good.start()
        house.loop.run()
        house.loop.outlast()
        good.cancel()
        counter.good()


def merged_look(config: Config, look: Mapping[str, Any]) -> dict[str, Any]:
    """The command line's options on the eye, and the configuration's where it gives none."""
    merged = dict(look)
    if merged.get("lens") is None and config.camera.lens:
        merged["lens"] = Path(config.camera.lens)
    if merged.get("board") is None and config.board.file:
        merged["board"] = Path(config.board.file)
    if merged.get("taught") is None and config.board.taught:
        merged["taught"] = Path(config.board.taught)
    if merged.get("markers") is None:
        merged["markers"] = ",".join(f"{v:g}" for v in config.table.markers)
    return merged


def begin(desk: Desk, game: str | None, options: Mapping[str, str | int | bool]) -> None:
    """Start the game that was asked for, unless the same one is being resumed."""
    snapshot = desk.snapshot()
    if game is None or (snapshot.game == game and snapshot.phase in GOING_ON):
        return
    desk.submit(Command("new_game", {"game": game, "options": dict(options)}))


@contextlib.contextmanager
def stopped_by_signals(houses: Sequence[House]) -> Iterator[Callable[[], bool]]:
    """SIGTERM, Ctrl-C and a terminal that is closed end the loops of the houses that stand by then politely.

    Yields whether one of them has come. Under nohup a closed terminal ends nothing.
    """
    came: list[int] = []

    def stop(number: int, frame: object) -> None:
        came.append(number)
        for house in houses:
            house.loop.stop()

    heard = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        heard.append(signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say_where(address: str) -> None:
    """The page's address, where a person at the terminal sees it."""
    click.echo(f"The page: {address}" if address else "The page could not be opened")


def say_code(code: str) -> None:
    """The first code, shown only at the device."""
    click.echo(f"First start: set the host's PIN on the page with the code {code}")


# --- the parts ----------------------------------------------------------------------------------------------------


def _camera(
    stack: contextlib.ExitStack,
    config: Config,
    spec: str | None,
    game: str | None,
    options: Mapping[str, str | int | bool],
    problems: list[str],
    houses: list[House],
) -> tuple[FrameSource | None, tuple[ExtraPages, ...], Mapping[str, Any]]:
    """The camera, or None with a word about it: the page and manual entry work without one."""
    if (spec or config.camera.source) == "simulated":
        return _simulated(stack, config, game, options, houses)
    c = config.camera
    settings = CameraSettings(
        c.width, c.height, c.fps, c.distance_mm, c.mains_hz, c.settle_s, c.hang_s, c.frozen_frames, hold=30, pace=True
    )
    try:
        return make_camera(spec or c.source, settings), (), {}
    except CameraError as error:
        problems.append(str(error))
        return None, (), {}


def _simulated(
    stack: contextlib.ExitStack,
    config: Config,
    game: str | None,
    options: Mapping[str, str | int | bool],
    houses: list[House],
) -> tuple[FrameSource, tuple[ExtraPages, ...], Mapping[str, Any]]:
    """The virtual table, its page, and what the eye is told of it; `houses` holds the house once it is built."""
    from companion.demo.table import simulated_table

    def picture() -> bytes | None:
        return houses[0].desk.picture() if houses else None

    table = simulated_table(game or config.game.name, options if game else config.game.options, picture)
    camera, pages, told = stack.enter_context(table)
    return camera, (pages,), told


def _looking(
    config: Config, camera: FrameSource | None, eyes: StoredEyes, desk: Desk, notifier: Notifier, state: Path
) -> VisionLoop:
    """The loop from the camera to the desk, with all that people teach it, and what the page asks of it."""
    lessons = Lessons()
    kept_mb = config.teaching.keep_corrected_mb
    corrections = Corrections(state / "corrected", eyes.markers, kept_mb, desk.table.settings)
    desk.listen(_corrected_by(corrections))
    desk.listen(lessons.heard)
    guide = Guide(eyes.calibration, eyes.markers, lambda: loop.look_anew())
    loop = VisionLoop(
        camera,
        eyes,
        desk,
        beat=notifier.beat,
        take_time=notifier.take_time,
        first_look=notifier.ready,
        measure_light=light_meter(camera),
        guide=guide,
        lessons=lessons,
        corrections=corrections,
    )
    _connect(desk, loop, camera)
    if camera is not None:
        connect_guide(desk, loop, guide, lessons, eyes, TaughtSets(state / "taught-sets", eyes))
    return loop


def _heard_by(outputs: Outputs) -> Callable[[Sequence[Event], Snapshot], None]:
    def hear(events: Sequence[Event], snapshot: Snapshot) -> None:
        outputs.tell(snapshot)
        outputs.happened(*events)

    return hear


def _corrected_by(corrections: Corrections) -> Callable[[Sequence[Event], Snapshot], None]:
    def hear(events: Sequence[Event], snapshot: Snapshot) -> None:
        for event in events:
            if isinstance(event, Corrected):
                corrections.told(event)

    return hear


def _connect(desk: Desk, loop: VisionLoop, camera: FrameSource | None) -> None:
    """Commands that are the camera's matter."""

    def set_corners(command: Command) -> None:
        loop.set_corners(corners_of(command.arguments.get("corners")))

    def measure_light(command: Command) -> None:
        if (measure := light_meter(camera)) is None:
            raise CommandRefused("no-camera", "This camera's light cannot be measured")
        measure()

    desk.outside("set_corners", set_corners)
    desk.outside("measure_light", measure_light)


def light_meter(camera: FrameSource | None) -> Callable[[], None] | None:
    """What lets this camera measure the light anew; None where it settles by itself, or plays a recording."""
    return camera.measure_light if isinstance(camera, WorkerCamera) and camera.measures_light else None


@contextlib.contextmanager
def _listing_ahead(desk: Desk) -> Iterator[None]:
    """Hundreds of games take a small computer a while to play through: the list does not wait for that."""
    ending = threading.Event()
    worker = threading.Thread(target=desk.list_ahead, args=(ending.wait,), name="list of games", daemon=True)
    worker.start()
    try:
        yield
    finally:
        ending.set()
        worker.join()


def corners_of(data: Any) -> NDArray[np.float64] | None:
    """Four points in pixels, or None to find the board without them; CommandRefused for anything else."""
    if data is None:
        return None
    try:
        corners = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise CommandRefused("unreadable", "Corners are four pairs of numbers", 400) from error
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CommandRefused("unreadable", "Corners are four pairs of numbers", 400)
    return corners


def _close(journal: AnyArchive) -> None:
    if isinstance(journal, Archive):
        journal.close()
