"""Seeds of tables to learn from."""

from companion.simulator.tables import TRAINING


def first_to_last(text: str) -> range:
    """As the type of an option: FIRST-LAST, or a single one."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def for_training(seed: int) -> int:
    """The seed; SystemExit where it is not for training."""
    if seed not in TRAINING:
        raise SystemExit(f"seed {seed} is not for training: stay inside {TRAINING}")
    return seed
