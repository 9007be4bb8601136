"""The configuration: folders, pin map, and writing that survives a full disk."""

import errno
import os
from pathlib import Path

import pytest

from companion.config import (
    ButtonsConfig,
    Config,
    LightsConfig,
    SoundsConfig,
    config_file,
    runtime_folder,
    state_folder,
)
from companion.config.reading import read_config
from companion.errors import ConfigError
from companion.storage import write_safely

TEXT = '# mine\n[camera]\nfps = 5  # slow\n\n[lights]\nhit = "none"\n'


def test_systemd_names_the_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/companion:/var/lib/other")
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", "/etc/companion")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/companion")
    assert state_folder() == Path("/var/lib/companion")
    assert config_file() == Path("/etc/companion/companion.toml")
    assert runtime_folder() == Path("/run/companion")


def test_elsewhere_the_platform_names_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("STATE_DIRECTORY", "CONFIGURATION_DIRECTORY", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "etc"))
    assert state_folder() == tmp_path / "companion"
    assert config_file() == tmp_path / "etc/companion/companion.toml"
    assert runtime_folder().name == "companion"


def test_where_nobody_names_them_it_is_said_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unknown(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    for name in ("STATE_DIRECTORY", "HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(ConfigError, match=r"set an absolute HOME .* name the companion's folder by STATE_DIRECTORY"):
        state_folder()
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert state_folder() == tmp_path


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(TEXT)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(OSError, match="No space left"):
        write_safely(path, b"x" * 4000)
    assert path.read_text() == TEXT
    assert os.listdir(tmp_path) == ["companion.toml"]


def test_a_link_stays_a_link_and_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    path, kept, pipe = tmp_path / "companion.toml", tmp_path / "elsewhere" / "mine.toml", tmp_path / "pipe"
    kept.parent.mkdir()
    kept.write_text(TEXT)
    path.symlink_to(kept)
    write_safely(path, b"# new")
    assert path.is_symlink()
    assert kept.read_text() == "# new"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_safely(pipe, b"through")
    assert os.read(reading, 100) == b"through"
    os.close(reading)
    assert pipe.is_fifo()
    with pytest.raises(IsADirectoryError):
        write_safely(kept.parent, b"no")


def test_content_and_folder_are_flushed_before_and_after_the_change_of_name(tmp_path: Path, monkeypatch) -> None:
    calls: list[str] = []
    replace, fsync = os.replace, os.fsync
    monkeypatch.setattr(os, "replace", lambda a, b: (calls.append("replace"), replace(a, b)))
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("fsync"), fsync(handle)))
    write_safely(tmp_path / "file", b"text")
    assert calls == ["fsync", "replace", "fsync"]


def test_the_default_pins_are_all_different_and_can_be_left_out() -> None:
    pins = Config().pin_map()
    assert len(set(pins.values())) == len(pins) == 10
    silent = Config(lights=LightsConfig(seats=(17, None), hit=None), sounds=SoundsConfig(kind="none"))
    assert set(pins) - set(silent.pin_map()) == {"lights.seats.1", "lights.hit", "sounds.pin"}
    off = Config(lights=LightsConfig(on=False), buttons=ButtonsConfig(on=False))
    assert set(off.pin_map()) == {"sounds.pin"}


def test_the_sample_file_is_up_to_date_and_means_the_defaults(tmp_path: Path) -> None:
    from companion.config import sample as config_sample

    shipped = Path(__file__).parents[2] / "systemd/companion.toml"
    assert shipped.read_text() == config_sample.sample(), "python -m companion.config.sample > systemd/companion.toml"
    commented = shipped.read_text().splitlines(keepends=True)
    lines = [line[1:] if line.startswith("#") and not line.startswith("# ") else line for line in commented]
    path = tmp_path / "companion.toml"
    path.write_text("".join(lines))
    assert sum(" = " in line for line in lines) >= 40
    assert read_config(path) == Config()
    assert read_config(shipped) == Config()
