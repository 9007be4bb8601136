"""The catalogue of physical pieces: families, colours, sizes in millimetres (makers differ: defaults)."""

import math
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Piece:
    """What a piece is, as far as a camera above the table can tell; None = not told apart, or does not apply.

    Families and their fields (the words of `companion look`):

    * Icehouse: kind pyramid; colour, size (small medium large), pose (upright lying).
    * Khet: kind pyramid scarab anubis pharaoh sphinx obelisk eye; colour silver or red; facing.
    * Ataxx: kind disc; colour black or white.
    * piecepack: kind tile coin pawn die; suit, value, face.
    """

    kind: str
    colour: str | None = None
    size: str | None = None
    pose: str | None = None
    facing: str | None = None
    suit: str | None = None
    value: str | None = None
    face: str | None = None

    def fits(self, seen: "Piece") -> bool:
        """True if `seen` agrees with every field that this piece names."""
        return all(
            getattr(self, field) is None or getattr(self, field) == getattr(seen, field) for field in PIECE_FIELDS
        )

    def to_json(self) -> dict[str, str]:
        """The fields that are not None."""
        return {field: value for field in PIECE_FIELDS if (value := getattr(self, field)) is not None}


PIECE_FIELDS = tuple(field.name for field in fields(Piece))


def spoken(name: str) -> str:
    """A piece's code name as people write it: "robot card" for "robot_card"."""
    return name.replace("_", " ")


EMPTY = Piece("empty")  # a cell of a board with nothing on it
UNKNOWN = Piece("unknown")  # something is there, and it cannot be told what

KHET_KINDS = ("pyramid", "scarab", "anubis", "pharaoh", "sphinx", "obelisk", "eye")
KINDS = (*KHET_KINDS, "disc", "tile", "coin", "pawn", "die", "robot_card", EMPTY.kind, UNKNOWN.kind)  # of pieces
KHET_COLOURS = ("silver", "red")
KHET_FACINGS = {
    "pyramid": ("NE", "SE", "SW", "NW"),
    "scarab": ("/", "\\"),
    "eye": ("/", "\\"),
    "anubis": ("N", "E", "S", "W"),
    "sphinx": ("N", "E", "S", "W"),
    "pharaoh": ("N", "E", "S", "W"),
    "obelisk": ("N", "E", "S", "W"),
}

PYRAMID_COLOURS = ("white", "clear", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "black")
LOOK_LIKE = {"gray": ("black", "clear", "white"), "pink": ("red", "purple", "white")}  # not told from these by the eye
PYRAMID_SIZES = ("small", "medium", "large")
PYRAMID_POSES = ("upright", "lying")
PYRAMID_BASE_MM = {"small": 14.29, "medium": 19.84, "large": 25.40}
PYRAMID_HEIGHT_MM = {"small": 25.40, "medium": 34.93, "large": 44.45}
PYRAMID_SLANT_MM = {  # from the tip to the middle of a base edge
    size: math.hypot(PYRAMID_HEIGHT_MM[size], PYRAMID_BASE_MM[size] / 2) for size in PYRAMID_SIZES
}

SUITS = ("suns", "moons", "crowns", "arms")
SUIT_COLOURS = {"suns": "red", "moons": "black", "crowns": "green", "arms": "blue"}  # of most sets' pawns
VALUES = ("null", "ace", "2", "3", "4", "5")
TILE_SIDE_MM = 50.8
TILE_THICKNESS_MM = 6.4
COIN_DIAMETER_MM = 19.1
COIN_THICKNESS_MM = 3.2
PAWN_WIDTH_MM = 15.9
PAWN_HEIGHT_MM = 28.6
DIE_SIDE_MM = 12.7
ROBOT_CARD_MM = (63.0, 88.0)  # Kaxxt's card upright: width, height
