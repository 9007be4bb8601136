"""Pieces and differences in words, with the colour names of the set on the table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.pieces import EMPTY, UNKNOWN, Piece, spoken
from companion.referee.evidence.layout import Difference
from companion.texts import join, place_on_table, with_article

FACING_WORDS = {
    "N": "facing away from rank 1 (N)",
    "E": "facing E",
    "S": "facing towards rank 1 (S)",
    "W": "facing W",
    "NE": "mirror to NE",
    "SE": "mirror to SE",
    "SW": "mirror to SW",
    "NW": "mirror to NW",
    "/": "mirror /",
    "\\": "mirror \\",
}
MOST_NAMED = 3  # of the cells that cannot be told, and of what is to be taken away
WINDS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")  # every 45 degrees


class Palette:
    """The set's own names for the colours that the eye reports ("silver" may be called "orange")."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.names = dict(names or {})
        self._pattern = re.compile(r"\b(" + "|".join(map(re.escape, self.names)) + r")\b", re.I) if self.names else None

    def colour(self, colour: str | None) -> str | None:
        """One colour in the set's own word."""
        return self.names.get(colour, colour) if colour is not None else None

    def text(self, text: str) -> str:
        """A sentence with the colours in the set's own words."""
        return (
            self._pattern.sub(lambda m: _like(m.group(), self.names[m.group().lower()]), text)
            if self._pattern
            else text
        )


def palette(options: Mapping[str, object]) -> Palette:
    """The palette of a game: its option `colours` names the two sides in seat order, "orange-blue"."""
    chosen = str(options.get("colours", "")).split("-")
    return Palette(dict(zip(("silver", "red"), chosen, strict=True))) if len(chosen) == 2 else Palette()


def piece_words(piece: Piece, colours: Palette, facing: bool = False) -> str:
    """ "silver pyramid", "large upright red pyramid", with `facing` "silver pyramid, mirror to NE"."""
    if piece == EMPTY:
        return "nothing"
    if piece == UNKNOWN:
        return "something that cannot be told"
    if piece.kind in ("tile", "coin", "pawn") and (piece.suit or piece.face == "back"):
        return _piecepack_words(piece)
    parts = (piece.size, piece.pose, colours.colour(piece.colour), piece.suit, piece.value, piece.kind)
    words = " ".join(spoken(p) for p in parts if p)
    return f"{words}, {FACING_WORDS.get(piece.facing, piece.facing)}" if facing and piece.facing else words


def turned_words(piece: Piece, colours: Palette) -> str:
    """The same with its facing, to go on after it: "silver pyramid, mirror to NE, on c4"."""
    words = piece_words(piece, colours, facing=True)
    return words if words == piece_words(piece, colours) else f"{words},"


def _piecepack_words(piece: Piece) -> str:
    """ "face-down tile", "3 of suns", "coin of moons", "pawn of arms"."""
    if piece.suit is None:
        return f"face-down {piece.kind}"
    return f"{piece.value if piece.kind == 'tile' and piece.value else piece.kind} of {piece.suit}"


def flat(piece: Piece) -> bool:
    """True for what lies rather than stands."""
    return piece.kind in ("tile", "coin", "disc") or piece.pose == "lying"


def lies(piece: Piece) -> str:
    """ "lies" or "stands"."""
    return "lies" if flat(piece) else "stands"


def turned_over(one: Piece, other: Piece) -> str:
    """ "face-up" or "face-down" for a tile of which the other shows the other side; "" for anything else."""
    if one.kind != "tile" or other.kind != "tile" or one.face == other.face:
        return ""
    return "face-down" if other.face == "back" else "face-up"


def only_turned(one: Piece, other: Piece) -> bool:
    """True for one and the same piece that looks another way, and none of another size, pose or game."""
    return replace(one, facing=other.facing) == other


def upside_down(one: Piece, other: Piece) -> bool:
    """True for a two-coloured disc of which the one shows one side and the other the other."""
    return one.kind == other.kind == "disc" and one.colour != other.colour


def fallen(one: Piece, other: Piece) -> bool:
    """True for a piece that stood and lies now, or the other way round."""
    return one.pose != other.pose and replace(one, pose=other.pose) == other


def in_its_place(one: Piece, other: Piece) -> bool:
    """True for a piece that is where it should be, but turned or turned over, or that fell over or was stood up."""
    ways = (only_turned, turned_over, upside_down, fallen)
    return any(way(one, other) for way in ways)


def place_words(cell: str | None, x_mm: float | None = None, y_mm: float | None = None) -> str:
    """ "on c4", or where on a free table. What a cell's name says after a slash is which of the pieces there."""
    if cell is not None:
        place = cell.partition("/")[0]
        return place if place.startswith(("by ", "beside ", "on ")) else f"on {place}"
    if x_mm is None or y_mm is None:
        return "on the table"
    return place_on_table(x_mm, y_mm)


def compass(heading_deg: float) -> str:
    """The side or the corner of the table that a heading looks to, north being the upper side."""
    return WINDS[round(heading_deg / 45) % len(WINDS)]


def difference_words(difference: Difference, colours: Palette) -> str:
    """One difference: "on c4 there is a red scarab and not a silver pyramid"."""
    place = place_words(difference.cell, difference.x_mm, difference.y_mm)
    if difference.why is not None or difference.seen == UNKNOWN:
        return f"what stands {place} cannot be told{f' ({difference.why})' if difference.why else ''}"
    if difference.seen == EMPTY:
        return f"the {piece_words(difference.expected, colours)} is not {place}"
    if difference.expected == EMPTY:
        return f"{with_article(piece_words(difference.seen, colours))} {lies(difference.seen)} {place}"
    if over := turned_over(difference.expected, difference.seen):
        return f"the tile {place} lies {over}"
    if only_turned(difference.expected, difference.seen):
        facing = "another way" if difference.seen.facing is None else f"({difference.seen.facing})"
        return f"{_called(difference, colours)} {place} is turned {facing}"
    if upside_down(difference.expected, difference.seen):
        shown = colours.colour(difference.seen.colour)
        return f"the {piece_words(difference.expected, colours)} {place} lies {shown} side up"
    if fallen(difference.expected, difference.seen):
        way = "was knocked over" if flat(difference.seen) else "was stood up"
        return f"the {piece_words(replace(difference.expected, pose=None), colours)} {place} {way}"
    seen, expected = (with_article(piece_words(p, colours)) for p in (difference.seen, difference.expected))
    return f"{place} there is {seen}, not {expected}"


def _called(difference: Difference, colours: Palette) -> str:
    """The piece that belongs there, as the game calls it or as it looks."""
    return colours.text(difference.name) or f"the {piece_words(difference.expected, colours)}"


def turn_to_words(difference: Difference, colours: Palette) -> str:
    """How a piece is turned that is to look to a side of the table; "" for one that is not."""
    if difference.to_deg is None:
        return ""
    place = place_words(difference.cell, difference.x_mm, difference.y_mm)
    return f"turn {_called(difference, colours)} {place} to the {compass(difference.to_deg)}"


def put_right_words(difference: Difference, colours: Palette) -> str:
    """How to undo one difference: "put the red scarab back on f5"."""
    place = place_words(difference.cell, difference.x_mm, difference.y_mm)
    if difference.expected == EMPTY:
        return f"{taken_away_words(difference, colours)} again"
    expected = turned_words(difference.expected, colours)
    if upside_down(difference.expected, difference.seen):
        return f"turn the disc {place} over again: {colours.colour(difference.expected.colour)}"
    if over := turned_over(difference.seen, difference.expected):
        return f"turn the tile {place} {over} again"
    if fallen(difference.expected, difference.seen):
        named = f"the {piece_words(replace(difference.expected, pose=None), colours)} {place}"
        return f"stand {named} up again" if flat(difference.seen) else f"lay {named} down again as it lay"
    if turned := turn_to_words(difference, colours):
        return f"{turned} again"
    if only_turned(difference.expected, difference.seen):
        return f"turn the {expected} {place} back"
    if difference.seen in (EMPTY, UNKNOWN) or difference.why is not None:
        return f"put the {expected} back {place}"
    return f"{taken_away_words(difference, colours)} and put the {expected} back there"


def taken_away_words(difference: Difference, colours: Palette) -> str:
    """What is seen and does not belong there, to be taken away."""
    place = place_words(difference.cell, difference.x_mm, difference.y_mm)
    return f"take the {piece_words(difference.seen, colours)} {place} away"


def some(cells: Sequence[str]) -> str:
    """So many of them as are worth reading: "a1, b1, c1 and 9 more"."""
    more = len(cells) - MOST_NAMED
    return join([*cells[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def uncover_words(cells: Sequence[str]) -> str:
    """What to do where a sheet or a book hides these cells."""
    return f"take off the board what lies over {some(cells)}"


def tell_words(count: int, missing: bool = False) -> str:
    """What to do where the eye cannot tell so many things, or whether they are there; none are named for 0."""
    them, places, are = ("it", "its place", "it is") if count == 1 else ("them", "their places", "they are")
    first = f"put {them} there; if {are} there, " if missing else ""
    shaded = them if count else "the pieces"
    return sentence(f"{first}shade {shaded} from glare, move {them} a little, or tap {places} here")


def sentence(text: str) -> str:
    """With a capital letter and a full stop."""
    text = text.strip()
    return (text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?:" else ".")) if text else ""


def _like(old: str, new: str) -> str:
    return new.capitalize() if old[:1].isupper() else new
