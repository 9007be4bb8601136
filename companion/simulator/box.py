"""The box beside a virtual table: what can be brought in, how dice fall, and what is on a side that nobody sees."""

import dataclasses
from typing import Any

import numpy as np

from companion.pieces import SUITS, VALUES, Piece
from companion.simulator.state import Standing, TableState

ENDLESS = ("disc",)  # kinds of which there are always enough
OTHER_POSE = {"upright": "lying", "lying": "upright"}
POSE_WORDS = {"upright": "Lay down", "lying": "Stand up"}
OTHER_COLOUR = {"black": "white", "white": "black"}
PIPS = ("1", "2", "3", "4", "5", "6")


class PieceBox:
    """Knows what every tile is whose face lies down: it is dealt when somebody turns it up."""

    def __init__(self, reserve: tuple[Piece, ...], seed: int = 0) -> None:
        self._reserve = reserve
        self._rng = np.random.default_rng([seed, 61])
        self._known: dict[str, Piece] = {}  # the face of a tile, by its name
        self._coins: dict[str, dict[str, Piece]] = {}  # the sides of a coin, by its name
        self._left: dict[str, Piece] = {}  # what left the table, by its name

    def reserve(self, state: TableState) -> tuple[Piece, ...]:
        """What is in the box: everything that is not on the table, and what was taken off it."""
        left = [_body(s.piece) for s in state.standing]
        found: list[Piece] = []
        for piece in self._reserve:
            if piece.kind not in ENDLESS and _body(piece) in left:
                left.remove(_body(piece))
            else:
                found.append(piece)
        own = {_body(piece) for piece in self._reserve}
        return tuple(dict.fromkeys(found + [piece for piece in self._left.values() if _body(piece) not in own]))

    def gone(self, standing: Standing) -> None:
        """A piece leaves the table."""
        self._left[standing.name] = _unthrown(standing.piece)

    def name_of(self, piece: Piece) -> str | None:
        """The name of the piece of this look that left the table last, for it to come back as what it was."""
        return next((name for name, left in reversed(self._left.items()) if left == piece), None)

    def back(self, name: str) -> None:
        """A piece comes back to the table."""
        self._left.pop(name, None)

    def other_side(self, standing: Standing, state: TableState) -> Piece | None:
        """What a piece shows once it is turned over, or stood up; None for a piece that has but one side."""
        piece = standing.piece
        if piece.kind == "disc" and piece.colour in OTHER_COLOUR:
            return dataclasses.replace(piece, colour=OTHER_COLOUR[piece.colour])
        if piece.kind == "pyramid" and piece.pose in OTHER_POSE:
            return dataclasses.replace(piece, pose=OTHER_POSE[piece.pose])
        if piece.kind == "tile":
            return self._other_of_tile(standing, state)
        if piece.kind == "coin":
            return self._other_of_coin(standing)
        return None

    def thrown(self, die: Piece) -> Piece:
        """A die as it falls: any of its faces up."""
        return dataclasses.replace(die, value=str(self._rng.choice(die_faces(die))))

    def _other_of_tile(self, standing: Standing, state: TableState) -> Piece:
        if standing.piece.face == "front":
            self._known[standing.name] = standing.piece
            return Piece("tile", face="back")
        if standing.name not in self._known:
            taken = {*self._known.values(), *self._left.values(), *(s.piece for s in state.standing)}
            deck = [Piece("tile", suit=s, value=v, face="front") for s in SUITS for v in VALUES]
            left = [tile for tile in deck if tile not in taken]
            left = left or deck  # more tiles than a deck has
            self._known[standing.name] = left[int(self._rng.integers(len(left)))]
        return self._known[standing.name]

    def _other_of_coin(self, standing: Standing) -> Piece:
        """What is on a coin's other side; asking changes nothing, for the hand may yet be refused."""
        now, other = standing.piece, "value" if standing.piece.face == "suit" else "suit"
        sides = self._coins.setdefault(standing.name, {})
        if other not in sides:
            print_ = str(self._rng.choice(VALUES if other == "value" else SUITS))
            changes: dict[str, Any] = {"face": other, "suit": None, "value": None, other: print_}
            sides[other] = dataclasses.replace(now, **changes)
        sides[str(now.face)] = now
        return sides[other]


def die_faces(piece: Piece) -> tuple[str, ...]:
    """The values that a die can show, a piecepack's or one with pips; () for all else."""
    if piece.kind != "die":
        return ()
    return PIPS if piece.suit is None else VALUES


def turning_words(piece: Piece) -> str | None:
    """What turning a piece over is called; None for a piece that has but one side."""
    if piece.kind == "pyramid":
        return POSE_WORDS.get(piece.pose or "")
    if piece.kind in ("tile", "coin") or (piece.kind == "disc" and piece.colour in OTHER_COLOUR):
        return "Turn over"
    return None


def _unthrown(piece: Piece) -> Piece:
    """A die in the box shows nothing; everything else stays what it is."""
    return dataclasses.replace(piece, value=None) if piece.kind == "die" else piece


def _body(shown: Piece) -> tuple[str | None, ...]:
    piece = _unthrown(shown)
    return (piece.kind, piece.colour, piece.size, piece.suit, piece.value)
