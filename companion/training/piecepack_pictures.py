"""Paints crops of tables with piecepack pieces straight from above, quickly, for training; labels come with them.

The painter knows height only as a lean away from the camera and light only as a gradient and a soft shadow: it is
not the simulator, whose tables stay for measuring. Pictures are drawn in screen colours.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.pieces import SUITS, VALUES
from companion.simulator.piecepack_art import (
    PEN,
    PiecepackStyle,
    coin_face,
    die_face,
    digit,
    put,
    random_piecepack_style,
    tile_back,
    tile_front,
)
from companion.simulator.surfaces import SURFACES, USUAL
from companion.training.piecepack_prints import DIGITS, fonts, printed_style

MM_PER_PX = 0.6  # as `companion.vision.foreground` draws the table
SIDE_PX = 320
FINE = 2  # painted so much finer
TILE, COIN, PAWN, DIE = range(4)


@dataclass(frozen=True, slots=True)
class Label:
    """A painted piece: where its top (a pawn's foot) is seen in pixels of the crop, and what it shows."""

    kind: int
    x: float
    y: float
    heading_deg: float  # of the upper edge, counter-clockwise from the right, as seen
    front: int = -1  # tile: 1 front 0 back; coin: 1 suit side, 0 value side
    suit: int = -1
    value: int = -1


@dataclass
class Crop:
    """A picture (SIDE_PX, SIDE_PX, 3) uint8, white-balanced, its pieces, and the lean (x right, y down) per mm."""

    rng: np.random.Generator
    style: PiecepackStyle
    centre: np.ndarray  # pixels: the point below the camera
    high: float  # pixels
    labels: list[Label] = field(default_factory=list)
    canvas: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), np.float32))
    light: np.ndarray = field(default_factory=lambda: np.zeros(2))  # shadow's way per height
    soft: float = 1.0
    dark: float = 0.5

    def seen(self, points: np.ndarray, z: float) -> np.ndarray:
        """(N, 2) pixels on the table at height z (pixels) as seen."""
        return np.asarray(self.centre + (points - self.centre) * self.high / (self.high - z))

    def px(self, points: np.ndarray) -> np.ndarray:
        """Canvas coordinates with four bits of fraction."""
        return np.rint(((points + 0.5) * FINE - 0.5) * 16).astype(np.int32)

    def fill(self, points: np.ndarray, colour: np.ndarray) -> None:
        """A filled convex polygon."""
        cv2.fillConvexPoly(self.canvas, self.px(points), tuple(float(c) for c in colour), cv2.LINE_AA, 4)

    def hull(self, low: np.ndarray, top: np.ndarray, colour: np.ndarray) -> None:
        """What a body with these two ends covers."""
        points = cv2.convexHull(np.vstack([low, top]).astype(np.float32))[:, 0]
        self.fill(points, colour)

    def shadow(self, points: np.ndarray, z0: float, z1: float) -> None:
        """Darkens what the body from z0 to z1 shades on the plane z0."""
        thrown = np.vstack([self.seen(points, z0), self.seen(points + self.light * (z1 - z0), z0)])
        hull = cv2.convexHull(thrown.astype(np.float32))[:, 0]
        low = np.maximum(np.floor(hull.min(axis=0) * FINE).astype(int) - 12, 0)
        high = np.minimum(np.ceil(hull.max(axis=0) * FINE).astype(int) + 12, self.canvas.shape[0])
        if (low >= high).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillConvexPoly(mask, self.px(hull) - low.astype(np.int32) * 16, 1.0, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), self.soft * FINE * (0.6 + 0.04 * (z1 - z0)))
        self.canvas[low[1] : high[1], low[0] : high[0]] *= 1 - self.dark * mask[..., None]

    def paste(self, texture: np.ndarray, quad: np.ndarray, round_: float = 0.0, shade: float = 1.0) -> None:
        """A texture on a quadrilateral: top left, top right, bottom right, bottom left; `round_` 1 is a disc."""
        side = texture.shape[0]
        at = (quad + 0.5) * FINE - 0.5
        low = np.maximum(np.floor(at.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(at.max(axis=0)).astype(int) + 2, self.canvas.shape[0])
        if (low >= high).any():
            return
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners, (at - low).astype(np.float32))
        shrink = side / max(1.0, float(np.linalg.norm(at[1] - at[0])))
        fine = cv2.GaussianBlur(texture, (0, 0), 0.4 * shrink) if shrink > 1.2 else texture
        part = cv2.warpPerspective(fine, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cover = np.zeros((size[1], size[0]), np.float32)
        if round_ >= 1:
            ring = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * np.pi, 40, endpoint=False)])
            points = side / 2 + ring * side / 2 - 0.5
            outline = cv2.perspectiveTransform(points[None].astype(np.float32), matrix)[0]
        else:
            outline = at - low
        cv2.fillConvexPoly(cover, np.rint(outline * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        window = self.canvas[low[1] : high[1], low[0] : high[0]]
        window += cover[..., None] * (part * shade - window)


def square(x: float, y: float, side: float, heading: float) -> np.ndarray:
    """Corners top left, top right, bottom right, bottom left; the top points along `heading`."""
    a = math.radians(heading)
    up, right = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])
    h = side / 2
    corners = [up * h - right * h, up * h + right * h, right * h - up * h, -up * h - right * h]
    return np.asarray(np.array([x, y]) + np.array(corners))


def ring(x: float, y: float, radius: float, count: int = 36) -> np.ndarray:
    """A circle as a polygon."""
    a = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.array([x, y]) + radius * np.stack([np.cos(a), np.sin(a)], axis=1)


def mm(value: float) -> float:
    """Millimetres in pixels of the crop."""
    return value / MM_PER_PX


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


def _fonts() -> tuple[str, ...]:
    """Of digits: the pen three times, and every font of this machine once."""
    return (PEN, PEN, PEN, *(file for files in fonts(DIGITS) for file in files))


def paint(seed: int, crowded: bool = False, printed: bool = False) -> Crop:
    """A random crop; the same seed gives the same one. A crowded one has many coins, pawns and dice.

    `printed`: with digits and signs of this machine's fonts.
    """
    rng = np.random.default_rng([seed, 101])
    style = random_piecepack_style(rng, _fonts())
    style = printed_style(seed) if printed else style
    angle, out = rng.uniform(0, 2 * np.pi), mm(rng.uniform(0, 430))
    centre = SIDE_PX / 2 + out * np.array([math.cos(angle), math.sin(angle)])
    crop = Crop(rng, style, centre, mm(rng.uniform(680, 1050)))
    way = rng.uniform(0, 2 * np.pi)
    crop.light = np.array([math.cos(way), math.sin(way)]) * rng.uniform(0.0, 1.3)
    crop.soft, crop.dark = float(rng.uniform(0.4, 2.5)), float(rng.uniform(0.1, 0.65))
    _background(crop)
    sizes = random_sizes(rng)
    tiles = _tiles(crop, sizes)
    _small(crop, sizes, tiles, (20, 14, 24) if crowded else (12, 4, 8))
    _developed(crop)
    return crop


def _background(crop: Crop) -> None:
    rng = crop.rng
    kind = str(rng.choice(USUAL))
    side = SIDE_PX
    texture = SURFACES[kind](rng, (side, side), 1 / MM_PER_PX * float(rng.uniform(0.7, 1.3)))
    if rng.random() < 0.25:  # any colour that a table may have
        texture = texture / max(1e-3, float(texture.mean())) * rng.uniform(0.08, 0.85, 3)
    texture = np.clip(np.rot90(texture, int(rng.integers(4))), 0, 1).astype(np.float32)
    crop.canvas = cv2.resize(texture, (side * FINE, side * FINE), interpolation=cv2.INTER_LINEAR)
    for _ in range(int(rng.poisson(0.7))):
        _clutter(crop, int(rng.choice(6, p=(0.12, 0.35, 0.15, 0.12, 0.11, 0.15))))


def _clutter(crop: Crop, kind: int) -> None:
    rng = crop.rng
    x, y = rng.uniform(0, SIDE_PX, 2)
    colour = rng.uniform(0.03, 0.95, 3)
    if kind == 0:  # a sheet or card with writing
        quad = square(x, y, mm(rng.uniform(50, 120)), rng.uniform(0, 360))
        crop.fill(quad, colour)
        for _ in range(int(rng.integers(3, 14))):
            a, b = rng.uniform(0.1, 0.9, 2), rng.uniform(0.02, 0.2)
            start = quad[0] + (quad[1] - quad[0]) * a[0] + (quad[3] - quad[0]) * a[1]
            end = start + (quad[1] - quad[0]) * b
            ends = np.rint(np.array([start, end]) * FINE).astype(int)
            ink = tuple(float(c) for c in rng.uniform(0, 1, 3))
            cv2.line(crop.canvas, ends[0].tolist(), ends[1].tolist(), ink, int(rng.integers(1, 7)), cv2.LINE_AA)
    elif kind == 1:  # a track of numbered cells
        _track(crop, x, y)
    elif kind == 2:  # a round thing
        radius, high = mm(rng.uniform(4, 32)), mm(rng.uniform(1, 30))
        crop.shadow(ring(x, y, radius), 0, high)
        crop.hull(ring(x, y, radius), crop.seen(ring(x, y, radius), high), colour * 0.6)
        crop.fill(crop.seen(ring(x, y, radius), high), colour)
        if rng.random() < 0.5:
            crop.fill(crop.seen(ring(x, y, radius * rng.uniform(0.3, 0.9)), high), rng.uniform(0, 1, 3))
    elif kind == 5:  # a print of black and white cells
        cells = np.kron(rng.integers(0, 2, (6, 6)), np.ones((8, 8))).astype(np.float32) * 0.75 + 0.1
        cells = np.repeat(np.pad(cells, 5, constant_values=0.85)[..., None], 3, axis=2)
        crop.paste(cells, square(x, y, mm(rng.uniform(30, 60)), rng.uniform(0, 360)))
    elif kind == 3:  # a long thing
        heading, width = rng.uniform(0, 360), mm(rng.uniform(3, 20))
        quad = square(x, y, width, heading)
        way = (quad[0] - quad[3]) / width * mm(rng.uniform(20, 90))
        quad += np.array([way, way, -way, -way])
        crop.shadow(quad, 0, mm(6))
        crop.fill(quad, colour)
    else:  # a block
        side, high = mm(rng.uniform(8, 60)), mm(rng.uniform(1, 20))
        quad = square(x, y, side, rng.uniform(0, 360))
        crop.shadow(quad, 0, high)
        crop.hull(quad, crop.seen(quad, high), colour * 0.6)
        crop.fill(crop.seen(quad, high), colour)


def _track(crop: Crop, x: float, y: float) -> None:
    rng = crop.rng
    cell, heading = mm(rng.uniform(20, 30)), float(rng.uniform(0, 360))
    ground, ink = rng.uniform(0.05, 0.95, 3), rng.uniform(0, 1, 3)
    if rng.random() < 0.4:
        ground, ink = rng.uniform(0.7, 0.95, 3), rng.uniform(0, 0.2, 3)
    count, first = int(rng.integers(4, 9)), int(rng.integers(0, 8))
    a = math.radians(heading)
    right = np.array([math.sin(a), math.cos(a)])
    style = random_piecepack_style(rng, _fonts())
    for i in range(count):
        mx, my = np.array([x, y]) + right * cell * (i - count / 2)
        face = np.empty((64, 64, 3), np.float32)
        face[:] = ground
        cv2.rectangle(face, (0, 0), (63, 63), tuple(float(c) for c in ink), 2)
        number = (first + i) % 10
        if number in (2, 3, 4, 5):
            put(face, digit(style, str(number), 26), 0.5, 0.5, (float(ink[0]), float(ink[1]), float(ink[2])))
        else:
            cv2.putText(cover := np.zeros((64, 64), np.uint8), str(number), (20, 44), 0, 1.0, 255, 3, cv2.LINE_AA)
            face += (cover / np.float32(255))[..., None] * (ink.astype(np.float32) - face)
        crop.paste(face, square(mx, my, cell, heading))
        crop.labels.append(Label(-1 if rng.random() < 0.25 else -2, mx, my, heading))  # a coin may lie there


def _tiles(crop: Crop, sizes: Sizes) -> list[tuple[float, float, float]]:
    rng = crop.rng
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
    inside = [(x, y, h) for x, y, h in places if -60 < x < SIDE_PX + 60 and -60 < y < SIDE_PX + 60]
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
        if float(np.cross(side[1] - side[0], side[2] - side[1])) > 0.5:  # turned to the camera
            crop.paste(die_face(crop.style, SUITS[suit], VALUES[others[i]], 40), side, 0.0, float(shades[i]))
    crop.paste(die_face(crop.style, SUITS[suit], VALUES[value], 48), top, 0.0, float(rng.normal(1, 0.04)))
    mx, my = top.mean(axis=0)
    crop.labels.append(Label(DIE, mx, my, heading, -1, suit, value))


def _developed(crop: Crop) -> None:
    """Light, lens, noise and compression."""
    rng = crop.rng
    picture = cv2.resize(crop.canvas, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    u, v = np.meshgrid(np.linspace(-1, 1, SIDE_PX, dtype=np.float32), np.linspace(-1, 1, SIDE_PX, dtype=np.float32))
    a, b = rng.normal(0, 0.12, 2)
    tint = 1 + rng.normal(0, 0.05, 3)
    picture = picture * ((1 + a * u + b * v) * float(rng.uniform(0.5, 1.35)))[..., None] * tint
    if rng.random() < 0.25:  # the mirrored glow of a lamp
        x, y, wide = *rng.uniform(-1, 1, 2), rng.uniform(0.2, 0.9)
        picture += (rng.uniform(0.03, 0.25) * np.exp(-((u - x) ** 2 + (v - y) ** 2) / wide**2))[..., None]
    contrast = float(rng.uniform(0.8, 1.25))
    picture = np.clip(picture, 0, 1.2) ** contrast
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * float(rng.uniform(0.75, 1.2))
    native = round(SIDE_PX * float(rng.uniform(0.68, 1.0)))
    small = cv2.resize(picture.astype(np.float32), (native, native), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.95)))
    small += rng.normal(0, rng.uniform(0.002, 0.022), small.shape).astype(np.float32)
    if rng.random() < 0.4:
        small += 0.5 * float(rng.uniform(0.2, 1)) * (small - cv2.GaussianBlur(small, (0, 0), 1.2))
    coded = (np.clip(small, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))]
        coded = cv2.imdecode(cv2.imencode(".jpg", coded, quality)[1], cv2.IMREAD_COLOR)
    crop.canvas = cv2.resize(coded, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR)
