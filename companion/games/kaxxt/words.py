"""Moves as text, read and written, and in words."""

import re
from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.kaxxt.arranging import POINTS, free_row, grid_stand
from companion.games.kaxxt.attack import DIRECT, LASERS
from companion.games.kaxxt.lanes import POINTING, direction
from companion.games.kaxxt.position import Move, Position
from companion.games.kaxxt.pyramids import read_codes, write_codes
from companion.games.kaxxt.stands import Stand, stand, without
from companion.pieces import PYRAMID_SIZES

SIZE_WORDS = ("any", *PYRAMID_SIZES)
HELP = (
    "write draw large (medium, small, any); =r3 for what came out; put r3 left (kaxxt, self, right, up); "
    "put r3@0.0,-90.0>180.0 g2@0.0,-140.0^ for the whole area in millimetres; roll; =4 for the die; face north"
)
LARGEST_MM = 2000.0
_NUMBER = r"-?[0-9]{1,4}(?:\.[0-9]{1,3})?"
_STAND = re.compile(rf"((?:[rbgyk][123])+)@({_NUMBER}),({_NUMBER})(?:>({_NUMBER})|\^)")
_PUT = re.compile(r"((?:[rbgyk][123])+) +([a-z]+)(?: +row +([0-9]))?(?: +col +(-?[0-3]))?")


def read_move(position: Position, text: str) -> Move:
    """The move that a text names; UnreadableText when it names none."""
    words = " ".join(text.lower().split())
    first, _, rest = words.partition(" ")
    if words.startswith("="):
        return _read_chance(words[1:].strip())
    if first == "draw" and (rest or "any") in SIZE_WORDS:
        return Move("draw", pips=SIZE_WORDS.index(rest or "any"))
    if first in ("put", "arrange"):
        return Move("arrange", stands=_read_put(position, rest))
    if words == "roll":
        return Move("roll")
    if first == "face" and rest in position.names:
        return Move("face", seat=position.names.index(rest))
    raise UnreadableText(f"{text!r} is no move; {HELP}")


def _read_chance(word: str) -> Move:
    if len(word) == 1 and word in "0123456789":
        return Move("die", value=int(word))
    drawn = read_codes(word)
    if len(drawn) != 1:
        raise UnreadableText(f"{word!r} is neither a face of the die (=4) nor one pyramid (=r3)")
    return Move("drawn", pyramid=drawn[0])


def _read_put(position: Position, text: str) -> tuple[Stand, ...]:
    short = _PUT.fullmatch(text)
    if short is None:
        return read_stands(text)
    codes, points, row, col = short.groups()
    if points not in POINTS:
        raise UnreadableText(f"{points!r} is no direction; a pyramid points {', '.join(POINTS)}")
    pyramids, seat = read_codes(codes), position.turn
    column = int(col or 0)
    stays = tuple(kept for other in position.areas[seat] if (kept := without(other, pyramids)).pyramids)
    number = int(row) if row else free_row(position, seat, column)
    return (*stays, grid_stand(position.sides[seat], pyramids, points, number, column))


def read_stands(text: str) -> tuple[Stand, ...]:
    """Stands from `r3b1@0.0,-90.0>180.0 g2@0.0,-140.0^`; a single - is none."""
    if text == "-":
        return ()
    return tuple(_read_stand(word) for word in re.split(r"[ ;]+", text))


def _read_stand(word: str) -> Stand:
    found = _STAND.fullmatch(word)
    if found is None:
        raise UnreadableText(f"{word!r} is no pyramid at a place; {HELP}")
    codes, x, y, heading = found.groups()
    if max(abs(float(x)), abs(float(y))) > LARGEST_MM:
        raise UnreadableText(f"{word!r} lies off the table: millimetres go to {LARGEST_MM:.0f}")
    return stand(read_codes(codes), float(x), float(y), None if heading is None else float(heading))


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
