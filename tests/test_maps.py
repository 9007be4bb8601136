"""The packages with the most modules begin with a map of them, which names each."""

import importlib
from fnmatch import fnmatch
from pathlib import Path

import pytest


@pytest.mark.parametrize("package", ["companion.referee", "companion.vision"])
def test_the_map_of_a_package_names_every_module_and_no_other(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__file__
    assert module.__doc__
    named = [word for line in module.__doc__.splitlines() if line.startswith("    ") for word in line.split()]
    there = [path.stem for path in Path(module.__file__).parent.glob("*.py") if path.stem != "__init__"]
    assert [name for name in there if not any(fnmatch(name, word) for word in named)] == []
    assert [word for word in named if not any(fnmatch(name, word) for name in there)] == []
