"""What may be done in a turn, and what is forbidden and why."""

from dataclasses import replace
from typing import TypeVar

from companion.errors import IllegalMove
from companion.events import Acted, Chance, Event
from companion.games.base import Turn
from companion.games.kaxxt.arranging import check_arrange, check_once, straight, suggestions
from companion.games.kaxxt.attack import DIRECT, LASERS, TURN_KAXXT, Targeted, direct, laser, outcome, settle
from companion.games.kaxxt.position import ACT, DRAW, RETARGET, ROLL, Move, Position
from companion.games.kaxxt.pyramids import Pyramid, in_order, named
from companion.games.kaxxt.sides import side_at
from companion.games.kaxxt.stands import without
from companion.games.kaxxt.words import SIZE_WORDS, describe, write_move

FACES = range(1, 7)
_T = TypeVar("_T")
_PHASE_OF = {"draw": ACT, "arrange": ACT, "roll": ACT, "drawn": DRAW, "die": ROLL, "face": RETARGET}
_NEEDED = {
    ACT: "draw a pyramid, arrange your pyramids, or roll",
    DRAW: "a pyramid is being drawn: say which one came out, like =r3",
    ROLL: "the die is rolling: say what it shows, like =4",
    RETARGET: "turn Kaxxt to another player: face and the side of the table",
}


def moves(position: Position) -> tuple[Move, ...]:
    """What can be listed: draws, the roll, chance, targets, and sensible places for pyramids in hand."""
    if outcome(position) is not None:
        return ()
    if position.phase == DRAW:
        return tuple(Move("drawn", pyramid=pyramid) for pyramid in drawable(position))
    if position.phase == ROLL:
        return tuple(Move("die", value=value) for value in FACES)
    if position.phase == RETARGET:
        return tuple(Move("face", seat=seat) for seat in targets(position))
    sizes = sorted({pyramid.pips for pyramid in position.bag})
    draws = () if not position.draws or not sizes else tuple(Move("draw", pips=pips) for pips in (0, *sizes))
    return (*draws, *suggestions(position), Move("roll"))


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    """The die, or the pyramid that comes out of the bag: each one that feels alike is equally likely (X6)."""
    if position.phase not in (DRAW, ROLL):
        return ()
    possible = moves(position)
    return tuple((move, 1 / len(possible)) for move in possible)


def asks(position: Position) -> str:
    """What is asked for now, but for the die (X6, X7)."""
    draws = position.draws and position.bag
    return {
        ACT: "draw a pyramid, arrange, or roll" if draws else "arrange, or roll",
        DRAW: f"take {'a ' * bool(position.wanted)}{SIZE_WORDS[position.wanted]} pyramid out of the bag",
        ROLL: "",
        RETARGET: "turn Kaxxt to another player",
    }[position.phase]


def drawable(position: Position) -> tuple[Pyramid, ...]:
    """What may come out of the bag when this size is felt for."""
    return tuple(pyramid for pyramid in position.bag if position.wanted in (0, pyramid.pips))


def targets(position: Position) -> tuple[int, ...]:
    """Whom Kaxxt may be turned to: anyone still in whom he does not face already (XA22)."""
    return tuple(seat for seat, present in enumerate(position.present) if present and seat != position.target)


def play(position: Position, move: Move) -> Turn:
    """The move carried out; IllegalMove that names the rule when it is forbidden."""
    check(position, move)
    if move.kind == "drawn":
        return _drawn(position, move)
    if move.kind == "die":
        return _rolled(position, move)
    acted = Acted(position.turn, write_move(position, move), describe(position, move))
    if move.kind == "draw":
        return Turn(replace(position, phase=DRAW, wanted=move.pips), (acted,))
    if move.kind == "roll":
        return Turn(replace(position, phase=ROLL), (acted,))
    if move.kind == "face":
        after = replace(position, target=move.seat, phase=ROLL)
        return Turn(after, (acted, Targeted(move.seat, position.sides[move.seat].bearing_deg)))
    return Turn(_arranged(position, move), (acted,))


def carry_out(position: Position, move: Move) -> Turn:
    """An arrangement that the rules forbid, let stand in their spirit (X30).

    What points diagonally counts as pointing the nearest way; a pyramid that was somebody else's is now the player's,
    as is one from the bag, drawn with that; what he took up is in his hand. Nothing else changes, whatever the phase.
    IllegalMove where more than one player has placed something.
    """
    if move.kind != "arrange" or _of_several(position, move):
        return play(position, move)
    check_once(move)
    side = position.sides[position.turn]
    stands = tuple(replace(placed, heading_deg=straight(side, placed.heading_deg)) for placed in move.stands)
    taken = {pyramid for placed in stands for pyramid in placed.pyramids}
    own = position.pyramids_of(position.turn)
    bag = tuple(pyramid for pyramid in position.bag if pyramid not in taken)
    out = bag != position.bag
    drawing = position.phase == DRAW and not out
    left = replace(
        position,
        phase=ACT if position.phase == DRAW and out else position.phase,
        drawn=position.drawn or out,
        wanted=position.wanted if drawing else 0,
        bag=bag,
        hands=_changed(tuple(tuple(p for p in hand if p not in taken) for hand in position.hands), position.turn, own),
        areas=tuple(
            tuple(kept for old in area if (kept := without(old, taken)).pyramids) if seat != position.turn else area
            for seat, area in enumerate(position.areas)
        ),
    )
    acted = Acted(position.turn, write_move(position, move), describe(position, move))
    return Turn(_arranged(left, replace(move, stands=stands)), (acted,))


def _of_several(position: Position, move: Move) -> bool:
    """True if what was in a hand or the bag stands before more than one player now."""
    apart = {*position.bag, *(pyramid for hand in position.hands for pyramid in hand)}
    new = (placed for placed in move.stands if not apart.isdisjoint(placed.pyramids))
    return len({side_at(position.seats, placed.x_mm, placed.y_mm) for placed in new}) > 1


def _arranged(position: Position, move: Move) -> Position:
    seat = position.turn
    placed = {pyramid for stand in move.stands for pyramid in stand.pyramids}
    hand = tuple(pyramid for pyramid in position.hands[seat] if pyramid not in placed)
    return replace(
        position, areas=_changed(position.areas, seat, move.stands), hands=_changed(position.hands, seat, hand)
    )


def _changed(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _drawn(position: Position, move: Move) -> Turn:
    assert move.pyramid is not None
    seat, pyramid = position.turn, move.pyramid
    late = tuple(n - int(i == seat and position.drawn) for i, n in enumerate(position.late))
    after = replace(
        position,
        late=late,
        bag=tuple(other for other in position.bag if other != pyramid),
        hands=_changed(position.hands, seat, in_order({*position.hands[seat], pyramid})),
        phase=ACT,
        drawn=True,
        wanted=0,
    )
    return Turn(after, (Chance("bag", pyramid.code),))


def _rolled(position: Position, move: Move) -> Turn:
    fell: tuple[Event, ...] = (Chance("die", str(move.value)),)
    if move.value == TURN_KAXXT:
        return Turn(replace(position, phase=RETARGET), fell)
    trace = direct(position) if move.value == DIRECT else laser(position, LASERS[move.value])
    after, events = settle(position, trace)
    return Turn(after, (*fell, *events))


# --- what is forbidden ----------------------------------------------------------------------------------------


def check(position: Position, move: Move) -> None:
    """IllegalMove when the rules forbid the move here; nothing is changed."""
    if move.kind == "face" and move.seat >= position.seats:
        raise IllegalMove(
            "no-such-seat",
            "X2",
            f"{position.seats} sit here.",
            f"They are {', '.join(map(str.capitalize, position.names))}.",
        )
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    if _PHASE_OF[move.kind] != position.phase:
        check_felt(position, move)
        text = f"{describe(position, move)} That cannot be done now."
        raise IllegalMove("not-now", "X6", text, f"Now {_NEEDED[position.phase]}.")
    checks = {"draw": check_draw, "drawn": check_drawn, "arrange": check_arrange, "die": check_die, "face": check_face}
    if move.kind in checks:
        checks[move.kind](position, move)


def check_felt(position: Position, move: Move) -> None:
    """What lies there and was in the bag has the size that was felt for (X6)."""
    others = [p for placed in move.stands for p in placed.pyramids if p in position.bag and p not in drawable(position)]
    if position.phase == DRAW and others:
        size = SIZE_WORDS[position.wanted]
        text = f"{named(others)} came out of the bag, where a {size} pyramid was felt for."
        raise IllegalMove("not-in-the-bag", "X6", text, f"Put {named(others)} back, and take a {size} one.")


def check_draw(position: Position, move: Move) -> None:
    """One pyramid in a turn, of a size that is there (X6, XA24)."""
    if not position.draws:
        raise IllegalMove("already-drawn", "XA24", "A pyramid was drawn in this turn already.", "Arrange, or roll.")
    if not position.bag:
        raise IllegalMove("bag-empty", "X10", "The bag is empty.", "Arrange, or roll.")
    sizes = sorted({pyramid.pips for pyramid in position.bag})
    if move.pips and move.pips not in sizes:
        left = " ".join(str(pips) for pips in sizes)
        raise IllegalMove(
            "no-such-size", "X6", f"No pyramid of {move.pips} pips is left in the bag.", f"Left are the sizes {left}."
        )


def check_drawn(position: Position, move: Move) -> None:
    """What came out was in the bag and feels as wanted (X6)."""
    assert move.pyramid is not None
    possible = drawable(position)
    if move.pyramid not in possible:
        allowed = " ".join(pyramid.code for pyramid in possible)
        raise IllegalMove(
            "not-in-the-bag", "X6", f"{move.pyramid.words} cannot have come out of the bag.", f"It can be {allowed}."
        )


def check_die(position: Position, move: Move) -> None:
    """A die has six faces (X7)."""
    if move.value not in FACES:
        raise IllegalMove("no-such-face", "X7", f"The die cannot show {move.value}.", "It shows 1 to 6.")


def check_face(position: Position, move: Move) -> None:
    """Kaxxt turns to a different player who is still in (X7, XA22)."""
    if move.seat not in targets(position):
        others = ", ".join(position.names[seat].capitalize() for seat in targets(position))
        raise IllegalMove("not-another-player", "XA22", "Kaxxt turns to a different player.", f"There is {others}.")
