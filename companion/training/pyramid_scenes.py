"""Simulated tables of pyramids, path traced: translucent hollow plastic under windows and lamps.

`python -m companion.training.pyramid_scenes --seed 500000 --count 120 --out FOLDER` writes one PNG for each table;
needs mitsuba. Layouts, materials, cameras and sensors are those of `simulator.pyramid_tables`, only the light is
traced: the lessons made of these pictures have the same truth.
"""

import argparse
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_HEIGHT_MM
from companion.simulator.materials import Material
from companion.simulator.pyramid_solids import WALL_MM, lain
from companion.simulator.pyramid_tables import PyramidTable
from companion.simulator.scene import Scene, Thing
from companion.training.folders import PICTURE, fill, made_folder
from companion.training.path_tracing import SAMPLES, Solid, Solids, faces_of, opaque, rgb, solids_of, traced
from companion.training.pyramid_lessons import TRACED, TRACED_FAINT, is_glass, is_polished, set_of, traced_table

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Rng = np.random.Generator

IOR = 1.49
PAINTED = 0.75  # of the sets of glass, so many have bright pips


def traced_picture(table: PyramidTable, samples: int = SAMPLES) -> Pixels:
    """The table's picture, (height, width, 3) BGR."""
    solids = solids_on(table.scene, np.random.default_rng([set_of(table.seed), 67]), table.seed)
    return traced(table.scene, table.sensor, solids, table.seed, samples)


@dataclasses.dataclass(frozen=True, slots=True)
class Walls:
    """How a set's walls take light in, and its edges, which are thick."""

    deep: float  # how much colour a wall has, of its usual one
    thin: float  # how much it scatters
    edge: float = 0.55  # share of light that edges do not let pass
    glint: float = 1.0  # brightness of what they scatter
    bends: float = IOR  # how strongly a wall bends light, and so mirrors
    shows: float = 1.0  # share of the edges that show; the others let all light pass


def _clear_walls(usual: Walls, rng: Rng) -> Walls:
    """Walls so clear that a piece may be little but its edges, brighter or darker than the table."""
    glint = 1.0 if rng.random() < 0.4 else rng.uniform(0.05, 0.6)
    deep, thin = usual.deep * rng.uniform(0, 1), usual.thin * rng.uniform(0.05, 1)
    return Walls(float(deep), float(thin), float(rng.uniform(0.3, 0.95)), float(glint))


def _glass_walls(usual: Walls, rng: Rng) -> Walls:
    """Walls that darken next to nothing, edges that hardly show: polished thin plastic over cloth."""
    deep, thin = usual.deep * rng.uniform(0, 0.25), usual.thin * rng.uniform(0.0, 0.25)
    edge, glint = rng.uniform(0.03, 0.4), rng.uniform(0.05, 1.0)
    return Walls(float(deep), float(thin), float(edge), float(glint), float(rng.uniform(1.1, IOR)))


def _polished_walls(usual: Walls, rng: Rng) -> Walls:
    """Walls that are not seen; edges that are, dark or bright, where they do not send the table's own light on."""
    deep, thin = usual.deep * rng.uniform(0, 0.2), usual.thin * rng.uniform(0.0, 0.12)
    edge, glint, shows = rng.uniform(0.2, 0.95), rng.uniform(0.0, 1.0) ** 2, rng.uniform(0.25, 0.8)
    return Walls(float(deep), float(thin), float(edge), float(glint), float(rng.uniform(1.1, IOR)), float(shows))


def _paint(rng: Rng) -> Material:
    """What painted or frosted pips are made of."""
    b, g, r = (float(v) for v in rng.uniform(0.5, 0.95) * rng.uniform(0.93, 1.0, 3))
    return Material((b, g, r), 0.03, 0.4)


def solids_on(scene: Scene, rng: Rng, seed: int) -> Solids:
    """Everything that lies on the table, by name; what lets light pass is made of walls."""
    wall = float(rng.uniform(0.8, 1.15)) * WALL_MM
    deep = float(rng.uniform(0.6, 2.6))
    thin = float(rng.uniform(0.5, 1.6))
    walls = Walls(deep, thin)
    clearer = _clear_walls(walls, rng) if seed >= TRACED_FAINT else walls
    painted: dict[str, Material] = {}
    if is_glass(seed):
        clearer = (_polished_walls if is_polished(seed) else _glass_walls)(walls, rng)
        painted = {"pip": _paint(rng)} if rng.random() < PAINTED else {}
    solids: Solids = {}
    for number, thing in enumerate(scene.things):
        if not (thing.finish.see_through and thing.piece is not None):
            solids |= solids_of(thing, number)
        elif thing.piece.colour == "clear":
            shown = rng.random(len(thing.lines)) < clearer.shows if clearer.shows < 1 else None
            solids |= _hollow(thing, number, wall, clearer, thing.finish.materials | painted, shown)
        else:
            solids |= _hollow(thing, number, wall, walls, thing.finish.materials)
    return solids


def _hollow(
    thing: Thing,
    number: int,
    wall: float,
    walls: Walls,
    materials: Mapping[str, Material],
    shown: NDArray[np.bool_] | None = None,
) -> Solids:
    """A pyramid of walls, its edges thicker, with what scatters inside them; only those edges that are `shown`."""
    solids: Solids = {}
    lines = [thing.to_table(line) for n, line in enumerate(thing.lines) if shown is None or shown[n]]
    rods = [_rod(line, thing.line_mm * 0.5) for line in lines]
    for name in dict.fromkeys(thing.mesh.materials):
        material, triangles = materials[name], [faces_of(thing, name)]
        if name == "body":
            triangles.append(_shell(thing, wall))
        if name == "edge" and len(thing.lines):
            triangles = rods
        if not triangles:
            continue
        bsdf = opaque(material) if material.through is None else _plastic(material, walls)
        solids[f"{name}-{number}"] = Solid(np.concatenate(triangles), bsdf)
    if rods and "edge" not in thing.mesh.materials:
        solids[f"edge-{number}"] = Solid(np.concatenate(rods), _plastic(materials["edge"], walls))
    skin = np.concatenate([_shell(thing, wall / 2), _rim(thing, wall)])
    solids[f"skin-{number}"] = Solid(skin, _skin(materials["body"], walls))
    return solids


def _ring(thing: Thing, inset: float) -> Floats:
    """(5, 3) corners of the shell so far inside the outer one, over the table; the tip is the last."""
    assert thing.piece is not None
    assert thing.piece.size is not None
    base, high = PYRAMID_BASE_MM[thing.piece.size], PYRAMID_HEIGHT_MM[thing.piece.size]
    half = base / 2 - inset
    points = np.array([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0), (0, 0, 0)], float)
    points[4, 2] = high * half / (base / 2)
    if thing.piece.pose == "lying":
        points = lain(points, base, high)
    return thing.to_table(points)


def _shell(thing: Thing, inset: float) -> Floats:
    ring = _ring(thing, inset)
    return np.array([(ring[i], ring[(i + 1) % 4], ring[4]) for i in range(4)])


def _rim(thing: Thing, wall: float) -> Floats:
    """The lower end of the walls."""
    outer, inner = _ring(thing, 0.02), _ring(thing, wall)
    quads = [(outer[i], outer[(i + 1) % 4], inner[(i + 1) % 4], inner[i]) for i in range(4)]
    return np.array([half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))])


def _rod(ends: Floats, radius: float) -> Floats:
    """A thin four-sided bar."""
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    first = np.cross(along, [0.3, 0.5, 0.81])
    first *= radius / np.linalg.norm(first)
    second = np.cross(along, first)
    ring = [first, second, -first, -second]
    quads = [
        (ends[0] + ring[i], ends[0] + ring[(i + 1) % 4], ends[1] + ring[(i + 1) % 4], ends[1] + ring[i])
        for i in range(4)
    ]
    return np.array([half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))])


def _plastic(material: Material, walls: Walls) -> dict[str, Any]:
    """One face of a wall that lets light pass; edges, which are thick, scatter instead."""
    assert material.through is not None
    passes = np.array(material.through)
    if material.shine == 0.04:  # an edge
        return _milk((np.array(material.colour) + 0.15 * passes) * walls.glint, walls.edge)
    return {
        "type": "thindielectric",
        "int_ior": walls.bends,
        "specular_transmittance": rgb(passes ** (walls.deep / 2)),
    }


def _skin(material: Material, walls: Walls) -> dict[str, Any]:
    """What scatters inside a wall."""
    scatter = np.array(material.colour)
    amount = float(np.clip(scatter.max() * 1.5 * walls.thin, 0.01, 0.85))
    return _milk(scatter / max(float(scatter.max()), 1e-3) * 0.85, amount)


def _milk(colour: Floats, amount: float) -> dict[str, Any]:
    """A sheet of which a part scatters to both sides, the rest being open."""
    sheet = {
        "type": "principledthin",
        "base_color": rgb(colour),
        "roughness": 0.6,
        "diff_trans": 1.0,
        "spec_trans": 0.0,
    }
    return {"type": "mask", "opacity": amount, "bsdf": sheet}


def main() -> None:
    """Trace `count` tables from `seed` on; a picture that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=TRACED)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=made_folder, required=True)
    given = parser.parse_args()

    def write(seed: int, path: Path) -> None:
        cv2.imwrite(str(path), traced_picture(traced_table(seed), given.samples), [cv2.IMWRITE_PNG_COMPRESSION, 1])

    fill(given.out, PICTURE, range(given.seed, given.seed + given.count), write, given.minutes)


if __name__ == "__main__":
    main()
