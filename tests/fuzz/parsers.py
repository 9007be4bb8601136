"""What is read from people and files, each with texts that are right and a check that must hold for any text at all."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from calibration.errors import CalibrationError
from calibration.lens import Lens, lens_from_json
from calibration.table import parse_markers
from companion.errors import CompanionError, IllegalMove, OddPosition, UnreadableText
from companion.games import GAMES
from companion.games import game as game_named
from companion.games.base import Game

PLIES = 12
ODD_OR_NONE = (UnreadableText, OddPosition)
OTHERWISE = {  # moves as they are read, too, and never written
    "khet": ("c1 u d1", "h8-h7", "d1->c2", "draw"),
    "ataxx": ("a1->a3", "a1:a3", "pass", "draw?"),
    "hexxagon": ("a1->a3", "c3 e3", "pass"),
    "kaxxt": ("put r3 left", "put r3g1 kaxxt row 2 col -1", "draw", "= 4"),
    "kdak": ("roll 3", "r ace"),
}
ODD = ("\x00", "\u2212", "\u0663", "\u00b2", "\u202e", "\n", "  ", "1e999", "9" * 25, "nan", "-0", "'", "é", "\ud800")


@dataclass(frozen=True)
class Parser:
    """`check(text)` is True for a text that was read and came back the same, False for one refused in words."""

    name: str
    seeds: tuple[str, ...]
    check: Callable[[str], bool]


def short_game(name: str) -> list[tuple[Any, Any]]:
    """Positions of a random game, each with the move that was played there."""
    rules, rng = game_named(name), random.Random(name)
    position, played = rules.start({}), []
    for _ in range(PLIES):
        moves = list(rules.moves(position))
        draws = list(rules.chance(position))
        if not moves and not draws:
            break
        move = rng.choice(draws)[0] if draws else rng.choice(moves[:200])
        played.append((position, move))
        position = rules.play(position, move).position
    return played


def same_again(
    read: Callable[[str], Any],
    write: Callable[[Any], str],
    refusals: tuple[type[Exception], ...],
    one_text: bool = True,
) -> Callable[[str], bool]:
    """Read, write, read again: the same value, or refused so and with words the first time.

    With `one_text` False several values share a text (Ataxx writes only where a grown disc comes to lie).
    """

    def check(text: str) -> bool:
        try:
            value = read(text)
        except refusals as refused:
            assert str(refused), "refused without a word"
            return False
        written = write(value)
        again = read(written)
        assert again == value or not one_text, f"{written!r} is read as something else"
        assert write(again) == written
        return True

    return check


def any_move(rules: Game, at: Any) -> Callable[[str], bool]:
    """What is read as a move can be told in words and as JSON, and is played, or refused by a rule."""
    read, write = partial(rules.read_move, at), partial(rules.write_move, at)
    same = same_again(read, write, (UnreadableText,), one_text=rules.NAME not in ("ataxx", "hexxagon"))

    def check(text: str) -> bool:
        if not same(text):
            return False
        move = read(text)
        assert rules.describe(at, move).endswith(".")
        assert rules.from_json(json.loads(json.dumps(rules.to_json(move)))) == move
        try:
            rules.play(at, move)
        except IllegalMove as refused:
            assert refused.rule[0] in {rule.number[0] for rule in rules.RULES}, refused.rule
            assert refused.text
        return True

    return check


def json_of(rules: Game) -> tuple[Callable[[str], Any], Callable[[Any], str]]:
    def read(text: str) -> Any:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UnreadableText(str(error)) from error
        return rules.from_json(data)

    return read, lambda value: json.dumps(rules.to_json(value))


def parsers() -> list[Parser]:
    """All of them."""
    found = []
    for name in GAMES:
        rules, played = game_named(name), short_game(name)
        positions = tuple(dict.fromkeys(rules.write_position(at) for at, _ in played))
        moves = tuple(dict.fromkeys(rules.write_move(at, move) for at, move in played))
        texts = tuple(json.dumps(rules.to_json(value)) for pair in played[:6] for value in pair)
        at = played[len(played) // 2][0]
        moves += OTHERWISE.get(name, ())
        positions += (rules.draw(at),) if name == "khet" else ()  # a diagram is read, too
        found += [
            Parser(f"{name} position", positions, same_again(rules.read_position, rules.write_position, ODD_OR_NONE)),
            Parser(f"{name} move", moves, any_move(rules, at)),
            Parser(f"{name} json", texts, same_again(*json_of(rules), ODD_OR_NONE)),
        ]
    measures = (CompanionError, CalibrationError)
    found.append(Parser("markers", ("600,380,40", "500.5,300,25"), same_again(parse_markers, marker_text, measures)))
    found.append(Parser("lens", (LENS,), same_again(read_lens, lambda lens: json.dumps(lens.to_json()), measures)))
    return found


def marker_text(sizes: Any) -> str:
    return f"{sizes.width_mm!r},{sizes.height_mm!r},{sizes.side_mm!r}"


LENS = json.dumps(Lens(1600, 1200, 1300.0, 1300.5, 800.0, 600.0, 0.01, -0.02).to_json())


def read_lens(text: str) -> Lens:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CalibrationError(str(error)) from error
    if not isinstance(data, dict):
        raise CalibrationError("no lens")
    return lens_from_json(data)


def mutated(rng: random.Random, seeds: tuple[str, ...]) -> str:
    """A text with up to four changes, made of pieces of the others and of odd signs; now and then of any signs."""
    text = rng.choice(seeds)
    if rng.random() < 0.1:
        signs = rng.choice(seeds) if rng.random() < 0.7 else [chr(rng.randrange(1, 0xD800)) for _ in range(40)]
        return "".join(rng.choice(signs) for _ in range(rng.randint(0, 40)))
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(text) + 1), rng.choice(seeds)
        start = rng.randrange(len(other))
        match rng.randrange(6):
            case 0:
                text = text[:at] + other[start] + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + rng.randint(1, 6) :]
            case 2:
                text = text[:at] + other[start : start + rng.randint(1, 12)] + text[at:]
            case 3:
                text = text[:at] + other[start:]
            case 4:
                text = text[:at] + rng.choice(ODD) + text[at:]
            case _:
                text = text[:at] + text[at : at + 8] * 2 + text[at + 8 :]
    return text or " "
