"""What trainings fitted, with the figures it was measured at beside it; `companion.training` says how each was made."""

from pathlib import Path

WEIGHTS = Path(__file__).parent  # the folder that holds them
