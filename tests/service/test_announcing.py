"""What is announced in the network is the port on which the page is really served, as long as it is."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.service import announcing
from companion.service.announcing import announced

TELLER = """#!/bin/sh
trap 'echo gone >> "$TOLD"; exit 0' TERM
for word; do echo "$word" >> "$TOLD"; done
while :; do sleep 0.02; done
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What avahi-publish-service, or what stands in for it, was asked for: a word in each line."""
    tool = tmp_path / "bin" / announcing.TOOL
    tool.parent.mkdir()
    tool.write_text(TELLER)
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    return tmp_path / "told"


def words(told: Path, count: int) -> list[str]:
    """The words, once there are so many."""
    until_s = time.monotonic() + 20
    while not told.exists() or len(told.read_text().splitlines()) < count:
        assert time.monotonic() < until_s, told.read_text() if told.exists() else "nothing was told"
        time.sleep(0.01)
    return told.read_text().splitlines()


def test_the_page_is_announced_by_its_port_until_it_ends(told: Path) -> None:
    with announced(("0.0.0.0", 8123)):
        asked = words(told, 5)
        assert asked[0] == "--no-fail", "it outlasts a daemon that is restarted"
        assert asked[1].startswith("Tabletop Companion on ")
        assert asked[2:] == ["_http._tcp", "8123", "path=/"]
    assert words(told, 6)[5] == "gone"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_a_page_for_this_machine_alone_is_announced_to_nobody(told: Path, host: str) -> None:
    with announced((host, 8123)):
        pass
    assert not told.exists()


def test_without_the_tool_the_page_is_there_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with announced(("0.0.0.0", 8123)):
        pass


def test_the_service_announces_the_port_of_its_configuration(told: Path, tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('[camera]\nsource = "none"\n[web]\nport = 18473\n')
    folders = {"STATE_DIRECTORY": str(tmp_path / "state"), "CONFIGURATION_DIRECTORY": str(tmp_path)}
    service = subprocess.Popen(
        [sys.executable, "-m", "companion", "run"],
        env={**os.environ, **folders},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert words(told, 5)[3] == "18473"
        service.send_signal(signal.SIGTERM)
        assert service.wait(15) == 0
        assert words(told, 6)[5] == "gone"
    finally:
        service.kill()
        service.wait()
