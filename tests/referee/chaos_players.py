"""Players of Chaos who place pyramids by hand, lawfully or not, after the companion has rolled for them."""

import cmath
import math
import random
from dataclasses import dataclass, field, replace

from free_views import SHARP, Eyesight, free_view
from referee_tables import Bench

from companion.errors import IllegalMove
from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.placement import check, largest, pose_due
from companion.games.chaos.position import Move, Position, Standing, standing
from companion.games.chaos.spots import spots
from companion.headings import turn_deg
from companion.pieces import LOOK_LIKE
from companion.referee.commands import Command
from companion.referee.orders import carry_out

FIELD_MM = (300.0, 190.0)


@dataclass
class ChaosTable:
    """A table with players, and the referee who watches it. `true` is what really lies there."""

    seats: int = 2
    colours: int = 10
    seed: int = 0
    sight: Eyesight = SHARP
    mistakes: float = 0.0
    slip_mm: float = 0.8  # hands are no exacter than that
    moves: int = 0
    asked: int = 0
    wrong: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.bench = Bench("chaos", draw=random.Random(self.seed).random, seats=self.seats, colours=self.colours)
        self.true: Position = self.bench.position
        self.lying: list[Standing] = []  # where hands have really put everything
        assert self.look().kind == "set-up"

    def look(self, more: Standing | None = None):
        """A hand, then the same table seen again and again, a little different each time."""
        self.bench.hand()
        pieces = (*self.lying, *((more,) if more else ()))
        layout = chaos.layout(replace(self.true, pieces=pieces))
        bases = {(p.x_mm, p.y_mm): p.heading_deg for p in pieces}
        for _ in range(40):
            reading = self.bench.once(free_view(layout, self.rng, self.sight, bases))
            if reading.decided and (reading.kind != "unclear" or self.bench.table.question is not None):
                return reading
        return reading

    def order(self, name: str, **arguments) -> None:
        carry_out(self.bench.table, Command(name, arguments), "")

    def turn(self) -> None:
        self.order("roll")
        while self.bench.position.phase == "place":
            at = self.bench.position
            colour = self.rng.choice(at.dice)
            places = [p for p in spots(at, colour) if abs(p.x_mm) < FIELD_MM[0] and abs(p.y_mm) < FIELD_MM[1]]
            if self.rng.random() < self.mistakes and at.pieces:
                self.blunder(colour)
            if not places:
                if Move("skip", colour=colour) in list(chaos.moves(at)):
                    self.order("play_move", move=chaos.write_move(at, Move("skip", colour=colour)))
                    continue
                places = list(spots(at, colour))
            self.place(self.slipped(self.rng.choice(places)))
            if self.wrong:
                return

    def slipped(self, piece: Standing) -> Standing:
        """Where the piece really comes to lie: relative to what really lies there, and not quite exact."""
        near = [
            (math.hypot(real.x_mm - piece.x_mm, real.y_mm - piece.y_mm), real, told)
            for real, told in zip(self.lying, self.bench.position.pieces, strict=True)
        ]
        x, y, heading = piece.x_mm, piece.y_mm, piece.heading_deg
        if near and piece.pose == "lying":
            _, real, told = min(near, key=lambda row: row[0])
            turn = turn_deg(real.heading_deg, told.heading_deg, 360.0 if told.pose == "lying" else 90.0)
            from_it = complex(x - told.x_mm, y - told.y_mm) * cmath.exp(1j * math.radians(turn))
            x, y, heading = real.x_mm + from_it.real, real.y_mm + from_it.imag, heading + turn
        x, y = (v + self.rng.uniform(-self.slip_mm, self.slip_mm) for v in (x, y))
        return standing(piece.colour, piece.size, piece.pose, x, y, heading + self.rng.uniform(-2, 2))

    def place(self, piece: Standing) -> None:
        before = self.bench.position
        reading = self.answered(self.look(piece), piece)
        self.moves += 1
        self.lying.append(piece)
        new = self.bench.position.pieces[len(before.pieces) :]
        if reading.kind != "move" or len(new) != 1 or not alike(new[0], piece):
            self.wrong.append((reading, piece, new))

    def answered(self, reading, piece: Standing):
        question = self.bench.table.question
        if reading.kind != "unclear" or question is None:
            return reading
        self.asked += 1
        for choice, hypothesis in self.bench.table.asked.items():
            if alike(hypothesis.moves[-1].piece, piece):
                self.order("answer", question=question.id, choice=choice)
                return replace(reading, kind="move")
        return reading

    def blunder(self, colour: str) -> None:
        """Something unlawful, that is refused in millimetres and taken away again."""
        at = self.bench.position
        piece, rule = self.unlawful(at, colour)
        if piece is None:
            return
        reading = self.look(piece)
        doubted = self.bench.table.question is not None  # whose looks are in doubt is asked about
        self.asked += doubted
        if not doubted and (reading.kind != "unlawful" or reading.rule != rule):
            self.wrong.append(("not refused", rule, reading, piece))
        reading = self.look()
        if reading.kind != ("nothing new" if doubted else "take-back") or self.bench.position != at:
            self.wrong.append(("not put back", reading, piece))

    def unlawful(self, at: Position, colour: str):
        size, pose = largest(at, colour), pose_due(at, colour)
        if size is None:
            return None, ""
        for _ in range(80):
            kind = self.rng.choice(("pose", "size", "colour", "place"))
            x, y = (self.rng.uniform(-m, m) for m in FIELD_MM)
            piece = standing(colour, size, pose, x, y, self.rng.uniform(0, 360))
            if kind == "pose":
                piece = standing(colour, size, "lying" if pose == "upright" else "upright", x, y, 30.0)
            if kind == "size":
                piece = replace(piece, size="small" if size != "small" else "large")
            if kind == "colour":
                likes = {like for colour in at.dice for like in LOOK_LIKE.get(colour, ())}  # not told apart
                others = [c for c in chaos.colours.RINGS[at.house.colours] if c not in at.dice and c not in likes]
                piece = replace(piece, colour=self.rng.choice(others))
            if any(math.hypot(p.x_mm - x, p.y_mm - y) < 60 for p in self.lying):
                continue
            try:
                check(at, piece)
            except IllegalMove as error:
                if all(abs(amount) > 12 for name, amount in error.figures.items() if name.startswith("too_")):
                    return piece, error.rule
        return None, ""


def alike(one: Standing, other: Standing) -> bool:
    """The same piece at the same place, but for the camera's error."""
    near = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < 9.0
    turned = g.turned(one.heading_deg, other.heading_deg)
    straight = one.pose == "upright" or turned < 15.0
    return near and straight and (one.colour, one.size, one.pose) == (other.colour, other.size, other.pose)
