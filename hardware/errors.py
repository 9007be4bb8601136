"""What can go wrong at the edge of the world.

HardwareError
├── CameraError (OSError)
│   ├── CameraTimeout (TimeoutError)   no frame in time
│   ├── CameraFrozen                   the same picture again and again
│   ├── CameraStuck                    its process cannot even be killed
│   └── CameraEnded (EOFError)         the last picture of a folder or film was read
└── PinsError (OSError)                lights, strip, buzzer or buttons cannot be opened
"""

import contextlib
from collections.abc import Iterator


class HardwareError(Exception):
    """Base of all hardware errors."""


class CameraError(HardwareError, OSError):
    """The camera cannot be opened or has failed; the message says what to do."""


class CameraTimeout(CameraError, TimeoutError):
    """No frame came in time."""


class CameraFrozen(CameraError):
    """The camera delivers, but always the same picture: sensors have noise, so its driver stands still."""


class CameraStuck(CameraError):
    """The camera's process outlives its kill: the driver does not let go, and only a restart of the box helps."""


class CameraEnded(CameraError, EOFError):
    """No further frame will come: a folder or film is at its end."""


class PinsError(HardwareError, OSError):
    """Lights, strip, sounds or buttons cannot be opened."""


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
