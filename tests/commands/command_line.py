"""The companion's commands as a person or a script calls them."""

import json

from click.testing import CliRunner

from companion.cli import group

BOARD = {"cols": 10, "rows": 8, "cell_mm": 38, "border_mm": 10}


def run(*words):
    return CliRunner().invoke(group, [str(word) for word in words])


def looked(folder, *names, more=()):
    options = ["--game", "khet", "--lens", folder / "lens.json", "--board", folder / "board.json", "--json", *more]
    result = run("look", *(folder / name for name in names), *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]
