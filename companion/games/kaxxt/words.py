"""Moves in words, and the one spelling of a move."""

from dataclasses import replace

from companion.games.kaxxt.attack import DIRECT, LASERS
from companion.games.kaxxt.lanes import POINTING, direction
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import write_codes
from companion.games.kaxxt.stands import Stand
from companion.pieces import PYRAMID_SIZES

SIZE_WORDS = ("any", *PYRAMID_SIZES)


def write_stands(stands: tuple[Stand, ...], between: str = " ") -> str:
    """The one spelling of an area."""
    return between.join(_write_stand(placed) for placed in stands) or "-"


def _write_stand(placed: Stand) -> str:
    pose = "^" if placed.heading_deg is None else f">{placed.heading_deg:.1f}"
    return f"{write_codes(placed.pyramids)}@{placed.x_mm:.1f},{placed.y_mm:.1f}{pose}"


def write_move(position: Position, move: Move) -> str:
    """The move's one spelling."""
    if move.kind == "draw":
        return f"draw {SIZE_WORDS[move.pips]}"
    if move.kind == "drawn":
        assert move.pyramid is not None
        return f"={move.pyramid.code}"
    if move.kind == "arrange":
        return f"put {write_stands(move.stands)}"
    if move.kind == "die":
        return f"={move.value}"
    return "roll" if move.kind == "roll" else f"face {position.names[move.seat]}"


def describe(position: Position, move: Move) -> str:
    """The move in words."""
    name = position.names[position.turn].capitalize()
    if move.kind == "drawn":
        assert move.pyramid is not None
        return f"{name} draws {move.pyramid.words}."
    if move.kind == "draw":
        return f"{name} feels for {'a ' * bool(move.pips)}{SIZE_WORDS[move.pips]} pyramid in the bag."
    if move.kind == "arrange":
        return f"{name} {_arranged(position, move)}."
    if move.kind == "die":
        return f"The die shows {move.value}: {_does(move.value)}."
    return (
        f"{name} rolls." if move.kind == "roll" else f"{name} turns Kaxxt to {position.names[move.seat].capitalize()}."
    )


def _does(face: int) -> str:
    """What a face of the die does (X7)."""
    if face == DIRECT:
        return "a direct attack"
    return f"the {LASERS[face]} laser" if face in LASERS else "Kaxxt is turned"


def _arranged(position: Position, move: Move) -> str:
    """What is placed anew or moved, each stack from its top down, and where it points."""
    area, side = position.areas[position.turn], position.sides[position.turn]
    lay = {pyramid for old in area for pyramid in old.pyramids}
    parts: list[str] = []
    for placed in (placed for placed in move.stands if not any(_left_over(placed, old) for old in area)):
        stack = " on ".join(f"the {pyramid.size} {pyramid.colour}" for pyramid in reversed(placed.pyramids))
        verb = "moves" if lay.issuperset(placed.pyramids) else "puts"
        parts.append(f"{verb} {stack} pyramid, {POINTING[direction(placed.heading_deg, side)]}")
    return "; ".join(parts) or "leaves the pyramids as they are"


def _left_over(placed: Stand, old: Stand) -> bool:
    """True for what stays of an earlier stand, or all of it."""
    stays = old.pyramids[: len(placed.pyramids)]
    return placed == replace(old, pyramids=stays)
