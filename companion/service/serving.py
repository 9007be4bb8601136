"""The page of the house: where it is served, and the address by which phones find it."""

import contextlib
import logging
import tempfile
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from companion.config import USUAL_PORT, WebConfig
from companion.errors import CompanionError
from companion.referee.readmodel import Desk
from companion.service.page_address import ANYWHERE, name_of, probe
from companion.web.factory import build_app
from companion.web.server import Server
from companion.web.server import serve as serve_page
from companion.web.settings import ExtraPages, WebSettings

log = logging.getLogger(__name__)

HERE = "127.0.0.1"
OTHER_PORTS = 10  # that are tried, from the usual one on


def open_page(
    stack: contextlib.ExitStack,
    config: WebConfig,
    desk: Desk,
    state: Path,
    extra: tuple[ExtraPages, ...],
    show_code: Callable[[str], None],
    port: int | None,
) -> tuple[Server | None, str]:
    """The page and its address; without it (a port that is taken) the table still works."""
    host = _host(config.host, desk)
    wanted = _port(host, config.port, desk) if port is None else port

    def page(folder: Path) -> Flask:
        folder.mkdir(parents=True, exist_ok=True)
        hosts = (*config.names, host)
        settings = WebSettings(folder, lambda: _address(host, wanted), hosts, show_setup_code=show_code, extra=extra)
        return build_app(desk, desk, settings)

    try:
        try:
            app = page(state)
        except OSError as error:  # a full or a read-only disk
            _tell(
                desk,
                "secrets",
                f"{state} cannot be written ({error.strerror or error}): PIN and logins last until the end only",
            )
            app = page(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-"))))
        server = serve_page(app, host, wanted)
    except (OSError, ValueError, CompanionError) as error:
        log.error("the page cannot be opened: %s", error)
        return None, ""
    return server, f"http://{name_of(host) or HERE}:{server.address[1]}/"


def _host(wanted: str, desk: Desk) -> str:
    """The address to listen on; every one of this machine where the one that is wanted cannot be used."""
    try:
        probe(wanted or ANYWHERE, 0)
    except (OSError, ValueError) as error:  # ValueError: no name at all
        _tell(desk, "host", f"web.host {wanted!r} cannot be used ({error}): the page is served on every address")
        return ANYWHERE
    return wanted or ANYWHERE


def _port(host: str, wanted: int, desk: Desk) -> int:
    """The port to listen on: the one wanted; where that is taken, or for root alone, the usual or a next one."""
    why = ""
    ports: list[int] = [wanted, *range(USUAL_PORT, USUAL_PORT + OTHER_PORTS)]
    for port in ports:
        try:
            probe(host, port)
        except OSError as error:
            why = why or f"web.port {wanted} cannot be used ({error.strerror})"
            continue
        if port != wanted:
            _tell(desk, "port", f"{why}: the page is served on port {port}")
        return port
    return wanted  # which is then said not to be there


def _address(host: str, port: int) -> str:
    """Under the QR code stands what holds when it is asked for: the network may come later than the companion.

    "" in a network of its own, without a way out, and for a port that is not known yet: there the address that the
    visitor used does.
    """
    name = name_of(host) if port else ""
    return f"http://{name}:{port}" if name else ""


def _tell(desk: Desk, name: str, problem: str) -> None:
    log.warning("%s", problem)
    desk.notice(name, problem)
