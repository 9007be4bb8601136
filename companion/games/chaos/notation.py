"""Texts for positions and moves.

A move: `r3,10` (the dice), `b3^10.0,-20.0,0.0` (the large blue piece stands at x, y, heading), `b2>..` (lies),
`skip b`. Colours: w white, l clear, r o y g c b p, k black, a gray, i pink; pips 1 to 3. A position:

    2/10 0 place r,k 555/455/... -/r3w2 b3^0.0,0.0,0.0;... 0 -

players/colours; seat; phase; colours still to place (`-` none); array, per colour large medium small; captures per
seat; pieces in play; dice skipped in this turn; `stuck` or `-`; options that differ from their defaults.
"""

import math
import re
from typing import Any

from companion.errors import OddPosition, UnreadableText
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import CODES, RINGS, UNSEEN, UNSEEN_FACE
from companion.games.chaos.position import SIZES, STASH, House, Move, Position, Standing, standing
from companion.games.chaos.setup import house_from
from companion.games.chaos.words import piece_code, spelled, spelled_piece

_COLOURS = {code: colour for colour, code in CODES.items()}
_NUMBER = r"\s*([+-]?\d{1,4}(?:\.\d{1,3})?)\s*"
_PIECE = re.compile(rf"([a-z])([123])\s*([\^>])\s*(?:at)?{_NUMBER},{_NUMBER}(?:,{_NUMBER})?")
_FORMS = (
    "r3,10 for the dice (? for one not read), b3^10,-20,0 for a standing piece, b3>10,-20,90 for a lying one, or skip b"
)
EXAMPLE = "2/4 0 roll - 555/555/555/555 -/- - 0 -"
PHASES = ("roll", "place", "over")


def read_move(position: Position, text: str) -> Move:
    """The move that a text names; UnreadableText lists the forms."""
    word = text.strip().lower()
    if match := re.fullmatch(r"r(?:oll)?\s*(\d{1,2}|\?)\s*[, ]\s*(\d{1,2}|\?)", word):
        return Move("roll", (_face(match[1]), _face(match[2])))
    if match := re.fullmatch(r"skip\s+(\w+|\?)", word):
        return Move("skip", colour=_colour(match[1]))
    try:
        return Move("place", piece=_read_piece(word))
    except ValueError as error:
        raise UnreadableText(f"{text!r} is no move; write {_FORMS}") from error


def write_move(position: Position, move: Move) -> str:
    """The one spelling of a move."""
    return spelled(move)


def write_position(position: Position) -> str:
    """The one spelling of a position."""
    fields = [
        f"{position.house.players}/{position.house.colours}",
        str(position.seat),
        position.phase,
        ",".join(CODES.get(colour, "?") for colour in position.dice) or "-",
        "/".join("".join(map(str, counts)) for counts in position.array),
        "/".join("".join(piece_code(*piece) for piece in pieces) or "-" for pieces in position.captured),
        ";".join(map(spelled_piece, position.pieces)) or "-",
        str(position.skips),
        "stuck" if position.stuck else "-",
    ]
    if position.house.score_by_size:
        fields.append("score_by_size=yes")
    if position.house.reach is not None:
        fields.append(f"reach={position.house.reach}")
    return " ".join(fields)


def read_position(text: str) -> Position:
    """The position that a text names; UnreadableText, or OddPosition with its reasons."""
    fields = text.split()
    if len(fields) < 9:
        raise UnreadableText(f"a position has nine fields, this has {len(fields)}; for example {EXAMPLE!r}")
    try:
        position = _read_fields(fields)
    except (ValueError, IndexError, KeyError) as error:
        raise UnreadableText(f"{text!r} is no position: {error}") from error
    if reasons := oddities(position):
        raise OddPosition(reasons)
    return position


def oddities(position: Position) -> tuple[str, ...]:
    """What no game can lead to, in words; () when nothing is odd."""
    reasons: list[str] = []
    ring = RINGS[position.house.colours]
    if len(position.captured) != position.house.players:
        reasons.append(f"captures are listed for {len(position.captured)} of {position.house.players} players")
    if not 0 <= position.seat < position.house.players:
        reasons.append(f"there is no player {position.seat + 1}")
    if len(position.array) != len(ring):
        return (*reasons, f"the array has {len(position.array)} colours, not {len(ring)}")
    for colour in {
        *(colour for colour in position.dice if colour != UNSEEN),
        *(p.colour for p in position.pieces),
        *(c for got in position.captured for c, _ in got),
    }:
        if colour not in ring:
            reasons.append(f"{colour} is not played with {len(ring)} colours")
    for got in position.captured:
        if len({colour for colour, _ in got}) != len(got):
            reasons.append("a player captured a colour twice")
    reasons += _stash_oddities(position, ring)
    complete = any(len(got) == len(ring) for got in position.captured)
    if position.stuck and complete:
        reasons.append("a game that somebody won is not stuck")
    elif (position.phase == "over") != (position.stuck or complete):
        reasons.append("a game is over when somebody has all colours, or nothing can be placed any more, and only then")
    if bool(position.dice) != (position.phase == "place") or len(position.dice) > 2:
        reasons.append("colours are to be placed in phase place, one or two of them, and only there")
    for i, piece in enumerate(position.pieces):
        if g.overlaps(piece, position.pieces[:i]):
            reasons.append(f"{spelled_piece(piece)} stands in another piece")
    return tuple(reasons)


def to_json(value: Position | Move) -> dict[str, Any]:
    """A position or a move as the text that spells it."""
    return {"move": spelled(value)} if isinstance(value, Move) else {"position": write_position(value)}


def from_json(data: Any) -> Position | Move:
    """What `to_json` wrote."""
    if isinstance(data, dict) and isinstance(data.get("move"), str):
        return read_move(Position(), data["move"])
    if isinstance(data, dict) and isinstance(data.get("position"), str):
        return read_position(data["position"])
    raise UnreadableText("neither a position nor a move")


def _stash_oddities(position: Position, ring: tuple[str, ...]) -> list[str]:
    reasons = []
    for colour, counts in zip(ring, position.array, strict=True):
        for size, left, all_ in zip(SIZES, counts, STASH, strict=True):
            used = sum(p.colour == colour and p.size == size for p in position.pieces)
            used += sum((colour, size) in got for got in position.captured)
            if left + used != all_:
                reasons.append(f"there are {left + used} {size} {colour} pieces, not {all_}")
    return reasons


def _read_fields(fields: list[str]) -> Position:
    players, _, colours = fields[0].partition("/")
    given: dict[str, str] = {"seats": players, "colours": colours}
    for field in fields[9:]:
        name, _, value = field.partition("=")
        given[name] = value
    house: House = house_from(given)
    if fields[2] not in PHASES or fields[8] not in ("stuck", "-"):
        raise ValueError(f"the phase is one of {', '.join(PHASES)}, the ninth field stuck or -")
    return Position(
        house,
        () if fields[6] == "-" else tuple(_read_piece(word) for word in fields[6].split(";")),
        tuple(_counts(word) for word in fields[4].split("/")),
        tuple(_captured(word) for word in fields[5].split("/")),
        _small(fields[1]),
        () if fields[3] == "-" else tuple(_colour(word) for word in fields[3].split(",")),
        fields[2],
        _small(fields[7]),
        fields[8] == "stuck",
    )


def _read_piece(word: str) -> Standing:
    match = _PIECE.fullmatch(word)
    if match is None:
        raise ValueError(f"{word!r} is no piece")
    x, y, heading = float(match[4]), float(match[5]), float(match[6] or 0.0)
    if not all(map(math.isfinite, (x, y, heading))):
        raise ValueError(f"{word!r} has no finite place")
    pose = "upright" if match[3] == "^" else "lying"
    return standing(_colour(match[1]), SIZES[3 - int(match[2])], pose, x, y, heading)


def _face(word: str) -> int:
    return UNSEEN_FACE if word == "?" else int(word)


def _colour(word: str) -> str:
    if word == "?":
        return UNSEEN
    colour = word if word in CODES else _COLOURS.get(word)
    if colour is None:
        codes = ", ".join(f"{code} {name}" for name, code in CODES.items())
        raise UnreadableText(f"{word!r} is no colour; there are {codes}")
    return colour


def _counts(word: str) -> tuple[int, int, int]:
    if not re.fullmatch(r"[0-5]{3}", word):
        raise ValueError(f"{word!r} is not three counts of 0 to 5")
    large, medium, small = map(int, word)
    return large, medium, small


def _captured(word: str) -> tuple[tuple[str, str], ...]:
    if word == "-":
        return ()
    if not re.fullmatch(r"([a-z][123])+", word):
        raise ValueError(f"{word!r} are no captured pieces")
    return tuple((_colour(word[i]), SIZES[3 - int(word[i + 1])]) for i in range(0, len(word), 2))


def _small(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 3):
        raise ValueError(f"{word!r} is no small number")
    return int(word)
