"""The service itself as systemd runs it: no camera, a typo, SIGTERM; page up, watchdog fed, clean end."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from ports import free_port

START_S = 40.0


@dataclass
class Service:
    """A running `companion run` and what it told systemd."""

    process: "subprocess.Popen[str]"
    door: socket.socket
    log: Path
    port: int
    environment: dict[str, str]

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.door.recv(4096).decode())
            except (TimeoutError, BlockingIOError):
                return messages

    def wait_for(self, word: str) -> None:
        deadline = time.monotonic() + START_S
        while not any(word in message for message in self.heard()):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()

    def page(self) -> str:
        with urllib.request.urlopen(f"http://localhost:{self.port}/", timeout=5) as answer:
            return answer.read().decode()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    port = free_port("localhost")
    folders = {f"{name.upper()}_DIRECTORY": tmp_path / name for name in ("state", "configuration", "runtime")}
    for folder in folders.values():
        folder.mkdir()
    text = f'[camera]\nsource = "usb:95"\n[web]\nport = {port}\n[quiet]\nonn = true\n'
    (tmp_path / "configuration/companion.toml").write_text(text)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    door.bind(str(tmp_path / "notify"))
    door.settimeout(0.1)
    environment = {
        **os.environ,
        **{name: str(folder) for name, folder in folders.items()},
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
        "WATCHDOG_USEC": "2000000",
    }
    log = tmp_path / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run"],
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    running = Service(process, door, log, port, environment)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
        door.close()


def test_without_a_camera_the_page_is_up_the_loop_beats_and_the_end_is_clean(service: Service) -> None:
    service.wait_for("READY=1")  # there is nothing to wait for
    assert "<html" in service.page()
    service.wait_for("WATCHDOG=1")

    service.process.send_signal(signal.SIGSTOP)  # a loop that stands still
    time.sleep(0.3)
    service.heard()
    time.sleep(1.2)
    assert service.heard() == []
    service.process.send_signal(signal.SIGCONT)
    service.wait_for("WATCHDOG=1")

    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(10) == 0, service.log.read_text()
    assert "STOPPING=1" in service.heard()
    log = service.log.read_text()
    assert "Traceback" not in log
    assert len(re.findall("no USB camera number 95", log)) == 1


def test_a_second_companion_on_the_same_folder_is_told_at_once_what_to_do_and_disturbs_nothing(
    service: Service,
) -> None:
    service.wait_for("READY=1")
    state = Path(service.environment["STATE_DIRECTORY"])
    starts = (state / "starts.json").read_text()
    second = [sys.executable, "-m", "companion", "run"]
    ended = subprocess.run(second, env=service.environment, capture_output=True, text=True, timeout=START_S)
    assert ended.returncode == 2, ended.stdout
    assert ended.stderr.startswith(f"companion: another companion runs on {state} already: "), ended.stderr
    assert "stop companion" in ended.stderr
    assert (state / "starts.json").read_text() == starts, "it counts as no failed start"
    assert "<html" in service.page()

    service.process.kill()  # however it ends, the folder is free
    service.process.wait()
    with service.log.open("a") as log:
        service.process = subprocess.Popen(second, env=service.environment, stdout=log, stderr=log, text=True)
    service.wait_for("READY=1")
