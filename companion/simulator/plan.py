"""What hands have to do so that a table shows a layout: one carry after the other, each found on the table so far."""

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.base import Layout, Lying
from companion.headings import turn_deg
from companion.pieces import Piece
from companion.simulator.carry import Carry, finished
from companion.simulator.solids import TURNED_OVER
from companion.simulator.state import Standing, TableState

if TYPE_CHECKING:
    from companion.simulator.setting import Setting

SPOT_MM = 9.0  # a piece so near to a wanted place stands there
BESIDE_MM = 24.0  # ... and a pawn somewhere on its tile, or what is stacked
TURN_DEG = 20.0  # a wanted heading that differs by more is not shown yet
CARRIES_MOST = 6  # for each piece of a layout: more would mean that hands go round in circles


def planned(setting: "Setting", state: TableState, wanted: Layout, mover: str | None) -> list[Carry]:
    """Carries that lead from the state to the layout; of pieces that go somewhere, the one on `mover` first."""
    carries: list[Carry] = []
    for _ in range(CARRIES_MOST * (len(wanted.pieces) + len(state.standing)) + 1):
        carry = _Comparison(setting, state, wanted, mover).next_carry()
        if carry is None:
            return carries
        carries.append(setting.grasped(carry))
        state = finished(state, [carries[-1]])
    raise RuntimeError(f"hands found no end: {', '.join(c.name for c in carries[-CARRIES_MOST:])} again and again")


@dataclass(frozen=True, slots=True)
class _Due:
    """A place that a layout wants filled: its name, by what, and what stands there now."""

    spot: str
    lying: Lying
    here: Standing | None
    carrier: str | None  # its `nested_on` as the name of the spot below

    @property
    def shown(self) -> bool:
        return self.here is not None and _shows(self.here, self.lying)


class _Comparison:
    """A table beside a layout."""

    def __init__(self, setting: "Setting", state: TableState, wanted: Layout, mover: str | None) -> None:
        self._setting, self._state = setting, state
        on_board = wanted.board is not None
        self._spare = [s for s in state.standing if on_board and s.cell is None]
        loose = [s for s in state.standing if not (on_board and s.cell is None)]
        self._due = dict(self._matched(wanted, loose))
        spots = {due.here.name: spot for spot, due in self._due.items() if due.here is not None}
        first = [s for s in loose if s.cell is not None and s.cell == mover]
        rest = sorted((s for s in loose if s not in first), key=lambda s: s.cell or "")
        self._astray = [s for s in (*first, *rest) if s.name not in spots or not self._due[spots[s.name]].shown]
        self._spots = spots

    def _matched(self, wanted: Layout, loose: list[Standing]) -> Iterator[tuple[str, _Due]]:
        """Every wanted place, with the piece that stands there."""
        by_cell = {s.cell: s for s in loose if s.cell is not None}
        here = self._on_free_places(wanted, [s for s in loose if s.cell is None])
        for index, lying in _from_below(wanted):
            carrier = None if lying.nested_on is None else f"#{lying.nested_on}"
            if lying.cell is not None and wanted.board is not None:
                yield lying.cell, _Due(lying.cell, lying, by_cell.get(lying.cell), carrier)
            else:
                yield f"#{index}", _Due(f"#{index}", lying, here.get(index), carrier)

    def _on_free_places(self, wanted: Layout, free: list[Standing]) -> dict[int, Standing]:
        """What stands where the layout wants something, by its number there: first what looks as it should."""
        here: dict[int, Standing] = {}
        for as_wanted in (True, False):
            for index, lying in _from_below(wanted):
                if index in here or (lying.cell is not None and wanted.board is not None):
                    continue
                at = self._setting.spot_mm(wanted.pieces[_bottom(wanted, index)])
                if lying.nested_on is not None and (below := here.get(lying.nested_on)) is not None:
                    at = (below.x_mm, below.y_mm)
                left = [s for s in free if s not in here.values() and (lying.piece.fits(s.piece) or not as_wanted)]
                if (nearest := self._nearest(left, lying, at, _level(wanted, index))) is not None:
                    here[index] = nearest
        return here

    def _nearest(self, free: list[Standing], lying: Lying, at: tuple[float, float], level: int) -> Standing | None:
        near = [
            (math.dist(at, (s.x_mm, s.y_mm)), s)
            for s in free
            if s.piece.kind == lying.piece.kind and self._level(s) == level
        ]
        loosely = lying.nested_on is not None or lying.piece.kind == "pawn"
        reach = BESIDE_MM if loosely else SPOT_MM
        best = min(near, key=lambda pair: pair[0], default=None)
        return best[1] if best is not None and best[0] < reach else None

    def _level(self, standing: Standing) -> int:
        """How many pyramids are below a piece."""
        below = next((s for s in self._state.standing if s.name == standing.nested_on), None)
        return 0 if below is None or below.piece.kind != "pyramid" else 1 + self._level(below)

    # --- the next thing to do ----------------------------------------------------------------------------------

    def next_carry(self) -> Carry | None:
        """The first of all that is still to be done; None when the table shows the layout."""
        for way in (self._unstacked, self._moved_as_it_is, self._changed_in_place, self._moved_and_changed):
            if carry := way():
                return carry
        return self._gone() or self._come()

    def _open(self) -> list[_Due]:
        """Places that do not show what they should and that can be filled: what carries them is right."""
        return [
            due for due in self._due.values() if not due.shown and (due.carrier is None or self._due[due.carrier].shown)
        ]

    def _moved_as_it_is(self) -> Carry | None:
        """A piece goes to a free place that wants just such a one; where two change places, one waits aside."""
        blocked: Standing | None = None
        for piece in self._astray:
            for due in self._open():
                if not _shows_look(piece, due.lying) or due.here is piece:
                    continue
                if due.here is None:
                    return self._to(piece, due)
                blocked = blocked or due.here
        return None if blocked is None else self._setting.taken_off(self._state, blocked)

    def _changed_in_place(self) -> Carry | None:
        """A piece is turned, or turned over, where it is."""
        for due in self._open():
            if due.here is not None and _kin(due.here, due.lying.piece) and due.here.count == due.lying.count:
                return self._to(due.here, due)
        return None

    def _moved_and_changed(self) -> Carry | None:
        """A piece goes to another place and shows something else there."""
        blocked: Standing | None = None
        for piece in self._astray:
            for due in self._open():
                if not _kin(piece, due.lying.piece) or due.here is piece:
                    continue
                if due.here is not None and _kin(due.here, due.lying.piece) and due.lying.count > due.here.count:
                    lower = due.here
                    return Carry(piece.name, dataclasses.replace(lower, name=piece.name, count=1), lower.name)
                if piece.count != due.lying.count:
                    continue
                if due.here is None:
                    return self._to(piece, due)
                blocked = blocked or due.here
        return None if blocked is None else self._setting.taken_off(self._state, blocked)

    def _gone(self) -> Carry | None:
        """What nobody wants is taken off, what stands on it first."""
        astray = sorted(self._astray, key=lambda s: -self._level(s))
        return self._setting.taken_off(self._state, astray[0]) if astray else None

    def _come(self) -> Carry | None:
        """What is missing comes from beside the board, or from outside the picture."""
        for due in self._open():
            fitting = next((s for s in self._spare if _kin(s, due.lying.piece) and s.count == due.lying.count), None)
            if fitting is not None:
                return self._to(fitting, due)
        for due in self._open():
            name = self._setting.new_name(due.lying.piece)
            return Carry(name, self._placed(name, due, None), fresh=True)
        return None

    # --- stacks of two that are one solid -----------------------------------------------------------------------

    def _unstacked(self) -> Carry | None:
        """The top of a stack goes to a cell that wants it, onto another such piece, or beside the board."""
        for due in self._due.values():
            stack = due.here
            if stack is None or not _kin(stack, due.lying.piece) or stack.count <= due.lying.count:
                continue
            name = self._setting.new_name(stack.piece)
            for other in self._due.values():
                there = other.here
                if there is None and _kin(stack, other.lying.piece):
                    return Carry(name, self._placed(name, other, stack.heading_deg), split=stack.name)
                if there is not None and _kin(there, other.lying.piece) and other.lying.count > there.count:
                    return Carry(name, dataclasses.replace(there, name=name, count=1), there.name, stack.name)
            return Carry(name, self._setting.beside(self._state, stack.piece, name), split=stack.name)
        return None

    # --- how -----------------------------------------------------------------------------------------------------

    def _to(self, piece: Standing, due: _Due) -> Carry:
        """The piece at the place, with what stands on it unless that is wanted where it is now."""
        target = self._placed(piece.name, due, piece.heading_deg, piece)
        going = {s.name for s in self._astray}
        stays = math.dist((piece.x_mm, piece.y_mm), (target.x_mm, target.y_mm)) < SPOT_MM
        riders = tuple(r.name for r in self._state.riders(piece.name) if stays or r.name in going)
        over = piece.piece.kind in TURNED_OVER and not _same_side(piece.piece, target.piece)
        drops = self._setting.drops(self._state, piece, riders)
        return Carry(piece.name, target, riders=riders, drops=drops, turned_over=over)

    def _placed(self, name: str, due: _Due, heading_deg: float | None, old: Standing | None = None) -> Standing:
        below = self._due[due.carrier].here if due.carrier is not None else None
        lying = due.lying
        if old is not None:  # what the layout leaves open stays as it is
            known = {k: v for k, v in old.piece.to_json().items() if getattr(lying.piece, k) is None}
            if _same_side(old.piece, lying.piece):
                lying = dataclasses.replace(lying, piece=dataclasses.replace(lying.piece, **known))
        state = self._state.without(name)
        placed = self._setting.place(state, name, lying, below.name if below else None, heading_deg)
        keeps = old is not None and placed.cell is not None and lying.piece.facing is None
        return dataclasses.replace(placed, heading_deg=old.heading_deg) if old is not None and keeps else placed


def _from_below(wanted: Layout) -> Iterator[tuple[int, Lying]]:
    """The layout's pieces, each after the one that carries it."""
    order = sorted(range(len(wanted.pieces)), key=lambda i: _level(wanted, i))
    return ((i, wanted.pieces[i]) for i in order)


def _level(wanted: Layout, index: int) -> int:
    below = wanted.pieces[index].nested_on
    return 0 if below is None else 1 + _level(wanted, below)


def _bottom(wanted: Layout, index: int) -> int:
    below = wanted.pieces[index].nested_on
    return index if below is None else _bottom(wanted, below)


def _kin(standing: Standing, piece: Piece) -> bool:
    """True if it can be the same body: whatever side lies up, whichever way it is turned."""
    one = standing.piece
    if one.kind != piece.kind:
        return False
    if one.kind in ("tile", "coin"):
        return one.face != piece.face or _same_side(one, piece)
    if one.kind in ("disc", "die"):
        return one.suit == piece.suit
    return (one.colour, one.size, one.suit) == (piece.colour, piece.size, piece.suit)


def _same_side(one: Piece, other: Piece) -> bool:
    return (one.colour, one.face, one.suit, one.value) == (other.colour, other.face, other.suit, other.value)


def _shows_look(standing: Standing, lying: Lying) -> bool:
    return lying.piece.fits(standing.piece) and standing.count == lying.count


def _shows(standing: Standing, lying: Lying) -> bool:
    """True if what stands at a place is what is wanted there."""
    if not _shows_look(standing, lying):
        return False
    if lying.heading_deg is None or (lying.piece.kind == "pyramid" and lying.piece.pose == "upright"):
        return True
    return abs(turn_deg(standing.heading_deg, lying.heading_deg)) <= TURN_DEG
