"""What may be done, what follows from it, and when the game is over."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.events import Acted, Event, Told, TurnBegan, event
from companion.games.ataxx.board import each
from companion.games.ataxx.position import ACCEPT, COLOURS, OFFER, OFFER_AFTER, PASS, SIDES, Move, Position
from companion.games.ataxx.words import NAMES, describe, spell
from companion.games.base import Outcome, Turn
from companion.texts import join


@event("flipped")
@dataclass(frozen=True)
class Flipped(Event):
    """Pieces that changed sides and have to be turned over; `seat` is their new owner."""

    seat: int
    cells: tuple[str, ...]


def moves(position: Position) -> tuple[Move, ...]:
    """Drops, each once by its destination (AA3), then jumps; the pass alone when it is forced (A11, A12)."""
    if outcome(position) is not None:
        return ()
    found = (*_drops(position), *_jumps(position))
    return found or (PASS,)


def _drops(position: Position) -> Iterator[Move]:
    board = position.board
    for bit in each(board.around(position.own) & position.empty):
        yield Move("drop", board.names[bit])


def _jumps(position: Position) -> Iterator[Move]:
    board, empty = position.board, position.empty
    for origin in each(position.own):
        for bit in each(board.far_of[origin] & empty):
            yield Move("jump", board.names[bit], board.names[origin])


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    """A pass is never a choice (AA7): it is the one thing that can happen, so it happens with certainty."""
    if outcome(position) is None and not position.can_act(position.own):
        return ((PASS, 1.0),)
    return ()


def outcome(position: Position) -> Outcome | None:
    """Over when the board is full, a side has no piece, nobody can act, or a draw is agreed (A13-A15, AA5, AA6)."""
    if position.agreed:
        return Outcome("agreed-draw", (), "The players agreed on a draw.", "AA6")
    if not position.empty:
        return _count(position, "full-board", "The board is full", "A13")
    if not position.x or not position.o:
        return _count(position, "no-pieces", "One side has no piece left", "A15")
    if not position.can_act(position.x) and not position.can_act(position.o):
        return _count(position, "nobody-can-act", "Nobody can act any more", "AA5")
    if position.without_drop == "draw" and position.half_moves >= OFFER_AFTER:
        return Outcome("no-drop", (), "50 moves each without a drop: a draw.", "AA6")
    return None


def _count(position: Position, reason: str, why: str, rule: str) -> Outcome:
    """Most pieces win (A13); equal is a tie (A14)."""
    x, o = position.x.bit_count(), position.o.bit_count()
    if x == o:
        return Outcome(reason, (), f"{why}: a tie, {_score(x, o)}.", "A14")
    winner = 0 if x > o else 1
    return Outcome(reason, (winner,), f"{why}: {NAMES[winner]} wins, {_score(max(x, o), min(x, o))}.", rule)


def _score(one: int, other: int) -> str:
    """ "7 : 2" that no line breaks apart."""
    return f"{one}\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}{other}"


def play(position: Position, move: Move) -> Turn:
    """The move carried out; IllegalMove that names the rule when it is forbidden."""
    check(position, move)
    seat = position.turn
    acted = Acted(seat, spell(move), describe(position, move))
    if move == OFFER:
        return Turn(replace(position, offered_by=seat), (acted,))
    if move == ACCEPT:
        after, events = replace(position, agreed=True), [acted]
        return Turn(after, (*events, *_ending(after)))
    after, flipped = _carried_out(position, move)
    flips: tuple[Event, ...] = (Flipped(seat, flipped),) if flipped else ()
    return Turn(after, (acted, *flips, *_reminder(after), *_ending(after)))


def _carried_out(position: Position, move: Move) -> tuple[Position, tuple[str, ...]]:
    own, theirs, flips = position.own, position.theirs, 0
    if move.kind != "pass":
        board = position.board
        to = board.bit(move.to)
        if move.kind == "jump":
            own ^= 1 << board.bit(move.origin)  # A8
        flips = theirs & board.near_of[to]  # A9: neighbours only, no chain
        own |= 1 << to | flips
        theirs ^= flips
    x, o = (theirs, own) if position.turn else (own, theirs)
    after = replace(
        position,
        x=x,
        o=o,
        turn=1 - position.turn,
        half_moves=0 if move.kind == "drop" else position.half_moves + 1,
        full_moves=position.full_moves + position.turn,
        offered_by=still_offered(position, move),
    )
    return after, position.board.names_of(flips)


def still_offered(position: Position, move: Move) -> int | None:
    """A move declines the other side's offer, a pass, which nobody chooses, does not; a drop ends what led to it."""
    if move.kind == "drop" or (position.offered_by != position.turn and move.kind != "pass"):
        return None
    return position.offered_by


def _reminder(position: Position) -> tuple[Event, ...]:
    """AA6: an endless game is pointed out, never ended against the players' will."""
    due = position.half_moves and position.half_moves % OFFER_AFTER == 0 and position.without_drop == "offer"
    told = Told("50 moves each without a drop: you may offer a draw.", "AA6")
    return (told,) if due and outcome(position) is None else ()


def _ending(position: Position) -> tuple[Event, ...]:
    ended = outcome(position)
    return (TurnBegan(position.turn) if ended is None else ended.event(),)


# --- what is forbidden, and why -------------------------------------------------------------------------------


def check(position: Position, move: Move) -> None:
    """IllegalMove when the rules forbid the move here."""
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    checks = {
        "drop": check_drop,
        "jump": check_jump,
        "pass": check_pass,
        "offer": check_offer,
        "accept": check_accept,
        "turn": check_turned,
    }
    checks[move.kind](position, move)
    check_turned(position, move)


def check_turned(position: Position, move: Move) -> None:
    """Only the neighbours of the arriving piece are turned over (A9, AA9)."""
    if not move.turned:
        return
    cells = join(move.turned)
    many = "pieces" if len(move.turned) > 1 else "piece"
    why = f"only enemy pieces next to {move.to} are" if move.to else "nothing was dropped or moved"
    raise IllegalMove(
        "wrong-flip", "AA9", f"The {many} on {cells} may not be turned over: {why}.", f"Turn {cells} back."
    )


def check_side(position: Position, move: Move) -> None:
    """Whose turn it is puts down a piece of its own colour (A4)."""
    if move.shows not in ("", SIDES[position.turn]):
        name, mine = COLOURS[SIDES.index(move.shows)], NAMES[position.turn]
        raise IllegalMove(
            "not-your-turn",
            "A4",
            f"A {name} piece was put on {move.to}, but it is {mine}'s turn.",
            f"{_back(position, move).split('.')[0]}; {mine} acts next.",
        )


def check_destination(position: Position, move: Move) -> None:
    """A piece goes to an empty, open cell (A5, A6, AA5)."""
    board = position.board
    to = 1 << board.bit(move.to)
    if to & position.blocked:
        raise IllegalMove(
            "blocked", "AA5", f"The cell {move.to} is blocked: nothing may stand there.", _back(position, move)
        )
    if to & (position.x | position.o):
        rule = "A5" if move.kind == "drop" else "A6"
        text = f"The cell {move.to} is occupied"
        if to & position.theirs:  # a disc that was only turned over looks just as if one had been put in its place
            text += ", and the piece there is turned over only when one is put down next to it"
        raise IllegalMove("occupied", rule, f"{text}.", _restored(position, move))


def check_drop(position: Position, move: Move) -> None:
    """A new piece needs an own piece next to it (A5)."""
    check_side(position, move)
    check_destination(position, move)
    board = position.board
    if move.origin:  # the long spelling of a drop (AA4) names the neighbour that it grows from
        check_origin(position, move)
    if not board.near_of[board.bit(move.to)] & position.own:
        mine = board.names_of(position.own)
        nearest = min((board.distance(cell, move.to) for cell in mine), default=0)
        raise IllegalMove(
            "no-own-neighbour",
            "A5",
            f"No piece of {NAMES[position.turn]} stands next to {move.to}; the nearest is {nearest} cells away.",
            _back(position, move),
            {"distance": nearest},
        )


def check_origin(position: Position, move: Move) -> None:
    """Only an own piece can be moved (A6)."""
    if not 1 << position.board.bit(move.origin) & position.own:
        mine = NAMES[position.turn]
        there = f"There is no piece of {mine} on {move.origin}."
        if 1 << position.board.bit(move.origin) & position.theirs:
            there = f"The piece on {move.origin} is {NAMES[1 - position.turn]}'s, and it is {mine}'s turn."
        raise IllegalMove("not-your-piece", "A6", there, _back(position, move))


def check_jump(position: Position, move: Move) -> None:
    """A piece goes to a cell exactly two cells away, whatever lies between (A6, A7)."""
    check_origin(position, move)
    check_side(position, move)
    check_destination(position, move)
    distance = position.board.distance(move.origin, move.to)
    if distance != 2:
        cells = "cell" if distance == 1 else "cells"
        raise IllegalMove(
            "wrong-distance",
            "A6",
            f"From {move.origin} to {move.to} it is {distance} {cells}; a piece moves exactly two.",
            _back(position, move),
            {"distance": distance, "allowed": 2},
        )


def check_pass(position: Position, move: Move) -> None:
    """Who can act must (A11)."""
    if position.can_act(position.own):
        raise IllegalMove(
            "must-act", "A11", f"{NAMES[position.turn]} can act and therefore must.", _choose(position, "")
        )


def check_offer(position: Position, move: Move) -> None:
    """A draw may be offered once 50 moves each have brought no new piece (AA6)."""
    if position.without_drop != "offer":
        raise IllegalMove("no-draw-offers", "AA6", "This game is played without draw offers.", "Play on.")
    if position.half_moves < OFFER_AFTER:
        raise IllegalMove(
            "too-early-to-offer",
            "AA6",
            f"Only {position.half_moves} half-moves without a drop; a draw may be offered after {OFFER_AFTER}.",
            "Play on.",
            {"half_moves": position.half_moves, "needed": OFFER_AFTER},
        )
    if position.offered_by is not None:
        raise IllegalMove("already-offered", "AA6", "A draw is offered already.", "Move, or accept it by draw!.")


def check_accept(position: Position, move: Move) -> None:
    """Only an offer of the other side can be accepted (AA6)."""
    if position.offered_by != 1 - position.turn:
        raise IllegalMove("nothing-offered", "AA6", "The other side has offered no draw.", "Move.")


def _back(position: Position, move: Move) -> str:
    """The way back, and what would be allowed."""
    back = f"Put the piece back on {move.origin}." if move.origin else f"Take the piece off {move.to} again."
    return f"{back} {_choose(position, move.origin)}"


def _restored(position: Position, move: Move) -> str:
    """The way back from an occupied cell: an enemy's piece there was replaced, or turned over."""
    if not 1 << position.board.bit(move.to) & position.theirs:
        return _back(position, move)
    back = f"Lay the piece on {move.to} {COLOURS[1 - position.turn]} side up again"
    if move.origin:
        back += f", and put the piece back on {move.origin}"
    return f"{back}. {_choose(position, move.origin)}"


def _choose(position: Position, origin: str) -> str:
    """What would be allowed, by examples: of a move one of the same piece, if it has any."""
    if not position.can_act(position.own):
        return "Nothing can be done: pass (0000)."
    drops, jumps = tuple(_drops(position)), tuple(_jumps(position))
    jump = next((move for move in jumps if move.origin == origin), next(iter(jumps), None))
    ways = [f"drop on an empty cell next to your own ({spell(drops[0])} for instance)"] if drops else []
    ways += [f"move exactly two cells ({spell(jump)} for instance)"] if jump is not None else []
    return f"{' or '.join(ways)}.".capitalize()
