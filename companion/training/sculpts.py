"""Khet pieces of many makers: each function draws one sculpt at random, facing N (y), standing on z = 0.

Sizes are those of a 38 mm cell. The mirror of a pyramid faces NE, the mirror of a scarab or an eye runs
along "/" : the caller turns the piece. Materials are "body" (the side's colour), "mirror" and "trim".
"""

from collections.abc import Callable

import numpy as np

from companion.training.figures import Rng, Sculpt, anubis, base, pharaoh, sphinx
from companion.training.solids import box, ellipsoid, hull, rod, sheet, slab, spindle


def pyramid(rng: Rng) -> Sculpt:
    """A square base, one diagonal half of a body, and a mirror on the diagonal that faces NE."""
    solids, side, low = base(rng)
    if rng.random() < 0.08:
        solids, low = [], 0.0
    h = side / 2 * rng.uniform(0.84, 0.97)
    back = rng.choice([0.0, rng.uniform(0, 3)]) * 0.7071
    nw, se, sw = np.array([-h, h]) - back, np.array([h, -h]) - back, np.array([-h, -h])
    middle = (nw + se) / 2
    style = rng.choice(["pyramid", "pyramid", "pyramid", "stepped", "prism", "cut"])
    high = low + rng.uniform(9, 28)
    if style == "pyramid":
        apex = middle + (sw - middle) * rng.choice([0.0, rng.uniform(0, 0.25)])
        solids.append(hull([(*p, low) for p in (nw, se, sw)] + [(*apex, high), (*(middle * 0.98), high * 0.98)]))
    elif style == "stepped":
        steps = int(rng.integers(3, 7))
        for i in range(steps):
            s = 1 - i / steps
            z0, z1 = low + (high - low) * i / steps, low + (high - low) * (i + 1) / steps
            outline = [middle + (p - middle) * s for p in (nw, sw, se)]
            solids.append(slab(outline, z0, z1, 0.97))
    elif style == "prism":
        solids.append(slab([nw, sw, se], low, high, rng.uniform(0.85, 1.0), rng.uniform(0.2, 1)))
        if rng.random() < 0.6:
            spot = middle + (sw - middle) * rng.uniform(0.3, 0.5)
            solids.append(ellipsoid(*rng.uniform(2, 5, 2), 1.2).moved(*spot, high).of(rng.choice(["body", "trim"])))
    else:
        t = rng.uniform(0.2, 0.5)
        solids.append(slab([nw, sw, se], low, high, 1.0).of("body"))
        solids.append(
            hull([(*p, high) for p in (nw, sw, se)] + [(*(middle + (p - middle) * t), high + 5) for p in (nw, sw, se)])
        )
    solids += _mirror(rng, nw, se, low, high, style)
    return solids


def _mirror(rng: Rng, nw: np.ndarray, se: np.ndarray, low: float, high: float, style: str) -> Sculpt:
    """The mirror panel just in front of the diagonal, in the outline of the body or as a rectangle."""
    out = np.array([0.7071, 0.7071]) * rng.uniform(0.15, 0.5)
    frame = rng.uniform(0.86, 0.99)
    centre = (nw + se) / 2
    a, b = centre + (nw - centre) * frame + out, centre + (se - centre) * frame + out
    top = rng.uniform(0.85, 1.0) if style in ("prism", "cut") else rng.uniform(0.02, 0.12)
    panel = sheet(a, b, low + 0.2, low + (high - low) * rng.uniform(0.88, 0.99), 0.3, top)
    return [panel.of("mirror" if rng.random() < 0.8 else "body")]


def scarab(rng: Rng) -> Sculpt:
    """A two-sided mirror along "/" with a beetle on top."""
    solids, side, low = base(rng)
    r = side / 2 * rng.uniform(0.75, 1.25)
    high = low + rng.uniform(7, 20)
    d = np.array([0.7071, 0.7071])
    solids.append(sheet(-d * r, d * r, low, high, rng.uniform(0.8, 3)).of(rng.choice(["mirror", "body"])))
    if rng.random() < 0.5:
        solids += [spindle([(2, low), (rng.uniform(1.2, 2.2), high)], 10).moved(*(s * d * r)) for s in (-1, 1)]
    beetle: Sculpt = []
    length, width, tall = rng.uniform(15, 24), rng.uniform(8, 14), rng.uniform(4, 8)
    if rng.random() < 0.94:
        beetle.append(ellipsoid(length / 2, width / 2, tall).moved(-length * 0.1))
        if rng.random() < 0.7:
            beetle.append(box(length, 0.7, 0, tall * 1.02).moved(-length * 0.1).of(rng.choice(["trim", "body"])))
        if rng.random() < 0.85:
            beetle.append(ellipsoid(length * 0.16, width * 0.38, tall * 0.8).moved(length * 0.42))
        if rng.random() < 0.85:
            beetle.append(ellipsoid(length * 0.13, width * 0.27, tall * 0.6).moved(length * rng.uniform(0.55, 0.68)))
        beetle += _wings(rng, length, width)
    else:
        beetle.append(box(length * 1.3, rng.uniform(2, 4), 0, 2))
    way = 45 + (180 if rng.random() < 0.5 else 0)
    return solids + [s.turned(way).moved(0, 0, high) for s in beetle]


def _wings(rng: Rng, length: float, width: float) -> Sculpt:
    """Flat wings or legs beside a beetle that looks along x."""
    solids: Sculpt = []
    if rng.random() < 0.75:
        x0, span, sweep = rng.uniform(-0.35, 0.0) * length, rng.uniform(2, 8), rng.uniform(-6, 6)
        chord = rng.uniform(4, 9)
        for s in (-1, 1):
            corners = [
                (x0, s * width * 0.3),
                (x0 - chord, s * width * 0.3),
                (x0 + sweep - chord / 2, s * (width / 2 + span)),
            ]
            solids.append(slab(corners if s > 0 else corners[::-1], 0.2, rng.uniform(1, 2.5)))
    if rng.random() < 0.4:
        for x in np.linspace(-0.3, 0.3, 3) * length:
            for s in (-1, 1):
                solids.append(
                    rod((x, 0, 1.5), (x + rng.uniform(-3, 3), s * (width / 2 + rng.uniform(2, 4)), 0.5), 0.8, 0.5, 6)
                )
    return solids


def obelisk(rng: Rng) -> Sculpt:
    """A tapering square column with a pointed top, single or as a stack of two."""
    solids, side, low = base(rng)
    if rng.random() < 0.4:
        solids, low, side = [], 0.0, rng.uniform(24, 34)
    for _ in range(1 if rng.random() < 0.6 else 2):
        foot, tall = side * rng.uniform(0.45, 0.95), rng.uniform(10, 24)
        top = rng.uniform(0.5, 0.92)
        solids.append(box(foot, foot, low, low + tall, top, 0.2))
        low += tall
        tip = foot * top
        if rng.random() < 0.85:
            rise = rng.uniform(3, 8)
            solids.append(
                hull([(sx * tip / 2, sy * tip / 2, low) for sx in (-1, 1) for sy in (-1, 1)] + [(0, 0, low + rise)])
            )
    return solids


def eye(rng: Rng) -> Sculpt:
    """A thin beam splitter along "/" between posts, with an eye as its ornament."""
    solids, side, low = base(rng)
    r, high = side / 2 * rng.uniform(0.8, 1.2), low + rng.uniform(9, 22)
    d = np.array([0.7071, 0.7071])
    solids.append(sheet(-d * r, d * r, low, high, rng.uniform(0.5, 1.5)).of(rng.choice(["glass", "mirror"])))
    solids += [spindle([(rng.uniform(1.2, 2.5), low), (1.5, high + 1)], 10).moved(*(s * d * r)) for s in (-1, 1)]
    if rng.random() < 0.8:
        solids.append(box(2 * r, rng.uniform(1, 2.5), high, high + 1.5).turned(45))
    if rng.random() < 0.8:
        long, wide = rng.uniform(8, 13), rng.uniform(4, 7)
        lens = [
            (long * np.cos(a), wide * np.sin(a) * abs(np.sin(a)) ** 0.5)
            for a in np.linspace(0, 2 * np.pi, 20, endpoint=False)
        ]
        solids.append(slab(lens, high, high + 2, 0.9).turned(45))
        solids.append(ellipsoid(wide * 0.5, wide * 0.5, 2).moved(0, 0, high + 2).of(rng.choice(["trim", "body"])))
    return solids


def other(rng: Rng) -> Sculpt:
    """What is no piece that stands: a fallen piece, a finger, a pawn, a coin, a cube, a pen."""
    what = rng.choice(["fallen", "fallen", "finger", "coin", "cube", "pen", "ball"])
    a = rng.uniform(0, 360)
    if what == "fallen":
        fallen = SCULPTS[rng.choice(list(SCULPTS))](rng)
        laid = [s.turned(0, 90).turned(a) for s in fallen]
        points = np.vstack([s.triangles.reshape(-1, 3) for s in laid])
        return [s.moved(*-points[:, :2].mean(axis=0), -points[:, 2].min()) for s in laid]
    if what == "finger":
        r = rng.uniform(6, 10)
        end = rng.uniform(-8, 8, 2)
        far = end + 60 * np.array([np.cos(a), np.sin(a)])
        return [rod((*end, r + rng.uniform(0, 15)), (*far, r + rng.uniform(0, 40)), r, r * 1.2, 14).of("skin")]
    if what == "coin":
        return [spindle([(rng.uniform(8, 13), 0), (8, 2)], 26).moved(*rng.uniform(-4, 4, 2)).of("trim")]
    if what == "cube":
        s = rng.uniform(10, 18)
        return [box(s, s, 0, s).turned(a).moved(*rng.uniform(-6, 6, 2)).of(rng.choice(["body", "trim"]))]
    if what == "pen":
        d = np.array([np.cos(a), np.sin(a)]) * 40
        return [rod((*-d, 4), (*d, 4), 4, 4).of("trim")]
    return [ellipsoid(9, 9, 9).moved(*rng.uniform(-5, 5, 2), 9).of("trim")]


SCULPTS: dict[str, Callable[[Rng], Sculpt]] = {
    "pyramid": pyramid,
    "scarab": scarab,
    "anubis": anubis,
    "pharaoh": pharaoh,
    "sphinx": sphinx,
    "obelisk": obelisk,
    "eye": eye,
}
