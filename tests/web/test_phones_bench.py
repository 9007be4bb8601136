"""The measurement of phones that follow a game."""

from companion.bench import phones


def test_every_phone_that_is_measured_hears_of_every_move(monkeypatch) -> None:
    monkeypatch.setenv("COMPANION_BENCH_PHONES", "3")
    monkeypatch.setattr(phones, "PLIES", 4)
    lines: list[str] = []
    phones.run(lines.append)
    assert lines[0].startswith("  3 phones, 4 moves: 3 phones have every one; ")


def test_a_phone_that_skipped_a_state_heard_of_it_with_the_next() -> None:
    phone = phones.Phone([1, 3], [10.0, 12.5])
    assert phones.delays(phone, [(2, 12.0), (3, 12.25), (4, 13.0)]).tolist() == [0.5, 0.25, float("inf")]
