"""May this piece stand or lie there? Each refusal says which rule, and by how many millimetres."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import IllegalMove
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import RINGS, UNSEEN
from companion.games.chaos.geometry import SIX_INCHES_MM, Edge
from companion.games.chaos.position import DICE, SIZES, Position, Standing
from companion.pieces import Piece
from companion.texts import with_article


@dataclass(frozen=True, slots=True)
class Contact:
    """How an attacker's base lies against an edge: all zero is perfect."""

    gap_mm: float
    overhang_mm: float
    askew_deg: float


def largest(position: Position, colour: str) -> str | None:
    """The largest size of a colour that the array still holds; None when it is used up (C7)."""
    counts = position.array[RINGS[position.house.colours].index(colour)]
    return next((size for size, count in zip(SIZES, counts, strict=True) if count), None)


def may_come(position: Position) -> Iterator[Piece]:
    """What the array gives next, the largest of each colour (C7), one piece for each die."""
    for colour, counts in zip(RINGS[position.house.colours], position.array, strict=True):
        left = [size for size, count in zip(SIZES, counts, strict=True) for _ in range(count)]
        yield from (Piece("pyramid", colour=colour, size=size) for size in dict.fromkeys(left[:DICE]))


def defenders(position: Position, colour: str) -> int:
    """How many defenders of a colour are in play."""
    return sum(piece.pose == "upright" and piece.colour == colour for piece in position.pieces)


def pose_due(position: Position, colour: str) -> str:
    """Defenders first, as many as there are players, and never more (C5, C6, CA7)."""
    return "upright" if defenders(position, colour) < position.house.players else "lying"


def check(position: Position, piece: Standing) -> tuple[str, ...]:
    """Warnings for what is doubtful; IllegalMove for what is not lawful."""
    _check_piece(position, piece)
    _check_room(position, piece)
    if piece.pose == "upright":
        return _check_defender(position, piece)
    _check_attacker(position, piece)
    return ()


def lawful(position: Position, piece: Standing) -> bool:
    """True if it may be placed there, in doubt too."""
    try:
        check(position, piece)
    except IllegalMove:
        return False
    return True


def contact(piece: Standing, edge: Edge) -> Contact:
    """How the base of a lying piece lies on an edge (C11, C12)."""
    length = edge.length
    along = ((edge.end[0] - edge.start[0]) / length, (edge.end[1] - edge.start[1]) / length)
    outward = g.direction(edge.normal_deg)
    middle = g.base_middle(piece)
    off = (middle[0] - edge.start[0], middle[1] - edge.start[1])
    at, gap = off[0] * along[0] + off[1] * along[1], off[0] * outward[0] + off[1] * outward[1]
    askew = g.turned(piece.heading_deg, edge.normal_deg)
    half = g.base_mm(piece.size) / 2 * abs(math.cos(math.radians(askew)))
    return Contact(abs(gap), max(0.0, half - at, at + half - length), askew)


def flush(piece: Standing, edge: Edge) -> bool:
    """True if the base of a lying piece lies flush, perpendicular and whole on an edge."""
    touch = contact(piece, edge)
    return (
        touch.gap_mm <= g.TOLERANCES.contact_mm
        and touch.overhang_mm <= g.TOLERANCES.overhang_mm
        and touch.askew_deg <= g.TOLERANCES.perpendicular_deg
    )


def check_played(position: Position, colour: str) -> None:
    """The game is played with this colour (C4, C18, C19)."""
    ring = RINGS[position.house.colours]
    if colour not in ring:
        text = f"{colour} is not played with {len(ring)} colours"
        raise IllegalMove("other-colour", "C4", text, f"take the {colour} piece back")


def _check_piece(position: Position, piece: Standing) -> None:
    check_played(position, piece.colour)
    if piece.colour not in position.dice and UNSEEN not in position.dice:
        due = " and ".join(position.dice)
        text = f"the dice ask for {due}, not for {piece.colour}"
        raise IllegalMove("other-colour", "C4", text, f"take the {piece.colour} piece back")
    size = largest(position, piece.colour)
    if size is None:
        raise IllegalMove(
            "used-up", "C7", f"the array holds no {piece.colour} piece any more", "take it back, and skip this die"
        )
    if piece.size != size:
        text = f"the largest {piece.colour} piece of the array is {size}, not {piece.size}"
        raise IllegalMove("not-the-largest", "C7", text, f"take it back, and place a {size} one")
    due = pose_due(position, piece.colour)
    if piece.pose != due:
        have, players = defenders(position, piece.colour), position.house.players
        words = "a defender, standing" if due == "upright" else "an attacker, lying"
        text = f"{have} of {players} {piece.colour} defenders stand: the next {piece.colour} piece is {words}"
        against = f"lay it down, its base against {with_article(f'{piece.colour} piece')}"
        remedy = "stand it up" if due == "upright" else against
        raise IllegalMove("wrong-pose", "C6", text, remedy, {"defenders": have, "players": players})


def _check_room(position: Position, piece: Standing) -> None:
    if not g.on_table(piece):
        raise IllegalMove("off-table", "CA21", f"{_named(piece)} is not wholly on the table", "move it inside")
    for other in position.pieces:
        deep = g.overlap_mm(piece, other)
        if deep > g.TOLERANCES.overlap_mm:
            text = f"{_named(piece)} would stand {deep:.1f} mm in the {other.size} {other.colour} one"
            raise IllegalMove("overlap", "CA3", text, "give it room", {"overlap_mm": deep})


def _check_defender(position: Position, piece: Standing) -> tuple[str, ...]:
    if not position.pieces:
        return ()  # C10: the first piece stands anywhere
    nearest = min(g.gap_mm(piece, other) for other in position.pieces)
    own = min((g.gap_mm(piece, other) for other in position.pieces if other.colour == piece.colour), default=math.inf)
    too_far, too_near = nearest - SIX_INCHES_MM, SIX_INCHES_MM - own
    only_own = all(other.colour == piece.colour for other in position.pieces)
    rule_far, rule_near = ("C10", "C10") if only_own else ("C8", "C9")
    if too_far > g.TOLERANCES.doubtful_mm:
        text = f"{_named(piece)} is {nearest:.1f} mm from the nearest piece: {too_far:.1f} mm more than six inches"
        raise IllegalMove("too-far", rule_far, text, f"move it {too_far:.0f} mm nearer", {"too_far_mm": too_far})
    if too_near > g.TOLERANCES.doubtful_mm:
        text = f"{_named(piece)} is {own:.1f} mm from another of its colour: {too_near:.1f} mm less than six inches"
        raise IllegalMove("too-near", rule_near, text, f"move it {too_near:.0f} mm away", {"too_near_mm": too_near})
    warnings = []
    if too_far > g.TOLERANCES.sure_mm:
        warnings.append(f"It is {too_far:.1f} mm more than six inches from the nearest piece: let it stand, or measure")
    if too_near > g.TOLERANCES.sure_mm:
        warnings.append(f"It is {too_near:.1f} mm less than six inches from its own colour: let it stand, or measure")
    return tuple(warnings)


def _check_attacker(position: Position, piece: Standing) -> None:
    own = [other for other in position.pieces if other.colour == piece.colour]
    edges = [edge for other in own for edge in g.supports(other)]
    on = [edge for edge in edges if flush(piece, edge)]
    if on:
        _check_shared(piece, on, own)
        return
    best = min((contact(piece, edge) for edge in edges), key=lambda c: c.gap_mm + c.overhang_mm + c.askew_deg)
    figures = {"gap_mm": best.gap_mm, "overhang_mm": best.overhang_mm, "askew_deg": best.askew_deg}
    apart = best.gap_mm > g.TOLERANCES.contact_mm
    if apart and any(g.gap_mm(piece, other) <= g.TOLERANCES.contact_mm for other in own):
        text = f"{_named(piece)} touches {with_article(f'{piece.colour} piece')}, and not with its base"
        raise IllegalMove("not-flush", "C11", text, "turn it: its whole base belongs against that edge", figures)
    if apart:
        text = f"{_named(piece)} lies {best.gap_mm:.1f} mm away from the nearest edge that its base could touch"
        raise IllegalMove("not-flush", "C11", text, "push the base against a piece of its own colour", figures)
    if best.askew_deg > g.TOLERANCES.perpendicular_deg:
        text = f"{_named(piece)} lies {best.askew_deg:.0f} degrees askew of the edge that it touches"
        raise IllegalMove("not-perpendicular", "C11", text, "straighten it", figures)
    text = f"the base of {_named(piece)} hangs {best.overhang_mm:.1f} mm over the end of the edge"
    raise IllegalMove("overhang", "C12", text, f"slide it {best.overhang_mm:.0f} mm back", figures)


def _check_shared(piece: Standing, on: list[Edge], own: list[Standing]) -> None:
    """What lies on one edge has room on it side by side (CA6): small overhangs and overlaps do not add up."""
    room = []
    for edge in on:
        beside = [other for other in own if other.pose == "lying" and flush(other, edge)]
        room.append(edge.length - sum(g.base_mm(other.size) for other in (piece, *beside)))
    if max(room) < -g.TOLERANCES.overhang_mm:
        text = f"side by side the bases are {-max(room):.1f} mm longer than the edge"
        raise IllegalMove("overhang", "CA6", text, "lay it against another edge", {"overhang_mm": -max(room)})


def _named(piece: Standing) -> str:
    return f"the {piece.size} {piece.colour} piece"
