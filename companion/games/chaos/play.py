"""A move carried out: the dice, a placement with what it captures, a die that cannot be placed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.events import Acted, Beam, Chance, Event, Told, TurnBegan, event
from companion.games.base import Outcome, Turn
from companion.games.chaos import geometry as g
from companion.games.chaos.aim import Aim, aim, close_call, path
from companion.games.chaos.colours import RINGS, UNSEEN, UNSEEN_FACE, rolled
from companion.games.chaos.placement import check, check_played, largest
from companion.games.chaos.position import SIZES, Move, Position, Standing
from companion.games.chaos.spots import spots
from companion.games.chaos.words import describe, spelled
from companion.texts import with_article

POINTS = {"large": 3, "medium": 2, "small": 1}  # house rule score_by_size (C17)


@event("captured")
@dataclass(frozen=True)
class Captured(Event):
    """A seat takes a piece from the array."""

    seat: int
    colour: str
    size: str
    rule: str = "C14"


def moves(position: Position) -> Iterator[Move]:
    """All rolls; or a repeatable choice of lawful placements, and a skip for each die that has none (CA9, CA11)."""
    if position.phase == "roll":
        faces = range(1, position.house.colours + 1)
        yield from (Move("roll", (one, other)) for one in faces for other in faces)
    elif position.phase == "place":
        for colour in dict.fromkeys(position.dice):
            placeable = False
            for piece in () if colour == UNSEEN else spots(position, colour):
                placeable = True
                yield Move("place", piece=piece)
            if not placeable:
                yield Move("skip", colour=colour)


def play(position: Position, move: Move) -> Turn:
    """The move carried out; IllegalMove names the rule that forbids it."""
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    if (move.kind == "roll") != (position.phase == "roll"):
        text = "roll both dice first" if position.phase == "roll" else "place the dice first"
        raise IllegalMove("not-now", "C4", text, text)
    events: list[Event] = [Acted(position.seat, spelled(move), describe(position, move))]
    if move.kind == "roll":
        after = _roll(position, move, events)
    elif move.kind == "skip":
        after = _skip(position, move, events)
    else:
        after = _place(position, _named(move.piece), events)
    return _turn(after, events)


def _turn(after: Position, events: list[Event]) -> Turn:
    """The events with the end of the game, or with whose turn it is now."""
    ended = outcome(after)
    if ended is not None:
        events.append(ended.event())
    elif after.phase == "roll":
        events.append(TurnBegan(after.seat))
    return Turn(after, tuple(events))


def outcome(position: Position) -> Outcome | None:
    """Who won: all colours first (C1), or most colours when nothing can be placed any more (CA12)."""
    if position.phase != "over":
        return None
    worth = [_worth(position, seat) for seat in range(position.house.players)]
    best = max(worth)
    winners = tuple(seat for seat, value in enumerate(worth) if value == best)
    why = "Nothing can be placed any more" if position.stuck else "All colours are captured"
    reason, rule = ("stuck", "CA12") if position.stuck else ("all-colours", "C1")
    if position.house.score_by_size and not position.stuck:
        rule = "C17"
    if len(winners) > 1:
        return Outcome(reason, (), f"{why}: a draw.", rule)
    name, count = f"Player {winners[0] + 1}", f"{best} {'points' if position.house.score_by_size else 'colours'}"
    if position.stuck or position.house.score_by_size:
        return Outcome(reason, winners, f"{why}; {name} has most, {count}.", rule)
    return Outcome(reason, winners, f"{name} wins with {count}.", rule)


def scores(position: Position) -> tuple[int, ...]:
    """What each player's captures count (C17)."""
    return tuple(_worth(position, seat) for seat in range(position.house.players))


def _worth(position: Position, seat: int) -> int:
    pieces = position.captured[seat]
    return sum(POINTS[size] for _, size in pieces) if position.house.score_by_size else len(pieces)


def _roll(position: Position, move: Move, events: list[Event]) -> Position:
    sides = position.house.colours
    lowest = 0 if sides == 10 else 1  # CA10: face 0 is ten
    if len(move.faces) != 2 or not all(lowest <= face <= sides or face == UNSEEN_FACE for face in move.faces):
        text = f"two {sides}-sided dice are rolled, not {' and '.join(map(str, move.faces)) or 'none'}"
        raise IllegalMove("no-such-face", "C4", text, "read the dice again")
    dice = tuple(rolled(face, sides) for face in move.faces)
    read = [(face, colour) for face, colour in zip(move.faces, dice, strict=True) if colour != UNSEEN]
    events += [Chance("die", f"{face or sides} {colour}") for face, colour in read]
    return replace(position, dice=dice, phase="place", skips=0)


def _skip(position: Position, move: Move, events: list[Event]) -> Position:
    colour = move.colour or ""
    if colour not in position.dice:
        raise IllegalMove("other-colour", "C4", f"no die asks for {colour or 'that'}", "name a rolled colour")
    if colour == UNSEEN:
        events.append(Told("The die that was not seen is skipped.", "CA11"))
        return _die_done(replace(position, skips=position.skips + 1), colour)
    if next(spots(position, colour), None) is not None:
        text = f"a {largest(position, colour)} {colour} piece can be placed, so it must"
        raise IllegalMove("must-place", "C4", text, "place it; the page shows where")
    why = "the array is out of it" if largest(position, colour) is None else "there is no lawful place"
    events.append(Told(f"The {colour} die is skipped: {why}.", "CA11"))
    return _die_done(replace(position, skips=position.skips + 1), colour)


def carry_out(position: Position, move: Move) -> Turn:
    """A placement that the rules forbid, let stand: it takes a die and its own piece from the array, and may capture.

    IllegalMove when the array has no such piece, or when it would stand in another one.
    """
    piece = move.piece
    if move.kind != "place" or piece is None:
        return play(position, move)
    check_played(position, piece.colour)
    left = position.array[RINGS[position.house.colours].index(piece.colour)][SIZES.index(piece.size)]
    if not left or g.overlaps(piece, position.pieces):
        return play(position, move)
    if piece.colour not in position.dice and UNSEEN not in position.dice:
        position = replace(position, dice=(piece.colour, *position.dice[1:]))
    events: list[Event] = [Acted(position.seat, spelled(move), describe(position, move))]
    return _turn(_put(position, piece, events), events)


def _place(position: Position, piece: Standing, events: list[Event]) -> Position:
    events += [Told(warning, "CA2") for warning in check(position, piece)]
    return _put(position, piece, events)


def _put(position: Position, piece: Standing, events: list[Event]) -> Position:
    seen = aim(position, piece) if piece.pose == "lying" else None
    after = _taken(replace(position, pieces=(*position.pieces, piece)), piece.colour, piece.size)
    if seen is not None:
        events.append(Beam(position.seat, (path(piece, seen),)))
        if (doubted := close_call(position, piece)) is not None:
            text = f"Whether the ray meets the {doubted.colour} piece hangs on a millimetre or two: look along it."
            events.append(Told(text, "CA2"))
        after = _capture(after, seen, events)
    if len(after.captured[after.seat]) == after.house.colours:
        return replace(after, phase="over", dice=())
    return _die_done(after, piece.colour)


def _capture(position: Position, seen: Aim, events: list[Event]) -> Position:
    """The pointed-at colour's largest piece goes from the array to the player (C14, C16, CA16, CA17)."""
    if seen.target is None or seen.verdict not in ("target", "doubtful"):
        return position
    colour, mine = seen.target.colour, position.captured[position.seat]
    if seen.verdict == "doubtful":
        beyond = seen.distance_mm - g.SIX_INCHES_MM
        events.append(Told(f"The {colour} defender is {beyond:.1f} mm beyond six inches: no capture.", "C15"))
        return position
    size = largest(position, colour)
    if any(colour == had for had, _ in mine):
        another = with_article(f"{colour} piece").capitalize()
        events.append(Told(f"{another} was captured before: one of each colour.", "C16"))
        return position
    if size is None:
        events.append(Told(f"The array holds no {colour} piece any more: no capture.", "CA16"))
        return position
    events.append(Captured(position.seat, colour, size))
    captured = tuple(
        (*pieces, (colour, size)) if seat == position.seat else pieces for seat, pieces in enumerate(position.captured)
    )
    return _taken(replace(position, captured=captured), colour, size)


def _taken(position: Position, colour: str, size: str) -> Position:
    """The array without one piece."""
    at = RINGS[position.house.colours].index(colour)
    large, medium, small = (count - (name == size) for name, count in zip(SIZES, position.array[at], strict=True))
    array = (*position.array[:at], (large, medium, small), *position.array[at + 1 :])
    return replace(position, array=array)


def _die_done(position: Position, colour: str) -> Position:
    left = list(position.dice)
    left.remove(colour if colour in left else UNSEEN)
    position = replace(position, dice=tuple(left))
    if left:
        return position
    if _nothing_left(position):
        return replace(position, phase="over", stuck=True)
    return replace(position, phase="roll", seat=(position.seat + 1) % position.house.players)


def _nothing_left(position: Position) -> bool:
    """True if no die could be placed any more (CA12); looked at when the array is empty or a whole turn was skipped."""
    if not any(map(any, position.array)):
        return True
    if position.skips < 2:
        return False
    ring = RINGS[position.house.colours]
    asked = replace(position, dice=ring)
    return all(next(spots(asked, colour), None) is None for colour in ring)


def _named(piece: Standing | None) -> Standing:
    if piece is None:
        raise IllegalMove("no-piece", "C4", "the move names no piece", "name one like b3^ 10.0,20.0,0.0")
    return piece
