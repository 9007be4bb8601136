"""Our own sculpts of the Khet pieces: plausible shapes with mirrors at 45 degrees in plan.

Frames: +x is the way the piece faces: the mirror's normal of a pyramid, the line of the mirror of a scarab and
an eye, the front of anubis, sphinx and pharaoh. The slabs stand square to the board, so those of pyramid, scarab
and eye have their corners on the axes.
"""

from functools import cache

import numpy as np

from companion.simulator.khet_style import KhetStyle
from companion.simulator.shapes import (
    Mesh,
    Part,
    Point2,
    bar,
    circle,
    ellipsoid,
    loft,
    prism,
    pyramid,
    scaled,
    slab,
    square,
)

DIAGONAL = ("pyramid", "scarab", "eye")


@cache
def khet_mesh(kind: str, style: KhetStyle, count: int = 1) -> Mesh:
    """The body of a piece; `count` 2 is a stack of obelisks."""
    if kind == "obelisk":
        return Mesh(_obelisk(style, count))
    return Mesh(_SCULPTS[kind](style))


def _foot(style: KhetStyle, kind: str) -> Part:
    turn = 45.0 if kind in DIAGONAL else 0.0
    return slab(square(style.foot_mm, turn), 0.0, style.slab_mm, 0.7)


def _pyramid(style: KhetStyle) -> tuple[Part, ...]:
    r = style.foot_mm / 2**0.5 * 0.93
    low, high = style.slab_mm, style.slab_mm + style.pyramid_mm
    behind: list[Point2] = [(0.0, r), (-r, 0.0), (0.0, -r)]
    foot = _foot(style, "pyramid")
    if style.cut == "prism":
        block = slab([(0.0, r * 0.97), (-r, 0.0), (0.0, -r * 0.97)], low, high * 0.8, 0.6, layer=1)
        return (
            foot,
            block,
            *_mirror([(r * 0.9, low + 1), (-r * 0.9, low + 1), (-r * 0.9, high * 0.8 - 1), (r * 0.9, high * 0.8 - 1)]),
        )
    if style.cut == "blunt":
        top = scaled(behind, 0.32)
        return (
            foot,
            loft([(behind, low), (top, high * 0.85)], layer=1),
            *_mirror(
                [
                    (r * 0.92, low + 0.6),
                    (-r * 0.92, low + 0.6),
                    (-r * 0.3, high * 0.85 - 0.6),
                    (r * 0.3, high * 0.85 - 0.6),
                ]
            ),
        )
    lift = 2.0 if style.cut == "steep" else 0.0  # a plinth under the slopes
    body = [pyramid(behind, low + lift, (0.0, 0.0, high), layer=1)]
    if lift:
        body.insert(0, prism(behind, low, low + lift, layer=1))
    rim = 0.94
    glass = [(r * rim, low + lift + 0.5), (-r * rim, low + lift + 0.5), (-0.3, high - 0.8), (0.3, high - 0.8)]
    return (foot, *body, *_mirror(glass))


def _mirror(outline: list[Point2]) -> tuple[Part, ...]:
    """A looking-glass in the plane x = 0, as (y, z) corners, facing +x."""
    corners = np.array([[0.25, y, z] for y, z in outline] + [[-0.25, 0.0, outline[0][1]]])
    return (Part(corners, np.array([(0, 1, 2, 3)]), "mirror", 1),)


def _blade(style: KhetStyle, high: float, material: str) -> tuple[Part, ...]:
    """A standing plate along x, mirrored on both sides."""
    r = style.foot_mm / 2**0.5 * 0.86
    return (
        bar(
            (-r, 0.0, (style.slab_mm + high) / 2),
            (r, 0.0, (style.slab_mm + high) / 2),
            1.6,
            high - style.slab_mm,
            material,
            1,
        ),
    )


def _scarab(style: KhetStyle) -> tuple[Part, ...]:
    high = style.slab_mm + style.figure_mm * 0.55
    r, w = style.foot_mm / 2**0.5, 4.0 + style.sculptor * 1.2
    body = ellipsoid((-1.5, 0.0, high), (r * 0.58, w, w * 0.85), layer=3)
    head = ellipsoid((r * 0.56, 0.0, high + 0.3), (w * 0.75, w * 0.7, w * 0.65), layer=3)
    seam = bar((-r * 0.55, 0.0, high + w * 0.62), (r * 0.3, 0.0, high + w * 0.86), 0.7, 0.7, "trim", 4)
    parts = [_foot(style, "scarab"), *_blade(style, high, "mirror"), body, head, seam]
    for side in (-1.0, 1.0):
        if style.sculptor == 0:
            parts.append(
                bar((-r * 0.15, side * w * 0.7, high), (-r * 0.75, side * (w + 5.5), high - 1.0), 5.0, 1.4, layer=2)
            )
        elif style.sculptor == 1:
            parts.append(ellipsoid((-r * 0.25, side * w * 0.8, high - 0.5), (r * 0.42, w * 0.7, 2.0), layer=2))
        else:
            parts += [
                bar((x, side * w * 0.6, high), (x + dx, side * (w + 4.5), high - 3.0), 1.5, 1.5, "trim", 2)
                for x, dx in ((-r * 0.35, -3.0), (-r * 0.05, 0.5), (r * 0.25, 3.5))
            ]
    if style.sculptor == 1:
        parts.append(ellipsoid((r * 0.82, 0.0, high), (w * 0.45, w * 0.45, w * 0.45), "light", 4))
    return tuple(parts)


def _eye(style: KhetStyle) -> tuple[Part, ...]:
    high = style.slab_mm + style.figure_mm * 0.6
    r = style.foot_mm / 2**0.5
    almond: list[Point2] = [
        (r * 0.62, 0.0),
        (r * 0.3, 3.6),
        (0.0, 4.8),
        (-r * 0.3, 3.6),
        (-r * 0.62, 0.0),
        (-r * 0.3, -3.6),
        (0.0, -4.8),
        (r * 0.3, -3.6),
    ]
    cap = prism(almond, high, high + 2.2, "body", 2)
    white = prism(scaled(almond, 0.72), high + 2.2, high + 2.6, "light", 3)
    pupil = ellipsoid((0.0, 0.0, high + 2.6), (2.6, 2.6, 1.4 + style.sculptor * 0.5), "trim", 4)
    posts = [prism(circle(1.5, 8, x=s * r * 0.78), style.slab_mm, high + 1.0, "body", 1) for s in (-1.0, 1.0)]
    return (_foot(style, "eye"), *_blade(style, high, "glass"), *posts, cap, white, pupil)


def _anubis(style: KhetStyle) -> tuple[Part, ...]:
    f, low, high = style.foot_mm, style.slab_mm, style.slab_mm + style.figure_mm
    shield = bar((f * 0.36, -f * 0.40, low + 6.0), (f * 0.36, f * 0.40, low + 6.0), 2.6, 12.0, "body", 2)
    trunk = loft(
        [
            (circle(f * 0.24, 14, x=-2.0), low),
            (circle(f * 0.20, 14, x=-2.0), low + (high - low) * 0.55),
            (circle(f * 0.12, 14, x=-2.0), high * 0.8),
        ],
        layer=1,
    )
    head = ellipsoid((-1.5, 0.0, high * 0.86), (4.6, 4.0, 4.2), layer=3)
    snout = bar((0.5, 0.0, high * 0.87), (f * 0.36, 0.0, high * 0.76), 4.4, 4.0, layer=3, taper=0.55)
    parts = [_foot(style, "anubis"), trunk, shield, head, snout]
    for side in (-1.0, 1.0):
        ear = pyramid(scaled(square(3.4), 1.0, -2.4, side * 3.0), high * 0.9, (-3.0, side * 4.0, high * 1.08), layer=4)
        parts.append(ear)
        if style.sculptor == 0:
            parts.append(bar((-2.0, side * 4.5, low + 9.0), (f * 0.32, side * 5.0, low + 8.5), 2.6, 2.6, layer=2))
    if style.sculptor == 1:
        parts.append(slab([(x - f * 0.26, y) for x, y in square(f * 0.42, 0, 0.5)], low, low + 7.0, 0.6, layer=1))
    if style.sculptor == 2:
        parts.append(bar((f * 0.40, 0.0, low), (f * 0.40, 0.0, high * 0.72), 3.2, 3.2, "light", 3))
    return tuple(parts)


def _pharaoh(style: KhetStyle) -> tuple[Part, ...]:
    f, low, high = style.foot_mm, style.slab_mm, style.slab_mm + style.figure_mm * 1.1
    cloth = loft(
        [
            (circle(f * 0.28, 16, stretch=0.85), low),
            (circle(f * 0.25, 16, stretch=0.8), high * 0.6),
            (circle(f * 0.15, 16, stretch=0.8), high * 0.75),
        ],
        layer=1,
    )
    head = ellipsoid((1.0, 0.0, high * 0.84), (5.0, 4.6, 5.4), layer=3)
    beard = bar((5.0, 0.0, high * 0.78), (6.0, 0.0, high * 0.55), 2.2, 2.2, "trim", 2)
    parts = [_foot(style, "pharaoh"), cloth, beard, head]
    stripes = 5 + style.sculptor
    for i in range(stripes):  # the striped headcloth falls over both shoulders
        x = -6.0 + i * 9.0 / stripes
        top = high * (0.95 - 0.01 * abs(i - stripes / 2))
        for side in (-1.0, 1.0):
            parts.append(
                bar(
                    (x, 0.0, top),
                    (x, side * f * 0.27, high * 0.62),
                    9.0 / stripes * 0.72,
                    2.0,
                    "body" if i % 2 else "light",
                    4,
                )
            )
    if style.sculptor == 1:
        parts.append(prism(circle(2.2, 10, x=0.0), high * 0.95, high * 1.08, "light", 5))
    if style.sculptor == 2:
        parts.append(ellipsoid((4.5, 0.0, high * 0.95), (2.0, 1.4, 2.2), "light", 5))
    return tuple(parts)


def _sphinx(style: KhetStyle) -> tuple[Part, ...]:
    f, low, high = style.foot_mm, style.slab_mm, style.slab_mm + style.figure_mm * 0.85
    parts = [_foot(style, "sphinx")]
    parts.append(slab([(x - f * 0.12, y) for x, y in square(f * 0.62, 0, 1.15)], low, low + 5.0, 0.8, layer=1))
    parts.append(ellipsoid((-f * 0.12, 0.0, low + 6.0), (f * 0.30, f * 0.20, 7.0), layer=2))
    for side in (-1.0, 1.0):
        parts.append(
            bar((-f * 0.1, side * f * 0.27, low + 3.4), (f * 0.46, side * f * 0.27, low + 2.6), 5.4, 5.0, layer=2)
        )
        parts.append(ellipsoid((-f * 0.30, side * f * 0.24, low + 4.5), (5.0, 3.8, 5.5), layer=2))
    parts.append(prism(circle(2.6, 12, x=f * 0.40), low, low + 6.5, "light", 2))
    parts.append(ellipsoid((f * 0.08, 0.0, high * 0.86), (5.2, 4.8, 5.6), layer=4))
    for i in range(4 + style.sculptor):
        x = -2.5 - i * 2.0
        for side in (-1.0, 1.0):
            parts.append(
                bar(
                    (f * 0.08 + x, 0.0, high),
                    (f * 0.08 + x, side * f * 0.22, high * 0.6),
                    1.4,
                    1.8,
                    "light" if i % 2 else "body",
                    5,
                )
            )
    if style.sculptor == 2:
        parts.append(bar((-f * 0.45, 0.0, low + 3.0), (-f * 0.1, f * 0.2, low + 9.0), 2.2, 2.2, layer=3))
    return tuple(parts)


def _obelisk(style: KhetStyle, count: int) -> tuple[Part, ...]:
    f, low = style.foot_mm, style.slab_mm
    parts = [_foot(style, "obelisk")]
    base = low
    for storey in range(count):
        wide, high = f * (0.62 if storey == 0 else 0.52), style.figure_mm * 0.8
        block = square(wide)
        parts.append(loft([(block, base), (scaled(block, 0.72), base + high)], layer=1 + 2 * storey))
        base += high
        if storey + 1 < count:
            parts.append(slab(square(f * 0.66), base - 1.0, base + 2.0, 0.5, "light", 2))
            base += 2.0
        else:
            parts.append(pyramid(scaled(block, 0.72), base, (0.0, 0.0, base + wide * 0.4), "light", 2 + 2 * storey))
    return tuple(parts)


_SCULPTS = {
    "pyramid": _pyramid,
    "scarab": _scarab,
    "eye": _eye,
    "anubis": _anubis,
    "pharaoh": _pharaoh,
    "sphinx": _sphinx,
}
