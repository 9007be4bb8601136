"""What a person asks of the virtual table, carried out by a hand: put there, turn, take off, bring, knock."""

import dataclasses
import logging
import queue
import threading
from collections.abc import Callable

import numpy as np

from companion.errors import CommandRefused
from companion.pieces import KHET_FACINGS, PYRAMID_BASE_MM, Piece, spoken
from companion.simulator.box import PieceBox
from companion.simulator.carry import Carry, Player, Tempo, carried, finished
from companion.simulator.design import camera_of
from companion.simulator.setting import Setting
from companion.simulator.solids import TURNED_OVER, nested
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
        self._box = PieceBox(table.design.reserve, seed)
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
            self._place(state, piece, self._loose(state, piece, x_px, y_px))
            return
        self._to_cell(state, piece, cell)

    def move_to_cell(self, name: str, cell: str) -> None:
        """Carry a piece to a cell by its name, as a keyboard does."""
        state, board = self._table.state, self._table.furniture.scene.board
        if board is None or cell not in board.cells():
            raise CommandRefused("no-cell", f"there is no cell {cell!r} on this table", 400)
        self._to_cell(state, self._piece(state, name), cell)

    def turn(self, name: str, quarters: float) -> None:
        """Turn a piece where it stands, clockwise for positive quarters; free pieces by parts of a quarter, too."""
        state = self._table.state
        piece = self._piece(state, name)
        if not 0 < abs(quarters) <= 2 or (piece.cell is not None and quarters != int(quarters)):
            raise CommandRefused(
                "turn", "a piece on a board is turned by one or two quarters, others by up to two", 400
            )
        facings = KHET_FACINGS.get(piece.piece.kind, ())
        facing = piece.piece.facing
        if facing in facings:
            facing = facings[(facings.index(facing) + int(quarters)) % len(facings)]
        turned = dataclasses.replace(piece.piece, facing=facing)
        self._place(
            state, piece, dataclasses.replace(piece, piece=turned, heading_deg=piece.heading_deg - 90 * quarters)
        )

    def turn_over(self, name: str) -> None:
        """Show a disc's, tile's or coin's other side; stand a lying pyramid up, or lay it down."""
        state = self._table.state
        piece = self._piece(state, name)
        other = self._box.other_side(piece)
        if other is None:
            raise CommandRefused("one-sided", f"a {spoken(piece.piece.kind)} has no other side to show")
        if piece.nested_on is not None and piece.piece.kind == "pyramid":
            raise CommandRefused("stacked", "take the pyramid off the other one first")
        over = piece.piece.kind in TURNED_OVER
        self._place(state, piece, dataclasses.replace(piece, piece=other), over)

    def take_off(self, name: str) -> None:
        """Take a piece (of a stack: the top one) off the board, or off a table that has none."""
        state = self._table.state
        piece = self._piece(state, name)
        if piece.cell is None and self._table.furniture.scene.board is not None and self._table.design.beside:
            raise CommandRefused("off-already", "this piece stands beside the board already")
        if piece.count == 1:
            self._box.gone(piece)
            self._do(self._setting.taken_off(state, piece))
        else:
            self._do(self._from(piece, lambda new: self._setting.beside(state, piece.piece, new)))

    def reserve(self) -> tuple[Piece, ...]:
        """The pieces that can be brought in from outside the picture."""
        return self._box.reserve(self._table.state)

    def bring(self, index: int, cell: str | None = None) -> None:
        """Bring a piece of the reserve in, to a cell or to a place beside the game."""
        state, reserve = self._table.state, self.reserve()
        if not 0 <= index < len(reserve):
            raise CommandRefused("no-piece", "there is no such piece in the box", 404)
        piece, board = reserve[index], self._table.furniture.scene.board
        name = self._setting.new_name(piece)
        if cell is not None and (board is None or cell not in board.cells()):
            raise CommandRefused("no-cell", f"there is no cell {cell!r} on this table", 400)
        if cell is not None and state.on_cell(cell) is not None:
            raise CommandRefused("taken", f"there is a piece on {cell}: take that one off first")
        target = self._setting.put(name, piece, cell) if cell is not None else self._setting.apart(state, name, piece)
        self._do(Carry(name, target, fresh=True))

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
        board = self._table.furniture.scene.board
        if board is None:
            return None
        x, y = camera_of(self._table.furniture, state).to_table([[x_px, y_px]], board.thickness_mm)[0]
        return board.cell_under(float(x), float(y))

    def _loose(self, state: TableState, piece: Standing, x_px: float, y_px: float) -> Standing:
        """Beside the board or on a free table; over a pyramid that stands alone, on its tip."""
        x, y = (float(v) for v in camera_of(self._table.furniture, state).to_table([[x_px, y_px]])[0])
        moved = dataclasses.replace(piece, x_mm=x, y_mm=y, cell=None, nested_on=None)
        below = self._pyramid_at(state, piece, x, y)
        if below is not None:
            looks = self._table.furniture.looks
            same_pose = dataclasses.replace(piece.piece, pose=below.piece.pose)
            return nested(same_pose, piece.name, below, looks)
        apart = 30 if self._table.furniture.scene.board is not None else 0
        if any(o.name != piece.name and np.hypot(o.x_mm - x, o.y_mm - y) < apart for o in state.standing):
            raise CommandRefused("taken", "another piece stands there: let it go a little farther away")
        return self._setting.rested(state.without(piece.name), moved)

    @staticmethod
    def _pyramid_at(state: TableState, piece: Standing, x: float, y: float) -> Standing | None:
        """The top of the stack of pyramids under a place."""
        if piece.piece.kind != "pyramid" or piece.piece.size is None:
            return None
        carried = {piece.name, *(rider.name for rider in state.riders(piece.name))}
        under = [
            o
            for o in state.standing
            if o.name not in carried
            and o.piece.kind == "pyramid"
            and np.hypot(o.x_mm - x, o.y_mm - y) < 0.4 * PYRAMID_BASE_MM[o.piece.size or "small"]
            and not state.riders(o.name)
        ]
        return max(under, key=lambda o: o.z_mm, default=None)

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
            raise CommandRefused("taken", f"there is a piece on {cell}: take that one off first")
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

    def _place(self, state: TableState, piece: Standing, to: Standing, over: bool = False) -> None:
        """Carry a piece somewhere with what stands on it, as far as it can stay on."""
        keeps = to.piece.pose == piece.piece.pose
        riders = tuple(rider.name for rider in state.riders(piece.name)) if keeps else ()
        drops = self._setting.drops(state, piece, riders)
        self._do(Carry(piece.name, to, riders=riders, drops=drops, turned_over=over))

    def _do(self, carry: Carry) -> None:
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="hand at the virtual table", daemon=True)
                self._thread.start()
        try:
            self._queue.put_nowait(self._setting.grasped(carry))
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
