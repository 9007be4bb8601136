"""`companion bench rules`: the speed of the rules, each game beside a plain or a public implementation."""

from collections.abc import Callable

from companion.bench import ataxx_rules, khet


def run(say: Callable[[str], None]) -> None:
    """Print the figures of every game that has a yardstick."""
    khet.report(say)
    ataxx_rules.report(say)
