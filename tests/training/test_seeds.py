"""Seeds are named in ranges that hold their last, too."""

from companion.training.seeds import first_to_last


def test_a_range_holds_its_last_and_may_be_a_single_seed():
    assert first_to_last("40220-40243") == range(40220, 40244)
    assert first_to_last("7") == range(7, 8)
