"""Lens files: written whole or not at all, read strictly."""

import json
import os

import pytest
from drawn_tables import LENS
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import files
from calibration.errors import BadLens, CalibrationError
from calibration.lens import lens_from_json, read_lens
from calibration.store import StoredLens, load_lens, save_lens

STORED = StoredLens(LENS, "2026-01-02T03:04:05+00:00", 0.098, 10, "attic")


def test_what_is_saved_comes_back(tmp_path):
    path = save_lens(tmp_path / "new", STORED)
    assert load_lens(tmp_path / "new") == STORED
    assert read_lens(path) == LENS


def test_nothing_stored_is_no_error(tmp_path):
    assert load_lens(tmp_path) is None


def test_a_write_that_fails_leaves_the_old_lens(tmp_path, monkeypatch):
    save_lens(tmp_path, STORED)

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(CalibrationError, match="No space left"):
        save_lens(tmp_path, StoredLens(LENS.scaled(800, 600), "later", 1.0, 1))
    assert load_lens(tmp_path) == STORED
    assert [p.name for p in tmp_path.iterdir()] == ["lens.json"]


def test_file_and_folder_are_brought_to_the_disk(tmp_path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_mode) or real(handle))
    files.write_safely(tmp_path / "x", b"1")
    assert len(synced) == 2


def test_another_version_is_refused(tmp_path):
    (tmp_path / "lens.json").write_text(json.dumps({"version": 99} | LENS.to_json()))
    with pytest.raises(BadLens, match="version 99"):
        load_lens(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"version": 1}', "[" * 100_000])
def test_a_damaged_file_is_refused_with_its_name(tmp_path, text):
    (tmp_path / "lens.json").write_text(text)
    with pytest.raises(BadLens, match=r"lens\.json"):
        load_lens(tmp_path)
    with pytest.raises(BadLens, match=r"lens\.json"):
        read_lens(tmp_path / "lens.json")


@pytest.mark.parametrize(
    "change",
    [
        {"fx": 0},
        {"fy": 1.3},
        {"cx": -5000},
        {"cy": 1e4},
        {"width": -1},
        {"height": 0.01},
        {"k1": float("nan")},
        {"fy": "far"},
        {"width": 1e12},
    ],
)
def test_impossible_lenses_are_refused(change):
    with pytest.raises(BadLens):
        lens_from_json(LENS.to_json() | change)


NAMES = st.sampled_from(["width", "height", "fx", "fy", "cx", "cy", "k1", "version", "camera"])
VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers()))


@settings(max_examples=150)
@given(st.dictionaries(NAMES, VALUES))
def test_any_json_is_a_lens_or_refused(data):
    try:
        lens = lens_from_json(LENS.to_json() | data)
    except BadLens as error:
        assert str(error)
    else:
        assert lens.fx > 0
        assert lens.width > 0


def test_a_lens_scales_with_the_picture():
    half = LENS.scaled(800, 600)
    assert half.fx == pytest.approx(LENS.fx / 2)
    assert half.cx == pytest.approx((LENS.cx + 0.5) / 2 - 0.5)
