"""Whether the picture can be used: blur, exposure, glare, flicker, and whether the camera has moved."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.colours import White
from calibration.markers import Corners, sample

Picture = NDArray[np.uint8]
CHANNELS = ("blue", "green", "red")  # in the order in which a picture has them
LOST_COLOUR = "the colours of the camera look wrong: the markers' paper and ink are alike in"
MEND_COLOURS = (
    "and pieces may be taken for others: use white light; if that does not help, check the camera's cable and its "
    "settings"
)


@dataclass(frozen=True, slots=True)
class LightSettings:
    """What still is a usable picture."""

    dark_mean: float = 12.0  # mean level of a picture in which nothing can be seen
    bright_mean: float = 248.0
    flat_deviation: float = 2.0  # standard deviation of a picture that shows one tone only
    dark_paper: float = 45.0  # level of the markers' paper
    clipped_paper: float = 252.0
    least_contrast: float = 25.0  # paper minus ink
    blurred_share: float = 0.08  # width of a marker's edge in sides of the marker
    soft_share: float = 0.055  # ... from which on pieces are missed and invented
    soft_px: float = 2.5  # ... if it is so many pixels as well: a small picture is none that is blurred
    flicker_share: float = 0.012  # of the mean level, from frame to frame
    flicker_frames: int = 12
    moved_px: float = 1.2  # all markers shifted alike by more: the camera was moved


def unusable(small: Picture, settings: LightSettings | None = None) -> str | None:
    """Why nothing can be read in this (small, grey) picture: "dark", "bright", "blank", or None."""
    settings = settings or LightSettings()
    if small.size == 0:
        return "blank"
    mean, deviation = float(small.mean()), float(small.std())
    if mean < settings.dark_mean:
        return "dark"
    if mean > settings.bright_mean:
        return "bright"
    return "blank" if deviation < settings.flat_deviation else None


def light_warnings(white: White | None, settings: LightSettings | None = None) -> tuple[str, ...]:
    """What the markers' paper and ink say of the exposure, for people."""
    settings = settings or LightSettings()
    if white is None:
        return (
            "no white balance: the markers' paper is too dark, or dark in one colour: use white light, and more of it",
        )
    if (dead := white.dead()).any():
        names = " and ".join(name for name, lost in zip(CHANNELS, dead, strict=True) if lost)
        return (f"{LOST_COLOUR} {names}, {MEND_COLOURS}",)
    if white.paper.mean() < settings.dark_paper:
        return ("the table is dark: more light, or a longer exposure",)
    if white.paper.min() >= settings.clipped_paper:
        return ("the picture is overexposed: less light, or a shorter exposure",)
    if (white.paper - white.ink).mean() < settings.least_contrast:
        return ("paper and ink hardly differ: check light, haze and reflections on the markers",)
    if not white.enough():
        return ("the light is coloured so much that colours may be told wrongly: use white light",)
    return ()


def edge_width_px(grey: Picture, corners: Mapping[int, Corners], samples: int = 16) -> float:
    """Median width of the markers' edges in pixels (from 20 to 80 % of the step); NaN without markers."""
    widths: list[float] = []
    for square in corners.values():
        reach = min(float(np.hypot(*(square[1] - square[0]))) / 8, 12.0)
        offsets = np.arange(-reach, reach + 0.1, 0.25)
        for i in range(4):
            start, along = square[i], square[(i + 1) % 4] - square[i]
            outward = np.array([along[1], -along[0]]) / max(float(np.hypot(*along)), 1e-6)
            base = start + np.linspace(0.2, 0.8, samples)[:, None] * along
            profile = sample(grey, base[:, None, :] + offsets[None, :, None] * outward).mean(axis=0)
            profile = profile[int(profile.argmin()) :]  # farther in, the marker's white modules begin
            low, high = profile[0], profile.max()
            rising = np.maximum.accumulate(profile)
            near, far = (np.searchsorted(rising, low + share * (high - low)) for share in (0.2, 0.8))
            widths.append(float(far - near) * 0.25)
    return float(np.median(widths)) if widths else float("nan")


def is_blurred(grey: Picture, corners: Mapping[int, Corners], settings: LightSettings | None = None) -> bool:
    """True if the markers' edges are so wide that pieces cannot be told."""
    settings = settings or LightSettings()
    return bool(edge_width_px(grey, corners) > settings.blurred_share * _side_px(corners))


def blur_warnings(
    grey: Picture, corners: Mapping[int, Corners], settings: LightSettings | None = None
) -> tuple[str, ...]:
    """What the markers' edges say of a picture that is read though it is not sharp, for people."""
    settings = settings or LightSettings()
    if edge_width_px(grey, corners) <= max(settings.soft_share * _side_px(corners), settings.soft_px):
        return ()
    return ("the picture is not sharp, pieces may be missed or taken for others: focus the camera, or keep it still",)


def _side_px(corners: Mapping[int, Corners]) -> float:
    """Of the markers, the median of them."""
    return float(np.median([np.hypot(*(c[1] - c[0])) for c in corners.values()])) if corners else float("inf")


def camera_shift_px(before: Mapping[int, Corners], now: Mapping[int, Corners]) -> float:
    """How far the markers seen in both pictures have moved: the median of their middles, 0.0 with fewer than two.

    One marker that was pushed or half hidden does not count as a moved camera.
    """
    both = sorted(before.keys() & now.keys())
    if len(both) < 2:
        return 0.0
    return float(np.median([np.hypot(*(now[n].mean(axis=0) - before[n].mean(axis=0))) for n in both]))


class FlickerMeter:
    """Follows the mean level of still frames and tells a lamp that flickers."""

    def __init__(self, settings: LightSettings | None = None) -> None:
        self._settings = settings or LightSettings()
        self._levels: deque[float] = deque(maxlen=self._settings.flicker_frames)

    def add(self, small: Picture) -> None:
        """One more (small, grey) frame, of a table at rest."""
        if small.size:
            self._levels.append(float(small.mean()))

    @property
    def share(self) -> float:
        """How much the level jumps from frame to frame, as a share of the level; slow drift does not count."""
        if len(self._levels) < 3:
            return 0.0
        levels = np.asarray(self._levels)
        return float(np.median(np.abs(np.diff(levels))) / max(levels.mean(), 1.0))

    @property
    def flickers(self) -> bool:
        """True if the light flickers: a flicker period or a longer exposure should be set."""
        return len(self._levels) == self._levels.maxlen and self.share > self._settings.flicker_share
