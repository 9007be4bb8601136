"""Files that a crash or a full disk leaves whole, and the reading of what a person names."""

import contextlib
import errno
import os
import select
import stat
import tempfile
from pathlib import Path

WAITED_MS = 5000  # for what somebody may write into a pipe
LARGEST = 200_000_000  # bytes of any file that is read


def read_named(path: Path, most: int = LARGEST) -> bytes:
    """What is in a file, or comes out of a pipe; OSError of what has no end, says nothing, or is longer than `most`."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "this is a device, and no file", str(path))
    with open(path, "rb", opener=_without_waiting) as file:
        if stat.S_ISFIFO(mode):
            heard = select.poll()
            heard.register(file, select.POLLIN)
            if not heard.poll(WAITED_MS):
                raise OSError(errno.EPIPE, "nobody writes into this pipe", str(path))
            os.set_blocking(file.fileno(), True)
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"the file is longer than {most / 1e6:g} MB", str(path))
    return data


def _without_waiting(path: str, flags: int) -> int:
    """As `open` opens; a pipe though nobody writes into it."""
    return os.open(path, flags | os.O_NONBLOCK)


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
