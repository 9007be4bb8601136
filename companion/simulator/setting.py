"""Layouts of a game as pieces on a virtual table, put down as hands do: on cells or free, a little askew."""

import dataclasses
import math

import numpy as np

from companion.games.base import Layout, Lying
from companion.headings import turn_deg
from companion.pieces import COIN_DIAMETER_MM, KHET_FACINGS, PAWN_WIDTH_MM, TILE_SIDE_MM, Piece
from companion.simulator.carry import Carry
from companion.simulator.design import Furniture
from companion.simulator.khet_table import FACING_DEG, stand_askew
from companion.simulator.plan import planned
from companion.simulator.sheets import CARD_MM
from companion.simulator.solids import height_mm, nested
from companion.simulator.state import Standing, TableState

SYMMETRIC = ("scarab", "eye")  # look the same turned by half
LIMBO_MM = 38.0  # between pieces that stand beside the board
LIMBO_ROWS = 6
FREE_MM, FREE_DEG = 0.35, 0.8  # how far from its place a piece comes to lie on a free table (standard deviation)
FREE_MOST = 2.0  # ... and at most, in standard deviations
GRIP_SHARE = 0.8  # of a piece's height: where fingers hold it
APART_MM = 55.0  # between a piece that is brought in, or thrown, and all others
ROLLED_MM = 60.0  # a die that is thrown comes to lie so far from where it lay, at least ...
ROLLED_PLACES = 12  # ... on one of so many free places
OFF_MIDDLE_MM = 12.0  # pawns are put beside the sign in the middle of their tile
CARRIERS = ("tile", "coin")  # flat pieces on which others are put


class Setting:
    """Puts pieces of layouts on one table, askew as hands do, from a seed."""

    def __init__(self, furniture: Furniture, seed: int = 0) -> None:
        self.furniture = furniture
        self._rng = np.random.default_rng([seed, 41])
        self._named = 0

    def new_name(self, piece: Piece) -> str:
        """A name that no other piece of this table has."""
        self._named += 1
        return " ".join(word for word in (piece.colour or piece.suit, piece.kind, str(self._named)) if word)

    def state(self, layout: Layout) -> TableState:
        """The layout set up."""
        order = sorted(range(len(layout.pieces)), key=lambda i: layout.pieces[i].cell or "")
        names: dict[int, str] = {}
        state = TableState()
        while len(names) < len(order):
            for index in order:
                lying = layout.pieces[index]
                ready = lying.nested_on is None or lying.nested_on in names
                if index not in names and ready:
                    names[index] = self.new_name(lying.piece)
                    below = names[lying.nested_on] if lying.nested_on is not None else None
                    state = state.with_piece(self.place(state, names[index], lying, below))
        return state

    def place(
        self,
        state: TableState,
        name: str,
        lying: Lying,
        below: str | None = None,
        heading_deg: float | None = None,
        neat: bool = False,
    ) -> Standing:
        """A piece where a layout wants it. What the layout leaves open stays as it is (`heading_deg`).

        `below` names the pyramid that it is put over; on tiles and coins a piece is put by itself.
        """
        if below is not None:
            return nested(lying.piece, name, state.piece(below), self.furniture.looks)
        if lying.cell is not None and self.furniture.scene.board is not None:
            return self.put(name, lying.piece, lying.cell, heading_deg, lying.count, neat)
        x, y = self.spot_mm(lying)
        heading = lying.heading_deg
        if heading is None:
            heading = heading_deg if heading_deg is not None else self._any_heading(lying.piece)
        if not neat:
            dx, dy, turn = np.clip(self._rng.normal(0, 1, 3), -FREE_MOST, FREE_MOST) * (FREE_MM, FREE_MM, FREE_DEG)
            x, y, heading = x + float(dx), y + float(dy), heading + float(turn)
        if lying.piece.kind == "pawn":
            x, y = _beside_the_sign(state, x, y)
        return self.rested(state, Standing(name, lying.piece, x, y, 0.0, heading, None, lying.count))

    def spot_mm(self, lying: Lying) -> tuple[float, float]:
        """Where on a free table a piece is wanted; what is only shown to all is held to one side."""
        if lying.x_mm is None or lying.y_mm is None:
            return self.furniture.design.shown_mm
        return lying.x_mm, lying.y_mm

    def put(
        self, name: str, piece: Piece, cell: str, heading_deg: float | None = None, count: int = 1, neat: bool = False
    ) -> Standing:
        """A piece on a cell. Without a facing it keeps the heading that it has."""
        board = self.furniture.board
        foot = self.furniture.looks.discs.diameter_mm if piece.kind == "disc" else self.furniture.style.foot_mm
        dx, dy, turn = (0.0, 0.0, 0.0) if neat else stand_askew(self._rng, board.cell_mm, foot)
        x, y = board.middle_of(cell, dx, dy)
        if piece.facing is None:
            heading = float(self._rng.integers(4) * 90) + board.rotation_deg if heading_deg is None else heading_deg
        else:
            heading = FACING_DEG[piece.facing] + board.rotation_deg
            if piece.kind in SYMMETRIC and heading_deg is not None and abs(turn_deg(heading, heading_deg)) > 90:
                heading += 180.0
        return Standing(name, piece, x, y, board.thickness_mm, heading + turn, cell, count)

    def facing(self, piece: Piece, heading_deg: float) -> str | None:
        """The facing that a piece with this heading is nearest to; of two just as near the one that it has."""

        def off(facing: str) -> float:
            away = abs(turn_deg(FACING_DEG[facing] + self.furniture.board.rotation_deg, heading_deg))
            return min(away, 180.0 - away) if piece.kind in SYMMETRIC else away

        facings = KHET_FACINGS.get(piece.kind, ())
        own = piece.facing
        return min((own, *facings), key=off) if own in facings else own

    def rested(self, state: TableState, piece: Standing) -> Standing:
        """The piece at its height: on the table, or on the tile or coin below it."""
        if piece.piece.kind in ("tile", "robot_card"):
            return dataclasses.replace(piece, z_mm=0.0, nested_on=None)
        others = [s for s in state.standing if s.name != piece.name]
        board = self.furniture.scene.board
        floor = board.thickness_mm if board is not None and piece.cell is not None else 0.0
        carrier = max((o for o in others if _lies_under(o, piece)), key=lambda o: o.z_mm, default=None)
        if carrier is None:
            return dataclasses.replace(piece, z_mm=floor, nested_on=None)
        high = carrier.z_mm + height_mm(carrier.piece, self.furniture.looks)
        return dataclasses.replace(piece, z_mm=high, nested_on=carrier.name)

    def beside(self, state: TableState, piece: Piece, name: str, count: int = 1) -> Standing:
        """A free place beside the board: silver's to the left, red's to the right."""
        board = self.furniture.board
        side = -1.0 if piece.colour in ("silver", "black") else 1.0
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

    def apart(self, state: TableState, name: str, piece: Piece) -> Standing | None:
        """A free place to one side of the game, for a piece that is brought in; None where there is none left."""
        if self.furniture.scene.board is not None:
            return self.beside(state, piece, name)
        taken = [(s.x_mm, s.y_mm) for s in state.standing]
        free = (place for place in self._places() if all(math.dist(place, there) >= APART_MM for there in taken))
        at = next(free, None)
        if at is None:
            return None
        return self.rested(state, Standing(name, piece, *at, 0.0, self._any_heading(piece)))

    def fallen(self, state: TableState, name: str, die: Piece) -> Standing | None:
        """Where a thrown die comes to lie, turned anyhow; None where there is no room."""
        lay = [(s.x_mm, s.y_mm) for s in state.standing if s.name == name]
        taken = [(s.x_mm, s.y_mm) for s in state.standing if s.name != name]
        free = [
            place
            for place in self._places()
            if all(math.dist(place, there) >= APART_MM for there in taken)
            and all(math.dist(place, there) >= ROLLED_MM for there in lay)
        ]
        if not free:
            return None
        at = free[int(self._rng.integers(min(len(free), ROLLED_PLACES)))]
        return self.rested(state.without(name), Standing(name, die, *at, 0.0, self._any_heading(die)))

    def _places(self) -> list[tuple[float, float]]:
        """Places on the part of a free table that is played on: from where things are shown to the right, then rows."""
        design = self.furniture.design
        x, y = design.shown_mm
        wide, high = (side / 2 for side in design.room_mm)
        step = APART_MM / 2
        columns = [x + i * step for i in range(int(-(wide + x) // step) + 1, int((wide - x) // step) + 1)]
        rows = [y + i * step for i in range(int(-(high + y) // step) + 1, int((high - y) // step) + 1)]
        places = [(column, row) for column in columns for row in rows]
        return sorted(places, key=lambda place: (abs(place[1] - y), place[0] < x, abs(place[0] - x)))

    def taken_off(self, state: TableState, piece: Standing) -> Carry:
        """A piece (with what stands on it) goes beside the board, or out of the picture where the game has no such."""
        if self.furniture.design.beside and self.furniture.scene.board is not None:
            return self.grasped(Carry(piece.name, self.beside(state, piece.piece, piece.name, piece.count)))
        riders = tuple(r.name for r in state.riders(piece.name) if piece.piece.kind not in CARRIERS)
        return self.grasped(
            Carry(piece.name, piece, leaves=True, riders=riders, drops=self.drops(state, piece, riders))
        )

    def drops(self, state: TableState, piece: Standing, riders: tuple[str, ...]) -> tuple[Standing, ...]:
        """What stands on a piece and does not go with it, at the height that it then has."""
        left = [r for r in state.riders(piece.name) if r.name not in riders]
        without = state.without(piece.name)
        found: list[Standing] = []
        for rider in left:
            dropped = self.rested(without, rider)
            found.append(dropped)
            without = without.with_piece(dropped)
        return tuple(found)

    def grasped(self, carry: Carry) -> Carry:
        """The carry with the fingers where they hold this piece."""
        grip = GRIP_SHARE * height_mm(carry.to.piece, self.furniture.looks)
        wide = {"tile": TILE_SIDE_MM, "robot_card": CARD_MM[1]}.get(carry.to.piece.kind, 0.0)
        return dataclasses.replace(carry, grip_mm=grip, edge_mm=0.42 * wide)

    def work(self, state: TableState, wanted: Layout, mover: str | None = None) -> list[Carry]:
        """What a hand has to carry so that the table shows the layout; the piece on `mover` first."""
        return planned(self, state, wanted, mover)

    def _any_heading(self, piece: Piece) -> float:
        """Tiles, cards and upright pyramids are laid square to the table, everything else anyhow."""
        if piece.kind == "pyramid" and piece.pose != "lying":
            return 0.0
        if piece.kind in ("tile", "robot_card"):
            return float(self._rng.integers(4) * 90)
        return float(self._rng.uniform(0, 360))


def _lies_under(other: Standing, piece: Standing) -> bool:
    """True if `other` is a tile or a coin below the middle of the piece."""
    if other.piece.kind not in CARRIERS or other.pitch_deg or other.piece.kind == piece.piece.kind == "tile":
        return False
    dx, dy = piece.x_mm - other.x_mm, piece.y_mm - other.y_mm
    if other.piece.kind == "coin":
        return piece.piece.kind == "coin" and math.hypot(dx, dy) < COIN_DIAMETER_MM * 0.8
    c, s = math.cos(math.radians(other.heading_deg)), math.sin(math.radians(other.heading_deg))
    return max(abs(c * dx + s * dy), abs(c * dy - s * dx)) < TILE_SIDE_MM / 2


def _beside_the_sign(state: TableState, x: float, y: float) -> tuple[float, float]:
    """The quarter of a tile on which a pawn is put: the first that no other pawn has."""
    pawns = [(s.x_mm, s.y_mm) for s in state.standing if s.piece.kind == "pawn"]
    quarters = [(x + dx * OFF_MIDDLE_MM, y + dy * OFF_MIDDLE_MM) for dx, dy in ((1, -1), (-1, -1), (1, 1), (-1, 1))]
    free = (q for q in quarters if all(math.dist(q, pawn) > PAWN_WIDTH_MM for pawn in pawns))
    return next(free, quarters[0])
