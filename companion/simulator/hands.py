"""A hand with its arm and sleeve, as seen from above when it reaches for a piece."""

from functools import cache

import numpy as np

from companion.simulator.materials import Material, srgb
from companion.simulator.scene import Finish, Thing
from companion.simulator.shapes import Mesh, Part, Point3, ellipsoid, limb

SKINS = tuple(
    srgb(*c)
    for c in (
        (255, 224, 196),
        (241, 194, 160),
        (224, 172, 138),
        (214, 160, 120),
        (198, 134, 96),
        (172, 112, 76),
        (150, 96, 64),
        (124, 78, 52),
        (104, 64, 44),
        (84, 52, 36),
        (66, 42, 30),
        (52, 34, 26),
    )
)
SLEEVES = tuple(
    srgb(*c)
    for c in (
        (30, 34, 44),
        (150, 30, 34),
        (230, 228, 222),
        (58, 88, 140),
        (60, 96, 62),
        (196, 160, 60),
        (110, 110, 114),
        (90, 54, 110),
        (214, 122, 60),
        (36, 36, 36),
        (168, 200, 224),
        (232, 180, 190),
    )
)
BARE = -1  # no sleeve
ARM_MM = 900.0  # long enough to leave the picture
GRIP_OPEN_MM = 14.0


@cache
def hand_mesh(left: bool, opened: bool) -> Mesh:
    """Origin between the finger tips, +x away from the arm, z = 0 at the tips."""
    side = -1.0 if left else 1.0
    spread = GRIP_OPEN_MM if opened else 0.0
    parts: list[Part] = [  # one layer: the painter's order by distance joins them without seams
        limb((-ARM_MM, 0.0, 190.0), (-330.0, 0.0, 112.0), 52.0, 43.0, "sleeve", 30),
        limb((-345.0, 0.0, 114.0), (-255.0, 0.0, 95.0), 45.0, 41.0, "sleeve", 30),
        limb((-335.0, 0.0, 112.0), (-190.0, 0.0, 76.0), 33.0, 24.0, "skin", 26),
        limb((-206.0, 0.0, 79.8), (-116.0, 0.0, 56.0), 24.0, 20.0, "skin", 22),
        ellipsoid((-108.0, 2.0 * side, 58.0), (58.0, 36.0, 18.0), "skin", 1, 12, 26),
    ]
    for number in range(4):
        across = (number - 1.35) * 19.0 * side
        reach = (62.0, 70.0, 64.0, 50.0)[number]
        knuckle: Point3 = (-140.0 + reach * 0.75, across, 60.0)
        bend: Point3 = (-66.0 + reach * 0.62, across * 0.78 + spread * 0.2 * side, 50.0)
        tip: Point3 = (spread * 0.6 + 3.0 - abs(number - 1) * 3.0, across * 0.42 + spread * 0.5 * side, 3.0)
        parts += _finger(knuckle, bend, tip, 9.6 if number < 3 else 8.4)
    thumb_base: Point3 = (-125.0, -26.0 * side, 52.0)
    thumb_bend: Point3 = (-56.0, (-40.0 - spread) * side, 34.0)
    thumb_tip: Point3 = (-12.0, (-15.0 - spread) * side, 4.0)
    parts += _finger(thumb_base, thumb_bend, thumb_tip, 10.5)
    return Mesh(tuple(parts))


def _finger(knuckle: Point3, bend: Point3, tip: Point3, radius: float) -> list[Part]:
    nail = (tip[0] - (tip[0] - bend[0]) * 0.12, tip[1] - (tip[1] - bend[1]) * 0.12, tip[2] + radius * 0.9)
    return [
        ellipsoid(knuckle, (radius * 1.15, radius * 1.1, radius), "skin", 1, 6, 12),
        limb(knuckle, bend, radius * 1.08, radius, "skin", 12),
        ellipsoid(bend, (radius, radius, radius), "skin", 1, 6, 12),
        limb(bend, tip, radius, radius * 0.74, "skin", 12),
        ellipsoid(tip, (radius * 0.78,) * 3, "skin", 1, 6, 10),
        ellipsoid(nail, (4.2, 3.4, 1.6), "nail", 2),
    ]


@cache
def hand_finish(skin: int, sleeve: int) -> Finish:
    """The look of one player's arm."""
    tone = SKINS[skin % len(SKINS)]
    b, g, r = tone
    cloth = tone if sleeve == BARE else SLEEVES[sleeve % len(SLEEVES)]
    return Finish(
        {
            "body": Material(tone),
            "skin": Material(tone, 0.03, 0.55),
            "nail": Material((min(1.0, b * 1.25), min(1.0, g * 1.15), min(1.0, r * 1.15)), 0.06, 0.25),
            "sleeve": Material(cloth, 0.01, 0.8),
        }
    )


def hand_thing(
    name: str,
    x_mm: float,
    y_mm: float,
    z_mm: float,
    heading_deg: float,
    skin: int = 2,
    sleeve: int = 0,
    left: bool = False,
    opened: bool = False,
) -> Thing:
    """A hand whose finger tips are at (x, y, z), the arm coming from behind its heading."""
    mesh = hand_mesh(left, opened)
    return Thing(name, mesh, hand_finish(skin, sleeve), x_mm, y_mm, z_mm, heading_deg, passing=True)


def arm_heading(seat_angle_deg: float, x_mm: float, y_mm: float, sway_deg: float) -> float:
    """The way a hand points that comes from a seat at the table's rim: from a shoulder 620 mm out, plus some sway."""
    shoulder = 620.0 * np.array([np.cos(np.radians(seat_angle_deg)), np.sin(np.radians(seat_angle_deg))])
    return float(np.degrees(np.arctan2(y_mm - shoulder[1], x_mm - shoulder[0]))) + sway_deg
