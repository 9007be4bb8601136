"""What trainings fitted, with the figures it was measured at beside it; `companion.training` says how each was made."""

import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.errors import UnusableWeights

WEIGHTS = Path(__file__).parent  # the folder that holds them
DAMAGE = (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error)  # what reading a torn file ends in


def arrays_of(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file. UnusableWeights."""
    try:
        with path.open("rb") as file, np.load(file) as arrays:
            return dict(arrays)
    except DAMAGE as error:
        raise UnusableWeights(path, error) from error


def about(path: Path) -> Mapping[str, Any]:
    """What a .json file says of the weights beside it. UnusableWeights."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except DAMAGE as error:
        raise UnusableWeights(path, error) from error
