"""What a person asks of the virtual table, carried out by a hand: put there, turn, take off, knock."""

import dataclasses
import logging
import queue
import threading
from collections.abc import Callable

import numpy as np

from companion.errors import CommandRefused
from companion.pieces import KHET_FACINGS
from companion.simulator.carry import Carry, Player, Tempo, carried, finished
from companion.simulator.design import camera_of
from companion.simulator.places import cell_name
from companion.simulator.setting import Setting
from companion.simulator.state import Standing, TableState
from companion.simulator.world import VirtualTable

log = logging.getLogger(__name__)

TEMPO = Tempo(reach=3, grip=1, carry=3, leave=3)
WAITING_MAX = 4  # errands in the queue; more are refused


class Errands:
    """A hand that does what it is told, one errand after the other, in a thread of its own."""

    def __init__(self, table: VirtualTable, seed: int = 0, tempo: Tempo = TEMPO) -> None:
        self._table, self._tempo = table, tempo
        self._setting = Setting(table.furniture, seed)
        self._rng = np.random.default_rng([seed, 53])
        self._queue: queue.Queue[Carry] = queue.Queue(WAITING_MAX)
        self._thread: threading.Thread | None = None
        self._guard = threading.Lock()

    # --- what can be asked; CommandRefused says why not ---------------------------------------------------------

    def move(self, name: str, x_px: float, y_px: float) -> None:
        """Carry a piece to where a finger let it go in the picture: onto a cell, or beside the board."""
        state = self._table.state
        piece = self._piece(state, name)
        cell = self._cell_at(state, x_px, y_px)
        if cell is None:
            self._do(Carry(name, self._loose(state, piece, x_px, y_px)))
            return
        self._to_cell(state, piece, cell)

    def move_to_cell(self, name: str, cell: str) -> None:
        """Carry a piece to a cell by its name, as a keyboard does."""
        state = self._table.state
        board = self._table.furniture.board
        if cell not in {cell_name(c, r) for c in range(board.cols) for r in range(board.rows)}:
            raise CommandRefused("no-cell", f"there is no cell {cell!r} on this board", 400)
        self._to_cell(state, self._piece(state, name), cell)

    def turn(self, name: str, quarters: int) -> None:
        """Turn a piece where it stands, clockwise for positive quarters."""
        if quarters not in (-2, -1, 1, 2):
            raise CommandRefused("turn", "a piece is turned by one or two quarters", 400)
        piece = self._piece(self._table.state, name)
        facings = KHET_FACINGS.get(piece.piece.kind, ())
        facing = piece.piece.facing
        if facing in facings:
            facing = facings[(facings.index(facing) + quarters) % len(facings)]
        turned = dataclasses.replace(piece.piece, facing=facing)
        self._do(Carry(name, dataclasses.replace(piece, piece=turned, heading_deg=piece.heading_deg - 90 * quarters)))

    def take_off(self, name: str) -> None:
        """Take a piece (of a stack: the top one) off the board."""
        state = self._table.state
        piece = self._piece(state, name)
        if piece.cell is None:
            raise CommandRefused("off-already", "this piece stands beside the board already")
        self._do(self._from(piece, lambda new: self._setting.beside(state, piece.piece, new)))

    def nudge(self) -> None:
        """Knock against the camera."""
        self._table.change(lambda state: dataclasses.replace(state, nudges=state.nudges + 1))

    def wait(self) -> None:
        """Until everything that was asked for is done."""
        self._queue.join()

    # --- how it is done -----------------------------------------------------------------------------------------

    def _piece(self, state: TableState, name: str) -> Standing:
        try:
            return state.piece(name)
        except KeyError:
            raise CommandRefused("no-piece", f"there is no piece {name!r} on this table", 404) from None

    def _cell_at(self, state: TableState, x_px: float, y_px: float) -> str | None:
        board = self._table.furniture.board
        camera = camera_of(self._table.furniture, state)
        x, y = camera.to_table([[x_px, y_px]], board.thickness_mm)[0] - (board.x_mm, board.y_mm)
        c, s = np.cos(np.radians(board.rotation_deg)), np.sin(np.radians(board.rotation_deg))
        col = int(np.floor((c * x + s * y) / board.cell_mm + board.cols / 2))
        row = int(np.floor((c * y - s * x) / board.cell_mm + board.rows / 2))
        return cell_name(col, row) if 0 <= col < board.cols and 0 <= row < board.rows else None

    def _loose(self, state: TableState, piece: Standing, x_px: float, y_px: float) -> Standing:
        x, y = camera_of(self._table.furniture, state).to_table([[x_px, y_px]])[0]
        near = [o for o in state.standing if o.name != piece.name and np.hypot(o.x_mm - x, o.y_mm - y) < 30]
        if near:
            raise CommandRefused("taken", "another piece stands there: let it go a little farther away")
        return dataclasses.replace(piece, x_mm=float(x), y_mm=float(y), z_mm=0.0, cell=None)

    def _to_cell(self, state: TableState, piece: Standing, cell: str) -> None:
        there = state.on_cell(cell)
        if there is None or there.name == piece.name:
            self._do(
                self._from(
                    piece,
                    lambda new: self._setting.put(new, piece.piece, cell, piece.heading_deg, count=1),
                ),
            )
            return
        same = there.piece.kind == piece.piece.kind == "obelisk" and there.piece.colour == piece.piece.colour
        if not same or there.count + 1 > 2:
            raise CommandRefused("taken", f"{cell} is taken: take that piece off first")
        self._do(self._onto(piece, there))

    def _onto(self, piece: Standing, there: Standing) -> Carry:
        if piece.count == 1:
            return Carry(piece.name, dataclasses.replace(there, name=piece.name, count=1), there.name)
        new = self._setting.new_name(piece.piece)
        return Carry(new, dataclasses.replace(there, name=new, count=1), there.name, piece.name)

    def _from(self, piece: Standing, target: Callable[[str], Standing], whole: bool = False) -> Carry:
        """The carry of a piece, or of the top of a stack."""
        if piece.count == 1 or whole:
            return Carry(piece.name, dataclasses.replace(target(piece.name), count=piece.count))
        new = self._setting.new_name(piece.piece) + " top"
        return Carry(new, target(new), split=piece.name)

    def _do(self, carry: Carry) -> None:
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="hand at the virtual table", daemon=True)
                self._thread.start()
        try:
            self._queue.put_nowait(carry)
        except queue.Full:
            raise CommandRefused("busy", "the hand is still busy: wait a moment", 429) from None

    def _work(self) -> None:
        while True:
            carry = self._queue.get()
            try:
                self._carry(carry)
            except KeyError:
                log.info("%s had gone before the hand came", carry.name)
            finally:
                self._queue.task_done()

    def _carry(self, carry: Carry) -> None:
        seat = -90.0 if carry.to.y_mm < 0 else 90.0
        before = self._table.state
        pause = threading.Event()
        for state in carried(before, [carry], Player.random(self._rng, seat), self._tempo, self._rng):
            self._table.show(state)
            pause.wait(1.0 / self._table.design.fps)
        self._table.show(finished(before, [carry]))
