"""The companion as it is called from a terminal: `wiring`, `pin`, wrong words, and output that goes nowhere."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run, write_config
from desks import begun, desk_over

from companion.config import Config
from companion.errors import UnreadableText
from companion.outputs import wiring
from companion.web.pin import PinStore


def test_wiring_shows_every_connected_device_once_in_table_and_header(home: Path) -> None:
    write_config(home, '[lights]\nsight = 12\nhit = "none"\n[sounds]\nkind = "none"\n')
    done = run("wiring")
    assert done.exit_code == 0, done.output
    header, table = done.output.split("device", 1)
    assert "32 lights.sight (GPIO12)" in header
    assert ["lights.sight", "12", "32", "30"] in [line.split()[:4] for line in table.splitlines()]
    assert "lights.hit" not in done.output
    assert "buzzer" not in done.output
    assert header.count("●") == 8


def test_the_nearest_ground_is_a_ground() -> None:
    for wire in wiring.wires(Config()):
        assert wiring.HEADER[wire.ground - 1] == "GND"
        assert wiring.HEADER[wire.physical - 1] == f"GPIO{wire.gpio}"
        assert abs(wire.ground - wire.physical) <= 6


def test_a_typo_in_the_configuration_is_one_line_with_its_place(home: Path) -> None:
    path = write_config(home, "\n[lights]\nsihgt = 12\n")
    command = [sys.executable, "-m", "companion", "wiring"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 2
    assert done.stderr.startswith(f"companion: {path}, line 3: unknown key 'lights.sihgt'. Did you mean 'sight'?")
    assert "Traceback" not in done.stderr


def test_a_configuration_that_was_named_has_to_be_there(home: Path, refused) -> None:
    absent = home / "companoin.toml"
    assert (
        refused("wiring", "--config", absent)
        == f"companion: {absent}: there is no such file; meanwhile no pin is used\n"
    )


@pytest.mark.parametrize("ways", ["latin-1", "latin-1:surrogateescape", "latin-1:backslashreplace"])
def test_a_sign_that_a_terminal_has_none_for_is_replaced(ways: str, home: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": ways}
    done = subprocess.run([sys.executable, "-m", "companion", "wiring"], capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    first = done.stdout.decode("latin-1").splitlines()[0].split()
    assert first == ["3V3", "1", *[r"\u25cb" if "backslash" in ways else "?"] * 2, "2", "5V"]


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_what_an_export_gives_to_a_file_does_not_hang_on_the_terminals_signs(form: str, home: Path) -> None:
    with desk_over(home / "state/journal.sqlite3") as desk:
        begun(desk, players=("Zo\u00eb \u738b",))
    written, environment = home / "game", {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "companion", "export", "--form", form]
    printed = subprocess.run(command, capture_output=True, env=environment, check=True).stdout
    subprocess.run([*command, "--out", written], capture_output=True, check=True)
    assert "Zo\u00eb \u738b".encode() in printed
    assert printed == written.read_bytes()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["pin", "--stdin"], 2, "companion: a PIN has 4 to 12 digits"),
        (["play", "khet"], 0, "silver> "),
        (["wiring", "--try"], 1, "Aborted!"),
    ],
)
def test_where_the_input_is_closed_nobody_answers(words: list[str], code: int, said: str, home: Path) -> None:
    called = ["sh", "-c", '"$@" <&-', "sh", sys.executable, "-m", "companion", *words]
    done = subprocess.run(called, capture_output=True, text=True)
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("wished", "then"), [(None, "1"), ("4", "4")])
def test_products_of_matrices_take_one_thread_unless_somebody_wishes_more(
    wished: str | None, then: str, home: Path
) -> None:
    program = "import sys; from companion.cli import main; assert 'numpy' not in sys.modules; main()"
    asked = "import atexit, os; atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS'])); "
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {} if wished is None else {"OPENBLAS_NUM_THREADS": wished}
    command = [sys.executable, "-c", asked + program, "wiring"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == then


def test_a_home_that_is_no_folder_is_one_line(home: Path) -> None:
    (home / "file").touch()
    environment = {**os.environ, "HOME": str(home / "file")}
    command = [sys.executable, "-m", "companion", "print", "list"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:  # what draws the PDF looks for settings at home, in some versions
        assert done.returncode == 2
        assert done.stderr.startswith(f"companion: {home / 'file'}/")
        assert done.stderr.endswith(": Not a directory\n")
        assert done.stderr.count("\n") == 1


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["rules", "khet"],
        ["look", "gone.jpg", "--game", "khet", "--json"],
        ["print", "markers", "--out", "."],
    ],
)
def test_output_that_finds_no_room_is_one_line(words: list[str], unbuffered: str, home: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "companion", *words]
    with FULL.open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, cwd=home)
        assert done.returncode == 2
        assert done.stderr == "companion: the output cannot be written: No space left on device\n"
        silent = subprocess.run(command, stdout=full, stderr=full, env=environment, cwd=home)
        assert silent.returncode == 2


@pytest.mark.parametrize("words", [["rules", "khet"], ["print", "list"]])
def test_a_reader_that_has_gone_is_told_nothing(words: list[str], home: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with open(theirs, "w") as closed:
        done = subprocess.run([sys.executable, "-m", "companion", *words], stdout=closed, stderr=subprocess.PIPE)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--camera", "usb:0", "--exit"], "--exit belongs to a folder of pictures: --camera folder:PATH"),
        (
            ["--camera", "folder:", "--exit"],
            "companion: --camera folder: names no folder; write --camera folder:PATH\n",
        ),
        (["--camera", "folder:/not there", "--exit"], "/not there: there is no such folder"),
        (["--option", "swap"], "--option swap: write NAME=VALUE"),
        (["--layout", "classic-2.0"], "belong to --game: name the one to begin"),
        (["--camera", "folder:.", "--exit", "--config", "mine.toml"], "--config is the service's"),
        (["--game", "chess", "--layout", "x"], "no game is called 'chess'"),
        (["--game", "khet", "--layout", "mirrored"], "option 'layout' cannot be 'mirrored'"),
        (["--game", "khet", "--option", "dice=thrown"], "option 'dice' cannot be 'thrown'"),
        (["--game", "khet", "--lens", "/not there"], "companion: /not there: No such file or directory"),
        (["--game", "khet", "--taught", "/not there"], "/not there: nothing was taught there for this game"),
    ],
)
def test_what_run_cannot_do_is_said(words: list[str], said: str, home: Path, refused) -> None:
    assert said in refused("run", *words)
    assert not (home / "state").exists(), "nothing was opened"


def test_the_pin_is_kept_as_a_hash_that_only_its_owner_reads(home: Path) -> None:
    done = run("pin", said="481516\n481516\n")
    assert done.exit_code == 0, done.output
    assert "481516" not in done.output
    kept = home / "state/pin.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "481516" not in kept.read_text()
    assert PinStore(kept).fits("481516")
    assert not PinStore(kept).fits("481517")


@pytest.mark.parametrize("pin", ["", "12", "1234", "0000", "pass", "1" * 40])
def test_a_weak_pin_is_refused_and_changes_nothing(home: Path, pin: str) -> None:
    done = run("pin", "--stdin", said=f"{pin}\n")
    assert isinstance(done.exception, UnreadableText)  # which `main` says in one line
    assert not (home / "state/pin.json").exists()


def test_what_is_not_permitted_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, refused) -> None:
    def forbidden(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", forbidden)
    assert refused("restore", "copies") == "companion: copies: Permission denied\n"
