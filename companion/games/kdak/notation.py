"""Texts for positions and moves.

A move: `2b` (go there), `stay`, `out`, `pass`, `=S3` (a face is seen; `=?` play goes on though nobody saw it), `r4`
(the die), `x2b` (that tile goes), `coin`, `end`. A position: ten fields and the options that differ from their
defaults, for example

    duel Sa.?.?.?.?.?/?.?.?.?.?.?/... 0a,- 1 move shut 0,0 0,0 - -

namely variant; the four columns a b c d from level 0 upwards (`?` never seen, `(Sa)` face-down and seen before, `Sa`
face-up, `-` an empty column); pawns (`-` not in yet, `2b`, `2b!` fallen there, `out`); seat; phase (`take:3`
with the doomed level); door; scores; coins; tiles gone; `calm` or `lost`.
"""

import re
from typing import Any

from companion.errors import OddPosition, UnreadableText
from companion.games.kdak import tower as t
from companion.games.kdak.position import PHASES, House, Move, Pawn, Position
from companion.games.kdak.setup import OPTIONS, house_from, options_of
from companion.games.kdak.tower import CORNERS, LEVELS, Column, Place, Tile, Tower
from companion.games.kdak.words import spelled
from companion.games.options import spell

EXAMPLE = "duel ?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? -,- 0 move shut 0,0 0,0 - -"
_MOVES = "a place like 2b, stay, out, pass, =S3, r4, x2b, coin or end"
_PLACE = re.compile(rf"([0-{LEVELS - 1}])([{CORNERS}])")
_VALUE_LETTERS = {"null": "n", "0": "n", "ace": "a", "1": "a"}


def read_move(position: Position, text: str) -> Move:
    """The move that a text names; UnreadableText lists the forms."""
    word = text.strip().lower()
    if word in ("stay", "out", "pass", "coin", "end"):
        return Move(word)
    if match := re.fullmatch(r"(x?)\s*([0-9])\s*([a-z])", word):
        place = _place(match[2] + match[3])
        return Move("take" if match[1] else "go", place)
    if match := re.fullmatch(r"(?>roll|r)\s*(\w+)", word):
        return Move("roll", level=_level(match[1]))
    if word == f"={t.UNSEEN}":
        return Move("tile", tile=t.UNSEEN)
    if match := re.fullmatch(r"=\s*([a-z])\w*?\s*(null|ace|[0-5na])", word):
        name = match[1].upper() + _VALUE_LETTERS.get(match[2], match[2])
        if name in t.TILES:
            return Move("tile", tile=name)
    raise UnreadableText(f"{text!r} is no move; write {_MOVES}")


def write_move(position: Position, move: Move) -> str:
    """The one spelling of a move."""
    return spelled(move)


def write_position(position: Position) -> str:
    """The one spelling of a position."""
    phase = position.phase + (f":{position.level}" if position.level is not None else "")
    flags = "lost" if position.lost else "calm" if position.calm else "-"
    fields = [
        position.house.variant,
        "/".join(_write_column(column) for column in position.tower),
        ",".join(_write_pawn(pawn) for pawn in position.pawns),
        str(position.seat),
        phase,
        "open" if position.door_open else "shut",
        ",".join(map(str, position.scores)),
        ",".join(map(str, position.coins)),
        ".".join(position.gone) or "-",
        flags,
    ]
    defaults = {option.name: option.default for option in OPTIONS}
    for name, value in options_of(position.house).items():
        if name != "variant" and value != defaults[name]:
            fields.append(f"{name}={spell(value)}")
    return " ".join(fields)


def read_position(text: str) -> Position:
    """The position that a text names; UnreadableText, or OddPosition with its reasons."""
    fields = text.split()
    if len(fields) < 10:
        raise UnreadableText(f"a position has ten fields, this has {len(fields)}; for example {EXAMPLE!r}")
    try:
        position = _read_fields(fields)
    except (ValueError, IndexError) as error:
        raise UnreadableText(f"{text!r} is no position: {error}") from error
    if reasons := oddities(position):
        raise OddPosition(reasons)
    return position


def oddities(position: Position) -> tuple[str, ...]:
    """What no game can lead to, in words; () when nothing is odd."""
    reasons = []
    seats = position.house.seats
    names = [*t.known(position.tower), *(name for name in position.gone if name != t.UNSEEN)]
    if doubled := {name for name in names if names.count(name) > 1}:
        reasons.append(f"tiles are there twice: {', '.join(sorted(doubled))}")
    count = sum(map(len, position.tower)) + len(position.gone)
    if count != 4 * LEVELS:
        reasons.append(f"there are {count} tiles in the tower and beside it, not {4 * LEVELS}")
    if any(len(group) != seats for group in (position.pawns, position.scores, position.coins)):
        reasons.append(f"{position.house.variant} is played with {seats} pawns, scores and coins")
        return tuple(reasons)
    for pawn in position.pawns:
        if pawn.place is not None and not t.has(position.tower, pawn.place):
            reasons.append(f"a pawn stands on {pawn.place}, where no tile is")
    if not 0 <= position.seat < seats:
        reasons.append(f"there is no seat {position.seat}")
        return tuple(reasons)
    if position.phase == "move" and position.pawn.out:
        reasons.append("the seat on turn has left the tower")
    reasons += _phase_oddities(position)
    return tuple(reasons)


def to_json(value: Position | Move) -> dict[str, Any]:
    """A position or a move as the text that spells it."""
    if isinstance(value, Move):
        return {"move": spelled(value)}
    return {"position": write_position(value)}


def from_json(data: Any) -> Position | Move:
    """What `to_json` wrote."""
    if isinstance(data, dict) and isinstance(data.get("move"), str):
        return read_move(Position(), data["move"])
    if isinstance(data, dict) and isinstance(data.get("position"), str):
        return read_position(data["position"])
    raise UnreadableText("neither a position nor a move")


def _phase_oddities(position: Position) -> list[str]:
    reasons = []
    if position.phase == "discard" and position.gone[-1:] != (t.UNSEEN,):
        reasons.append("there is no taken tile whose face is to be shown")
    if (position.level is not None) != (position.phase == "take"):
        reasons.append("a doomed level belongs to phase take, and only there")
    elif position.level is not None and not any(t.places_on(position.tower, position.level)):
        reasons.append(f"level {position.level} has no tile to lose")
    if position.phase == "reveal":
        place = position.pawn.place
        if place is None or not t.has(position.tower, place) or t.tile_at(position.tower, place) != Tile():
            reasons.append("there is no unseen tile to turn up")
    if position.phase in ("move", "coin") and (position.lost or position.finished):
        reasons.append("the game is over")
    return reasons


def _read_fields(fields: list[str]) -> Position:
    given = {}
    for field in fields[10:]:
        name, _, value = field.partition("=")
        given[name] = value
    house: House = house_from({"variant": fields[0], **given})
    phase, _, level = fields[4].partition(":")
    if phase not in PHASES:
        raise ValueError(f"the phase is one of {', '.join(PHASES)}")
    if fields[5] not in ("open", "shut") or fields[9] not in ("calm", "lost", "-"):
        raise ValueError("the door is open or shut, the last field calm, lost or -")
    return Position(
        house,
        _read_tower(fields[1]),
        tuple(_read_pawn(word) for word in fields[2].split(",")),
        int(fields[3]),
        phase,
        fields[5] == "open",
        _counts(fields[6]),
        _counts(fields[7]),
        () if fields[8] == "-" else tuple(_tile_name(word) for word in fields[8].split(".")),
        _level(level) if level else None,
        fields[9] == "calm",
        fields[9] == "lost",
    )


def _write_column(column: Column) -> str:
    return ".".join(("?" if e.name is None else e.name if e.up else f"({e.name})") for e in column) or "-"


def _write_pawn(pawn: Pawn) -> str:
    if pawn.out:
        return "out"
    return "-" if pawn.place is None else f"{pawn.place}{'!' * pawn.fallen}"


def _read_tower(text: str) -> Tower:
    columns = [_read_column(word) for word in text.split("/")]
    if len(columns) != 4:
        raise ValueError(f"the tower has four columns, this has {len(columns)}")
    a, b, c, d = columns
    return a, b, c, d


def _read_column(text: str) -> Column:
    tiles = () if text == "-" else tuple(_read_tile(word) for word in text.split("."))
    if len(tiles) > LEVELS:
        raise ValueError(f"a column has at most {LEVELS} tiles")
    return tiles


def _read_tile(word: str) -> Tile:
    if word == "?":
        return Tile()
    if word.startswith("(") and word.endswith(")"):
        return Tile(_known_tile(word[1:-1]))
    return Tile(_known_tile(word), up=True)


def _tile_name(word: str) -> str:
    return word if word == t.UNSEEN else _known_tile(word)


def _known_tile(word: str) -> str:
    if word not in t.TILES:
        raise ValueError(f"{word!r} is no tile; tiles are called Sn, Sa, S2 .. A5")
    return word


def _read_pawn(word: str) -> Pawn:
    if word in ("-", "out"):
        return Pawn(out=word == "out")
    return Pawn(_place(word.removesuffix("!")), fallen=word.endswith("!"))


def _place(word: str) -> Place:
    match = _PLACE.fullmatch(word)
    if match is None:
        raise UnreadableText(
            f"{word!r} is no place; a place is a level 0-{LEVELS - 1} and a corner {CORNERS[0]}-{CORNERS[-1]}"
        )
    return Place(int(match[1]), CORNERS.index(match[2]))


def _level(word: str) -> int:
    level = {"null": 0, "ace": 1}.get(word, int(word) if word.isascii() and word.isdigit() and len(word) == 1 else -1)
    if not 0 <= level < LEVELS:
        raise UnreadableText(f"{word!r} is no level; the die shows null (0), ace (1), 2, 3, 4 or 5")
    return level


def _counts(text: str) -> tuple[int, ...]:
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise ValueError(f"{text!r} are no counts")
    return tuple(map(int, words))
