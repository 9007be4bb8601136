"""What lasts is told, what passes is not."""

from companion.service.advice import LASTS_S, LastingAdvice

DARK = "the table is dark: more light, or a longer exposure"


def test_what_is_said_in_every_picture_for_long_enough_is_told() -> None:
    advice = LastingAdvice()
    assert advice.hear(0.0, [DARK]) == ()
    assert advice.hear(LASTS_S - 0.1, [DARK]) == ()
    assert advice.hear(LASTS_S, [DARK]) == (DARK,)


def test_it_is_told_until_it_was_not_said_for_as_long() -> None:
    advice = LastingAdvice()
    for second in range(7):
        advice.hear(float(second), [DARK])
    assert advice.hear(6.1, []) == (DARK,)
    assert advice.hear(6.0 + LASTS_S, []) == ()
    assert advice.hear(6.1 + LASTS_S, [DARK]) == ()  # it begins anew


def test_numbers_are_measured_anew_and_stay_one_advice() -> None:
    advice = LastingAdvice()
    told = [advice.hear(float(n), [f"marker 1 lies {24 + n % 3}.5 mm from its place", DARK]) for n in range(8)]
    assert told[-1] == ("marker 1 lies 24.5 mm from its place", DARK)
