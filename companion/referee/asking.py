"""What only people can answer: asked once, under a new name each time, and out of date once looks agree otherwise."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.referee import happenings as h
from companion.referee.denied import Denied
from companion.referee.explanations.explanation import ASKING, Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.snapshot import Choice, Question
from companion.referee.spelling import described, spelled

if TYPE_CHECKING:
    from companion.referee.table import Table


def ask(table: Table, question: Question, about: Mapping[str, Hypothesis] | None = None, of: Hashable = None) -> None:
    """Ask, unless it is asked already, in whatever order the answers came to mind.

    `about` says what the answers mean, `of` is the explanation that the question is about. The question that people see
    bears an `id` of its own: no answer, however late, meets another one, even after a restart.
    """
    old, table.asked, table.asked_of = table.question, about or {}, of
    if old is None or _substance(old) != _substance(question):
        table.question = replace(question, id=f"{question.kind}-{secrets.token_hex(4)}")
        table.tell(h.Asked(question.text))


def ask_which(table: Table, found: Explanation, kind: str, text: str, no: str) -> str:
    """Ask which of several actions it was, or none of them, in such words; the actions in words.

    Of choices with the same moves the likeliest is meant.
    """
    asked = {"; ".join(spelled(table.state, choice)): choice for choice in reversed(found.choices)}
    about = {answer_id(moves): choice for moves, choice in reversed(asked.items())}
    offered = [Choice(name, described(table.state, choice)) for name, choice in about.items()]
    ask(table, Question(kind, text, (*offered, Choice("no", no))), about, found.key)
    return " Or: ".join(choice.text for choice in offered)


def answer_id(moves: str) -> str:
    """The same for the same moves, in whatever order they come to mind."""
    return f"{zlib.crc32(moves.encode()):08x}"


def _substance(question: Question) -> tuple[str, str, frozenset[Choice]]:
    return question.kind, question.text, frozenset(question.choices)


def wavers(table: Table, found: Explanation) -> Explanation | None:
    """One more look upon which none agreed: what to ask, once that has lasted too long."""
    patience_s = table.settings.patience_s if table.touch.untouched else 0.0
    choice = table.wavering.see(found, table.now_s, patience_s)
    if choice is None or len({described(table.state, meant) for meant in choice.choices}) == 1:
        return None  # the same in words, a few millimetres apart: nobody could choose
    return choice if table.denied.left(choice.choices, table.state) else None


def deny(table: Table) -> None:
    """Nothing of what is asked about was done."""
    table.denied, table.question = Denied.of(table.asked_of, table.asked.values(), table.state), None


def withdraw(table: Table, found: Explanation) -> None:
    """Looks agreed upon something else than what is asked about, or waits for the button: that is out of date."""
    if table.pending is not None and table.pending.key != found.key:
        table.pending = None
    if table.question is not None and table.asked and found.kind not in ASKING:
        table.question, table.asked = None, {}
