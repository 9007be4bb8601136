"""Small boards and pictures of boards for the tests of Khet."""

from companion.games import khet
from companion.games.base import Layout
from companion.games.khet import Move, Position
from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView

SURE = 0.97
SPHINXES = {"j1": "Xn", "a8": "xs"}
PHARAOHS = {"e1": "K", "f8": "k"}


def table(pieces: dict[str, str], edition: str = "1.0", mover: str = "s", rules: str = "") -> Position:
    """A position with these pieces; pharaohs (and in 2.0 sphinxes) stand where none are named."""
    placed = dict(SPHINXES) if edition == "2.0" else {}
    placed |= {s: p for s, p in PHARAOHS.items() if p not in pieces.values() and s not in pieces}
    placed |= pieces
    ranks = []
    for rank in range(8, 0, -1):
        cells = [placed.get(f"{file}{rank}", "1") for file in "abcdefghij"]
        text = "".join(cells)
        for run in range(10, 1, -1):
            text = text.replace("1" * run, str(run))
        ranks.append(text)
    return khet.read_position(f"{'/'.join(ranks)} {mover} {edition} {rules}")


def spelled(position: Position, origin: str = "") -> set[str]:
    """The legal moves from a square as text."""
    texts = {khet.write_move(position, move) for move in khet.moves(position)}
    return {text for text in texts if text.startswith(origin)}


def play(position: Position, *texts: str) -> Position:
    """The position after these moves."""
    for text in texts:
        position = khet.play(position, khet.read_move(position, text)).position
    return position


def steps_from(square: str, besides: str = "") -> set[str]:
    """The eight steps from a square in the middle, less those to the squares named."""
    file, rank = ord(square[0]), int(square[1])
    around = {f"{chr(file + x)}{rank + y}" for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y}
    return {square + target for target in around - set(besides.split())}


def seen(shown: Layout, sure: float = SURE) -> TableView:
    """A picture of this layout; a pharaoh and an obelisk are seen with some facing, as a camera would."""
    by_cell = {lying.cell: lying.piece for lying in shown.pieces}
    sightings = []
    for cell in shown.board.cells():
        piece = by_cell.get(cell, EMPTY)
        if piece.kind in ("pharaoh", "obelisk"):
            piece = Piece(piece.kind, piece.colour, facing="N")
        sightings.append(Sighting(((piece, sure),), cell=cell))
    return TableView(0.0, tuple(sightings))


def conceivable(position: Position) -> list[Move]:
    """Everything that a hand could do within two squares, lawful or not."""
    squares = [lying.cell for lying in khet.layout(position).pieces if lying.cell is not None]
    found = [Move("turn", square, turn=turn) for square in squares for turn in (1, -1, 2)]
    for origin in squares:
        for target in khet.layout(position).board.cells():
            near = abs(ord(origin[0]) - ord(target[0])) <= 2 and abs(int(origin[1]) - int(target[1])) <= 2
            if near and origin != target:
                found += [Move(kind, origin, target, turn) for kind in ("step", "swap", "top") for turn in (0, 1)]
    return found
