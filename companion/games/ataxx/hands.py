"""What hands do on the table: the board right after them, what a view suggests that they did, and what is let stand."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.errors import UnreadableText
from companion.events import TurnBegan
from companion.games.ataxx.actions import outcome
from companion.games.ataxx.board import each
from companion.games.ataxx.position import SIDES, Move, Position
from companion.games.base import Turn
from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView

BLACK, WHITE = DISCS = (Piece("disc", colour="black"), Piece("disc", colour="white"))
CHANGED = 0.02  # a cell believed in less than 1 minus this as it was may have changed
SUGGESTS = 0.2  # a belief of at least this much suggests that the disc may be there
TURNED = 0.5  # ... and of this much that it was turned over
OUT_OF_TURN = 1.5  # natural log-odds against the other side's disc being put down or moved ...
NO_WAY = 1.5  # ... and against that being done as it could not in its own turn either ...
WRONG_FLIP = 1.0  # ... against a disc being turned over that is none of those to turn ...
MORE_WRONG_FLIPS = 3.0  # ... and against each further one
MOST_ARRIVALS = 3  # more new discs than these are no one action


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
        offered_by=None,
    )
    return Turn(after, () if outcome(after) else (TurnBegan(after.turn),))


def taken_up(position: Position, cells: Mapping[str, Piece], seat: int) -> Position:
    """The position in which these cells show this, with that seat to move; UnreadableText where no disc can lie."""
    board, sides = position.board, [0, 0]
    for cell, piece in cells.items():
        if piece not in DISCS or not 1 << board.bit(cell) & board.cells & ~position.blocked:
            raise UnreadableText(f"no disc can lie on {cell}")
        sides[DISCS.index(piece)] |= 1 << board.bit(cell)
    x, o = sides
    return replace(position, x=x, o=o, turn=seat, half_moves=0, offered_by=None)


def oddity(position: Position, move: Move) -> float:
    """How unlikely it is that hands do this, as natural log-odds beside other unlawful actions."""
    odd = 0.0
    if move.to and shown_side(position, move) != position.turn:
        odd = OUT_OF_TURN + (0.0 if _in_reach(position, move) else NO_WAY)
    return odd + (WRONG_FLIP + MORE_WRONG_FLIPS * (len(move.turned) - 1) if move.turned else 0.0)


def _in_reach(position: Position, move: Move) -> bool:
    """True if the other side's disc may go there when it is on turn."""
    board = position.board
    to = 1 << board.bit(move.to)
    near = board.far_of[board.bit(move.origin)] if move.kind == "jump" else board.around(position.theirs)
    return bool(near & to & position.empty)


# --- from views to moves --------------------------------------------------------------------------------------


def plausible(position: Position, view: TableView) -> Iterator[Move]:
    """The lawful drops and jumps of which every cell may look changed: all that the view gives reason to think of."""
    board, seen = position.board, view.by_cell()
    taken = _doubted(position, seen, position.empty, EMPTY)
    left = _doubted(position, seen, position.own, DISCS[position.turn])
    for bit in each(board.around(position.own) & taken):
        yield Move("drop", board.names[bit])
    for origin in each(left):
        for bit in each(board.far_of[origin] & taken):
            yield Move("jump", board.names[bit], board.names[origin])


def _doubted(position: Position, seen: Mapping[str, Sighting], mask: int, piece: Piece) -> int:
    """The cells of the mask that may show something else than this."""
    names = position.board.names
    return sum(1 << bit for bit in each(mask) if names[bit] not in seen or seen[names[bit]].belief(piece) < 1 - CHANGED)


def suggested(position: Position, view: TableView) -> Iterator[Move]:
    """What the view suggests that a hand did, lawful or not."""
    seen = view.by_cell()

    def believed(mask: int, piece: Piece, least: float) -> tuple[str, ...]:
        return tuple(c for c in position.board.names_of(mask) if c in seen and seen[c].belief(piece) >= least)

    mine, other = DISCS[position.turn], DISCS[1 - position.turn]
    open_cells = position.empty | position.blocked
    turned = (*believed(position.theirs, mine, TURNED), *believed(position.own, other, TURNED))
    arrived = {
        "": believed(open_cells, mine, SUGGESTS),
        SIDES[1 - position.turn]: believed(open_cells, other, SUGGESTS),
    }
    gone = believed(position.own, EMPTY, SUGGESTS)
    gone_theirs = believed(position.theirs, EMPTY, SUGGESTS)
    if sum(len(cells) for cells in (*arrived.values(), gone, gone_theirs)) > 2 * MOST_ARRIVALS:
        return
    for shows, cells in arrived.items():
        for to in cells:
            yield from _with_turned(position, Move("drop", to, shows=shows), turned)
            for origin in gone:
                yield from _with_turned(position, Move("jump", to, origin, shows), turned)
            for origin in gone_theirs if shows else ():
                yield from _with_turned(position, Move("jump", to, origin), turned)
    if not any(arrived.values()):
        yield from _on_occupied(position, turned, gone)


def _with_turned(position: Position, move: Move, turned: tuple[str, ...]) -> Iterator[Move]:
    """The action, and if discs lie turned that it does not turn, the action with those."""
    yield move
    near = position.board.near_of[position.board.bit(move.to)]
    enemies = (position.x, position.o)[1 - shown_side(position, move)]
    wrong = tuple(cell for cell in turned if not 1 << position.board.bit(cell) & near & enemies)
    if wrong:
        yield replace(move, turned=wrong)


def _on_occupied(position: Position, turned: tuple[str, ...], gone: tuple[str, ...]) -> Iterator[Move]:
    """No new disc lies anywhere: one was put in place of another's, or discs were turned over alone."""
    theirs = [cell for cell in turned if 1 << position.board.bit(cell) & position.theirs]
    for to in theirs[:MOST_ARRIVALS]:
        rest = tuple(cell for cell in turned if cell != to)
        for origin in gone:
            yield from _with_turned(position, Move("jump", to, origin), rest)
    if len(turned) == 1 and theirs and not gone:
        yield Move("drop", theirs[0])
    elif turned and not gone:
        yield Move("turn", turned=turned)
