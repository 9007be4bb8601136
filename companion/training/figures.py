"""Khet's standing figures of many makers, anubis, pharaoh and sphinx, and the plate under every piece.

As in `sculpts`: each function draws one at random, facing N (y), standing on z = 0, in millimetres of a 38 mm cell.
"""

import numpy as np

from companion.training.solids import Solid, beam, box, ellipsoid, hull, rod, spindle

Rng = np.random.Generator
Sculpt = list[Solid]


def base(rng: Rng) -> tuple[Sculpt, float, float]:
    """The plate under a piece, its side and its top."""
    side, height = rng.uniform(29.5, 36), rng.choice([rng.uniform(2, 4), rng.uniform(3, 7)])
    if rng.random() < 0.15:
        plate = spindle([(side / 2, 0), (side / 2, height * 0.8), (side / 2 - 0.6, height)], 28)
    else:
        plate = box(side, side, 0, height, rng.uniform(0.9, 1.0), rng.uniform(0.2, 1.2))
    solids = [plate]
    if rng.random() < 0.3:
        step = rng.uniform(0.5, 2)
        solids.append(box(side * 0.86, side * 0.86, height, height + step))
        height += step
    return solids, side, height


def anubis(rng: Rng) -> Sculpt:
    """A jackal's head with snout and two ears; a shield or bar at its front."""
    solids, side, low = base(rng)
    back, tall = rng.uniform(-7, 0), rng.uniform(13, 34)
    high = low + tall
    if rng.random() < 0.75:
        body = box(rng.uniform(9, 17), rng.uniform(7, 14), low, low + tall * rng.uniform(0.4, 0.8), rng.uniform(0.6, 1))
        solids.append(body.moved(0, back))
    if rng.random() < 0.5:
        step = box(rng.uniform(12, 20), rng.uniform(3, 8), low, low + rng.uniform(2, 7))
        solids.append(step.moved(0, -side * rng.uniform(0.25, 0.4)))
    if rng.random() < 0.75:
        solids += _shield(rng, side, low, back)
    if rng.random() < 0.5:
        for s in (-1, 1):
            shoulder = (s * rng.uniform(4, 8), back, low + tall * 0.6)
            hand = (s * rng.uniform(3, 8), back + rng.uniform(5, 13), low + tall * 0.4)
            solids.append(rod(shoulder, hand, 1.6, 1.3, 8))
    solids += _jackal(rng, back, high)
    if rng.random() < 0.25:
        solids += _headdress(rng, back - 2, high - 4, rng.uniform(8, 13))
    return solids


def _shield(rng: Rng, side: float, low: float, back: float) -> Sculpt:
    """A wall at the front edge, now and then with a floor from the figure to it."""
    wide, y = rng.uniform(0.5, 0.95) * side, side * rng.uniform(0.22, 0.45)
    wall = box(wide, rng.uniform(1.5, 5), low, low + rng.uniform(4, 16), rng.uniform(0.8, 1)).moved(0, y)
    solids = [wall.of("trim" if rng.random() < 0.08 else "body")]
    if rng.random() < 0.5:
        w0, w1 = rng.uniform(3, 14), rng.uniform(3, 14)
        high = low + rng.uniform(1, 5)
        solids.append(beam((-w0, w0, back, low, high), (-w1, w1, y, low, high)))
    return solids


def _jackal(rng: Rng, back: float, high: float) -> Sculpt:
    """A head with a round or a square snout and two ears."""
    r = rng.uniform(3.2, 5.5)
    solids = [ellipsoid(r, r * rng.uniform(1, 1.4), r).moved(0, back, high)]
    reach = rng.uniform(8, 16)
    nose_z = high - rng.uniform(0, 5)
    if rng.random() < 0.6:
        solids.append(rod((0, back + r * 0.3, high - 0.3), (0, back + reach, nose_z), r * 0.7, rng.uniform(0.8, 1.8)))
    else:
        w = r * 0.75
        solids.append(beam((-w, w, back, high - 2, high + 2), (-1, 1, back + reach, nose_z - 1, nose_z + 1)))
    splay, lean = rng.uniform(0.3, 0.9) * r, rng.uniform(-5, 1)
    tip = rng.uniform(3, 9)
    for s in (-1, 1):
        end = (s * (splay + rng.uniform(0, 1.5)), back - r * 0.4 + lean, high + tip)
        solids.append(rod((s * splay, back - r * 0.4, high), end, r * 0.4, 0.5, 8))
    return solids


def _headdress(rng: Rng, y: float, z: float, wide: float) -> Sculpt:
    """A striped head cloth that hangs down behind y, seen from above as bars along y."""
    count, length, drop = int(rng.integers(3, 8)), rng.uniform(6, 11), rng.uniform(1, 6)
    gap, end_y, end_z = wide / count, y - length, z - drop
    solids = [beam((-wide / 2, wide / 2, y, z - 1, z), (-wide * 0.58, wide * 0.58, end_y, end_z - 1, end_z))]
    stripe = "trim" if rng.random() < 0.35 else "body"
    for i in range(count):
        x = (i - (count - 1) / 2) * gap
        w = gap * rng.uniform(0.25, 0.38)
        x1 = x * 1.16
        solids.append(beam((x - w, x + w, y, z, z + 1), (x1 - w, x1 + w, end_y, end_z, end_z + 1)).of(stripe))
    return solids


def pharaoh(rng: Rng) -> Sculpt:
    """A king's bust: round face to the front, striped cloth to the back, a plait behind."""
    solids, _, low = base(rng)
    high = low + rng.uniform(12, 38)
    y = rng.uniform(-1, 5)
    if rng.random() < 0.85:
        solids.append(
            box(rng.uniform(10, 18), rng.uniform(8, 13), low, high - 4, rng.uniform(0.5, 0.9)).moved(0, y - 3)
        )
    r = rng.uniform(3, 5.2)
    solids.append(ellipsoid(r, r, r * 1.1).moved(0, y + r * 0.3, high - rng.uniform(0, 3)))
    wide = rng.uniform(14, 22)
    solids += _headdress(rng, y, high - rng.uniform(0, 3), wide)
    if rng.random() < 0.6:
        solids.append(ellipsoid(wide * 0.42, rng.uniform(3, 5), 2.5).moved(0, y - 1, high - 1))
    if rng.random() < 0.5:
        solids.append(rod((0, y - 10, high - 5), (0, y - 13, high - 9), 2.0, 1.2, 8).of(rng.choice(["trim", "body"])))
    if rng.random() < 0.35:
        solids.append(rod((0, y + r, high - 4), (0, y + r + 3, high - 8), 1.2, 0.8, 6))
    if rng.random() < 0.2:
        solids.append(spindle([(r, high), (r * 1.2, high + 4), (1, high + 8)], 12).moved(0, y))
    if rng.random() < 0.3:
        for s in (-1, 1):
            solids.append(rod((s * 7, y - 3, low + 5), (s * 2, y + 5, low + 5), 2, 1.6, 8))
    return solids


def sphinx(rng: Rng) -> Sculpt:
    """A lion that lies on its block: two long paws to the front, haunches at the back corners."""
    solids, side, low = base(rng)
    if rng.random() < 0.5:
        step = rng.uniform(2, 7)
        solids.append(box(side * 0.95, side * rng.uniform(0.7, 0.97), low, low + step))
        low += step
    solids += _paws(rng, side, low)
    high = low + rng.uniform(8, 26)
    solids += _trunk(rng, side / 2, low, high)
    y = rng.uniform(-1, 6)
    r = rng.uniform(3, 5)
    solids.append(ellipsoid(r * rng.uniform(0.9, 1.4), r, r).moved(0, y + r * 0.3, high - 1))
    solids += _headdress(rng, y, high - rng.uniform(0, 3), rng.uniform(11, 19))
    if rng.random() < 0.6:
        hole = box(rng.uniform(3, 7), rng.uniform(2, 5), low, low + rng.uniform(0.5, 4))
        hole = hole.moved(0, side / 2 * rng.uniform(0.5, 0.85))
        solids.append(hole.of(rng.choice(["trim", "body"])))
    if rng.random() < 0.2:
        solids.append(spindle([(1.6, low), (1.6, low + 3)], 10).moved(0, side / 2 * 0.9).of("trim"))
    return solids


def _paws(rng: Rng, side: float, low: float) -> Sculpt:
    """Two bars along the block, square or round."""
    solids: Sculpt = []
    half = side / 2
    wide, tall, x = rng.uniform(3.5, 7), rng.uniform(3, 8), half * rng.uniform(0.5, 0.82)
    for s in (-1, 1):
        if rng.random() < 0.6:
            solids.append(box(wide, side * rng.uniform(0.75, 0.95), low, low + tall).moved(s * x, 0))
        else:
            solids.append(rod((s * x, half * 0.85, low + 2), (s * x, -half * 0.5, low + 2), wide / 2, wide / 2))
    return solids


def _trunk(rng: Rng, half: float, low: float, high: float) -> Sculpt:
    """A body that rises to the head, now and then haunches and a rump; `half` is half the block's side."""
    wide = rng.uniform(9, 18)
    points = []
    for x in (-wide / 2, wide / 2):
        points += [(x, -half * 0.85, low), (x, half * 0.3, low), (x, half * 0.2, high - 4)]
        points.append((x, -half * 0.8, low + rng.uniform(3, 7)))
    solids = [hull(points)]
    if rng.random() < 0.85:
        haunch = ellipsoid(rng.uniform(2.5, 4.5), rng.uniform(4, 7.5), rng.uniform(4, 7))
        for s in (-1, 1):
            solids.append(haunch.moved(s * half * rng.uniform(0.6, 0.8), -half * rng.uniform(0.45, 0.65), low + 2))
    if rng.random() < 0.7:
        rump = ellipsoid(rng.uniform(2.5, 5.5), rng.uniform(2, 5), 3.5)
        solids.append(rump.moved(0, -half * rng.uniform(0.65, 0.85), low + rng.uniform(2, 5)))
    return solids
