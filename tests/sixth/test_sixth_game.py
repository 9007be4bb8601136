"""One more game needs its own files and a line in the registries; nothing else names a game."""

import inspect
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest
from click.testing import CliRunner

import companion.commands
from companion.cli import group
from companion.errors import CommandRefused, UnreadableText
from companion.exports import EXPORTS
from companion.games import GAMES, game
from companion.games.base import Game
from companion.games.extras import Extras
from companion.journal.archive import MemoryArchive
from companion.outputs.shows import SHOWS
from companion.pieces import EMPTY, Piece
from companion.referee.commands import Command
from companion.referee.let_stand import allows
from companion.referee.readmodel import Desk
from companion.vision.readers import READERS
from companion.web.factory import build_app
from companion.web.settings import WebSettings
from tests.fuzz.parsers import mutated, parsers
from tests.games.test_golden import FILES, replayed
from tests.referee.referee_tables import Bench, shown

ROOT = Path(companion.__file__).parent
NAMES = tuple(GAMES)


def kept(*registries: dict[str, str]) -> Iterator[None]:
    """The registries afterwards as before, in their order; commands, which read them when imported, imported anew."""
    before = [dict(registry) for registry in registries]
    modules = {name: module for name, module in sys.modules.items() if name.startswith("companion.commands.")}
    for name in modules:
        del sys.modules[name]
    yield
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)
    for name in [name for name in sys.modules if name.startswith("companion.commands.")]:
        del sys.modules[name]
    for name, module in modules.items():
        sys.modules[name] = module
        setattr(companion.commands, name.rpartition(".")[2], module)


@pytest.fixture
def registries() -> Iterator[None]:
    yield from kept(GAMES, READERS, SHOWS)


@pytest.fixture
def noughts(registries: None) -> None:
    GAMES["noughts"] = "tests.sixth.noughts"
    READERS["noughts"] = "companion.vision.discs.reader"


@pytest.fixture(params=NAMES)
def removed(request: pytest.FixtureRequest, registries: None) -> str:
    """One game after the other, taken out of every registry."""
    for registry in (GAMES, READERS, SHOWS):
        registry.pop(request.param, None)
    return str(request.param)


# --- one game less ----------------------------------------------------------------------------------------------


def test_the_page_offers_the_games_that_are_left(removed: str, tmp_path: Path) -> None:
    desk = Desk(MemoryArchive())
    assert [choice["name"] for choice in desk.choices()] == [name for name in NAMES if name != removed]
    client = build_app(desk, desk, WebSettings(tmp_path)).test_client()
    answer = client.get("/api/choices", headers={"Host": "localhost"})
    assert answer.status_code == 200, answer.text
    assert removed not in {choice["name"] for choice in answer.get_json()}


def test_the_referee_refuses_it_and_starts_every_other(removed: str) -> None:
    desk = Desk(MemoryArchive())
    with pytest.raises(CommandRefused, match=f"no game is called '{removed}'; there are"):
        desk.submit(Command("new_game", {"game": removed}))
    for name in GAMES:
        assert desk.submit(Command("new_game", {"game": name})).game == name
    assert desk.submit(Command("new_game", {})).game in GAMES  # nothing said: the first there is


def test_the_others_play_on_as_recorded(removed: str) -> None:
    left = {}
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        name = text.splitlines()[0].removeprefix("game: ").strip()
        if name not in left or len(text) < len(left[name]):
            left[name] = text  # the shortest of each game
    for text in (text for name, text in left.items() if name != removed):
        assert replayed(text) == text


def test_the_command_line_goes_on(removed: str) -> None:
    run = CliRunner().invoke
    refused = run(group, ["rules", removed])
    assert refused.exit_code != 0
    assert f"'{removed}' is not one of" in refused.output
    for name in GAMES:
        assert run(group, ["rules", name]).exit_code == 0
        played = run(group, ["play", name, "--seed", "1"], input="moves\nquit\n")
        assert played.exit_code == 0, played.output


@pytest.mark.usefixtures("registries")
def test_a_recorded_game_that_is_no_longer_installed_hurts_nobody() -> None:
    archive = MemoryArchive()
    desk = Desk(archive)
    desk.submit(Command("new_game", {"game": "ataxx"}))
    del GAMES["ataxx"]
    again = Desk(archive)
    assert again.resume() is None
    assert again.games()[0]["game"] == "ataxx"
    assert again.submit(Command("new_game", {"game": "hexxagon"})).game == "hexxagon"


# --- one game more ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("noughts")
class TestOneMore:
    def test_it_is_refereed_from_views_to_its_end(self) -> None:
        bench = Bench("noughts").begin().play("b2", "a1", "a2", "c2")
        refused = bench.act("a1")
        assert (refused.kind, refused.rule) == ("unlawful", "N1")
        assert bench.clear().kind == "take-back"
        bench.play("a3", "c1", "b1", "b3", "c3")
        state = bench.table.state
        assert [past.move for past in state.plies] == ["b2", "a1", "a2", "c2", "a3", "c1", "b1", "b3", "c3"]
        assert state.phase == "over"
        assert (state.over.winners, state.over.rule) == ((), "N4")

    def test_hands_and_doubts_make_no_move(self) -> None:
        bench = Bench("noughts").begin()
        during = bench.game.during(bench.position, bench.game.read_move(bench.position, "b2"))
        for _ in range(10):
            assert bench.once(shown(during, obstacles=("hand",))).kind != "move"
        doubtful = {"b2": ((Piece("disc", "black"), 0.3), (EMPTY, 0.3), (Piece("disc", "white"), 0.3))}
        for _ in range(20):
            assert bench.once(shown(during, doubts=doubtful)).kind != "move"
        assert len(bench.table.state.plies) == 0

    def test_two_discs_at_once_are_no_move(self) -> None:
        bench = Bench("noughts").begin()
        black = Piece("disc", "black")
        assert bench.show(bench.game.layout(bench.position), {"a1": black, "b1": black}).kind == "unlawful"
        assert allows(bench.table) == ""  # nothing that this game does not offer

    def test_page_journal_and_exports_know_it(self, tmp_path: Path) -> None:
        desk = Desk(MemoryArchive(), exports=EXPORTS)
        assert "noughts" in {choice["name"] for choice in desk.choices()}
        desk.submit(Command("new_game", {"game": "noughts", "options": {"begins": "white"}}))
        snapshot = desk.snapshot()
        assert (snapshot.title, snapshot.board.cols) == ("Noughts and crosses", 3)
        number = desk.games()[0]["id"]
        for form in EXPORTS:
            assert "Noughts and crosses" in desk.export(number, form) or "noughts" in desk.export(number, form)
        assert desk.rule("N3") == {"number": "N3", "text": "Three in a row win."}

    def test_it_is_played_in_the_terminal(self) -> None:
        played = CliRunner().invoke(group, ["play", "noughts"], input="b2\nb2\na1\nundo\nquit\n")
        assert played.exit_code == 0, played.output
        assert "unlawful (N1, taken)" in played.output


# --- nobody else names a game -----------------------------------------------------------------------------------

GENERAL = ("*", "referee/**/*", "journal/*", "outputs/*", "web/*", "vision/**/*", "commands/*", "service/*", "sets/*")
REGISTRIES = {"vision/readers.py", "outputs/shows.py"}
WORD = re.compile("|".join(rf"[\"']{name}[\"']" for name in NAMES))


def test_general_files_name_no_game() -> None:
    found = []
    for pattern in GENERAL:
        for path in sorted(ROOT.glob(f"{pattern}.py")):
            name = path.relative_to(ROOT).as_posix()
            if name in REGISTRIES or any(part.startswith(tuple(NAMES)) for part in path.relative_to(ROOT).parts):
                continue
            found += [f"{name}: {line.strip()}" for line in path.read_text().splitlines() if WORD.search(line)]
    assert found == []


def test_the_guide_names_all_that_a_game_offers_or_may_offer() -> None:
    guide = (ROOT / "games/README.md").read_text()
    offered = {field.name for field in fields(Extras)}
    needed = {name for name in vars(Game) if not name.startswith("_")} | {"NAME", "TITLE"}
    named = set(re.findall(r"\w+", guide))
    assert (offered | needed) - named == set()


@pytest.mark.parametrize("name", NAMES)
def test_what_a_game_offers_besides_takes_what_everybody_gives(name: str) -> None:
    promised = get_type_hints(Extras)
    for offer in fields(Extras):
        if not callable(own := getattr(game(name), offer.name, None)):
            continue
        kinds = [
            hint for hint in (promised[offer.name], *get_args(promised[offer.name])) if get_origin(hint) is Callable
        ]
        inspect.signature(own).bind(*get_args(kinds[0])[0])


def test_the_referee_never_asks_a_game_for_names_by_itself() -> None:
    asks = re.compile(r'(?:getattr|hasattr)\([a-z._]*(?:game|module), "')
    assert [path.name for path in (ROOT / "referee").rglob("*.py") if asks.search(path.read_text())] == []


def test_unknown_games_are_named_with_those_there_are() -> None:
    with pytest.raises(UnreadableText, match=", ".join(NAMES)):
        game("chess")


def test_the_file_to_copy_has_what_is_tested_of_every_game(noughts: None) -> None:
    rules, rng = game("noughts"), random.Random(1)
    assert all(option.label for option in rules.OPTIONS)
    with pytest.raises(UnreadableText, match=r"for example '(.*)'") as refused:
        rules.read_position("nonsense")
    assert rules.read_position(str(refused.value).split("'")[-2]) is not None
    for parser in parsers():
        if parser.name.startswith("noughts"):
            assert {parser.check(mutated(rng, parser.seeds)) for _ in range(2000)} == {True, False}
