"""Paints crops of tables with piecepack pieces straight from above, quickly, for training; labels come with them.

The painter knows height only as a lean away from the camera and light only as a gradient and a soft shadow: it is
not the simulator, whose tables stay for measuring. Pictures are drawn in screen colours.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.pieces import SUITS, VALUES
from companion.simulator.piecepack_art import coin_face, die_face, random_piecepack_style, tile_back, tile_front
from companion.training.piecepack_crop import SIDE_PX, Crop, Label, mm, ring, square
from companion.training.piecepack_prints import printed_style
from companion.training.piecepack_surroundings import background, developed, digit_fonts

TILE, COIN, PAWN, DIE = range(4)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of one set, in pixels of the crop."""

    tile: float
    thick: float
    coin: float
    coin_thick: float
    die: float
    pawn: float
    pawn_high: float
    pawn_kind: int


def random_sizes(rng: np.random.Generator) -> Sizes:
    """Makers differ a little."""
    return Sizes(
        mm(50.8 * rng.uniform(0.985, 1.015)),
        mm(rng.uniform(3.0, 9.0)),
        mm(19.1 * rng.uniform(0.94, 1.06)),
        mm(rng.uniform(2.0, 4.0)),
        mm(12.7 * rng.uniform(0.9, 1.2)),
        mm(rng.uniform(11.5, 18.0)),
        mm(rng.uniform(19, 36)),
        int(rng.integers(4)),
    )


def paint(seed: int, crowded: bool = False, printed: bool = False) -> Crop:
    """A random crop; the same seed gives the same one. A crowded one has many coins, pawns and dice.

    `printed`: with digits and signs of this machine's fonts.
    """
    rng = np.random.default_rng([seed, 101])
    style = random_piecepack_style(rng, digit_fonts())
    style = printed_style(seed) if printed else style
    angle, out = rng.uniform(0, 2 * np.pi), mm(rng.uniform(0, 430))
    centre = SIDE_PX / 2 + out * np.array([math.cos(angle), math.sin(angle)])
    crop = Crop(rng, style, centre, mm(rng.uniform(680, 1050)))
    way = rng.uniform(0, 2 * np.pi)
    crop.light = np.array([math.cos(way), math.sin(way)]) * rng.uniform(0.0, 1.3)
    crop.soft, crop.dark = float(rng.uniform(0.4, 2.5)), float(rng.uniform(0.1, 0.65))
    background(crop)
    sizes = random_sizes(rng)
    tiles = _tiles(crop, sizes)
    _small(crop, sizes, tiles, (20, 14, 24) if crowded else (12, 4, 8))
    developed(crop)
    return crop


def _tile_places(rng: np.random.Generator, sizes: Sizes) -> list[tuple[float, float, float]]:
    """Where tiles lie, and how they are turned: in squares of four, in a field, strewn about, or nowhere."""
    places: list[tuple[float, float, float]] = []
    mode = int(rng.choice(4, p=(0.45, 0.2, 0.25, 0.1)))
    base = float(rng.uniform(0, 360)) if rng.random() < 0.6 else float(rng.normal(0, 5))
    if mode <= 1:
        pitch = sizes.tile + mm(rng.uniform(0, 1.2))
        gap = mm(rng.uniform(2, 14)) if mode == 0 else 0.0
        origin = rng.uniform(-100, 100, 2)
        a = math.radians(base)
        along, across = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])
        for i in range(-3, 6):
            for j in range(-3, 6):
                if rng.random() < (0.06 if mode == 0 else 0.2):
                    continue
                at = SIDE_PX / 2 + origin + along * (i * pitch + gap * (i // 2)) + across * (j * pitch + gap * (j // 2))
                at = at + rng.normal(0, mm(0.35), 2)
                places.append((float(at[0]), float(at[1]), base + float(rng.normal(0, 1.0))))
    elif mode == 2:
        for _ in range(24):
            x, y, heading = (float(v) for v in (*rng.uniform(-30, SIDE_PX + 30, 2), rng.uniform(0, 360)))
            if all(math.hypot(x - p, y - q) > sizes.tile * 1.42 for p, q, _ in places):
                places.append((x, y, heading))
    return [(x, y, h) for x, y, h in places if -60 < x < SIDE_PX + 60 and -60 < y < SIDE_PX + 60]


def _tiles(crop: Crop, sizes: Sizes) -> list[tuple[float, float, float]]:
    """Paints tiles, and tells where they lie."""
    rng = crop.rng
    inside = _tile_places(rng, sizes)
    for x, y, heading in inside:
        crop.shadow(square(x, y, sizes.tile, heading), 0, sizes.thick)
    shown = [(x, y, heading + 90.0 * float(rng.integers(4))) for x, y, heading in inside]
    faces = []
    backs = rng.uniform(0.15, 0.75)
    for x, y, heading in shown:
        quad = square(x, y, sizes.tile, heading)
        style = crop.style
        front = int(rng.random() > backs)
        suit, value = int(rng.integers(4)), int(rng.integers(6))
        texture = tile_front(style, SUITS[suit], VALUES[value], 128) if front else tile_back(style, 128, 50.8)
        texture = texture * float(rng.normal(1, 0.03))
        edge = texture[[0, -1]].reshape(-1, 3).mean(axis=0)
        if rng.random() < 0.5:
            edge = np.array(style.ground)
        crop.hull(quad, crop.seen(quad, sizes.thick), edge * float(rng.uniform(0.35, 0.8)))
        faces.append((texture, crop.seen(quad, sizes.thick), front, suit, value, heading))
    for texture, quad, front, suit, value, heading in faces:
        crop.paste(texture, quad)
        if rng.random() < 0.6:
            cv2.polylines(crop.canvas, [crop.px(quad)], True, (0.1, 0.1, 0.1), 1, cv2.LINE_AA, 4)
        x, y = quad.mean(axis=0)
        crop.labels.append(Label(TILE, x, y, heading, front, suit if front else -1, value if front else -1))
    return inside


def _place(
    crop: Crop,
    sizes: Sizes,
    tiles: list[tuple[float, float, float]],
    taken: list[tuple[float, float, float]],
    on_tile: bool,
    radius: float,
) -> tuple[float, float, float] | None:
    """A free place on a tile or beside all of them, and its height; None when none was found."""
    rng = crop.rng
    for _ in range(20):
        if on_tile and tiles:
            x, y, heading = tiles[int(rng.integers(len(tiles)))]
            reach = sizes.tile / 2 - radius
            u, v = rng.uniform(-reach, reach, 2) if reach > 0 else np.zeros(2)
            a = math.radians(heading)
            x, y = x + u * math.cos(a) + v * math.sin(a), y - u * math.sin(a) + v * math.cos(a)
            z = sizes.thick
        else:
            x, y = (float(v) for v in rng.uniform(0, SIDE_PX, 2))
            if any(math.hypot(x - p, y - q) < sizes.tile * 0.71 + radius for p, q, _ in tiles):
                continue
            z = 0.0
        inside = -8 < x < SIDE_PX + 8 and -8 < y < SIDE_PX + 8
        if inside and all(math.hypot(x - p, y - q) > radius + r for p, q, r in taken):
            taken.append((x, y, radius))
            return x, y, z
    return None


def _small(crop: Crop, sizes: Sizes, tiles: list[tuple[float, float, float]], most: tuple[int, int, int]) -> None:
    """Coins, pawns and dice, fewer than `most` of each beside those on a track."""
    rng = crop.rng
    taken: list[tuple[float, float, float]] = []
    jobs = []

    def place(on_tile: bool, radius: float) -> tuple[float, float, float] | None:
        return _place(crop, sizes, tiles, taken, on_tile, radius)

    for _ in range(int(rng.integers(0, most[0]))):
        if (at := place(rng.random() < 0.75, sizes.coin / 2)) is not None:
            jobs.append((COIN, at))
    for spot in [label for label in crop.labels if label.kind == -1]:
        if all(math.hypot(spot.x - p, spot.y - q) > sizes.coin / 2 + r for p, q, r in taken):
            taken.append((spot.x, spot.y, sizes.coin / 2))
            jobs.append((COIN, (spot.x, spot.y, 0.0)))
    crop.labels = [label for label in crop.labels if label.kind != -1]
    for _ in range(int(rng.integers(0, most[1]))):
        if (at := place(rng.random() < 0.7, sizes.pawn / 2)) is not None:
            jobs.append((PAWN, at))
    for _ in range(int(rng.integers(0, most[2]))):
        if (at := place(rng.random() < 0.5, sizes.die * 0.75)) is not None:
            jobs.append((DIE, at))
    jobs.sort(key=lambda job: -math.hypot(*(np.array(job[1][:2]) - crop.centre)))
    for kind, (x, y, z) in jobs:
        (_coin, _pawn, _die)[kind - 1](crop, sizes, x, y, z)


def _coin(crop: Crop, sizes: Sizes, x: float, y: float, z: float) -> None:
    rng = crop.rng
    front, suit, value, heading = (
        int(rng.random() < 0.5),
        int(rng.integers(4)),
        int(rng.integers(6)),
        rng.uniform(0, 360),
    )
    top = z + sizes.coin_thick
    texture = coin_face(crop.style, "suit" if front else "value", SUITS[suit], VALUES[value], 64)
    texture = texture * float(rng.normal(1, 0.04))
    circle = ring(x, y, sizes.coin / 2)
    crop.shadow(circle, z, top)
    crop.hull(
        crop.seen(circle, z), crop.seen(circle, top), texture[20:44, :8].mean(axis=(0, 1)) * rng.uniform(0.4, 0.8)
    )
    quad = crop.seen(square(x, y, sizes.coin, heading), top)
    crop.paste(texture, quad, 1.0)
    mx, my = quad.mean(axis=0)
    crop.labels.append(Label(COIN, mx, my, heading, front, suit if front else -1, -1 if front else value))


def _pawn(crop: Crop, sizes: Sizes, x: float, y: float, z: float) -> None:
    rng = crop.rng
    suit = int(rng.integers(4))
    colour = np.array(crop.style.inks[SUITS[suit]])
    if suit == 1 and rng.random() < 0.2:
        colour = colour * 0.6
    colour = np.clip(colour * rng.uniform(0.85, 1.15), 0.02, 1)
    r, high = sizes.pawn / 2, sizes.pawn_high
    crop.shadow(ring(x, y, r * 0.8), z, z + high * 0.95)
    steps = 26
    way = rng.uniform(0, 2 * np.pi)
    gloss = rng.uniform(0, 0.5)
    for i in range(steps):
        t = i / (steps - 1)
        if sizes.pawn_kind == 0:  # a turned cone with a ball on top
            body = 1 - 0.6 * min(1.0, t / 0.62) ** 0.7
            ball = 0.66 * math.sqrt(max(0.0, 1 - ((t - 0.79) / 0.21) ** 2)) if t > 0.58 else 0.0
            radius = r * max(body if t < 0.7 else 0.0, ball, 0.05)
        elif sizes.pawn_kind == 3:  # a cone with a flat head
            radius = r * (1 - 0.5 * min(1.0, t / 0.4) if t < 0.7 else 0.86)
        elif sizes.pawn_kind == 1:  # a cylinder
            radius = r * (0.85 if t < 0.85 else 0.85 - (t - 0.85) * 2)
        else:  # a peg on a foot
            radius = r * (
                1.0 if t < 0.18 else 0.55 if t < 0.75 else 0.62 * math.sqrt(max(0.05, 1 - ((t - 0.8) / 0.21) ** 2))
            )
        shade = 0.55 + 0.5 * t
        crop.fill(crop.seen(ring(x, y, radius, 24), z + high * t), np.clip(colour * shade, 0, 1))
    top = crop.seen(np.array([[x, y]]), z + high)[0] + r * 0.25 * np.array([math.cos(way), math.sin(way)])
    crop.fill(ring(top[0], top[1], r * 0.22, 16), np.clip(colour * 1.1 + gloss, 0, 1))
    foot = crop.seen(np.array([[x, y]]), z)[0]
    crop.labels.append(Label(PAWN, foot[0], foot[1], 0.0, -1, suit, -1))


def _die(crop: Crop, sizes: Sizes, x: float, y: float, z: float) -> None:
    rng = crop.rng
    suit, value, heading = int(rng.integers(4)), int(rng.integers(6)), float(rng.uniform(0, 360))
    foot = square(x, y, sizes.die, heading)
    crop.shadow(foot, z, z + sizes.die)
    low, top = crop.seen(foot, z), crop.seen(foot, z + sizes.die)
    others = [v for v in range(6) if v != value]
    rng.shuffle(others)
    shades = rng.uniform(0.35, 0.95, 4)
    crop.hull(low, top, np.array(crop.style.die_ground) * 0.4)
    for i in range(4):
        j = (i + 1) % 4
        side = np.array([top[j], top[i], low[i], low[j]])
        if float(np.linalg.det(np.diff(side[:3], axis=0))) > 0.5:  # turned to the camera
            crop.paste(die_face(crop.style, SUITS[suit], VALUES[others[i]], 40), side, 0.0, float(shades[i]))
    crop.paste(die_face(crop.style, SUITS[suit], VALUES[value], 48), top, 0.0, float(rng.normal(1, 0.04)))
    mx, my = top.mean(axis=0)
    crop.labels.append(Label(DIE, mx, my, heading, -1, suit, value))
