"""One game at a terminal: what a typed line does and what is answered."""

import itertools
import random
from collections.abc import Callable, Iterable

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.events import Acted, Event, TurnBegan
from companion.games.base import Game, Move, Position

MOST_LISTED = 60  # moves shown at once
WORDS = {
    "random": "a random move (random 10: ten of them; random all: to the end)",
    "undo": "take the last move back, with what chance did after it (undo 3: three of them)",
    "moves": "list the legal moves, where they can be listed",
    "show": "draw the position again",
    "position": "print the position as text (position TEXT: go there)",
    "record": "print the moves so far",
    "help": "this help",
    "quit": "leave the game",
}


class Playing:
    """A game in progress; `say` prints a line. Chance is rolled from a seeded source, or typed when `roll` is off."""

    def __init__(
        self, game: Game, start: Position, say: Callable[[str], object], seed: int | None, roll: bool = True
    ) -> None:
        self._game, self._say, self._roll = game, say, roll
        self._random = random.Random(seed)
        self._before: list[tuple[Position, str, bool]] = []  # position, move made from it, whether a player made it
        self.position = start
        self.done = False

    @property
    def prompt(self) -> str:
        """Who is asked."""
        seat = self._game.to_move(self.position)
        if seat is None:
            return "over> "
        return f"{self._game.seats(self.position)[seat]}> "

    def begin(self) -> None:
        """Show the first position."""
        self._say(self._game.TITLE)
        self._settle_chance()
        self._show()

    def answer(self, line: str) -> None:
        """Do what the line says; a line that cannot be followed changes nothing and says what would be right."""
        word, _, rest = line.strip().partition(" ")
        handlers: dict[str, Callable[[str], object]] = {
            "random": self._play_random,
            "undo": self._undo,
            "moves": lambda _: self._list_moves(),
            "show": lambda _: self._show(),
            "position": self._go_to,
            "record": lambda _: self._say(" ".join(text for _, text, _ in self._before) or "no move yet"),
            "help": lambda _: self._help(),
            "quit": lambda _: self._quit(),
        }
        if not word or word.startswith("#"):
            return
        try:
            if word.lower() in handlers:
                handlers[word.lower()](rest.strip())
            else:
                self._play_typed(line.strip())
        except UnreadableText as error:
            self._say(f"unreadable: {error}")
        except IllegalMove as error:
            self._say(f"unlawful ({error.rule}, {error.name}): {error.text}")
            if error.remedy:
                self._say(f"  {error.remedy}")
        except OddPosition as error:
            self._say(f"odd position: {'; '.join(error.reasons)}")

    # --- moves ------------------------------------------------------------------------------------------------

    def _play_typed(self, text: str) -> None:
        if self._game.outcome(self.position) is not None:
            raise UnreadableText(f"the game is over, {text!r} was not played; undo, position or quit")
        self._make(self._game.read_move(self.position, text))
        self._settle_chance()
        self._show()

    def _make(self, move: Move, by_player: bool = True) -> None:
        text = self._game.write_move(self.position, move)
        turn = self._game.play(self.position, move)
        self._before.append((self.position, text, by_player))
        self.position = turn.position
        self._tell(text, turn.events)

    def _settle_chance(self) -> None:
        """Roll what is to be rolled. What is certain happens even when chance is typed."""
        while possible := self._game.chance(self.position):
            if not self._roll and len(possible) > 1:
                return
            moves, weights = zip(*possible, strict=True)
            self._make(self._random.choices(moves, weights)[0], by_player=False)

    def _play_random(self, rest: str) -> None:
        count = 1 if not rest else -1 if rest == "all" else self._number(rest)
        for _ in range(count) if count >= 0 else itertools.count():
            possible = tuple(self._game.moves(self.position))
            if not possible:
                break
            self._make(self._random.choice(possible))
            self._settle_chance()
        self._show()

    def _undo(self, rest: str) -> None:
        count = self._number(rest) if rest else 1
        if not any(by_player for _, _, by_player in self._before):
            raise UnreadableText("there is no move to take back")
        for _ in range(count):
            while self._before:
                self.position, _, by_player = self._before.pop()
                if by_player:
                    break
        self._show()

    def _number(self, text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            raise UnreadableText(f"{text!r} is no number; write 3, for instance")
        return int(text)

    def _go_to(self, text: str) -> None:
        if not text:
            # what lies face-down stays secret, here too
            self._say(self._game.write_position(self._game.seen_by(self.position, None)))
            return
        self.position = self._game.read_position(text)
        self._before.clear()
        self._settle_chance()
        self._show()

    # --- words ------------------------------------------------------------------------------------------------

    def _tell(self, text: str, events: Iterable[Event]) -> None:
        happened = tuple(events)
        self._say(": ".join([text, *(event.text for event in happened if isinstance(event, Acted))]))
        for event in happened:
            if not isinstance(event, Acted | TurnBegan):
                self._say(f"  {_in_words(event)}")

    def _show(self) -> None:
        self._say(self._game.draw(self.position))
        ended = self._game.outcome(self.position)
        if ended is not None:
            self._say(f"{ended.text} ({ended.rule})" if ended.rule else ended.text)
        elif self._game.chance(self.position):
            self._say("chance decides: type what dice or bag show, or random")

    def _list_moves(self) -> None:
        possible = list(itertools.islice(self._game.moves(self.position), MOST_LISTED + 1))
        shown = [self._game.write_move(self.position, move) for move in possible[:MOST_LISTED]]
        more = " ..." if len(possible) > MOST_LISTED else ""
        self._say("  ".join(shown) + more if shown else "no move can be listed")

    def _help(self) -> None:
        for word, meaning in WORDS.items():
            self._say(f"{word:10}{meaning}")
        example = next(iter(self._game.moves(self.position)), None)
        if example is not None:
            self._say(f"anything else is a move, like {self._game.write_move(self.position, example)}")

    def _quit(self) -> None:
        self.done = True


def _in_words(event: Event) -> str:
    """An event by its own text, or as `name: field value, ...`; beams as their colours, powers and corners."""
    data = event.to_json()
    name = data.pop("event")
    if "text" in data:
        return f"{data['text']} ({data['rule']})" if data.get("rule") else str(data["text"])
    if name == "beam":
        return "beam: " + "; ".join(_beam(path) for path in data["paths"])
    fields = (f"{key} {_plain(value)}" for key, value in data.items() if value not in (None, "", []))
    return f"{name}: {', '.join(fields)}"


def _beam(path: dict[str, object]) -> str:
    points = path["points"]
    assert isinstance(points, list)
    corners = " ".join(f"({x:g},{y:g})" for x, y in points)
    colour, power = path["colour"] or "light", path["power"]
    strength = f" {power:g}" if isinstance(power, float) else ""
    return f"{colour}{strength} {corners} {path['end']}".strip()


def _plain(value: object) -> str:
    return " ".join(str(part) for part in value) if isinstance(value, list) else str(value)
