"""Folders that are named on the command line."""

from pathlib import Path


def made_folder(name: str | Path) -> Path:
    """As the type of an option: a folder to write to, made at once, as its want would only show after hours of work."""
    path = Path(name)
    path.mkdir(parents=True, exist_ok=True)
    return path
