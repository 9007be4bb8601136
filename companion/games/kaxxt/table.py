"""What the table should look like, what a view of it could mean, and the position as text."""

from collections.abc import Iterable

from companion.errors import IllegalMove
from companion.games.base import Layout, Lying
from companion.games.kaxxt.actions import check, moves
from companion.games.kaxxt.lanes import Slot, lanes
from companion.games.kaxxt.position import ACT, Move, Position
from companion.games.kaxxt.pyramids import LETTERS, Pyramid, write_codes
from companion.games.kaxxt.sides import side_at
from companion.games.kaxxt.stands import Stand, stand
from companion.pieces import PYRAMID_SIZES, Piece
from companion.view import Sighting, TableView

MARKS = {"kaxxt": "^", "self": "v", "left": "<", "right": ">", "up": "o", "ask": "?"}


def layout(position: Position) -> Layout:
    """The card of Kaxxt facing his target, and every pyramid on the table."""
    heading = position.sides[position.target].bearing_deg
    pieces = [Lying(Piece("robot_card"), None, 0.0, 0.0, heading, "Kaxxt's card")]
    for area in position.areas:
        for placed in area:
            pieces += _lying(placed, len(pieces))
    return Layout(tuple(pieces))


def _lying(placed: Stand, first: int) -> list[Lying]:
    pose = "upright" if placed.heading_deg is None else "lying"
    return [
        Lying(
            Piece("pyramid", colour=pyramid.colour, size=pyramid.size, pose=pose),
            None,
            placed.x_mm,
            placed.y_mm,
            placed.heading_deg,
            pyramid.words,
            first + level - 1 if level else None,
        )
        for level, pyramid in enumerate(placed.pyramids)
    ]


def during(position: Position, move: Move) -> Layout:
    """Arranged pyramids lie there at once; nothing else that a player does changes the table by itself."""
    if move.kind != "arrange":
        return layout(position)
    areas = list(position.areas)
    areas[position.turn] = move.stands
    return layout(Position(position.shields, tuple(areas), position.hands, position.bag, target=position.target))


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """The arrangement that is seen before the player on turn, lawful or not; else the moves that can be listed."""
    if position.phase != ACT or not view.clear:
        return moves(position)
    seen = Move("arrange", stands=stands_seen(position, view))
    try:
        check(position, seen)
    except IllegalMove:
        return (seen,)  # explained to the players by the rule it breaks
    return (seen, *(move for move in moves(position) if move.kind != "arrange"))


def stands_seen(position: Position, view: TableView) -> tuple[Stand, ...]:
    """The stacks of this set's pyramids that lie before the player on turn."""
    found = []
    for index, sighting in enumerate(view.sightings):
        pyramid = _pyramid_seen(sighting)
        if pyramid is None or sighting.nested_on is not None or sighting.x_mm is None or sighting.y_mm is None:
            continue
        if side_at(position.seats, sighting.x_mm, sighting.y_mm) == position.turn:
            stack = (pyramid, *_carried(view, index))
            heading = sighting.heading_deg if sighting.piece.pose == "lying" else None
            found.append(stand(stack, sighting.x_mm, sighting.y_mm, heading))
    return tuple(found)


def _carried(view: TableView, index: int) -> tuple[Pyramid, ...]:
    """What is nested on a sighting, from below upwards."""
    stack, seen = [], {index}
    while above := [at for at, s in enumerate(view.sightings) if s.nested_on == index and at not in seen]:
        index = above[0]
        seen.add(index)
        if pyramid := _pyramid_seen(view.sightings[index]):
            stack.append(pyramid)
    return tuple(stack)


def _pyramid_seen(sighting: Sighting) -> Pyramid | None:
    piece = sighting.piece
    if piece.kind != "pyramid" or piece.colour not in LETTERS or piece.size not in PYRAMID_SIZES:
        return None
    return Pyramid(piece.colour, PYRAMID_SIZES.index(piece.size) + 1)


def draw(position: Position) -> str:
    """Shields, bag and each area in rows and columns; the marks show where a pyramid points for its player."""
    lines = [f"Kaxxt {position.kaxxt}, facing {position.names[position.target]}"]
    for seat, name in enumerate(position.names):
        on_turn = "*" if seat == position.turn else " "
        shield = position.shields[seat]
        hand = f", in hand {write_codes(position.hands[seat])}" if position.hands[seat] else ""
        lines.append(f"{on_turn} {name} {shield if shield else 'out'}{hand}")
        lines += _draw_area(lanes(position.areas[seat], position.sides[seat]))
    lines.append(f"bag ({len(position.bag)}): {' '.join(pyramid.code for pyramid in position.bag) or 'empty'}")
    return "\n".join(lines)


def _draw_area(slots: tuple[Slot, ...]) -> list[str]:
    if not slots:
        return []
    columns = range(min(0, *(slot.col for slot in slots)), max(0, *(slot.col for slot in slots)) + 1)
    lines = []
    for row in range(max(slot.row for slot in slots) + 1):
        texts = [
            "+".join(write_codes(s.stand.pyramids) + MARKS[s.points] for s in slots if (s.row, s.col) == (row, col))
            for col in columns
        ]
        lines.append("    " + " ".join(f"{text or '.':<8}" for text in texts).rstrip())
    return lines
