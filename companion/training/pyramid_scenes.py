"""Simulated tables of pyramids, path traced: translucent hollow plastic under windows and lamps.

`python -m companion.training.pyramid_scenes --seed 500000 --count 120 --out FOLDER` writes one PNG for each table;
needs mitsuba. Layouts, materials, cameras and sensors are those of `simulator.pyramid_tables`, only the light is
traced: the lessons made of these pictures have the same truth.
"""

import argparse
import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import CameraPose
from companion.pieces import PYRAMID_BASE_MM, PYRAMID_HEIGHT_MM
from companion.simulator.ground import make_ground
from companion.simulator.light import Lamp
from companion.simulator.materials import Material
from companion.simulator.pyramid_solids import WALL_MM, lain
from companion.simulator.pyramid_tables import PyramidTable
from companion.simulator.scene import Scene, Thing, look_down
from companion.simulator.sensor import Developer, exposed
from companion.training.pyramid_lessons import TRACED, TRACED_FAINT, TRACED_GLASS, set_of, traced_table

mi.set_variant("llvm_ad_rgb")

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Rng = np.random.Generator
Solids = dict[str, tuple[list[Floats], dict[str, Any]]]

TEXTURE_MM, TEXTURE_PER_MM = (1500.0, 1200.0), 1.7
FAR_MM = 1e5  # a camera so high sees the table without perspective
IOR = 1.49
DEPTH, SAMPLES = 14, 10
PAINTED = 0.75  # of the sets of glass, so many have bright pips
BESIDE_MM = 60.0  # round the table's markers that is traced; beyond, the picture's rim is drawn out
CAMERA_ROOM_MM = 120.0  # lamps hang at least so much higher than the camera


def traced_picture(table: PyramidTable, samples: int = SAMPLES) -> Pixels:
    """The table's picture, (height, width, 3) BGR."""
    rng = np.random.default_rng([table.seed, 59])
    light = _light(table.scene, rng, samples, table.seed)
    sensor = exposed(table.sensor, light, float(rng.uniform(0.5, 0.85)), float(rng.uniform(0.34, 0.48)))
    lens = table.scene.camera.lens
    developer = Developer(sensor, lens.width, lens.height, table.seed, fields=1)
    developer.update(light, (0, 0, lens.width, lens.height))
    return developer.picture(0)


def _light(scene: Scene, rng: Rng, samples: int, seed: int) -> Singles:
    """(height, width, 3) linear BGR, by the camera's own lens."""
    lens = scene.camera.lens
    step = 4
    xs, ys = np.arange(0, lens.width + step, step), np.arange(0, lens.height + step, step)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    rays = cv2.undistortPoints(grid, lens.matrix, lens.distortion).reshape(len(ys), len(xs), 2)
    half = np.abs(rays).reshape(-1, 2).max(axis=0) * 1.002
    size = [int(np.ceil(2 * h * f)) for h, f in zip(half, (lens.fx, lens.fy), strict=True)]
    where = ((rays / half + 1) / 2 * size - 0.5).astype(np.float32)
    u, v = (np.arange(n, dtype=np.float32) / step for n in (lens.width, lens.height))
    maps = cv2.remap(where, *np.meshgrid(u, v), cv2.INTER_LINEAR)
    part = _part(scene, half, size)
    solids = _solids(scene, np.random.default_rng([set_of(seed), 67]), seed)
    world = _world(scene, solids, rng, View(float(half[0]), (size[0], size[1]), part), samples)
    flat = np.array(mi.render(mi.load_dict(world), seed=seed % (1 << 30)))[..., :3]
    calm = _calm(np.ascontiguousarray(flat[..., ::-1], np.float32))
    x, y = maps[..., 0] - part[0], maps[..., 1] - part[1]
    seen = cv2.remap(calm, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.maximum(seen, 0), np.float32)


def _part(scene: Scene, half: Floats, size: Sequence[int]) -> tuple[int, int, int, int]:
    """Left, top, width and height in pixels of what lies round the markers."""
    sheets, camera = scene.markers, scene.camera
    x, y = sheets.width_mm / 2 + BESIDE_MM, sheets.height_mm / 2 + BESIDE_MM
    rim = np.array([(a, b, 0.0) for a in (-x, x) for b in (-y, y)]) @ camera.rotation.T + camera.translation
    at = (rim[:, :2] / rim[:, 2:] / half + 1) / 2 * size
    low = np.clip(np.floor(at.min(axis=0)), 0, np.array(size) - 16).astype(int)
    high = np.clip(np.ceil(at.max(axis=0)), low + 16, size).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _calm(linear: Singles) -> Singles:
    """Without single bright pixels, which a path tracer of few samples leaves; its grain smoothed along edges."""
    around = cv2.medianBlur(linear, 3)
    spot = linear.max(axis=2, keepdims=True) > 1.4 * around.max(axis=2, keepdims=True) + 1e-3
    calm = np.where(spot, around, linear)
    levels = np.sqrt(np.maximum(calm, 0) / max(float(np.percentile(calm, 99)), 1e-6))
    smooth = cv2.bilateralFilter(np.clip(levels, 0, 2).astype(np.float32), 5, 0.035, 1.2)
    return np.asarray(smooth**2, np.float32)


@dataclasses.dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera's picture: tangent of half its width, its size, and the part of it that is traced."""

    half: float
    size: tuple[int, int]
    part: tuple[int, int, int, int]


def _world(scene: Scene, solids: Solids, rng: Rng, view: View, samples: int) -> dict[str, Any]:
    camera = scene.camera
    eye, forward, up = camera.position_mm, camera.rotation[2], -camera.rotation[1]
    t = mi.ScalarTransform4f()
    world: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "volpath", "max_depth": DEPTH, "rr_depth": 7},
        "sensor": {
            "type": "perspective",
            "fov": float(2 * np.degrees(np.arctan(view.half))),
            "fov_axis": "x",
            "near_clip": 10.0,
            "far_clip": 1e5,
            "to_world": t.look_at(origin=eye.tolist(), target=(eye + forward).tolist(), up=up.tolist()),
            "film": {
                "type": "hdrfilm",
                "width": view.size[0],
                "height": view.size[1],
                "crop_offset_x": view.part[0],
                "crop_offset_y": view.part[1],
                "crop_width": view.part[2],
                "crop_height": view.part[3],
                "rfilter": {"type": "box"},
                "pixel_format": "rgb",
            },
            "sampler": {"type": "independent", "sample_count": samples},
        },
        "room": _surroundings(scene, rng),
        "table": _table(scene),
    }
    for number, lamp in enumerate(scene.room.lamps):
        world[f"lamp{number}"] = _lamp(lamp, float(eye[2]))
    for name, (triangles, bsdf) in solids.items():
        world[name] = _mesh(name, np.concatenate(triangles), bsdf)
    return world


def _table(scene: Scene) -> dict[str, Any]:
    """The table top with everything flat on it, as one texture."""
    width, height = (round(side * TEXTURE_PER_MM) for side in TEXTURE_MM)
    focal = FAR_MM * TEXTURE_PER_MM
    lens = Lens(width, height, fx=focal, fy=focal, cx=(width - 1) / 2, cy=(height - 1) / 2)
    above = CameraPose(lens, *look_down(FAR_MM, 0.0, 0.0, (0.0, 0.0), 0.0))
    albedo = make_ground(dataclasses.replace(scene, camera=above)).albedo
    picture = mi.Bitmap(np.ascontiguousarray(np.clip(albedo[::-1, :, ::-1], 0, 0.95), np.float32))
    surface = scene.surface
    return {
        "type": "rectangle",
        "to_world": mi.ScalarTransform4f().scale([TEXTURE_MM[0] / 2, TEXTURE_MM[1] / 2, 1]),
        "bsdf": {
            "type": "principled",
            "base_color": {"type": "bitmap", "bitmap": picture, "raw": True, "wrap_mode": "mirror"},
            "roughness": max(0.1, surface.rough),
            "specular": min(1.0, surface.shine / 0.08),
        },
    }


def _surroundings(scene: Scene, rng: Rng) -> dict[str, Any]:
    """Ceiling, walls and floor, with a few brighter and darker things on the walls."""
    room = scene.room
    high = np.linspace(1, -1, 32, dtype=np.float32)[:, None, None]
    tones = [np.array(tone[::-1], np.float32) for tone in (room.ceiling, room.walls, room.below)]
    sky = np.where(high > 0, tones[1] * (1 - high) + tones[0] * high, tones[1] * (1 + high) - tones[2] * high)
    sky = np.repeat(sky.astype(np.float32), 64, axis=1)
    small = rng.uniform(0.5, 1.5, (4, 8, 1)).astype(np.float32)
    sky *= np.clip(cv2.resize(small, (64, 32), interpolation=cv2.INTER_CUBIC), 0.2, 2)[..., None]
    for _ in range(int(rng.integers(0, 4))):
        x, y, w, h = rng.integers(0, 56), rng.integers(2, 14), rng.integers(2, 9), rng.integers(1, 6)
        sky[y : y + h, x : x + w] *= rng.uniform(1.2, 5)
    return {
        "type": "envmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(sky)),
        "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
    }


def _lamp(lamp: Lamp, camera_mm: float) -> dict[str, Any]:
    """An emitter whose light at the table's middle is the lamp's colour; never between camera and table."""
    points, middle = np.array(lamp.points), lamp.middle
    spread = points - middle
    wide = float(np.linalg.norm(spread, axis=1).max())
    away = float(np.linalg.norm(middle))
    if middle[2] < camera_mm + CAMERA_ROOM_MM and np.hypot(*middle[:2]) < 900:
        grow = (camera_mm + CAMERA_ROOM_MM) / middle[2]
        middle, wide, away = middle * grow, wide * grow, away * grow
    side = max(wide, 12.0)
    radiance = np.pi * np.array(lamp.colour[::-1]) * away**2 / (np.pi * side**2)
    turn = mi.ScalarTransform4f().look_at(origin=middle.tolist(), target=[0, 0, 0], up=[0.01, 1, 0.02])
    return {
        "type": "disk" if away < 1500 else "rectangle",
        "to_world": turn @ mi.ScalarTransform4f().scale([side, side if away < 1500 else side * np.pi / 4, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}},
    }


@dataclasses.dataclass(frozen=True, slots=True)
class Walls:
    """How a set's walls take light in, and its edges, which are thick."""

    deep: float  # how much colour a wall has, of its usual one
    thin: float  # how much it scatters
    edge: float = 0.55  # share of light that edges do not let pass
    glint: float = 1.0  # brightness of what they scatter
    bends: float = IOR  # how strongly a wall bends light, and so mirrors


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


def _paint(rng: Rng) -> Material:
    """What painted or frosted pips are made of."""
    b, g, r = (float(v) for v in rng.uniform(0.5, 0.95) * rng.uniform(0.93, 1.0, 3))
    return Material((b, g, r), 0.03, 0.4)


def _solids(scene: Scene, rng: Rng, seed: int) -> Solids:
    """Triangles and materials by name."""
    solids: Solids = {}
    styles: dict[int, dict[str, dict[str, Any]]] = {}
    wall = float(rng.uniform(0.8, 1.15)) * WALL_MM
    deep = float(rng.uniform(0.6, 2.6))
    thin = float(rng.uniform(0.5, 1.6))
    walls = Walls(deep, thin)
    clearer = _clear_walls(walls, rng) if seed >= TRACED_FAINT else walls
    painted: dict[str, Material] = {}
    if seed >= TRACED_GLASS:
        clearer = _glass_walls(walls, rng)
        painted = {"pip": _paint(rng)} if rng.random() < PAINTED else {}
    for thing in scene.things:
        key = id(thing.finish)
        clear = thing.finish.see_through and thing.piece is not None
        own = clearer if thing.piece is not None and thing.piece.colour == "clear" else walls
        if key not in styles:
            styles[key] = {
                name: _plastic(material, own) if material.through is not None and clear else _opaque(material)
                for name, material in {**thing.finish.materials, **(painted if own is clearer else {})}.items()
            }
        for name, triangles in _parts(thing, wall).items():
            bsdf = _skin(thing.finish.materials["body"], own) if name == "skin" else styles[key][name]
            solids.setdefault(f"{name}-{key}", ([], bsdf))[0].append(triangles)
    return solids


def _parts(thing: Thing, wall: float) -> dict[str, Floats]:
    """Triangles of a thing in table millimetres, by material."""
    vertices, parts = thing.vertices, {}
    for number, name in enumerate(thing.mesh.materials):
        faces = thing.mesh.faces[thing.mesh.face_part == number]
        parts.setdefault(name, []).append(vertices[np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])])
    if thing.finish.see_through and thing.piece is not None:
        assert thing.piece.size is not None
        parts["body"].append(_shell(thing, wall))
        parts["skin"] = [_shell(thing, wall / 2), _rim(thing, wall)]
        if len(thing.lines):
            parts["edge"] = [_rod(thing.to_table(line), thing.line_mm * 0.5) for line in thing.lines]
    return {name: np.concatenate(several) for name, several in parts.items()}


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


def _rgb(colour: Sequence[float] | Floats) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(v) for v in np.clip(np.asarray(colour)[::-1], 0.0, 0.98)]}


def _opaque(material: Material) -> dict[str, Any]:
    """Plastic, card, paint, metal."""
    solid = {
        "type": "principled",
        "base_color": _rgb(material.colour),
        "roughness": max(0.08, material.rough),
        "specular": min(1.0, material.shine / 0.08),
        "metallic": float(material.metal),
    }
    return {"type": "twosided", "bsdf": solid}


def _plastic(material: Material, walls: Walls) -> dict[str, Any]:
    """One face of a wall that lets light pass; edges, which are thick, scatter instead."""
    assert material.through is not None
    passes = np.array(material.through)
    if material.shine == 0.04:  # an edge
        return _milk((np.array(material.colour) + 0.15 * passes) * walls.glint, walls.edge)
    return {
        "type": "thindielectric",
        "int_ior": walls.bends,
        "specular_transmittance": _rgb(passes ** (walls.deep / 2)),
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
        "base_color": _rgb(colour),
        "roughness": 0.6,
        "diff_trans": 1.0,
        "spec_trans": 0.0,
    }
    return {"type": "mask", "opacity": amount, "bsdf": sheet}


def _mesh(name: str, triangles: Floats, bsdf: dict[str, Any]) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    shape = mi.Mesh(name, 3 * len(triangles), len(triangles), props=props, has_vertex_normals=False)
    params = mi.traverse(shape)
    params["vertex_positions"] = np.ascontiguousarray(triangles.reshape(-1), dtype=np.float32)
    params["faces"] = np.arange(3 * len(triangles), dtype=np.uint32)
    params.update()
    return shape


def main() -> None:
    """Trace `count` tables from `seed` on; a picture that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=TRACED)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    for seed in range(given.seed, given.seed + given.count):
        path = given.out / f"{seed:07d}.png"
        if not path.exists():
            cv2.imwrite(str(path), traced_picture(traced_table(seed), given.samples), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if time.monotonic() - start > 60 * given.minutes:
            break
    print(f"{len(list(given.out.glob('*.png')))} pictures in {given.out}, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
