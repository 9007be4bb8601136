"""Taught looks on disk: what is torn, cut or of another kind is refused with what to do, and nothing is half taken."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision import taught_looks
from companion.vision.taught_looks import TaughtLooks

LOOKS = TaughtLooks("game", "a game", format=2)
ARRAYS = {"weight": np.arange(12.0).reshape(3, 4)}


def written(folder):
    """A folder with looks; what they are made of."""
    LOOKS.write(folder, {"taught": "today"}, ARRAYS, {"red": np.full((4, 6, 3), 90, np.uint8)})
    return files(folder)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_was_written_is_read(tmp_path, capfd):
    written(tmp_path)
    assert LOOKS.there(tmp_path)
    with LOOKS.opened(tmp_path) as (about, arrays):
        assert (about["format"], about["taught"], about["pictures"]) == (2, "today", ["red.png"])
        assert (arrays["weight"] == ARRAYS["weight"]).all()
    assert LOOKS.pictures(tmp_path, about)["red"].shape == (4, 6, 3)
    (tmp_path / "red.png").unlink()
    assert LOOKS.pictures(tmp_path, about) == {}
    assert capfd.readouterr().err == ""


def test_pictures_of_an_earlier_lesson_are_removed_and_no_others(tmp_path):
    written(tmp_path)
    (tmp_path / "mine.png").write_bytes(b"a person's own")
    LOOKS.write(tmp_path, {"taught": "tomorrow"}, ARRAYS, {"blue": np.full((4, 6, 3), 90, np.uint8)})
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["blue.png", "mine.png"]


def test_nothing_there_is_told(tmp_path):
    assert not LOOKS.there(tmp_path)
    with pytest.raises(ValueError, match=r"no taught looks of a game.*teach the set anew"), LOOKS.opened(tmp_path):
        pass


@given(st.data())
def test_looks_that_are_cut_or_changed_are_refused_or_whole(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("looks")
    name, content = data.draw(st.sampled_from([item for item in written(folder).items() if item[0] != "red.png"]))
    cut = data.draw(st.integers(0, len(content)))
    put = data.draw(st.binary(max_size=8))
    rest = content[cut + len(put) :] if data.draw(st.booleans()) else b""
    (folder / name).write_bytes(content[:cut] + put + rest)
    try:
        with LOOKS.opened(folder) as (about, arrays):
            weight = arrays["weight"]
    except ValueError as error:
        assert "teach the set anew" in str(error)
    else:
        assert about["format"] == 2
        assert weight.shape == (3, 4)


@pytest.mark.parametrize("about", [{}, {"format": 1}, [], 7, None, "format", {"format": {"a": 2}}])
def test_other_formats_are_refused(tmp_path, about):
    written(tmp_path)
    (tmp_path / "game.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ValueError, match="teach the set anew"), LOOKS.opened(tmp_path):
        pass


@pytest.mark.parametrize("last", [1, 2, 3])  # of the files that can be written
def test_a_full_disk_leaves_the_looks_of_before(tmp_path, monkeypatch, last):
    before, written_safely, room = written(tmp_path), taught_looks.write_safely, iter(range(last - 1))

    def full(path, content):
        if next(room, None) is None:
            raise OSError(28, "No space left on device")
        written_safely(path, content)

    monkeypatch.setattr("companion.vision.taught_looks.write_safely", full)
    with pytest.raises(OSError, match="No space"):
        LOOKS.write(
            tmp_path,
            {"taught": "tomorrow"},
            {"weight": np.zeros((3, 4))},
            {"blue": np.zeros((4, 6, 3), np.uint8)},
        )
    assert files(tmp_path).items() >= before.items()
    with LOOKS.opened(tmp_path) as (about, arrays):
        assert about["taught"] == "today"
        assert (arrays["weight"] == ARRAYS["weight"]).all()


def test_one_lesson_leaves_no_file_of_another(tmp_path):
    written(tmp_path)
    LOOKS.write(tmp_path, {"taught": "tomorrow"}, {"weight": np.zeros((3, 4))}, {})
    assert len(files(tmp_path)) == 2


def test_arrays_that_an_earlier_version_named_are_read(tmp_path):
    (tmp_path / "game.json").write_text('{"format": 2, "pictures": []}', encoding="utf-8")
    np.savez(tmp_path / "game.npz", **ARRAYS)
    with LOOKS.opened(tmp_path) as (_, arrays):
        assert (arrays["weight"] == ARRAYS["weight"]).all()
    written(tmp_path)
    assert not (tmp_path / "game.npz").exists()
