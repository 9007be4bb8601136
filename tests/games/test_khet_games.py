"""Properties of whole random games, in every layout and with every house rule."""

import itertools
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from khet_boards import conceivable, table

from companion import events
from companion.errors import IllegalMove
from companion.games import khet
from companion.games.khet import faces
from companion.games.khet.actions import turns
from companion.games.khet.beam import rays, struck
from companion.games.khet.layouts import LAYOUTS
from companion.games.khet.position import Move, Position, laser
from companion.games.khet.squares import NAME, ON_BOARD, SIZE, STEP

FACING_TURNED = {"N": "S", "S": "N", "E": "W", "W": "E", "NE": "SW", "SW": "NE", "SE": "NW", "NW": "SE"}
PIECES = {"stack": ("obelisk", 2)}


@st.composite
def games(draw: st.DrawFn, plies: int = 25) -> tuple[Position, ...]:
    """The positions of a random game; hits are preferred now and then, so that boards empty."""
    position = khet.start(
        {
            "layout": draw(st.sampled_from(tuple(LAYOUTS))),
            "swap_into_reserved": draw(st.booleans()),
            "both_pharaohs": draw(st.sampled_from(("mover_loses", "draw"))),
        }
    )
    played = [position]
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=plies)):
        moves = khet.moves(position)
        if not moves:
            break
        position = khet.play(position, moves[choice % len(moves)]).position
        played.append(position)
    return tuple(played)


def turned_over(position: Position) -> Position:
    """Colours exchanged and the board turned by half."""
    cells = bytearray(position.cells)
    for square in ON_BOARD:
        code = position.cells[square]
        if code:
            seat, kind, facing = faces.LOOK[code]
            code = faces.CODE[1 - seat, kind, FACING_TURNED.get(facing or "", facing)]
        cells[SIZE - 1 - square] = code
    return Position(bytes(cells), 1 - position.to_move, position.house)


@settings(max_examples=40, deadline=None)
@given(games())
def test_both_sides_play_by_the_same_rules(game: tuple[Position, ...]) -> None:
    position = game[-1]
    after = Counter(khet.play(position, move).position for move in khet.moves(position))
    other = turned_over(position)
    after_other = Counter(turned_over(khet.play(other, move).position) for move in khet.moves(other))
    assert after == after_other


@settings(max_examples=60, deadline=None)
@given(games())
def test_no_piece_appears_and_none_changes_its_kind(game: tuple[Position, ...]) -> None:
    def count(position: Position) -> Counter[tuple[int, str]]:
        found: Counter[tuple[int, str]] = Counter()
        for code in position.cells:
            if faces.SEAT[code] is not None:
                kind, number = PIECES.get(faces.KIND[code], (faces.KIND[code], 1))
                found[faces.SEAT[code], kind] += number
        return found

    for before, after in itertools.pairwise(game):
        assert count(after) <= count(before)
        assert all(kind not in ("sphinx", "scarab", "eye") for _, kind in count(before) - count(after))


@settings(max_examples=60, deadline=None)
@given(games())
def test_light_without_a_splitter_can_be_traced_backwards(game: tuple[Position, ...]) -> None:
    for position in game:
        if any(faces.KIND[code] == "eye" for code in position.cells):
            return
        source, heading = laser(position.cells, position.to_move, position.house.edition)
        (ray,) = rays(position.cells, source, heading)
        back = (STEP.index(ray.squares[-1] - ray.squares[-2]) + 2) % 4
        (home,) = rays(position.cells, ray.squares[-1], back)
        assert home.squares == ray.squares[::-1]
        assert home.end == ("absorbed" if position.house.edition == "2.0" else "edge")


@settings(max_examples=60, deadline=None)
@given(games())
def test_the_fast_tracer_hits_what_the_telling_one_hits(game: tuple[Position, ...]) -> None:
    for position in game:
        for seat in range(2):
            source, heading = laser(position.cells, seat, position.house.edition)
            told = {ray.squares[-1] for ray in rays(position.cells, source, heading) if ray.end == "hit"}
            assert set(struck(position.cells, source, heading)) == told


@settings(max_examples=25, deadline=None)
@given(games(plies=15))
def test_a_move_is_refused_exactly_when_it_is_not_listed(game: tuple[Position, ...]) -> None:
    position = game[-1]
    legal = set(khet.moves(position))
    for move in conceivable(position):
        one_turn = move.turn == 1 and faces.SWAPS[position.at(move.origin)]  # either way is the same (Khet Q10)
        assert move.turn != -1 or not one_turn
        try:
            khet.play(position, move)
        except IllegalMove as refused:
            assert move not in legal
            assert refused.name
            assert refused.rule in {rule.number for rule in khet.RULES}
        else:
            spelled = khet.read_move(position, khet.write_move(position, move))
            assert spelled in legal


@settings(max_examples=60, deadline=None)
@given(games())
def test_everything_is_written_and_read_again(game: tuple[Position, ...]) -> None:
    for position in game[-3:]:
        assert khet.read_position(khet.write_position(position)) == position
        again = khet.from_json(khet.to_json(position))
        assert again == position
        assert again.past == position.past
        assert hash(again) == hash(position)
        for move in khet.moves(position):
            assert khet.read_move(position, khet.write_move(position, move)) == move
            assert khet.from_json(khet.to_json(move)) == move
        for move in khet.moves(position)[:5]:
            for event in khet.play(position, move).events:
                assert events.from_json(event.to_json()) == event


@settings(max_examples=30, deadline=None)
@given(games())
def test_the_fast_turns_lead_where_play_leads(game: tuple[Position, ...]) -> None:
    position = game[-1]
    moves = khet.moves(position)
    fast = turns(position.cells, position.to_move, position.house) if moves else []
    assert [bytes(cells) for cells in fast] == [khet.play(position, move).position.cells for move in moves]


def test_the_fast_turns_stack_the_top_obelisk() -> None:
    position = table({"e4": "D", "e5": "O"})
    fast = turns(position.cells, 0, position.house)
    assert [bytes(cells) for cells in fast] == [
        khet.play(position, move).position.cells for move in khet.moves(position)
    ]


@settings(max_examples=30, deadline=None)
@given(games())
def test_playing_changes_no_position(game: tuple[Position, ...]) -> None:
    position = game[-1]
    before = khet.write_position(position)
    for move in khet.moves(position):
        khet.play(position, move)
    assert khet.write_position(position) == before


@given(games(), st.data())
def test_whatever_is_let_stand_can_be_played_on_from(played, data):
    position = played[-1]
    origin = data.draw(st.sampled_from([square for square in ON_BOARD if position.cells[square] != faces.EMPTY]))
    target = data.draw(st.sampled_from([origin + step for step in STEP if origin + step in ON_BOARD]))
    try:
        after = khet.carry_out(position, Move("step", NAME[origin], NAME[target])).position
    except IllegalMove as refused:
        assert refused.name == "no-way-on"
        assert faces.KIND[position.cells[target]] == "sphinx"
    else:
        assert khet.from_json(khet.to_json(after)) == after
