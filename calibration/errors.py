"""What can go wrong between paper and millimetres.

CalibrationError (ValueError)
├── MarkersMissing       fewer than four table markers in the picture
├── PictureUnusable      empty, truncated, too dark, too bright, blurred
└── BadLens              a lens file that cannot be used
"""


class CalibrationError(ValueError):
    """Base of all calibration errors; the message says what to do."""


class MarkersMissing(CalibrationError):
    """Fewer than four table markers are in the picture; `missing` lists their ids."""

    def __init__(self, missing: tuple[int, ...], text: str) -> None:
        super().__init__(text)
        self.missing = missing


class PictureUnusable(CalibrationError):
    """The picture cannot be read at all."""


class BadLens(CalibrationError):
    """The lens model cannot be used."""
