"""A tile of K'Dak's Tower was misread, and shows its true face when it is turned up once more, or another one does."""

from kdak_players import Evening
from towers import Tower

from companion.games import kdak
from companion.games.kdak import tower as t
from companion.games.kdak.table import front
from companion.games.kdak.tower import Place
from companion.journal.archive import MemoryArchive
from companion.journal.export import as_json
from companion.journal.restore import read_game, restore
from companion.pieces import Piece
from companion.referee.commands import Command


def misread(known: bool) -> tuple[Evening, Place, str]:
    """A pawn has just gone to a face-down tile and turned it up, after the switch.

    If its face was `known`, that was not the one that it shows. Else it shows one that another tile was taken for.
    """
    evening = Evening(Tower(5)).begin()
    to: list[Place] = []
    while not to:
        evening.turn()
        to = [there for there in within_reach(evening) if (named(evening, there) is not None) == known]
    tiles = evening.tower.tiles
    there = to[0]
    others = [p for p in tiles if (named(evening, p) is None) == known and tiles[p] not in evening.tower.up]
    tiles[there], tiles[others[0]] = tiles[others[0]], tiles[there]
    evening.tower.put(evening.position.seat, there)
    evening.look(lambda: evening.read[-1] == str(there))
    evening.tower.turn_up(there)
    evening.look(lambda: evening.table.state.ruling is not None)
    return evening, there, tiles[there]


def named(evening: Evening, place: Place) -> str | None:
    return t.tile_at(evening.position.tower, place).name


def within_reach(evening: Evening) -> list[Place]:
    """The face-down tiles to which the pawn on turn may go, in a tower that crumbles."""
    if evening.position.phase != "move" or not evening.position.door_open:
        return []
    places = [move.place for move in kdak.moves(evening.position) if move.kind == "go"]
    return [place for place in places if not t.tile_at(evening.position.tower, place).up]


def told(piece: Piece) -> dict[str, str]:
    return {"kind": "tile", "face": "front", "suit": piece.suit, "value": piece.value}


def test_a_tile_that_shows_another_face_than_before_is_named_and_goes_on_by_a_tap() -> None:
    evening, there, shows = misread(known=True)
    was = front(named(evening, there))
    ruling = evening.desk.snapshot().ruling
    assert ruling.text == f"On {there} there is an ace of arms, not a {was.value} of {was.suit}."
    assert ruling.remedy == f"The {was.value} of {was.suit} was seen on {there} before: if it is that one, tap it here."
    assert shows == "Aa"
    evening.desk.submit(Command("correct", {"cell": str(there), "piece": told(was)}))
    evening.look(lambda: evening.table.state.ruling is None)
    assert evening.desk.snapshot().ruling is None
    assert evening.table.state.position.phase == "roll"


def test_play_goes_on_from_a_tile_that_was_misread_before_as_it_lies() -> None:
    evening, there, shows = misread(known=True)
    assert evening.desk.snapshot().ruling.allows == "table"
    evening.desk.submit(Command("take_up", {"seat": evening.position.seat}))
    assert t.tile_at(evening.table.state.position.tower, there) == t.Tile(shows, up=True)


def test_a_face_that_another_tile_was_taken_for_is_refused_by_its_name_and_may_stand() -> None:
    evening, _, shows = misread(known=False)
    ruling = evening.desk.snapshot().ruling
    assert (ruling.rule, ruling.allows) == ("K0", "action")
    assert ruling.text == f"The {t.value(shows)} of {t.suit(shows)} has been seen elsewhere in this game."
    before = evening.position.scores[evening.position.seat]
    evening.desk.submit(Command("allow"))
    after = evening.table.state.position
    assert (evening.read[-1], after.phase) == (f"={shows}", "roll")
    assert after.scores[evening.position.seat] == before + t.gold(shows)
    assert list(t.known(after.tower)).count(shows) == 1
    evening.desk.submit(Command("roll"))
    written = as_json(1, evening.archive.events(evening.table.game_id))
    assert restore(MemoryArchive(), [read_game(written.encode())])[0][1]
