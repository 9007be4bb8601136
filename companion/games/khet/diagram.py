"""Positions drawn as a diagram: one line a rank, two signs a square; read tolerantly, drawn for terminals.

K S P A X O E as in our notation, capitals silver; pyramids with 1 NE, 2 SE, 3 SW, 4 NW; `^ > v <` the facing of
anubis and sphinx, `/` and a backslash the mirrors, O2 a stack; `.` empty, `::` and `++` empty and reserved.
"""

import re

from companion.errors import UnreadableText
from companion.games.khet import faces
from companion.games.khet.fields import read_fields, write_fields
from companion.games.khet.position import Position, board
from companion.games.khet.squares import NAME, RED_ONLY, SILVER_ONLY, WIDTH

_CORNERS = {"1": "NE", "2": "SE", "3": "SW", "4": "NW"}
_ARROWS = {"^": "N", ">": "E", "v": "S", "<": "W"}
_MARKS = {("pyramid", f): m for m, f in _CORNERS.items()}
_MARKS |= {(k, f): m for k in ("anubis", "sphinx") for m, f in _ARROWS.items()}
_MARKS |= {(k, m): m for k in ("scarab", "eye") for m in "/\\"}
_CODE_SIGN = {
    code: ("o2" if kind == "stack" else faces.LETTERS[kind] + _MARKS.get((kind, facing or ""), ""))
    for code, (_, kind, facing) in faces.LOOK.items()
}
_SIGN_CODE = {
    sign[0].upper() + sign[1:] if faces.LOOK[code][0] == 0 else sign: code for code, sign in _CODE_SIGN.items()
}
_EMPTY = (".", "::", "++", "..", "-", "--")
_RANK = re.compile(r"(?:([1-8])\s+)?(\S+(?:\s+\S+){9})")
_FILES = re.compile(r"a\s+b\s+c\s+d\s+e\s+f\s+g\s+h\s+i\s+j")


def looks_like_one(text: str) -> bool:
    """True for several lines with signs, False for our one-line notation."""
    return len(text.strip().splitlines()) > 1


def read(text: str) -> Position:
    """The position of a diagram; a last line may name side, edition and house rules as our notation does."""
    pieces: dict[int, int] = {}
    fields: list[str] = []
    rank = 8
    for line in text.strip().splitlines():
        words = line.strip()
        if not words or words.startswith("```") or _FILES.fullmatch(words):
            continue
        row = _RANK.fullmatch(words) if rank else None
        if row is None:
            fields += words.removesuffix("to move").split()
            continue
        if row[1] not in (None, str(rank)):
            raise UnreadableText(f"the ranks of a diagram run from 8 down to 1; rank {rank} was expected: {words!r}")
        pieces.update(_read_rank(row[2].split(), rank))
        rank -= 1
    if rank:
        raise UnreadableText(f"a diagram has 8 ranks, this has {8 - rank}")
    return read_fields(board(pieces), fields)


def _read_rank(signs: list[str], rank: int) -> dict[int, int]:
    pieces = {}
    for file, sign in enumerate(signs):
        if sign in _EMPTY:
            continue
        if sign not in _SIGN_CODE:
            raise UnreadableText(f"{sign!r} in rank {rank} is no piece; for example P4, a^, s/, K, O2")
        pieces[rank * WIDTH + file + 1] = _SIGN_CODE[sign]
    return pieces


def draw(position: Position) -> str:
    """The position as a diagram that `read` understands."""
    signs = {code: sign for sign, code in _SIGN_CODE.items()}
    lines = []
    for rank in range(8, 0, -1):
        row = []
        for square in range(rank * WIDTH + 1, (rank + 1) * WIDTH - 1):
            empty = "::" if square in RED_ONLY else "++" if square in SILVER_ONLY else "."
            row.append(signs.get(position.cells[square], empty).ljust(4))
        lines.append(f"{rank}  {''.join(row)}".rstrip())
    lines.append("   " + "".join(NAME[WIDTH + file][0].ljust(4) for file in range(1, 11)).rstrip())
    lines.append(" ".join([faces.COLOUR[position.to_move], *write_fields(position)]))
    return "\n".join(lines)
