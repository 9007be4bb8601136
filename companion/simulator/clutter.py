"""Everyday things beside the game: mugs, boxes, pencils, phones, coins."""

from collections.abc import Callable

import numpy as np

from companion.simulator.materials import Material, dimmed
from companion.simulator.scene import Finish, Thing
from companion.simulator.shapes import Mesh, Part, bar, circle, loft, prism, pyramid, slab, square, wall_inside


def _paint(rng: np.random.Generator) -> tuple[float, float, float]:
    b, g, r = (float(c) for c in rng.uniform(0.02, 0.65, 3))
    return b, g, r


def _open(vessel: Part, sides: int) -> Part:
    """Without its top: what is inside shows."""
    return Part(vessel.vertices[:-1], vessel.faces[:-sides], vessel.material, vessel.layer)


def mug(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """An upright mug with a drink in it."""
    radius, high = float(rng.uniform(34, 44)), float(rng.uniform(75, 105))
    outer, inner = circle(radius, 36), circle(radius - 3.5, 36)
    drink = high * float(rng.uniform(0.5, 0.85))
    body = _open(loft([(circle(radius * 0.93, 36), 0.0), (outer, high * 0.2), (outer, high)], "body", 0), 36)
    lip = _open(loft([(outer, high), (circle(radius - 1.5, 36), high + 0.6)], "body", 3), 36)
    inside = wall_inside(inner, drink, high + 0.2, "inside", 2)
    surface = prism(inner, drink - 1.0, drink, "drink", 1)
    handle = (
        bar((radius, 0.0, high * 0.75), (radius + 20, 0.0, high * 0.6), 9.0, 9.0, "body", 0),
        bar((radius + 18, 0.0, high * 0.68), (radius + 14, 0.0, high * 0.25), 9.0, 9.0, "body", 0),
    )
    colour = _paint(rng)
    finish = Finish(
        {
            "body": Material(colour, 0.05, 0.15),
            "inside": Material(dimmed(colour, 0.8) if rng.random() < 0.5 else (0.6, 0.62, 0.65), 0.05, 0.3),
            "drink": Material((0.012, 0.02, 0.05) if rng.random() < 0.6 else (0.03, 0.12, 0.3), 0.03, 0.08),
        }
    )
    mesh = Mesh((body, surface, inside, lip, *handle))
    return Thing(name, mesh, finish, x, y, 0.0, float(rng.uniform(0, 360)))


def box(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """A cardboard box."""
    body = prism(
        square(float(rng.uniform(50, 100)), 0.0, float(rng.uniform(1.0, 1.7))), 0.0, float(rng.uniform(15, 60))
    )
    return Thing(
        name, Mesh((body,)), Finish({"body": Material(_paint(rng), 0.03, 0.6)}), x, y, 0.0, float(rng.uniform(0, 360))
    )


def phone(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """A telephone face up."""
    body = slab(square(74.0, 0.0, 2.05), 0.0, 8.0, 1.2)
    glass = prism(square(70.0, 0.0, 2.08), 8.0, 8.2, "glass", 1)
    finish = Finish(
        {"body": Material((0.03, 0.03, 0.03), 0.05, 0.3), "glass": Material((0.008, 0.008, 0.008), 0.06, 0.05)}
    )
    return Thing(name, Mesh((body, glass)), finish, x, y, 0.0, float(rng.uniform(0, 360)))


def pencil(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """A six-sided pencil."""
    shaft = bar((-80, 0, 3.8), (70, 0, 3.8), 7.2, 7.2, "body", 1)
    wood = bar((70, 0, 3.8), (88, 0, 3.8), 7.0, 7.0, "wood", 1, taper=0.25)
    lead = bar((86, 0, 3.8), (92, 0, 3.8), 2.4, 2.4, "lead", 2, taper=0.3)
    finish = Finish(
        {
            "body": Material(_paint(rng), 0.06, 0.25),
            "wood": Material((0.22, 0.42, 0.6)),
            "lead": Material((0.02, 0.02, 0.02)),
        }
    )
    return Thing(name, Mesh((shaft, wood, lead)), finish, x, y, 0.0, float(rng.uniform(0, 360)))


def coin(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """A piece of money."""
    radius = float(rng.uniform(8, 13))
    metal = Material((0.35, 0.55, 0.68) if rng.random() < 0.5 else (0.5, 0.52, 0.54), 0.5, 0.3, True)
    body = slab(circle(radius, 28), 0.0, 2.0, 0.3)
    return Thing(name, Mesh((body,)), Finish({"body": metal}), x, y, 0.0, 0.0)


def cone(rng: np.random.Generator, name: str, x: float, y: float) -> Thing:
    """A party hat of a game: a cone, much like a piece of another set."""
    body = pyramid(circle(float(rng.uniform(9, 14)), 20), 0.0, (0.0, 0.0, float(rng.uniform(20, 40))))
    return Thing(name, Mesh((body,)), Finish({"body": Material(_paint(rng), 0.05, 0.3)}), x, y)


CLUTTER: dict[str, Callable[[np.random.Generator, str, float, float], Thing]] = {
    "mug": mug,
    "box": box,
    "phone": phone,
    "pencil": pencil,
    "coin": coin,
    "cone": cone,
}
