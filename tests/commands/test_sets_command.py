"""`companion sets`: the kept sets by name, on the command line as on the page."""

from pathlib import Path

import pytest
from click.testing import Result
from command_line import run
from lesson_tables import eyes, pupil

from companion.config import Config
from companion.journal.archive import open_archive
from companion.service.vision_loop import taught_folder


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A companion that has learned how a set of discs looks."""
    folder = tmp_path / "state"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path / "etc"))
    teach(folder, 0)
    return folder


def teach(folder: Path, dimmed: int) -> None:
    stored = eyes(folder, "ataxx")
    stored.keep("ataxx", pupil(stored, dimmed), by_hand=True)


def sets(*arguments: str) -> Result:
    return run("sets", "ataxx", *arguments)


def names(result: Result) -> list[str]:
    """What is listed, without the day."""
    assert result.exit_code == 0, result.output
    return [
        line.split(", learned")[0] + ", deleted" * line.endswith(", deleted") for line in result.output.splitlines()
    ]


def test_a_set_is_kept_used_renamed_deleted_and_brought_back(state: Path) -> None:
    assert "No set of ataxx is kept" in sets().output
    assert names(sets("--keep", "Club set")) == ["* Club set"]
    teach(state, 40)
    assert names(sets()) == ["  Club set"]
    assert names(sets("--keep", "Mine")) == ["  Club set", "* Mine"]
    learned = (taught_folder(state, "ataxx")).stat().st_mtime_ns
    assert names(sets("--use", "club  SET")) == ["* Club set", "  Mine"]
    assert taught_folder(state, "ataxx").stat().st_mtime_ns != learned
    assert names(sets("--rename", "Mine", "Old one")) == ["* Club set", "  Old one"]
    assert names(sets("--delete", "Old one")) == ["* Club set", "  Old one, deleted"]
    assert names(sets("--restore", "Old one")) == ["* Club set", "  Old one"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--use", "Hers"), "no set of ataxx is kept under the name 'Hers': there are Club set"),
        (("--restore", "Club set"), "no set of ataxx was deleted under the name 'Club set': there are none"),
        (("--delete", "Club set"), "This set is in use"),
        (("--keep", "club set"), "Another set is called"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(state: Path, arguments: tuple[str, ...], said: str) -> None:
    sets("--keep", "Club set")
    refused = sets(*arguments)
    assert refused.exit_code != 0
    assert said in str(refused.exception)
    assert names(sets()) == ["* Club set"]


def test_two_changes_at_once_are_refused(state: Path) -> None:
    assert "one change at a time: --keep or --use" in sets("--keep", "a", "--use", "b").output
    assert "No set of ataxx is kept" in sets().output


def test_while_the_companion_runs_sets_are_listed_and_not_changed(state: Path) -> None:
    sets("--keep", "Club set")
    archive = open_archive(state / Config().journal.path)
    try:
        assert "the companion is running" in str(sets("--rename", "Club set", "Mine").exception)
        assert names(sets()) == ["* Club set"]
    finally:
        archive.close()
