"""What players do who follow a script: start the game, rest until the referee has understood, answer it."""

import contextlib
import re
import threading
from typing import Any

from companion.errors import CommandRefused
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.referee.snapshot import Question, Snapshot
from companion.referee.words import sentence
from companion.simulator.playbook import Playbook
from companion.simulator.script import TOGETHER, Beat, Script
from companion.simulator.world import VirtualTable

NUMBER = re.compile(r"-?\d+(\.\d+)?")
GIVE_WAY_S = 15.0  # no movement of a hand takes longer
PATIENCE_S = 20.0  # a player waits this long for the referee to read an action, then plays on


def new_game(book: Playbook) -> Command:
    """The order that starts the game; take-backs are taken without a question, dice fall as the script says."""
    options: dict[str, Any] = {**book.options, "undo": "take", "dice": "entered", **book.table}
    return Command("new_game", {"game": book.game.NAME, "options": options})


def begin(desk: Desk, book: Playbook) -> None:
    """Start the game with all seats free: who took one in the demonstration before, and played that, plays not this."""
    for seat in desk.submit(new_game(book)).seats:
        if seat.player is not None:
            desk.submit(Command("withdraw", {"seat": seat.seat}))


def speak(desk: Desk, script: Script, beat: Beat, played: int) -> None:
    """What a player does on the page while the table rests: enter a move, answer a question."""
    if beat.entered and len(desk.snapshot().record) <= played:
        seat = script.game.to_move(script.position)
        with contextlib.suppress(CommandRefused):  # hands are still asked for something: said again a little later
            desk.submit(Command("play_move", {"move": beat.entered}, by="host" if seat is None else f"seat {seat}"))
    answer(desk, script, beat.what)


def answer(desk: Desk, script: Script, what: str) -> None:
    """A player who is asked which of two actions it was says so, as on the page."""
    question = desk.snapshot().question
    done, _, told = what.partition(" ")
    if question is None or done not in ("moved", "unlawful"):
        return
    game, position, texts = script.game, script.position, []
    moves = told.split(TOGETHER)
    for text in moves:
        move = game.read_move(position, text.strip())
        texts.append(sentence(game.describe(position, move)))
        if len(texts) < len(moves):
            position = game.play(position, move).position
    chosen = _choice_like(" ".join(texts), question)
    if chosen is not None:
        desk.submit(Command("answer", {"question": question.id, "choice": chosen}, by="host"))


def _choice_like(played: str, question: Question) -> str | None:
    """The answer that says what was played; of free pieces the millimetres may differ."""
    for words in (str, lambda text: NUMBER.sub("", text)):
        fitting = [choice.id for choice in question.choices if words(choice.text) == words(played)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def understood(what: str, snapshot: Snapshot, played: int) -> bool:
    """True if the referee has read what a beat of a script shows; `played` plies were played before it."""
    steps = snapshot.waiting.steps
    if what == "set-up":
        return snapshot.phase != "set-up"
    if what.startswith(("unlawful", "took")):
        return snapshot.ruling is not None
    if what.startswith("put"):
        return snapshot.ruling is None
    if what.startswith(("moved", "offer", "roll")):
        return len(snapshot.record) > played + what.count(TOGETHER)
    if what.startswith("half cleared"):
        return any(step.done for step in steps)
    if what.startswith("forgot"):
        return bool(steps)
    if what.startswith("cleared"):
        return not steps
    return what != "taken back" or len(snapshot.record) == played


class Players(threading.Thread):
    """Moves the hands at watchable speed; like people, they wait for the referee before they play on."""

    def __init__(self, script: Script, table: VirtualTable, desk: Desk, fps: float) -> None:
        super().__init__(name="players", daemon=True)
        self._script, self._table, self._desk, self._fps = script, table, desk, fps
        self._halt = threading.Event()  # not _stop: that is the thread's own
        self._way = threading.Event()  # somebody else wants to play on
        self.done = threading.Event()

    def run(self) -> None:
        """The whole script, then rest; it ends early, without a hand in the picture, once somebody else plays on."""
        for beat in self._script.beats():
            self._table.show(beat.state)
            if not beat.still:
                if self._halt.wait(1.0 / self._fps):
                    return
                continue
            if self._way.wait(beat.hold_s):
                return
            self._wait_for_the_referee(beat)
            if self._way.is_set():
                return
        self.done.set()

    def stop(self) -> None:
        """Take the hands off."""
        self._halt.set()
        self._way.set()

    @property
    def at_work(self) -> bool:
        """True while the script is played."""
        return self.is_alive() and not self.done.is_set()

    def give_way(self) -> bool:
        """End the movement that was begun and play no further; True once no hand is in the picture."""
        self._way.set()
        if self.is_alive():
            self.join(GIVE_WAY_S)
        return not self.is_alive()

    def _wait_for_the_referee(self, beat: Beat) -> None:
        waited, played = 0.0, len(self._script.record)
        while (
            waited < PATIENCE_S and not self._way.is_set() and not understood(beat.what, self._desk.snapshot(), played)
        ):
            speak(self._desk, self._script, beat, played)
            self._way.wait(0.1)
            waited += 0.1
