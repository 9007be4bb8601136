"""Files of weights that a bad disk has torn: they are named, and it is said what to do."""

import shutil

import numpy as np
import pytest

from companion.vision.dice.network import NAME as DICE
from companion.vision.dice.network import shipped as shipped_dice
from companion.vision.errors import UnusableWeights
from companion.vision.khet.network import shipped as shipped_khet
from companion.vision.khet.together import NAME as TOGETHER
from companion.vision.khet.together import shipped_together
from companion.vision.piecepack.networks import Networks
from companion.vision.weights import READ, WEIGHTS, about, arrays_of

FILES = sorted(path.name for path in WEIGHTS.iterdir() if path.suffix in READ)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("name", FILES)
def test_a_torn_file_is_named_with_what_to_do(tmp_path, name, share):
    whole, torn = (WEIGHTS / name).read_bytes(), tmp_path / name
    torn.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(UnusableWeights) as told:
        READ[torn.suffix](torn)
    assert str(torn) in str(told.value)
    assert "install the companion again" in str(told.value)


def test_nobody_is_told_to_load_a_damaged_file_in_an_unsafe_way(tmp_path):
    (tmp_path / "torn.npz").write_bytes(b"torn")
    with pytest.raises(UnusableWeights) as told:
        arrays_of(tmp_path / "torn.npz")
    assert "pickle" not in str(told.value)


@pytest.mark.parametrize("byte", [6, 8, 10])  # of a zip's entry in its list: its version, its flags, how it is packed
def test_a_file_with_one_changed_byte_is_named(tmp_path, byte):
    changed, torn = bytearray((WEIGHTS / f"{DICE}.npz").read_bytes()), tmp_path / "dice.npz"
    changed[changed.index(b"PK\x01\x02") + byte] = 0x61
    torn.write_bytes(changed)
    with pytest.raises(UnusableWeights, match=r"dice\.npz"):
        arrays_of(torn)


@pytest.mark.parametrize("text", ["[1]", "5", "null"])
def test_figures_that_are_none_are_named(tmp_path, text):
    figures = tmp_path / "figures.json"
    figures.write_text(text)
    with pytest.raises(UnusableWeights, match=r"figures\.json"):
        about(figures)


@pytest.mark.parametrize(("load", "stem"), [(shipped_dice, DICE), (shipped_khet, "khet"), (shipped_together, TOGETHER)])
@pytest.mark.parametrize("ending", READ)
def test_a_network_with_a_torn_file_is_not_left_out_as_an_absent_one_is(tmp_path, load, stem, ending):
    for each in READ:
        shutil.copy(WEIGHTS / f"{stem}{each}", tmp_path)
    (tmp_path / f"{stem}{ending}").write_bytes(b"torn")
    with pytest.raises(UnusableWeights, match=f"{stem}{ending}"):
        load(tmp_path)


@pytest.mark.parametrize(("load", "stem"), [(shipped_dice, DICE), (shipped_khet, "khet"), (shipped_together, TOGETHER)])
@pytest.mark.parametrize("ending", [".npz", ".json"])
def test_a_network_of_another_version_is_named_with_what_it_lacks(tmp_path, load, stem, ending):
    for each in READ:
        shutil.copy(WEIGHTS / f"{stem}{each}", tmp_path)
    if ending == ".npz":
        np.savez(tmp_path / f"{stem}.npz", other=np.zeros(3))
    else:
        (tmp_path / f"{stem}.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnusableWeights, match=rf"{stem}\{ending} cannot be used .* is missing"):
        load(tmp_path)


def test_what_lies_deeper_in_a_file_is_missed_in_the_same_words(tmp_path):
    path = tmp_path / "some.json"
    path.write_text('{"held_out": {}}', encoding="utf-8")
    with pytest.raises(UnusableWeights, match=r"some\.json cannot be used \('temperature' is missing\)"):
        about(path)["held_out"]["temperature"]


def test_networks_of_a_piecepack_with_a_torn_file_are_not_used(tmp_path):
    for path in WEIGHTS.glob("piecepack*"):
        shutil.copy(path, tmp_path)
    Networks(tmp_path)
    (tmp_path / "piecepack_tile.npz").write_bytes(b"torn")
    with pytest.raises(UnusableWeights, match=r"piecepack_tile\.npz"):
        Networks(tmp_path)
