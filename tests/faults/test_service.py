"""The whole service as a process: it always starts, says what is wrong, and ends politely."""

import re
import time

import cv2
import numpy as np
import pytest
from running import Service

from companion.journal.archive import open_archive
from companion.service.start_counter import FAILED_STARTS, StartCounter

END_S = 3.0


def test_without_a_camera_the_page_is_up_and_the_end_is_polite(tmp_path):
    with Service(tmp_path) as service:
        state = service.state_json(lambda s: s["sight"] == "no camera" and s["phase"] == "set-up")
        assert state["phase"] == "set-up"
        assert state["sight"] == "no camera"
        code, seconds = service.stop()
    assert code == 0
    assert seconds < 4 * END_S  # four times the promise: the machine may be loaded


def test_after_the_last_picture_of_a_folder_the_page_is_still_up(tmp_path):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), np.full((48, 64, 3), 90, np.uint8))
    with Service(tmp_path, camera=f"folder:{pictures}") as service:
        state = service.state_json(lambda s: "were read" in s["sight_text"])
        assert state["sight"] == "no camera"
        assert state["sight_text"].endswith("The page and manual entry work on")
        time.sleep(1.0)
        assert service.process.poll() is None
        assert service.state_json()["phase"] == "set-up"
        assert service.stop()[0] == 0


def test_a_wrong_configuration_is_named_by_line_and_the_page_is_up(tmp_path):
    with Service(tmp_path, "\n[camera]\nwidht = 800\n") as service:
        state = service.state_json(lambda s: s.get("notices"))
        assert any(re.search(r"line 6.*widht", notice) for notice in state["notices"]), state["notices"]
        assert any(re.search(r"line 6.*widht", line) for line in service.said), service.said


def test_without_a_folder_to_write_in_the_page_is_up_and_says_so(tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    with Service(tmp_path) as service:
        state = service.state_json(lambda s: s.get("notices") and s["phase"] == "set-up")
        assert any("PIN and logins last until the end only" in notice for notice in state["notices"])
        assert any("This game is not recorded" in notice for notice in state["notices"])
        assert any("set the host's PIN" in line for line in service.said)
        assert service.stop()[0] == 0


def test_a_damaged_journal_is_moved_aside_and_a_game_can_be_played(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "journal.sqlite3").write_bytes(b"what is this" * 1000)
    with Service(tmp_path) as service:
        state = service.state_json(lambda s: s.get("notices") and s["phase"] == "set-up")
        assert any("damaged" in notice for notice in state["notices"])
        assert state["phase"] == "set-up"
        service.stop()
    assert (tmp_path / "state" / "journal.sqlite3.corrupt.1").exists()


def test_a_killed_service_goes_on_with_the_same_game(tmp_path):
    for _ in range(2):
        with Service(tmp_path) as service:
            assert service.state_json(lambda s: s.get("game") == "khet")["game"] == "khet"
    archive = open_archive(tmp_path / "state" / "journal.sqlite3")
    assert archive.games() == [1]
    archive.close()


def test_three_failed_starts_ask_for_safe_mode(tmp_path):
    now = [1000.0]
    counters = [StartCounter(tmp_path / "starts.json", lambda: now[0]) for _ in range(FAILED_STARTS + 1)]
    assert [counter.begin() for counter in counters[:FAILED_STARTS]] == [False, False, True]
    counters[2].good()
    assert not counters[3].begin()


@pytest.mark.parametrize("junk", ["", "[", '{"a": 1}', '["x"]', "\x00", f"[1{'0' * 400}]", "[" * 100_000])
def test_a_start_counter_survives_any_file(tmp_path, junk):
    path = tmp_path / "starts.json"
    path.write_text(junk)
    assert StartCounter(path).begin() is False


def test_a_start_counter_survives_a_clock_that_jumps(tmp_path):
    for now in (2_000_000_000.0, 10.0, 2_000_000_000.0):
        assert StartCounter(tmp_path / "starts.json", lambda now=now: now).begin() is False
