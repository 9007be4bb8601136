"""Whole games as text, much like PGN: tags, then numbered moves, then the result from x's view."""

import re
from dataclasses import dataclass

from companion.errors import UnreadableText
from companion.games.ataxx.notation import read_move, read_position, write_move, write_position
from companion.games.ataxx.play import outcome, play
from companion.games.ataxx.position import Move, Position
from companion.games.ataxx.setup import start

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
WIDTH = 80
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]\s*')
_TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|\d+\.+|[^\s{};]+")


@dataclass(frozen=True, slots=True)
class Record:
    """A game: its tags in their order, where it began, its moves, and its result."""

    start: Position
    moves: tuple[Move, ...] = ()
    result: str = "*"
    tags: tuple[tuple[str, str], ...] = ()


def result_of(position: Position) -> str:
    """The result word: `1-0` = x has won."""
    ended = outcome(position)
    if ended is None:
        return "*"
    return "1/2-1/2" if not ended.winners else ("1-0", "0-1")[ended.winners[0]]


def write_record(record: Record) -> str:
    """The record as text; `read_record` gives it back."""
    usual = write_position(start({}))
    tags = [tag for tag in record.tags if tag[0] not in ("FEN", "Result")]
    if write_position(record.start) != usual:
        tags.append(("FEN", write_position(record.start)))
    tags.append(("Result", record.result))
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags)
    return f"{head}\n{_wrapped(_tokens(record))}\n"


def _tokens(record: Record) -> list[str]:
    tokens, position, first = [], record.start, True
    for move in record.moves:
        if first or not position.turn:
            tokens.append(f"{position.full_moves}{'...' if position.turn else '.'}")
        first = False
        tokens.append(write_move(position, move))
        position = play(position, move).position
    return [*tokens, record.result]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(tokens: list[str]) -> str:
    lines = [""]
    for token in tokens:
        if lines[-1] and len(lines[-1]) + len(token) >= WIDTH:
            lines.append("")
        lines[-1] += f" {token}" if lines[-1] else token
    return "\n".join(lines)


def read_record(text: str) -> Record:
    """The record that the text holds, every move played; UnreadableText, OddPosition or IllegalMove."""
    tags, at = [], len(text) - len(text.lstrip())
    while found := _TAG.match(text, at):
        tags.append((found.group(1), re.sub(r"\\(.)", r"\1", found.group(2))))
        at = found.end()
    named = dict(tags)
    position = first = read_position(named["FEN"]) if "FEN" in named else start({})
    played, result = [], named.get("Result", "*")
    if result not in RESULTS:
        raise UnreadableText(f"{result!r} is no result; there are {', '.join(RESULTS)}")
    words = [word for word in _TOKEN.findall(text[at:]) if not re.match(r"[{;]|\d+\.", word)]
    for number, word in enumerate(words):
        if word in RESULTS:
            if number != len(words) - 1 or ("Result" in named and word != result):
                raise UnreadableText(f"the result {word!r} does not end the moves or differs from the tag")
            result = word
            break
        move = read_move(position, word)
        played.append(move)
        position = play(position, move).position
    kept = tuple(tag for tag in tags if tag[0] not in ("FEN", "Result"))
    return Record(first, tuple(played), result, kept)
