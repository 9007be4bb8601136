"""How the companion writes files: whole, or not at all."""

from calibration.files import write_safely

__all__ = ["write_safely"]
