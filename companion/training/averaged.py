"""The mean of two networks of which one was trained on from the other: it keeps more of what the first one knew.

`python -m companion.training.averaged FIRST SECOND pyramid_hues` reads pyramid_hues.onnx and .npz of two folders and
writes their mean to companion/vision/weights (or `--out`). Needs onnx.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from companion.vision.pyramid_look import WEIGHTS


def main() -> None:
    """Average both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("name")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    first, second = (onnx.load(str(folder / f"{options.name}.onnx")) for folder in (options.first, options.second))
    known = {one.name: numpy_helper.to_array(one) for one in first.graph.initializer}
    for one in second.graph.initializer:
        values = numpy_helper.to_array(one)
        if np.issubdtype(values.dtype, np.floating):
            one.CopyFrom(numpy_helper.from_array(((known[one.name] + values) / 2).astype(values.dtype), one.name))
    onnx.save(second, str(options.out / f"{options.name}.onnx"))
    with np.load(options.first / f"{options.name}.npz") as a, np.load(options.second / f"{options.name}.npz") as b:
        np.savez(
            options.out / f"{options.name}.npz", **{name: ((a[name] + b[name]) / 2).astype(b[name].dtype) for name in b}
        )


if __name__ == "__main__":
    main()
