"""Hands and arms that rest over the table: what has come in from the picture's edge since the last clear view.

No tone of skin or sleeve is known here: only that an arm is large, reaches the edge of the picture, was not there
before, and has an edge of its own. A thing that stays without any motion for long (a mug put down) becomes part of the
table; and where an arm was in the first picture already, it is seen to have gone.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import most
from companion.vision.connected import connected

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class HandSettings:
    """What counts as a hand."""

    width_px: int = 320  # of the small colour picture in which hands are searched
    level: float = 14.0  # grey levels that a pixel differs by from the clear table
    noise_factor: float = 4.0
    least_share: float = 0.008  # of the picture: smaller ones are no arms
    most_share: float = 0.6  # when more has changed, camera or lamp did
    edge_px: int = 3  # an arm reaches within so many pixels of the picture's edge
    close_px: int = 5  # gaps of this size inside an arm (a watch, a cuff) are closed
    near_px: int = 5  # an edge so near to where the difference ends ...
    edge: float = 20.0  # ... that is by so many grey levels sharper in one picture is an edge of that one
    gone_share: float = 0.1  # of the end that is an edge of the clear picture where an arm has gone from it ...
    gone_times: float = 2.0  # ... and so many times what is one of the picture now
    accept_s: float = 20.0  # what stays so long without motion belongs to the table


class HandFinder:
    """Remembers the table without hands; fed with still frames only."""

    def __init__(self, settings: HandSettings | None = None) -> None:
        self._settings = settings or HandSettings()
        self._clear: Picture | None = None
        self._since_s: float | None = None  # since when the same hand has been there

    def forget(self) -> None:
        """The camera was moved: nothing is known of the clear table any more."""
        self._clear, self._since_s = None, None

    def clear(self, image: Picture) -> None:
        """This picture shows the table without a hand."""
        self._clear, self._since_s = thumbnail(image, self._settings.width_px), None

    def hand(self, image: Picture, taken_s: float) -> bool:
        """True if a hand or arm rests in the picture."""
        if self._clear is None:
            return False
        small = thumbnail(image, self._settings.width_px)
        if small.shape != self._clear.shape or not arm_mask(self._clear, small, self._settings).any():
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = taken_s
        return taken_s - self._since_s < self._settings.accept_s


def thumbnail(image: Picture, width: int) -> Picture:
    """The picture at that width."""
    height = max(round(image.shape[0] * width / max(image.shape[1], 1)), 1)
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _levels(image: Picture) -> NDArray[np.float32]:
    """(3,) the median level of each channel, and 1."""
    return np.array([np.median(channel) + 1 for channel in cv2.split(image)], np.float32)


def arm_mask(clear: Picture, now: Picture, settings: HandSettings) -> NDArray[np.bool_]:
    """(h, w) True where something large has come in from the edge of the picture."""
    was = clear * (_levels(now) / _levels(clear))  # the light as a whole may change
    difference = cv2.blur(most(np.abs(now - was)), (3, 3))
    level = max(settings.level, settings.noise_factor * float(np.median(difference)))
    changed = (difference > level).astype(np.uint8)
    kernel = np.ones((settings.close_px, settings.close_px), np.uint8)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)
    labels, stats, _ = connected(changed)
    height, width = changed.shape
    mask = np.zeros(changed.shape, dtype=np.bool_)
    for label in range(1, len(stats)):
        x, y, w, h, area = (int(v) for v in stats[label])
        edge = settings.edge_px
        at_edge = x <= edge or y <= edge or x + w >= width - edge or y + h >= height - edge
        if not at_edge or not settings.least_share <= area / changed.size <= settings.most_share:
            continue
        part = np.asarray(labels == label)
        if not _has_gone(was, now, part, settings):
            mask |= part
    return mask


def _has_gone(was: NDArray[np.float32], now: Picture, part: NDArray[np.bool_], settings: HandSettings) -> bool:
    """True if this part ends at edges of the picture before, and not at edges of the picture now."""
    mask, rim = part.astype(np.uint8), settings.edge_px + 1
    around = cv2.dilate(mask, np.ones((3, 3), np.uint8)) > mask
    around[:rim], around[-rim:], around[:, :rim], around[:, -rim:] = False, False, False, False
    if not around.any():
        return False
    near = np.ones((settings.near_px, settings.near_px), np.uint8)
    then, here = (
        most(cv2.morphologyEx(cv2.blur(np.asarray(p, np.float32), (2, 2)), cv2.MORPH_GRADIENT, near))[around]
        for p in (was, now)
    )
    gone, came = (float((more > settings.edge).mean()) for more in (then - here, here - then))
    return gone >= settings.gone_share and gone >= settings.gone_times * came
