"""The recipes of trainings can be followed: modules, options and records are there, and a step that fails is told."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.training.recipes import RECIPES, steps

TRAINING = Path(__file__).parents[2] / "companion/training"
WEIGHTS = TRAINING.parent / "vision/weights"
RECORDS = TRAINING / "records"


def options_of(module: str) -> set[str]:
    """What a module's command line takes: options that it adds itself, or a module of trainings that it imports."""
    tree = ast.parse((TRAINING / f"{module}.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    names = {arg.value for call in calls for arg in call.args if call.func.attr == "add_argument"}
    imported = {
        node.module.removeprefix("companion.training.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion.training.")
    }
    return names.union(*(options_of(one) for one in imported & {"lesson_folder", "pyramid_network"}))


@pytest.mark.parametrize("network", RECIPES)
def test_every_step_calls_a_module_with_options_that_it_has(network, tmp_path):
    for module, *options in steps(network, tmp_path / "with space"):
        given = {option for option in options if option.startswith("--")}
        assert given, module
        assert given <= options_of(module), module
        assert any(str(tmp_path / "with space") in option for option in options) or module == "piecepack_judge"


def test_every_file_of_weights_has_a_recipe_and_a_record():
    assert {path.stem for path in WEIGHTS.glob("*.json")} == set(RECIPES)
    kept = "".join(path.read_text() for path in RECORDS.glob("*.md"))
    assert [name for name in RECIPES if f"`{name}`" not in kept] == []


def test_weights_are_small_enough_to_be_installed_with_the_companion():
    """Of whole precision they would be nearly twice as large: see `companion.training.halved`."""
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) < 12e6


def test_the_readme_names_every_recipe_and_every_record():
    said = (TRAINING / "README.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", said, re.MULTILINE) == list(RECIPES)
    assert {path.name for path in RECORDS.glob("*.md")} == set(re.findall(r"\(records/(\w+\.md)\)", said))


def run(*options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion.training", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=TRAINING.parents[1], timeout=60)


def test_showing_a_recipe_runs_nothing(tmp_path):
    done = run("khet", "--lessons", tmp_path / "lessons", "--show", "--from", 4)
    assert done.returncode == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["step 4 of 5", "step 5 of 5"]
    assert not (tmp_path / "lessons").exists()


def test_a_step_that_fails_says_where_to_go_on(tmp_path):
    (tmp_path / "dice").write_text("a file where a folder of lessons should be")
    done = run("pip_dice", "--lessons", tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith("put it right, then go on with --from 1\n")


def test_a_step_that_is_not_there_is_refused(tmp_path):
    done = run("khet", "--lessons", tmp_path, "--from", 9)
    assert done.returncode == 2
    assert "khet has steps 1 to 5" in done.stderr
