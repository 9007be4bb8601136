"""The command line on the Pi: who runs which command, and files of one's own beside the service's games."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from desks import begun, desk_over

from companion import __file__ as package
from companion.cli import COMMANDS
from companion.referee.commands import Command

HERE = Path(package).parent.parent
SERVICE, CALLER = 12345, 4000  # users' numbers
OF_THE_SERVICE = {"run", "games", "restore", "sets", "calibrate", "check", "pin", "erase"}
OF_THE_CALLER = {"replay", "export", "look", "teach"}
SUDO = '#!/bin/sh\nexec "$@"\n'
ID = "#!/bin/sh\necho caller\n"
TOLD = '#!/bin/sh\necho "as $2 of $4"\n'
SETPRIV = f"""#!/bin/sh
[ "$2" = companion ] && number={SERVICE} || number={CALLER}
shift 5
exec {shutil.which("setpriv")} --reuid $number --regid $number --clear-groups "$@"
"""
COMPANION = f"""#!/bin/sh
export PYTHONPATH={HERE} PYTHONDONTWRITEBYTECODE=1
exec {sys.executable} -m companion "$@"
"""

Call = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="no shell here")
as_root = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root may become others")


def wrapper(folder: Path, **tools: str) -> Call:
    """The wrapper with stand-ins for these tools, called in `home`; its folders are below `folder`."""
    text = (HERE / "systemd/companion.sh").read_text()
    for place, name in {
        "/var/lib/companion": "state",
        "/etc/companion": "etc",
        "/opt/companion/venv/bin": "bin",
    }.items():
        assert place in text
        text = text.replace(place, str(folder / name))
    (folder / "bin").mkdir()
    (folder / "home").mkdir()
    for name, content in {"wrapper": text, "sudo": SUDO, "id": ID, **tools}.items():
        (folder / "bin" / name).write_text(content)
        (folder / "bin" / name).chmod(0o755)

    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        command = [folder / "bin/wrapper", *arguments]
        return subprocess.run(command, cwd=folder / "home", env=environment, capture_output=True, text=True, timeout=60)

    return call


def test_every_command_runs_as_whoever_its_files_belong_to(tmp_path: Path) -> None:
    call = wrapper(tmp_path, setpriv=TOLD, companion='#!/bin/sh\necho "by itself"\n')
    for name in (*COMMANDS, "--version"):
        user = "companion" if name in OF_THE_SERVICE else "caller" if name in OF_THE_CALLER else None
        assert call(name).stdout == (f"as {user} of {user}\n" if user else "by itself\n"), name


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """The wrapper among two users, each with a folder that is closed to the other; one game was played."""
    call = wrapper(tmp_path, setpriv=SETPRIV, companion=COMPANION)
    with desk_over(tmp_path / "state/journal.sqlite3") as desk:
        begun(desk).submit(Command("reset", {}))
    for folder, number in (("state", SERVICE), ("home", CALLER)):
        for path in (tmp_path / folder, *(tmp_path / folder).iterdir()):
            os.chown(path, number, number)
        (tmp_path / folder).chmod(0o700)
    return call


def owners(folder: Path) -> set[int]:
    return {path.stat().st_uid for path in folder.rglob("*")}


@as_root
def test_games_are_exported_to_the_callers_files_and_restored_from_them(tmp_path: Path, call: Call) -> None:
    assert "Khet" in call("games").stdout
    done = call("export", "--all", "--form", "json", "--out", "copies")
    assert done.returncode == 0, done.stderr
    assert owners(tmp_path / "home") == {CALLER}
    (tmp_path / "state/journal.sqlite3").unlink()
    done = call("restore", "copies")
    assert done.returncode == 0, done.stderr
    assert "Khet" in done.stdout
    assert owners(tmp_path / "state") == {SERVICE}


@as_root
def test_a_closed_game_is_gone_on_with_in_the_services_journal(tmp_path: Path, call: Call) -> None:
    done = call("games", "--go-on", "1")
    assert done.returncode == 0, done.stderr
    assert "as game 2 when it starts" in done.stdout
    assert owners(tmp_path / "state") == {SERVICE}


@as_root
def test_games_are_exported_while_the_service_writes(tmp_path: Path, call: Call) -> None:
    with desk_over(tmp_path / "state/journal.sqlite3") as desk:
        begun(desk, "ataxx")
        done = call("export", "2", "--out", "now.txt")
    assert done.returncode == 0, done.stderr
    assert "ataxx" in (tmp_path / "home/now.txt").read_text()


@as_root
def test_the_callers_pictures_are_read_and_what_may_not_be_written_is_said(tmp_path: Path, call: Call) -> None:
    (tmp_path / "home/picture.jpg").write_text("no picture")
    said = call("calibrate", "picture.jpg").stdout
    assert "this is no picture that can be read" in said
    done = call("export", "--all", "--out", str(tmp_path / "bin/copies"))
    assert done.returncode == 2
    assert "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr
