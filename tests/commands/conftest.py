"""Pictures of a table and what is known of it, for commands that are given files; and what a command refuses."""

import json
import sys

import cv2
import numpy as np
import pytest
from command_line import BOARD
from drawn_tables import SMALL, camera, khet_table

from companion.cli import main

POSE = camera(SMALL)


@pytest.fixture
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    return tmp_path


@pytest.fixture
def refused(monkeypatch, capsys):
    """Calls a command that leaves with code 2: what it says, and nothing on standard output."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["companion", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "Traceback" not in said.err
        return said.err

    return call


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    image = khet_table(POSE, pieces={"a1": (40, 40, 190), "e4": (40, 40, 190)})
    cv2.imwrite(str(folder / "table.png"), image)
    cv2.imwrite(str(folder / "empty.png"), khet_table(POSE))
    cv2.imwrite(str(folder / "black.png"), np.zeros((300, 400, 3), np.uint8))
    cv2.imwrite(str(folder / "white.png"), np.full((300, 400, 3), 255, np.uint8))
    cv2.imwrite(str(folder / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(folder / "deep.png"), image.astype(np.uint16) * 257)
    cv2.imwrite(str(folder / "grey.png"), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    cv2.imwrite(str(folder / "whole.jpg"), image)
    data = (folder / "whole.jpg").read_bytes()
    (folder / "cut.jpg").write_bytes(data[: len(data) * 2 // 3])
    (folder / "text.jpg").write_text("no picture")
    (folder / "nothing.jpg").write_bytes(b"")
    (folder / "lens.json").write_text(json.dumps(SMALL.to_json()))
    (folder / "board.json").write_text(json.dumps(BOARD))
    return folder
