"""The light is measured by the cameras that can, and refused by the others."""

from pathlib import Path

import pytest

from companion.app import built, merged_look
from companion.config import Config, PinsConfig
from companion.errors import CommandRefused
from companion.referee.commands import Command
from hardware.cameras import make_camera

CONFIG = Config(pins=PinsConfig(factory="mock"))
MEASURE = Command("measure_light", {})


@pytest.mark.parametrize("spec", ["usb:7", "folder:pictures", "file:film.mp4"])
def test_a_camera_that_settles_by_itself_is_not_asked(tmp_path: Path, spec: str) -> None:
    with (
        built(CONFIG, make_camera(spec), merged_look(CONFIG, {}), state=tmp_path, port=0) as house,
        pytest.raises(CommandRefused, match="cannot be measured"),
    ):
        house.desk.submit(MEASURE)


def test_the_pis_camera_is_asked(tmp_path: Path) -> None:
    with built(CONFIG, make_camera("picamera2"), merged_look(CONFIG, {}), state=tmp_path, port=0) as house:
        house.desk.submit(MEASURE)
