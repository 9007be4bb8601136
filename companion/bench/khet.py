"""Full turns of Khet a second (every legal action listed, played, its shot traced, the hit pieces removed)."""

from collections.abc import Callable

from companion.bench import khet_plain as plain
from companion.bench.timing import beside
from companion.games.khet import Position, start
from companion.games.khet.actions import over, turns
from companion.games.khet.faces import COLOUR, LOOK
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.squares import ON_BOARD, file_rank

EVERY = 40  # of the positions after two turns, one in so many is measured


def plain_board(cells: bytes | bytearray) -> plain.Board:
    """The same board as a dictionary."""
    board: plain.Board = {}
    for square in ON_BOARD:
        if cells[square]:
            seat, kind, facing = LOOK[cells[square]]
            board[file_rank(square)] = COLOUR[seat], kind, facing or ""
    return board


def sample(layout: str) -> list[Position]:
    """Positions two turns into a game, evenly taken from all there are."""
    first = start({"layout": layout})
    after = (b for a in turns(first.cells, 0, first.house) if not over(a) for b in turns(a, 1, first.house))
    return [Position(bytes(cells), 0, first.house) for cells in list(after)[::EVERY] if not over(cells)]


def compare(layout: str, rounds: int) -> tuple[float, float]:
    """Full turns a second of the fast rules and of the plain ones, over the same positions."""
    positions = sample(layout)
    boards = [plain_board(position.cells) for position in positions]
    edition = positions[0].house.edition

    def fast() -> int:
        return sum(sum(1 for _ in turns(p.cells, p.to_move, p.house)) for p in positions)

    def slow() -> int:
        count = 0
        for board in boards:
            for action in plain.actions(board, "silver"):
                plain.play(board, "silver", edition, action)
                count += 1
        return count

    return beside(fast, slow, rounds)


def report(say: Callable[[str], None], rounds: int = 5) -> None:
    """A line for each layout."""
    say(f"{'Khet, full turns per second':30}{'ours':>12}{'plain dict':>12}{'times':>8}")
    for layout in LAYOUTS:
        ours, theirs = compare(layout, rounds)
        say(f"  {layout:28}{ours:12,.0f}{theirs:12,.0f}{ours / theirs:8.1f}")
