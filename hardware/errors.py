"""What can go wrong at the edge of the world.

HardwareError
├── CameraError (OSError)
│   ├── CameraTimeout (TimeoutError)   no frame in time
│   ├── CameraFrozen                   the same picture again and again
│   ├── CameraStuck                    its process cannot even be killed
│   └── CameraEnded (EOFError)         the last picture of a folder or film was read
└── PinsError (OSError)                lights, strip, buzzer or buttons cannot be opened
"""


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
