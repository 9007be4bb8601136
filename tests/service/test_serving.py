"""The page is served whatever address the configuration names, and tells the address that holds now."""

import contextlib
import re
import socket
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ports import free_port

from companion.config import WebConfig
from companion.journal.archive import MemoryArchive
from companion.referee.readmodel import Desk
from companion.service import serving
from companion.service.serving import HERE, open_page

Open = Callable[[str], int]


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryArchive())


@pytest.fixture
def open_at(desk: Desk, tmp_path: Path) -> Iterator[Open]:
    """Serves the page for this host; the port."""
    with contextlib.ExitStack() as stack:

        def open_it(host: str) -> int:
            port = free_port("")
            server, _ = open_page(stack, WebConfig(host=host), desk, tmp_path, (), lambda code: None, port)
            stack.callback(server.close)
            return port

        yield open_it


def page(port: int, name: str = "127.0.0.1") -> str:
    with urllib.request.urlopen(f"http://{name}:{port}/", timeout=10) as answer:
        return answer.read().decode()


@pytest.mark.parametrize("host", ["203.0.113.9", "two words", "a\0b", "companion..lan", "999.1.1.1"])
def test_an_address_that_cannot_be_used_is_told_and_the_page_is_up(open_at: Open, desk: Desk, host: str) -> None:
    assert "<html" in page(open_at(host))
    assert any(repr(host) in notice and "every address" in notice for notice in desk.snapshot().notices)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", ""])
def test_an_address_that_can_be_used_is_used(open_at: Open, desk: Desk, host: str) -> None:
    assert "<html" in page(open_at(host))
    assert desk.snapshot().notices == ()


def test_every_address_of_ipv6_is_every_one_of_ipv4_too(open_at: Open) -> None:
    port = open_at("::")
    assert "<html" in page(port)
    assert "<html" in page(port, "[::1]")


def test_a_number_of_ipv6_stands_in_brackets(desk: Desk, tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        address = _opened(stack, 0, desk, tmp_path, "::1")
        assert re.fullmatch(r"http://\[::1\]:\d+/", address)
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert answer.status == 200


def test_a_name_to_listen_on_is_one_to_call_it_by(open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    found = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **rest: found(HERE if host == "games.lan" else host, *more, **rest)
    )
    assert "<html" in page(open_at("games.lan"), "games.lan")


def test_a_port_that_cannot_be_used_is_told_and_the_page_is_on_the_usual_one(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other, socket.socket() as probe, contextlib.ExitStack() as stack:
        other.bind(("127.0.0.1", 0))
        other.listen()
        probe.bind(("127.0.0.1", 0))
        taken, usual = int(other.getsockname()[1]), int(probe.getsockname()[1])
        probe.close()
        monkeypatch.setattr(serving, "USUAL_PORT", usual)
        assert _opened(stack, taken, desk, tmp_path) == f"http://127.0.0.1:{usual}/"
        assert f"http://127.0.0.1:{usual}" in page(usual)
    assert any(f"web.port {taken} cannot be used" in notice for notice in desk.snapshot().notices)


def test_where_another_program_has_the_usual_port_the_page_is_on_the_next(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.ExitStack() as stack:
        usual = next(port for port in range(21000, 60000, 20) if _free(port) and _free(port + 1))
        other = stack.enter_context(socket.socket())
        other.bind(("127.0.0.1", usual))
        other.listen()
        monkeypatch.setattr(serving, "USUAL_PORT", usual)
        assert _opened(stack, usual, desk, tmp_path) == f"http://127.0.0.1:{usual + 1}/"
        assert f"http://127.0.0.1:{usual + 1}" in page(usual + 1)
    (told,) = desk.snapshot().notices
    assert told.startswith(f"web.port {usual} cannot be used (")
    assert told.endswith(f"served on port {usual + 1}")


def _opened(stack: contextlib.ExitStack, port: int, desk: Desk, folder: Path, host: str = HERE) -> str:
    """Where the page is served that was asked for on this port, until the stack is left."""
    config = WebConfig.model_construct(host=host, port=port, names=())
    server, address = open_page(stack, config, desk, folder, (), lambda code: None, None)
    stack.callback(server.close)
    return address


def _free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_under_the_qr_code_stands_the_address_of_the_moment(open_at: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"0.0.0.0": ""}
    monkeypatch.setattr(serving, "name_of", names.__getitem__)
    port = open_at("0.0.0.0")
    assert f"http://127.0.0.1:{port}" in page(port)  # as it was called
    names["0.0.0.0"] = "192.168.7.5"
    assert f"http://192.168.7.5:{port}" in page(port)
