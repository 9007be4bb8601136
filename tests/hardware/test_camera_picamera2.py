"""The Raspberry Pi's camera, to the last call, on a picamera2 that records what it is told."""

import sys
import time
import types
from typing import Any

import numpy as np
import pytest

from hardware.camera_picamera2 import PiCamera, PiCameraSettings, steady_exposure
from hardware.errors import CameraError

CONTROLS = {
    "AfMode": (0, 2, 0),
    "LensPosition": (0.0, 15.0, 1.0),
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1000000, None),
    "FrameDurationLimits": (33333, 120000, 33333),
    "ExposureTime": (20, 1000000, 20000),
    "AnalogueGain": (1.0, 8.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
}


class FakeRequest:
    """One frame: main in BGR order, lores as YUV420 with padded rows."""

    def __init__(self, camera: "FakePicamera2") -> None:
        self._camera = camera
        self.released = False

    def make_array(self, stream: str) -> np.ndarray:
        assert not self.released
        if stream == "main":
            width, height = self._camera.configuration["main"]["size"]
            return np.dstack([np.full((height, width), level, np.uint8) for level in (10, 20, 30)])
        width, height = self._camera.configuration["lores"]["size"]
        planes = np.full((height * 3 // 2, width + 64), 255, np.uint8)  # 64 columns of padding
        planes[:height, :width] = 99
        return planes

    def get_metadata(self) -> dict[str, Any]:
        return {
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 40_000_000,
            "ExposureTime": 26_000,
            "AnalogueGain": 2.0,
            "ColourGains": [1.5, 2.5],
            "LensPosition": 1.25,
            "FocusFoM": 1,
        }

    def release(self) -> None:
        self.released = True


class FakePicamera2:
    """Records calls."""

    def __init__(self) -> None:
        self.camera_controls = dict(CONTROLS)
        self.calls: list[tuple[str, Any]] = []
        self.requests: list[FakeRequest] = []

    def create_video_configuration(self, **configuration: Any) -> dict[str, Any]:
        self.configuration = configuration
        return configuration

    def capture_request(self) -> FakeRequest:
        self.requests.append(FakeRequest(self))
        return self.requests[-1]

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.calls.append((name, arguments[0] if arguments else None))

    def controls(self) -> list[dict[str, Any]]:
        return [value for name, value in self.calls if name == "set_controls"]


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> FakePicamera2:
    camera = FakePicamera2()
    module = types.ModuleType("picamera2")
    module.Picamera2 = lambda: camera  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return camera


def test_it_is_opened_with_manual_focus_and_flicker_period(device: FakePicamera2) -> None:
    camera = PiCamera(PiCameraSettings(width=1600, height=1200, fps=10, distance_mm=800, mains_hz=60))
    camera.open()
    assert device.configuration["main"] == {"size": (1600, 1200), "format": "RGB888"}
    assert device.configuration["lores"] == {"size": (320, 240), "format": "YUV420"}
    assert device.configuration["queue"] is False
    assert [name for name, _ in device.calls] == ["configure", "set_controls", "start"]
    first = device.controls()[0]
    assert first["AfMode"] == 0
    assert first["LensPosition"] == pytest.approx(1.25)
    assert first["AeFlickerMode"] == 1
    assert first["AeFlickerPeriod"] == 8333
    assert first["FrameDurationLimits"] == (100_000, 100_000)
    camera.close()
    camera.close()
    assert [name for name, _ in device.calls[-2:]] == ["stop", "close"]


def test_one_request_gives_picture_small_copy_and_time(device: FakePicamera2) -> None:
    camera, begun_s = PiCamera(), time.monotonic()
    camera.open()
    frames = [camera.read(1.0) for _ in range(3)]
    assert len(device.requests) == 3
    assert all(request.released for request in device.requests)
    frame = frames[-1]
    assert frame.pixels.shape == (1200, 1600, 3)
    assert frame.pixels[0, 0].tolist() == [10, 20, 30]
    assert frame.small.shape == (240, 320)
    assert set(np.unique(frame.small)) == {99}
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert begun_s - 1.0 < frame.taken_s < time.monotonic() - 0.03  # the sensor's time, on this clock
    assert frame.metadata["ExposureTime"] == 26_000
    assert "FocusFoM" not in frame.metadata


def test_a_request_is_given_back_even_when_its_picture_cannot_be_read(device: FakePicamera2, monkeypatch) -> None:
    camera = PiCamera()
    camera.open()
    monkeypatch.setattr(FakeRequest, "make_array", lambda self, stream: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        camera.read(1.0)
    assert device.requests[0].released


def test_light_settles_then_is_locked_to_whole_flickers(device: FakePicamera2) -> None:
    camera = PiCamera(PiCameraSettings(settle_s=0.05, mains_hz=50))
    camera.open()
    assert camera.read(1.0).metadata["settling"]
    time.sleep(0.06)
    camera.read(1.0)
    assert "settling" not in camera.read(1.0).metadata
    locked = device.controls()[-1]
    assert locked == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 30_000,
        "AnalogueGain": pytest.approx(2.0 * 26 / 30),
        "ColourGains": (1.5, 2.5),
    }
    camera.measure_light()
    assert device.controls()[-1] == {"AeEnable": True, "AwbEnable": True}
    assert camera.read(1.0).metadata["settling"]
    time.sleep(0.06)
    camera.read(1.0)
    assert device.controls()[-1]["ExposureTime"] == 30_000


def test_a_grey_camera_has_no_white_balance_to_lock(device: FakePicamera2, monkeypatch: pytest.MonkeyPatch) -> None:
    told = FakeRequest.get_metadata
    monkeypatch.setattr(
        FakeRequest, "get_metadata", lambda self: {k: v for k, v in told(self).items() if k != "ColourGains"}
    )
    camera = PiCamera(PiCameraSettings(settle_s=0.0))
    camera.open()
    camera.read(1.0)
    assert "settling" not in camera.read(1.0).metadata  # that it has no colour, the eye says
    assert "ColourGains" not in device.controls()[-1]


def test_a_camera_without_focus_motor_is_not_asked_to_focus(device: FakePicamera2) -> None:
    del device.camera_controls["LensPosition"], device.camera_controls["AfMode"]
    PiCamera().open()
    assert not {"LensPosition", "AfMode"} & set(device.controls()[0])


@pytest.mark.parametrize(
    ("exposure", "gain", "expected"),
    [
        (26_000, 2.0, (30_000, 2.0 * 26 / 30)),
        (10_000, 1.0, (10_000, 1.0)),
        (14_900, 1.0, (10_000, 1.49)),
        (16_000, 1.0, (10_000, 1.6)),  # 20 ms would need a gain below 1
        (4_000, 1.0, (4_000, 1.0)),  # sunlight
        (150_000, 4.0, (100_000, 6.0)),  # not longer than a frame
        (150_000, 8.0, (100_000, 8.0)),  # not more gain than there is
    ],
)
def test_steady_exposures(exposure: float, gain: float, expected: tuple[int, float]) -> None:
    assert steady_exposure(exposure, gain, 10_000, 100_000, 8.0) == (expected[0], pytest.approx(expected[1]))


@pytest.mark.parametrize("missing", ["picamera2", "libcamera"])
def test_a_missing_picamera2_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("hardware.camera_picamera2.importlib.import_module", find)
    with pytest.raises(CameraError, match=r"apt install python3-picamera2.*--system-site-packages"):
        PiCamera().open()


def test_a_fault_inside_picamera2_is_not_called_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> None:
        raise ModuleNotFoundError("No module named 'simplejpeg'", name="simplejpeg")

    monkeypatch.setattr("hardware.camera_picamera2.importlib.import_module", find)
    with pytest.raises(ModuleNotFoundError, match="simplejpeg"):
        PiCamera().open()


def test_no_camera_on_the_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("picamera2")
    module.Picamera2 = lambda: [][0]  # type: ignore[attr-defined]  # what picamera2 does without a camera
    monkeypatch.setitem(sys.modules, "picamera2", module)
    with pytest.raises(CameraError, match="ribbon cable"):
        PiCamera().open()


def test_importing_the_hardware_needs_no_pi() -> None:
    import subprocess

    code = "import sys, hardware.cameras, hardware.board; print({'picamera2', 'gpiozero', 'lgpio'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
