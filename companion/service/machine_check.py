"""Is this machine ready? Each finding is fine, worth knowing, or a reason not to start."""

import contextlib
import importlib
import importlib.metadata
import os
import platform
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.lens import read_lens
from companion.config import USUAL_PORT, Config, config_file, runtime_folder, state_folder
from companion.config.reading import load_config
from companion.errors import CompanionError
from companion.journal.database import read_only
from companion.outputs.devices import in_words, make_board, on_real_pins, pins_of
from companion.service.page_address import ANYWHERE, in_address, on_every_address, probe
from companion.texts import counted
from companion.vision.errors import UnusableWeights
from companion.vision.files import read_board
from companion.vision.weights import READ, WEIGHTS
from hardware.buttons import PressRules
from hardware.cameras import CameraSettings, make_camera
from hardware.errors import CameraError, CameraTimeout, PinsError
from hardware.pins import on_a_pi

OLDEST_PYTHON = (3, 11)
PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "shapely",
    "flask",
    "waitress",
    "pydantic",
    "gpiozero",
    "reportlab",
    "segno",
)
ON_A_PI = ("picamera2", "lgpio")  # from apt
LITTLE_DISK, NO_DISK = 200 * 2**20, 20 * 2**20
CAMERA_S = 20.0
FREE_PORTS = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")  # ports below are for root alone
THROTTLED = {  # bits of `vcgencmd get_throttled`
    0: "under-voltage now: use a stronger power supply",
    1: "clock limited now",
    2: "slowed down now: cool it",
    3: "close to the temperature limit now",
    16: "under-voltage since the start: use a stronger power supply",
    17: "clock was limited since the start",
    18: "was slowed down since the start: cool it",
    19: "was close to the temperature limit since the start",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """`state` is "ok", "note" (it starts, but ...) or "fail"."""

    what: str
    state: str
    text: str


def findings(config_path: Path | None = None, camera: bool = True) -> Iterator[Finding]:
    """Everything there is to know, one after the other; `camera` takes a picture."""
    path = config_path or config_file()
    config, problems = load_config(path, must_exist=config_path is not None)
    yield _python()
    yield from _packages()
    yield from _weights()
    if not problems:
        yield Finding("configuration", "ok", f"{path}{'' if path.exists() else ' (none: all defaults)'}")
    yield from (
        Finding("configuration", "note", f"{problem}; the companion starts all the same") for problem in problems
    )
    yield _page(config)
    yield from _named_files(config)
    journal = state_folder() / config.journal.path
    yield from _folders(journal)
    yield from _games(journal)
    yield _pins(config)
    if config.strip.kind != "none":
        yield _strip(config)
    if camera:
        yield _camera(config)
    yield from _power()


def _python() -> Finding:
    text = f"{platform.python_version()} on {platform.platform(terse=True)}, {platform.machine()}"
    return Finding("python", "ok" if sys.version_info >= OLDEST_PYTHON else "fail", text)


def _packages() -> Iterator[Finding]:
    for name in PACKAGES:
        yield _version(name, partial(importlib.metadata.version, name))
    yield _version("OpenCV", partial(_imported, "cv2"))
    for name in ON_A_PI if on_a_pi() else ():
        yield _version(name, partial(_imported, name), "apt's python3-" + name)


def _imported(name: str) -> str:
    return str(getattr(importlib.import_module(name), "__version__", "can be imported"))


def _version(name: str, find: Callable[[], str], source: str = "pip") -> Finding:
    try:
        return Finding(name, "ok", find())
    except (ImportError, ValueError) as error:  # ValueError: built for another numpy
        return Finding(name, "fail", f"cannot be used ({error}); it comes from {source}")


def _weights() -> Iterator[Finding]:
    """Every file of what was trained, opened as the eye will."""
    files, damaged = [path for path in sorted(WEIGHTS.iterdir()) if path.suffix in READ], 0
    for path in files:
        try:
            READ[path.suffix](path)
        except UnusableWeights as error:
            damaged += 1
            yield Finding("weights", "fail", str(error))
    if not damaged:
        yield Finding("weights", "ok", f"{WEIGHTS}, {counted(len(files), 'file')}")


def _page(config: Config) -> Finding:
    """Where the page will be; `companion.service.serving` does the same when it is opened."""
    host, port, why = config.web.host, config.web.port, []
    try:
        probe(host or ANYWHERE, 0)
    except (OSError, ValueError) as error:
        why.append(f"web.host {host!r} cannot be used ({error})")
        host = ANYWHERE
    if port != USUAL_PORT and port < _first_free_port():
        why.append(f"web.port {port} is kept for root; from {_first_free_port()} on any may be used")
        port = USUAL_PORT
    name = f"{socket.gethostname()}.local" if on_every_address(host) else in_address(host)
    return Finding("page", "note" if why else "ok", ", as ".join([f"http://{name}:{port}", *why]))


def _first_free_port() -> int:
    try:
        return int(FREE_PORTS.read_text())
    except (OSError, ValueError):  # no Linux
        return 1024


def _named_files(config: Config) -> Iterator[Finding]:
    """The files that the configuration names, read as the eye will."""
    named: tuple[tuple[str, str, Callable[[Path], object]], ...] = (
        ("camera.lens", config.camera.lens, read_lens),
        ("board.file", config.board.file, read_board),
        ("board.taught", config.board.taught, os.listdir),
    )
    for setting, place, read in named:
        if not place:
            continue
        try:
            read(Path(place))
        except OSError as error:
            yield Finding(setting, "note", f"{place}: {error.strerror or error}")
        except (CalibrationError, CompanionError) as error:
            yield Finding(setting, "note", str(error))
        else:
            yield Finding(setting, "ok", place)


def _folders(journal: Path) -> Iterator[Finding]:
    games, own = journal.parent, state_folder()
    places = (("games and PIN", own),) if games == own else (("PIN", own), ("games", games))
    for what, folder in (*places, ("runtime folder", runtime_folder())):
        there = _existing(folder)
        if there is None or not there.is_dir() or not os.access(there, os.W_OK):
            yield Finding(what, "fail", f"{folder} cannot be written by this user")
            continue
        free = shutil.disk_usage(there).free
        state = "fail" if free < NO_DISK else "note" if free < LITTLE_DISK else "ok"
        yield Finding(what, state, f"{folder}, {free / 2**20:.0f} MiB free")


def _games(journal: Path) -> Iterator[Finding]:
    """The journal as whoever only looks at it finds it: the service may be using it."""
    try:
        if not journal.exists():
            return
        rows, fault = read_only(journal)
    except OSError as error:  # RecordError among them
        yield Finding("journal", "note", f"{journal}: {error.strerror}" if error.strerror else str(error))
        return
    if fault:
        yield Finding("journal", "note", f"{journal} is damaged ({fault}): the next start mends it")
    else:
        count = len({game for _, game, _, _ in rows if game > 0})
        yield Finding("journal", "ok", f"{journal}, {counted(count, 'game')}")


def _existing(folder: Path) -> Path | None:
    """The folder, or the nearest above it that is there; None where this user may not even look."""
    try:
        return next(parent for parent in (folder, *folder.parents) if parent.exists())
    except PermissionError:
        return None


def _pins(config: Config) -> Finding:
    """Every device on a pin is opened as the service would, and all at once: a pin can be taken only once."""
    board, pins = make_board(config), config.pin_map()
    buzzer = config.sounds.pin if config.sounds.kind != "none" else None
    try:
        with contextlib.ExitStack() as stack:
            stack.callback(board.close)
            stack.enter_context(contextlib.closing(board.open_lights(pins_of(config, "lights"))))
            stack.enter_context(contextlib.closing(board.open_buzzer(config.sounds.kind, buzzer)))
            held = board.open_buttons(pins_of(config, "buttons"), PressRules(), lambda name: None)
            stack.enter_context(contextlib.closing(held))
    except PinsError as error:
        return Finding("pins", "note", f"not all can be used: {in_words(error)}")
    lamps, buttons = (sum(name.startswith(start) for name in pins) for start in ("lights.", "buttons."))
    on = f"{counted(lamps, 'lamp')}, {'a' if buzzer is not None else 'no'} buzzer, {counted(buttons, 'button')}"
    return Finding("pins", "ok", f"{on} on {'real' if on_real_pins(config) else 'mock'} pins")


def _strip(config: Config) -> Finding:
    c = config.strip
    try:
        make_board(config).open_strip(c.kind, c.lights, c.spi, c.brightness).close()
    except PinsError as error:
        return Finding("strip", "note", f"strip off: {error}")
    mock = "" if on_real_pins(config) else " (mock)"
    return Finding("strip", "ok", f"{c.lights} {c.kind} lights on SPI {c.spi}{mock}")


def _camera(config: Config) -> Finding:
    c = config.camera
    settings = CameraSettings(c.width, c.height, c.fps, c.distance_mm, c.mains_hz, settle_s=0.0)
    if c.source == "simulated":
        return Finding("camera", "ok", "the simulated table")
    try:
        source = make_camera(c.source, settings)
    except CameraError as error:
        return Finding("camera", "note", str(error))
    source.open()
    with contextlib.closing(source):
        begun_s = time.monotonic()
        while True:
            try:
                height, width = source.read(1.0).pixels.shape[:2]
                return Finding("camera", "ok", f"{c.source}: a picture of {width}x{height}")
            except CameraTimeout as error:
                if time.monotonic() - begun_s > CAMERA_S:
                    return Finding("camera", "note", f"{c.source}: {error}")
            except CameraError as error:
                return Finding("camera", "note", f"{c.source}: {error}")


def _power() -> Iterator[Finding]:
    tool = shutil.which("vcgencmd")
    if tool is None:
        return
    try:
        said = subprocess.run([tool, "get_throttled"], capture_output=True, text=True, timeout=5, check=False).stdout
        bits = int(said.partition("=")[2], 16)
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        yield Finding("power", "note", f"vcgencmd cannot be asked: {error}")
        return
    troubles = [text for bit, text in THROTTLED.items() if bits >> bit & 1]
    yield from (Finding("power", "note", text) for text in troubles)
    if not troubles:
        yield Finding("power", "ok", "voltage and temperature are fine")
