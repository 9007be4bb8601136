"""Players of a fast film give up a game that the referee understands no more."""

from types import SimpleNamespace

from companion.demo import fast
from companion.simulator.script import Beat


class _Watch:
    def hands_left(self):
        pass


def _shown(understands: int, beats: int = 60) -> int:
    """How many beats are shown of so many, of which the first are understood."""
    record: list[str] = []
    shown: list[int] = []

    def beats_of():
        for number in range(beats):
            shown.append(number)
            if number < understands:
                record.append("move")
            yield Beat(None, 1.0, "moved d2")
            script.record.append("move")

    snapshot = SimpleNamespace(record=record, question=None, waiting=SimpleNamespace(steps=()))
    script = SimpleNamespace(record=[], beats=beats_of)
    frames = list(fast._frames(script, SimpleNamespace(snapshot=lambda: snapshot), 1.0, _Watch()))
    assert len(frames) >= len(shown)
    return len(shown)


def test_a_game_that_is_understood_is_played_to_its_end():
    assert _shown(60) == 60


def test_a_game_of_which_nothing_is_understood_any_more_is_given_up():
    assert _shown(0) == fast.GIVE_UP_BEATS
    assert _shown(20) == 20 + fast.GIVE_UP_BEATS


def test_players_have_patience_with_a_few_moves():
    assert _shown(45) == 60
