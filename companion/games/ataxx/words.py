"""Moves in words, and as UAI text."""

from companion.games.ataxx.board import Board
from companion.games.ataxx.position import COLOURS, SIDES, Move, Position
from companion.texts import join

NAMES = tuple(colour.capitalize() for colour in COLOURS)  # of the seats, as they are told
PASS_TEXT, OFFER_TEXT, ACCEPT_TEXT = "0000", "draw?", "draw!"
_WORDS = {"pass": PASS_TEXT, "offer": OFFER_TEXT, "accept": ACCEPT_TEXT}


def spell(move: Move) -> str:
    """The UAI text of a move: `b2` a drop, `a1c3` a jump, `0000` a pass; `draw?` and `draw!` are our own.

    What only hands do is our own too: `a1>b2` moves a piece by one cell, `c4=o` puts one of the other side,
    `b2*c4*d5` turns c4 and d5 over besides, `*c4` turns it over and does nothing else.
    """
    text = _WORDS.get(move.kind, move.origin + move.to)
    if move.shows:
        text += f"={move.shows}"
    return "*".join((text, *move.turned))


def spell_on(board: Board, move: Move) -> str:
    """The same, a piece that only moved to the next cell told from a drop."""
    text = spell(move)
    if move.kind == "jump" and board.distance(move.origin, move.to) == 1:
        return f"{move.origin}>{text.removeprefix(move.origin)}"
    return text


def describe(position: Position, move: Move) -> str:
    """The move in words."""
    name = NAMES[position.turn]
    said = {
        "drop": f"{name} drops a piece on {move.to}",
        "jump": f"{name} moves the piece on {move.origin} to {move.to}",
        "pass": f"{name} cannot act and is skipped",
        "offer": f"{name} offers a draw",
        "accept": f"{name} accepts the draw",
        "turn": f"{name} turns {join(move.turned)} over",
    }[move.kind]
    if move.shows:
        said += f", {COLOURS[SIDES.index(move.shows)]} side up"
    if move.turned and move.kind != "turn":
        said += f", and turns {join(move.turned)} over besides"
    return f"{said}."
