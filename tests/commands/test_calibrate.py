"""`companion calibrate`: a lens is measured and stored, or it is said why not."""

import json

import cv2
import pytest
from command_line import run
from drawn_tables import SMALL, lens_boards

pytestmark = pytest.mark.usefixtures("own_state")


def test_a_lens_is_measured_and_stored(tmp_path):
    for i, image in enumerate(lens_boards(6)):
        cv2.imwrite(str(tmp_path / f"{i}.png"), image)
    (tmp_path / "broken.png").write_text("")
    names = [tmp_path / f"{i}.png" for i in range(6)]
    result = run("calibrate", *names, tmp_path / "broken.png", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["fx"] == pytest.approx(SMALL.fx, rel=0.02)
    assert (tmp_path / "state" / "calibration" / "lens.json").exists()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--squares", "7"], "7x5"),
        (["--squares", "²x5"], "7x5"),
        (["--squares", f"{'9' * 5000}x5"], "7x5"),
        (["--squares", "40x40"], "800 markers, and DICT_5X5_100 only 100"),
        (["--marker", "40"], "smaller"),
        (["--square", "1e308"], "at most 10000 mm"),
        (["--dictionary", "DICT_X"], "DICT_X"),
        ([], "at least 4"),
    ],
)
def test_what_cannot_be_measured_is_said(pictures, options, word):
    result = run("calibrate", pictures / "table.png", *options)
    assert word in str(result.exception)
