"""Players of Kaxxt on Ice who place pyramids by hand: where they like, lawful mostly, and pressing the buttons."""

import math
import random
from dataclasses import dataclass, field, replace

from free_views import SHARP, Eyesight, free_view
from referee_tables import Bench

from companion.errors import IllegalMove
from companion.games import kaxxt
from companion.games.kaxxt.arranging import check_arrange
from companion.games.kaxxt.play import targets
from companion.games.kaxxt.position import ACT, RETARGET, Move, Position
from companion.games.kaxxt.stands import Stand, stand
from companion.referee.commands import Command
from companion.referee.orders import carry_out

ROOM_MM = 48.0


@dataclass
class KaxxtTable:
    """A table with players, and the referee who watches it. `true` is what really lies there."""

    seats: int = 2
    seed: int = 0
    sight: Eyesight = SHARP
    mistakes: float = 0.0
    buttons: float = 0.3  # how often a draw is told by the button before the pyramid is placed
    moves: int = 0
    asked: int = 0
    wrong: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.bench = Bench("kaxxt", draw=random.Random(self.seed).random, seats=self.seats)
        self.true: Position = self.bench.position
        assert self.look(kaxxt.layout(self.true)).kind == "set-up"

    def look(self, layout):
        """A hand, then the same table seen again and again, a little different each time."""
        self.bench.hand()
        for _ in range(40):
            reading = self.bench.once(free_view(layout, self.rng, self.sight))
            if reading.decided and (reading.kind != "unclear" or self.bench.table.question is not None):
                return reading
        return reading

    def order(self, name: str, **arguments) -> None:
        carry_out(self.bench.table, Command(name, arguments), "")

    def same(self) -> bool:
        """The referee's game is the true one, but for a nudge."""
        seen, true = self.bench.position, self.true
        sets = [sorted(p.code for s in a for p in s.pyramids) for a in seen.areas]
        wanted = [sorted(p.code for s in a for p in s.pyramids) for a in true.areas]
        facts = ("shields", "kaxxt", "bag", "turn", "target", "hands", "phase")
        return sets == wanted and all(getattr(seen, f) == getattr(true, f) for f in facts)

    # --- a turn -------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        if self.rng.random() < self.mistakes:
            self.blunder()
        arrange = self.arrangement()
        if arrange is not None:
            self.show(arrange)
        self.roll()

    def arrangement(self):
        """Perhaps a draw, perhaps something moved: the moves that it takes, or None."""
        moves, at = [], self.true
        if at.bag and self.rng.random() < 0.85:
            drawn = Move("drawn", pyramid=self.rng.choice(at.bag))
            moves += [Move("draw"), drawn]
            at = kaxxt.play(kaxxt.play(at, moves[0]).position, drawn).position
        place = self.placed(at)
        if place is None:
            return None
        return [*moves, place]

    def placed(self, at: Position):
        for _ in range(60):
            area = list(at.areas[at.turn])
            for pyramid in at.hands[at.turn]:
                self.put(area, pyramid, at)
            if area and self.rng.random() < 0.2:
                old = area.pop(self.rng.randrange(len(area)))
                self.put(area, old.pyramids[0], at, old.pyramids[1:])
            move = Move("arrange", stands=tuple(area))
            if tuple(area) == at.areas[at.turn]:
                return None
            try:
                check_arrange(at, move)
            except IllegalMove:
                continue
            if self.apart(at, area):
                return move
        return None

    def put(self, area: list, pyramid, at: Position, above=()) -> None:
        old = at.areas[at.turn]  # what is put under another one in the same moment may not be seen at all
        tops = [
            i for i, s in enumerate(area) if s in old and s.pyramids[-1].pips >= pyramid.pips and len(s.pyramids) < 3
        ]
        if tops and not above and self.rng.random() < 0.2:
            i = self.rng.choice(tops)
            area[i] = replace(area[i], pyramids=(*area[i].pyramids, pyramid))
            return
        side = at.sides[at.turn]
        across, away = self.rng.choice((0.0, 0.0, -55.0, 55.0)), self.rng.uniform(75, 190)
        x, y = side.table(across + self.rng.uniform(-8, 8), away)
        word = self.rng.choice(("kaxxt", "self", "left", "right", "up"))
        heading = side.heading(word)
        turned = None if heading is None else heading + self.rng.uniform(-12, 12)
        area.append(stand((pyramid, *above), x, y, turned))

    def apart(self, at: Position, area: list[Stand]) -> bool:
        others = [s for seat, a in enumerate(at.areas) if seat != at.turn for s in a]
        alls = [*area, *others]
        return all(
            math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) >= ROOM_MM for i, a in enumerate(alls) for b in alls[:i]
        )

    def show(self, moves: list) -> None:
        at = self.true
        if len(moves) > 1 and self.rng.random() < self.buttons:
            self.order("play_move", move="draw any")
            if len(at.bag) > 1:
                self.order("play_move", move=f"={moves[1].pyramid.code}")
        for move in moves[:-1]:
            at = kaxxt.play(at, move).position
        layout = kaxxt.during(at, moves[-1])
        self.true = kaxxt.play(at, moves[-1]).position
        reading = self.answered(self.look(layout), moves[-1])
        self.moves += 1
        if reading.kind != "move" or not self.same():
            self.wrong.append((reading, moves[-1]))

    def answered(self, reading, move):
        question = self.bench.table.question
        if reading.kind != "unclear" or question is None:
            return reading
        self.asked += 1
        wanted = sorted(p.code for s in move.stands for p in s.pyramids)
        for choice, hypothesis in self.bench.table.asked.items():
            if sorted(p.code for s in hypothesis.moves[-1].stands for p in s.pyramids) == wanted:
                self.order("answer", question=question.id, choice=choice)
                return replace(reading, kind="move")
        return reading

    def roll(self) -> None:
        self.order("play_move", move="roll")
        while True:
            played = list(self.bench.table.state.plies)
            if self.bench.position.phase == RETARGET:
                seat = self.rng.choice(targets(self.bench.position))
                self.true = self.bench.position
                before = len(played)
                self.look(kaxxt.during(self.true, Move("face", seat=seat)))
                if len(self.bench.table.state.plies) == before:
                    self.wrong.append(("not turned", seat))
                    return
                self.order("roll")
                continue
            break
        self.true = self.bench.position
        if self.bench.table.state.awaiting:
            reading = self.look(kaxxt.layout(self.true))
            if reading.kind != "step" or self.bench.table.state.awaiting:
                self.wrong.append((reading, "card"))

    def blunder(self) -> None:
        """Something unlawful, that is refused and put back."""
        at, side = self.true, self.true.sides[self.true.turn]
        if len(at.bag) < 2 or at.phase != ACT:
            return
        pyramid, heading = self.rng.choice(at.bag), side.heading("kaxxt")
        kind = self.rng.choice(("diagonal", "not before you", "two at once"))
        x, y = side.table(-90.0, 120.0)
        stands = [stand((pyramid,), x, y, heading + (45 if kind == "diagonal" else 0))]
        rule = "X19"
        if kind == "not before you":
            other = at.sides[(at.turn + 1) % at.seats]
            x, y = other.table(-90.0, 120.0)
            stands, rule = [stand((pyramid,), x, y, heading)], "X6"
        if kind == "two at once":
            more = next(p for p in at.bag if p != pyramid)
            stands, rule = [*stands, stand((more,), *side.table(90.0, 120.0), heading)], "XA24"
        area = [*at.areas[at.turn], *stands]
        if not self.apart(at, area):
            return
        reading = self.look(kaxxt.during(at, Move("arrange", stands=tuple(area))))
        doubted = self.bench.table.question is not None  # whose looks are in doubt is asked about
        self.asked += doubted
        if not doubted and (reading.kind != "unlawful" or reading.rule != rule):
            self.wrong.append((kind, reading))
        reading = self.look(kaxxt.layout(at))
        if reading.kind != ("nothing new" if doubted else "take-back") or not self.same():
            self.wrong.append((kind, "put back", reading))
