"""Prints of piecepack sets in the fonts of the machine: a stand-in for fontconfig says which there are."""

from collections import Counter
from pathlib import Path

import pytest
import reportlab

from companion.simulator.piecepack_art import PEN, PiecepackStyle, digit
from companion.training.piecepack_prints import fonts, printed_style

MANY = [f"/fonts/prolific/Face{number}.ttf" for number in range(40)]
REAL = sorted((Path(reportlab.__file__).parent / "fonts").glob("Vera*.ttf"))  # upright, slanted, bold, and both
FEW = ["/fonts/sparing/Only.otf", "/fonts/sparing/Only-Keyboard.ttf", "/fonts/sparing/Old.pcf.gz"]


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts a `fc-list` first on the PATH that lists these files."""

    def installed(*files: str) -> None:
        (tmp_path / "told").write_text("".join(f"{file}: \n" for file in files), encoding="utf-8")
        lister = tmp_path / "fc-list"
        lister.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\ncat {tmp_path}/told\n', encoding="utf-8")
        lister.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        fonts.cache_clear()

    yield installed
    fonts.cache_clear()


def test_fonts_are_those_that_opencv_draws_by_their_makers(listed, tmp_path):
    listed(*MANY, *FEW)
    assert sorted(map(len, fonts("25"))) == [1, 40]
    assert (tmp_path / "asked").read_text(encoding="utf-8").split()[0] == ":charset=32"  # of every letter the code


def test_a_maker_of_one_font_is_chosen_as_often_as_one_of_forty(listed):
    listed(*MANY, *FEW)
    makers = Counter(Path(style.font).parent.name for seed in range(300) if (style := printed_style(seed)).font != PEN)
    assert makers.total() > 200
    assert abs(makers["sparing"] / makers.total() - 0.5) < 0.12


def test_a_set_is_the_same_whenever_its_seed_is_drawn(listed):
    listed(*MANY, *FEW)
    one, other = printed_style(7), printed_style(7)
    assert (one.font, one.letters) == (other.font, other.letters)
    assert any(printed_style(seed).font != one.font for seed in range(8, 20))


def test_a_machine_without_fonts_is_told_what_to_install(listed):
    listed()
    with pytest.raises(SystemExit, match="fonts-dejavu"):
        [printed_style(seed) for seed in range(5)]  # some of which are no pen's


def test_every_font_draws_its_own_digits_whichever_was_drawn_before():
    styles = [PiecepackStyle(inks={}, shapes={}, font=str(file)) for file in REAL]
    told = [digit(style, value, 40).tobytes() for style in styles for value in "2345"]
    assert len(told) == len(set(told)) == 16
