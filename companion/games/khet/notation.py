"""Moves and positions as text.

Moves: `e4d5` a step, `h8+` and `c2-` a quarter turn clockwise and counter-clockwise (a scarab's one turn is `+`),
`c1ud1` a swap, `d1td2` the top obelisk of the stack on d1 to d2, `draw` the claim of a repetition. What no rule
allows is written too: `c2++` a half turn, `e4d5+` moved and turned, `pass`.

Positions: eight ranks from the eighth down, split by "/"; numbers are empty squares; capitals are silver, small
letters red: K pharaoh, P pyramid and the corner of its mirror (ne se sw nw), S scarab and E eye with r for a mirror
that rises to the right and f for one that falls, A anubis and X sphinx with their direction (n e s w), O obelisk,
D a double one (a stack). Then who moves (s or r), the edition, and every house rule that is not the usual one.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import OddPosition, UnreadableText
from companion.games.khet import diagram, faces
from companion.games.khet.fields import read_fields, write_fields
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.position import KINDS, Move, Position, board
from companion.games.khet.squares import NUMBER, WIDTH
from companion.games.khet.validity import impossible, reasons

# --- moves ----------------------------------------------------------------------------------------------------

_TURN = {"": 0, "+": 1, "-": -1, "++": 2, "--": 2}
_TURN_TEXT = {0: "", 1: "+", -1: "-", 2: "++"}
_PIECE = r"(?:[kpsaxoed]\s*)?"
_MOVE = re.compile(_PIECE + r"([a-j][1-8])\s*(u|t|x|-|>|->|\s|)\s*([a-j][1-8])\s*(\+\+|--|\+|-|)", re.IGNORECASE)
_QUARTERS = re.compile(_PIECE + r"([a-j][1-8])\s*(\+\+|--|\+|-)", re.IGNORECASE)
_FACING = re.compile(_PIECE + r"([a-j][1-8])\s*(?:([nesw]{1,2}|[/\\])\s*)?[>=]\s*([nesw]{1,2}|[/\\])", re.IGNORECASE)
_HOW = "moves are written e4d5 (step), h8+ or c2- (quarter turn), c1ud1 (swap), d1td2 (top obelisk), draw (claim)"


def write_move(position: Position, move: Move) -> str:
    """The move's one spelling; `read_move` gives it back."""
    if move.kind in ("pass", "draw"):
        return move.kind
    between = {"swap": "u", "top": "t"}.get(move.kind, "")
    return f"{move.origin}{between}{move.target}{_TURN_TEXT[move.turn]}"


def read_move(position: Position, text: str) -> Move:
    """The move that a text names, lawful or not; UnreadableText when it names none."""
    words = text.strip()
    if words.lower() in ("pass", "draw"):
        return Move(words.lower())
    if found := _QUARTERS.fullmatch(words):
        return _one_spelling(position, Move("turn", found[1].lower(), turn=_TURN[found[2]]))
    if found := _FACING.fullmatch(words):
        return _turn_to(position, found[1].lower(), found[2], found[3].upper(), text)
    if found := _MOVE.fullmatch(words):
        kind = {"u": "swap", "t": "top"}.get(found[2].lower(), "step")
        return _one_spelling(position, Move(kind, found[1].lower(), found[3].lower(), _TURN[found[4]]))
    raise UnreadableText(f"{text!r} is no move; {_HOW}")


def _one_spelling(position: Position, move: Move) -> Move:
    """A mirror with two sides is the same after either quarter turn: one action, written + (Khet Q10)."""
    if move.turn == -1 and faces.SWAPS[position.at(move.origin)]:
        return Move(move.kind, move.origin, move.target, 1)
    return move


def _turn_to(position: Position, origin: str, before: str | None, after: str, text: str) -> Move:
    code = position.at(origin)
    kind, facing = faces.KIND[code], faces.FACING[code]
    if facing is None:
        raise UnreadableText(f"{text!r} is no move: nothing with a facing stands on {origin}")
    if before is not None and before.upper() != facing:
        raise UnreadableText(f"{text!r} is no move: the {kind} on {origin} faces {facing}, not {before.upper()}")
    for quarters in (1, -1, 2):
        if after != facing and faces.quarter_turn(kind, facing, quarters) == after:
            return Move("turn", origin, turn=quarters)
    raise UnreadableText(f"{text!r} is no move: a {kind} that faces {facing} cannot be turned to face {after}")


# --- positions ------------------------------------------------------------------------------------------------

_FACE_TEXT = (
    {("pyramid", f): f.lower() for f in ("NE", "SE", "SW", "NW")}
    | {(k, m): t for k in ("scarab", "eye") for m, t in (("/", "r"), ("\\", "f"))}
    | {(k, f): f.lower() for k in ("anubis", "sphinx") for f in "NESW"}
)
_CODE_TEXT = {
    code: (letter.upper() if seat == 0 else letter) + _FACE_TEXT.get((kind, facing or ""), "")
    for code, (seat, kind, facing) in faces.LOOK.items()
    for letter in (faces.LETTERS[kind],)
}
_TEXT_CODE = {text: code for code, text in _CODE_TEXT.items()}
_TOKEN = re.compile(r"10|[1-9]|[KDOkdo]|[Pp](?:ne|se|sw|nw)|[SEse][rf]|[AXax][nesw]")
_EXAMPLE = LAYOUTS["classic-2.0"].position


def write_position(position: Position) -> str:
    """The position's one spelling; the arrangements before it are not in it (see `to_json`)."""
    ranks = "/".join(_write_rank(position.cells, rank) for rank in range(8, 0, -1))
    return " ".join([ranks, "sr"[position.to_move], *write_fields(position)])


def _write_rank(cells: bytes, rank: int) -> str:
    text, empty = "", 0
    for code in cells[rank * WIDTH + 1 : (rank + 1) * WIDTH - 1]:
        if code == faces.EMPTY:
            empty += 1
            continue
        text += (str(empty) if empty else "") + _CODE_TEXT[code]
        empty = 0
    return text + (str(empty) if empty else "")


def read_position(text: str) -> Position:
    """The position in our notation or as a diagram; UnreadableText, or OddPosition with its reasons."""
    return _checked(diagram.read(text) if diagram.looks_like_one(text) else _read_line(text), reasons)


def _checked(position: Position, odd: Callable[[Position], tuple[str, ...]]) -> Position:
    if found := odd(position):
        raise OddPosition(found)
    return position


def _read_line(text: str) -> Position:
    ranks, *fields = text.split() or [""]
    rows = ranks.split("/")
    if len(rows) != 8:
        raise UnreadableText(f"a position has 8 ranks split by '/', this has {len(rows)}; for example {_EXAMPLE!r}")
    pieces: dict[int, int] = {}
    for index, row in enumerate(rows):
        pieces.update(_read_rank(row, 8 - index))
    return read_fields(board(pieces), fields)


def _read_rank(row: str, rank: int) -> dict[int, int]:
    pieces: dict[int, int] = {}
    file, at = 0, 0
    while at < len(row):
        token = _TOKEN.match(row, at)
        if token is None:
            raise UnreadableText(f"rank {rank}: {row[at:]!r} names no piece; for example {_EXAMPLE!r}")
        if token[0].isdigit():
            file += int(token[0])
        else:
            if file < 10:
                pieces[rank * WIDTH + file + 1] = _TEXT_CODE[token[0]]
            file += 1
        at = token.end()
    if file != 10:
        raise UnreadableText(f"rank {rank} has {file} squares, not 10")
    return pieces


# --- JSON -----------------------------------------------------------------------------------------------------


def to_json(value: Position | Move) -> dict[str, Any]:
    """A position or a move as plain JSON values; nothing is lost."""
    if isinstance(value, Move):
        return {"kind": value.kind, "origin": value.origin, "target": value.target, "turn": value.turn}
    past = [write_position(Position(key[:-1], key[-1])) for key in value.past]
    return {"position": write_position(value), "past": past}


def from_json(data: Mapping[str, Any]) -> Position | Move:
    """What `to_json` wrote; UnreadableText when it is none."""
    try:
        if "position" in data:
            position = _checked(_read_line(data["position"]), impossible)
            past = tuple(_read_line(text).arrangement for text in data["past"])
            return Position(position.cells, position.to_move, position.house, position.drawn, past)
        move = Move(data["kind"], data["origin"], data["target"], data["turn"])
        if not _is_move(move):
            raise UnreadableText(f"{dict(data)!r} is no move of Khet")
        return move
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableText(f"no position and no move of Khet: {error}") from error


def _is_move(move: Move) -> bool:
    """Only what `write_move` can spell: the squares each kind needs, and no others."""
    if move.kind not in KINDS or type(move.turn) is not int or move.turn not in _TURN_TEXT:
        return False
    if move.kind in ("pass", "draw"):
        return not (move.origin or move.target or move.turn)
    if move.kind == "turn":
        return move.origin in NUMBER and not move.target and move.turn != 0
    return move.origin in NUMBER and move.target in NUMBER
