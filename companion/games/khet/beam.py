"""The light: a fast tracer that only tells what is struck, and one that tells every hop."""

from dataclasses import dataclass

from companion.games.khet.faces import ABSORBED, EDGE, HIT, REACTION, SPLIT
from companion.games.khet.squares import DIRECTIONS, STEP


def struck(cells: bytes | bytearray, square: int, heading: int) -> tuple[int, ...]:
    """The squares whose pieces one shot hits; `square` is the laser's own. Nothing is removed (Khet Q5)."""
    step = STEP[heading]
    while True:
        square += step
        code = cells[square]
        if code:
            heading = REACTION[code * 4 + heading]
            if heading < HIT:
                step = STEP[heading]
            elif heading == HIT:
                return (square,)
            elif heading < SPLIT:
                return ()
            else:
                return _struck_by_halves(cells, square, (heading - SPLIT, STEP.index(step)))


def _struck_by_halves(cells: bytes | bytearray, square: int, halves: tuple[int, int]) -> tuple[int, ...]:
    """Behind an eye: every half is followed once from each eye in each direction, so loops end (Khet Q3)."""
    waiting = [(square, half) for half in halves]
    lit = set(waiting)
    hit: dict[int, None] = {}
    while waiting:
        square, heading = waiting.pop()
        reaction = heading
        while reaction < HIT:
            heading = reaction
            square += STEP[heading]
            reaction = REACTION[cells[square] * 4 + heading]
        if reaction == HIT:
            hit[square] = None
        elif reaction >= SPLIT:
            new = {(square, heading), (square, reaction - SPLIT)} - lit
            lit |= new
            waiting.extend(new)
    return tuple(sorted(hit))


def lit_squares(cells: bytes, square: int, heading: int) -> tuple[set[int], tuple[int, ...]]:
    """Every square that one shot touches, the laser's own included, and the squares that it hits."""
    touched, hit = {square}, set()
    waiting = [(square, heading)]
    split: set[tuple[int, int]] = set()
    while waiting:
        square, heading = waiting.pop()
        reaction = heading
        while reaction < HIT:
            heading = reaction
            square += STEP[heading]
            touched.add(square)
            reaction = REACTION[cells[square] * 4 + heading]
        if reaction == HIT:
            hit.add(square)
        elif reaction >= SPLIT:
            new = {(square, heading), (square, reaction - SPLIT)} - split
            split |= new
            waiting.extend(new)
    return touched, tuple(sorted(hit))


@dataclass(frozen=True, slots=True)
class Ray:
    """One unbroken beam: the squares it touches, its source first, the rim last where it leaves the board."""

    squares: tuple[int, ...]
    end: str  # edge, absorbed, hit, loop
    heading: str  # the direction in which it ends


ENDS = {HIT: "hit", ABSORBED: "absorbed", EDGE: "edge"}


def rays(cells: bytes, square: int, heading: int) -> tuple[Ray, ...]:
    """Every beam of one shot: the straight half runs on, the turned half starts anew at its eye.

    Everything is traced on the unchanged board (Khet Q5); a beam ends as "loop" where it would run on a way that
    was already lit in this shot in the same direction (Khet Q3).
    """
    found: list[Ray] = []
    waiting = [(square, heading)]
    lit: set[tuple[int, int]] = set()  # (square, direction in which light left it)
    while waiting:
        ray = _follow(cells, *waiting.pop(0), lit, waiting)
        if len(ray.squares) > 1:
            found.append(ray)
    return tuple(found)


def _follow(cells: bytes, square: int, heading: int, lit: set[tuple[int, int]], waiting: list[tuple[int, int]]) -> Ray:
    """One beam from `square`; the turned halves that it throws off are put on `waiting`."""
    path = [square]
    while (square, heading) not in lit:
        lit.add((square, heading))
        square += STEP[heading]
        path.append(square)
        reaction = REACTION[cells[square] * 4 + heading]
        if reaction in ENDS:
            return Ray(tuple(path), ENDS[reaction], DIRECTIONS[heading])
        if reaction >= SPLIT:
            waiting.append((square, reaction - SPLIT))
        else:
            heading = reaction
    return Ray(tuple(path), "loop", DIRECTIONS[heading])
