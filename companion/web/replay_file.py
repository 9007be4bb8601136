"""A recorded game as one HTML file to share: the page's own drawings, with nothing to load from anywhere."""

import base64
import dataclasses
import json
import re
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader

from companion.referee.snapshot import Ply, Snapshot
from companion.web.stream import ply_json, prune

ENTRY = "replay_file.js"
_IMPORT = re.compile(r'(from|import) "\./([a-z_]+\.js)"')
_PAGES = Environment(loader=PackageLoader("companion.web"), autoescape=True)


def replay_file(snapshot: Snapshot) -> str:
    """The page of a recorded game."""
    modules = {name: _as_url(text) for name, text in _modules(ENTRY).items()}
    return _PAGES.get_template("replay_file.html").render(
        recorded=snapshot,
        style=_static("style.css"),
        imports=_in_script({"imports": modules}),
        game=_in_script(_data(snapshot)),
        entry=ENTRY,
    )


def _data(snapshot: Snapshot) -> dict[str, Any]:
    """The state as the page has it, its record with every picture."""
    state: dict[str, Any] = prune(snapshot.to_json())
    state["record"] = [_line(ply) for ply in snapshot.record]
    return state


def _line(ply: Ply) -> dict[str, Any]:
    whole = dataclasses.asdict(ply)
    kept: dict[str, Any] = prune({**ply_json(ply), "pieces": whole["pieces"], "beams": whole["beams"]})
    return kept


def _modules(entry: str) -> dict[str, str]:
    """A script and all that it imports, by name; imports by bare names, for an import map."""
    found: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name not in found:
            text = _static(name)
            wanted += [match[2] for match in _IMPORT.finditer(text)]
            found[name] = _IMPORT.sub(r'\1 "\2"', text)
    return found


def _static(name: str) -> str:
    return resources.files("companion.web").joinpath("static", name).read_text(encoding="utf-8")


def _as_url(script: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(script.encode()).decode("ascii")


def _in_script(data: Any) -> str:
    """JSON that no text in it can end the script element that holds it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
