"""Moves as text, positions as one line of text, both as JSON."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.games.kaxxt.arranging import POINTS, check_before, check_stack, check_straight, free_row, grid_stand
from companion.games.kaxxt.attack import outcome
from companion.games.kaxxt.position import ACT, DRAW, FULL_SHIELD, MOST_LATE, PHASES, Move, Position
from companion.games.kaxxt.pyramids import SET, Pyramid, in_order, read_codes, write_codes
from companion.games.kaxxt.sides import NAMES
from companion.games.kaxxt.stacks import METHODS
from companion.games.kaxxt.stands import Stand, stand, without
from companion.games.kaxxt.words import SIZE_WORDS, write_stands

SWITCHES = {"yes": True, "no": False}
HACKISH = "hackish=yes"  # what stands there was let stand in the rules' spirit (X30)
EXAMPLE = "shields=30,30 kaxxt=30 turn=south target=south phase=act bag=r1r2r3b1b2b3g1g2g3y1y2y3k1k2k3"
_KINDS = ("draw", "drawn", "arrange", "roll", "die", "face")
_COUNT = re.compile(r"[0-9]{1,2}")
_LONGEST = 2000  # characters; fifteen pyramids need a third of it

# --- moves ----------------------------------------------------------------------------------------------------

HELP = (
    "write draw large (medium, small, any); =r3 for what came out; put r3 left (kaxxt, self, right, up); "
    "put r3@0.0,-90.0>180.0 g2@0.0,-140.0^ for the whole area in millimetres; roll; =4 for the die; face north"
)
LARGEST_MM = 2000.0
_NUMBER = r"-?[0-9]{1,4}(?:\.[0-9]{1,3})?"
_STAND = re.compile(rf"((?:[rbgyk][123])+)@({_NUMBER}),({_NUMBER})(?:>({_NUMBER})|\^)")
_PUT = re.compile(r"((?:[rbgyk][123])+) +([a-z]+)(?: +row +([0-9]))?(?: +col +(-?[0-3]))?")


def read_move(position: Position, text: str) -> Move:
    """The move that a text names; UnreadableText when it names none."""
    words = " ".join(text.lower().split())
    first, _, rest = words.partition(" ")
    if words.startswith("="):
        return _read_chance(words[1:].strip())
    if first == "draw" and (rest or "any") in SIZE_WORDS:
        return Move("draw", pips=SIZE_WORDS.index(rest or "any"))
    if first in ("put", "arrange"):
        return Move("arrange", stands=_read_put(position, rest))
    if words == "roll":
        return Move("roll")
    if first == "face" and rest in position.names:
        return Move("face", seat=position.names.index(rest))
    raise UnreadableText(f"{text!r} is no move; {HELP}")


def _read_chance(word: str) -> Move:
    if len(word) == 1 and word in "0123456789":
        return Move("die", value=int(word))
    drawn = read_codes(word)
    if len(drawn) != 1:
        raise UnreadableText(f"{word!r} is neither a face of the die (=4) nor one pyramid (=r3)")
    return Move("drawn", pyramid=drawn[0])


def _read_put(position: Position, text: str) -> tuple[Stand, ...]:
    short = _PUT.fullmatch(text)
    if short is None:
        return read_stands(text)
    codes, points, row, col = short.groups()
    if points not in POINTS:
        raise UnreadableText(f"{points!r} is no direction; a pyramid points {', '.join(POINTS)}")
    pyramids, seat = read_codes(codes), position.turn
    column = int(col or 0)
    stays = tuple(kept for other in position.areas[seat] if (kept := without(other, pyramids)).pyramids)
    number = int(row) if row else free_row(position, seat, column)
    return (*stays, grid_stand(position.sides[seat], pyramids, points, number, column))


def read_stands(text: str) -> tuple[Stand, ...]:
    """Stands from `r3b1@0.0,-90.0>180.0 g2@0.0,-140.0^`; a single - is none."""
    if text == "-":
        return ()
    return tuple(_read_stand(word) for word in re.split(r"[ ;]+", text))


def _read_stand(word: str) -> Stand:
    found = _STAND.fullmatch(word)
    if found is None:
        raise UnreadableText(f"{word!r} is no pyramid at a place; {HELP}")
    codes, x, y, heading = found.groups()
    if max(abs(float(x)), abs(float(y))) > LARGEST_MM:
        raise UnreadableText(f"{word!r} lies off the table: millimetres go to {LARGEST_MM:.0f}")
    return stand(read_codes(codes), float(x), float(y), None if heading is None else float(heading))


# --- positions ------------------------------------------------------------------------------------------------


def write_position(position: Position) -> str:
    """Words of the form name=value, in a fixed order; what is empty or usual is left out."""
    names = position.names
    words = {
        "shields": ",".join(str(shield) for shield in position.shields),
        "kaxxt": str(position.kaxxt),
        "turn": names[position.turn],
        "target": names[position.target],
        "phase": position.phase,
        "drawn": "yes" if position.drawn else "",
        "wanted": str(position.wanted or ""),
        "redirect": "" if position.redirect == METHODS[0] else position.redirect,
        "destroyers": ",".join(names[seat] for seat in position.destroyers),
        "late": ",".join(str(turns) for turns in position.late),
        "hackish": "yes" if oddities(position) and not oddities(position, hackish=True) else "",
        "bag": write_codes(position.bag),
    }
    for seat, name in enumerate(names):
        words[f"hand.{name}"] = write_codes(position.hands[seat])
        words[f"area.{name}"] = write_stands(position.areas[seat], ";") if position.areas[seat] else ""
    return " ".join(f"{name}={value}" for name, value in words.items() if value)


def read_position(text: str) -> Position:
    """The position that a text names; UnreadableText, or OddPosition with its reasons."""
    position = read_text(text)
    reasons = oddities(position, hackish=HACKISH in text.split())
    if reasons:
        raise OddPosition(reasons)
    return position


def read_text(text: str) -> Position:
    """The position as it is written, odd or not."""
    words: dict[str, str] = {}
    for word in (word for word in text.split() if word != HACKISH):
        name, _, value = word.partition("=")
        if not value or name in words or len(text) > _LONGEST:
            raise UnreadableText(f"{word!r} is not understood; for example {EXAMPLE!r}")
        words[name] = value
    shields = words.pop("shields", "").split(",")
    if len(shields) not in NAMES:
        raise UnreadableText(f"two to four shields are needed; for example {EXAMPLE!r}")
    names = NAMES[len(shields)]
    position = Position(
        tuple(_count(shield) for shield in shields),
        tuple(read_stands(words.pop(f"area.{name}", "-")) for name in names),
        tuple(in_order(read_codes(words.pop(f"hand.{name}", ""))) for name in names),
        in_order(read_codes(words.pop("bag", ""))),
        kaxxt=_count(words.pop("kaxxt", str(FULL_SHIELD))),
        turn=_one_of(names, words.pop("turn", names[0])),
        target=_one_of(names, words.pop("target", names[0])),
        phase=PHASES[_one_of(PHASES, words.pop("phase", ACT))],
        drawn=tuple(SWITCHES.values())[_one_of(tuple(SWITCHES), words.pop("drawn", "no"))],
        wanted=_one_of(("0", "1", "2", "3"), words.pop("wanted", "0")),
        redirect=METHODS[_one_of(METHODS, words.pop("redirect", METHODS[0]))],
        destroyers=tuple(_one_of(names, name) for name in words.pop("destroyers", "").split(",") if name),
        late=tuple(_turns(word) for word in words.pop("late", "").split(",") if word),
    )
    if words:
        raise UnreadableText(f"{', '.join(words)} cannot be in a position; for example {EXAMPLE!r}")
    return position


def _count(word: str) -> int:
    if not _COUNT.fullmatch(word):
        raise UnreadableText(f"{word!r} is no number of shield points; they go from 0 to {FULL_SHIELD}")
    return int(word)


def _turns(word: str) -> int:
    if not _COUNT.fullmatch(word):
        raise UnreadableText(f"{word!r} is no number of turns in which a draw may still be told")
    return int(word)


def _one_of(known: tuple[str, ...], word: str) -> int:
    if word not in known:
        raise UnreadableText(f"{word!r} is not understood here; there are {', '.join(known)}")
    return known.index(word)


def oddities(position: Position, *, hackish: bool = False) -> tuple[str, ...]:
    """Why no game can look like this; () when one can. `hackish` placements may have been let stand (X30)."""
    return (*_odd_points(position), *_odd_turn(position), *_odd_pyramids(position, hackish))


def _odd_points(position: Position) -> list[str]:
    reasons = []
    if max(*position.shields, position.kaxxt) > FULL_SHIELD:
        reasons.append(f"no shield has more than {FULL_SHIELD} points (X3)")
    if bool(position.destroyers) != (position.kaxxt == 0):
        reasons.append("Kaxxt's shield is at 0 exactly when somebody destroyed him (X4)")
    return reasons


def _odd_turn(position: Position) -> list[str]:
    reasons = []
    if outcome(position) is None:
        for word, seat in (("on turn", position.turn), ("Kaxxt's target", position.target)):
            if not position.present[seat]:
                reasons.append(f"{position.names[seat].capitalize()} is out and cannot be {word} (X3)")
    if position.phase in (ACT, DRAW) and position.turn != position.target:
        reasons.append("before the roll Kaxxt faces the player on turn (X5)")
    if len(position.late) not in (0, position.seats) or max(position.late, default=0) > MOST_LATE:
        reasons.append(f"draws that may still be told are counted for each seat, up to {MOST_LATE} (XA24)")
    elif position.phase == DRAW and not position.draws:
        reasons.append("one pyramid is drawn in a turn (XA24)")
    if position.phase != DRAW and position.wanted:
        reasons.append("a size is felt for only while a pyramid is drawn (X6)")
    if position.phase == DRAW and not any(position.wanted in (0, pyramid.pips) for pyramid in position.bag):
        reasons.append("the bag holds nothing of the size that is drawn (X6)")
    return reasons


def _odd_pyramids(position: Position, hackish: bool) -> list[str]:
    reasons = []
    everywhere = list(position.bag) + [pyramid for hand in position.hands for pyramid in hand]
    everywhere += [pyramid for area in position.areas for placed in area for pyramid in placed.pyramids]
    for pyramid in SET:
        if everywhere.count(pyramid) > 1:
            reasons.append(f"{pyramid.code} is there more than once (X1)")
        if pyramid not in everywhere and all(position.present):
            reasons.append(f"{pyramid.code} is nowhere, though nobody is out (X1)")
    for seat, name in enumerate(position.names):
        if not position.present[seat] and position.pyramids_of(seat):
            reasons.append(f"{name.capitalize()} is out and has no pyramids (XA4)")
        for placed in position.areas[seat]:
            reasons += _odd_stand(replace(position, turn=seat), placed, hackish)
    return reasons


def _odd_stand(position: Position, placed: Stand, hackish: bool) -> list[str]:
    """What forbids placing a stand there makes a position odd, too; what points diagonally has no lane in any case."""
    try:
        check_straight(position.sides[position.turn], placed)
        if not hackish:
            check_stack(placed)
            check_before(position, placed)
    except IllegalMove as refusal:
        return [f"{refusal.text} ({refusal.rule})"]
    return []


# --- JSON -----------------------------------------------------------------------------------------------------


def to_json(value: Position | Move) -> dict[str, Any]:
    """A position or a move as plain JSON values."""
    if isinstance(value, Move):
        data = {"pips": value.pips, "value": value.value, "seat": value.seat}
        pyramid = None if value.pyramid is None else value.pyramid.code
        return {"move": value.kind, **data, "pyramid": pyramid, "stands": _plain(value.stands)}
    return {
        "position": "kaxxt",
        "shields": list(value.shields),
        "kaxxt": value.kaxxt,
        "turn": value.turn,
        "target": value.target,
        "phase": value.phase,
        "drawn": value.drawn,
        "wanted": value.wanted,
        "redirect": value.redirect,
        "destroyers": list(value.destroyers),
        "late": list(value.late),
        "bag": [pyramid.code for pyramid in value.bag],
        "hands": [[pyramid.code for pyramid in hand] for hand in value.hands],
        "areas": [_plain(area) for area in value.areas],
    }


def _plain(stands: tuple[Stand, ...]) -> list[dict[str, Any]]:
    return [
        {
            "pyramids": [pyramid.code for pyramid in placed.pyramids],
            "x_mm": placed.x_mm,
            "y_mm": placed.y_mm,
            "heading_deg": placed.heading_deg,
        }
        for placed in stands
    ]


def from_json(data: Mapping[str, Any]) -> Position | Move:
    """What `to_json` wrote; UnreadableText when it is none."""
    try:
        return _move_from(data) if "move" in data else _position_from(data)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise UnreadableText(f"this is no position and no move of Kaxxt: {error}") from error


def _move_from(data: Mapping[str, Any]) -> Move:
    if data["move"] not in _KINDS:
        raise ValueError(f"no move is called {data['move']!r}")
    pyramid = None if data.get("pyramid") is None else _pyramids([data["pyramid"]])[0]
    figures = [data.get(name, usual) for name, usual in (("pips", 0), ("value", 0), ("seat", -1))]
    pips, value, seat = (_whole(figure, -1, 99) for figure in figures)
    move = Move(data["move"], pips, pyramid, _stands(data.get("stands", [])), value, seat)
    if (move.kind == "drawn") != (pyramid is not None) or not 0 <= pips <= 3 or seat > 3:
        raise ValueError("a field does not fit the move")
    if move.kind == "face" and seat < 0:
        raise ValueError("a seat is missing")
    return move


def _position_from(data: Mapping[str, Any]) -> Position:
    if data["position"] != "kaxxt":
        raise ValueError("another game")
    shields = tuple(_whole(shield, 0, FULL_SHIELD) for shield in data["shields"])
    seats = len(shields)
    if seats not in NAMES or len(data["hands"]) != seats or len(data["areas"]) != seats:
        raise ValueError("shields, hands and areas are listed for 2 to 4 seats")
    if data["phase"] not in PHASES or data["redirect"] not in METHODS or type(data["drawn"]) is not bool:
        raise ValueError("phase, redirect or drawn is not one of its choices")
    position = Position(
        shields,
        tuple(_stands(area) for area in data["areas"]),
        tuple(_pyramids(hand) for hand in data["hands"]),
        _pyramids(data["bag"]),
        _whole(data["kaxxt"], 0, FULL_SHIELD),
        _whole(data["turn"], 0, seats - 1),
        _whole(data["target"], 0, seats - 1),
        data["phase"],
        data["drawn"],
        _whole(data["wanted"], 0, 3),
        data["redirect"],
        tuple(_whole(seat, 0, seats - 1) for seat in data["destroyers"]),
        tuple(_whole(turns, 0, MOST_LATE) for turns in data.get("late", ())),
    )
    if reasons := oddities(position, hackish=True):
        raise ValueError("; ".join(reasons))
    return position


def _whole(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{value!r} is no whole number from {low} to {high}")
    return value


def _pyramids(codes: list[str]) -> tuple[Pyramid, ...]:
    return in_order(tuple(pyramid for code in codes for pyramid in _codes(code)))


def _codes(code: str) -> tuple[Pyramid, ...]:
    if type(code) is not str or len(code) != 2:
        raise ValueError(f"{code!r} is no pyramid")
    return read_codes(code)


def _stands(listed: list[Mapping[str, Any]]) -> tuple[Stand, ...]:
    if not all(one["pyramids"] for one in listed):
        raise ValueError("no pyramid stands there")
    return tuple(
        stand(
            tuple(pyramid for code in one["pyramids"] for pyramid in _codes(code)),
            _figure(one["x_mm"]),
            _figure(one["y_mm"]),
            None if one["heading_deg"] is None else _figure(one["heading_deg"]),
        )
        for one in listed
    )


def _figure(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= 9999:
        raise ValueError(f"{value!r} is no length or angle")
    return float(value)
