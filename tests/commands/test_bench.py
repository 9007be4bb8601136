"""`companion bench`: what it is asked for, how far it is, and what Ctrl-C leaves of it."""

import json
import signal

import pytest
from click.testing import CliRunner

from companion import cli
from companion.bench import BENCHES
from companion.bench.loops import each
from companion.errors import UnreadableText


@pytest.mark.parametrize(
    ("bench", "asked", "said"),
    [
        ("dice", {"TABLES": "many"}, "COMPANION_BENCH_TABLES is 'many', and no whole number"),
        ("dice", {"TABLES": "0"}, "COMPANION_BENCH_TABLES is 0, and has to be at least 1"),
        ("discs", {"FIRST": "-1"}, "COMPANION_BENCH_FIRST is -1, and has to be at least 0"),
        ("discs", {"FIRST": "999999"}, "there are 1000000 tables"),
        ("vision", {"TAUGHT": "perhaps"}, "COMPANION_BENCH_TAUGHT is 'perhaps': choose from yes, no"),
        ("vision", {"FAMILIES": "dice, chess"}, "there is no family 'chess'"),
        ("piecepack", {"TAUGHT": "0"}, "choose from yes, no"),
        ("pyramids", {"CLOTH": "chequered"}, "COMPANION_BENCH_CLOTH is 'chequered': choose from any, checked"),
        ("pyramids", {"STREWN": "some"}, "COMPANION_BENCH_STREWN is 'some', and no whole number"),
        ("piecepack", {"PLAYED": "maybe"}, "COMPANION_BENCH_PLAYED is 'maybe': choose from no, yes"),
        ("noise", {"TABLES": "0"}, "COMPANION_BENCH_TABLES is 0, and has to be at least 1"),
        ("games", {"GAME": "chess"}, "COMPANION_BENCH_GAME is 'chess': choose from khet, ataxx"),
        ("games", {"GAMES": "0"}, "COMPANION_BENCH_GAMES is 0"),
        ("games", {"GAME": "ataxx", "PLIES": "1.5"}, "COMPANION_BENCH_PLIES is '1.5', and no whole number"),
        ("games", {"GAME": "ataxx", "FPS": "0"}, "COMPANION_BENCH_FPS is 0, and has to be above 0"),
        ("games", {"GAME": "ataxx", "SECONDS": "soon"}, "COMPANION_BENCH_SECONDS is 'soon', and no number"),
        ("games", {"GAME": "kaxxt", "OPTIONS": json.dumps({"seats": 9})}, "option 'seats' cannot be '9'"),
        ("albums", {"PICTURES": "/nowhere"}, "COMPANION_BENCH_PICTURES is '/nowhere', and there is no such folder"),
        ("phones", {"PHONES": "0"}, "COMPANION_BENCH_PHONES is 0, and has to be at least 1"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_words(bench, asked, said, monkeypatch):
    for name, value in asked.items():
        monkeypatch.setenv(f"COMPANION_BENCH_{name}", value)
    done = CliRunner().invoke(cli.group, ["bench", bench])
    assert isinstance(done.exception, UnreadableText)
    assert said in str(done.exception)


def test_samples_that_are_not_there_are_told(monkeypatch):
    monkeypatch.setenv("COMPANION_SAMPLES", "/nowhere")
    done = CliRunner().invoke(cli.group, ["bench", "vision"])
    assert "COMPANION_SAMPLES is '/nowhere', and there is no such folder" in str(done.exception)


def test_ctrl_c_ends_a_loop_after_the_thing_at_hand_and_the_bench_before_the_next(capfd):
    before, said, done = signal.getsignal(signal.SIGINT), [], []
    for thing in each(range(5), "tables", said.append):
        if thing == 1:
            signal.raise_signal(signal.SIGINT)
        done.append(thing)
    assert (done, said) == ([0, 1], ["  stopped after 2 of 5 tables"])
    assert signal.getsignal(signal.SIGINT) is before
    assert "Ctrl-C once more stops at once" in capfd.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        next(each(range(5), "tables", said.append))
    assert list(each(range(2), "tables", said.append)) == [0, 1]


def test_a_second_ctrl_c_ends_at_once():
    before, done = signal.getsignal(signal.SIGINT), []
    with pytest.raises(KeyboardInterrupt):
        interrupted(done)
    assert done == [0]
    assert signal.getsignal(signal.SIGINT) is before
    assert list(each((), "tables", print)) == []


def interrupted(done):
    for thing in each(range(5), "tables", print):
        done.append(thing)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)


def test_a_long_loop_says_how_far_it_is(monkeypatch):
    said = []
    monkeypatch.setattr("companion.progress.TOLD_EVERY_S", 0.0)
    assert list(each("abc", "tables", said.append)) == ["a", "b", "c"]
    assert said == ["  1 of 3 tables", "  2 of 3 tables"]


def test_ctrl_c_keeps_the_figures_and_leaves_the_other_benches_out(monkeypatch):
    def measured(say):
        for thing in each(range(3), "tables", say):
            signal.raise_signal(signal.SIGINT)
            say(f"measured {thing}")
        say("figures of what was measured")

    monkeypatch.setattr("companion.bench.dice.run", measured)
    done = CliRunner().invoke(cli.group, ["bench", "dice", "discs"])
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[1:4] == ["measured 0", "  stopped after 1 of 3 tables", "figures of what was measured"]
    assert not any(line.startswith("discs:") for line in lines)


def test_the_help_says_what_each_bench_measures():
    shown = CliRunner().invoke(cli.group, ["bench", "--help"]).stdout
    assert all(f"  {name}: {meaning}\n" in shown for name, meaning in BENCHES.items())


def test_a_dark_room_is_measured_in_one_picture_and_at_rest(monkeypatch):
    monkeypatch.setattr("companion.bench.noise.TIMES", (6,))
    monkeypatch.setenv("COMPANION_BENCH_TABLES", "1")
    monkeypatch.setenv("COMPANION_BENCH_FIRST", "501000")
    lines = CliRunner().invoke(cli.group, ["bench", "noise"]).stdout.splitlines()
    assert [line.partition(", noise x 6, ")[2].partition(":")[0] for line in lines[1:]] == [
        "one picture",
        "at rest",
    ] * 2
    assert all("of 64 cells" in line for line in lines[1:3])
    assert all("of 30 pieces" in line for line in lines[3:])
