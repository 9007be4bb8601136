"""Random Khet boards, path traced from above: patches of cells with their classes.

`python -m companion.training.scenes --seed 1 --count 50 --out /tmp/khet` writes one .npz for each board.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import mitsuba as mi
import numpy as np

from companion.training.folders import BOARD, fill, made_folder
from companion.training.labels import INDEX
from companion.training.scene_materials import (
    CELL,
    COLS,
    ROWS,
    Rng,
    board_print,
    hue,
    light,
    mesh,
    mirror,
    plastic,
    rgb,
    side_colour,
    surroundings,
)
from companion.training.sculpts import SCULPTS, other
from companion.training.solids import Floats, Solid
from companion.vision.khet.network import FIRST, PERIOD, SIDES

PATCH, SPAN = 96, 1.5  # pixels and cells of a stored patch


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera over the board, in board millimetres; the picture is cut to the board."""

    eye: Floats
    right: Floats
    up: Floats
    forward: Floats
    half: tuple[float, float]  # tangents of half the view
    size: tuple[int, int]

    def project(self, points: Floats) -> Floats:
        """(..., 3) millimetres to (..., 2) pixels."""
        d = points - self.eye
        depth = d @ self.forward
        u = (d @ self.right) / depth / self.half[0]
        v = (d @ self.up) / depth / self.half[1]
        return np.stack([(u + 1) / 2 * self.size[0] - 0.5, (1 - v) / 2 * self.size[1] - 0.5], axis=-1)


def random_camera(rng: Rng) -> Camera:
    """450 to 1100 mm up, up to 180 mm beside the middle, looking near the middle, turned as it may be."""
    height = rng.uniform(450, 1100)
    eye = np.array([*rng.normal(0, 0.13 * height, 2).clip(-0.32 * height, 0.32 * height), height])
    target = np.array([*rng.normal(0, 8, 2), 0.0])
    forward = (target - eye) / np.linalg.norm(target - eye)
    a = rng.normal(0, 0.05)
    right = np.cross(forward, [-np.sin(a), np.cos(a), 0.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    corners = np.array([[sx * 205, sy * 168, z] for sx in (-1, 1) for sy in (-1, 1) for z in (0, 30)]) - eye
    depth = corners @ forward
    half = (np.abs(corners @ right / depth).max(), np.abs(corners @ up / depth).max())
    per_mm = rng.uniform(1.15, 1.75)
    size = (int(2 * half[0] * height * per_mm), int(2 * half[1] * height * per_mm))
    return Camera(eye, right, up, forward, half, size)


@dataclass(frozen=True, slots=True)
class Placed:
    """What stands on a cell: class index, side index (-1 none)."""

    label: int
    side: int


@dataclass(frozen=True, slots=True)
class Looks:
    """The pieces that a board may hold: sculpts by kind, materials, the sides' bodies."""

    sculpts: dict[str, list[list[Solid]]]
    bsdfs: dict[str, dict[str, Any]]
    bodies: list[tuple[str, int]]  # material, side
    shares: list[float]  # of the bodies
    fresh: float  # share of pieces with a sculpt of their own
    filled: tuple[float, float]  # share of cells with a piece
    others: float  # share of things that are no standing piece


KIND_SHARES = {
    "pyramid": 0.27,
    "scarab": 0.13,
    "anubis": 0.17,
    "pharaoh": 0.13,
    "sphinx": 0.15,
    "obelisk": 0.07,
    "eye": 0.08,
}


def mixed_looks(rng: Rng) -> Looks:
    """As many different pieces as one board can hold, for training."""
    sides = ("silver", "red", "silver", "red", "other", "other")
    bsdfs = _trimmings(rng)
    for i, side in enumerate(sides):
        colour = side_colour(rng, side)
        if side == "other" and rng.random() < 0.15:
            colour = rgb(rng, 0.01, 0.05)
        bsdfs[f"body{i}"] = plastic(rng, colour, metal=side != "red" or rng.random() < 0.2)
    bodies = [(f"body{i}", SIDES.index(side)) for i, side in enumerate(sides)]
    sculpts = {kind: [SCULPTS[kind](rng) for _ in range(3)] for kind in KIND_SHARES}
    return Looks(sculpts, bsdfs, bodies, [0.25, 0.25, 0.15, 0.15, 0.1, 0.1], 0.3, (0.6, 0.95), 0.04)


def one_set(rng: Rng) -> Looks:
    """One maker's set, silver and red, as it would be bought."""
    bsdfs = _trimmings(rng)
    bsdfs["body0"] = plastic(rng, side_colour(rng, "silver"), metal=True)
    bsdfs["body1"] = plastic(rng, side_colour(rng, "red"), metal=False)
    sculpts = {kind: [SCULPTS[kind](rng)] for kind in KIND_SHARES}
    return Looks(sculpts, bsdfs, [("body0", 0), ("body1", 1)], [0.5, 0.5], 0.0, (0.3, 0.4), 0.0)


def _trimmings(rng: Rng) -> dict[str, dict[str, Any]]:
    """Materials that are not a side's colour."""
    bsdfs: dict[str, dict[str, Any]] = {}
    for i in range(2):
        bsdfs[f"mirror{i}"] = mirror(rng)
        bsdfs[f"trim{i}"] = plastic(
            rng, rgb(rng, 0.01, 0.6) if rng.random() < 0.7 else hue(rng.uniform(0, 360), 0.8, 0.5), metal=True
        )
    bsdfs["glass"] = {"type": "thindielectric", "int_ior": 1.5}
    bsdfs["skin"] = plastic(rng, hue(rng.uniform(12, 26), rng.uniform(0.35, 0.6), rng.uniform(0.1, 0.65)), metal=False)
    return bsdfs


def place_pieces(rng: Rng, looks: Looks) -> tuple[dict[tuple[int, int], Placed], dict[str, list[Floats]]]:
    """What stands on the cells, and triangles by material."""
    filled = rng.uniform(*looks.filled)
    cells: dict[tuple[int, int], Placed] = {}
    triangles: dict[str, list[Floats]] = {name: [] for name in looks.bsdfs}
    slop = rng.choice([0.4, 1.0])
    kinds, shares = list(KIND_SHARES), list(KIND_SHARES.values())
    for c in range(COLS):
        for r in range(ROWS):
            cells[c, r] = Placed(INDEX["empty", ""], -1)
            if rng.random() > filled:
                continue
            body, side = looks.bodies[rng.choice(len(looks.bodies), p=looks.shares)]
            if rng.random() < looks.others:
                solids, kind, side, quarters = other(rng), "other", -1, 0
            else:
                kind, quarters = str(rng.choice(kinds, p=shares)), int(rng.integers(4))
                own = looks.sculpts[kind]
                solids = SCULPTS[kind](rng) if rng.random() < looks.fresh else own[rng.integers(len(own))]
            cells[c, r] = Placed(FIRST[kind] + quarters % PERIOD[kind], side)
            askew = np.clip(rng.normal(0, 6 * slop), -16, 16)
            shift = np.clip(rng.normal(0, 1.5 * slop, 2), -4.5, 4.5)
            x, y = (c - 4.5) * CELL + shift[0], (r - 3.5) * CELL + shift[1]
            which = rng.integers(2)
            for solid in solids:
                name = {"body": body, "mirror": f"mirror{which}", "trim": f"trim{which}"}.get(
                    solid.material, solid.material
                )
                triangles[name].append(solid.turned(90 * quarters + askew).moved(x, y).triangles)
    return cells, triangles


def build(rng: Rng, camera: Camera, samples: int, looks: Looks) -> tuple[Any, dict[tuple[int, int], Placed]]:
    """The Mitsuba scene and what stands on its cells; the board's top is z = 0."""
    cells, triangles = place_pieces(rng, looks)
    t = mi.ScalarTransform4f()
    picture = mi.Bitmap(np.ascontiguousarray(board_print(rng)[::-1], dtype=np.float32))
    board_bsdf = {
        "type": "principled",
        "base_color": {"type": "bitmap", "bitmap": picture, "raw": True},
        "roughness": float(rng.uniform(0.25, 0.9)),
        "specular": float(rng.uniform(0.1, 0.6)),
    }
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 4},
        "sensor": {
            "type": "perspective",
            "fov": float(np.degrees(2 * np.arctan(camera.half[0]))),
            "fov_axis": "x",
            "to_world": t.look_at(
                origin=camera.eye.tolist(), target=(camera.eye + camera.forward).tolist(), up=camera.up.tolist()
            ),
            "film": {
                "type": "hdrfilm",
                "width": camera.size[0],
                "height": camera.size[1],
                "rfilter": {"type": "gaussian", "stddev": 0.45},
                "pixel_format": "rgb",
            },
            "sampler": {"type": "multijitter", "sample_count": samples, "seed": int(rng.integers(1 << 30))},
        },
        "room": {
            "type": "envmap",
            "bitmap": mi.Bitmap(surroundings(rng)),
            "scale": float(rng.uniform(0.4, 1.5)),
            "to_world": t.rotate([1, 0, 0], 90),
        },
        "lamp": light(rng),
        "table": {
            "type": "rectangle",
            "to_world": t.translate([0, 0, -3.0]) @ t.scale([900, 900, 1]),
            "bsdf": plastic(rng, hue(rng.uniform(10, 45), rng.uniform(0.0, 0.7), rng.uniform(0.05, 0.7)), metal=False),
        },
        "board": {"type": "rectangle", "to_world": t.scale([200, 162, 1]), "bsdf": board_bsdf},
    }
    if rng.random() < 0.5:
        scene["lamp2"] = light(rng)
    for name, parts in triangles.items():
        if parts:
            scene[name] = mesh(name, np.vstack(parts), looks.bsdfs[name])
    return mi.load_dict(scene), cells


def calm(linear: np.ndarray) -> np.ndarray:
    """The picture without single bright pixels, which a path tracer of few samples leaves."""
    around = cv2.medianBlur(np.ascontiguousarray(linear, dtype=np.float32), 3)
    spot = linear.max(axis=2, keepdims=True) > 1.6 * around.max(axis=2, keepdims=True) + 1e-3
    return np.asarray(np.where(spot, around, linear))


def develop(rng: Rng, linear: np.ndarray) -> np.ndarray:
    """Linear light to an 8-bit BGR picture with a white balance near neutral and room for gains."""
    bright = np.percentile(linear.max(axis=2), rng.uniform(93, 99.7))
    exposed = (linear / max(bright, 1e-6) * rng.uniform(0.55, 1.0)).clip(0, 1)
    return np.asarray((255 * exposed[..., ::-1] ** (1 / 2.2) + 0.5).astype(np.uint8))


def patches(picture: np.ndarray, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """All cells as (80, PATCH, PATCH, 3), and their lean as (80, 2)."""
    grid = ((np.arange(PATCH) + 0.5) / PATCH - 0.5) * SPAN * CELL
    x, y = np.meshgrid(grid, -grid)
    pixels, lean = [], []
    for c in range(COLS):
        for r in range(ROWS):
            cx, cy = (c - 4.5) * CELL, (r - 3.5) * CELL
            at = camera.project(np.stack([x + cx, y + cy, np.zeros_like(x)], axis=-1)).astype(np.float32)
            pixels.append(cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
            lean.append((np.array([cx, cy]) - camera.eye[:2]) / camera.eye[2])
    return np.array(pixels), np.array(lean, dtype=np.float32)


def render_board(seed: int, samples: int, of_set: int | None = None) -> dict[str, np.ndarray]:
    """One board's patches with classes, sides and lean; of one set, or of mixed pieces."""
    rng = np.random.default_rng(seed)
    camera = random_camera(rng)
    looks = mixed_looks(rng) if of_set is None else one_set(np.random.default_rng([of_set, 5]))
    scene, cells = build(rng, camera, samples, looks)
    linear = calm(np.array(mi.render(scene, seed=seed % (1 << 30)))[..., :3])
    picture = develop(rng, linear)
    if rng.random() < 0.6:
        picture = cv2.bilateralFilter(picture, 5, rng.uniform(5, 18), 1.5)
    pixels, lean = patches(picture, camera)
    placed = [cells[c, r] for c in range(COLS) for r in range(ROWS)]
    return {
        "pixels": pixels,
        "lean": lean,
        "label": np.array([p.label for p in placed], dtype=np.int64),
        "side": np.array([p.side for p in placed], dtype=np.int64),
    }


def main() -> None:
    """Render `count` boards from `seed` on; a board that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--views-of-a-set", type=int, default=0, help="so many boards in a row show one set")
    parser.add_argument("--out", type=made_folder, required=True)
    given = parser.parse_args()

    def write(seed: int, path: Path) -> None:
        of_set = seed // given.views_of_a_set if given.views_of_a_set else None
        arrays: dict[str, Any] = {**render_board(seed, given.samples, of_set)}
        np.savez(path, **arrays)

    fill(given.out, BOARD, range(given.seed, given.seed + given.count), write, given.minutes)


if __name__ == "__main__":
    main()
