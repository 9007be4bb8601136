"""Folders of lessons are filled with whole files, each made once."""

import pytest

from companion.training.folders import boards_in, fill, whole


def test_a_file_that_was_not_finished_is_not_there_and_is_made_by_the_next_run(tmp_path):
    def stopped(seed, path):
        path.write_text("half of it")
        if seed == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path, "{:03d}.txt", range(4), stopped)
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["000.txt", "001.txt"]
    made = []
    fill(tmp_path, "{:03d}.txt", range(4), lambda seed, path: made.append(seed) or path.write_text("whole"))
    assert made == [2, 3]
    assert [path.read_text() for path in sorted(tmp_path.glob("*.txt"))] == [*["half of it"] * 2, *["whole"] * 2]


def test_no_time_left_ends_after_one(tmp_path, capsys):
    fill(tmp_path, "{}.txt", range(5), lambda seed, path: path.write_text("x"), minutes=0)
    assert capsys.readouterr().out.startswith(f"1 of 5 in {tmp_path}")


def test_tables_that_are_for_measuring_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="seed 1000000 is not for training"):
        fill(tmp_path, "{}.txt", [1_000_000], lambda seed, path: path.write_text("x"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_takes_the_place_of_the_one_before_only_when_it_is_whole(tmp_path):
    path = tmp_path / "lesson.txt"
    path.write_text("before")

    def tear():
        with whole(path) as half:
            half.write_text("torn")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tear()
    assert path.read_text() == "before"
    with whole(path) as half:
        half.write_text("after")
    assert path.read_text() == "after"


def test_boards_are_listed_folder_by_folder_and_picked_from_each(tmp_path):
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
        for name in ("board-000002.npz", "board-000001.npz", "other.npz"):
            (folder / name).touch()
    assert [path.relative_to(tmp_path).as_posix() for path in boards_in(folders)] == [
        f"{folder}/board-00000{number}.npz" for folder in ("first", "second") for number in (1, 2)
    ]
    assert boards_in(folders, slice(1, None)) == [folder / "board-000002.npz" for folder in folders]
