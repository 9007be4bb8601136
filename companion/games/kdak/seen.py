"""What a view may be explained by: actions that hands make together, and what must have happened unseen before."""

from collections.abc import Callable, Iterator

from companion.games.kdak import tower as t
from companion.games.kdak.play import moves, play
from companion.games.kdak.position import Move, Position
from companion.games.kdak.table import AWAY, front
from companion.games.kdak.tower import LEVELS, PLACES, Place
from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView

UNSHOWN = ("roll", "stay", "pass", "end", "coin")  # moves of which a view shows nothing
LONGEST = 7  # step, face, roll, tile taken, its face, end of turn, next step
UNLIKELY_TAKE = 9.0  # natural log-odds: a column that lost its top rather lost a lower tile and was moved down
PLAIN_GAP = -1.0  # ... and a gap below other tiles is hardly anything else
AT_ONCE = 1.0  # natural log-odds against a tile being turned with the action itself
DROPPED_AT_ONCE = 1.7  # ... and a column moved down
SEEN = 0.05  # belief from which the view gives reason to think of something
LIKELY = 0.5  # belief from which it is relied on
GONE = 0.2  # belief in nothing being there, from which a tile may have been taken


def candidates(position: Position, view: TableView) -> Iterator[Move]:
    """The legal moves, then steps that a hand can make and the rules do not allow, and a face that another tile has."""
    legal = tuple(moves(position))
    yield from legal
    if position.phase == "move":
        wrong = (*(Move("go", place) for place in PLACES), Move("out"))
        yield from (move for move in wrong if move not in legal and move.place != position.pawn.place)
    if position.phase == "reveal":
        yield from _seen_elsewhere(position, view)
    if position.phase == "take":
        everywhere = (Move("take", place) for place in t.places(position.tower))
        yield from (move for move in everywhere if move not in legal)


def sequences(position: Position, view: TableView) -> Iterator[tuple[Move, ...]]:
    """Several moves that one view may show together: a pawn's step and its tile turned up, and all up to the next."""
    table = _Seen(view)
    for chain in _chains(position, table, LONGEST):
        if len(chain) > 1:
            yield chain
    yield from _astray(position, table)


def _seen_elsewhere(position: Position, view: TableView) -> Iterator[Move]:
    """The face of the tile that a pawn has entered, where another tile was taken for that one before."""
    tile = view.by_cell().get(str(position.pawn.place))
    known = () if tile is None else sorted(set(t.TILES) - set(position.unseen()))
    yield from (Move("tile", tile=name) for name in known if tile is not None and tile.belief(front(name)) >= LIKELY)


def oddity(position: Position, move: Move) -> float:
    """How much less likely this unlawful action is than others."""
    if move.kind != "take" or move.place is None:
        return 0.0
    top = move.place.level == t.height(position.tower, move.place.corner) - 1
    return UNLIKELY_TAKE if top and _looks_lowered(position, move.place) else PLAIN_GAP


def _looks_lowered(position: Position, top: Place) -> bool:
    """True if the column without its top looks as if a tile of the doomed level had been taken from it."""
    if position.level is None or not t.has(position.tower, Place(position.level, top.corner)):
        return False
    taken = play(position, Move("take", Place(position.level, top.corner))).position
    return _looks(taken.tower, top.corner) == _looks(t.without(position.tower, top), top.corner)


def _looks(tower: t.Tower, corner: int) -> list[str | None]:
    """What the tiles of a column show; None of those that lie face-down."""
    return [tile.name if tile.up else None for tile in tower[corner]]


def cleared_cost(position: Position, move: Move) -> float:
    """How unlikely it is that the action is seen only after all that it asks for is done."""
    return DROPPED_AT_ONCE if move.kind == "take" else AT_ONCE


class _Seen:
    """A view by its cells, and the faces of the tiles that lie on none."""

    def __init__(self, view: TableView) -> None:
        self.cells = view.by_cell()
        self.shows = any(cell.startswith(f"{AWAY}/tile") for cell in self.cells)
        self.loose = tuple(s for s in view.sightings if not s.faint and (s.cell or AWAY).startswith(AWAY))

    def pawn(self, suit: str, head: str) -> bool:
        """True if this pawn may stand there; one that is seen nowhere is overlooked on a tile of its own suit."""
        seen = self.cells.get(f"{head}/{suit}")
        if self.hidden(suit):
            tile = self.cells.get(head)
            return tile is not None and tile.belief(Piece("tile", face="front", suit=suit)) >= LIKELY
        return seen is not None and seen.confidence >= SEEN and any(p != EMPTY and b >= SEEN for p, b in seen.beliefs)

    def hidden(self, suit: str) -> bool:
        """True if this pawn is seen nowhere."""
        seen = self.cells.get(f"{AWAY}/{suit}")
        return seen is not None and seen.hidden

    def gone(self, place: Place) -> bool:
        """True if nothing seems to lie there."""
        seen = self.cells.get(str(place))
        return seen is not None and seen.belief(EMPTY) >= GONE

    def face(self, name: str, corner: int) -> bool:
        """True if this face may lie somewhere in a column."""
        piece = front(name)
        column = (self.cells.get(str(Place(level, corner))) for level in range(LEVELS))
        return any(seen is not None and seen.belief(piece) >= SEEN for seen in column)

    def beside(self, name: str) -> bool:
        """True if this face may lie beside the tower."""
        return any(_shows(sighting, name) for sighting in self.loose)


def _shows(sighting: Sighting, name: str) -> bool:
    return sighting.belief(front(name)) >= SEEN


def _chains(position: Position, seen: _Seen, longest: int) -> Iterator[tuple[Move, ...]]:
    for move in _visible(position, seen):
        if _shown(position, move, seen):  # else something must follow
            yield (move,)
        if longest > 1:
            for rest in _chains(play(position, move).position, seen, longest - 1):
                yield (move, *rest)


def _astray(position: Position, seen: _Seen) -> Iterator[tuple[Move, ...]]:
    """Steps that are not allowed, made before the camera saw the face of the tile that was taken away."""
    unseen = next((move for move in _visible(position, seen) if move.tile == t.UNSEEN), None)
    if unseen is None or (after := play(position, unseen).position).phase != "move":
        return
    legal, suit = set(moves(after)), after.house.pawns[after.seat]
    for place in PLACES:
        step = Move("go", place)
        if step not in legal and place != after.pawn.place and seen.pawn(suit, str(place)):
            yield unseen, step


def _shown(position: Position, move: Move, seen: _Seen) -> bool:
    """True if the view itself shows something of this move."""
    if move.kind == "go":
        return not seen.hidden(position.house.pawns[position.seat])
    return move.kind not in UNSHOWN and (position.phase != "discard" or (seen.shows and move.tile != t.UNSEEN))


def _visible(position: Position, seen: _Seen) -> Iterator[Move]:
    """The lawful moves of which the view shows something, or which must come before the next that does."""
    shown = [move for move in moves(position) if _SHOWS[move.kind](position, move, seen)]
    if position.phase == "discard" and not shown:  # the players have seen it (K10), and go on
        return iter((Move("tile", tile=t.UNSEEN),))
    return iter(shown)


def _went(position: Position, move: Move, seen: _Seen) -> bool:
    """The pawn stands there, or it has fallen or was carried since."""
    suit, place = position.house.pawns[position.seat], move.place
    if place is None:
        return False
    below = str(Place(place.level - 1, place.corner)) if place.level else AWAY
    return seen.pawn(suit, str(place)) or seen.pawn(suit, below)


def _left(position: Position, move: Move, seen: _Seen) -> bool:
    return seen.pawn(position.house.pawns[position.seat], AWAY)


def _face(position: Position, move: Move, seen: _Seen) -> bool:
    if position.phase == "discard":
        return seen.beside(str(move.tile))
    return position.pawn.place is not None and seen.face(str(move.tile), position.pawn.place.corner)


def _fell(position: Position, move: Move, seen: _Seen) -> bool:
    level = -1 if move.level is None else move.level
    return any(_taken(position, place, seen) for place in t.places_on(position.tower, level))


def _took(position: Position, move: Move, seen: _Seen) -> bool:
    return move.place is not None and _taken(position, move.place, seen)


_SHOWS: dict[str, Callable[[Position, Move, _Seen], bool]] = {
    "go": _went,
    "out": _left,
    "tile": _face,
    "roll": _fell,
    "take": _took,
    "stay": lambda position, move, seen: True,
    "pass": lambda position, move, seen: True,
    "end": lambda position, move, seen: True,
    # who moves twice has used a coin; that one turn takes no tile shows nowhere, is said on the page and never guessed
    "coin": lambda position, move, seen: position.phase == "coin",
}


def _taken(position: Position, place: Place, seen: _Seen) -> bool:
    """True if this tile may be gone: there is a gap, which moves up as the column is moved down."""
    levels = range(place.level, t.height(position.tower, place.corner))
    return any(seen.gone(Place(level, place.corner)) for level in levels)
