"""K'Dak's Tower refereed from views: played, refused, corrected; nothing face-down told."""

import json
from dataclasses import replace

import pytest
from cases import long
from kdak_players import Evening
from towers import Eye, Lies, Tower, anywhere

from companion.errors import CommandRefused
from companion.games import kdak
from companion.games.kdak.table import BACK, front, place_mm
from companion.games.kdak.tower import Place
from companion.photographs import photograph_settings
from companion.referee.commands import Command
from companion.referee.in_vain import IN_VAIN
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.view import Sighting

PAWN = {"kind": "pawn", "suit": "moons"}


@pytest.mark.parametrize(
    "variant",
    [long("duel"), "talisman", long("solitaire"), long("cooperative")],
)
def test_a_whole_noisy_game_is_read_without_a_wrong_move(variant):
    evening = Evening(anywhere(1, variant)).begin().play()
    assert evening.read == evening.played
    assert kdak.to_move(evening.position) is None
    assert evening.refused == []
    assert evening.asked <= 1 + 0.02 * len(evening.played)


def test_a_gap_that_is_half_taken_for_a_tile_is_a_gap_where_a_tile_may_have_been_taken():
    evening = Evening(Tower(5, "cooperative")).begin().until("take")
    hole = next(
        m for m in kdak.moves(evening.position) if Place(m.place.level + 1, m.place.corner) in evening.tower.tiles
    )
    name = evening.tower.tiles[hole.place]
    wrong = next(t for t in evening.position.unseen() if t != name)
    at, tower = place_mm(hole.place), evening.tower
    at = tower.on_table(*at, hole.place.level)
    cloth = Sighting(((front(wrong), 0.58), (BACK, 0.003)), at.real, at.imag, 0.0)
    tower.take(hole.place)
    tower.beside.clear()
    tower.prints.append(cloth)
    evening.look(lambda: evening.table.state.awaiting)
    assert evening.read[-1] == f"x{hole.place}"


def taken_away(settings: Settings, *prints: Sighting) -> tuple[Evening, tuple[str, ...]]:
    """A tile was taken and carried off, and the column moved down: its face is to be shown. And those it may have."""
    evening = Evening(Tower(5, "cooperative"), settings=settings).begin()
    evening.tower.prints += prints
    evening.until("take")
    unseen, tiles = evening.position.unseen(), evening.tower.tiles
    hole = next(m.place for m in kdak.moves(evening.position) if tiles[m.place] in unseen)
    evening.tower.take(hole)
    evening.tower.beside.clear()
    evening.look(lambda: evening.table.state.awaiting)
    evening.tower.drop(hole)
    evening.look(lambda: not evening.table.state.awaiting)
    assert evening.table.state.position.phase == "discard"
    return evening, unseen


@pytest.mark.parametrize(("sure", "told"), [(0.97, False), (0.995, True)])
def test_a_print_that_faintly_looked_like_a_tile_is_not_the_tile_that_is_shown(sure, told):
    track = Sighting(((BACK, 0.17), (front("Mn"), 0.02)), 50.0, -170.0, faint=True)
    evening, unseen = taken_away(Settings(), track)
    evening.tower.prints[:] = [replace(track, beliefs=((front(unseen[0]), sure),), faint=False)]
    evening.rest(12, hand=False)
    assert (f"={unseen[0]}" in evening.read) == told
    assert evening.refused == []


def test_what_is_hardly_a_tile_is_not_the_tile_that_is_shown_though_nobody_can_be_asked():
    evening, unseen = taken_away(photograph_settings())
    before = list(evening.read)
    beliefs = tuple(zip(map(front, unseen), (0.2, 0.14, 0.13, 0.03), strict=False))
    evening.tower.prints.append(Sighting(beliefs, -116.0, -106.0, 1.0))
    evening.rest(12, hand=False)
    assert (evening.read, evening.refused) == (before, [])


@pytest.mark.parametrize(("later", "put_right"), [(0.98, True), (0.6, False)])
def test_a_tile_that_was_misread_when_it_was_turned_is_put_right_by_later_photographs(later, put_right):
    tower = Tower(2)
    evening = Evening(tower, settings=photograph_settings()).begin()
    name, face = tower.tiles[Place(0, 0)], tower._face
    wrong = next(t for t in evening.position.unseen() if t != name and t[1] == name[1])
    true = {"now": 0.2}

    def doubtful(tile: str, up: bool):
        if tile != name or not up:
            return face(tile, up)
        return (front(wrong), 0.95 - true["now"]), (front(name), true["now"])

    tower._face = doubtful
    tower.put(0, Place(0, 0))
    tower.turn_up(Place(0, 0))
    evening.look(lambda: len(evening.read) == 2)
    assert evening.read == ["0a", f"={wrong}"]
    evening.look()
    true["now"] = later * 0.95
    tower.put(1, Place(0, 1))
    evening.look(lambda: len(evening.read) == 3)
    evening.look()
    evening.look()
    assert evening.read == ["0a", f"={name if put_right else wrong}", "0b"]
    assert evening.refused == []


def overlooked(seed: int, turns: int) -> Evening:
    """An evening at which pawns on tiles of their own colour are not seen."""
    tower = anywhere(seed)
    tower.eye.overlooks = True
    return Evening(tower).begin().play(turns)


def test_a_game_goes_on_though_pawns_are_overlooked_on_tiles_of_their_own_colour():
    evening = overlooked(6, 20)
    assert len(evening.played) >= 20
    assert (evening.read, evening.asked, evening.refused) == (evening.played, 0, [])


def test_a_step_of_a_pawn_that_is_seen_nowhere_is_not_told_by_itself():
    evening = overlooked(10, 20)
    assert evening.played[-1] == "3c"
    assert evening.read == evening.played[:-1]
    assert "the pawn is not seen" in evening.table.hint


@pytest.mark.long
@pytest.mark.parametrize("variant", ["duel", "talisman", "solitaire", "cooperative"])
def test_ten_whole_noisy_games_of_each_variant(variant):
    asked = played = 0
    for seed in range(10, 20):
        evening = Evening(anywhere(seed, variant)).begin().play()
        assert evening.read == evening.played, seed
        asked, played = asked + evening.asked, played + len(evening.played)
    assert asked <= 0.02 * played


def test_a_diagonal_step_is_refused_and_put_back():
    evening = Evening(Tower(2)).begin()
    while evening.position.pawns[0].place is None or evening.position.seat != 0:
        evening.turn()
    here = evening.position.pawn.place
    evening.tower.put(0, Place(here.level, 3 - here.corner))
    evening.look(lambda: bool(evening.refused))
    assert evening.refused == ["K4"]
    evening.tower.put(0, here)
    evening.look(lambda: evening.table.state.ruling is None)
    evening.turn()
    assert evening.agree()


def test_a_tile_of_another_level_than_the_rolled_one_is_refused():
    evening = Evening(Tower(5)).begin().until("take")
    level, tiles = evening.position.level, evening.tower.tiles
    wrong = next(p for p in tiles if p.level != level and Place(p.level + 1, p.corner) in tiles)
    evening.tower.take(wrong)
    evening.look(lambda: bool(evening.refused))
    assert evening.refused == ["K9"]


def test_score_coins_are_reminded_of_and_ticked_off_while_play_goes_on():
    evening = Evening(Tower(1, "duel")).begin()
    while not any(evening.position.scores):
        evening.tower.scores = list(evening.position.scores)
        evening.turn()
    evening.tower.scores = [0, 0]
    evening.look()
    seat = max((0, 1), key=lambda s: evening.position.scores[s])
    wanted = f"{'Baba' if seat == 0 else 'Kaka'}'s coin belongs on {evening.position.scores[seat]}"
    assert f"{wanted}, not on 0" in [s.text for s in evening.desk.snapshot().waiting.steps if not s.done]
    evening.tower.scores = list(evening.position.scores)
    evening.look()
    assert not [s.text for s in evening.desk.snapshot().waiting.steps if s.text.startswith(wanted) and not s.done]


def test_the_last_move_of_a_score_coin_is_asked_for_when_the_game_is_over():
    evening = Evening(Tower(1, "duel")).begin()
    while evening.table.state.phase == "play":
        evening.tower.scores = before = list(evening.position.scores)
        evening.turn()
    evening.tower.scores = [0, before[1]]
    evening.look()
    wanted = f"Baba's coin belongs on {evening.position.scores[0]}, not on 0"
    assert wanted in [s.text for s in evening.desk.snapshot().waiting.steps if not s.done]
    evening.tower.scores = list(evening.position.scores)
    evening.look()
    assert not [s.text for s in evening.desk.snapshot().waiting.steps if not s.done]


def test_a_hand_that_moved_a_score_coin_did_not_come_in_vain():
    evening = Evening(Tower(1, "duel", eye=Eye(1.5))).begin()
    for points, why in ((5, ""), (5, IN_VAIN), (6, ""), (0, "")):
        evening.tower.scores[1] = points
        evening.look()
        assert evening.desk.snapshot().waiting.why == why


def asked_of_coins(evening: Evening) -> list[str]:
    """What hands are asked to do on the track, once all has been looked at."""
    evening.look()
    return [step.text for step in evening.desk.snapshot().waiting.steps if not step.done]


def scored(turned_deg: float = 0.0, noise_mm: float = 0.0) -> Evening:
    """Both have points, and their coins lie on them."""
    evening = Evening(Tower(1, "duel", Lies(track=(0.0, -140.0, turned_deg)), Eye(noise_mm))).begin()
    while not all(evening.position.scores):
        evening.turn()
        evening.tower.scores = list(evening.position.scores)
    assert asked_of_coins(evening) == []
    return evening


@pytest.mark.parametrize("moved", [(30.0, -140.0, 0.0), (-5.0, -180.0, 0.0), (60.0, -170.0, 4.0)])
def test_where_the_track_was_pushed_the_coins_on_it_lie_right(moved):
    evening = scored()
    evening.tower.lies.track = moved
    assert asked_of_coins(evening) == []
    baba = evening.position.scores[0]
    evening.tower.scores[0] = baba + 3
    assert asked_of_coins(evening)[0] == f"Baba's coin belongs on {baba}, not on {baba + 3}"


def test_coins_that_both_lie_wrong_on_the_track_are_no_track_that_was_pushed():
    evening = scored()
    baba, kaka = evening.position.scores
    evening.tower.scores = [kaka + 20, baba]
    asked = asked_of_coins(evening)
    assert [text.partition(",")[0] for text in asked] == [
        f"Baba's coin belongs on {baba}",
        f"Kaka's coin belongs on {kaka}",
    ]


def pay(evening: Evening, baba: int, kaka: int) -> None:
    """So many points, whatever for."""
    state = evening.table.state
    evening.table.state = replace(state, position=replace(state.position, scores=(baba, kaka)))


@pytest.mark.parametrize(("turned_deg", "noise_mm"), [(5.0, 0.0), (0.0, 3.0)])
def test_how_the_track_is_turned_is_told_by_coins_that_lay_far_from_each_other(turned_deg, noise_mm):
    evening = scored(turned_deg, noise_mm)
    for baba, kaka in ((5, 4), (8, 4), (8, 6), (11, 6), (34, 6), (60, 6)):
        pay(evening, baba, kaka)
        evening.tower.scores = [baba, kaka]
        assert asked_of_coins(evening) == []


def test_coins_that_nobody_moved_when_both_had_scored_alike_are_no_track_that_was_pushed():
    evening = scored()
    scores = [points + 2 for points in evening.position.scores]
    pay(evening, *scores)
    assert asked_of_coins(evening)[0] == f"Baba's coin belongs on {scores[0]}, not on {scores[0] - 2}"


def test_a_coin_that_lies_alone_on_the_track_may_lie_wrong():
    evening = Evening(Tower(1, "solitaire")).begin()
    evening.tower.scores = [5]
    (asked,) = asked_of_coins(evening)
    assert asked.endswith("coin belongs on 0, not on 5")


def test_of_a_coin_that_lies_on_no_square_it_is_told_where_it_belongs():
    evening = scored()
    square = evening.tower.on_track
    evening.tower.on_track = lambda points, seat: square(points, seat) + (0 if seat else complex(-100.0, -150.0))
    assert asked_of_coins(evening) == [f"Baba's coin belongs on {evening.position.scores[0]}"]


def test_a_coin_in_the_corner_of_its_square_lies_on_it():
    evening = scored()
    middle = evening.tower.on_track
    evening.tower.on_track = lambda points, seat: middle(points, seat) + (complex(5.0, 10.0) if seat == 0 else 0)
    assert asked_of_coins(evening) == []


def hidden(desk: Desk) -> list[str]:
    """What a phone is told of the tiles that lie face-down now."""
    pieces = desk.snapshot().pieces
    return [p.value for p in pieces if p.kind == "tile" and p.face == "back" and (p.suit or p.value)]


def test_a_face_down_tile_is_told_to_nobody():
    evening = Evening(Tower(1)).begin()
    while not evening.position.door_open:
        evening.turn()
    assert hidden(evening.desk) == []
    down = [tile.name for column in evening.position.tower for tile in column if tile.name and not tile.up]
    assert down  # the referee remembers faces that were turned down again
    shown = json.dumps(evening.desk.snapshot().to_json()["pieces"])
    assert '"front"' not in shown


def test_what_the_host_says_of_a_tile_and_of_a_pawn_is_believed_over_the_eye():
    evening = Evening(Tower(2)).begin()
    for cell, piece in (("0a", {"kind": "tile", "face": "front", "suit": "suns", "value": "3"}), ("0a/moons", PAWN)):
        evening.desk.submit(Command("correct", {"cell": cell, "piece": piece}))
    evening.look(lambda: len(evening.read) > 1)
    assert evening.read == ["0a", "=S3"]


@pytest.mark.parametrize(
    ("cell", "piece"),
    [
        ("6a", {"kind": "tile", "face": "back"}),
        ("0a", {"kind": "pawn", "suit": "moons"}),
        ("0a/moons", {"kind": "pawn", "suit": "arms"}),
        ("0a", {"kind": "tile", "face": "front", "suit": "hearts", "value": "3"}),
    ],
)
def test_what_cannot_lie_on_a_tile_is_not_taken_for_a_correction(cell, piece):
    evening = Evening(Tower(2)).begin()
    with pytest.raises(CommandRefused):
        evening.desk.submit(Command("correct", {"cell": cell, "piece": piece}))
    assert evening.table.state.overrides == {}


def test_a_tile_that_may_have_been_turned_up_with_the_step_is_asked_about():
    tower = Tower(2)
    evening = Evening(tower).begin()
    stepped_on, face = tower.tiles[Place(0, 0)], tower._face
    doubt = ((front(stepped_on), 0.57), (BACK, 0.31))
    tower._face = lambda name, up: doubt if name == stepped_on else face(name, up)
    tower.put(0, Place(0, 0))
    evening.rest(3)
    assert evening.read == []
    choices = evening.table.question.choices[:-1]
    assert [("The tile is" in c.text) for c in choices] == [True, False]
    evening.desk.submit(Command("answer", {"question": evening.table.question.id, "choice": choices[0].id}))
    assert evening.read == ["0a", f"={stepped_on}"]


def test_of_a_tile_that_was_turned_the_face_is_asked_about_though_it_may_be_its_back_by_a_hair():
    tower = Tower(2)
    evening = Evening(tower).begin()
    name, face = tower.tiles[Place(0, 0)], tower._face
    tower.put(0, Place(0, 0))
    evening.look(lambda: evening.read == ["0a"])
    suits = [t for t in evening.position.unseen() if t[1] == name[1] and t != name]
    looks = [(front(name), 0.832), (front(suits[0]), 0.058), (BACK, 0.045), (front(suits[1]), 0.008)]
    tower._face = lambda tile, up: tuple(looks) if tile == name else face(tile, up)
    tower.turn_up(Place(0, 0))
    evening.rest(3)
    assert evening.read == ["0a"]
    choices = evening.table.question.choices
    evening.desk.submit(Command("answer", {"question": evening.table.question.id, "choice": choices[0].id}))
    assert evening.read == ["0a", f"={name}"]
