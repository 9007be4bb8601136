"""Which Host headers are ours: what an attacker's DNS cannot own, and the names in the configuration."""

import ipaddress
import re
from collections.abc import Collection

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\Z")


def host_allowed(header: str | None, names: Collection[str]) -> bool:
    """True for exactly one `localhost`, `*.local`, IP literal or configured name, with or without a port."""
    name = _without_port(header or "")
    if name is None:
        return False
    if name.startswith("["):
        return _is_ip(name[1:-1], 6)
    name = name.lower()
    if _is_ip(name, 4):
        return True
    if not _NAME.match(name):
        return False
    return name == "localhost" or name.endswith(".local") or name in {known.lower() for known in names}


def _without_port(header: str) -> str | None:
    match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:,\s/@]+)(?::(\d{1,5}))?", header)
    return match[1] if match else None


def _is_ip(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False
