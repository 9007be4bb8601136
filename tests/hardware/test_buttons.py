"""What counts as a press."""

import pytest

from hardware.buttons import Presses, PressRules

RULES = PressRules(bounce_s=0.05, stuck_s=10.0, holds=(("new_game", 2.0),))


@pytest.mark.parametrize(
    ("name", "held_s", "counts"),
    [
        ("undo", 0.1, True),
        ("undo", 0.01, False),
        ("undo", 9.9, True),
        ("undo", 11.0, False),
        ("new_game", 1.9, False),
        ("new_game", 2.1, True),
    ],
)
def test_how_long_a_press_must_last(name: str, held_s: float, counts: bool) -> None:
    presses = Presses(RULES)
    presses.down(name, 100.0)
    assert presses.up(name, 100.0 + held_s) is counts


def test_a_bouncing_contact_is_one_press() -> None:
    presses = Presses(RULES)
    edges = [(0.0, 0.1), (0.11, 0.13), (0.135, 0.2)]  # (down, up): only the first is a finger
    counted = []
    for down, up in edges:
        presses.down("undo", down)
        counted.append(presses.up("undo", up))
    assert counted == [True, False, False]


def test_a_contact_that_chatters_while_closing_is_one_press() -> None:
    presses = Presses(RULES)
    edges = [(0.0, 0.002), (0.004, 0.01), (0.012, 0.2), (0.21, 0.22)]  # the last is chatter of the opening
    counted = []
    for down, up in edges:
        presses.down("undo", down)
        counted.append(presses.up("undo", up))
    assert counted == [False, False, True, False]


def test_two_buttons_cancel_each_other_and_both_work_again_afterwards() -> None:
    presses = Presses(RULES)
    presses.down("undo", 0.0)
    presses.down("end_turn", 0.1)
    assert not presses.up("undo", 0.2)
    assert not presses.up("end_turn", 0.3)
    presses.down("undo", 1.0)
    assert presses.up("undo", 1.2)


def test_a_release_without_a_press_and_a_second_down_are_harmless() -> None:
    presses = Presses(RULES)
    assert not presses.up("undo", 0.0)
    presses.down("undo", 1.0)
    presses.down("undo", 1.05)
    assert presses.up("undo", 1.2)


def test_a_thing_that_lies_on_one_button_does_not_silence_the_others() -> None:
    presses = Presses(RULES)
    presses.down("undo", 0.0)
    presses.down("end_turn", 5.0)
    assert not presses.up("end_turn", 5.2)  # it may still be a finger
    presses.down("end_turn", 11.0)
    assert presses.up("end_turn", 11.2)
    assert not presses.up("undo", 60.0)
    presses.down("undo", 61.0)
    assert presses.up("undo", 61.2)
