"""One companion at a time for each state folder: two would write into one journal, and ask for one camera."""

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from companion.errors import ConfigError

log = logging.getLogger(__name__)


@contextlib.contextmanager
def sole(folder: Path) -> Iterator[None]:
    """While this lasts no other companion runs on the folder; ConfigError at once where one does.

    The folder itself is locked: that needs no file on a full disk, and ends with the program, however it ends. A folder
    that cannot be locked, or made, keeps nobody from starting.
    """
    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, held)
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ConfigError(
                f"another companion runs on {folder} already: open its page, or end it first (the service with "
                "`sudo systemctl stop companion`)"
            ) from error
        except OSError as error:
            log.warning("%s cannot be kept for this companion alone: %s", folder, error.strerror or error)
        yield
