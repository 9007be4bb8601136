"""The mean of several networks that were trained on from the first: it keeps more of what that one knew.

`python -m companion.training.averaged pyramid_hues FIRST SECOND ...` reads pyramid_hues.onnx and .npz of these folders
and writes their mean to companion/vision/weights (or `--out`). Needs onnx.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from companion.training.folders import made_folder
from companion.training.halved import write_halved
from companion.vision.weights import WEIGHTS


def main() -> None:
    """Average both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    options = parser.parse_args()
    networks = [onnx.load(str(folder / f"{options.name}.onnx")) for folder in options.folders]
    layers = [{one.name: numpy_helper.to_array(one) for one in network.graph.initializer} for network in networks]
    for one in networks[0].graph.initializer:
        if np.issubdtype(layers[0][one.name].dtype, np.floating):
            one.CopyFrom(numpy_helper.from_array(_mean([known[one.name] for known in layers]), one.name))
    onnx.save(networks[0], str(options.out / f"{options.name}.onnx"))
    write_halved(options.out / f"{options.name}.onnx")
    paths = [folder / f"{options.name}.npz" for folder in options.folders]
    if not paths[0].exists():  # this network has no layer outside its graph
        return
    files = [dict(np.load(path)) for path in paths]
    means: dict[str, Any] = {name: _mean([known[name] for known in files]) for name in files[0]}
    np.savez(options.out / f"{options.name}.npz", **means)


def _mean(values: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    return np.asarray(np.mean(values, axis=0), values[0].dtype)


if __name__ == "__main__":
    main()
