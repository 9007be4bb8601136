"""A hand at work: reaches in, takes a piece, carries or turns it, puts it down, goes away; frame by frame."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.headings import turn_deg
from companion.simulator.hands import SKINS, SLEEVES, arm_heading
from companion.simulator.state import HandPose, Standing, TableState

GRIP_MM = 24.0  # finger tips above the foot of the piece that they hold
LIFT_MM = 45.0  # how high a piece is carried
AWAY_MM = 560.0  # from the middle of the table, where a resting hand is out of sight
TURNING_MM = 30.0  # how high a piece is lifted to be turned over
OVER_MM = 70.0  # how high a hand comes in


@dataclass(frozen=True, slots=True)
class Player:
    """Where a player sits (angle of the seat on the table's rim) and what the arm looks like."""

    seat_deg: float
    skin: int = 2
    sleeve: int = 0
    left: bool = False

    @classmethod
    def random(cls, rng: np.random.Generator, seat_deg: float) -> "Player":
        """Somebody."""
        return cls(seat_deg, int(rng.integers(len(SKINS))), int(rng.integers(len(SLEEVES))), bool(rng.random() < 0.15))


@dataclass(frozen=True, slots=True)
class Tempo:
    """Frames of each part of a movement."""

    reach: int = 5
    grip: int = 2
    carry: int = 6
    leave: int = 5


SLOW = Tempo()
BRISK = Tempo(reach=2, grip=1, carry=2, leave=2)


@dataclass(frozen=True, slots=True)
class Carry:
    """One piece to be put somewhere, or turned where it is.

    `merge` names the piece that it is put on to make a stack of two, `split` takes the top of such a stack. `fresh`
    pieces come with the hand from outside the picture, those that `leave` go there. `riders` are carried along,
    `drops` is what the pieces become that lose what they stood on. `turned_over` shows the other side on the way.
    The finger tips are `grip_mm` above the foot and `edge_mm` from the middle, towards the player.
    """

    name: str
    to: Standing
    merge: str | None = None
    split: str | None = None
    fresh: bool = False
    leaves: bool = False
    riders: tuple[str, ...] = ()
    drops: tuple[Standing, ...] = ()
    turned_over: bool = False
    grip_mm: float = GRIP_MM
    edge_mm: float = 0.0


def carried(
    state: TableState, work: Sequence[Carry], player: Player, tempo: Tempo, rng: np.random.Generator
) -> Iterator[TableState]:
    """States while the work is done, one for each frame; the last has no hand in it."""
    sway = float(rng.normal(0, 5))
    at = _outside(player)
    for carry in work:
        end = _away(carry.to, player) if carry.leaves else carry.to
        if carry.fresh:
            for share in _steps(tempo.leave) if at != _outside(player) else []:
                yield state.with_hands(_hand(player, _between(at, _outside(player), share), sway, True))
            state, start = state.with_piece(_away(carry.to, player)), _away(carry.to, player)
        else:
            state, start = _taken_up(state, carry)
            above = _grip(start, carry, player)
            for share in _steps(tempo.reach):
                yield state.with_hands(_hand(player, _between(at, above, share), sway, True))
            for _ in range(tempo.grip):
                yield state.with_hands(_hand(player, above, sway, False))
        taken = {name: state.piece(name) for name in carry.riders}
        for share in _steps(tempo.carry):
            held = _moved(start, end, share, carry.turned_over)
            state = state.with_piece(held)
            for rider in taken.values():
                state = state.with_piece(_along(rider, start, held))
            yield state.with_hands(_hand(player, _grip(held, carry, player), sway, False))
        at = _grip(end, carry, player)
        state = _put_down(state, carry)
        if not carry.leaves:
            yield state.with_hands(_hand(player, at, sway, True))
    if at != _outside(player):
        for share in _steps(tempo.leave):
            yield state.with_hands(_hand(player, _between(at, _outside(player), share), sway, True))
    yield state.with_hands()


def finished(state: TableState, work: Sequence[Carry]) -> TableState:
    """The table once all the work is done, without any hand."""
    for carry in work:
        start = carry.to
        if carry.fresh:
            state = state.with_piece(carry.to)
        else:
            state, start = _taken_up(state, carry)
        for name in carry.riders:
            state = state.with_piece(_along(state.piece(name), start, carry.to))
        state = _put_down(state, carry)
    return state.with_hands()


def hovering(state: TableState, x_mm: float, y_mm: float, player: Player, frames: int) -> Iterator[TableState]:
    """A hand that comes, points at a place and goes without touching anything."""
    at, over = _outside(player), (x_mm, y_mm, OVER_MM)
    for share in _steps(max(2, frames // 3)):
        yield state.with_hands(_hand(player, _between(at, over, share), 0.0, True))
    for _ in range(max(1, frames // 3)):
        yield state.with_hands(_hand(player, over, 0.0, True))
    for share in _steps(max(2, frames // 3)):
        yield state.with_hands(_hand(player, _between(over, at, share), 0.0, True))
    yield state.with_hands()


def _taken_up(state: TableState, carry: Carry) -> tuple[TableState, Standing]:
    """The piece in the hand; of a stack only the top leaves its place."""
    for dropped in carry.drops:
        state = state.with_piece(dropped)
    if carry.split is None:
        start = state.piece(carry.name)
        return state.with_piece(dataclasses.replace(start, cell=None)), start
    stack = state.piece(carry.split)
    start = dataclasses.replace(stack, name=carry.name, cell=None, count=1, z_mm=stack.z_mm + GRIP_MM / 2)
    state = state.with_piece(dataclasses.replace(stack, count=stack.count - 1))
    return state.with_piece(start), start


def _put_down(state: TableState, carry: Carry) -> TableState:
    if carry.leaves:
        for name in (*carry.riders, carry.name):
            state = state.without(name)
        return state
    if carry.merge is None:
        return state.with_piece(carry.to)
    below = state.piece(carry.merge)
    return state.without(carry.name).with_piece(dataclasses.replace(below, count=below.count + carry.to.count))


def _along(rider: Standing, start: Standing, now: Standing) -> Standing:
    """What stands on a piece goes and turns with it."""
    turn = now.heading_deg - start.heading_deg
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = rider.x_mm - start.x_mm, rider.y_mm - start.y_mm
    return dataclasses.replace(
        rider,
        x_mm=now.x_mm + c * dx - s * dy,
        y_mm=now.y_mm + s * dx + c * dy,
        z_mm=rider.z_mm + now.z_mm - start.z_mm,
        heading_deg=rider.heading_deg + turn,
    )


def _away(piece: Standing, player: Player) -> Standing:
    """The piece in a hand that is out of sight."""
    x, y, z = _outside(player)
    return dataclasses.replace(piece, x_mm=x, y_mm=y, z_mm=z - GRIP_MM, cell=None, nested_on=None)


def _grip(piece: Standing, carry: Carry, player: Player) -> tuple[float, float, float]:
    """Where the finger tips are that hold a piece."""
    angle = math.radians(player.seat_deg)
    x, y = piece.x_mm + carry.edge_mm * math.cos(angle), piece.y_mm + carry.edge_mm * math.sin(angle)
    return x, y, piece.z_mm + carry.grip_mm


def _steps(count: int) -> list[float]:
    """Shares of a way, slow at both ends."""
    return [0.5 - 0.5 * math.cos(math.pi * (i + 1) / count) for i in range(count)]


def _between(a: tuple[float, float, float], b: tuple[float, float, float], share: float) -> tuple[float, float, float]:
    x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return x, y, z + OVER_MM * 0.6 * math.sin(math.pi * share)


def _moved(start: Standing, end: Standing, share: float, turned_over: bool) -> Standing:
    """On the way; what is turned over shows its other side from half way on."""
    turn = turn_deg(end.heading_deg, start.heading_deg)
    lift = LIFT_MM if math.hypot(end.x_mm - start.x_mm, end.y_mm - start.y_mm) > 15 else LIFT_MM * 0.25
    if turned_over:
        lift = max(lift, TURNING_MM)
    over = turned_over and share >= 0.5
    look = end if share >= 1.0 or over else start
    return dataclasses.replace(
        look,
        x_mm=start.x_mm + (end.x_mm - start.x_mm) * share,
        y_mm=start.y_mm + (end.y_mm - start.y_mm) * share,
        z_mm=start.z_mm + (end.z_mm - start.z_mm) * share + lift * math.sin(math.pi * share),
        heading_deg=start.heading_deg + turn * share,
        cell=None,
        nested_on=None,
        pitch_deg=180.0 * (share - over) if turned_over and share < 1.0 else 0.0,
    )


def _outside(player: Player) -> tuple[float, float, float]:
    angle = math.radians(player.seat_deg)
    return AWAY_MM * math.cos(angle), AWAY_MM * math.sin(angle), OVER_MM


def _hand(player: Player, at: tuple[float, float, float], sway: float, opened: bool) -> HandPose:
    heading = arm_heading(player.seat_deg, at[0], at[1], sway)
    return HandPose(at[0], at[1], at[2], heading, player.skin, player.sleeve, player.left, opened)
