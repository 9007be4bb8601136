"""What an attack does to shields, and who is out after it."""

from dataclasses import dataclass, replace

from companion.events import Beam, Event, Scored, TurnBegan, event
from companion.games.base import Outcome
from companion.games.kaxxt.beam import Trace, Tracer
from companion.games.kaxxt.position import ACT, FULL_SHIELD, MOST_LATE, Position

LASERS = {1: "red", 2: "blue", 3: "green", 4: "yellow"}  # X7
TURN_KAXXT, DIRECT = 5, 6
POWER, POWER_WITHOUT_SUPPLY = 3, 6  # X8, X10


@event("targeted")
@dataclass(frozen=True)
class Targeted(Event):
    """Kaxxt has to be turned to face this seat."""

    seat: int
    heading_deg: float


@event("kaxxt_hit")
@dataclass(frozen=True)
class KaxxtHit(Event):
    """A seat's pyramids sent points back at Kaxxt; `left` is what remains of his shield."""

    seat: int
    points: int
    left: int


@event("annihilated")
@dataclass(frozen=True)
class Annihilated(Event):
    """A laser came back to a seat for the third time: nothing is left of it."""

    seat: int
    text: str
    rule: str

    @property
    def note(self) -> str:
        """Why the shield is gone at once."""
        return self.text


@event("out")
@dataclass(frozen=True)
class Out(Event):
    """A seat's shield is gone; `pyramids` leave the table."""

    seat: int
    pyramids: tuple[str, ...]
    rule: str


def power(position: Position) -> int:
    """The power of an attack: more once the bag is empty (X8, X10, XA21)."""
    return POWER if position.bag else POWER_WITHOUT_SUPPLY


def laser(position: Position, colour: str) -> Trace:
    """The way of a laser at the target, nothing changed yet."""
    tracer = Tracer(position.areas, position.present, position.redirect)
    return tracer.fire(position.target, colour, power(position))


def direct(position: Position) -> Trace:
    """The attack that nothing blocks (X9, XA25)."""
    return Trace(damage={position.target: power(position)}, hits={position.target: "X9"})


def settle(position: Position, trace: Trace) -> tuple[Position, tuple[Event, ...]]:
    """Damage and recharge of one attack all at once (XA18), then who is out, then whose turn it is (X11)."""
    events: list[Event] = []
    if trace.paths:
        events.append(Beam(position.target, tuple(trace.paths)))
    shields = tuple(_shield(position, trace, seat) for seat in range(position.seats))
    for seat in range(position.seats):
        events += _told(position, trace, seat, shields[seat])
    kaxxt = position.kaxxt
    for seat, points in sorted(trace.at_kaxxt.items()):
        kaxxt = max(0, kaxxt - points)
        events.append(KaxxtHit(seat, points, kaxxt))
    destroyers = () if kaxxt else tuple(sorted(trace.at_kaxxt))
    after = replace(position, shields=shields, kaxxt=kaxxt, destroyers=destroyers)
    after, left = _taken_out(position, trace, after)
    after = _next_turn(after)
    return after, (*events, *left, *ending(after))


def _shield(position: Position, trace: Trace, seat: int) -> int:
    """The new shield: never above full (XA17), none left after an annihilation (X29)."""
    if seat in trace.annihilated or not position.shields[seat]:
        return 0
    changed = position.shields[seat] - trace.damage.get(seat, 0) + trace.recharge.get(seat, 0)
    return max(0, min(FULL_SHIELD, changed))


def _told(position: Position, trace: Trace, seat: int, total: int) -> list[Event]:
    events: list[Event] = []
    if recharge := trace.recharge.get(seat, 0):
        events.append(Scored(seat, recharge, total, "black recharges the shield", "X24"))
    if damage := trace.damage.get(seat, 0):
        events.append(Scored(seat, -damage, total, "hit", trace.hits[seat]))
    if seat in trace.annihilated:
        name = position.names[seat].capitalize()
        events.append(Annihilated(seat, f"Stack overflow: {name} is annihilated.", trace.annihilated[seat]))
    return events


def _taken_out(position: Position, trace: Trace, after: Position) -> tuple[Position, tuple[Event, ...]]:
    """Who has nothing left is out; his pyramids leave the game (X3, XA4)."""
    events, areas, hands = [], list(after.areas), list(after.hands)
    for seat in range(position.seats):
        if position.shields[seat] and not after.shields[seat]:
            codes = tuple(pyramid.code for pyramid in position.pyramids_of(seat))
            events.append(Out(seat, codes, trace.annihilated.get(seat, "X3")))
            areas[seat], hands[seat] = (), ()
    return replace(after, areas=tuple(areas), hands=tuple(hands)), tuple(events)


def _next_turn(position: Position) -> Position:
    """Kaxxt turns clockwise from whom he faces now, and that player goes on (X11, XA23)."""
    seat = position.next_present(position.target)
    late = tuple(
        min(n + int(i == position.turn and not position.drawn), MOST_LATE) for i, n in enumerate(position.late)
    )
    return replace(position, turn=seat, target=seat, phase=ACT, drawn=False, wanted=0, late=late)


def ending(position: Position) -> tuple[Event, ...]:
    """The end of the game, or the next turn."""
    ended = outcome(position)
    if ended is not None:
        return (ended.event(),)
    heading = position.sides[position.target].bearing_deg
    return (Targeted(position.target, heading), TurnBegan(position.turn))


def outcome(position: Position) -> Outcome | None:
    """Kaxxt destroyed (X4, XA19), one player left (X4), or none (XA20)."""
    names = [name.capitalize() for name in position.names]
    if position.kaxxt <= 0:
        who = " and ".join(names[seat] for seat in position.destroyers)
        return Outcome("kaxxt-destroyed", position.destroyers, f"Kaxxt is destroyed: {who} won.", "X4")
    left = tuple(seat for seat, present in enumerate(position.present) if present)
    if len(left) == 1:
        return Outcome("last-standing", left, f"{names[left[0]]} is the last player standing.", "X4")
    if not left:
        return Outcome("all-out", (), "All players are out: nobody wins.", "XA20")
    return None
