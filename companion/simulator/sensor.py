"""The camera's sensor: exposure, white balance, vignette, blur, noise, tone, sharpening, JPEG."""

import dataclasses
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.simulator.arrays import Colour, Floats, Ints, Pixels

LEVELS = 4095.0  # of the light that is white
NOISE_FIELDS = 3  # ready-made noise pictures, shifted at random for each frame of a film
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Sensor:
    """How light becomes a picture; `gain` maps linear light to 1 = white."""

    gain: float = 1.0
    balance: Colour = (1.0, 1.0, 1.0)  # B, G, R
    vignette: float = 0.2
    blur_px: float = 0.6
    shot: float = 0.008  # noise of half-bright pixels, in parts of full scale
    read: float = 0.003
    contrast: float = 0.15
    saturation: float = 1.05
    sharpen: float = 0.3
    glare: float = 0.02
    jpeg: int = 0  # quality; 0 = the frame is not compressed


def exposed(sensor: Sensor, light: Floats, white: float = 0.72, mean: float = 0.36) -> Sensor:
    """The sensor with a gain that puts the bright end of this light at `white` and its mean not above `mean`."""
    grey = light[::8, ::8].mean(axis=2)
    gain = min(white**2.2 / max(1e-4, float(np.percentile(grey, 97))), mean**2.2 / max(1e-4, float(grey.mean())))
    return dataclasses.replace(sensor, gain=gain)


def developed(sensor: Sensor, light: Floats, seed: int, number: int = 0) -> Pixels:
    """A single picture of this light; of one seed, each `number` gives other noise."""
    height, width = light.shape[:2]
    developer = Developer(sensor, width, height, seed, fields=1)
    developer.update(light, (0, 0, width, height))
    return developer.picture(number)


class Developer:
    """Develops linear light; keeps the part of the picture that did not change."""

    def __init__(self, sensor: Sensor, width: int, height: int, seed: int = 0, fields: int = NOISE_FIELDS) -> None:
        self.sensor = sensor
        self._seed = seed
        x = (np.arange(width, dtype=np.float32) / width - 0.5)[None] ** 2
        y = (np.arange(height, dtype=np.float32) / height - 0.5)[:, None] ** 2
        squared = (x + y) / 0.5
        falloff = sensor.gain * (1 - sensor.vignette * squared)
        self._weight = falloff[..., None] * np.float32(1 - sensor.glare) * np.array(sensor.balance, np.float32)
        self._clean = np.zeros((height, width, 3), np.uint8)
        self._tone = _tone_table(sensor)
        self._noise = _noise_fields(height, width, seed, fields)
        self._sigma = _sigma_table(sensor)

    def update(self, light: Floats, box: Box | None) -> None:
        """Develops the changed box of the light, noise apart."""
        if box is None:
            return
        pad = 4 + int(4 * self.sensor.blur_px)
        height, width = self._clean.shape[:2]
        x0, y0, x1, y1 = max(0, box[0] - pad), max(0, box[1] - pad), min(width, box[2] + pad), min(height, box[3] + pad)
        part = light[y0:y1, x0:x1] * self._weight[y0:y1, x0:x1]
        if self.sensor.blur_px > 0:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), self.sensor.blur_px), np.float32)
        veil = LEVELS * self.sensor.glare * 0.25 - 0.5  # a converter counts whole levels: OpenCV would round them
        levels = cv2.addWeighted(part, LEVELS, part, 0, veil, dtype=cv2.CV_16U)
        picture = self._tone.take(np.asarray(levels, np.uint16))
        picture = _sharpened(_saturated(picture, self.sensor.saturation), self.sensor.sharpen)
        a, b = (0 if x0 == 0 else pad, 0 if y0 == 0 else pad)
        c, d = (x1 - x0 if x1 == width else x1 - x0 - pad, y1 - y0 if y1 == height else y1 - y0 - pad)
        self._clean[y0 + b : y0 + d, x0 + a : x0 + c] = picture[b:d, a:c]

    def picture(self, number: int) -> Pixels:
        """The picture with the noise of frame `number`; the same number gives the same noise."""
        rng = np.random.default_rng([self._seed, number, 3])
        field = self._noise[int(rng.integers(len(self._noise)))]
        height, width = self._clean.shape[:2]
        dy, dx = int(rng.integers(64)), int(rng.integers(64))
        noise = field[dy : dy + height, dx : dx + width]
        sigma = cv2.LUT(self._clean, self._sigma)
        grain = cv2.multiply(noise, sigma, scale=1 / 1024, dtype=cv2.CV_16S)
        noisy = np.asarray(cv2.add(self._clean, grain, dtype=cv2.CV_8U), np.uint8)
        if self.sensor.jpeg:
            noisy = _compressed(noisy, self.sensor.jpeg)
        return noisy


def _tone_table(sensor: Sensor) -> Pixels:
    x = np.minimum(np.arange(1 << 16) / LEVELS, 1)
    screen = np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
    curved = screen + sensor.contrast * (screen - 0.5) * screen * (1 - screen) * 2
    return np.asarray(np.clip(curved * 255 + 0.5, 0, 255), np.uint8)


def _sigma_table(sensor: Sensor) -> Ints:
    """Noise of each screen value, in 1/64 steps of the screen's 255."""
    screen = np.arange(256) / 255
    linear = np.maximum(screen, 1 / 255) ** 2.2
    spread = np.sqrt(sensor.shot**2 * linear / 0.5 + sensor.read**2)
    slope = 1 / 2.2 * linear ** (1 / 2.2 - 1)
    return np.asarray(np.clip(spread * np.minimum(slope, 6.0) * 255 * 64, 0, 2000), np.int16)


@lru_cache(maxsize=1)
def _noise_fields(height: int, width: int, seed: int, count: int) -> Ints:
    """(count, h, w, 3) int16, standard deviation 16, correlated between neighbours as after demosaicing."""
    rng = np.random.default_rng([seed, 29])
    shape = (height + 64, width + 64, 3)
    fields = np.empty((count, *shape), np.int16)
    for i in range(count):
        raw = cv2.GaussianBlur(rng.standard_normal(shape, dtype=np.float32), (3, 3), 0.55)
        grey = raw.mean(axis=2, keepdims=True)
        mixed = 0.55 * raw + 0.75 * grey
        fields[i] = np.clip(mixed / mixed[:64].std() * 16, -80, 80)
    fields.flags.writeable = False
    return fields


def _saturated(picture: Pixels, amount: float) -> Pixels:
    if abs(amount - 1) < 0.01:
        return picture
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(picture, amount, grey, 1 - amount, 0), np.uint8)


def _sharpened(picture: Pixels, amount: float) -> Pixels:
    if amount <= 0:
        return picture
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)


def _compressed(picture: Pixels, quality: int) -> Pixels:
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok, "OpenCV can always encode an 8-bit picture"
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
