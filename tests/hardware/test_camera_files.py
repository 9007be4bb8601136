"""Folders of pictures and films as cameras."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera_files import FilmCamera, FolderCamera, Playback
from hardware.cameras import CameraSettings, make_camera
from hardware.errors import CameraEnded, CameraError, CameraTimeout
from hardware.frames import Frame, FrameSource


def frames_of(camera: FrameSource) -> list[Frame]:
    camera.open()
    frames = []
    try:
        while True:
            try:
                frames.append(camera.read(5.0))
            except CameraTimeout:
                continue
    except CameraEnded:
        return frames
    finally:
        camera.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 90), ("a.jpg", 30), ("c.PNG", 200)):
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), level, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


@pytest.mark.parametrize("apart", [False, True])
def test_pictures_come_in_the_order_of_their_names_each_held(folder: Path, apart: bool) -> None:
    settings = CameraSettings(hold=3, period_s=0.5)
    camera = make_camera(f"folder:{folder}", settings) if apart else FolderCamera(folder, Playback(3, 0.5))
    frames = frames_of(camera)
    assert [frame.name for frame in frames] == ["a.jpg"] * 3 + ["b.png"] * 3 + ["c.PNG"] * 3
    assert [frame.number for frame in frames] == list(range(9))
    assert np.diff([frame.taken_s for frame in frames]) == pytest.approx(0.5)
    assert len({frame.checksum for frame in frames}) == 3
    assert [int(frame.pixels.mean()) for frame in frames[::3]] == [30, 90, 200]


def test_numbers_in_names_count_as_numbers(tmp_path: Path) -> None:
    names = ["1.png", "2.png", "10.png", "a.png", "a2b9.png", "a2b10.png", "a02b11.png", "a10.png"]
    for name in names:
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), 90, np.uint8))
    assert [frame.name for frame in frames_of(FolderCamera(tmp_path))] == names


def test_pacing_waits_as_a_camera_would(folder: Path) -> None:
    begun_s = time.monotonic()
    frames = frames_of(FolderCamera(folder, Playback(2, 0.1, pace=True)))
    assert time.monotonic() - begun_s >= 0.5
    assert len(frames) == 6


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff\xe0 truncated", b"P6\n999999 999999\n255\n"])
def test_a_damaged_picture_keeps_its_turn_and_says_why(folder: Path, content: bytes) -> None:
    (folder / "b.png").write_bytes(content)
    frames = frames_of(FolderCamera(folder))
    assert [frame.name for frame in frames] == ["a.jpg", "b.png", "c.PNG"]
    assert "b.png is unusable" in frames[1].metadata["unusable"]
    assert not frames[0].metadata


@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_grey_and_deep_pictures_become_eight_bit_colour(tmp_path: Path, depth: type) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((30, 40), np.iinfo(depth).max // 2, depth))
    frame = frames_of(FolderCamera(tmp_path))[0]
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.shape == (30, 40, 3)
    assert 125 <= frame.pixels.mean() <= 129


def test_the_small_copy_is_grey_and_small(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((1200, 1600, 3), 77, np.uint8))
    frame = frames_of(FolderCamera(tmp_path))[0]
    assert frame.small.shape == (240, 320)
    assert abs(int(frame.small.mean()) - 77) <= 1


def test_an_empty_or_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no picture"):
        FolderCamera(tmp_path).open()
    with pytest.raises(CameraError, match="no folder"):
        FolderCamera(tmp_path / "absent").open()


def test_a_film_gives_its_pictures_at_its_own_pace(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (64, 48))
    for level in (20, 120, 220):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    frames = frames_of(make_camera(f"file:{path}"))
    assert [round(float(frame.pixels.mean()) / 100) for frame in frames] == [0, 1, 2]
    assert np.diff([frame.taken_s for frame in frames]) == pytest.approx(0.2)


def test_what_is_no_film_is_told(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no film at"):
        FilmCamera(tmp_path / "absent.mp4").open()
    (tmp_path / "words.mp4").write_text("not a film")
    with pytest.raises(CameraError, match="is no film that can be decoded"):
        FilmCamera(tmp_path / "words.mp4").open()


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "usb",
        "usb:",
        "usb:x",
        "usb:-1",
        "usb:99999",
        f"usb:{'9' * 5000}",
        "folder",
        "folder:",
        "file:",
        "webcam",
        "picamera2:0",
    ],
)
def test_an_unknown_camera_lists_what_there_is(spec: str) -> None:
    with pytest.raises(CameraError, match="picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated"):
        make_camera(spec)


def test_the_simulated_camera_is_the_one_that_was_given() -> None:
    camera = FolderCamera("anywhere")
    assert make_camera("simulated", simulated=lambda: camera) is camera
    with pytest.raises(CameraError):
        make_camera("simulated")


def test_the_camera_on_the_cable_is_asked_for_by_name() -> None:
    with pytest.raises(CameraError, match="apt install python3-picamera2"):  # and is none of this machine's
        frames_of(make_camera("picamera2"))


def test_a_usb_camera_that_is_not_there_says_what_to_check() -> None:
    camera = make_camera("usb:97")
    with pytest.raises(CameraError, match="no USB camera number 97: is it plugged in"):
        frames_of(camera)
