"""What pieces of a piecepack lie among in painted crops, and how a camera shows it: tops, clutter, light and noise."""

import math

import cv2
import numpy as np

from companion.simulator.piecepack_art import PEN, digit, put, random_piecepack_style
from companion.simulator.surfaces import SURFACES, USUAL
from companion.training.piecepack_crop import FINE, MM_PER_PX, SIDE_PX, Crop, Label, mm, ring, square
from companion.training.piecepack_prints import DIGITS, fonts


def digit_fonts() -> tuple[str, ...]:
    """Of digits: the pen three times, and every font of this machine once."""
    return (PEN, PEN, PEN, *(file for files in fonts(DIGITS) for file in files))


def background(crop: Crop) -> None:
    """A table top with some clutter, which fills the canvas."""
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
    style = random_piecepack_style(rng, digit_fonts())
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


def developed(crop: Crop) -> None:
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
