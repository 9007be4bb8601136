"""The light: a fast tracer that only tells what is struck, and one that tells every hop."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.khet.faces import ABSORBED, EDGE, FACING, HIT, REACTION, SPLIT, TURNS
from companion.games.khet.squares import DIRECTIONS, STEP


def struck(cells: bytes | bytearray, square: int, heading: int) -> Iterable[int]:
    """The squares whose pieces one shot hits; `square` is the laser's own. Nothing is removed (Khet Q5)."""
    step = STEP[heading]
    while True:
        square += step
        code = cells[square]
        if code:
            reaction = REACTION[code * 4 + heading]
            if reaction < HIT:
                heading = reaction
                step = STEP[heading]
            elif reaction == HIT:
                return (square,)
            elif reaction < SPLIT:
                return ()
            else:
                return _lit_behind(cells, square, heading)[1]


Entry = tuple[int, int, int]  # how many squares were lit before, the square before this one, the light's direction


def way(cells: bytes | bytearray, square: int, heading: int) -> tuple[list[Entry | None], Iterable[int]]:
    """For every square that one shot touches how the light first comes in there, and the squares that it hits.

    A board changed on touched squares alone gives the same shot up to the earliest of their entries, so it may be
    traced from there. Behind an eye there is no such order: those squares have the entry of the eye itself. A
    sphinx, the source, has the direction in which it fires once it is turned.
    """
    entries: list[Entry | None] = [None] * len(cells)
    if turned := TURNS[cells[square]]:
        entries[square] = (-1, square, DIRECTIONS.index(FACING[turned[0]] or ""))
    order = 0
    while True:
        before, square = square, square + STEP[heading]
        if entries[square] is None:
            entries[square] = (order, before, heading)
        order += 1
        reaction = REACTION[cells[square] * 4 + heading]
        if reaction >= SPLIT:
            lit, hits = _lit_behind(cells, square, heading)
            for behind in lit:
                if entries[behind] is None:
                    entries[behind] = (order, before, heading)
            return entries, hits
        if reaction >= HIT:
            return entries, (square,) if reaction == HIT else ()
        heading = reaction


def _lit_behind(cells: bytes | bytearray, eye: int, heading: int) -> tuple[set[int], set[int]]:
    """Every square lit by the two halves of light that comes to an eye, and those that are hit.

    Light leaves each eye only once in each direction, so loops end (Khet Q3).
    """
    straight, turned = (eye, heading), (eye, REACTION[cells[eye] * 4 + heading] - SPLIT)
    waiting, left = [straight, turned], {straight, turned}
    lit: set[int] = set()
    hits: set[int] = set()
    while waiting:
        square, reaction = waiting.pop()
        while reaction < HIT:
            heading, step = reaction, STEP[reaction]
            square += step
            while not cells[square]:
                lit.add(square)
                square += step
            lit.add(square)
            reaction = REACTION[cells[square] * 4 + heading]
        if reaction == HIT:
            hits.add(square)
        elif reaction >= SPLIT:
            for onward in ((square, heading), (square, reaction - SPLIT)):
                if onward not in left:
                    left.add(onward)
                    waiting.append(onward)
    return lit, hits


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
