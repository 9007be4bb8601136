"""What a view of the table suggests that hands did, lawful or not."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from companion.games.ataxx.board import each
from companion.games.ataxx.hands import DISCS, shown_side
from companion.games.ataxx.play import moves
from companion.games.ataxx.position import SIDES, Move, Position
from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView

CHANGED = 0.02  # a cell believed in less than 1 minus this as it was may have changed
SUGGESTS = 0.2  # a belief of at least this much suggests that the disc may be there
TURNED = 0.5  # ... and of this much that it was turned over
OUT_OF_TURN = 1.5  # natural log-odds against the other side's disc being put down or moved ...
NO_WAY = 1.5  # ... and against that being done as it could not in its own turn either ...
WRONG_FLIP = 1.0  # ... against a disc being turned over that is none of those to turn ...
MORE_WRONG_FLIPS = 3.0  # ... and against each further one
MOST_ARRIVALS = 3  # more new discs than these are no one action


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """The legal moves, and what else hands may have done, so that it can be explained."""
    lawful = moves(position)
    if not view.clear:
        return lawful
    return dict.fromkeys((*lawful, *suggested(position, view)))


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
