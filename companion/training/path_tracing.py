"""Path traces a simulated free table: what lies on it as solids, thick prints as blocks, faces printed, lamps, a room.

Needs mitsuba. Pieces of plastic that lets light pass are `pyramid_scenes`' own; all else is made here.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import CameraPose
from companion.simulator.ground import make_ground, outline
from companion.simulator.light import Lamp
from companion.simulator.materials import Material
from companion.simulator.prints import Print
from companion.simulator.rooms import random_exposure
from companion.simulator.scene import Decal, Scene, Thing, look_down
from companion.simulator.sensor import Sensor, developed, exposed

mi.set_variant("cuda_ad_rgb", "llvm_ad_rgb")  # the first that this machine can run

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Rng = np.random.Generator

TEXTURE_MM, TEXTURE_PER_MM = (1500.0, 1200.0), 1.7
FAR_MM = 1e5  # a camera so high sees the table without perspective
DEPTH, SAMPLES = 14, 10
BESIDE_MM = 60.0  # round the table's markers that is traced; beyond, the picture's rim is drawn out
CAMERA_ROOM_MM = 120.0  # lamps hang at least so much higher than the camera
NOISE = 104_729  # by which the seeds of two pictures of one table differ
THICK_MM = 0.5  # prints as thick as this are blocks


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """(n, 3, 3) triangles in table millimetres, what they are made of, and where a picture lies on them."""

    triangles: Floats
    bsdf: dict[str, Any]
    uv: Floats | None = None  # (n, 3, 2), (0, 0) being the picture's upper left corner


Solids = dict[str, Solid]


def traced(scene: Scene, sensor: Sensor, solids: Solids, seed: int, samples: int = SAMPLES, number: int = 0) -> Pixels:
    """The table's picture, (height, width, 3) BGR. Of one table, each `number` is a picture with noise of its own."""
    rng = np.random.default_rng([seed, 59])
    light = traced_light(scene, solids, rng, samples, seed + NOISE * number)
    sensor = exposed(sensor, light, *random_exposure(rng))
    return developed(sensor, light, seed, number)


def traced_light(scene: Scene, solids: Solids, rng: Rng, samples: int, seed: int) -> Singles:
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
    solids = {**solids, **_blocks(scene)}
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
    for name, solid in solids.items():
        world[name] = _mesh(name, solid)
    return world


def _table(scene: Scene) -> dict[str, Any]:
    """The table top with everything thin on it, as one texture."""
    width, height = (round(side * TEXTURE_PER_MM) for side in TEXTURE_MM)
    focal = FAR_MM * TEXTURE_PER_MM
    lens = Lens(width, height, fx=focal, fy=focal, cx=(width - 1) / 2, cy=(height - 1) / 2)
    above = CameraPose(lens, *look_down(FAR_MM, 0.0, 0.0, (0.0, 0.0), 0.0))
    flat = tuple(sheet for sheet in scene.prints if sheet.z_mm < THICK_MM)
    albedo = make_ground(dataclasses.replace(scene, camera=above, prints=flat)).albedo
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


def rgb(colour: Sequence[float] | Floats) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(v) for v in np.clip(np.asarray(colour)[::-1], 0.0, 0.98)]}


def opaque(material: Material) -> dict[str, Any]:
    """Plastic, card, paint, metal."""
    solid = {
        "type": "principled",
        "base_color": rgb(material.colour),
        "roughness": max(0.08, material.rough),
        "specular": min(1.0, material.shine / 0.08),
        "metallic": float(material.metal),
    }
    return {"type": "twosided", "bsdf": solid}


def _mesh(name: str, solid: Solid) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(solid.bsdf)
    corners = 3 * len(solid.triangles)
    uv = solid.uv
    shape = mi.Mesh(
        name, corners, len(solid.triangles), props=props, has_vertex_normals=False, has_vertex_texcoords=uv is not None
    )
    params = mi.traverse(shape)
    params["vertex_positions"] = np.ascontiguousarray(solid.triangles.reshape(-1), dtype=np.float32)
    params["faces"] = np.arange(corners, dtype=np.uint32)
    if uv is not None:
        params["vertex_texcoords"] = np.ascontiguousarray(uv.reshape(-1), dtype=np.float32)
    params.update()
    return shape


def printed(albedo: Singles, shine: float, rough: float) -> dict[str, Any]:
    """A surface with a picture (rows, cols, 3) linear BGR on it."""
    picture = mi.Bitmap(np.ascontiguousarray(np.clip(albedo[..., ::-1], 0.0, 0.95), np.float32))
    surface = {
        "type": "principled",
        "base_color": {"type": "bitmap", "bitmap": picture, "raw": True, "wrap_mode": "clamp"},
        "roughness": max(0.1, rough),
        "specular": min(1.0, shine / 0.08),
    }
    return {"type": "twosided", "bsdf": surface}


def _blocks(scene: Scene) -> Solids:
    """Thick prints: their tops, and their sides in the tone of their edges."""
    solids: Solids = {}
    for number, sheet in enumerate(scene.prints):
        if sheet.z_mm < THICK_MM:
            continue
        top, foot = outline(sheet, sheet.z_mm), outline(sheet, 0.0)
        uv = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        rough = scene.surface.rough
        solids[f"top{number}"] = Solid(_halves(top), printed(sheet.albedo, sheet.shine, rough), _halves(uv))
        sides = [_halves(np.array([top[i], top[(i + 1) % 4], foot[(i + 1) % 4], foot[i]])) for i in range(4)]
        solids[f"side{number}"] = Solid(np.concatenate(sides), opaque(_edge(sheet)))
    return solids


def _halves(corners: Floats) -> Floats:
    """(2, 3, k) triangles of a quadrilateral (4, k)."""
    return corners[[[0, 1, 2], [0, 2, 3]]]


def _edge(sheet: Print) -> Material:
    b, g, r = (float(v) for v in sheet.albedo[[0, -1]].reshape(-1, 3).mean(axis=0) * 0.75)
    return Material((b, g, r), sheet.shine, 0.5)


def faces_of(thing: Thing, part: str) -> Floats:
    """(n, 3, 3) triangles of one material of a thing, in table millimetres."""
    named = np.array([name == part for name in thing.mesh.materials])[thing.mesh.face_part]
    faces = thing.mesh.faces[named]
    return thing.vertices[np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])]


def solids_of(thing: Thing, number: int) -> Solids:
    """An opaque thing with what is printed on it."""
    prints, solids = {decal.part: decal for decal in thing.decals}, dict[str, Solid]()
    for name in dict.fromkeys(thing.mesh.materials):
        triangles = faces_of(thing, name)
        material = thing.finish.materials.get(name, thing.finish.materials["body"])
        decal = prints.get(name)
        if decal is None:
            solids[f"{name}-{number}"] = Solid(triangles, opaque(material))
        else:
            bsdf = printed(decal.albedo, material.shine, material.rough)
            solids[f"{name}-{number}"] = Solid(triangles, bsdf, _on_picture(thing, decal, triangles))
    return solids


def _on_picture(thing: Thing, decal: Decal, triangles: Floats) -> Floats:
    """(n, 3, 2) where corners lie on a decal's picture."""
    left, right, _, low = thing.to_table(decal.corners_mm)
    axes = np.stack([right - left, low - left], axis=1)
    return np.asarray((triangles - left) @ (axes / (axes**2).sum(axis=0)))
