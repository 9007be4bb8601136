"""The page among the services that the local network lists, by the address and port on which it is served."""

import contextlib
import ipaddress
import logging
import shutil
import socket
import subprocess
from collections.abc import Iterator

log = logging.getLogger(__name__)

TOOL = "avahi-publish-service"  # of avahi-utils; with --no-fail it outlasts a daemon that is restarted
KIND = "_http._tcp"
PATIENCE_S = 2.0  # until it has taken its leave


@contextlib.contextmanager
def announced(address: tuple[str, int]) -> Iterator[None]:
    """While this lasts browsers of services find the page that is served at this (host, port).

    Nothing is announced of a page that only this machine can open, or where the tool is not installed.
    """
    host, port = address
    tool = shutil.which(TOOL)
    if tool is None or _only_here(host):
        yield
        return
    name = f"Tabletop Companion on {socket.gethostname()}"
    try:
        teller = subprocess.Popen(
            [tool, "--no-fail", name, KIND, str(port), "path=/"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
    except OSError as error:
        log.warning("the page is not announced in the network: %s", error)
        yield
        return
    try:
        yield
    finally:
        teller.terminate()
        try:
            teller.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            teller.kill()
            teller.wait()


def _only_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return host == "localhost"
