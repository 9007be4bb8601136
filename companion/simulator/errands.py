"""What a person asks of the virtual table, carried out by a hand: put there, turn, throw, take off, bring, knock."""

import contextlib
import dataclasses
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from calibration.table import CameraPose
from companion.errors import CommandRefused
from companion.pieces import PYRAMID_BASE_MM, Piece, spoken
from companion.simulator.box import PieceBox, die_faces
from companion.simulator.carry import Carry, Player, Tempo, carried, finished
from companion.simulator.design import camera_of
from companion.simulator.room import in_the_way
from companion.simulator.setting import Setting
from companion.simulator.solids import TURNED_OVER, nested
from companion.simulator.state import Standing, TableState
from companion.simulator.world import VirtualTable

log = logging.getLogger(__name__)

TEMPO = Tempo(reach=3, grip=1, carry=3, leave=3)
WAITING_MAX = 4  # errands in the queue; more are refused


class OtherHands(Protocol):
    """Hands that play at the same table, and leave it to whoever reaches for a piece."""

    @property
    def at_work(self) -> bool:
        """True while they play."""

    def give_way(self) -> bool:
        """Put down what they hold and stop; True once they have."""


class Errands:
    """A hand that does what it is told, one errand after the other, in a thread of its own.

    What is asked is weighed against the table as it will be once all that was asked before is done.
    """

    def __init__(self, table: VirtualTable, seed: int = 0, tempo: Tempo = TEMPO) -> None:
        self._table, self._tempo = table, tempo
        self.others: OtherHands | None = None
        self._setting = Setting(table.furniture, seed)
        self._box = PieceBox(table.design.reserve, seed)
        self._rng = np.random.default_rng([seed, 53])
        self._queue: queue.Queue[Carry] = queue.Queue(WAITING_MAX)
        self._thread: threading.Thread | None = None
        self._guard = threading.RLock()
        self._ahead: TableState | None = None  # once all that was asked is done; None when nothing is
        self._due = 0

    @property
    def others_at_work(self) -> bool:
        """True while other hands play at this table."""
        return self.others is not None and self.others.at_work

    # --- what can be asked; CommandRefused says why not ---------------------------------------------------------

    def move(self, name: str, x_px: float, y_px: float, heading_deg: float | None = None) -> None:
        """Carry a piece to where a finger let it go in the picture: onto a cell, or beside the board.

        A free piece points the way that is told, else as it did.
        """
        with self._turn() as state:
            piece = _pointing(self._piece(state, name), heading_deg)
            self._in_picture(x_px, y_px)
            cell = self._cell_at(x_px, y_px)
            if cell is not None:
                self._to_cell(state, piece, cell)
                return
            x, y = (float(v) for v in self._camera().to_table([[x_px, y_px]])[0])
            self._place(state, piece, self._loose(state, piece, x, y))

    def move_to_place(self, name: str, x_mm: float, y_mm: float, heading_deg: float | None = None) -> None:
        """Carry a piece to a place of the table in millimetres from its middle, as a keyboard does."""
        self.move(name, *self._pixel(x_mm, y_mm), heading_deg)

    def move_to_cell(self, name: str, cell: str) -> None:
        """Carry a piece to a cell by its name, as a keyboard does."""
        board = self._table.furniture.scene.board
        if board is None or cell not in board.cells():
            raise CommandRefused("no-cell", f"there is no cell {cell!r} on this table", 400)
        with self._turn() as state:
            self._to_cell(state, self._piece(state, name), cell)

    def turn(self, name: str, quarters: float) -> None:
        """Turn a piece where it stands, clockwise for positive quarters, and by parts of a quarter, too."""
        with self._turn() as state:
            piece = self._piece(state, name)
            if not 0 < abs(quarters) <= 2:
                raise CommandRefused("turn", "a piece is turned by up to two quarters at a time", 400)
            heading = piece.heading_deg - 90 * quarters
            turned = dataclasses.replace(piece.piece, facing=self._setting.facing(piece.piece, heading))
            self._place(state, piece, dataclasses.replace(piece, piece=turned, heading_deg=heading))

    def turn_over(self, name: str) -> None:
        """Show a disc's, tile's or coin's other side; stand a lying pyramid up, or lay it down."""
        with self._turn() as state:
            piece = self._piece(state, name)
            other = self._other_side(piece, state)
            if piece.nested_on is not None and piece.piece.kind == "pyramid":
                raise CommandRefused("stacked", "take the pyramid off the other one first")
            over = piece.piece.kind in TURNED_OVER
            self._place(state, piece, dataclasses.replace(piece, piece=other), over)

    def throw(self, name: str) -> None:
        """Throw a die: it lies where it fell, and shows any of its faces."""
        with self._turn() as state:
            die = self._die(state, name)
            self._do(Carry(name, self._room_for(self._setting.fallen(state, name, self._box.thrown(die.piece)))))

    def show_face(self, name: str, value: str) -> None:
        """Turn a die where it lies, to the face with this value."""
        with self._turn() as state:
            die = self._die(state, name)
            if value not in (faces := die_faces(die.piece)):
                raise CommandRefused("no-face", f"this die shows {', '.join(faces)}", 400)
            self._place(state, die, dataclasses.replace(die, piece=dataclasses.replace(die.piece, value=value)))

    def take_off(self, name: str) -> None:
        """Take a piece (of a stack: the top one) off the board, or off a table that has none."""
        with self._turn() as state:
            piece = self._piece(state, name)
            if piece.cell is None and self._table.furniture.scene.board is not None and self._table.design.beside:
                raise CommandRefused("off-already", "this piece stands beside the board already")
            if piece.count > 1:
                self._do(self._from(state, piece, lambda new: self._setting.beside(state, piece.piece, new)))
                return
            carry = self._setting.taken_off(state, piece)
            self._do(carry)
            for left in (carry.name, *carry.riders) if carry.leaves else ():
                self._box.gone(state.piece(left))

    def reserve(self) -> tuple[Piece, ...]:
        """The pieces that can be brought in from outside the picture."""
        with self._guard:
            return self._box.reserve(self._asked())

    def bring(
        self,
        piece: Piece,
        cell: str | None = None,
        at_mm: tuple[float, float] | None = None,
        heading_deg: float | None = None,
        over: bool = False,
    ) -> None:
        """Bring a piece of the reserve in, to a cell, to a place of a free table, or to one beside the game.

        With `over` it shows its other side at once: a pyramid that is laid down has not stood before. A die is thrown.
        """
        board = self._table.furniture.scene.board
        if cell is not None and (board is None or cell not in board.cells()):
            raise CommandRefused("no-cell", f"there is no cell {cell!r} on this table", 400)
        if at_mm is not None and board is not None:
            raise CommandRefused("no-place", "name the cell: this table has a board", 400)
        with self._turn() as state:
            if piece not in self._box.reserve(state):
                raise CommandRefused("no-piece", "there is no such piece in the box", 404)
            if cell is not None and state.on_cell(cell) is not None:
                raise CommandRefused("taken", f"there is a piece on {cell}: take that one off first")
            name = self._box.name_of(piece) or self._new_name(state, piece)
            shown = self._box.thrown(piece) if die_faces(piece) else piece
            shown = self._other_side(Standing(name, piece, 0.0, 0.0, 0.0, 0.0), state) if over else shown
            self._do(Carry(name, self._brought(state, name, shown, cell, at_mm, heading_deg), fresh=True))
            self._box.back(name)

    def _brought(
        self,
        state: TableState,
        name: str,
        piece: Piece,
        cell: str | None,
        at_mm: tuple[float, float] | None,
        heading_deg: float | None,
    ) -> Standing:
        """Where a piece of the reserve comes to stand."""
        if cell is not None:
            return self._setting.put(name, piece, cell)
        if at_mm is not None:
            self._in_picture(*self._pixel(*at_mm))
            there = self._loose(state, Standing(name, piece, *at_mm, 0.0, heading_deg or 0.0), *at_mm)
            self._with_room(state, there)
            return there
        return _pointing(self._room_for(self._setting.apart(state, name, piece)), heading_deg)

    @staticmethod
    def _room_for(target: Standing | None) -> Standing:
        if target is None:
            raise CommandRefused("no-room", "there is no free place left: put other pieces closer together first")
        return target

    def nudge(self) -> None:
        """Knock against the camera."""
        with self._turn():
            self._table.change(lambda state: dataclasses.replace(state, nudges=state.nudges + 1))

    def wait(self) -> None:
        """Until everything that was asked for is done."""
        self._queue.join()

    # --- how it is done -----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _turn(self) -> Iterator[TableState]:
        """The table as it will be when what is asked now is begun; nobody else asks meanwhile."""
        if self.others is not None and not self.others.give_way():
            raise CommandRefused("busy", "the other hands are still busy: wait a moment", 429)
        with self._guard:
            yield self._asked()

    def _asked(self) -> TableState:
        return self._table.state if self._ahead is None else self._ahead

    def _in_picture(self, x_px: float, y_px: float) -> None:
        if not (0 <= x_px <= self._table.design.width and 0 <= y_px <= self._table.design.height):
            raise CommandRefused("outside", "that is outside the picture: let the piece go inside it")

    def _other_side(self, piece: Standing, state: TableState) -> Piece:
        other = self._box.other_side(piece, state)
        if other is None:
            raise CommandRefused("one-sided", f"a {spoken(piece.piece.kind)} has no other side to show")
        return other

    def _pixel(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where the camera sees a place of the table."""
        x_px, y_px = self._camera().project([[x_mm, y_mm, 0.0]])[0]
        return float(x_px), float(y_px)

    def _camera(self) -> CameraPose:
        """The camera as it hangs now: fingers point into its picture."""
        return camera_of(self._table.furniture, self._table.state)

    def _new_name(self, state: TableState, piece: Piece) -> str:
        """A name that no piece has: those of the set-up were not given by this hand."""
        taken = {standing.name for standing in state.standing}
        return next(name for name in iter(lambda: self._setting.new_name(piece), "") if name not in taken)

    def _piece(self, state: TableState, name: str) -> Standing:
        try:
            return state.piece(name)
        except KeyError:
            raise CommandRefused("no-piece", f"there is no piece {name!r} on this table", 404) from None

    def _die(self, state: TableState, name: str) -> Standing:
        die = self._piece(state, name)
        if not die_faces(die.piece):
            raise CommandRefused("no-die", f"a {spoken(die.piece.kind)} is no die")
        return die

    def _cell_at(self, x_px: float, y_px: float) -> str | None:
        board = self._table.furniture.scene.board
        if board is None:
            return None
        x, y = self._camera().to_table([[x_px, y_px]], board.thickness_mm)[0]
        return board.cell_under(float(x), float(y))

    def _loose(self, state: TableState, piece: Standing, x: float, y: float) -> Standing:
        """Beside the board or on a free table; over a pyramid that stands alone, on its tip."""
        moved = dataclasses.replace(piece, x_mm=x, y_mm=y, cell=None, nested_on=None)
        below = self._pyramid_at(state, piece, x, y)
        if below is not None:
            looks = self._table.furniture.looks
            same_pose = dataclasses.replace(piece.piece, pose=below.piece.pose)
            return nested(same_pose, piece.name, below, looks)
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
            self._do(self._from(state, piece, lambda new: self._setting.put(new, piece.piece, cell, piece.heading_deg)))
            return
        same = there.piece.kind == piece.piece.kind == "obelisk" and there.piece.colour == piece.piece.colour
        if not same or there.count > 1:
            raise CommandRefused("taken", f"there is a piece on {cell}: take that one off first")
        self._do(self._onto(state, piece, there))

    def _onto(self, state: TableState, piece: Standing, there: Standing) -> Carry:
        if piece.count == 1:
            return Carry(piece.name, dataclasses.replace(there, name=piece.name, count=1), there.name)
        new = self._new_name(state, piece.piece)
        return Carry(new, dataclasses.replace(there, name=new, count=1), there.name, piece.name)

    def _from(self, state: TableState, piece: Standing, target: Callable[[str], Standing]) -> Carry:
        """The carry of a piece, or of the top of a stack."""
        if piece.count == 1:
            return Carry(piece.name, dataclasses.replace(target(piece.name), count=piece.count))
        new = self._new_name(state, piece.piece)
        return Carry(new, target(new), split=piece.name)

    def _place(self, state: TableState, piece: Standing, to: Standing, over: bool = False) -> None:
        """Carry a piece somewhere with what stands on it, as far as it can stay on."""
        self._with_room(state, to)
        keeps = to.piece.pose == piece.piece.pose
        riders = tuple(rider.name for rider in state.riders(piece.name)) if keeps else ()
        drops = self._setting.drops(state, piece, riders)
        self._do(Carry(piece.name, to, riders=riders, drops=drops, turned_over=over))

    def _with_room(self, state: TableState, to: Standing) -> None:
        if to.cell is None and in_the_way(state, to, self._table.furniture.looks) is not None:
            raise CommandRefused("taken", "another piece is in the way there: let it go a little farther away")

    def _do(self, carry: Carry) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="hand at the virtual table", daemon=True)
            self._thread.start()
        carry = self._setting.grasped(carry)
        ahead = finished(self._asked(), [carry])
        try:
            self._queue.put_nowait(carry)
        except queue.Full:
            raise CommandRefused("busy", "the hand is still busy: wait a moment", 429) from None
        self._ahead, self._due = ahead, self._due + 1

    def _work(self) -> None:
        while True:
            carry = self._queue.get()
            try:
                self._carry(carry)
            except KeyError:
                log.info("%s had gone before the hand came", carry.name)
            finally:
                with self._guard:
                    self._due -= 1
                    self._ahead = self._ahead if self._due else None
                self._queue.task_done()

    def _carry(self, carry: Carry) -> None:
        seat = -90.0 if carry.to.y_mm < 0 else 90.0
        before = self._table.state
        pause = threading.Event()
        for state in carried(before, [carry], Player.random(self._rng, seat), self._tempo, self._rng):
            self._show(state)
            pause.wait(1.0 / self._table.design.fps)
        self._show(finished(before, [carry]))

    def _show(self, state: TableState) -> None:
        """The table shows this; a knock against the camera meanwhile stays."""
        self._table.change(lambda now: dataclasses.replace(state, nudges=now.nudges))


def _pointing(piece: Standing, heading_deg: float | None) -> Standing:
    """A free piece that points that way, if one is told; what stands on a cell faces as it does."""
    if heading_deg is None or piece.cell is not None:
        return piece
    return dataclasses.replace(piece, heading_deg=heading_deg)
