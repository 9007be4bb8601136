"""Photographs whose files are damaged: they show what never was, and nothing of it is played."""

import cv2
import numpy as np
from photograph_folders import Views

from companion.folder_run import FolderRun
from companion.photographs import photograph_settings


def test_a_photograph_whose_file_is_damaged_is_not_read(tmp_path):
    rng = np.random.default_rng(1)
    noise = cv2.resize(rng.integers(0, 255, (60, 80, 3)).astype(np.uint8), (640, 480))
    data = bytearray(cv2.imencode(".jpg", noise)[1].tobytes())
    del data[len(data) // 2 : len(data) // 2 + 200]
    (tmp_path / "000.jpg").write_bytes(data)
    run = FolderRun(Views(), "khet", {"layout": "classic-2.0"}, None, photograph_settings())
    (line,) = run.run([tmp_path / "000.jpg"])
    assert line.reading.kind == "unclear"
    assert "000.jpg: the picture file is damaged" in line.reading.text
    assert run.pictures_read == 0
