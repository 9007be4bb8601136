"""Every promise of the README names its tests here, and what is named is there."""

import re
from pathlib import Path

from companion.cli import COMMANDS

ROOT = Path(__file__).parents[1]
PROMISES = {
    "never lost": (
        "faults/test_kill.py::test_thirty_kills_lose_nothing",
        "faults/test_kill_behind_page.py::test_what_phones_were_told_outlives_kills",
        "faults/test_power_cut.py::test_what_was_acknowledged_survives_every_power_cut",
        "faults/test_disk_full.py::test_the_page_says_so_and_play_goes_on_once_there_is_room",
        "journal/test_restore.py::test_random_games_come_back_equal",
    ),
    "did not see": (
        "referee/test_table_play.py::test_nothing_is_ruled_on_what_was_not_seen",
        "referee/test_table_play.py::test_an_action_is_read_only_when_seen_twice",
        "pipeline/test_disturbances.py::test_nothing_that_happens_to_an_untouched_table_is_a_move",
        "referee/test_orders.py::test_sight_is_lost_within_two_seconds_without_pictures",
        "pipeline/test_films.py::test_twenty_random_films_are_refereed_without_a_wrong_move",
    ),
    "does not stop the others": (
        "faults/test_service.py::test_without_a_camera_the_page_is_up_and_the_end_is_polite",
        "faults/test_camera_worker.py::test_reading_never_blocks_longer_than_asked",
        "faults/test_clocks.py::test_a_clock_that_jumps_stops_nothing",
        "faults/test_terminate.py::test_ends_at_any_moment_are_clean",
        "outputs/test_outputs.py::test_pins_that_cannot_be_opened_leave_the_game_alone",
        "web/test_web_server.py::test_slow_readers_hold_up_nobody",
    ),
    "always starts": (
        "faults/test_service.py::test_a_wrong_configuration_is_named_by_line_and_the_page_is_up",
        "faults/test_service.py::test_a_damaged_journal_is_moved_aside_and_a_game_can_be_played",
        "faults/test_service.py::test_without_a_folder_to_write_in_the_page_is_up_and_says_so",
        "faults/test_service.py::test_three_failed_starts_ask_for_safe_mode",
        "fuzz/test_config_damage.py::test_a_damaged_configuration_always_starts",
        "journal/test_log.py::test_flipped_bits_never_change_an_event_unnoticed",
        "journal/test_log.py::test_killed_while_mending_nothing_is_lost_and_the_next_start_says_so",
        "faults/test_disk_full.py::test_a_start_on_a_full_disk_goes_on_with_the_game_and_records_it",
        "service/test_serving.py::test_an_address_that_cannot_be_used_is_told_and_the_page_is_up",
    ),
    "replayed": (
        "journal/test_fresh_process.py::test_a_game_goes_on_in_another_process_where_it_was",
        "journal/test_archive.py::test_a_restarted_desk_goes_on_where_it_was",
        "games/test_golden.py::test_golden_game",
    ),
    "Watching is free": (
        "web/test_web_gate.py::test_the_table_of_roles",
        "web/test_web_gate.py::test_a_fresh_installation_refuses_every_change",
        "web/test_web_gate.py::test_only_our_own_page_changes_anything",
        "web/test_web_commands.py::test_the_picture_is_for_the_host",
        "web/test_browser.py::test_nothing_comes_from_elsewhere",
        "web/test_web_mutations.py::test_requests_that_went_wrong",
    ),
    "update can be undone": (
        "service/test_install.py::test_it_installs_updates_and_goes_back",
        "service/test_install.py::test_going_back_brings_back_what_the_older_version_put_into_the_system",
        "service/test_install.py::test_killed_at_every_step_a_companion_still_answers_and_the_next_run_repairs",
    ),
}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_promise_names_its_tests_and_every_name_a_promise() -> None:
    section = text_of("README.md").split("## What it promises")[1].split("\n## ")[0]
    promised = re.findall(r"^\d\. (.+)", section, re.MULTILINE)
    assert len(promised) == len(PROMISES)
    for words, promise in zip(PROMISES, promised, strict=True):
        assert words in promise


def test_every_test_that_is_named_is_there() -> None:
    for named in PROMISES.values():
        for name in named:
            file, test = name.split("::")
            assert re.search(rf"^def {test}\(", text_of(f"tests/{file}"), re.MULTILINE), name


def test_what_is_said_of_security_names_files_that_are_there() -> None:
    said = text_of(".github/SECURITY.md")
    files = re.findall(r"`((?:tests|systemd)/[\w./]+)`", said)
    assert len(files) > 10
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert said.count("\n| ") - said.count("\n| ---") - 2 == 12 + 13  # rules that hold, and points of the standard


def test_the_readme_names_every_command_and_no_other() -> None:
    table = text_of("README.md").split("## Commands")[1].split("\n## ")[0]
    lines = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `companion")]
    codes = [code.removeprefix("companion ") for line in lines for code in re.findall(r"`([^`]+)`", line)]
    assert {code.split()[0] for code in codes} == set(COMMANDS)
