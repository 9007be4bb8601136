"""The tracer against a plain one, written from the authors' text, on random tables laid out on the grid."""

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from kaxxt_tables import fire

from companion.games.kaxxt.arranging import POINTS
from companion.games.kaxxt.pyramids import SET, Pyramid, write_codes
from companion.games.kaxxt.stacks import METHODS

TABLES = 1500
AHEAD = {"left": (0, -1), "right": (0, 1), "self": (1, 0), "kaxxt": (-1, 0)}  # rows count from Kaxxt


@dataclass(eq=False)
class Stack:
    """Pyramids at one place of a player's area, the bottom one first."""

    pyramids: list[Pyramid]
    points: str
    row: int
    col: int


@dataclass
class Plain:
    """One laser, followed by recursion: every beam goes on until nothing of it is left."""

    areas: list[list[Stack]]
    present: list[bool]
    method: str
    damage: Counter[int] = field(default_factory=Counter)
    recharge: Counter[int] = field(default_factory=Counter)
    at_kaxxt: Counter[int] = field(default_factory=Counter)
    annihilated: set[int] = field(default_factory=set)
    lost: int = 0
    stopped: int = 0

    def fire(self, target: int, colour: str, power: int) -> None:
        line = sorted((stack for stack in self.areas[target] if stack.col == 0), key=lambda stack: stack.row)
        self.run(target, colour, power, line, "self", {target: 1}, [], -1)

    def run(self, seat, colour, power, ahead, leaving, visits, turned, sender) -> None:
        for stack in ahead:
            sent = []
            for level, pyramid in enumerate(stack.pyramids):
                if pyramid.colour == "black" and turned:
                    taken = min(power, pyramid.pips)
                    self.recharge[seat] += taken
                    power -= taken
                elif pyramid.colour == colour:
                    caught = self.share(power, pyramid.pips)
                    power -= caught
                    sent.append((pyramid, *self.through(seat, stack.pyramids[level + 1 :], colour, caught)))
            for pyramid, changed, caught in sent:
                if caught:
                    self.turn(seat, stack, pyramid, changed, caught, visits, [*turned, pyramid])
            if not power:
                return
        if leaving == "self":
            self.damage[seat] += power
        elif leaving == "kaxxt":
            self.at_kaxxt[sender] += power
        else:
            self.reach(seat, leaving, colour, power, visits)

    def share(self, power: int, pips: int) -> int:
        return min(power, pips) if self.method == "capacity" else int(Fraction(power * pips, 3) + Fraction(1, 2))

    def through(self, seat, above, colour, power):
        for pyramid in above:
            if pyramid.colour == "black":
                taken = min(power, pyramid.pips)
                self.recharge[seat] += taken
                power -= taken
            else:
                colour = pyramid.colour
        return colour, power

    def turn(self, seat, stack, pyramid, colour, power, visits, turned) -> None:
        if turned.count(pyramid) == 3:
            self.annihilated.add(seat)
            self.stopped += power
        elif stack.points == "up":
            self.lost += power
        else:
            down, over = AHEAD[stack.points]
            beyond = [
                (down * (other.row - stack.row) + over * (other.col - stack.col), other)
                for other in self.areas[seat]
                if (other.col == stack.col if down else other.row == stack.row)
            ]
            ahead = [other for away, other in sorted(beyond, key=lambda found: found[0]) if away > 0]
            self.run(seat, colour, power, ahead, stack.points, visits, turned, seat)

    def reach(self, seat, leaving, colour, power, visits) -> None:
        """What leaves to the left is at the next player clockwise, and comes from that one's right."""
        step = 1 if leaving == "left" else -1
        other = (seat + step) % len(self.areas)
        while not self.present[other]:
            other = (other + step) % len(self.areas)
        visits = {**visits, other: visits.get(other, 0) + 1}
        if visits[other] == 3:
            self.annihilated.add(other)
            self.stopped += power
            return
        ahead = sorted(self.areas[other], key=lambda stack: (-step * stack.col, stack.row))
        self.run(other, colour, power, ahead, "self", visits, [], -1)


def table(chance: random.Random) -> tuple[list[list[Stack]], list[bool]]:
    """Up to fifteen pyramids before two to four players, some of whom are out."""
    seats = chance.randint(2, 4)
    present = [seat < 2 or chance.random() < 0.8 for seat in range(seats)]
    areas: list[list[Stack]] = [[] for _ in range(seats)]
    for pyramid in chance.sample(SET, chance.randint(1, 15)):
        mine = areas[chance.choice([seat for seat in range(seats) if present[seat]])]
        fits = [stack for stack in mine if stack.pyramids[-1].pips >= pyramid.pips]
        free = [(r, c) for r in range(4) for c in (0, 0, -1, 1) if all((s.row, s.col) != (r, c) for s in mine)]
        if fits and chance.random() < 0.5:
            chance.choice(fits).pyramids.append(pyramid)
        elif free:
            mine.append(Stack([pyramid], chance.choice(("left", "right", *POINTS)), *chance.choice(free)))
    return areas, present


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("power", [3, 6])
def test_both_tracers_agree_on_random_tables(method: str, power: int) -> None:
    chance, ends = random.Random(f"{method} {power}"), Counter[str]()
    for _ in range(TABLES):
        areas, present = table(chance)
        target = chance.choice([seat for seat, here in enumerate(present) if here])
        colour = chance.choice(("red", "blue", "green", "yellow"))
        plain = Plain(areas, present, method)
        plain.fire(target, colour, power)
        rows = {
            seat: tuple((write_codes(tuple(s.pyramids)), s.points, s.row, s.col) for s in stacks)
            for seat, stacks in enumerate(areas)
        }
        out = tuple(seat for seat, here in enumerate(present) if not here)
        trace = fire(len(areas), rows, target, colour, power, method, out)
        assert (+Counter(trace.damage), +Counter(trace.recharge), +Counter(trace.at_kaxxt)) == (
            +plain.damage,
            +plain.recharge,
            +plain.at_kaxxt,
        )
        assert (trace.lost, trace.stopped) == (plain.lost, plain.stopped)
        assert set(trace.annihilated) == plain.annihilated
        for end in ("recharge", "at_kaxxt", "lost", "annihilated"):
            ends[end] += bool(getattr(plain, end))
    assert min(ends[end] for end in ("recharge", "at_kaxxt", "lost", "annihilated")) > 10
