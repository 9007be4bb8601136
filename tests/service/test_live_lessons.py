"""Simulated set-ups before the vision loop: what is learned of them, and what is told of their pictures."""

from pathlib import Path

import numpy as np
import pytest
from lesson_tables import eyes, pictured
from loop_tables import HandLoop, frames

from companion.vision.pipeline import Eye
from hardware.frames import Frame
from hardware.pictures import frame_of


@pytest.mark.parametrize("game", ["ataxx", "kaxxt"])
def test_the_set_up_of_a_live_game_is_learned_and_kept(tmp_path: Path, game: str) -> None:
    stored, rounds = eyes(tmp_path, game), list[str]()
    assert not stored.knows(game)
    table = HandLoop(game, stored, beat=lambda: rounds.append("beat"), take_time=lambda: rounds.append("long"))
    table.see(*frames(6, pictured(game)[0].pixels, apart_s=0.5))
    assert rounds.count("long") == 2  # to make the eye, and to teach another one
    assert stored.knows(game)
    assert table.desk.table.state.phase == "play"
    assert table.desk.snapshot().sight == "seeing"


class Kept:
    """Writes down which pictures could be kept for later lessons."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def see(self, game: str, frame: Frame, *_: object) -> None:
        self.frames.append(frame)


def test_lessons_are_learned_from_what_was_read_which_has_less_noise_than_any_picture(tmp_path: Path) -> None:
    clean, rng, kept = pictured("ataxx")[0].pixels, np.random.default_rng(3), Kept()
    noisy = [np.asarray(np.clip(clean + rng.normal(0, 8, clean.shape), 0, 255), np.uint8) for _ in range(6)]
    table = HandLoop("ataxx", eyes(tmp_path, "ataxx"), learn=False, corrections=kept)
    table.see(*(frame_of(pixels, 0.5 * n, n) for n, pixels in enumerate(noisy)))
    alone, told = (float((pixels.astype(float) - clean).std()) for pixels in (noisy[-1], kept.frames[-1].pixels))
    assert told < 0.6 * alone


@pytest.mark.faulty
def test_an_eye_that_stumbles_over_what_it_remembers_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, seen = Eye.read, list[tuple[int, str]]()

    def remembering(eye: Eye, frame: Frame) -> object:
        view = read(eye, frame)
        seen.append((id(eye), table.desk.snapshot().sight))
        if len(seen) == 2:
            monkeypatch.setattr(eye.reader, "find", None)  # it can no longer be called
        return view

    monkeypatch.setattr(Eye, "read", remembering)
    table = HandLoop("kaxxt", eyes(tmp_path, "kaxxt"), learn=False)
    table.see(*frames(8, pictured("kaxxt")[0].pixels, apart_s=0.5))
    assert len({eye for eye, _ in seen}) == 2
    assert "lost" in [sight for _, sight in seen]
    assert table.desk.snapshot().sight == "seeing"


@pytest.mark.parametrize("mended", [False, True])
def test_an_overexposed_table_is_told_until_it_is_mended(tmp_path: Path, mended: bool) -> None:
    pixels = pictured("ataxx")[0].pixels
    burnt = np.minimum(pixels.astype(np.uint16) * 3, 255).astype(np.uint8)
    shown = [burnt] * 3 + [pixels if mended else burnt] * 3
    table = HandLoop("ataxx", eyes(tmp_path, "ataxx"), learn=False)
    table.see(*(frame_of(shot, 3.0 * n, n) for n, shot in enumerate(shown)))
    assert table.tells("overexposed: less light") is not mended
