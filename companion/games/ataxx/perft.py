"""Counting leaves. A pass is one move, a finished game has no children, drops count once by destination."""

from companion.games.ataxx.board import Board
from companion.games.ataxx.play import moves, outcome, play
from companion.games.ataxx.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of positions after `depth` half-moves."""
    if depth <= 0:
        return 1
    if position.agreed:
        return 0
    if position.without_drop == "draw":  # the counter decides too: no shortcut by bit masks alone
        return _by_moves(position, depth)
    return _leaves(position.board, position.own, position.theirs, position.empty, depth)


def _by_moves(position: Position, depth: int) -> int:
    if outcome(position) is not None:
        return 0
    if depth == 1:
        return len(moves(position))
    return sum(perft(play(position, move).position, depth - 1) for move in moves(position))


def _leaves(board: Board, own: int, theirs: int, empty: int, depth: int) -> int:
    if not own or not theirs or not empty:
        return 0
    if depth == 1:
        return _count(board, own, theirs, empty)
    near_of, far_of, total, depth = board.near_of, board.far_of, 0, depth - 1
    near, far = board.around(own) & empty, board.beyond(own) & empty
    if not near | far:
        return _leaves(board, theirs, own, empty, depth) if _can_act(board, theirs, empty) else 0
    targets = near | far
    while targets:
        to = targets & -targets
        targets ^= to
        bit = to.bit_length() - 1
        flips = near_of[bit] & theirs
        grown, left, rest = own | to | flips, theirs ^ flips, empty ^ to
        if to & near:
            total += _leaves(board, left, grown, rest, depth)
        origins = far_of[bit] & own
        while origins:
            origin = origins & -origins
            origins ^= origin
            total += _leaves(board, left, grown ^ origin, rest | origin, depth)
    return total


def _count(board: Board, own: int, theirs: int, empty: int) -> int:
    """All moves of one position at once: drops by their cells, jumps by their directions."""
    near = 0
    for step in board.near:
        near |= own << step | own >> step
    total = (near & empty).bit_count()
    for step in board.far:
        total += (own << step & empty).bit_count() + (own >> step & empty).bit_count()
    return total or int(_can_act(board, theirs, empty))


def _can_act(board: Board, pieces: int, empty: int) -> bool:
    return bool((board.around(pieces) | board.beyond(pieces)) & empty)
