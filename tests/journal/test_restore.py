"""Exported games come back as they were, or are refused in words; nothing that is there is lost."""

import contextlib
import functools
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from desks import at_ten, begun, in_memory

from companion.errors import CommandRefused, ConfigError, IllegalMove, UnreadableText
from companion.exports import EXPORTS
from companion.games import GAMES
from companion.journal.archive import MemoryArchive, open_archive
from companion.journal.export import as_json, seal
from companion.journal.restore import MOST_BYTES, goes_on, read_file, read_game, restore
from companion.pieces import EMPTY
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Allowed, SetUp, Started, TakenUp
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.view import Sighting, TableView

NAMES = ("Ada", "Zoë 2", "</script>", "Łukasz ♟")
PIECES = ({"kind": "empty"}, {"kind": "pyramid", "colour": "red", "facing": "NE"}, {"kind": "scarab"})


def evening(archive: Any, name: str, rng: random.Random, orders: int = 24) -> int:
    """A random game of moves and of all that phones may ask for; its number."""
    desk = begun(Desk(archive, wall_clock=at_ten), name, timeout=rng.random() < 0.5)
    for _ in range(orders):
        order, arguments = rng.choice(
            [("enter_move", None)] * 8
            + [
                ("join", {"seat": rng.randrange(3), "player": rng.choice(NAMES)}),
                ("withdraw", {"seat": rng.randrange(3)}),
                ("undo", {}),
                ("set_quiet", {"on": rng.random() < 0.5}),
                ("let stand", {}),
                ("correct", {"cell": "b2", "x_mm": 1.5, "y_mm": -2.0, "piece": rng.choice(PIECES)}),
                ("offer_draw", {"seat": 0}),
                ("answer_draw", {"seat": 1, "accept": rng.random() < 0.2}),
                ("resign", {"seat": 0} if rng.random() < 0.2 else {"seat": 9}),
                ("reset" if rng.random() < 0.1 else "claim_draw", {}),
            ]
        )
        state = desk.table.state
        if state.game is None:
            break
        if order == "let stand":
            let_stand(desk, rng)
            continue
        if order == "enter_move":
            moves = list(state.game.moves(state.position)) if state.phase == "play" else []
            arguments = {"move": state.game.write_move(state.position, rng.choice(moves)) if moves else "?"}
        try:
            desk.submit(Command(order, arguments))
        except (CommandRefused, IllegalMove):
            continue
    return desk.table.game_id


def let_stand(desk: Desk, rng: random.Random) -> None:
    """An action that the host lets stand; lawful or not makes no difference to the record."""
    state = desk.table.state
    moves = list(state.module.moves(state.position)) if state.phase == "play" else []
    if moves:
        move, game = rng.choice(moves), state.module
        position = json.dumps(game.to_json(game.play(state.position, move).position))
        seat = game.to_move(state.position) or 0
        desk.table.record(Allowed(seat, game.write_move(state.position, move), "let stand", position))


@pytest.mark.parametrize("name", GAMES)
def test_random_games_come_back_equal(name: str) -> None:
    there_and_back(name, 4)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", GAMES)
def test_a_hundred_random_games_come_back_equal(name: str) -> None:
    there_and_back(name, 100)


def there_and_back(name: str, count: int) -> None:
    rng, played, kept = random.Random(name), MemoryArchive(), MemoryArchive()
    for _ in range(count):
        evening(played, name, rng)
    files = [as_json(number, played.events(number)).encode() for number in played.games()]
    assert [number for number, now in restore(kept, [read_game(file) for file in files]) if now] == played.games()
    for number in played.games():
        assert kept.events(number) == played.events(number)
    assert len(set(files)) == count


@pytest.fixture(scope="module")
def exports() -> dict[str, bytes]:
    """An exported game of each kind."""
    archive, rng = MemoryArchive(), random.Random(5)
    numbers = {name: evening(archive, name, rng, 12) for name in GAMES}
    return {name: as_json(number, archive.events(number)).encode() for name, number in numbers.items()}


def bent(rng: random.Random, value: Any, others: list[Any]) -> Any:
    """The JSON value with one part of it replaced, left out or said twice."""
    if isinstance(value, dict | list) and value and rng.random() < 0.95:
        at = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        match rng.randrange(12):
            case 0:
                del copy[at]
            case 1 if isinstance(copy, list):
                copy.insert(rng.randrange(len(copy) + 1), copy[at])
            case 2 if isinstance(copy, list):
                rng.shuffle(copy)
            case _:
                copy[at] = bent(rng, copy[at], others)
        return copy
    return rng.choice(others)


def parts(value: Any) -> list[Any]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for each in inner for part in parts(each))]


def bend(rng: random.Random, file: bytes, sealed: bool) -> bytes:
    """The file with a few of its values bent; with `sealed` the seal is made to fit, as somebody hostile would."""
    data = json.loads(file)
    odd = [None, True, -1, 99, 1e999, 10**30, "", "\x1b[2J", "\ud800", [], {}, "x" * 300, ["a1"], {"event": "reset"}]
    others = odd + [part for part in parts(data["events"]) if not isinstance(part, list) or len(part) < 9]
    within = [event for event in data["events"] if "position" in event]
    if within and rng.random() < 0.4:
        event = rng.choice(within)
        inner = json.loads(event["position"])
        event["position"] = json.dumps(bent(rng, inner, [*others[:12], *parts(inner)]))
    else:
        for _ in range(rng.randint(1, 3)):
            data["events"] = bent(rng, data["events"], others)
    if sealed and isinstance(data["events"], list):
        with contextlib.suppress(ValueError):  # halves of signs
            data["seal"] = seal(data["events"])
    return json.dumps(data).encode()


def scratch(rng: random.Random, file: bytes) -> bytes:
    """The file with a byte changed, a piece lost, or torn off."""
    at = rng.randrange(len(file))
    return rng.choice(
        [
            file[:at],
            file[:at] + bytes([file[at] ^ (1 << rng.randrange(8))]) + file[at + 1 :],
            file[:at] + file[at + rng.randint(1, 40) :],
            file[:at] + rng.randbytes(3) + file[at:],
        ]
    )


def campaign(exports: dict[str, bytes], name: str, count: int) -> tuple[int, int]:
    """Damaged files: read as the game they were, or refused; hostile ones may tell another game, if it is lawful.

    Returns how many scratched and how many bent ones could be read.
    """
    rng, whole = random.Random(name), exports[name]
    game = read_game(whole)
    scratched = lawful = 0
    for _ in range(count):
        try:
            assert read_game(scratch(rng, whole)).events == game.events
            scratched += 1
        except UnreadableText as refused:
            assert str(refused)
        try:
            found = read_game(bend(rng, whole, sealed=rng.random() < 0.9))
        except UnreadableText as refused:
            assert len(str(refused)) < 2000
            continue
        lawful += 1
        for form in ("text", "json"):
            assert EXPORTS[form](1, found.events, True)
        archive = MemoryArchive()
        restore(archive, [found])
        desk = Desk(archive, exports=EXPORTS)
        desk.resume()
        assert desk.snapshot() is not None
        assert desk.recorded(1) is not None
    return scratched, lawful


@pytest.mark.parametrize("name", GAMES)
def test_damaged_and_hostile_files_are_refused_or_harmless(exports: dict[str, bytes], name: str) -> None:
    scratched, lawful = campaign(exports, name, 80)
    assert scratched < 40
    assert lawful < 40


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", GAMES)
def test_thousands_of_damaged_files(exports: dict[str, bytes], name: str) -> None:
    print(name, *campaign(exports, name, 1000))


def test_the_seal_of_files_that_there_are_stays_as_it_is() -> None:
    assert seal([{"event": "started", "game": "khet"}, {"event": "reset"}]) == "7f5bcfe7358f7b31"


def changed(file: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(file), **fields}).encode()


def deep(count: int) -> Any:
    return functools.reduce(lambda inner, _: [inner], range(count), [])


def with_event(file: bytes, event: dict[str, Any]) -> bytes:
    events = [*json.loads(file)["events"], event]
    return changed(file, events=events, seal=seal(events))


@pytest.mark.parametrize(
    ("bent", "said"),
    [
        (lambda f: f[:-20], "no exported game, or a torn one"),
        (lambda f: b"\xff\xfe", "no exported game, or a torn one"),
        (lambda f: b"[" * 100_000, "no exported game, or a torn one"),
        (lambda f: with_event(f, deep(700)), "it is nested too deep"),
        (lambda f: b"[]", "`companion export --form json` writes them"),
        (lambda f: changed(f, format="tabletop-companion game 2"), "this version reads 'tabletop-companion game 1'"),
        (lambda f: changed(f, events=[]), "not whole"),
        (lambda f: changed(f, seal="0"), "do not fit the file's seal"),
        (lambda f: changed(f, end="x"), "its 'end' is another"),
        (lambda f: with_event(f, {"event": "of a later version"}), "not an event: 'of a later version'"),
        (lambda f: with_event(f, {"event": "quiet", "on": 1}), "not an event: 1 is no bool"),
        (lambda f: with_event(f, {"event": "told", "text": "\x1b[2J", "rule": ""}), "cannot be printed"),
        (lambda f: with_event(f, {"event": "joined", "seat": 7, "player": "Ada"}), "there are the seats 0 to 1"),
        (lambda f: with_event(f, {"event": "taken-back", "ply": 99, "on_table": False}), "plies"),
        (lambda f: b" " * (MOST_BYTES + 1), "at most 32 MiB"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(exports: dict[str, bytes], bent: Any, said: str) -> None:
    with pytest.raises(UnreadableText) as refused:
        read_game(bent(exports["khet"]))
    assert said in str(refused.value)


@pytest.mark.parametrize("other", [{"move": "a8a7"}, {"number": 2}, {"seat": 1}], ids=str)
def test_a_move_that_cannot_have_been_made_is_named_by_its_event(other: dict[str, Any]) -> None:
    _, archive = in_memory("khet", "c5-")
    data = json.loads(as_json(1, archive.events(1)))
    ply = next(event for event in data["events"] if event["event"] == "ply")
    ply |= other
    with pytest.raises(UnreadableText, match="event 3 cannot have happened: "):
        read_game(changed(json.dumps(data).encode(), seal=seal(data["events"])))


@pytest.mark.parametrize("taken_up", [False, True])
def test_what_play_goes_on_from_must_be_a_position(taken_up) -> None:
    desk, archive = in_memory("khet")
    game, before = desk.table.state.module, desk.table.state.position
    move = game.read_move(before, "c5e5")  # two squares at once
    text = json.dumps(game.to_json(game.carry_out(before, move).position))
    last = TakenUp("found so", text) if taken_up else Allowed(0, game.write_move(before, move), "let stand", text)
    for position, fits in ((text, True), (json.dumps(game.to_json(move)), False), ("{", False)):
        fresh = MemoryArchive()
        fresh.append(1, [*archive.events(1), last])
        data = json.loads(as_json(1, fresh.events(1)))
        data["events"][-1]["position"] = position
        file = changed(json.dumps(data).encode(), seal=seal(data["events"]))
        if fits:
            assert read_game(file).events == tuple(fresh.events(1))
        else:
            with pytest.raises(UnreadableText, match="cannot have happened"):
                read_game(file)


def test_a_game_that_goes_on_stays_the_newest(exports: dict[str, bytes], tmp_path: Path) -> None:
    archive = open_archive(tmp_path / "j.sqlite3")
    desk = Desk(archive)
    desk.submit(Command("new_game", {"game": "khet"}))
    before = archive.events(1)
    assert goes_on(before)
    with pytest.raises(ConfigError, match="game 1 is still going on: end it first"):
        restore(archive, [read_game(exports["ataxx"])])
    assert archive.games() == [1]
    desk.submit(Command("reset"))
    assert restore(archive, [read_game(exports["ataxx"])]) == [(2, True)]
    assert restore(archive, [read_game(exports["ataxx"])]) == [(2, False)]
    assert archive.events(1)[: len(before)] == before
    archive.close()


def test_a_game_of_which_the_table_told_an_option_comes_back() -> None:
    archive = MemoryArchive()
    desk = Desk(archive, settings=Settings(readings_needed=1, readings_apart_s=0.0))
    desk.submit(Command("new_game", {"game": "khet"}))
    khet = desk.table.state.module
    cells = cells_of(khet.layout(khet.start({"layout": "dynasty-1.0"})))
    shape = desk.table.layout.board
    seen = TableView(0.0, tuple(Sighting(((cells.get(cell, EMPTY), 0.995),), cell=cell) for cell in shape.cells()))
    while desk.table.state.phase == "set-up":
        desk.observe(seen)
    events = archive.events(1)
    assert sum(isinstance(event, Started) for event in events) == 2
    assert desk.table.state.options["layout"] == "dynasty-1.0"
    assert read_game(as_json(1, events).encode()).events == tuple(events)
    other = [replace(e, options=(("layout", "nowhere"),)) if e is events[1] else e for e in events]
    with pytest.raises(UnreadableText, match="event 2 cannot have happened"):
        read_game(as_json(1, other).encode())
    late = [events[0], SetUp(by_host=True), events[1]]  # play has begun
    with pytest.raises(UnreadableText, match="event 3 cannot have happened: a game is started once"):
        read_game(as_json(1, late).encode())


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "absent.json", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(ConfigError, match=said):
            read_file(path)


def test_nobody_waits_for_a_pipe_that_nobody_writes_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.files.WAITED_MS", 10)
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ConfigError, match=r"pipe\.json: nobody writes into this pipe"):
        read_file(tmp_path / "pipe.json")
