"""How the companion reads files that a person names, and how it writes files: whole, or not at all."""

from calibration.files import read_named, write_safely

__all__ = ["read_named", "write_safely"]
