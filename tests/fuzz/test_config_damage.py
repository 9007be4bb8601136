"""Whatever happened to the configuration: it starts, says what is wrong with file and line, and changes nothing."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.config import Config
from companion.config.checks import loose
from companion.config.reading import load_config, read_config
from companion.errors import ConfigError
from companion.games import game

GOOD = b"""# my table
[camera]
source = "usb:0"  # the old webcam
fps = 5

[table]
markers = [500.0, 300.0, 40.0]

[lights]
seats = [17, 27]
hit = "none"

[game]
name = "khet"
[game.options]
layout = "classic-2.0"
swap_into_reserved = true

[quiet]
begin = "21:30"
"""
LINES = GOOD.splitlines(keepends=True)

damage = st.one_of(
    st.integers(0, len(GOOD)).map(lambda n: GOOD[:n]),
    st.tuples(st.integers(0, len(GOOD) - 1), st.integers(1, 255)).map(
        lambda at: GOOD[: at[0]] + bytes([GOOD[at[0]] ^ at[1]]) + GOOD[at[0] + 1 :]
    ),
    st.integers(0, len(LINES) - 1).map(lambda n: b"".join([*LINES[: n + 1], LINES[n], *LINES[n + 1 :]])),
    st.permutations(LINES).map(b"".join),
    st.tuples(st.integers(0, len(GOOD)), st.binary(max_size=8)).map(lambda at: GOOD[: at[0]] + at[1] + GOOD[at[0] :]),
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
)


def check_start(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    config, problems = load_config(path)
    assert isinstance(config, Config)
    for problem in problems:
        assert str(path) in str(problem)
        assert problem.line is None or 1 <= problem.line <= content.count(b"\n") + content.count(b"\r") + 1
        assert "Traceback" not in problem.text
    assert path.read_bytes() == content
    assert os.listdir(path.parent) == [path.name]


FUZZ = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}


@settings(max_examples=150, **FUZZ)
@given(content=damage)
def test_a_damaged_configuration_always_starts(tmp_path: Path, content: bytes) -> None:
    check_start(tmp_path / "companion.toml", content)


@pytest.mark.long
@settings(max_examples=5000, **FUZZ)
@given(content=damage)
def test_five_thousand_damaged_configurations_start(tmp_path: Path, content: bytes) -> None:
    check_start(tmp_path / "companion.toml", content)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ('[camera]\nwidht = 5\n', 2, ["'camera.widht'", "Did you mean 'width'?", "Allowed here: source, width"]),
        ('\n\n[camra]\nfps = 3\n', 3, ["'camra'", "Did you mean 'camera'?"]),
        ('[camera]\nsource = 5\n', 2, ["camera.source", "string", "not 5", "picamera2, usb:NUMBER"]),
        ('[camera]\nfps = "5"\n', 2, ["camera.fps", "number", 'not "5"', "default 10.0"]),
        ('[camera]\nmains_hz = 55\n', 2, ["50 or 60"]),
        ('[lights]\nhit = 17\n', 2, ["pin 17 is already used by lights.seats.0"]),
        ('[lights]\n# no\nseats = [17, 99]\n', 3, ["lights.seats.1", "27"]),
        ('[lights]\nseats = 17\n', 2, ["lights.seats: should be a list in brackets, not 17", "default [17, 27]"]),
        ('[lights]\nsight = true\n', 2, ["lights.sight", "not true", "default 22"]),
        ('[quiet]\nbegin = 08:00:00\n', 2, ["quiet.begin", "not 08:00:00", 'default "22:00"']),
        ('[camera]\nfps = -inf\n', 2, ["camera.fps", "not -inf"]),
        ('[table]\nmarkers = [600, 380]\n', 2, ["table.markers: has too few values", "default [600.0, 380.0, 40.0]"]),
        ('[sounds]\npin = 0\n', 2, ["sounds.pin", "2"]),
        ('[game]\nname = "kaxxt-on-ice"\n', 2, ["should be khet, ataxx", "perhaps kaxxt", 'not "kaxxt-on-ice"']),
        ('[game]\noptions = {lay_out = "x"}\n', 2, ["game.options.lay_out", "did you mean 'layout'?", "both_pharaohs"]),
        ('[game.options]\n\nfirst = "blue"\n', 3, ["game.options.first", "it can be silver, red"]),
        ('[game.options]\ndice = "loaded"\n', 2, ["game.options.dice", "it can be"]),
        ('[camera]\nsource = "picamera"\n', 2, ["camera.source: should be picamera2, usb:NUMBER", "perhaps picamera2"]),
        ('[camera]\nsource = "usb:"\n', 2, ["camera.source", "perhaps usb:NUMBER"]),
        ('[camera]\nsource = "usb:2147483648"\n', 2, ["camera.source: should be picamera2, usb:NUMBER"]),
        ('[camera]\nsource = "folder:a\\u0000b"\n', 2, ["camera.source", "without the sign NUL"]),
        ('[camera]\nhang_s = inf\n', 2, ["camera.hang_s"]),
        ('[table]\nmarkers = [0, 0, 0]\n', 2, ["table.markers.2", "greater than 0"]),
        ('[table]\nmarkers = [nan, 380, 40]\n', 2, ["table.markers.0", "finite number"]),
        ('[table]\nmarkers = [600, 30, 40]\n', 2, ["table.markers", "less than what is between their centres"]),
        ('[journal]\npath = "/"\n', 2, ["journal.path", "the path of a file"]),
        ('[board]\nfile = "a\\u0000b"\n', 2, ["board.file", "NUL"]),
        ('[strip]\nkind = "ws2812"\nspi = 1\n', 3, ["strip.spi: pin 17 is already used by lights.seats.0"]),
        ('[lights]\n[sounds]\npin = 5\n', 3, ["sounds.pin: pin 5 is already used by buttons.end_turn"]),
        ('[buttons]\n[lights]\nseats = [17, 18]\n', 3, ["lights.seats.1: pin 18 is already used by sounds.pin"]),
        ('[game.options]\nlayout = 1.5\n', 2, ["game.options.layout", "text, a whole number, true or false"]),
        ('camera = 3\n', 1, ["write [camera] on a line of its own"]),
        ('[quiet]\nbegin = "25:00"\n', 2, ["quiet.begin", "HH:MM"]),
        ('[quiet]\non = 1\n', 2, ["quiet.on", "boolean"]),
        ('[table]\nmarkers = [1.0, 2.0]\n', 2, ["table.markers", "W, H between"]),
        ('quiet.on = "x"\n', 1, ["quiet.on"]),
        ('[quiet]\non = true\non = false\n', 3, ["no TOML"]),
        ('[quiet]\non = yes\n', 2, ["no TOML"]),
        ('[quiet]\nbegin = """22:00\n\n', 4, ["Unterminated string"]),
        ('[web]\nport = 80\x00\n', 2, ["no TOML"]),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_line(tmp_path: Path, content: str, line: int, words: list[str]) -> None:
    path = tmp_path / "companion.toml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=re.escape(f"{path}, line {line}: ")) as caught:
        read_config(path)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_a_mistake_costs_only_its_own_setting(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(GOOD.replace(b"fps = 5", b"fps = -5").replace(b"hit =", b"hitt ="))
    config, problems = load_config(path)
    assert [problem.line for problem in problems] == [4, 11]
    assert config.camera.fps == 10.0
    assert config.camera.source == "usb:0"
    assert config.table.markers == (500.0, 300.0, 40.0)
    assert config.game.options == {"layout": "classic-2.0", "swap_into_reserved": True}


@pytest.mark.parametrize(
    ("mistake", "then"),
    [
        ("[sounds]\npin = 5\n", {"sounds.pin": None, "buttons.end_turn": None, "buttons.undo": 6}),
        ("[buttons]\nundo = 22\n", {"buttons.undo": None, "lights.sight": None, "lights.wait": 23}),
        ("[lights]\nseats = [22, 23, 4]\n", {"lights.seats.0": None, "lights.sight": None, "lights.seats.2": 4}),
        ("[lights]\nseats = [4, 99]\n", {"lights.seats.0": 4, "lights.seats.1": None, "lights.sight": 22}),
        ("[lights]\nseats = 17\n", {"lights.seats.0": None, "lights.sight": 22}),
        ("[lights]\nhit = 5\n[buttons]\nend_turn = 5\n", {"lights.hit": None, "buttons.end_turn": None}),
        ("[sounds]\npin = 17\n", {"sounds.pin": None, "lights.seats.0": None, "lights.seats.1": 27}),
        ("[lights]\nsight = true\n", {"lights.sight": None, "lights.hit": 25}),
        ("[lights]\non = 0\n", {"lights.seats.0": None, "lights.hit": None, "sounds.pin": 18}),
        ("[[lights]]\nhit = 4\n", {"lights.seats.0": None, "lights.hit": None, "sounds.pin": 18}),
        ('[sounds]\nkind = "active"\n', {"sounds.pin": None, "lights.hit": 25}),
        ("buttons = 5\n", {"buttons.undo": None, "sounds.pin": 18}),
        ('[strip]\nkind = "ws2812"\nspi = 1\n', {"strip.data": None, "lights.seats.0": None, "sounds.pin": 18}),
        ('[strip]\nkind = "ws2812"\nspi = 2\n', {"strip.data": None, "sounds.pin": 18}),
    ],
)  # fmt: skip
def test_a_pin_that_is_wrong_costs_only_itself_and_is_connected_to_nothing(
    tmp_path: Path, mistake: str, then: dict[str, int | None]
) -> None:
    path = tmp_path / "companion.toml"
    mistake = mistake.replace("[lights]\n", "[lights]\nbrightness = 0.1\n")
    others = '[web]\nport = 9000\n[journal]\npath = "/mnt/usb/j.sqlite3"\n'
    path.write_text(mistake + others if mistake.startswith("buttons") else others + mistake)
    config, problems = load_config(path)
    assert all("meanwhile nothing is connected there" in problem.text for problem in problems)
    assert problems
    assert (config.web.port, config.journal.path) == (9000, "/mnt/usb/j.sqlite3")
    assert config.lights.brightness == (0.1 if "brightness" in mistake else 0.6)
    assert {name: config.pin_map().get(name) for name in then} == then


def test_every_device_can_be_left_unconnected() -> None:
    for name in Config().pin_map():
        key = tuple(int(part) if part.isdigit() else part for part in name.split("."))
        assert loose(key) == (key, "none")


@pytest.mark.parametrize(
    "content", [b"[lights\nhit = 4\n", b'[lights]\nhit = "4\n', b"\xff\xfeh\0", b"x = 1" * 300_000]
)
def test_while_nothing_of_the_file_can_be_read_no_pin_is_used(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(content)
    config, (problem,) = load_config(path)
    assert config.pin_map() == {}
    assert config == Config(lights=config.lights, sounds=config.sounds, buttons=config.buttons)
    assert "meanwhile no pin is used" in problem.text


def test_a_position_of_ones_own_is_no_mistake(tmp_path: Path) -> None:
    path, khet = tmp_path / "companion.toml", game("khet")
    text = khet.write_position(khet.start({"layout": "imhotep-2.0"}))
    path.write_text(f'[game.options]\nlayout = "{text}"\nend_turn = true\n')
    assert load_config(path)[1] == ()


def test_what_is_no_file_starts_too(tmp_path: Path) -> None:
    assert load_config(tmp_path / "absent.toml") == (Config(), ())
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"# " + b"x" * 10_000_000)
    deep = tmp_path / "deep.toml"
    deep.write_text("x = " + "[" * 100_000)
    for path, word in ((folder, "directory"), (huge, "at most"), (deep, "TOML")):
        config, problems = load_config(path)
        assert (config.camera, config.pin_map()) == (Config().camera, {})
        assert word in str(problems[0])


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD)
    assert load_config(path)[1] == ()


def test_a_file_that_may_not_be_read_starts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(GOOD)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)  # root may read everything, so chmod would not do
    config, problems = load_config(path)
    assert (config.camera, config.pin_map()) == (Config().camera, {})
    assert "Permission denied" in str(problems[0])
