"""Lamp, window and the room: how much light falls where, and what a shiny face mirrors."""

import math
from dataclasses import dataclass

import numpy as np

from companion.simulator.arrays import Colour, Floats


@dataclass(frozen=True, slots=True)
class Lamp:
    """An area light: sample points (S, 3) in mm, colour (irradiance at the table's middle), spread of its lobe."""

    points: tuple[tuple[float, float, float], ...]
    colour: Colour
    sharpness: float  # of its reflection: 2 / (angular radius in rad) squared

    @property
    def middle(self) -> Floats:
        """(3,) mean of the sample points."""
        return np.asarray(np.array(self.points).mean(axis=0), np.float64)


@dataclass(frozen=True, slots=True)
class Room:
    """All the light there is: lamps, and the ceiling, walls and table that fill in (linear BGR)."""

    lamps: tuple[Lamp, ...]
    ceiling: Colour = (0.30, 0.30, 0.30)
    walls: Colour = (0.16, 0.17, 0.18)
    below: Colour = (0.10, 0.10, 0.11)


def window(azimuth_deg: float, elevation_deg: float, distance_mm: float, width_mm: float, colour: Colour) -> Lamp:
    """An upright pane at some distance; four points across, three up."""
    a, e = math.radians(azimuth_deg), math.radians(elevation_deg)
    out = np.array([math.cos(a), math.sin(a), 0.0])
    side = np.array([-math.sin(a), math.cos(a), 0.0])
    middle = out * distance_mm * math.cos(e) + np.array([0.0, 0.0, distance_mm * math.sin(e)])
    across = (np.arange(4) + 0.5) / 4 - 0.5
    up = np.array([-0.33, 0.0, 0.33])
    points = tuple(
        (float(p[0]), float(p[1]), float(max(60.0, p[2])))
        for u in up
        for s in across
        for p in [middle + side * s * width_mm + np.array([0.0, 0.0, u * width_mm * 0.9])]
    )
    return Lamp(points, colour, 2.0 / max(0.02, width_mm / 2 / distance_mm) ** 2)


def lamp(x: float, y: float, z: float, radius_mm: float, colour: Colour) -> Lamp:
    """A disc hanging over the table: its middle and six points round it."""
    ring = [
        (radius_mm * 0.75 * math.cos(a), radius_mm * 0.75 * math.sin(a))
        for a in (2 * math.pi * i / 6 for i in range(6))
    ]
    points = tuple((x + dx, y + dy, z) for dx, dy in ((0.0, 0.0), *ring))
    return Lamp(points, colour, 2.0 / max(0.02, radius_mm / math.dist((0, 0, 0), (x, y, z))) ** 2)


def falling(lamp_: Lamp, points: Floats, normals: Floats) -> Floats:
    """(N, S) light that each sample sends to points with normals, 1 = what the table's middle would get upright."""
    sources = np.array(lamp_.points)
    to = sources[None] - points[:, None]
    squared = np.einsum("nsk,nsk->ns", to, to)
    cosine = np.einsum("nsk,nk->ns", to, normals) / np.sqrt(squared)
    reference = np.einsum("sk,sk->s", sources, sources)
    return np.asarray(np.maximum(cosine, 0.0) * reference / squared / len(sources))


def ambient(room: Room, normals: Floats) -> Floats:
    """(N, 3) diffuse light from ceiling, walls and table on faces turned this way."""
    up = normals[:, 2:3]
    sky = np.clip(0.5 + 0.5 * up, 0, 1)
    return np.asarray(
        sky**1.5 * np.array(room.ceiling)
        + (1 - np.abs(up)) * 0.5 * np.array(room.walls)
        + (1 - sky) * np.array(room.below)
    )


def seen_in(room: Room, directions: Floats, rough: Floats, points: Floats) -> Floats:
    """(N, 3) what shiny faces at these points mirror: room and lamps in these directions, smeared by roughness."""
    z = directions[:, 2:3]
    up = np.clip(z / np.maximum(0.15, rough[:, None]) * 0.5 + 0.5, 0.0, 1.0)
    height = np.clip(z, 0.0, 1.0)
    above = np.array(room.walls) * (1 - height) + np.array(room.ceiling) * height
    light = above * up + np.array(room.below) * (1 - up)
    for source in room.lamps:
        to = source.middle - points
        to /= np.linalg.norm(to, axis=1, keepdims=True)
        sharp = 1.0 / (1.0 / source.sharpness + np.maximum(0.0004, rough**2 * 0.5))
        lobe = np.exp(sharp * (np.einsum("ij,ij->i", directions, to) - 1.0)) * sharp / 2
        light = light + lobe[:, None] * np.array(source.colour)
    return np.asarray(light)
