"""What the documents name is there: files, folders, links, headings, commands and environment variables."""

import ast
import doctest
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from companion.cli import COMMANDS

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "hardware", "calibration", "systemd", "tests", ".github")
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / ".github").rglob("*.md"), *(ROOT / "companion").rglob("*.md")])


@pytest.fixture(params=DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def document(request: pytest.FixtureRequest) -> Path:
    path = request.param
    assert isinstance(path, Path)
    return path


def heading_marks(text: str) -> set[str]:
    """The names by which links find headings: small letters, hyphens for spaces."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", document.read_text(encoding="utf-8")):
        file, _, mark = target.partition("#")
        there = document.parent / file if file else document
        assert there.exists(), target
        assert not mark or mark in heading_marks(there.read_text(encoding="utf-8")), target


def test_every_path_that_is_named_is_there(document: Path) -> None:
    named = re.findall(rf"`((?:{'|'.join(map(re.escape, FOLDERS))})/[^`\s]*)`", document.read_text(encoding="utf-8"))
    for path in named:
        if "NAME" not in path:
            assert list(ROOT.glob(re.sub(r"\{[^}]*\}", "*", path))), path


def test_every_command_training_and_setting_of_a_bench_is_known(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    codes = blocks + re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    commands = {word for code in codes for word in re.findall(r"\bcompanion ([a-z]+)", code)}
    assert commands <= set(COMMANDS)
    modules = set(re.findall(r"companion\.training\.([a-z_]+)", text))
    assert [name for name in modules if not (ROOT / f"companion/training/{name}.py").exists()] == []
    benches = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "companion/bench").glob("*.py"))
    assert [name for name in set(re.findall(r"COMPANION_BENCH_\w+", text)) if name not in benches] == []


def test_the_rules_are_played_as_their_document_shows() -> None:
    failed, tried = doctest.testfile(str(ROOT / "companion/games/README.md"), module_relative=False)
    assert tried > 0
    assert failed == 0


MAPPED = (
    "companion",
    "companion/referee",
    "companion/vision",
    "companion/vision/pyramids",
    "companion/web",
    "hardware",
    "calibration",
)


@pytest.mark.parametrize("package", MAPPED)
def test_the_map_of_a_package_names_every_module_and_no_other(package: str) -> None:
    folder = ROOT / package
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = {word.strip(".,:") for line in text.splitlines() if line.startswith("    ") for word in line.split()}
    there = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    inner = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert [name for name in there if not any(fnmatchcase(name, pattern) for pattern in named)] == []
    if package != "companion":  # whose packages are told in words, too
        assert [name for name in inner if not any(fnmatchcase(name, pattern) for pattern in named)] == []
        assert [pattern for pattern in named if not any(fnmatchcase(name, pattern) for name in there | inner)] == []
