"""`companion wiring`, `companion check`, `companion pin`."""

import contextlib
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.cli import group, main
from companion.config import Config
from companion.errors import UnreadableText
from companion.journal.archive import open_archive
from companion.outputs import devices, wiring
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.service import machine_check
from companion.service.machine_check import Finding, findings
from companion.web.pin import PinStore


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    return tmp_path


def write_config(home: Path, text: str) -> Path:
    path = home / "etc/companion.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_wiring_shows_every_connected_device_once_in_table_and_header(home: Path) -> None:
    write_config(home, '[lights]\nsight = 12\nhit = "none"\n[sounds]\nkind = "none"\n')
    done = CliRunner().invoke(group, ["wiring"])
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


def test_a_configuration_that_was_named_has_to_be_there(home: Path, monkeypatch, capsys) -> None:
    absent = home / "companoin.toml"
    monkeypatch.setattr(sys, "argv", ["companion", "wiring", "--config", str(absent)])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err == f"companion: {absent}: there is no such file; meanwhile no pin is used\n"


@pytest.mark.parametrize("ways", ["latin-1", "latin-1:surrogateescape", "latin-1:backslashreplace"])
def test_a_sign_that_a_terminal_has_none_for_is_replaced(ways: str, home: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": ways}
    done = subprocess.run([sys.executable, "-m", "companion", "wiring"], capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    first = done.stdout.decode("latin-1").splitlines()[0].split()
    assert first == ["3V3", "1", *[r"\u25cb" if "backslash" in ways else "?"] * 2, "2", "5V"]


@pytest.mark.parametrize("form", ["text", "json", "html"])
def test_what_an_export_gives_to_a_file_does_not_hang_on_the_terminals_signs(form: str, home: Path) -> None:
    with contextlib.closing(open_archive(home / "state/journal.sqlite3")) as archive:
        desk = Desk(archive)
        desk.submit(Command("new_game", {"game": "khet", "options": {}}))
        desk.submit(Command("join", {"seat": 0, "player": "Zo\u00eb \u738b"}))
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
def test_what_run_cannot_do_is_said(words: list[str], said: str, home: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", "run", *words])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert said in capsys.readouterr().err
    assert not (home / "state").exists(), "nothing was opened"


def test_the_pin_is_kept_as_a_hash_that_only_its_owner_reads(home: Path) -> None:
    done = CliRunner().invoke(group, ["pin"], input="481516\n481516\n")
    assert done.exit_code == 0, done.output
    assert "481516" not in done.output
    kept = home / "state/pin.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "481516" not in kept.read_text()
    assert PinStore(kept).fits("481516")
    assert not PinStore(kept).fits("481517")


@pytest.mark.parametrize("pin", ["", "12", "1234", "0000", "pass", "1" * 40])
def test_a_weak_pin_is_refused_and_changes_nothing(home: Path, pin: str) -> None:
    done = CliRunner().invoke(group, ["pin", "--stdin"], input=f"{pin}\n")
    assert isinstance(done.exception, UnreadableText)  # which `main` says in one line
    assert not (home / "state/pin.json").exists()


def test_check_finds_this_machine_ready(home: Path) -> None:
    write_config(home, '[camera]\nsource = "simulated"\n')
    done = CliRunner().invoke(group, ["check"])
    assert done.exit_code == 0, done.output
    for what in ("python", "numpy", "OpenCV", "configuration", "games and PIN", "pins", "camera"):
        assert f"ok    {what}: " in done.output


@pytest.mark.parametrize(("gpio", "device"), [(25, "hit"), (18, "buzzer"), (13, "new_game")])
def test_check_tries_every_pin_as_the_service_would(
    home: Path, monkeypatch: pytest.MonkeyPatch, gpio: int, device: str
) -> None:
    class Taken(MockFactory):
        def pin(self, name: int) -> object:
            if name == gpio:
                raise RuntimeError("GPIO busy")
            return super().pin(name)

    factories = [Taken(pin_class=MockPWMPin), MockFactory(pin_class=MockPWMPin)]
    monkeypatch.setattr(devices, "make_factory", lambda kind: factories.pop(0))
    told = {finding.what: finding for finding in findings(camera=False)}
    words = f"not all can be used: {device} on GPIO{gpio}: GPIO busy, held by another program: by the companion itself"
    assert told["pins"] == Finding("pins", "note", f"{words} while that runs")
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["pins"] == Finding("pins", "ok", "6 lamps, a buzzer, 3 buttons on mock pins")


def test_check_names_a_typo_and_an_absent_camera_and_still_lets_it_start(home: Path) -> None:
    write_config(home, '[camera]\nsource = "usb:93"\n[quiet]\nonn = true\n')
    done = CliRunner().invoke(group, ["check"])
    assert done.exit_code == 0
    assert "line 4: unknown key 'quiet.onn'" in done.output
    assert "; the companion starts all the same" in done.output
    assert "note  camera: usb:93: no USB camera number 93" in done.output


@pytest.mark.parametrize(
    ("port", "state", "served"),
    [("8123", "ok", ":8123"), ("8080", "ok", ":8080"), ("80", "note", ":8080, as web.port 80")],
)
def test_check_tells_where_the_page_will_be(
    home: Path, monkeypatch: pytest.MonkeyPatch, port: str, state: str, served: str
) -> None:
    (home / "first").write_text("1024\n")
    monkeypatch.setattr(machine_check, "FREE_PORTS", home / "first")
    write_config(home, f"[web]\nport = {port}\n")
    (page,) = (finding for finding in findings(camera=False) if finding.what == "page")
    assert page.state == state
    assert page.text.startswith(f"http://{socket.gethostname()}.local{served}")


def test_check_looks_at_the_journal_wherever_the_configuration_puts_it(home: Path) -> None:
    write_config(home, f'[journal]\npath = "{home}/games/ours.sqlite3"\n')
    (home / "games").touch()
    assert {f.what: f.state for f in findings(camera=False)}["games"] == "fail", "a file where a folder should be"
    (home / "games").unlink()
    with contextlib.closing(open_archive(home / "games/ours.sqlite3")) as archive:
        Desk(archive).submit(Command("new_game", {"game": "khet", "options": {}}))
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["journal"] == Finding("journal", "ok", f"{home}/games/ours.sqlite3, 1 game")
    (home / "games/ours.sqlite3").write_text("Dear Zoe, ...")
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["journal"].state == "note"
    assert told["journal"].text.endswith("this journal cannot be read: file is not a database")


@pytest.mark.parametrize(
    ("host", "state", "told"),
    [
        ("127.0.0.1", "ok", "http://127.0.0.1:8080"),
        ("::1", "ok", "http://[::1]:8080"),
        ("::", "ok", f"http://{socket.gethostname()}.local:8080"),
        ("203.0.113.9", "note", f"http://{socket.gethostname()}.local:8080, as web.host '203.0.113.9' cannot be used"),
    ],
)
def test_check_tells_the_address_that_the_configuration_names(home: Path, host: str, state: str, told: str) -> None:
    write_config(home, f'[web]\nhost = "{host}"\n')
    (page,) = (finding for finding in findings(camera=False) if finding.what == "page")
    assert page.state == state
    assert page.text.startswith(told)


def test_check_reads_the_files_that_the_configuration_names(home: Path) -> None:
    (home / "lens.json").write_text("{}")
    (home / "looks").mkdir()
    names = f'[camera]\nlens = "{home}/lens.json"\n[board]\nfile = "{home}/board.json"\ntaught = "{home}/looks"\n'
    write_config(home, names)
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["camera.lens"].state == "note"
    assert "a lens needs numbers" in told["camera.lens"].text
    assert told["board.file"].state == "note"
    assert "board.json" in told["board.file"].text
    assert told["board.taught"] == Finding("board.taught", "ok", f"{home}/looks")


def test_check_says_that_the_configuration_it_was_given_is_not_there(home: Path) -> None:
    done = CliRunner().invoke(group, ["check", "--no-camera", "--config", str(home / "companoin.toml")])
    assert "note  configuration: " in done.output
    assert "companoin.toml: there is no such file" in done.output
    assert "ok    configuration" not in done.output


def test_a_full_disk_or_a_missing_package_fails(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 5 * 2**20})
    monkeypatch.setattr(machine_check.shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setattr(machine_check, "PACKAGES", ("numpy", "a-package-that-is-not-there"))
    states = {finding.what: finding.state for finding in findings(camera=False)}
    assert states["games and PIN"] == "fail"
    assert states["a-package-that-is-not-there"] == "fail"
    assert states["numpy"] == "ok"
    assert CliRunner().invoke(group, ["check", "--no-camera"]).exit_code == 1


def test_a_weak_power_supply_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = home / "vcgencmd"
    tool.write_text("#!/bin/sh\necho throttled=0x50005\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{home}:{os.environ['PATH']}")
    power = [finding for finding in findings(camera=False) if finding.what == "power"]
    assert [finding.text.split(":")[0] for finding in power] == [
        "under-voltage now",
        "slowed down now",
        "under-voltage since the start",
        "was slowed down since the start",
    ]
    tool.write_text("#!/bin/sh\necho throttled=0x0\n")
    assert Finding("power", "ok", "voltage and temperature are fine") in findings(camera=False)


def test_what_is_not_permitted_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refused)
    monkeypatch.setattr(sys, "argv", ["companion", "restore", "copies"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "companion: copies: Permission denied\n"


def test_a_folder_that_nobody_may_look_into_is_told_and_the_check_goes_on(monkeypatch) -> None:
    class Locked(type(Path())):
        def exists(self, **_) -> bool:
            raise PermissionError

    monkeypatch.setattr("companion.service.machine_check.state_folder", lambda: Locked("/locked/companion"))
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["games and PIN"].state == "fail"
    assert "cannot be written by this user" in told["games and PIN"].text
    assert "runtime folder" in told


def test_a_file_where_the_folder_should_be_is_told(home: Path) -> None:
    (home / "state").touch()
    told = {finding.what: finding for finding in findings(camera=False)}
    assert told["games and PIN"].state == "fail"
