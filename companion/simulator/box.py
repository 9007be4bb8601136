"""The box beside a virtual table: what can be brought in, and what is on the side of a piece that nobody sees."""

import dataclasses
from typing import Any

import numpy as np

from companion.pieces import SUITS, VALUES, Piece
from companion.simulator.state import Standing, TableState

ENDLESS = ("disc",)  # kinds of which there are always enough
OTHER_POSE = {"upright": "lying", "lying": "upright"}
OTHER_COLOUR = {"black": "white", "white": "black"}


class PieceBox:
    """Knows what every tile is whose face lies down: it is dealt when somebody turns it up."""

    def __init__(self, reserve: tuple[Piece, ...], seed: int = 0) -> None:
        self._reserve = reserve
        self._rng = np.random.default_rng([seed, 61])
        self._known: dict[str, Piece] = {}  # the face of a tile or coin that lies down, by its name
        self._gone: set[Piece] = set()  # tiles that left with their face up

    def reserve(self, state: TableState) -> tuple[Piece, ...]:
        """What is in the box: everything that is not on the table."""
        left = [_body(s.piece) for s in state.standing]
        found: list[Piece] = []
        for piece in self._reserve:
            if piece.kind not in ENDLESS and _body(piece) in left:
                left.remove(_body(piece))
            else:
                found.append(piece)
        return tuple(dict.fromkeys(found))

    def gone(self, standing: Standing) -> None:
        """A piece leaves the table."""
        if standing.piece.kind == "tile" and standing.piece.face == "front":
            self._gone.add(standing.piece)

    def other_side(self, standing: Standing) -> Piece | None:
        """What a piece shows once it is turned over, or stood up; None for a piece that has but one side."""
        piece = standing.piece
        if piece.kind == "disc" and piece.colour in OTHER_COLOUR:
            return dataclasses.replace(piece, colour=OTHER_COLOUR[piece.colour])
        if piece.kind == "pyramid" and piece.pose in OTHER_POSE:
            return dataclasses.replace(piece, pose=OTHER_POSE[piece.pose])
        if piece.kind == "tile":
            return self._other_of_tile(standing)
        if piece.kind == "coin":
            return self._other_of_coin(standing)
        return None

    def _other_of_tile(self, standing: Standing) -> Piece:
        if standing.piece.face == "front":
            self._known[standing.name] = standing.piece
            return Piece("tile", face="back")
        if standing.name not in self._known:
            taken = {*self._known.values(), *self._gone}
            deck = [Piece("tile", suit=s, value=v, face="front") for s in SUITS for v in VALUES]
            left = [tile for tile in deck if tile not in taken]
            self._known[standing.name] = left[int(self._rng.integers(len(left)))]
        return self._known[standing.name]

    def _other_of_coin(self, standing: Standing) -> Piece:
        now, name = standing.piece, standing.name
        other = "value" if now.face == "suit" else "suit"
        if name not in self._known:
            print_ = str(self._rng.choice(VALUES if other == "value" else SUITS))
            changes: dict[str, Any] = {"face": other, "suit": None, "value": None, other: print_}
            self._known[name] = dataclasses.replace(now, **changes)
        hidden, self._known[name] = self._known[name], now
        return hidden


def _body(piece: Piece) -> tuple[str | None, ...]:
    return (piece.kind, piece.colour, piece.size, piece.suit, piece.value)
