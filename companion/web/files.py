"""Small secret files: written whole or not at all, readable by their owner alone."""

import secrets
from pathlib import Path

from companion.storage import write_safely

PRIVATE = 0o600  # mode of a file that only its owner may read


def secret_key(path: Path) -> bytes:
    """The installation's secret key, made at its first start."""
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) < 32:
        key = secrets.token_bytes(32)
        write_safely(path, key, PRIVATE)
    return key
