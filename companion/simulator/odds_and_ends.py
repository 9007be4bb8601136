"""Small things that lie about where people play, as large as a die or a piece and none of any game here."""

import math
from collections.abc import Callable

import numpy as np

from companion.simulator.arrays import Colour
from companion.simulator.materials import Material, dimmed, srgb
from companion.simulator.scene import Finish, Thing
from companion.simulator.shapes import Mesh, Part, circle, ellipsoid, loft, prism, scaled, slab, square

Rng = np.random.Generator
REACH_MM, TRIES = 15.0, 40  # radius of any of them, and how often a place is tried
STUD_MM, STUD_APART_MM = 2.4, 8.0
_GAUDY = ((206, 30, 40), (240, 140, 20), (245, 210, 40), (50, 150, 60), (30, 90, 180), (110, 60, 30), (236, 110, 160))
_PLAIN = ((232, 226, 214), (222, 190, 142), (126, 84, 54), (30, 30, 32), (180, 180, 184), (96, 120, 150))


def _colour(rng: Rng) -> Colour:
    """Of toys and sweets, of wood and buttons, or any."""
    chance = rng.random()
    if chance < 0.3:
        b, g, r = (float(c) for c in rng.uniform(0.02, 0.75, 3))
        return b, g, r
    usual = _GAUDY if chance < 0.7 else _PLAIN
    return srgb(*(int(np.clip(c + rng.normal(0, 10), 4, 250)) for c in usual[int(rng.integers(len(usual)))]))


def _finish(rng: Rng, colour: Colour) -> Finish:
    """Glossy or dull, with a trim that is darker or brighter."""
    shine, rough = (0.05, float(rng.uniform(0.05, 0.2))) if rng.random() < 0.5 else (0.03, float(rng.uniform(0.3, 0.7)))
    trim = dimmed(colour, float(rng.uniform(0.2, 0.6))) if rng.random() < 0.6 else dimmed(colour, 1.8)
    return Finish({"body": Material(colour, shine, rough), "trim": Material(trim, shine, rough)})


def _lies(rng: Rng, name: str, mesh: Mesh, finish: Finish, x: float, y: float) -> Thing:
    return Thing(name, mesh, finish, x, y, 0.0, float(rng.uniform(0, 360)))


def sweet(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A sugar-coated lens or a round drop; a lamp glints in it."""
    wide, high = float(rng.uniform(5.5, 10.0)), float(rng.uniform(0.35, 0.9))
    long = float(rng.choice([1.0, 1.0, rng.uniform(1.0, 1.5)]))
    body = ellipsoid((0.0, 0.0, wide * high * 0.7), (wide * long, wide, wide * high), lat=12, lon=28)
    finish = Finish({"body": Material(_colour(rng), 0.05, float(rng.uniform(0.04, 0.25)))})
    return _lies(rng, name, Mesh((body,)), finish, x, y)


def marble(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A ball of glass, wood or steel."""
    radius = float(rng.uniform(5.0, 9.0))
    body = ellipsoid((0.0, 0.0, radius), (radius,) * 3, lat=14, lon=28)
    steel = rng.random() < 0.2
    material = Material((0.45, 0.46, 0.48), 0.5, 0.1, True) if steel else Material(_colour(rng), 0.05, 0.06)
    return _lies(rng, name, Mesh((body,)), Finish({"body": material}), x, y)


def button(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A button with two or four holes, much like the pips of a die."""
    radius, high = float(rng.uniform(5.5, 12.0)), float(rng.uniform(2.0, 4.0))
    holes, far, hole = int(rng.choice([2, 4, 4])), radius * float(rng.uniform(0.22, 0.36)), float(rng.uniform(0.7, 1.3))
    parts: list[Part] = [slab(circle(radius, 32), 0.0, high, min(1.0, high * 0.4))]
    if rng.random() < 0.6:
        parts.append(prism(circle(radius * 0.72, 28), high - 0.2, high + 0.02, "body", 1))
    for number in range(holes):
        way = 2 * math.pi * number / holes
        parts.append(
            prism(circle(hole, 12, far * math.cos(way), far * math.sin(way)), high - 0.2, high + 0.05, "trim", 2)
        )
    colour = _colour(rng)
    finish = Finish(
        {"body": Material(colour, 0.05, float(rng.uniform(0.08, 0.4))), "trim": Material(dimmed(colour, 0.15))}
    )
    return _lies(rng, name, Mesh(tuple(parts)), finish, x, y)


def counter(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A flat or a thick disc, plain or with a ring or a dot."""
    radius, high = float(rng.uniform(6.0, 13.0)), float(rng.uniform(1.2, 8.0))
    parts: list[Part] = [slab(circle(radius, 32), 0.0, high, min(0.8, high * 0.4))]
    mark = rng.random()
    if mark < 0.35:
        parts.append(prism(circle(radius * float(rng.uniform(0.15, 0.5)), 24), high - 0.1, high + 0.04, "trim", 1))
    elif mark < 0.7:
        parts.append(prism(circle(radius * 0.78, 28), high - 0.1, high + 0.04, "trim", 1))
        parts.append(prism(circle(radius * float(rng.uniform(0.5, 0.68)), 28), high - 0.1, high + 0.08, "body", 2))
    return _lies(rng, name, Mesh(tuple(parts)), _finish(rng, _colour(rng)), x, y)


def cube(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A cube without pips, as resources of other games are, or a flat square of the same kind."""
    side = float(rng.uniform(7.0, 18.0))
    high = side if rng.random() < 0.7 else side * float(rng.uniform(0.2, 0.7))
    outline, bevel = square(side), min(float(rng.uniform(0.2, 1.6)), high * 0.3)
    body = loft(
        [
            (scaled(outline, 1 - bevel / side), 0.0),
            (outline, bevel),
            (outline, high - bevel),
            (scaled(outline, 1 - 2 * bevel / side), high),
        ]
    )
    return _lies(rng, name, Mesh((body,)), _finish(rng, _colour(rng)), x, y)


def brick(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A toy brick with one, two or four studs."""
    along, across = (int(n) for n in ((1, 1), (2, 1), (2, 2))[int(rng.integers(3))])
    high = float(rng.choice([3.2, 9.6]))
    parts: list[Part] = [slab(square(STUD_APART_MM * across, 0.0, along / across), 0.0, high, 0.2)]
    for i in range(along):
        for k in range(across):
            at = STUD_APART_MM * (i - (along - 1) / 2), STUD_APART_MM * (k - (across - 1) / 2)
            parts.append(slab(circle(STUD_MM, 16), 0.0, high + 1.8, 0.2, "body", 1).moved(*at))
    return _lies(rng, name, Mesh(tuple(parts)), _finish(rng, _colour(rng)), x, y)


def nut(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A screw's nut or a washer: a ring of metal."""
    radius, high = float(rng.uniform(5.0, 10.0)), float(rng.uniform(1.5, 6.0))
    body = slab(circle(radius, int(rng.choice([6, 6, 28]))), 0.0, high, 0.4)
    hole = prism(circle(radius * float(rng.uniform(0.35, 0.6)), 20), high - 0.1, high + 0.05, "hole", 1)
    metal = Material((0.3, 0.5, 0.62) if rng.random() < 0.3 else (0.48, 0.5, 0.52), 0.5, 0.25, True)
    return _lies(rng, name, Mesh((body, hole)), Finish({"body": metal, "hole": Material((0.02, 0.02, 0.02))}), x, y)


def pebble(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A stone, a crumb, a kernel: round and uneven."""
    wide, sides = float(rng.uniform(4.5, 11.0)), 14
    bumps = np.clip(1 + 0.08 * rng.normal(0, 1, sides), 0.8, 1.04)
    ring = [(px * k, py * k) for (px, py), k in zip(circle(wide, sides, stretch=1.3), bumps, strict=True)]
    high = wide * float(rng.uniform(0.5, 1.0))
    body = loft(
        [(scaled(ring, 0.8), 0.0), (ring, 0.35 * high), (scaled(ring, 0.85), 0.7 * high), (scaled(ring, 0.45), high)]
    )
    colour = srgb(*_PLAIN[int(rng.integers(len(_PLAIN)))]) if rng.random() < 0.7 else _colour(rng)
    return _lies(rng, name, Mesh((body,)), Finish({"body": Material(colour, 0.02, 0.7)}), x, y)


def cap(rng: Rng, name: str, x: float, y: float) -> Thing:
    """The crimped cap of a bottle, from above or, with its rim, from inside."""
    radius, teeth = float(rng.uniform(12.5, 14.0)), 21
    ring = [
        (r * math.cos(a), r * math.sin(a))
        for n in range(2 * teeth)
        for r, a in ((radius * (1.0 if n % 2 else 0.93), math.pi * n / teeth),)
    ]
    parts = [loft([(ring, 0.0), (ring, 2.0), (scaled(ring, 0.86), 6.0)])]
    parts.append(prism(circle(radius * 0.6, 28), 5.8, 6.05, "trim", 1))
    return _lies(rng, name, Mesh(tuple(parts)), _finish(rng, _colour(rng)), x, y)


def figure(rng: Rng, name: str, x: float, y: float) -> Thing:
    """A standing pawn of another game: a foot, a waist and a round head."""
    foot, high = float(rng.uniform(5.0, 8.0)), float(rng.uniform(14.0, 26.0))
    head = foot * float(rng.uniform(0.5, 0.8))
    body = loft([(circle(foot, 24), 0.0), (circle(foot, 24), 2.0), (circle(foot * 0.4, 24), high - head)])
    ball = ellipsoid((0.0, 0.0, high), (head,) * 3, "body", 1, lat=12, lon=24)
    return _lies(rng, name, Mesh((body, ball)), _finish(rng, _colour(rng)), x, y)


ODDS_AND_ENDS: dict[str, Callable[[Rng, str, float, float], Thing]] = {
    "sweet": sweet,
    "marble": marble,
    "button": button,
    "counter": counter,
    "cube": cube,
    "brick": brick,
    "nut": nut,
    "pebble": pebble,
    "cap": cap,
    "figure": figure,
}


def small_thing(rng: Rng, name: str, x: float, y: float) -> Thing:
    """Any of them."""
    kinds = sorted(ODDS_AND_ENDS)
    kind = kinds[int(rng.integers(len(kinds)))]
    return ODDS_AND_ENDS[kind](rng, f"{kind} {name}", x, y)


def strewn(rng: Rng, count: int, area_mm: tuple[float, float], taken: list[tuple[float, float, float]]) -> list[Thing]:
    """So many of them, where there is room: `area_mm` is half the ground, `taken` are circles, to which theirs come."""
    found = []
    for number in range(count):
        for _ in range(TRIES):
            x, y = (float(v) for v in rng.uniform(-1, 1, 2) * area_mm)
            if all(math.hypot(x - a, y - b) > REACH_MM + r for a, b, r in taken):
                found.append(small_thing(rng, str(number), x, y))
                taken.append((x, y, REACH_MM))
                break
    return found
