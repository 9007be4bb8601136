"""What phones and buttons may ask of the referee. Everything else is read from the table."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.referee.snapshot import Snapshot

# name -> (who may ask, what it does); "seat" commands may be given by a claimed seat or by the host
COMMANDS = {
    "new_game": ("host", "start a game: game, options"),
    "begin": ("host", "the set-up is complete, whatever is seen; recorded as such"),
    "reset": ("host", "end the game without a result"),
    "join": ("anyone", "claim a seat: seat, player"),
    "withdraw": ("seat", "leave a seat: seat"),
    "end_turn": ("seat", "my action is final"),
    "resign": ("seat", "give the game up: seat"),
    "offer_draw": ("seat", "offer a draw: seat"),
    "answer_draw": ("seat", "accept or decline the offered draw: seat, accept"),
    "claim_draw": ("seat", "claim the draw by repetition: seat"),
    "undo": ("host", "take back to a ply: ply (default: the last)"),
    "answer": ("host", "answer the referee's question: question, choice"),
    "correct": ("host", "say what stands on a cell or lies at a place: cell or x_mm and y_mm, piece"),
    "enter_move": ("host", "enter a move by its notation: move"),
    "play_move": ("seat", "make a move that does not show on the table: move"),
    "roll": ("seat", "let the companion roll the dice"),
    "allow": ("host", "let an unlawful move stand; recorded as such"),
    "take_up": ("host", "go on from the table as it lies; recorded as such: seat (to move)"),
    "set_corners": ("host", "the playing field's corners in pixels, top-left first, clockwise: corners"),
    "calibrate": ("host", "the guided steps of camera and table: step (start, next, skip, stop), at (lens, markers)"),
    "learn_set": ("host", "the table shows what is drawn: learn the looks of the set from it"),
    "call_off_lesson": ("host", "learn nothing after all, while a lesson waits for a clear picture"),
    "forget_set": ("host", "forget what was learned of the set"),
    "keep_sets": ("host", "sets that were taught: step (keep, use, rename, delete, restore), set, name"),
    "measure_light": ("host", "let the camera settle its exposure again"),
    "set_quiet": ("host", "quiet mode: on"),
    "set_options": ("host", "choose otherwise for the table while a game is on it: options"),
    "go_on_with": ("host", "go on with a recorded game that was closed before its end: number"),
    "erase_game": ("host", "remove a recorded game for good: number"),
}


@dataclass(frozen=True, slots=True)
class Command:
    """One request. `by` says who asks ("host", "seat 0", "button"); `expects` is the snapshot number that was seen."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    by: str = "host"
    expects: int | None = None
    key: str | None = None  # idempotency key: the same key is carried out once


class ReadModel(Protocol):
    """What the page reads."""

    def snapshot(self) -> Snapshot:
        """The newest state."""

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """The newest state once its version is above `after`, None after the timeout."""

    def version(self) -> int:
        """Counts every change of the snapshot, journalled or not."""

    def picture(self) -> bytes | None:
        """The newest picture of the table as JPEG, None without a camera. Never stored."""

    def above(self, width_mm: float, height_mm: float) -> bytes | None:
        """So much of the table around its middle, from straight above, as JPEG; None while it is not seen."""

    def taught(self, name: str) -> bytes | None:
        """A picture of what was learned of the set, as PNG; None where there is none of that name."""

    def calibration(self) -> dict[str, Any] | None:
        """Where the guided steps are, the lens and the set in words; None without a camera."""

    def games(self) -> list[dict[str, Any]]:
        """The games in the journal: id, game, title, started, plies, result."""

    def export(self, game_id: int, form: str) -> str:
        """A recorded game as "text", "json" or "html", which says where only its beginning can be read."""

    def on_table(self, game_id: int) -> bool:
        """True while this game is on, under its own number or under the one with which it was gone on with."""

    def may_go_on(self, game_id: int) -> None:
        """CommandRefused says why this game cannot be gone on with, before anybody is asked about it."""

    def withholds(self, game_id: int) -> bool:
        """True if this game is on, and its export as "json" tells what its record keeps from all until it is over."""

    def recorded(self, game_id: int) -> Snapshot | None:
        """A recorded game as the snapshot of its end, every ply of its record with its pieces; None if unknown."""

    def choices(self) -> list[dict[str, Any]]:
        """The games that can be started: name, title, options (name, choices, default, meaning, rule).

        The one that was started last has `last`: its options then, by name.
        """

    def sitting(self) -> dict[int, str]:
        """Who sits at the table, by seat; with no game on, who is going to sit there in the next."""

    def preview(self, game: str, options: dict[str, Any]) -> Snapshot:
        """The set-up that a game with these options would ask for; CommandRefused when there is none."""

    def rule(self, number: str) -> dict[str, str] | None:
        """A numbered rule in words: number, text."""


class CommandPort(Protocol):
    """What the page may ask for."""

    def submit(self, command: Command) -> Snapshot:
        """Carried out, or CommandRefused with a reason; returns the state after it."""

    def restore_game(self, content: bytes) -> tuple[int, bool]:
        """An export in JSON comes back as a recorded game: its number, and whether it was written now.

        UnreadableText or ConfigError say why it does not, RecordError that there is no room.
        """
