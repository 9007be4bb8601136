"""The bench of photographed games tells which pictures were read otherwise than they were made."""

import dataclasses
import json
import shutil

import pytest

from companion.bench.albums import Album, Tally, drawn_before, photographed, run
from companion.bench.random_game import VARIANTS, called
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
    shown = [dataclasses.replace(line, reading=None) for line in album.lines]

    again = photographed(("ataxx", {"board": 7}), 3, 7_950_240, tmp_path, drawn_before)  # what is there already
    assert again.made == album.made
    assert [dataclasses.replace(line, reading=None) for line in again.lines] == shown
    assert [line.reading.moves for line in again.lines] == [line.reading.moves for line in album.lines]


def test_pictures_that_were_drawn_before_are_refereed_instead(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_BENCH_GAME", "ataxx")
    monkeypatch.setenv("COMPANION_BENCH_PICTURES", str(tmp_path))
    monkeypatch.setenv("COMPANION_BENCH_FIRST", "950241")
    monkeypatch.setenv("COMPANION_BENCH_GAMES", "1")
    monkeypatch.setenv("COMPANION_BENCH_PLIES", "1")
    with pytest.raises(UnreadableText, match="no album of ataxx on table 7950241"):
        run(print)
    folder = tmp_path / called(("ataxx", {"board": 7}), 7_950_241)
    made = photographed(("ataxx", {"board": 7}), 1, 7_950_241, folder).made
    shutil.copy(folder / "000.jpg", folder / f"{len(made) - 1:03d}.jpg")  # the last is another picture now
    said = list[str]()
    run(said.append)
    assert f"{len(made) - 1:03d}.jpg: " in said[0]
    told = json.loads((folder / "game.json").read_bytes())
    (folder / "game.json").write_text(json.dumps(told | {"pictures": told["pictures"][:-1]}), encoding="utf-8")
    with pytest.raises(UnreadableText, match="shows another game"):
        run(print)


def test_options_that_are_no_json_are_told(monkeypatch):
    monkeypatch.setenv("COMPANION_BENCH_GAME", "chaos")
    monkeypatch.setenv("COMPANION_BENCH_OPTIONS", '{"seats": ')
    with pytest.raises(UnreadableText, match="COMPANION_BENCH_OPTIONS is not JSON"):
        run(print)


def test_albums_of_all_variants_on_one_table_lie_in_folders_of_their_own():
    assert len({called(variant, 7_000_000) for variant in VARIANTS}) == len(VARIANTS)
    assert called(("kdak", {"variant": "duel"}), 7_000_000) == "kdak-duel-7000000"
