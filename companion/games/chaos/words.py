"""Moves and positions in words, and the one spelling of a piece and of a move."""

from companion.games.chaos.aim import prize
from companion.games.chaos.colours import CODES, RINGS, UNSEEN, UNSEEN_FACE, rolled
from companion.games.chaos.position import SIZES, Move, Position, Standing
from companion.texts import with_article

_MARKS = {"upright": "^", "lying": ">"}


def piece_code(colour: str, size: str) -> str:
    """Colour letter and pips: b3 is a large blue one."""
    return f"{CODES[colour]}{3 - SIZES.index(size)}"


def spelled_piece(piece: Standing) -> str:
    """A piece in play: `b3^10.0,-20.0,0.0`, or `b3>` when it lies."""
    place = f"{piece.x_mm:.1f},{piece.y_mm:.1f},{piece.heading_deg:.1f}"
    return f"{piece_code(piece.colour, piece.size)}{_MARKS[piece.pose]}{place}"


def spelled(move: Move) -> str:
    """The move's one spelling: `r3,10`, `b3^10.0,-20.0,0.0`, `skip b`."""
    if move.kind == "roll":
        return "r" + ",".join("?" if face == UNSEEN_FACE else str(face) for face in move.faces)
    if move.kind == "skip":
        return f"skip {CODES.get(move.colour or '', '?')}"
    return spelled_piece(move.piece) if move.piece is not None else "?"


def asks(position: Position) -> str:
    """What is asked for now, but for the dice: what they have still to be given, and what is left of no more (CA11)."""
    if position.phase != "place":
        return ""
    counts = {colour: position.dice.count(colour) for colour in position.dice}
    there = {colour: min(count, _left(position, colour)) for colour, count in counts.items()}
    wanted = [_wanted(colour, count) for colour, count in there.items() if count]
    out = [colour for colour, count in counts.items() if there[colour] < count]
    skip = "then skip" if any(there[colour] for colour in out) else "skip"
    parts = (f"place {' and '.join(wanted)}" * bool(wanted), f"{skip} {' and '.join(out)}: none is left" * bool(out))
    return ", and ".join(filter(None, parts))


def _left(position: Position, colour: str) -> int:
    """How many pieces of a colour the array still holds; of one that was not seen, enough."""
    if colour == UNSEEN:
        return len(position.dice)
    return sum(position.array[RINGS[position.house.colours].index(colour)])


def faces(position: Position, move: Move) -> tuple[str, ...]:
    """What both dice show in a roll: "4 (orange)"."""
    return tuple(f"{face} ({rolled(face, position.house.colours)})" for face in move.faces)


def _wanted(colour: str, count: int) -> str:
    """ "a red piece", "an orange piece", "two red pieces"."""
    if colour == UNSEEN:
        return "what the other die shows" if count == 1 else "what the dice show"
    return f"two {colour} pieces" if count > 1 else with_article(f"{colour} piece")


def describe(position: Position, move: Move) -> str:
    """What a move does."""
    who = f"Player {position.seat + 1}"
    if move.kind == "roll":
        faces = ("what was not seen" if face == UNSEEN_FACE else str(face) for face in move.faces)
        return f"{who} rolls {' and '.join(faces)}."
    if move.kind == "skip" or move.piece is None:
        unseen = move.colour == UNSEEN or (move.piece is None and move.colour is None)
        return f"{who} cannot place {'the other die' if unseen else move.colour}."
    piece = move.piece
    role = "as a defender"
    if piece.pose == "lying":
        role = f"as an attacker that captures {prize(position, piece) or 'nothing'},"
    return f"{who} places the {piece.size} {piece.colour} piece {role} at {round(piece.x_mm)}, {round(piece.y_mm)} mm."


def unordered(position: Position, moves: tuple[Move, ...]) -> str:
    """That of placements in more than one turn, seen at once, it is not known which came first."""
    first, turns = position.phase == "place", 0
    for move in moves:
        turns += move.kind == "place" and first
        first = move.kind == "roll"
    return "Which of these pieces came in which turn was not seen." if turns > 1 else ""


def draw(position: Position) -> str:
    """The game as text: whose turn, what is in play, what the array holds and who has what."""
    ring = RINGS[position.house.colours]
    lines = ["in play:"]
    lines += [f"  {spelled_piece(piece)}  {piece.size} {piece.colour} {piece.pose}" for piece in position.pieces]
    lines.append("array (large medium small):")
    lines += [f"  {i + 1:2} {c:7} {' '.join(map(str, position.array[i]))}" for i, c in enumerate(ring)]
    for seat, pieces in enumerate(position.captured):
        mark = ">" if seat == position.seat and position.phase != "over" else " "
        have = " ".join(piece_code(*piece) for piece in pieces) or "nothing"
        missing = " ".join(CODES[c] for c in ring if c not in dict(pieces))
        lines.append(f"{mark} Player {seat + 1}: {have}; needs {missing or 'nothing'}")
    lines.append(f"  next: {position.phase}" + (f" {' and '.join(position.dice)}" if position.dice else ""))
    return "\n".join(lines)
