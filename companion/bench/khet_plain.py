"""Khet once more, as one would first write it: a dictionary of squares, one function for each thing.

It is the yardstick that the fast rules are measured against and, written without them, their second opinion.
"""

from collections.abc import Iterator

Square = tuple[int, int]  # file, rank from 0
Heading = tuple[int, int]
Piece = tuple[str, str, str]  # colour, kind, facing ("" for none)
Board = dict[Square, Piece]
Action = tuple[str, Square, Square, str]  # what, from, to, new facing

HEADINGS: dict[str, Heading] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
CORNERS = ("NE", "SE", "SW", "NW")
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
RED_SQUARES = {(0, rank) for rank in range(8)} | {(8, 0), (8, 7)}
SILVER_SQUARES = {(9, rank) for rank in range(8)} | {(1, 0), (1, 7)}
FORBIDDEN = {"silver": RED_SQUARES, "red": SILVER_SQUARES}
LASERS: dict[str, tuple[Square, Heading]] = {"silver": ((9, 0), (0, 1)), "red": ((0, 7), (0, -1))}


def slash(heading: Heading) -> Heading:
    """Light turned by a mirror that rises to the right."""
    return heading[1], heading[0]


def backslash(heading: Heading) -> Heading:
    """Light turned by a mirror that falls to the right."""
    return -heading[1], -heading[0]


def reaction(kind: str, facing: str, heading: Heading) -> Heading | str:
    """Where light goes on, or "hit", or "absorbed"."""
    if kind in ("scarab", "eye"):
        return slash(heading) if facing == "/" else backslash(heading)
    if kind == "pyramid":
        against = [HEADINGS[letter] for letter in facing]
        if (-heading[0], -heading[1]) not in against:
            return "hit"
        return backslash(heading) if facing in ("NE", "SW") else slash(heading)
    if kind == "sphinx":
        return "absorbed"
    if kind == "anubis" and HEADINGS[facing] == (-heading[0], -heading[1]):
        return "absorbed"
    return "hit"


REACTIONS: dict[tuple[str, str, Heading], Heading | str] = {
    (kind, facing, heading): reaction(kind, facing, heading)
    for kind, facings in {
        "pyramid": CORNERS,
        "scarab": ("/", "\\"),
        "eye": ("/", "\\"),
        "anubis": ("N", "E", "S", "W"),
        "sphinx": ("N", "E", "S", "W"),
        "pharaoh": ("",),
        "obelisk": ("",),
        "stack": ("",),
    }.items()
    for facing in facings
    for heading in HEADINGS.values()
}


def on_board(square: Square) -> bool:
    """True for the 80 squares."""
    return 0 <= square[0] < 10 and 0 <= square[1] < 8


def fire(board: Board, colour: str, edition: str) -> set[Square]:
    """The squares hit by one shot of this side's laser."""
    (file, rank), heading = LASERS[colour]
    if edition == "2.0":
        heading = HEADINGS[board[file, rank][2]]
    else:
        file, rank = file - heading[0], rank - heading[1]
    hits = set()
    beams = [(file, rank, heading)]
    split = set()
    while beams:
        file, rank, heading = beams.pop()
        while True:
            file, rank = file + heading[0], rank + heading[1]
            piece = board.get((file, rank))
            if piece is None:
                if 0 <= file < 10 and 0 <= rank < 8:
                    continue
                break
            after = REACTIONS[piece[1], piece[2], heading]
            if isinstance(after, str):
                if after == "hit":
                    hits.add((file, rank))
                break
            if piece[1] == "eye":
                if (file, rank, heading) in split:
                    break
                split.add((file, rank, heading))
                beams.append((file, rank, heading))
            heading = after
    return hits


def actions(board: Board, colour: str, swap_into_reserved: bool = False) -> Iterator[Action]:
    """Every legal action of this side."""
    for square, piece in board.items():
        if piece[0] == colour:
            yield from turns(square, piece)
            if piece[1] != "sphinx":
                yield from steps(board, square, piece, swap_into_reserved)


def turns(square: Square, piece: Piece) -> Iterator[Action]:
    """The quarter turns of one piece."""
    colour, kind, facing = piece
    if kind == "pyramid":
        index = CORNERS.index(facing)
        yield "turn", square, square, CORNERS[(index + 1) % 4]
        yield "turn", square, square, CORNERS[(index - 1) % 4]
    elif kind == "anubis":
        index = "NESW".index(facing)
        yield "turn", square, square, "NESW"[(index + 1) % 4]
        yield "turn", square, square, "NESW"[(index - 1) % 4]
    elif kind in ("scarab", "eye"):
        yield "turn", square, square, "\\" if facing == "/" else "/"
    elif kind == "sphinx":
        one, other = ("N", "W") if colour == "silver" else ("S", "E")
        yield "turn", square, square, other if facing == one else one


def steps(board: Board, square: Square, piece: Piece, swap_into_reserved: bool) -> Iterator[Action]:
    """The steps, swaps and stackings of one piece."""
    colour, kind, facing = piece
    for x, y in AROUND:
        target = square[0] + x, square[1] + y
        if not on_board(target) or target in FORBIDDEN[colour]:
            continue
        other = board.get(target)
        if other is None:
            yield "step", square, target, facing
            if kind == "stack":
                yield "top", square, target, facing
        elif kind in ("scarab", "eye") and other[1] in ("pyramid", "anubis", "obelisk", "stack"):
            if swap_into_reserved or square not in FORBIDDEN[other[0]]:
                yield "swap", square, target, facing
        elif other == (colour, "obelisk", ""):
            if kind == "obelisk":
                yield "step", square, target, facing
            elif kind == "stack":
                yield "top", square, target, facing


def play(board: Board, colour: str, edition: str, action: Action) -> Board:
    """The board after the action and the shot."""
    what, square, target, facing = action
    after = dict(board)
    piece = after.pop(square)
    if what == "turn":
        after[square] = piece[0], piece[1], facing
    elif what == "swap":
        after[square], after[target] = after[target], piece
    elif what == "top":
        after[square] = colour, "obelisk", ""
        after[target] = colour, "stack" if target in after else "obelisk", ""
    else:
        after[target] = (colour, "stack", "") if target in after else piece
    for hit in fire(after, colour, edition):
        struck = after.pop(hit)
        if struck[1] == "stack":
            after[hit] = struck[0], "obelisk", ""
    return after


def over(board: Board) -> bool:
    """True once a pharaoh is gone."""
    return sum(piece[1] == "pharaoh" for piece in board.values()) < 2
