"""Picture files that are whole, cut off, damaged, or none."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import files
from calibration.errors import PictureUnusable
from companion.vision.picture import DAMAGED, read_picture

KINDS = [".jpg", ".png", ".webp", ".bmp", ".tif"]
PIXELS = cv2.resize(np.random.default_rng(3).integers(0, 255, (30, 40, 3), dtype=np.uint8), (400, 300))


def encoded(kind, *parameters):
    return cv2.imencode(kind, PIXELS, parameters)[1].tobytes()


@pytest.fixture
def why(tmp_path):
    """What is said of a file of these bytes; the empty text where it is read without a word."""

    def said(data):
        path = tmp_path / "picture"
        path.write_bytes(data)
        try:
            pixels, warnings = read_picture(path)
        except PictureUnusable as error:
            return str(error).removeprefix(f"{path}: ")
        assert pixels.shape == PIXELS.shape
        return " ".join(warnings)

    return said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("behind", [b"", bytes(300_000), b"ftypmp42" * 40_000], ids=["nothing", "zeros", "a film"])
def test_what_stands_behind_a_whole_picture_is_no_part_of_it(why, kind, behind):
    assert why(encoded(kind) + behind) == ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
def test_a_file_that_ends_before_its_picture_is_cut_off(why, kind, share):
    data = encoded(kind)
    assert "the picture file is cut off" in why(data[: int(len(data) * share)])


def test_a_progressive_jpeg_ends_after_its_last_scan(why):
    data = encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2)
    assert why(data + bytes(300_000)) == ""
    assert "cut off" in why(data[: len(data) * 9 // 10])


def test_the_end_of_a_preview_is_not_the_end_of_the_picture(why):
    data, preview = encoded(".jpg"), cv2.imencode(".jpg", PIXELS[:160, :160])[1].tobytes()
    assert len(preview) < 2**16 - 2
    inside = b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview
    assert why(data[:2] + inside + data[2:]) == ""
    assert "cut off" in why(data[:2] + inside + data[2 : len(data) // 4])


def test_a_damaged_picture_is_none_that_is_cut_off(why):
    data = bytearray(encoded(".png"))
    for at in range(len(data) // 2, len(data) // 2 + 64):
        data[at] ^= 0xFF
    assert why(bytes(data)).startswith("the picture file is damaged, or of a kind that is not read: ")


@pytest.mark.parametrize("bytes_long", [300, 2000])
@pytest.mark.parametrize("seed", range(6))
def test_a_jpeg_of_which_bytes_in_the_middle_are_others_is_read_and_called_damaged(why, seed, bytes_long, capfd):
    """The decoder leaves out what it does not understand, or runs out of bytes: both ways the rest is shifted."""
    data, rng = bytearray(encoded(".jpg")), np.random.default_rng(seed)
    at = int(len(data) * rng.uniform(0.3, 0.7))
    data[at : at + bytes_long] = rng.integers(0, 255, bytes_long, dtype=np.uint8).tobytes()
    assert why(bytes(data)) == DAMAGED
    assert capfd.readouterr().err == ""


PLAIN = [cv2.IMWRITE_JPEG_RST_INTERVAL, cv2.IMWRITE_JPEG_PROGRESSIVE, cv2.IMWRITE_JPEG_OPTIMIZE]


@pytest.mark.parametrize("quality", [10, 60, 100])
@pytest.mark.parametrize("how", [(), *((flag, 1) for flag in PLAIN)])
@pytest.mark.parametrize("shown", ["a photograph", "one grey", "another grey", "grey", "padded"])
def test_a_whole_jpeg_is_not_called_damaged_however_it_was_written(tmp_path, shown, how, quality):
    pictures = {"one grey": np.full((300, 400, 3), 128, np.uint8), "another grey": np.full((300, 400, 3), 90, np.uint8)}
    pixels = PIXELS[:, :, 0] if shown == "grey" else pictures.get(shown, PIXELS)
    data = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, quality, *how))[1].tobytes()
    if shown == "padded":
        data = data[:-2] + bytes(20) + data[-2:]
    (tmp_path / "picture").write_bytes(data)
    assert read_picture(tmp_path / "picture")[1] == ()


def test_a_jpeg_is_read_though_the_process_has_no_standard_error(tmp_path):
    (tmp_path / "picture").write_bytes(encoded(".jpg"))
    lines = (
        "import os, sys",
        "from pathlib import Path",
        "from companion.vision.picture import read_picture",
        "os.close(2)",
        "read_picture(Path(sys.argv[1]))",
    )
    picture = str(tmp_path / "picture")
    assert subprocess.run([sys.executable, "-c", "\n".join(lines), picture], check=False).returncode == 0


def test_what_is_no_file_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "WAITED_MS", 10)
    os.mkfifo(tmp_path / "pipe")
    for path, said in ((tmp_path / "pipe", "nobody writes into this pipe"), (Path("/dev/zero"), "this is a device")):
        with pytest.raises(PictureUnusable, match=said):
            read_picture(path)


def test_a_picture_may_come_out_of_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(encoded(".png"),))
    writer.start()
    assert (read_picture(tmp_path / "pipe")[0] == PIXELS).all()
    writer.join()


def test_a_file_that_is_longer_than_any_picture_is_not_read(tmp_path):
    with (tmp_path / "film").open("wb") as film:
        film.truncate(300_000_000)
    with pytest.raises(PictureUnusable, match="longer than 200 MB"):
        read_picture(tmp_path / "film")


def test_a_picture_of_too_many_pixels_says_so(why):
    data = cv2.imencode(".bmp", np.zeros((1, 2**20 + 1), np.uint8))[1].tobytes()
    assert why(data) == "the picture has too many pixels to be read: take a smaller one"


def test_a_strip_is_no_picture(tmp_path):
    cv2.imwrite(str(tmp_path / "strip.png"), np.zeros((20_000, 20), np.uint8))
    with pytest.raises(PictureUnusable, match="a strip of 20x20000 pixels: take a whole one"):
        read_picture(tmp_path / "strip.png")


@pytest.mark.parametrize("data", [b"BMW and other cars, in 2026", b"RIFF\x10\0\0\0WAVEfmt ", b"\x89PNG", b"{}"])
def test_other_files_are_no_pictures(why, data):
    assert why(data) == "this is no picture that can be read (JPEG, PNG ...)"


def test_what_a_telephone_saved_is_named_with_what_to_do(why):
    said = "this is a HEIC picture, which is not read: save it as JPEG, and let the telephone take others so"
    assert why(b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(200)) == said


def test_an_empty_file_is_called_empty(why):
    assert why(b"").startswith("the picture file is empty: ")
