"""Small secret files: written whole or not at all, readable by their owner alone."""

import os
import secrets
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Replace `path` atomically; mode 0600 from the first byte on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the new name survives a pulled plug
    finally:
        os.close(folder)


def secret_key(path: Path) -> bytes:
    """The installation's secret key, made at its first start."""
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) < 32:
        key = secrets.token_bytes(32)
        write_private(path, key)
    return key
