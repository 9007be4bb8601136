"""What the table should look like, and the position as text."""

from dataclasses import replace

from companion.games.base import Layout, Lying
from companion.games.kaxxt.lanes import Slot, lanes
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import SET, write_codes
from companion.games.kaxxt.stands import Stand, nested_mm, without
from companion.pieces import Piece

CARD_SLACK_MM, CARD_SLACK_DEG = 60.0, 30.0  # the card lies in the middle, more or less, and looks at somebody

SINGLES = tuple(Piece("pyramid", colour=pyramid.colour, size=pyramid.size) for pyramid in SET)
MARKS = {"kaxxt": "^", "self": "v", "left": "<", "right": ">", "up": "o", "ask": "?"}


def layout(position: Position) -> Layout:
    """The card of Kaxxt facing his target, and every pyramid on the table."""
    heading = position.sides[position.target].bearing_deg
    pieces = [
        Lying(
            Piece("robot_card"),
            None,
            0.0,
            0.0,
            heading,
            "Kaxxt's card",
            slack_mm=CARD_SLACK_MM,
            slack_deg=CARD_SLACK_DEG,
        )
    ]
    for area in position.areas:
        for placed in area:
            pieces += _lying(placed, len(pieces))
    return Layout(tuple(pieces), looks=SINGLES, singles=SINGLES)


def _lying(placed: Stand, first: int) -> list[Lying]:
    pose = "upright" if placed.heading_deg is None else "lying"
    return [
        Lying(
            Piece("pyramid", colour=pyramid.colour, size=pyramid.size, pose=pose),
            None,
            *nested_mm(placed, level),
            pyramid.words,
            first + level - 1 if level else None,
        )
        for level, pyramid in enumerate(placed.pyramids)
    ]


def during(position: Position, move: Move) -> Layout:
    """Arranged pyramids lie there at once, wherever they lay before; Kaxxt is turned where a player may choose."""
    if move.kind == "face":
        return layout(replace(position, target=move.seat))
    if move.kind != "arrange":
        return layout(position)
    placed = {pyramid for stand in move.stands for pyramid in stand.pyramids}
    areas = [tuple(left for old in area if (left := without(old, placed)).pyramids) for area in position.areas]
    areas[position.turn] = move.stands
    return layout(replace(position, areas=tuple(areas)))


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
