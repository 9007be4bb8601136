"""The companion's commands as a person or a script calls them."""

import json

from click.testing import CliRunner

from companion.cli import group

BOARD = {"cols": 10, "rows": 8, "cell_mm": 38, "border_mm": 10}


def write_config(home, text):
    path = home / "etc/companion.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def run(*words, said=""):
    return CliRunner().invoke(group, [str(word) for word in words], input=said)


def shown(*words):
    """What a command that succeeds prints."""
    done = run(*words)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def looked(folder, *names, more=()):
    options = ["--game", "khet", "--lens", folder / "lens.json", "--board", folder / "board.json", "--json", *more]
    return [json.loads(line) for line in shown("look", *(folder / name for name in names), *options).splitlines()]
