"""The ground of a simulated table as the eye sees it: what lessons of free tables are cut from."""

import time

import numpy as np
from numpy.typing import NDArray

from companion.simulator.scene import Scene
from companion.vision.ground.foreground import Ground, see_ground
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of


def ground_of(scene: Scene, pixels: NDArray[np.uint8]) -> Ground | None:
    """The table from above, by the markers that the eye finds; None where it does not find them."""
    eye = Eye(EyeSettings(), scene.camera.lens, scene.markers.places, None)
    try:
        look = eye.look(frame_of(pixels, time.monotonic(), 0))
    except RuntimeError:
        return None
    return see_ground(eye.table_picture(look))
