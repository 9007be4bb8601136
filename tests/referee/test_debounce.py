"""Readings that are believed, and readings that are not."""

from companion.referee.views.debounce import Debouncer


def offered(keys: str, needed: int = 2, apart_s: float = 1.0) -> list[bool]:
    """One reading each quarter of a second, "." for one that says nothing: whether the newest is believed."""
    debouncer, believed = Debouncer(), []
    for number, key in enumerate(keys):
        debouncer.offer(key, number / 4, says_nothing=key == ".")
        believed.append(debouncer.agreed(needed, apart_s) and key != ".")
    return believed


def first(keys: str, **how: float) -> int | None:
    """The number of the first reading that is believed."""
    found = offered(keys, **how)
    return found.index(True) if True in found else None


def test_equal_readings_in_a_row_are_believed_once_they_lasted() -> None:
    assert first("aaaaaaa") == 4
    assert first("aa", apart_s=0.2) == 1


def test_another_reading_begins_anew() -> None:
    assert first("aaabaaaa") is None
    assert first("aaabaaaaa") == 8
    assert first("abababababab") is None


def test_a_reading_that_says_nothing_ends_no_row() -> None:
    assert first("aa.aa") == 4
    assert first("a.aa.aa") == 6  # as often nothing as something: the row began at the third


def test_a_row_with_more_gaps_than_readings_is_none() -> None:
    assert first("a.a.a.a.a.a.") is None
    assert first("aa...aa") is None


def test_nothing_said_twice_is_a_reading_too() -> None:
    debouncer = Debouncer()
    for number in range(6):
        debouncer.offer(".", number / 4, says_nothing=True)
    assert debouncer.agreed(2, 1.0)


def test_what_says_nothing_is_ended_by_whatever_else_says_nothing() -> None:
    debouncer = Debouncer()
    for number, key in enumerate("..:.."):
        debouncer.offer(key, number / 4, says_nothing=True)
    assert not debouncer.agreed(2, 1.0)


def test_what_came_between_starts_again() -> None:
    debouncer = Debouncer()
    for number in range(6):
        debouncer.offer("a", number / 4)
    debouncer.forget()
    debouncer.offer("a", 2.0)
    assert not debouncer.agreed(2, 0.0)
