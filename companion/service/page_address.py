"""Where the page listens, and the name in its address: of every address of this machine, or of one."""

import contextlib
import ipaddress
import socket

ANYWHERE = "0.0.0.0"  # every address of this machine
EVERYWHERE = "::"  # those of IPv6, too
UNROUTED = "192.0.2.1"  # of a network that is nobody's


def on_every_address(host: str) -> bool:
    """True where the page is to be had by each name that this machine has."""
    return host in ("", ANYWHERE, EVERYWHERE)


def name_of(host: str) -> str:
    """A name by which phones find this machine now; "" where no network leads anywhere."""
    if not on_every_address(host):
        return in_address(host)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((UNROUTED, 9))  # nothing is sent: only the route is asked for
        return str(probe.getsockname()[0])
    return ""


def in_address(host: str) -> str:
    """The host as it stands in an address of the web: numbers of IPv6 in brackets."""
    with contextlib.suppress(ValueError):
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return host


def probe(host: str, port: int) -> None:
    """Nothing when a page can be served there, else OSError or ValueError."""
    for family, kind, protocol, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the page does after a restart
            tried.bind(place)
