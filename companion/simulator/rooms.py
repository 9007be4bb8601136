"""Light, cameras and sensors as they come: random, by seed."""

import dataclasses
import math

import numpy as np

from calibration.lens import Lens
from calibration.table import CameraPose
from companion.simulator.arrays import Colour
from companion.simulator.light import Lamp, Room, lamp, window
from companion.simulator.scene import look_down
from companion.simulator.sensor import Sensor

WARM, NEUTRAL, COLD = (0.55, 0.82, 1.0), (0.95, 1.0, 1.0), (1.0, 0.92, 0.82)  # BGR


def _mixed(a: Colour, b: Colour, share: float, strength: float) -> Colour:
    x, y, z = (float((p * (1 - share) + q * share) * strength) for p, q in zip(a, b, strict=True))
    return x, y, z


def random_room(rng: np.random.Generator) -> Room:
    """Window, lamp or both, with the filling light of a bright or dark room."""
    mode = str(rng.choice(["window", "lamp", "both"], p=(0.35, 0.35, 0.3)))
    lamps: list[Lamp] = []
    if mode != "lamp":
        day = _mixed(COLD, NEUTRAL, float(rng.uniform(0, 1)), float(rng.uniform(0.5, 1.0)))
        distance = float(rng.uniform(1200, 2800))
        lamps.append(
            window(float(rng.uniform(0, 360)), float(rng.uniform(18, 52)), distance, float(rng.uniform(500, 1500)), day)
        )
    if mode != "window":
        glow = _mixed(WARM, NEUTRAL, float(rng.uniform(0, 1)), float(rng.uniform(0.4, 1.0)))
        angle, out = rng.uniform(0, 2 * np.pi), rng.uniform(60, 700)
        high, radius = float(rng.uniform(550, 1600)), float(rng.uniform(20, 160))
        lamps.append(lamp(float(out * np.cos(angle)), float(out * np.sin(angle)), high, radius, glow))
    fill = float(rng.uniform(0.15, 0.6))
    tint = np.mean([np.array(source.colour) / max(source.colour) for source in lamps], axis=0)
    wall = tint * rng.uniform(0.7, 1.0, 3) * fill
    ceiling: Colour = (float(tint[0] * fill), float(tint[1] * fill), float(tint[2] * fill))
    walls: Colour = (float(wall[0] * 0.6), float(wall[1] * 0.6), float(wall[2] * 0.6))
    return Room(tuple(lamps), ceiling, walls, (ceiling[0] * 0.3, ceiling[1] * 0.3, ceiling[2] * 0.3))


def random_camera(rng: np.random.Generator, width: int = 1600, height: int = 1200) -> CameraPose:
    """Hung above the table as people hang cameras: near the middle, tilted by up to some 15 degrees."""
    share = float(rng.uniform(0.74, 0.90))
    lens = Lens(
        width,
        height,
        fx=width * share,
        fy=width * share * float(rng.uniform(0.997, 1.003)),
        cx=width / 2 - 0.5 + float(rng.normal(0, 8)),
        cy=height / 2 - 0.5 + float(rng.normal(0, 8)),
        k1=float(rng.uniform(-0.12, 0.03)),
        k2=float(rng.uniform(-0.02, 0.04)),
        p1=float(rng.normal(0, 0.0005)),
        p2=float(rng.normal(0, 0.0005)),
        k3=float(rng.normal(0, 0.003)),
    )
    high = float(rng.uniform(700, 920)) * share / 0.82
    tilt = np.radians(min(15.0, abs(float(rng.normal(0, 6.5)))))
    angle = rng.uniform(0, 2 * np.pi)
    out = float(np.tan(tilt)) * high
    aim = (float(rng.normal(0, 12)), float(rng.normal(0, 12)))
    x, y = aim[0] + out * float(np.cos(angle)), aim[1] + out * float(np.sin(angle))
    rotation, translation = look_down(high, x, y, aim, float(rng.normal(0, 3)))
    return CameraPose(lens, rotation, translation)


def from_the_side(camera: CameraPose, far_mm: float, tilt_deg: float, angle: float, roll_deg: float) -> CameraPose:
    """The camera so far from the table's middle, which it looks at, so much tilted to the side that `angle` tells."""
    out, high = far_mm * math.sin(math.radians(tilt_deg)), far_mm * math.cos(math.radians(tilt_deg))
    turned = look_down(high, out * math.cos(angle), out * math.sin(angle), (0.0, 0.0), roll_deg)
    return dataclasses.replace(camera, rotation=turned[0], translation=turned[1])


def random_exposure(rng: np.random.Generator) -> tuple[float, float]:
    """Screen values of the bright parts and of the mean, at most, of a picture."""
    return float(rng.uniform(0.5, 0.85)), float(rng.uniform(0.34, 0.48))


def random_sensor(rng: np.random.Generator, room: Room) -> Sensor:
    """A camera whose white balance is nearly right for this room's light."""
    light = np.array(room.ceiling) + sum(np.array(source.colour) for source in room.lamps)
    wanted = light.mean() / light
    done = rng.uniform(0.55, 1.05)
    balance = wanted**done * rng.uniform(0.96, 1.04, 3)
    return Sensor(
        balance=(float(balance[0]), float(balance[1]), float(balance[2])),
        vignette=float(rng.uniform(0.05, 0.45)),
        blur_px=float(rng.uniform(0.35, 1.05)),
        shot=float(rng.uniform(0.004, 0.016)),
        read=float(rng.uniform(0.0015, 0.005)),
        contrast=float(rng.uniform(-0.1, 0.6)),
        saturation=float(rng.uniform(0.85, 1.2)),
        sharpen=float(rng.uniform(0.0, 0.7)),
        glare=float(rng.uniform(0.0, 0.06)),
        jpeg=int(rng.choice([0, 82, 88, 92, 96])),
    )


def nudged(camera: CameraPose, rng: np.random.Generator, amount_mm: float) -> CameraPose:
    """The camera after somebody knocked against its arm."""
    turn = rng.normal(0, amount_mm / 900, 3)
    shift = rng.normal(0, amount_mm, 3) * (1.0, 1.0, 0.3)
    x, y, z = turn
    small = np.array([[1.0, -z, y], [z, 1.0, -x], [-y, x, 1.0]])
    u, _, v = np.linalg.svd(small)
    return dataclasses.replace(camera, rotation=u @ v @ camera.rotation, translation=camera.translation + shift)
