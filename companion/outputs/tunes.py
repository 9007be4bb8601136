"""What the buzzer plays, as data. Each tune has its own rhythm, so that a buzzer with one note can play it too."""

from collections.abc import Sequence
from dataclasses import dataclass

Note = tuple[float | None, float]  # hertz (None = silence), seconds

GAP_S = 0.25  # between two tunes
MOST = 6  # tunes that are played one after the other: nobody listens to more

C5, E5, G5, C6, A4, F4, D4, A3 = 523.25, 659.26, 783.99, 1046.5, 440.0, 349.23, 293.66, 220.0


@dataclass(frozen=True, slots=True)
class Tune:
    """Notes one after the other, once."""

    name: str
    notes: tuple[Note, ...]


TURN = Tune("turn", ((A4, 0.08),))
HIT = Tune("hit", ((G5, 0.12), (None, 0.08), (E5, 0.12), (None, 0.08), (C5, 0.3)))
ILLEGAL = Tune("illegal", ((D4, 0.35), (None, 0.15), (D4, 0.35)))
WIN = Tune("win", ((C5, 0.15), (None, 0.05), (E5, 0.15), (None, 0.05), (G5, 0.15), (None, 0.05), (C6, 0.6)))
ERROR = Tune("error", ((F4, 0.15), (None, 0.15), (F4, 0.15), (None, 0.15), (A3, 0.8)))
BLIND = Tune("not seeing", ((A3, 0.15), (None, 0.3), (A3, 0.15)))

OVER = Tune("over", ((G5, 0.3), (None, 0.05), (E5, 0.3), (None, 0.05), (C5, 0.8)))  # and nobody wins

PRESSED = Tune("pressed", ((E5, 0.03),))
REFUSED = Tune("refused", ((F4, 0.05), (None, 0.05), (D4, 0.05), (None, 0.05), (A3, 0.2)))
ACTED = Tune("acted", ((C5, 0.04), (None, 0.05), (C5, 0.04)))
DIE = Tune("die", ((E5, 0.04), (None, 0.06), (C5, 0.04), (None, 0.06), (G5, 0.06)))
SCORE = Tune("score", ((E5, 0.07), (None, 0.04), (G5, 0.12)))
ASK = Tune("ask", ((E5, 0.18), (None, 0.1), (A4, 0.08), (None, 0.04), (E5, 0.25)))
BACK = Tune("back", ((G5, 0.1), (None, 0.06), (D4, 0.22)))
KAXXT_HIT = Tune("Kaxxt hit", ((C5, 0.1), (None, 0.08), (G5, 0.1), (None, 0.08), (C6, 0.5)))
OUT = Tune("out", ((A4, 0.2), (None, 0.08), (F4, 0.2), (None, 0.08), (A3, 0.7)))
ANNIHILATION = Tune(
    "annihilation", ((C6, 0.1), (None, 0.05), (C6, 0.2), (None, 0.05), (C6, 0.4), (None, 0.1), (A3, 1.2))
)

# the more important later
TUNES = (
    *(PRESSED, ACTED, REFUSED, DIE, SCORE, TURN, BACK, ASK, BLIND),
    *(HIT, KAXXT_HIT, OUT, ANNIHILATION, ILLEGAL, ERROR, OVER, WIN),
)


def in_turn(waiting: Sequence[Tune | None]) -> tuple[Tune, ...]:
    """What is played of the tunes that wait: each once, as it came last, and of too many the more important ones.

    None among them: what came before it counts no more.
    """
    begin = max((number for number, tune in enumerate(waiting, start=1) if tune is None), default=0)
    each = [*dict.fromkeys(tune for tune in reversed(waiting[begin:]) if tune is not None)][::-1]
    heard = sorted(each, key=TUNES.index)[-MOST:]
    return tuple(tune for tune in each if tune in heard)
