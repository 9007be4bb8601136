"""What is the table's own pattern, and what lies on it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PatternSettings:
    """What is the table's own."""

    beyond_mm: float = 45.0  # the markers' papers, the picture is left as it was taken
    light_grid: int = 4  # coarse pixels of a pixel of the change of light
    light_level: float = 0.01  # of the logarithm: a step of that change
    blur_px: int = 3  # coarse pixels over which differences are averaged
    grey: float = 2.0  # grey levels that are noise
    same: float = 0.15  # of the logarithm: what differs by less is a bold pattern ...
    least_same: float = 0.05  # ... and by less than this any table ...
    near_mm: float = 6.0  # ... the pattern being as bold as it is so near ...
    other: float = 3.0  # ... and what differs by so many times as much is a thing on it
    calm: float = 0.1  # what differs by much less, beyond the noise, is but noise
    noise_levels: int = 16  # of the pattern so many grey levels have one noise ...
    noise_pixels: int = 50  # ... which more pixels than these have to tell ...
    noise_each: int = 2  # ... of every so many coarse pixels ...
    noise_most: float = 20.0  # ... where it is no louder, in grey levels
    hole_mm: float = 60.0  # at most is wide what a thing holds and what differs little: its tone is that of the pattern
    around_mm: float = 2.0  # so near to what was there before, the picture is kept as it was taken
    through_mm: float = 5.0  # edges of the pattern so near tell how much of it shows through a thing ...
    through_edge: float = 7.0  # ... if they are plainer than so much of Sobel's grey levels ...
    through: float = 0.12  # ... less of it is chance
