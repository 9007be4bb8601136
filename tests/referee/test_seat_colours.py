"""Seats in the colours of what belongs to them: an explorer's pawn, a printed shield."""

import colorsys

from companion.games import khet
from companion.prints.kaxxt import SEATS
from companion.referee.happenings import Started
from companion.referee.picture import set_up_of


def test_each_explorer_is_shown_in_the_colour_of_its_pawn():
    with_own = set_up_of(Started("kdak", (("first_pawn", "suns"), ("second_pawn", "crowns"))))
    assert [seat.colour for seat in with_own.seats] == ["red", "green"]
    with_one = set_up_of(Started("kdak", (("first_pawn", "arms"),)))  # which the other one usually has
    assert [seat.colour for seat in with_one.seats] == ["blue", "red"]
    assert dict(with_one.options)["second_pawn"] == "suns"
    alone = set_up_of(Started("kdak", (("variant", "solitaire"),)))
    assert [seat.colour for seat in alone.seats] == ["black"]
    assert [seat.colour for seat in set_up_of(Started("chaos", ())).seats] == ["player-1", "player-2"]


def test_the_pieces_of_a_set_up_of_ones_own_have_the_colours_that_it_names():
    own = khet.write_position(khet.start({"colours": "orange-blue", "first": "red", "repetition": "automatic"}))
    shown = set_up_of(Started("khet", (("layout", own),)))
    assert [seat.name for seat in shown.seats] == ["Orange", "Blue"]
    assert {piece.colour for piece in shown.pieces} == {"orange", "blue"}
    told = {name: dict(shown.options)[name] for name in ("colours", "first", "repetition")}
    assert told == {"colours": "orange-blue", "first": "red", "repetition": "automatic"}


def test_the_players_of_kaxxt_have_the_hues_of_their_printed_shields():
    turn = {"blue": 210, "green": 135, "red": 0, "gold": 45}
    seats = set_up_of(Started("kaxxt", (("seats", 4),))).seats
    for seat in seats:
        red, green, blue = (int(SEATS[seat.name][i : i + 2], 16) / 255 for i in (1, 3, 5))
        off = (360 * colorsys.rgb_to_hsv(red, green, blue)[0] - turn[seat.colour] + 180) % 360 - 180
        assert abs(off) < 20
    assert len({seat.colour for seat in seats}) == 4
