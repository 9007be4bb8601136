"""The bench of photographed games tells which pictures were read otherwise than they were made."""

import dataclasses

import pytest

from companion.bench.albums import Album, Tally, photographed, run
from companion.errors import UnreadableText


def test_a_photographed_game_is_read_as_it_was_made(tmp_path):
    album = photographed(("ataxx", {"board": 7}), 3, 7_950_240, tmp_path)
    assert len(album.made) == len(album.lines) == len(album.seconds) >= 4
    assert album.made[0].startswith("set-up")
    assert [line.reading.kind for line in album.lines].count("move") >= 3
    assert list(album.otherwise()) == []
    assert album.ends_right
    other = dataclasses.replace(album.lines[1], reading=dataclasses.replace(album.lines[1].reading, kind="unclear"))
    astray = Album(album.made, [album.lines[0], other, *album.lines[2:]], album.seconds, ends_right=False)
    (told,) = astray.otherwise()
    assert told.startswith(f"{other.image}: {album.made[1]}; read as unclear")
    line = Tally([album, astray]).line()
    assert line.startswith(f"1 of 2 games end as they were played; 1 of {2 * len(album.made)} pictures read otherwise")


def test_options_that_are_no_json_are_told(monkeypatch):
    monkeypatch.setenv("COMPANION_BENCH_GAME", "chaos")
    monkeypatch.setenv("COMPANION_BENCH_OPTIONS", '{"seats": ')
    with pytest.raises(UnreadableText, match="COMPANION_BENCH_OPTIONS is not JSON"):
        run(print)
