"""A read model and a command port without a referee: states are set by hand, commands are written down."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.errors import CommandRefused, UnreadableText
from companion.events import BeamPath
from companion.games.base import Card, Reach
from companion.referee.commands import Command
from companion.referee.snapshot import (
    BoardView,
    Choice,
    PieceView,
    Ply,
    Question,
    Result,
    Ruling,
    SeatView,
    Snapshot,
    Step,
    Waiting,
)

CLASSIC = """\
8  xv  ++  .   .   av  k   av  p2  ::  ++
7  ::  .   p3  .   .   .   .   .   .   ++
6  ::  .   .   P4  .   .   .   .   .   ++
5  p1  .   P3  .   s\\  s/  .   p2  .   P4
4  p2  .   P4  .   S/  S\\  .   p1  .   P3
3  ::  .   .   .   .   .   p2  .   .   ++
2  ::  .   .   .   .   .   .   P1  .   ++
1  ::  ++  P4  A^  K   A^  .   .   ::  X^
"""
KINDS = {
    "k": "pharaoh",
    "s": "scarab",
    "p": "pyramid",
    "a": "anubis",
    "x": "sphinx",
    "e": "eye",
    "o": "obelisk",
}
FACINGS = {"1": "NE", "2": "SE", "3": "SW", "4": "NW", "^": "N", ">": "E", "v": "S", "<": "W", "/": "/", "\\": "\\"}
EYES = ("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "i1", "i8")
ANKHS = ("j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8")
BOARD = BoardView("grid", 10, 8, tuple((c, "eye") for c in EYES) + tuple((c, "ankh") for c in ANKHS))


PUT_DOWN = PieceView("pyramid", "silver", "NE", cell="b4", words="silver pyramid facing NE")


def pieces(diagram: str = CLASSIC) -> tuple[PieceView, ...]:
    """The pieces of a diagram, silver in upper case."""
    found = []
    for line in diagram.splitlines():
        rank, *cells = line.split()
        for file, token in zip("abcdefghij", cells, strict=True):
            if token[0].lower() not in KINDS:
                continue
            colour = "silver" if token[0].isupper() else "red"
            kind = KINDS[token[0].lower()]
            count = int(token[1]) if kind == "obelisk" and len(token) > 1 else 1
            facing = FACINGS.get(token[1:2]) if kind != "obelisk" else None
            found.append(
                PieceView(
                    kind,
                    colour,
                    facing,
                    count=count,
                    cell=f"{file}{rank}",
                    words=f"{colour} {kind}{f' facing {facing}' if facing else ''}",
                )
            )
    return tuple(found)


def seats(first: str = "silver", second: str = "red", players: tuple[str | None, ...] = ("Ada", None)) -> Any:
    """Two seats of these colours."""
    return (
        SeatView(0, first.capitalize(), first, players[0], resigns=f"The game ends, and {second.capitalize()} wins."),
        SeatView(1, second.capitalize(), second, players[1], resigns=f"The game ends, and {first.capitalize()} wins."),
    )


BEAM = BeamPath(((9, 0), (9, 3), (2, 3), (2, 4), (0, 4), (0, 3), (-0.5, 3)), "cell", "edge", "silver")
BEAM_HIT = BeamPath(((0, 7), (0, 4), (2, 4), (2, 6)), "cell", "hit", "red")


def record(length: int) -> tuple[Ply, ...]:
    """So many lines, each with a picture in which the pharaoh of the mover has gone a step."""
    lines = []
    start = pieces()
    for number in range(1, length + 1):
        seat = (number + 1) % 2
        shown = tuple(replace(p, cell="e2") if number % 4 == 1 and p.cell == "e1" else p for p in start)
        text = f"{('Silver', 'Red')[seat]} turns the pyramid on c4 to face NE."
        beams = (BEAM,) if seat == 0 else (BEAM_HIT,)
        hits = ("silver pyramid on c7",) if seat else ()
        lines.append(Ply(number, seat, f"c4+{number}", text, hits, shown, beams))
    return tuple(lines)


def discs(**changes: Any) -> Snapshot:
    """A game of Ataxx that has just begun."""
    sides = (("Black", "black", 2), ("White", "white", 2))
    corners = (("black", "a7"), ("black", "g1"), ("white", "g7"), ("white", "a1"))
    state = Snapshot(
        number=3,
        game="ataxx",
        title="Ataxx",
        phase="play",
        seats=tuple(SeatView(i, name, colour, None, score) for i, (name, colour, score) in enumerate(sides)),
        to_move=0,
        sight="seeing",
        waiting=Waiting("Black to move"),
        board=BoardView("grid", 7, 7, (("d4", "blocked"),)),
        pieces=tuple(PieceView("disc", colour, cell=cell) for colour, cell in corners),
        reach=(Reach("a7", ("a6", "b6"), ("c7",)), Reach("g1", ("g2", "f1"))),
        cards=tuple(Card(f"{name} pieces", seat=i, value=score) for i, (name, _, score) in enumerate(sides)),
    )
    return replace(state, **changes)


def playing(**changes: Any) -> Snapshot:
    """A game of Khet in the middle."""
    lines = record(12)
    state = Snapshot(
        number=40,
        game="khet",
        title="Khet, Classic 2.0",
        options=(("layout", "classic-2.0"), ("timeout", True)),
        phase="play",
        seats=seats(),
        to_move=0,
        sight="seeing",
        sight_text="The whole board is in view.",
        waiting=Waiting("Waiting for Silver to move or turn one piece.", "It is Silver's turn."),
        board=BOARD,
        pieces=pieces(),
        beams=(BEAM,),
        last_text="Red turns the pyramid on h5 to face NE.",
        last_cells=("h5",),
        record=lines,
        draw_between=(0, 1),
    )
    return replace(state, **changes)


def removing() -> Snapshot:
    """A piece was hit and must be taken off."""
    return playing(
        number=41,
        to_move=1,
        waiting=Waiting(
            "Take the silver pyramid off c7.",
            "It was hit on its open side.",
            (Step("Red turned the pyramid on h5", True, "h5"), Step("Take the silver pyramid off c7", False, "c7")),
        ),
        beams=(BEAM, BEAM_HIT),
    )


def ruled() -> Snapshot:
    """An unlawful action, and a question."""
    return playing(
        number=42,
        sight="hand",
        sight_text="A hand is over the board.",
        ruling=Ruling(
            "reserved-square",
            "Khet 3b.2",
            "The silver pyramid may not stand on a3: this square is kept for Red.",
            "Squares with the Eye of Horus are kept for Red, squares with the Ankh for Silver.",
            "Put the pyramid back on b3.",
        ),
        question=Question(
            "which",
            "Two actions fit what I see. Which was it?",
            (
                Choice("1", "Moved to b4", (PUT_DOWN,), pieces()[:1], (BEAM,)),
                Choice("2", "Turned on c4", (replace(PUT_DOWN, cell="c4"),)),
            ),
            "q1",
        ),
        waiting=Waiting("Put it right", "Put the pyramid back on b3."),
        claims=("draw by repetition",),
        draw_offered_by=1,
        draw_open=(0,),
        draw_text="Red offers a draw. Silver has not answered yet.",
        notices=("The disk is nearly full: recording goes on for about 20 games.",),
    )


def setting_up() -> Snapshot:
    """Before the game: a piece is missing, one is wrong, one turned, one too many."""
    shown = list(pieces())
    states = {"c1": "missing", "d6": "turned", "h8": "wrong"}
    shown = [replace(p, state=states.get(p.cell or "", "")) for p in shown]
    shown.append(PieceView("pyramid", "red", "NE", cell="f3", state="extra", words="red pyramid"))
    return playing(
        number=3,
        phase="set-up",
        to_move=None,
        pieces=tuple(shown),
        beams=(),
        record=(),
        last_text="",
        last_cells=(),
        waiting=Waiting(
            "Set the board up: 4 pieces to go.",
            "The game begins when every piece stands as drawn.",
            (
                Step("Put a silver pyramid on c1, mirror to NW", False, "c1"),
                Step("Turn the silver pyramid on d6 to NW", False, "d6"),
                Step("h8 should hold a red pyramid", False, "h8"),
                Step("Take the red pyramid off f3", False, "f3"),
                Step("Place the sphinxes", True),
            ),
        ),
    )


def won(colours: tuple[str, str] = ("silver", "red")) -> Snapshot:
    """The end."""
    wins = f"{colours[1].capitalize()} wins"
    return playing(
        number=90,
        phase="over",
        to_move=None,
        seats=seats(*colours, players=("Ada", "Grace")),
        result=Result("pharaoh", (1,), f"{wins}: the other pharaoh was hit.", "won", wins),
        ending=f"{wins}: the other pharaoh was hit.",
        started="2026-01-01T20:00:00+0100",
        about="Ada (Silver)",
        waiting=Waiting("The game is over."),
        beams=(BEAM_HIT,),
    )


CHOICES = [
    {
        "name": "khet",
        "title": "Khet",
        "options": [
            {
                "name": "layout",
                "label": "Set-up",
                "choices": ["classic-2.0", "imhotep-2.0"],
                "said": ["Classic 2.0", "Imhotep 2.0"],
                "default": "classic-2.0",
                "meaning": "Where the pieces stand at the start.",
                "rule": "",
            },
            {
                "name": "both_pharaohs_tie",
                "label": "Both pharaohs hit",
                "choices": [True, False],
                "said": ["True", "False"],
                "default": False,
                "meaning": "Both pharaohs hit by one shot is a draw.",
                "rule": "Khet Q2",
            },
        ],
    }
]


class FakeTable:
    """ReadModel and CommandPort in one. `publish` shows a new state."""

    def __init__(self, state: Snapshot | None = None) -> None:
        self.state = state or playing()
        self.asked: list[Command] = []
        self.restored: list[bytes] = []
        self.answer: Callable[[Command], Snapshot] | None = None
        self.image: bytes | None = None
        self.guide: dict[str, Any] | None = None
        self._version = 1
        self._changed = threading.Condition()

    def publish(self, state: Snapshot) -> None:
        """Show a new state to everybody."""
        with self._changed:
            self.state = state
            self._version += 1
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        with self._changed:
            return self.state

    def version(self) -> int:
        with self._changed:
            return self._version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        with self._changed:
            return self.state if self._changed.wait_for(lambda: self._version > after, timeout_s) else None

    def picture(self) -> bytes | None:
        return self.image

    def above(self, width_mm: float, height_mm: float) -> bytes | None:
        return self.image

    def taught(self, name: str) -> bytes | None:
        return self.image if name in (self.guide or {}).get("pictures", ()) else None

    def calibration(self) -> dict[str, Any] | None:
        return self.guide

    def games(self) -> list[dict[str, Any]]:
        return [
            {
                "id": 7,
                "game": "khet",
                "title": "Khet, Classic 2.0",
                "started": "2026-11-20T19:30:00+00:00",
                "plies": 12,
                "result": "Red wins: the other pharaoh was hit.",
            }
        ]

    def recorded(self, game_id: int) -> Snapshot | None:
        return won() if game_id == 7 else None

    def sitting(self) -> dict[int, str]:
        return {seat.seat: seat.player for seat in self.state.seats if seat.player is not None}

    def on_table(self, game_id: int) -> bool:
        return self.state.game_number == game_id

    def may_go_on(self, game_id: int) -> None:
        pass

    def withholds(self, game_id: int) -> bool:
        return False

    def export(self, game_id: int, form: str) -> str:
        return "{}" if form == "json" else "1. c4+\n"

    def choices(self) -> list[dict[str, Any]]:
        return CHOICES

    def preview(self, game: str, options: dict[str, Any]) -> Snapshot:
        if game != "khet":
            raise CommandRefused("unreadable", f"there is no game {game!r}", 400)
        return replace(setting_up(), options=tuple(options.items()))

    def rule(self, number: str) -> dict[str, str] | None:
        return {"number": number, "text": "Reserved squares."} if number == "Khet 3b.2" else None

    def submit(self, command: Command) -> Snapshot:
        self.asked.append(command)
        stale = command.expects is not None and command.expects != self.state.number
        if stale and command.name != "correct":  # a word on a piece outlasts other words
            raise CommandRefused("stale", "somebody was quicker: look at the new state")
        changed = self.answer(command) if self.answer is not None else self._plainly(command)
        self.publish(replace(changed, number=self.state.number + 1))
        return self.state

    def restore_game(self, content: bytes) -> tuple[int, bool]:
        self.restored.append(content)
        if not content.startswith(b"{"):
            raise UnreadableText("no exported game, or a torn one")
        return 8, True

    def _plainly(self, command: Command) -> Snapshot:
        arguments = command.arguments
        if command.name in ("join", "withdraw"):
            player = arguments.get("player")
            taken = [replace(s, player=player) if s.seat == arguments["seat"] else s for s in self.state.seats]
            return replace(self.state, seats=tuple(taken))
        if command.name == "set_quiet":
            return replace(self.state, quiet=arguments["on"])
        return self.state
