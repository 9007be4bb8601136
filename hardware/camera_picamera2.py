"""The Raspberry Pi's own camera by picamera2: manual focus, light measured once and then locked."""

import importlib
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraError
from hardware.frames import Frame
from hardware.pictures import SMALL_WIDTH, checksum_of

# libcamera's numbers for the words (its control list is stable); naming them spares an import that only a Pi has
AF_MANUAL = 0
FLICKER_MANUAL = 1
MISSING = frozenset({"libcamera", "picamera2"})
KEPT = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition", "Lux", "SensorTemperature")


@dataclass(frozen=True, slots=True)
class PiCameraSettings:
    """Millimetres, seconds, hertz, pixels."""

    width: int = 1600
    height: int = 1200
    fps: float = 10.0
    distance_mm: float = 800.0
    mains_hz: int = 50
    settle_s: float = 2.0

    @property
    def half_period_us(self) -> int:
        """Lamps flicker at twice the mains frequency."""
        return round(1e6 / (2 * self.mains_hz))

    @property
    def frame_us(self) -> int:
        """Duration of one frame."""
        return round(1e6 / self.fps)

    @property
    def small_size(self) -> tuple[int, int]:
        """Width and height of the small stream; even, as YUV420 wants it."""
        return SMALL_WIDTH, max(2, round(self.height * SMALL_WIDTH / self.width / 2) * 2)


def steady_exposure(
    exposure_us: float, gain: float, half_period_us: int, frame_us: int, most_gain: float
) -> tuple[int, float]:
    """An exposure that is a whole number of lamp flickers, and the gain (1 at least) that keeps the brightness.

    In light so strong that the exposure is shorter than one flicker, the measured values stay: no multiple fits.
    """
    if exposure_us < half_period_us:
        return round(exposure_us), gain
    most = max(1, frame_us // half_period_us)
    count = min(most, max(1, round(exposure_us / half_period_us)))
    if gain * exposure_us < count * half_period_us:  # the gain would fall below 1
        count = max(1, int(gain * exposure_us // half_period_us))
    exposure = count * half_period_us
    return exposure, min(most_gain, max(1.0, gain * exposure_us / exposure))


class PiCamera:
    """FrameSource over picamera2. It may hang in the driver: use it in a `WorkerCamera`.

    For `settle_s` after `open` and after `measure_light` the frames carry `metadata["settling"]`; then exposure
    (a multiple of the mains' half period), gain and colour gains are locked.
    """

    def __init__(self, settings: PiCameraSettings = PiCameraSettings()) -> None:
        self._settings = settings
        self._camera: Any = None
        self._number = 0
        self._settled_s: float | None = None  # when to lock; None = locked

    def open(self) -> None:
        """CameraError when picamera2 or the camera is missing, saying what to install or check."""
        try:
            module = importlib.import_module("picamera2")
        except ModuleNotFoundError as error:
            if error.name not in MISSING:
                raise
            raise CameraError(
                f"{error.name} is missing: sudo apt install python3-picamera2, and make the virtual environment "
                "with the system's python3 and --system-site-packages"
            ) from error
        try:
            camera = module.Picamera2()
        except (IndexError, RuntimeError) as error:
            raise CameraError(
                f"no camera on the ribbon cable ({error}): check the cable at both ends, and `rpicam-hello --list`"
            ) from error
        try:
            self._start(camera)
        except RuntimeError as error:
            camera.close()
            raise CameraError(f"the camera does not start: {error}") from error
        self._camera, self._number = camera, 0

    def _start(self, camera: Any) -> None:
        settings = self._settings
        configuration = camera.create_video_configuration(
            main={"size": (settings.width, settings.height), "format": "RGB888"},  # B, G, R in memory
            lores={"size": settings.small_size, "format": "YUV420"},
            buffer_count=4,
            queue=False,  # a request is answered with a frame that was taken after it
        )
        camera.configure(configuration)
        camera.set_controls(_known(camera, self._opening_controls()))
        camera.start()
        self._settled_s = time.monotonic() + settings.settle_s

    def _opening_controls(self) -> dict[str, Any]:
        settings = self._settings
        return {
            "AfMode": AF_MANUAL,
            "LensPosition": 1000.0 / settings.distance_mm,  # dioptres
            "AeEnable": True,
            "AwbEnable": True,
            "AeFlickerMode": FLICKER_MANUAL,
            "AeFlickerPeriod": settings.half_period_us,
            "FrameDurationLimits": (settings.frame_us, settings.frame_us),
        }

    def read(self, timeout_s: float) -> Frame:
        """The next frame: one request gives picture, small copy and metadata of the same instant."""
        if self._camera is None:
            raise CameraError("the Raspberry Pi's camera is not open")
        request = self._camera.capture_request()
        try:
            pixels = np.asarray(request.make_array("main"), dtype=np.uint8)
            grey = self._grey(np.asarray(request.make_array("lores"), dtype=np.uint8))
            metadata = dict(request.get_metadata())
        finally:
            request.release()
        settling = self._settle(metadata)
        kept: dict[str, Any] = {name: metadata[name] for name in KEPT if name in metadata}
        if settling:
            kept["settling"] = True
        self._number += 1
        return Frame(pixels, grey, _taken_s(metadata), self._number - 1, checksum_of(pixels), None, kept)

    def _grey(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The brightness plane: YUV420 puts it first, its rows padded to the hardware's stride."""
        width, height = self._settings.small_size
        return planes[:height, :width].copy()

    def _settle(self, metadata: dict[str, Any]) -> bool:
        """Lock the light when its time has come; True while it still moves."""
        if self._settled_s is None:
            return False
        if time.monotonic() >= self._settled_s:
            self._lock(metadata)
            self._settled_s = None
        return True

    def _lock(self, metadata: dict[str, Any]) -> None:
        settings = self._settings
        limits = self._camera.camera_controls.get("AnalogueGain", (1.0, 16.0, 1.0))
        exposure, gain = steady_exposure(
            metadata["ExposureTime"], metadata["AnalogueGain"], settings.half_period_us, settings.frame_us, limits[1]
        )
        locked: dict[str, Any] = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": exposure,
            "AnalogueGain": gain,
        }
        if "ColourGains" in metadata:  # naming them is what stops the white balance; a grey camera has none
            locked["ColourGains"] = tuple(metadata["ColourGains"])
        self._camera.set_controls(_known(self._camera, locked))

    def measure_light(self) -> None:
        """Let exposure and white balance move again for `settle_s`, then lock them anew."""
        if self._camera is not None:
            self._camera.set_controls(_known(self._camera, {"AeEnable": True, "AwbEnable": True}))
            self._settled_s = time.monotonic() + self._settings.settle_s

    def close(self) -> None:
        """Stop and release; safe to call twice."""
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.stop()
            camera.close()


def _known(camera: Any, controls: dict[str, Any]) -> dict[str, Any]:
    """Cameras without a focus motor and older libcameras know fewer controls."""
    return {name: value for name, value in controls.items() if name in camera.camera_controls}


def _taken_s(metadata: dict[str, Any]) -> float:
    """The sensor's time stamp counts from boot, asleep or awake; ours does not count sleep."""
    now = time.monotonic()
    if "SensorTimestamp" not in metadata:
        return now
    asleep = time.clock_gettime(time.CLOCK_BOOTTIME) - now
    return min(now, float(metadata["SensorTimestamp"]) / 1e9 - asleep)
