"""What hands do on the table: the board right after them, and what is let stand."""

from dataclasses import replace

from companion.events import TurnBegan
from companion.games.ataxx.play import outcome, still_offered
from companion.games.ataxx.position import COLOURS, SIDES, Move, Position
from companion.games.base import Turn
from companion.pieces import Piece

DISCS = tuple(Piece("disc", colour=colour) for colour in COLOURS)


def put_down(position: Position, move: Move) -> tuple[int, int]:
    """The masks of x and o right after the hand has let go, none of the neighbours turned over yet."""
    board, sides = position.board, [position.x, position.o]
    if move.to:
        origin = 1 << board.bit(move.origin) if move.kind == "jump" else 0
        to, side = 1 << board.bit(move.to), shown_side(position, move)
        sides = [mask & ~origin & ~to for mask in sides]
        sides[side] |= to
    turned = board.mask_of(move.turned)
    x, o = sides
    return x & ~turned | o & turned, o & ~turned | x & turned


def shown_side(position: Position, move: Move) -> int:
    """The side whose colour lies up on the cell of arrival: a piece that is moved stays what it was."""
    if move.shows:
        return SIDES.index(move.shows)
    moved_theirs = move.kind == "jump" and 1 << position.board.bit(move.origin) & position.theirs
    return 1 - position.turn if moved_theirs else position.turn


def carry_out(position: Position, move: Move) -> Turn:
    """Whatever hands did, taken as if it were lawful: the neighbours change sides, and the other side is on turn."""
    x, o = put_down(position, move)
    board, acting = position.board, position.turn
    if move.to:
        acting = shown_side(position, move)
        near = board.near_of[board.bit(move.to)] & ~board.mask_of(move.turned)
        x, o = (x | o & near, o & ~near) if acting == 0 else (x & ~near, o | x & near)
    after = replace(
        position,
        x=x,
        o=o,
        blocked=position.blocked & ~(x | o),
        turn=1 - acting,
        half_moves=0 if move.kind == "drop" else position.half_moves + 1,
        full_moves=position.full_moves + acting,
        offered_by=still_offered(replace(position, turn=acting), move),
    )
    return Turn(after, () if outcome(after) else (TurnBegan(after.turn),))
