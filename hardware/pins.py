"""What all devices on pins share: how a driver's error is told, how they are closed, whether they are real."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardware.errors import PinsError

MODEL_FILE = Path("/proc/device-tree/model")


def on_a_pi() -> bool:
    """True on a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL_FILE.read_text(errors="replace")
    except OSError:
        return False


def are_real(kind: str) -> bool:
    """Whether pins and buses are real ones: "real", "mock", or "auto" for real ones on a Raspberry Pi."""
    return kind == "real" or (kind == "auto" and on_a_pi())


@contextlib.contextmanager
def as_pins_error(what: str) -> Iterator[None]:
    """PinsError for whatever a driver of pins raises: lgpio's own errors share no base with gpiozero's."""
    try:
        yield
    except PinsError:
        raise
    except ImportError as error:
        remedy = "sudo apt install python3-lgpio, in an environment with --system-site-packages"
        raise PinsError(f"{error}: {remedy}") from error
    except Exception as error:
        raise PinsError(f"{what}: {str(error) or type(error).__name__}") from error


def release(*devices: Any) -> None:
    """Close devices, which switches them off; PinsError after all were tried when one failed."""
    with as_pins_error("a pin could not be switched off"), contextlib.ExitStack() as closing:
        for device in devices:
            closing.callback(device.close)
