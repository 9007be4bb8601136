"""Games refereed from photographs of a virtual table: every picture gets the reading that it should."""

import pytest
from random_games import expected, refereed_album


def wrong_readings(pairs):
    found = []
    for shown, line in pairs:
        reading = line.reading
        right = reading.kind == expected(shown)
        if shown.startswith("moved"):
            right = right and reading.moves == (shown.split()[1],)
        if not right:
            found.append((line.image, shown, reading.kind, reading.moves, reading.text))
    return found


def test_a_photographed_game_is_read_picture_by_picture(tmp_path):
    pairs, script, run = refereed_album(2, 4, tmp_path)
    assert wrong_readings(pairs) == []
    assert [past.move for past in run.desk.table.state.plies] == script.record
    unlawful = [line.reading.rule for shown, line in pairs if expected(shown) == "unlawful"]
    assert all(unlawful)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20, 30))
def test_photographed_games_are_played_right_to_their_end(tmp_path, seed):
    pairs, script, run = refereed_album(seed, 8, tmp_path)
    assert [past.move for past in run.desk.table.state.plies] == script.record
    assert len(wrong_readings(pairs)) <= 1, wrong_readings(pairs)
