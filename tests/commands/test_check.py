"""`companion check`: what of this machine is ready, and what a person should know."""

import os
import shutil
import socket
from pathlib import Path

import pytest
from command_line import run, write_config
from desks import begun, desk_over
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.outputs import devices
from companion.service import machine_check
from companion.service.machine_check import Finding, findings


def found() -> dict[str, Finding]:
    """What `companion check` finds without looking for a camera, by what it is about."""
    return {finding.what: finding for finding in findings(camera=False)}


def test_check_finds_this_machine_ready(home: Path) -> None:
    write_config(home, '[camera]\nsource = "simulated"\n')
    done = run("check")
    assert done.exit_code == 0, done.output
    for what in ("python", "numpy", "OpenCV", "weights", "configuration", "games and PIN", "pins", "camera"):
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
    told = found()
    words = f"not all can be used: {device} on GPIO{gpio}: GPIO busy, held by another program: by the companion itself"
    assert told["pins"] == Finding("pins", "note", f"{words} while that runs")
    told = found()
    assert told["pins"] == Finding("pins", "ok", "6 lamps, a buzzer, 3 buttons on mock pins")


def test_check_names_a_typo_and_an_absent_camera_and_still_lets_it_start(home: Path) -> None:
    write_config(home, '[camera]\nsource = "usb:93"\n[quiet]\nonn = true\n')
    done = run("check")
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
    page = found()["page"]
    assert page.state == state
    assert page.text.startswith(f"http://{socket.gethostname()}.local{served}")


def test_check_looks_at_the_journal_wherever_the_configuration_puts_it(home: Path) -> None:
    write_config(home, f'[journal]\npath = "{home}/games/ours.sqlite3"\n')
    (home / "games").touch()
    assert found()["games"].state == "fail", "a file where a folder should be"
    (home / "games").unlink()
    with desk_over(home / "games/ours.sqlite3") as desk:
        begun(desk)
    told = found()
    assert told["journal"] == Finding("journal", "ok", f"{home}/games/ours.sqlite3, 1 game")
    (home / "games/ours.sqlite3").write_text("Dear Zoe, ...")
    told = found()
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
    page = found()["page"]
    assert page.state == state
    assert page.text.startswith(told)


def test_check_reads_the_files_that_the_configuration_names(home: Path) -> None:
    (home / "lens.json").write_text("{}")
    (home / "looks").mkdir()
    names = f'[camera]\nlens = "{home}/lens.json"\n[board]\nfile = "{home}/board.json"\ntaught = "{home}/looks"\n'
    write_config(home, names)
    told = found()
    assert told["camera.lens"].state == "note"
    assert "a lens needs numbers" in told["camera.lens"].text
    assert told["board.file"].state == "note"
    assert "board.json" in told["board.file"].text
    assert told["board.taught"] == Finding("board.taught", "ok", f"{home}/looks")


def test_check_says_that_the_configuration_it_was_given_is_not_there(home: Path) -> None:
    done = run("check", "--no-camera", "--config", home / "companoin.toml")
    assert "note  configuration: " in done.output
    assert "companoin.toml: there is no such file" in done.output
    assert "ok    configuration" not in done.output


def test_a_full_disk_or_a_missing_package_fails(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 5 * 2**20})
    monkeypatch.setattr(machine_check.shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setattr(machine_check, "PACKAGES", ("numpy", "a-package-that-is-not-there"))
    states = {what: finding.state for what, finding in found().items()}
    assert states["games and PIN"] == "fail"
    assert states["a-package-that-is-not-there"] == "fail"
    assert states["numpy"] == "ok"
    assert run("check", "--no-camera").exit_code == 1


def test_every_damaged_file_of_weights_fails_and_is_named_with_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights, torn = home / "weights", ("khet.onnx", "pip_dice.npz", "pyramids.json")
    shutil.copytree(machine_check.WEIGHTS, weights)
    for name in torn:
        os.truncate(weights / name, 9)
    monkeypatch.setattr(machine_check, "WEIGHTS", weights)
    done = run("check", "--no-camera")
    told = [line for line in done.output.splitlines() if "  weights: " in line]
    for line, name in zip(told, torn, strict=True):
        assert line.startswith(f"FAIL  weights: {weights / name} cannot be used (")
        assert "install the companion again" in line
    assert done.exit_code == 1


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


def test_a_folder_that_nobody_may_look_into_is_told_and_the_check_goes_on(monkeypatch) -> None:
    class Locked(type(Path())):
        def exists(self, **_) -> bool:
            raise PermissionError

    monkeypatch.setattr("companion.service.machine_check.state_folder", lambda: Locked("/locked/companion"))
    told = found()
    assert told["games and PIN"].state == "fail"
    assert "cannot be written by this user" in told["games and PIN"].text
    assert "runtime folder" in told


def test_a_file_where_the_folder_should_be_is_told(home: Path) -> None:
    (home / "state").touch()
    told = found()
    assert told["games and PIN"].state == "fail"
