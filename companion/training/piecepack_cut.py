"""Painted crops as training arrays: what the piecepack networks see, and what they should say.

`python -m companion.training.piecepack_cut --seed 1 --count 2400 --out /tmp/piecepack/train.npz`;
seeds inside `tables.TRAINING`.
"""

import argparse
import math
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion.pieces import TILE_SIDE_MM
from companion.training.piecepack_crop import MM_PER_PX, SIDE_PX, Crop, Label
from companion.training.piecepack_pictures import COIN, DIE, TILE, paint
from companion.training.seeds import for_training
from companion.vision.piecepack.finder import PiecepackFinder
from companion.vision.piecepack.patches import (
    DIE_PX,
    DIE_SPAN_MM,
    FIND_MM,
    FIND_STRIDE,
    SMALL_PX,
    SMALL_SPAN_MM,
    TILE_PX,
    TILE_SPAN_MM,
    cut,
)

FIND_PX = round(SIDE_PX * MM_PER_PX / FIND_MM)
CELLS = FIND_PX // FIND_STRIDE
KINDS = 4
CHANNELS = 3 * KINDS + 4  # heat, offsets, and two quarter-turn angles
TILE_SLIP_MM, TILE_SLIP_DEG, SMALL_SLIP_MM = 1.2, 2.5, 1.2
HOLES, HOLE_MM = 4, 30.0  # places beside tiles in a crop that no tile is so near to: one may have been taken away
DIE_SLIP_MM, DIE_SLIP_DEG = 0.9, 5.0  # standard deviations
DIE_VIEWS, DIE_ASKEW = 2, 0.15  # pictures of each die, and the share of them at any angle


def find_input(crop: Crop) -> tuple[np.ndarray, np.ndarray]:
    """(n, n, 3) picture and (n, n, 2) lean."""
    small = cv2.resize(crop.canvas, (FIND_PX, FIND_PX), interpolation=cv2.INTER_AREA)
    at = (np.arange(FIND_PX) + 0.5) * SIDE_PX / FIND_PX - 0.5
    lean = np.stack(np.meshgrid((at - crop.centre[0]) / crop.high, (at - crop.centre[1]) / crop.high), axis=-1)
    return small, lean.astype(np.float16)


def find_target(labels: list[Label]) -> tuple[np.ndarray, np.ndarray]:
    """(CHANNELS, n, n) what should be said, and (KINDS, n, n) where the rest of it counts."""
    target, where = np.zeros((CHANNELS, CELLS, CELLS), np.float16), np.zeros((KINDS, CELLS, CELLS), bool)
    v, u = np.mgrid[:CELLS, :CELLS]
    for label in labels:
        if label.kind < 0:
            continue
        x, y = ((w + 0.5) * CELLS / SIDE_PX - 0.5 for w in (label.x, label.y))
        col, row = round(x), round(y)
        if not (0 <= col < CELLS and 0 <= row < CELLS):
            continue
        wide = 1.1 if label.kind == TILE else 0.7
        heat = np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * wide**2))
        heat[row, col] = 1.0
        target[label.kind] = np.maximum(target[label.kind], heat)
        for r in range(max(0, row - 1), min(CELLS, row + 2)):
            for c in range(max(0, col - 1), min(CELLS, col + 2)):
                if (r, c) != (row, col) and (where[label.kind, r, c] or label.kind != TILE):
                    continue
                where[label.kind, r, c] = True
                target[KINDS + 2 * label.kind : KINDS + 2 * label.kind + 2, r, c] = x - c, y - r
                if label.kind in (TILE, DIE):
                    first = 3 * KINDS + (0 if label.kind == TILE else 2)
                    turn = 4 * math.radians(label.heading_deg)
                    target[first : first + 2, r, c] = math.cos(turn), math.sin(turn)
    return target, where


def tile_patches(crop: Crop, rng: np.random.Generator) -> list[tuple[np.ndarray, tuple[int, ...]]]:
    """Pictures of tiles, each at some quarter turn, and of places that are none: (kind, turn, suit, value)."""
    cuts: list[tuple[np.ndarray, tuple[int, ...]]] = []
    tiles = [t for t in crop.labels if t.kind == TILE]
    inside = [t for t in tiles if 20 < t.x < SIDE_PX - 20 and 20 < t.y < SIDE_PX - 20]
    span = TILE_SPAN_MM / MM_PER_PX
    for tile in inside:
        turn = int(rng.integers(4))
        slip = rng.normal(0, TILE_SLIP_MM * 0.6, 2).clip(-TILE_SLIP_MM, TILE_SLIP_MM) / MM_PER_PX
        heading = tile.heading_deg + 90 * turn + float(rng.normal(0, TILE_SLIP_DEG * 0.5))
        patch = cut(crop.canvas, tile.x + slip[0], tile.y + slip[1], heading, span, TILE_PX)
        cuts.append((patch, (1 + tile.front, turn if tile.front else -1, tile.suit, tile.value)))
    for number in range(2):
        x, y = rng.uniform(20, SIDE_PX - 20, 2)
        heading = rng.uniform(0, 360)
        if inside and number == 0:
            near = inside[int(rng.integers(len(inside)))]
            way, far = rng.uniform(0, 2 * np.pi), rng.uniform(9, 40) / MM_PER_PX
            if rng.random() < 0.6:
                way = math.radians(near.heading_deg + 90 * int(rng.integers(4)))
            x, y = near.x + far * math.cos(way), near.y - far * math.sin(way)
            heading = near.heading_deg
        if min((math.hypot(x - t.x, y - t.y) for t in tiles), default=1e9) > 8 / MM_PER_PX:
            cuts.append((cut(crop.canvas, x, y, heading, span, TILE_PX), (0, -1, -1, -1)))
    for number in rng.permutation(len(inside))[:HOLES]:
        near = inside[number]
        way = math.radians(near.heading_deg + 90 * int(rng.integers(4)))
        beside = TILE_SIDE_MM * np.array([math.cos(way), -math.sin(way)]) + rng.normal(0, TILE_SLIP_MM, 2)
        x, y = np.array([near.x, near.y]) + beside / MM_PER_PX
        far = min(math.hypot(x - t.x, y - t.y) for t in tiles) > HOLE_MM / MM_PER_PX
        if far and 20 < x < SIDE_PX - 20 and 20 < y < SIDE_PX - 20:
            cuts.append((cut(crop.canvas, x, y, near.heading_deg, span, TILE_PX), (0, -1, -1, -1)))
    return cuts


def small_patches(crop: Crop, rng: np.random.Generator) -> list[tuple[np.ndarray, tuple[float, ...]]]:
    """Pictures of coins, pawns, dice and of places that are none: (kind or 0, face, suit, value, heading)."""
    cuts: list[tuple[np.ndarray, tuple[float, ...]]] = []
    span = SMALL_SPAN_MM / MM_PER_PX
    small = [s for s in crop.labels if s.kind > TILE]
    for piece in small:
        if not (8 < piece.x < SIDE_PX - 8 and 8 < piece.y < SIDE_PX - 8):
            continue
        slip = rng.normal(0, SMALL_SLIP_MM * 0.6, 2).clip(-SMALL_SLIP_MM, SMALL_SLIP_MM) / MM_PER_PX
        turn = float(rng.uniform(0, 360))  # of the patch
        patch = cut(crop.canvas, piece.x + slip[0], piece.y + slip[1], turn, span, SMALL_PX)
        heading = piece.heading_deg - turn + 90 if piece.kind in (COIN, DIE) else math.nan
        cuts.append((patch, (piece.kind, piece.front, piece.suit, piece.value, heading)))
    bare = [label for label in crop.labels if label.kind < 0]
    signs = [t for t in crop.labels if t.kind == TILE and t.front == 1]
    for number in range(7):
        x, y = rng.uniform(8, SIDE_PX - 8, 2)
        if number > 4 and signs:
            tile = signs[int(rng.integers(len(signs)))]
            way, reach = math.radians(tile.heading_deg + 45), float(rng.choice([0.0, 0.51])) * 50.8 / MM_PER_PX
            x, y = np.array([tile.x + reach * math.cos(way), tile.y - reach * math.sin(way)]) + rng.normal(0, 3, 2)
        elif number > 2 and bare:
            spot = bare[int(rng.integers(len(bare)))]
            x, y = np.array([spot.x, spot.y]) + rng.normal(0, 3, 2)
        elif number > 2:
            continue
        tiles = [t for t in crop.labels if t.kind == TILE]
        if tiles and number in (1, 2):
            tile = tiles[int(rng.integers(len(tiles)))]
            reach = rng.choice([0.0, 0.36 * 1.41, rng.uniform(0, 0.7)]) * 50.8 / MM_PER_PX
            way = math.radians(tile.heading_deg + 45)
            x, y = np.array([tile.x + reach * math.cos(way), tile.y - reach * math.sin(way)]) + rng.normal(0, 3, 2)
        clear = min((math.hypot(x - s.x, y - s.y) for s in small), default=1e9) > 10 / MM_PER_PX
        if clear and 8 < x < SIDE_PX - 8 and 8 < y < SIDE_PX - 8:
            patch = cut(crop.canvas, float(x), float(y), float(rng.uniform(0, 360)), span, SMALL_PX)
            cuts.append((patch, (0, -1, -1, -1, math.nan)))
    return cuts


def die_patches(crop: Crop, rng: np.random.Generator) -> list[tuple[np.ndarray, tuple[int, int]]]:
    """Close pictures of dice, each turned by some quarters: (suit, value)."""
    cuts: list[tuple[np.ndarray, tuple[int, int]]] = []
    span = DIE_SPAN_MM / MM_PER_PX
    for die in crop.labels:
        if die.kind != DIE or not (6 < die.x < SIDE_PX - 6 and 6 < die.y < SIDE_PX - 6):
            continue
        for _ in range(DIE_VIEWS):
            slip = rng.normal(0, DIE_SLIP_MM / MM_PER_PX, 2)
            turn = die.heading_deg + 90 * int(rng.integers(4)) + float(rng.normal(0, DIE_SLIP_DEG))
            if rng.random() < DIE_ASKEW:
                turn = float(rng.uniform(0, 360))
            cuts.append((cut(crop.canvas, die.x + slip[0], die.y + slip[1], turn, span, DIE_PX), (die.suit, die.value)))
    return cuts


def found_patches(
    crop: Crop, finder: PiecepackFinder, rng: np.random.Generator
) -> tuple[list[tuple[np.ndarray, tuple[int, ...]]], list[tuple[np.ndarray, tuple[float, ...]]]]:
    """What the finding network takes for pieces, rightly or not: the reading networks have to tell."""
    tiles: list[tuple[np.ndarray, tuple[int, ...]]] = []
    smalls: list[tuple[np.ndarray, tuple[float, ...]]] = []
    picture, lean = find_input(crop)
    answer = finder.networks.heat(picture, lean.astype(np.float32))
    pitch = SIDE_PX / CELLS
    for spot in finder.peaks(answer, 0, 0, pitch, finder.settings.peak):
        rivals = [label for label in crop.labels if label.kind >= 0 and (label.kind == TILE) == (spot.kind == TILE)]
        near = min(rivals, key=lambda label: math.hypot(label.x - spot.x, label.y - spot.y), default=None)
        far = math.hypot(near.x - spot.x, near.y - spot.y) * MM_PER_PX if near else 1e9
        if far <= 3.5 and rng.random() < 0.6:  # most right finds are there already
            continue
        if 3.5 < far < 8 or not (8 < spot.x < SIDE_PX - 8 and 8 < spot.y < SIDE_PX - 8):
            continue
        if spot.kind == TILE:
            patch = cut(crop.canvas, spot.x, spot.y, spot.heading_deg, TILE_SPAN_MM / MM_PER_PX, TILE_PX)
            label: tuple[int, ...] = (0, -1, -1, -1)
            if near is not None and far <= 3.5:
                turn = round((spot.heading_deg - near.heading_deg) / 90) % 4
                label = (1 + near.front, turn if near.front else -1, near.suit, near.value)
            tiles.append((patch, label))
        else:
            patch = cut(crop.canvas, spot.x, spot.y, 90.0, SMALL_SPAN_MM / MM_PER_PX, SMALL_PX)
            answers: tuple[float, ...] = (0, -1, -1, -1, math.nan)
            if near is not None and far <= 3.5:
                heading = near.heading_deg if near.kind in (COIN, DIE) else math.nan
                answers = (near.kind, near.front, near.suit, near.value, heading)
            smalls.append((patch, answers))
    return tiles, smalls


@dataclass
class Cuts:
    """Arrays of many crops, as the training reads them."""

    finds: list[tuple[np.ndarray, ...]] = field(default_factory=list)
    tiles: list[tuple[np.ndarray, tuple[int, ...]]] = field(default_factory=list)
    smalls: list[tuple[np.ndarray, tuple[float, ...]]] = field(default_factory=list)
    dice: list[tuple[np.ndarray, tuple[int, int]]] = field(default_factory=list)

    def add(self, crop: Crop, rng: np.random.Generator, finder: PiecepackFinder | None) -> None:
        """One crop; with a finder, also what it takes for pieces."""
        self.finds.append((*find_input(crop), *find_target(crop.labels)))
        self.tiles += tile_patches(crop, rng)
        self.smalls += small_patches(crop, rng)
        self.dice += die_patches(crop, rng)
        if finder is not None:
            tiles, smalls = found_patches(crop, finder, rng)
            self.tiles += tiles
            self.smalls += smalls

    def save(self, out: Path) -> None:
        """Write the arrays, and say how many."""
        out.parent.mkdir(parents=True, exist_ok=True)
        np.savez(
            out,
            find=np.stack([f[0] for f in self.finds]),
            lean=np.stack([f[1][::8, ::8] for f in self.finds]),
            target=np.stack([f[2] for f in self.finds]),
            where=np.stack([f[3] for f in self.finds]),
            tile=np.stack([t[0] for t in self.tiles]),
            tile_label=np.array([t[1] for t in self.tiles], np.int64),
            small=np.stack([s[0] for s in self.smalls]),
            small_label=np.array([s[1] for s in self.smalls], np.float32),
            die=np.stack([d[0] for d in self.dice]) if self.dice else np.zeros((0, DIE_PX, DIE_PX, 3), np.uint8),
            die_label=np.array([d[1] for d in self.dice], np.int64).reshape(-1, 2),
        )
        counts = f"{len(self.tiles)} tiles, {len(self.smalls)} small pieces, {len(self.dice)} dice"
        print(f"{len(self.finds)} crops, {counts} in {out}")


def main() -> None:
    """Paint and cut `count` crops from `seed` on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--found", action="store_true", help="also cut what the shipped finding network finds")
    parser.add_argument("--crowded", action="store_true", help="many more coins, pawns and dice")
    parser.add_argument("--printed", action="store_true", help="sets printed in the fonts of this machine")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    cuts, finder = Cuts(), PiecepackFinder() if given.found else None
    for seed in map(for_training, range(given.seed, given.seed + given.count)):
        cuts.add(paint(seed, given.crowded, given.printed), np.random.default_rng([seed, 103]), finder)
    cuts.save(given.out)


if __name__ == "__main__":
    main()
