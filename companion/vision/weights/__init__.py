"""What trainings fitted, with the figures it was measured at beside it; `companion.training` says how each was made."""

import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from companion.vision.errors import UnusableWeights
from companion.vision.plans import loaded

WEIGHTS = Path(__file__).parent  # the folder that holds them
# what reading a torn file ends in, or one that is whole and something else: a zip may say that it is encrypted
DAMAGE = (OSError, EOFError, ValueError, TypeError, RuntimeError, zipfile.BadZipFile, zlib.error)


class Held(dict[str, Any]):
    """What a file of weights holds, by name; UnusableWeights for a name that is not among them."""

    def __init__(self, path: Path, *held: Any) -> None:
        super().__init__(*held)
        self._path = path

    def __missing__(self, name: str) -> NoReturn:
        raise UnusableWeights(self._path, f"{name!r} is missing")


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file. UnusableWeights, later too where one is missing."""
    try:
        with path.open("rb") as file, np.lib.npyio.NpzFile(file) as arrays:
            return Held(path, arrays)
    except DAMAGE as error:
        raise UnusableWeights(path, error) from error


def about(path: Path) -> Mapping[str, Any]:
    """What a .json file says of the weights beside it. UnusableWeights, later too where something is missing."""
    try:
        return Held(path, json.loads(path.read_text(encoding="utf-8"), object_hook=partial(Held, path)))
    except DAMAGE as error:
        raise UnusableWeights(path, error) from error


# ending -> how such a file is read
READ: Mapping[str, Callable[[Path], object]] = {".npz": arrays_of, ".json": about, ".onnx": loaded}
