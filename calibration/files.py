"""Files that a crash or a full disk leaves whole."""

import contextlib
import os
import tempfile
from pathlib import Path


def write_safely(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replace a file by a whole new one, brought to the disk with its name; its folder is made. OSError.

    A link stays one, to the new file; what is no file, such as a pipe or a terminal, is written to.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)  # the new name survives a pulled plug
    finally:
        os.close(folder)
