"""Positions as FEN, moves as UAI text, both as JSON."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.errors import OddPosition, UnreadableText
from companion.games.ataxx.board import LARGEST, SMALLEST, Board, hexagon, square
from companion.games.ataxx.position import ACCEPT, OFFER, OFFER_AFTER, PASS, SIDES, Move, Position
from companion.games.ataxx.words import ACCEPT_TEXT, OFFER_TEXT, PASS_TEXT, spell_on

WITHOUT_DROP = ("offer", "nothing", "draw")
EXAMPLE = "x6o/8/8/8/8/8/8/o6x x 0 1"
_SIDE_WORDS = {"x": 0, "b": 0, "o": 1, "w": 1}
_CELL = r"[a-z][0-9]{1,2}"
_MOVE = re.compile(rf"({_CELL})(?: *([-x:>]|->)? *({_CELL}))?(?:=([xo]))?")
_RUN = re.compile(r"[1-9][0-9]?|[xo-]")
_COUNTER = re.compile(r"[0-9]{1,6}")
_LONGEST = 1200  # characters: a full board of 26x26 and its counters fit


# --- moves ----------------------------------------------------------------------------------------------------


def read_move(position: Position, text: str) -> Move:
    """The move that UAI text names: a drop `b2` (or `a1b2`, AA4), a jump `a1c3`, a pass `0000`."""
    words = text.strip().lower()
    fixed = {PASS_TEXT: PASS, "pass": PASS, "--": PASS, OFFER_TEXT: OFFER, ACCEPT_TEXT: ACCEPT}
    if words in fixed:
        return fixed[words]
    words, *turned = words.split("*")
    for cell in turned:
        position.board.bit(cell)
    if turned and not words:
        return Move("turn", turned=tuple(turned))
    return replace(_read_action(position, words, text), turned=tuple(turned))


def _read_action(position: Position, words: str, text: str) -> Move:
    found = _MOVE.fullmatch(words)
    if not found:
        raise UnreadableText(f"{text!r} is no move; write b2 for a drop, a1c3 for a jump, 0000 for a pass")
    first, sign, second, shows = found.groups(default="")
    board = position.board
    board.bit(first)
    if not (1 << board.bit(first) & position.theirs) and shows == SIDES[position.turn]:
        shows = ""  # that is said of what is surprising
    if not second:
        return Move("drop", first, shows=shows)
    if board.bit(second) not in _cells_next_to(board, first) or sign == ">":
        return Move("jump", second, first, shows)
    mine = 1 << board.bit(first) & position.own  # one spelling for what is lawful; the rest is refused by play
    return Move("drop", second, "" if mine else first, shows)


def _cells_next_to(board: Board, cell: str) -> set[int]:
    return {board.bits[name] for name in board.names_of(board.near_of[board.bits[cell]])}


def write_move(position: Position, move: Move) -> str:
    """The move's one spelling."""
    return spell_on(position.board, move)


# --- positions ------------------------------------------------------------------------------------------------


def write_position(position: Position) -> str:
    """FEN: rows from the top, side, half-moves without a drop, move number; then what differs from the usual."""
    rows = "/".join(_write_row(position, row) for row in position.board.rows)
    extra = "" if position.without_drop == "offer" else f" without_drop={position.without_drop}"
    if position.offered_by is not None:
        extra += f" offer={SIDES[position.offered_by]}"
    if position.agreed:
        extra += " agreed"
    return f"{rows} {SIDES[position.turn]} {position.half_moves} {position.full_moves}{extra}"


def _write_row(position: Position, row: tuple[int, ...]) -> str:
    letters = "".join(letter_at(position, bit) for bit in row)
    return re.sub(r"\.+", lambda run: str(len(run.group())), letters)


def letter_at(position: Position, bit: int) -> str:
    """x, o, - (blocked) or . (empty)."""
    here = 1 << bit
    if position.blocked & here:
        return "-"
    return "x" if position.x & here else "o" if position.o & here else "."


def read_position(text: str, example: str = EXAMPLE) -> Position:
    """The position that FEN names; UnreadableText with an example, or OddPosition with its reasons."""
    position = read_fen(text, example)
    reasons = oddities(position)
    if reasons:
        raise OddPosition(reasons)
    return position


def oddities(position: Position) -> tuple[str, ...]:
    """Why no game can look like this; () when one can."""
    reasons = []
    if (position.board.cells & ~position.blocked).bit_count() < 2:
        reasons.append("fewer than two cells are open: there is no room for two sides")
    early = position.half_moves < OFFER_AFTER or position.without_drop != "offer"
    if early and (position.offered_by is not None or position.agreed):
        reasons.append(f"a draw cannot be offered before {OFFER_AFTER} half-moves without a drop (AA6)")
    return tuple(reasons)


def read_fen(text: str, example: str = EXAMPLE) -> Position:
    """FEN as it stands, lawful or not; counters may be left out."""
    words = text.split()
    if not 2 <= len(words) <= 7 or len(text) > _LONGEST:
        raise UnreadableText(f"a position is written rows, side, two counters; for example {example!r}")
    rows, side, *rest = words
    if side.lower() not in _SIDE_WORDS:
        raise UnreadableText(f"{side!r} is no side to move; write x or o")
    board, letters = _read_rows(rows)
    counters = [word for word in rest if _COUNTER.fullmatch(word)]
    half_moves, full_moves = (int(n) for n in (counters + ["0", "1"][len(counters) :])[:2])
    if rest[: len(counters)] != counters or len(counters) > 2 or full_moves < 1:
        raise UnreadableText("the counters are half-moves since the last drop (from 0) and the move number (from 1)")
    masks = {letter: sum(1 << bit for bit, seen in letters.items() if seen == letter) for letter in "xo-"}
    return Position(
        board,
        masks["x"],
        masks["o"],
        masks["-"],
        _SIDE_WORDS[side.lower()],
        half_moves,
        full_moves,
        **_read_extra(rest[len(counters) :]),
    )


def _read_extra(words: list[str]) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name == "without_drop" and value in WITHOUT_DROP:
            extra["without_drop"] = value
        elif name == "offer" and value in SIDES:
            extra["offered_by"] = SIDES.index(value)
        elif word == "agreed":
            extra["agreed"] = True
        else:
            raise UnreadableText(f"{word!r} is not understood; after the counters come only offer=x and agreed")
    return extra


def _read_rows(text: str) -> tuple[Board, dict[int, str]]:
    rows = [_read_row(row) for row in text.lower().split("/")]
    lengths = [len(row) for row in rows]
    hex_rows = [len(row) for row in hexagon().rows]
    if lengths == hex_rows:
        board = hexagon()
    elif SMALLEST <= len(rows) <= LARGEST and set(lengths) == {len(rows)}:
        board = square(len(rows))
    else:
        shape = "/".join(str(length) for length in hex_rows)
        raise UnreadableText(f"rows of {'/'.join(map(str, lengths))} cells are no square of 3 to 26 and not {shape}")
    letters = {
        bit: letter for cells, row in zip(board.rows, rows, strict=True) for bit, letter in zip(cells, row, strict=True)
    }
    return board, letters


def _read_row(text: str) -> str:
    row, at = "", 0
    while at < len(text):
        found = _RUN.match(text, at)
        if not found:
            raise UnreadableText(f"{text!r} is no row; write x, o, - (blocked) and numbers of empty cells")
        row += "." * int(found.group()) if found.group().isdigit() else found.group()
        at = found.end()
    return row


# --- JSON -----------------------------------------------------------------------------------------------------


def to_json(value: Position | Move) -> dict[str, Any]:
    """A position or a move as plain JSON values."""
    if isinstance(value, Move):
        cells = {key: cell for key, cell in (("to", value.to), ("origin", value.origin)) if cell}
        hand = {"shows": value.shows, "turned": list(value.turned)}
        return {"move": value.kind, **cells, **{key: what for key, what in hand.items() if what}}
    return {
        "position": "ataxx",
        "board": value.board.kind,
        "size": value.board.size,
        "x": list(value.board.names_of(value.x)),
        "o": list(value.board.names_of(value.o)),
        "blocked": list(value.board.names_of(value.blocked)),
        "turn": SIDES[value.turn],
        "half_moves": value.half_moves,
        "full_moves": value.full_moves,
        "without_drop": value.without_drop,
        "offered_by": None if value.offered_by is None else SIDES[value.offered_by],
        "agreed": value.agreed,
    }


def from_json(data: Mapping[str, Any]) -> Position | Move:
    """What `to_json` wrote; UnreadableText when it is none."""
    try:
        return _move_from(data) if "move" in data else _position_from(data)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UnreadableText(f"this is no position and no move of Ataxx: {error}") from error


def _move_from(data: Mapping[str, Any]) -> Move:
    kind, to, origin = data["move"], data.get("to", ""), data.get("origin", "")
    shows, turned = data.get("shows", ""), tuple(data.get("turned", ()))
    needed = {"drop": 1, "jump": 2, "pass": 0, "offer": 0, "accept": 0, "turn": 0}[kind]
    cells = [cell for cell in (to, origin) if cell]
    if len(cells) < needed or (cells and not needed) or not all(re.fullmatch(_CELL, c) for c in (*cells, *turned)):
        raise ValueError(f"a {kind} with the cells {[*cells, *turned]}")
    if shows not in ("", *SIDES) or ((shows or turned) and not needed and kind != "turn"):
        raise ValueError(f"a {kind} that shows {shows!r} and turns {turned}")
    return Move(kind, to, origin, shows, turned)


def _position_from(data: Mapping[str, Any]) -> Position:
    if data["position"] != "ataxx":
        raise ValueError("another game")
    board = hexagon() if data["board"] == "hex" else square(data["size"])
    if (board.kind, board.size) != (data["board"], data["size"]):
        raise ValueError(f"there is no {data['board']!r} board with {data['size']!r} cells along a side")
    x, o, blocked = (board.mask_of(tuple(data[key])) for key in ("x", "o", "blocked"))
    if x & o or x & blocked or o & blocked:
        raise ValueError("a cell is named twice")
    half_moves, full_moves, offered_by = data["half_moves"], data["full_moves"], data["offered_by"]
    if type(half_moves) is not int or type(full_moves) is not int or half_moves < 0 or full_moves < 1:
        raise ValueError("the counters are whole numbers from 0 and from 1")
    if data["without_drop"] not in WITHOUT_DROP or type(data["agreed"]) is not bool:
        raise ValueError(f"without_drop is one of {', '.join(WITHOUT_DROP)}, agreed true or false")
    return Position(
        board,
        x,
        o,
        blocked,
        SIDES.index(data["turn"]),
        half_moves,
        full_moves,
        data["without_drop"],
        None if offered_by is None else SIDES.index(offered_by),
        data["agreed"],
    )
