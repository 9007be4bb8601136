"""Array types of the simulator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Floats = NDArray[np.floating[Any]]  # millimetres, pixels or linear light
Mask = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]
Pixels = NDArray[np.uint8]  # (height, width, 3) BGR
Colour = tuple[float, float, float]  # linear light, BGR
