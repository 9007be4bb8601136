"""Averages trained weights of `pyramid_network` that come from one start: what was known is kept beside what is new.

`python -m companion.training.pyramid_blend --out FOLDER FIRST=0.25 THIRD=0.25 LAST=0.5` takes folders and their shares.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

NAME = "pyramid_look"


def main() -> None:
    """Read all, average, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("parts", nargs="+", help="FOLDER=SHARE")
    given = parser.parse_args()
    parts = [(Path(text.rsplit("=", 1)[0]), float(text.rsplit("=", 1)[1])) for text in given.parts]
    if abs(sum(share for _, share in parts) - 1) > 1e-6:
        parser.error("the shares must add up to 1")
    model = onnx.load(str(parts[0][0] / f"{NAME}.onnx"))
    others = [
        [numpy_helper.to_array(v) for v in onnx.load(str(p / f"{NAME}.onnx")).graph.initializer] for p, _ in parts
    ]
    for number, value in enumerate(model.graph.initializer):
        mixed = sum(share * one[number] for one, (_, share) in zip(others, parts, strict=True))
        value.CopyFrom(numpy_helper.from_array(np.asarray(mixed, np.float32), value.name))
    onnx.save(model, str(given.out / f"{NAME}.onnx"))
    heads = [np.load(folder / f"{NAME}.npz") for folder, _ in parts]
    arrays = {k: sum(s * h[k] for h, (_, s) in zip(heads, parts, strict=True)) for k in heads[0].files}
    np.savez(given.out / f"{NAME}.npz", **{k: np.asarray(v, np.float32) for k, v in arrays.items()})


if __name__ == "__main__":
    main()
