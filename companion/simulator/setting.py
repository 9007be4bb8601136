"""Layouts of a game as pieces on a virtual board, and what a hand has to do to get from one to the next."""

import dataclasses

import numpy as np

from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.simulator.carry import Carry
from companion.simulator.design import Furniture
from companion.simulator.khet_table import FACING_DEG, cell_at, stand_askew
from companion.simulator.state import Standing, TableState

SYMMETRIC = ("scarab", "eye")  # look the same turned by half
LIMBO_MM = 38.0  # between pieces that stand beside the board
LIMBO_ROWS = 6


class Setting:
    """Puts pieces of layouts on the cells of one board, askew as hands do, from a seed."""

    def __init__(self, furniture: Furniture, seed: int = 0) -> None:
        self.furniture = furniture
        self._rng = np.random.default_rng([seed, 41])
        self._named = 0

    def new_name(self, piece: Piece) -> str:
        """A name that no other piece of this table has."""
        self._named += 1
        return f"{piece.colour} {piece.kind} {self._named}"

    def state(self, layout: Layout) -> TableState:
        """The layout set up."""
        standing = []
        for lying in sorted(layout.pieces, key=lambda p: p.cell or ""):
            name = self.new_name(lying.piece)
            standing.append(self.put(name, lying.piece, lying.cell or "a1", count=lying.count))
        return TableState(tuple(standing))

    def put(
        self, name: str, piece: Piece, cell: str, heading_deg: float | None = None, count: int = 1, neat: bool = False
    ) -> Standing:
        """A piece on a cell. Without a facing it keeps the heading that it has."""
        board = self.furniture.board
        dx, dy, turn = (0.0, 0.0, 0.0) if neat else stand_askew(self._rng, board, self.furniture.style)
        x, y = board.cell_centre(*cell_at(cell), dx, dy)
        if piece.facing is None:
            heading = float(self._rng.integers(4) * 90) + board.rotation_deg if heading_deg is None else heading_deg
        else:
            heading = FACING_DEG[piece.facing] + board.rotation_deg
            if piece.kind in SYMMETRIC and heading_deg is not None and abs(_turned(heading, heading_deg)) > 90:
                heading += 180.0
        return Standing(name, piece, x, y, board.thickness_mm, heading + turn, cell, count)

    def beside(self, state: TableState, piece: Piece, name: str, count: int = 1) -> Standing:
        """A free place beside the board: silver's to the left, red's to the right."""
        board = self.furniture.board
        side = -1.0 if piece.colour == "silver" else 1.0
        taken = [(s.x_mm, s.y_mm) for s in state.standing if s.cell is None]
        for number in range(4 * LIMBO_ROWS):
            col, row = divmod(number, LIMBO_ROWS)
            x = board.x_mm + side * (board.size_mm[0] / 2 + 30.0 + col * LIMBO_MM)
            y = board.y_mm + (row - (LIMBO_ROWS - 1) / 2) * LIMBO_MM
            if all(abs(x - tx) + abs(y - ty) > 20 for tx, ty in taken):
                break
        jitter = self._rng.normal(0, 2.0, 2)
        heading = float(self._rng.uniform(0, 360))
        return Standing(name, piece, x + float(jitter[0]), y + float(jitter[1]), 0.0, heading, None, count)

    def work(self, state: TableState, wanted: Layout, mover: str | None = None) -> list[Carry]:
        """What a hand has to carry so that the board shows the layout; the piece on `mover` first."""
        return _Plan(self, state, wanted, mover).carries


class _Plan:
    """Compares cells, pairs pieces that left with pieces that are due, and orders the carrying."""

    def __init__(self, setting: Setting, state: TableState, wanted: Layout, mover: str | None) -> None:
        self._setting, self._state = setting, state
        self.carries: list[Carry] = []
        due = {lying.cell: lying for lying in wanted.pieces if lying.cell is not None}
        here = {s.cell: s for s in state.standing if s.cell is not None}
        self._turned_or_stacked(here, due)
        left = {c: s for c, s in here.items() if c not in due or not _same(s, due[c])}
        new = {c: w for c, w in due.items() if c not in here or not _same(here[c], w)}
        for cell in sorted(left, key=lambda c: (c != mover, c)):
            if cell in left:
                self._carry(left[cell], new, left)
        spare = {s.name: s for s in state.standing if s.cell is None}
        for cell, lying in new.items():
            fitting = next((s for s in spare.values() if _same(s, lying)), None)
            if fitting is not None:
                del spare[fitting.name]
                self._to_cell(fitting, lying, cell)

    def _turned_or_stacked(self, here: dict[str, Standing], due: dict[str, Lying]) -> None:
        for cell in sorted(here.keys() & due.keys()):
            standing, lying = here[cell], due[cell]
            if _kin(standing, lying) and standing.count > lying.count:
                self._unstack(standing, here, due)
            elif _same(standing, lying) and lying.piece.facing not in (None, standing.piece.facing):
                self._to_cell(standing, lying, cell)

    def _unstack(self, stack: Standing, here: dict[str, Standing], due: dict[str, Lying]) -> None:
        """The top of a stack goes to a cell that wants it, onto another obelisk, or beside the board."""
        name = self._setting.new_name(stack.piece)
        here[stack.cell or ""] = dataclasses.replace(stack, count=stack.count - 1)
        for cell, lying in due.items():
            there = here.get(cell)
            if there is None and lying.piece.kind == "obelisk" and lying.piece.colour == stack.piece.colour:
                target = self._setting.put(name, lying.piece, cell, stack.heading_deg)
                self.carries.append(Carry(name, target, split=stack.name))
                here[cell] = target
                return
            if there is not None and _kin(there, lying) and lying.count > there.count:
                self.carries.append(Carry(name, dataclasses.replace(there, name=name, count=1), there.name, stack.name))
                here[cell] = dataclasses.replace(there, count=lying.count)
                return
        self.carries.append(Carry(name, self._setting.beside(self._after(), stack.piece, name), split=stack.name))

    def _carry(self, standing: Standing, new: dict[str, Lying], left: dict[str, Standing]) -> None:
        """A piece goes to the cell that wants it (by way of the side when that is still taken), else off the board."""
        target = next((c for c, w in new.items() if _kin(standing, w) and standing.count == w.count), None)
        if target is None:
            stack = next((c for c, w in new.items() if _kin(standing, w) and w.count > standing.count), None)
            if stack is not None and stack in left:
                below = left[stack]
                self.carries.append(Carry(standing.name, dataclasses.replace(below, name=standing.name), below.name))
                del new[stack], left[stack]  # the lower one stays where it is
                return
            beside = self._setting.beside(self._after(), standing.piece, standing.name, standing.count)
            self.carries.append(Carry(standing.name, beside))
            return
        lying = new.pop(target)
        blocker = left.get(target)
        gone = {c.name for c in self.carries}
        if blocker is not None and blocker.name not in gone and blocker.name != standing.name:
            aside = self._setting.beside(self._after(), blocker.piece, blocker.name, blocker.count)
            self.carries.append(Carry(blocker.name, aside))
        self._to_cell(standing, lying, target)

    def _to_cell(self, standing: Standing, lying: Lying, cell: str) -> None:
        facing = lying.piece.facing or standing.piece.facing
        piece = dataclasses.replace(lying.piece, facing=facing)
        to = self._setting.put(standing.name, piece, cell, standing.heading_deg, standing.count)
        if lying.piece.facing is None:
            to = dataclasses.replace(to, heading_deg=standing.heading_deg)
        self.carries.append(Carry(standing.name, to))

    def _after(self) -> TableState:
        """The state with all carries so far done, to find a free place beside the board."""
        state = self._state
        for carry in self.carries:
            if carry.merge is None:
                state = state.with_piece(carry.to)
        return state


def _kin(standing: Standing, lying: Lying) -> bool:
    return (standing.piece.kind, standing.piece.colour) == (lying.piece.kind, lying.piece.colour)


def _same(standing: Standing, lying: Lying) -> bool:
    return _kin(standing, lying) and standing.count == lying.count


def _turned(a: float, b: float) -> float:
    return (a - b + 180) % 360 - 180
