"""The way of one laser round the table, hop by hop."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.errors import OddPosition
from companion.events import BeamPath
from companion.games.kaxxt.lanes import ASK, TOLERANCES, Slot, grouped, lanes
from companion.games.kaxxt.pyramids import Pyramid
from companion.games.kaxxt.sides import ENTRY_MM, PLAYER_MM, REACH_MM, Point, Side, sides
from companion.games.kaxxt.stacks import Branch, meet
from companion.games.kaxxt.stands import Stand

ARRIVALS = 3  # the third arrival annihilates (X29)
TURNS = 3  # so does the third turn by one pyramid in one visit (XA7)
KAXXT: Point = (0.0, 0.0)


@dataclass
class Trace:
    """What a laser did. damage + recharge + at Kaxxt + lost + stopped = its power."""

    damage: dict[int, int] = field(default_factory=dict)  # by seat
    hits: dict[int, str] = field(default_factory=dict)  # seat -> rule of the first beam that hit it
    recharge: dict[int, int] = field(default_factory=dict)
    at_kaxxt: dict[int, int] = field(default_factory=dict)  # by the seat whose pyramid sent it (XA19)
    lost: int = 0  # sent up, away from everyone (X18)
    stopped: int = 0  # beams that ended with an annihilation (X29)
    annihilated: dict[int, str] = field(default_factory=dict)  # seat -> rule
    paths: list[BeamPath] = field(default_factory=list)

    @property
    def total(self) -> int:
        """All the power that was accounted for."""
        parts = (self.damage, self.recharge, self.at_kaxxt)
        return sum(sum(part.values()) for part in parts) + self.lost + self.stopped


@dataclass(frozen=True, slots=True)
class _Beam:
    """One unbroken beam inside one area."""

    seat: int
    colour: str
    power: int
    ahead: tuple[Slot, ...]  # what it still meets, in order
    leaving: str  # where it goes after that: self, kaxxt, left, right
    points: tuple[Point, ...]
    arrivals: tuple[int, ...]  # of this beam, by seat (XA5)
    turned_by: tuple[Pyramid, ...] = ()  # in this visit
    sender: int = -1  # the seat that turned it last


class Tracer:
    """Traces lasers on one table: areas by seat, and who is still in."""

    def __init__(self, areas: Sequence[Sequence[Stand]], present: Sequence[bool], method: str) -> None:
        self._sides: tuple[Side, ...] = sides(len(areas))
        self._slots = [lanes(area, side) for area, side in zip(areas, self._sides, strict=True)]
        self._present, self._method = tuple(present), method
        diagonal = [slot.stand.bottom.words for area in self._slots for slot in area if slot.points == ASK]
        if diagonal:
            raise OddPosition(tuple(f"{words} points diagonally (X19)" for words in diagonal))

    def fire(self, target: int, colour: str, power: int) -> Trace:
        """Kaxxt fires at a seat (X12): first along the line, then wherever pyramids send it."""
        on_line = sorted((slot for slot in self._slots[target] if slot.col == 0), key=lambda slot: slot.away)
        return self._follow(_Beam(target, colour, power, tuple(on_line), "self", (KAXXT,), self._once(target)))

    def enter(self, seat: int, hand: str, colour: str, power: int) -> Trace:
        """A beam arrives at a seat from a neighbour, on its left or right hand, for the first time (X28)."""
        sign = 1 if hand == "left" else -1
        entry = self._sides[seat].table(-sign * REACH_MM, ENTRY_MM)
        sender, ahead = self._neighbour(seat, sign), self._sweep(seat, sign)
        return self._follow(_Beam(seat, colour, power, ahead, "self", (entry,), self._once(seat), sender=sender))

    def _once(self, seat: int) -> tuple[int, ...]:
        return tuple(int(at == seat) for at in range(len(self._slots)))

    def _follow(self, beam: _Beam) -> Trace:
        self._trace, self._waiting = Trace(), deque([beam])
        while self._waiting:
            self._run(self._waiting.popleft())
        return self._trace

    def _run(self, beam: _Beam) -> None:
        for at, slot in enumerate(beam.ahead):
            passage = meet(slot.stand.pyramids, beam.colour, beam.power, bool(beam.turned_by), self._method)
            if passage.rest == beam.power:
                continue
            here = (slot.stand.x_mm, slot.stand.y_mm)
            self._draw(beam, here, "turned" if passage.branches else "absorbed")
            if passage.absorbed:
                _add(self._trace.recharge, beam.seat, passage.absorbed)
            for branch in passage.branches:
                self._turn(beam, slot, branch)
            beam = replace(beam, power=passage.rest, points=(here,), ahead=beam.ahead[at + 1 :])
            if passage.rest:
                self._waiting.append(beam)
            return
        self._leave(beam)

    def _turn(self, beam: _Beam, slot: Slot, branch: Branch) -> None:
        here = (slot.stand.x_mm, slot.stand.y_mm)
        turned_by = (*beam.turned_by, branch.by)
        new = replace(
            beam,
            colour=branch.colour,
            power=branch.power,
            ahead=(),
            leaving=slot.points,
            points=(here,),
            turned_by=turned_by,
            sender=beam.seat,
        )
        if turned_by.count(branch.by) >= TURNS:
            self._annihilate(new, beam.seat, "XA7")
        elif slot.points == "up":
            self._trace.lost += branch.power
            self._draw(new, here, "lost")
        else:
            self._waiting.append(replace(new, ahead=_beyond(slot, self._slots[beam.seat])))

    def _leave(self, beam: _Beam) -> None:
        side = self._sides[beam.seat]
        across, away = side.local(*beam.points[-1])
        if beam.leaving == "self":
            _add(self._trace.damage, beam.seat, beam.power)
            self._trace.hits.setdefault(beam.seat, _rule_of_hit(beam))
            self._draw(beam, side.table(across if beam.turned_by else 0.0, PLAYER_MM), "hit")
        elif beam.leaving == "kaxxt":
            _add(self._trace.at_kaxxt, beam.sender, beam.power)
            self._draw(beam, KAXXT, "kaxxt")
        else:
            sign = 1 if beam.leaving == "right" else -1
            edge = max(REACH_MM, abs(across))
            self._arrive(replace(beam, points=_reaching(beam.points, side.table(sign * edge, away))), sign)

    def _arrive(self, beam: _Beam, sign: int) -> None:
        """At the next player round the table, on his other hand (X17, XA2, XA3)."""
        seat = self._neighbour(beam.seat, -sign)
        entry = self._sides[seat].table(-sign * REACH_MM, ENTRY_MM)
        arrivals = tuple(count + (at == seat) for at, count in enumerate(beam.arrivals))
        if arrivals[seat] >= ARRIVALS:
            self._annihilate(replace(beam, points=_reaching(beam.points, entry)), seat, "X29")
            return
        self._draw(beam, entry, "passed on")
        self._waiting.append(
            replace(
                beam,
                seat=seat,
                ahead=self._sweep(seat, sign),
                leaving="self",
                points=(entry,),
                arrivals=arrivals,
                turned_by=(),
            )
        )

    def _sweep(self, seat: int, sign: int) -> tuple[Slot, ...]:
        """All of an area, ordered from the side that the beam comes from (XA9); +1 comes from the left.

        Not by columns: what touches the line to Kaxxt is one column, and may reach far to both sides of it.
        """
        slots = self._slots[seat]
        beside = grouped([sign * slot.across for slot in slots], TOLERANCES.lane_mm)
        order = sorted(range(len(slots)), key=lambda at: (beside[at], slots[at].row, slots[at].away))
        return tuple(slots[at] for at in order)

    def _neighbour(self, seat: int, step: int) -> int:
        """The next player who is still in; +1 is clockwise, to the left (XA2, XA4)."""
        count = len(self._present)
        seat = (seat + step) % count
        while not self._present[seat]:
            seat = (seat + step) % count
        return seat

    def _annihilate(self, beam: _Beam, seat: int, rule: str) -> None:
        self._trace.stopped += beam.power
        self._trace.annihilated.setdefault(seat, rule)
        self._draw(beam, beam.points[-1], "annihilated")

    def _draw(self, beam: _Beam, to: Point, end: str) -> None:
        points = _reaching(beam.points, to)
        self._trace.paths.append(BeamPath(points, "mm", end, beam.colour, float(beam.power)))


def _rule_of_hit(beam: _Beam) -> str:
    """Turned by a pyramid of one's own, come from a neighbour, or straight from Kaxxt."""
    if beam.turned_by:
        return "XA8"
    return "X28" if beam.sender >= 0 else "X12"


def _reaching(points: tuple[Point, ...], to: Point) -> tuple[Point, ...]:
    """The corners with one more, unless it is there already."""
    return points if points[-1] == to else (*points, to)


def _beyond(slot: Slot, area: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """What a turned beam meets: it keeps the row or column of the pyramid that turned it (XA9)."""
    others = [other for other in area if other is not slot]
    if slot.points in ("left", "right"):
        sign = 1 if slot.points == "right" else -1
        found = [o for o in others if o.row == slot.row and sign * (o.across - slot.across) > 0]
        return tuple(sorted(found, key=lambda o: sign * o.across))
    sign = 1 if slot.points == "self" else -1
    found = [o for o in others if o.col == slot.col and sign * (o.away - slot.away) > 0]
    return tuple(sorted(found, key=lambda o: sign * o.away))


def _add(amounts: dict[int, int], seat: int, points: int) -> None:
    amounts[seat] = amounts.get(seat, 0) + points
