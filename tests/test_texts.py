"""Which signs may stand in names and moves."""

import pytest

from companion.texts import printable, unprintable


@pytest.mark.parametrize(
    "name", ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "Łukasz ♟"]
)
def test_a_script_or_a_picture_may_need_joiners(name: str) -> None:
    assert not unprintable(name)


@pytest.mark.parametrize(
    "name", ["\u200d", "A\u200dnn", "\u0639\u200c", "\u0639\u200c\u200c\u0639", "a\u202eb", "\x1b[2J", "\u2028"]
)
def test_signs_that_nobody_sees_are_refused(name: str) -> None:
    assert unprintable(name)


def test_a_terminal_gets_nothing_that_it_would_obey() -> None:
    assert printable("Łukasz ♟ \N{WHITE CHESS KING}") == "Łukasz ♟ \N{WHITE CHESS KING}"
    assert printable("a\nb\x1b[31m\udcff") == "a\ufffdb\ufffd[31m\ufffd"
