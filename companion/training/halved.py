"""Weights in half precision: half as much to install. OpenCV reckons with them in single precision."""

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def write_halved(path: Path) -> None:
    """Keep the weights of an ONNX file in half precision. ValueError where one is too large for that."""
    network = onnx.load(str(path))
    for stored in network.graph.initializer:
        values = numpy_helper.to_array(stored)
        if values.dtype != np.float32:
            continue
        if np.abs(values).max(initial=0) > np.finfo(np.float16).max:
            raise ValueError(f"{stored.name} of {path} is too large for half precision")
        stored.CopyFrom(numpy_helper.from_array(values.astype(np.float16), stored.name))
    onnx.save(network, str(path))
