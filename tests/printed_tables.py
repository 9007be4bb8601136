"""Printed sheets lying on rendered tables, and what the eye makes of them."""

import math

import numpy as np

from calibration.paper import Drawing
from companion.simulator.prints import Print
from companion.simulator.scene import Scene
from companion.view import BoardPose, BoardShape
from companion.vision.pipeline import Eye
from companion.vision.readers import reader_module
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from tests.printed import picture_of


def paper(drawing: Drawing, x: float, y: float, turn: float) -> Print:
    """The sheet as it lies on a table."""
    ink = ((picture_of(drawing, 4) / 255.0) ** 2.2 * 0.85).astype(np.float32)
    return Print(np.ascontiguousarray(ink), drawing.width, drawing.height, x, y, turn, 0.0, 0.3)


def turned(x: float, y: float, turn: float, at: tuple[float, float]) -> tuple[float, float]:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return at[0] + c * x - s * y, at[1] + s * x + c * y


def seen(scene: Scene, picture: np.ndarray, game: str, shape: BoardShape | None = None, pose: BoardPose | None = None):
    eye = Eye(EyeSettings(), scene.camera.lens, scene.markers.places, shape, reader_module(game).new_reader(), pose)
    return eye.read(Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table"))
