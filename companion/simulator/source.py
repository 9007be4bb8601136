"""The virtual table as a camera: a FrameSource that renders what a feed says."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from companion.simulator.design import Furniture, TableDesign, furnish, scene_of
from companion.simulator.feed import Feed, LocalFeed, TableServer
from companion.simulator.renderer import Renderer, set_threads
from companion.simulator.sensor import Developer, exposed
from companion.simulator.state import TableState
from companion.simulator.world import VirtualTable
from hardware.errors import CameraEnded, CameraError, CameraTimeout
from hardware.frames import Frame
from hardware.pictures import frame_of


class _Darkroom:
    """Renders states one after the other; the exposure is set at the first picture and stays."""

    def __init__(self, design: TableDesign) -> None:
        self._furniture: Furniture = furnish(design)
        self._renderer = Renderer()
        self._developer: Developer | None = None
        self._number = 0

    def frame(self, state: TableState, taken_s: float) -> Frame:
        """The next frame."""
        light, box = self._renderer.draw(scene_of(self._furniture, state))
        if self._developer is None:
            design = self._furniture.design
            sensor = exposed(self._furniture.sensor, light, design.white, design.mean)
            self._developer = Developer(sensor, design.width, design.height, design.seed)
        self._developer.update(light, box)
        frame = frame_of(self._developer.picture(self._number), taken_s, self._number, None, {"simulated": True})
        self._number += 1
        return frame


class SimulatedTable:
    """A camera above a virtual table, at most `design.fps` pictures a second. Picklable before it is opened."""

    def __init__(self, design: TableDesign, feed: Feed) -> None:
        self._design, self._feed = design, feed
        self._darkroom: _Darkroom | None = None
        self._next_s = 0.0

    def open(self) -> None:
        """Furnishes the table; CameraError when its feed cannot be reached."""
        set_threads(self._design.threads)
        self._feed.open()
        self._darkroom = _Darkroom(self._design)
        self._next_s = time.monotonic()

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraTimeout when it is not due within the timeout."""
        if self._darkroom is None:
            raise CameraError("the virtual table is not open")
        wait_s = self._next_s - time.monotonic()
        if wait_s > timeout_s:
            time.sleep(max(0.0, timeout_s))
            raise CameraTimeout(f"the next picture of the virtual table is due in {wait_s - timeout_s:.1f} s")
        time.sleep(max(0.0, wait_s))
        taken_s = time.monotonic()
        self._next_s = taken_s + 1.0 / self._design.fps
        return self._darkroom.frame(self._feed.latest(), taken_s)

    def close(self) -> None:
        """Lets go of the feed; safe to call twice."""
        self._feed.close()
        self._darkroom = None


class ScriptedTable:
    """A camera that films a sequence of states, one frame each, on a clock of its own: as fast as it is read."""

    def __init__(self, design: TableDesign, states: Iterable[TableState], start_s: float = 0.0) -> None:
        self._design, self._states, self._start_s = design, states, start_s
        self._darkroom: _Darkroom | None = None
        self._rest: Iterator[TableState] = iter(())
        self._count = 0

    def open(self) -> None:
        """Furnishes the table."""
        set_threads(self._design.threads)
        self._darkroom = _Darkroom(self._design)
        self._rest = iter(self._states)

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraEnded after the last state."""
        if self._darkroom is None:
            raise CameraError("the scripted table is not open")
        state = next(self._rest, None)
        if state is None:
            raise CameraEnded("the script is at its end")
        self._count += 1
        return self._darkroom.frame(state, self._start_s + self._count / self._design.fps)

    def close(self) -> None:
        """Nothing stays open."""
        self._darkroom = None


def here(table: VirtualTable) -> SimulatedTable:
    """A camera above the table, in this process."""
    return SimulatedTable(table.design, LocalFeed(table))


def elsewhere(table: VirtualTable, server: TableServer) -> Callable[[], SimulatedTable]:
    """A picklable factory of a camera above the table, for a process of its own."""
    return partial(SimulatedTable, table.design, server.feed())
