"""Recorded games in plain text, replayed and compared line by line.

A file begins with `game: NAME` and optionally `options: name=value ...`; then each move on a line of its own, and
under it, indented, every event it must lead to as one line of JSON words. `python tests/games/test_golden.py FILE`
writes the events anew after a rules change that is meant.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from companion.errors import IllegalMove
from companion.games import game

FOLDER = Path(__file__).parent / "golden"
FILES = [path for path in sorted(FOLDER.glob("*.txt")) if path.read_text(encoding="utf-8").startswith("game: ")]


def replayed(text: str) -> str:
    """The file as it must be, from its header and moves alone."""
    lines = text.splitlines()
    rules = game(lines[0].removeprefix("game: ").strip())
    head = 2 if len(lines) > 1 and lines[1].startswith("options:") else 1
    options = dict(word.split("=", 1) for word in lines[1].split()[1:]) if head == 2 else {}
    position = rules.start(options)
    out = lines[:head]
    for line in lines[head:]:
        if not line or line.startswith((" ", "position: ")):
            continue
        turn = rules.play(position, rules.read_move(position, line))
        out.append(rules.write_move(position, rules.read_move(position, line)))
        out += ["  " + json.dumps(event.to_json(), ensure_ascii=False) for event in turn.events]
        position = turn.position
    return "\n".join([*out, f"position: {rules.write_position(position)}"]) + "\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert replayed(text) == text


@pytest.mark.parametrize("path", [path for path in FILES if '"over"' in path.read_text()], ids=lambda path: path.stem)
def test_after_its_end_every_game_refuses_a_move_alike(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    rules = game(lines[0].removeprefix("game: "))
    position = rules.read_position(lines[-1].removeprefix("position: "))
    ended = rules.outcome(position)
    assert ended is not None
    first = next(line for line in lines[1:] if not line.startswith("options:"))
    with pytest.raises(IllegalMove, match=f"^The game is over: {re.escape(ended.text)}") as refused:
        rules.play(position, rules.read_move(position, first))
    assert (refused.value.name, refused.value.rule) == ("game-over", ended.rule)
    assert refused.value.remedy == "Start a new game."


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(replayed(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
