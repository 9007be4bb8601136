"""Seats that phones claim and leave, over a real referee; and games that end because somebody gives up."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from web_helpers import GOOD, PIN, ask

from companion.demo.players import begin
from companion.exports import EXPORTS
from companion.journal.archive import MemoryArchive
from companion.journal.export import as_data, as_text
from companion.referee import happenings as h
from companion.referee.readmodel import Desk
from companion.simulator.playbook import load
from companion.web import WebSettings, build_app
from companion.web.parts import parts


class Club:
    """A table with open seats, its host's phone and others."""

    def __init__(self, folder: Path, game: str = "ataxx", **options: object) -> None:
        self.archive = MemoryArchive()
        self.desk = Desk(self.archive, exports=EXPORTS, wall_clock=lambda: "2026-01-01T00:00:00+0000")
        settings = WebSettings(folder, changes_per_s=1e5, open_seats=True, show_setup_code=lambda code: None)
        self.app = build_app(self.desk, self.desk, settings)
        parts(self.app).pins.set(PIN)
        self.host = self.phone()
        self.host.post("/api/login", json={"pin": PIN}, headers=GOOD)
        self.begin(game, **options)

    def begin(self, game: str = "ataxx", **options: object) -> None:
        assert ask(self.host, "new_game", game=game, options=options).status_code == 200
        self.desk.table.record(h.SetUp())

    def phone(self) -> FlaskClient:
        client = self.app.test_client()
        client.get("/game")
        return client

    @property
    def players(self) -> list[str | None]:
        return [seat.player for seat in self.desk.snapshot().seats]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


@pytest.fixture
def ada(club: Club) -> FlaskClient:
    """Ada's phone, which has taken the first seat."""
    phone = club.phone()
    assert ask(phone, "join", seat=0, player="Ada").status_code == 200
    return phone


def seat_of(phone: FlaskClient) -> int | None:
    return phone.get("/api/me").get_json().get("seat")


def test_a_repeated_request_puts_nobody_out_of_his_seat(club) -> None:
    assert ask(club.host, "set_quiet", key="k" * 16, on=True).status_code == 200
    bob = club.phone()
    assert ask(bob, "join", seat=1, player="Bob").status_code == 200
    assert ask(club.host, "set_quiet", key="k" * 16, on=True).status_code == 200
    assert (seat_of(bob), club.players) == (1, [None, "Bob"])


def test_a_key_that_another_phone_used_gives_no_seat_that_was_not_taken(club) -> None:
    ada, bob = club.phone(), club.phone()
    assert ask(ada, "join", key="k" * 16, seat=0, player="Ada").status_code == 200
    ask(bob, "join", key="k" * 16, seat=1, player="Bob")
    assert seat_of(bob) == (1 if club.players[1] == "Bob" else None)
    assert seat_of(ada) == 0


def test_players_and_their_phones_stay_for_the_next_game(club, ada) -> None:
    assert ask(club.host, "reset").status_code == 200
    club.begin()
    assert (seat_of(ada), club.players) == (0, ["Ada", None])


def test_another_demonstration_begins_with_all_seats_free(club, ada) -> None:
    begin(club.desk, load("khet"))
    assert (seat_of(ada), club.players) == (None, [None, None])
    assert [line["about"] for line in club.desk.games()] == ["", "Ada (Black)"]
    assert ask(ada, "end_turn").status_code == 403
    assert ask(club.phone(), "join", seat=0, player="Bob").status_code == 200


def test_who_takes_another_seat_or_logs_out_leaves_the_one_before_free(club, ada) -> None:
    assert ask(ada, "join", seat=1, player="Ada").status_code == 200
    assert (seat_of(ada), club.players) == (1, [None, "Ada"])
    ada.post("/api/logout", json={}, headers=GOOD)
    assert club.players == [None, None]
    assert ask(ada, "join", seat=1, player="Ada").status_code == 200


def test_who_logs_out_without_a_seat_leaves_the_seats_of_others_alone(club) -> None:
    ada, bob = club.phone(), club.phone()
    ask(ada, "join", seat=0, player="Ada")
    assert bob.post("/api/logout", json={}, headers=GOOD).status_code == 200
    assert (seat_of(ada), club.players) == (0, ["Ada", None])


def test_a_host_who_leaves_his_seat_stays_the_host(club) -> None:
    assert ask(club.host, "join", seat=0, player="Ada").status_code == 200
    assert seat_of(club.host) == 0
    assert ask(club.host, "withdraw", seat=0).status_code == 200
    assert seat_of(club.host) is None
    assert club.host.get("/api/me").get_json()["role"] == "host"


def test_only_the_host_names_others(club) -> None:
    assert ask(club.phone(), "join", seat=0, player="X", claim=False).status_code == 403
    assert ask(club.host, "join", seat=0, player="X", claim=False).status_code == 200
    assert club.players == ["X", None]


def test_a_player_writes_no_headers_into_the_record(club) -> None:
    assert ask(club.phone(), "join", seat=0, player="a]  [result Black wins]").status_code == 200
    heads = [line for line in as_text(1, club.archive.events(1)).splitlines() if "[result" in line]
    assert heads == ["[result unfinished]"]


@pytest.mark.parametrize("plies", [0, 1])
def test_a_resignation_alone_can_be_undone(club, plies) -> None:
    if plies:
        assert ask(club.host, "enter_move", move="a8b7").status_code == 200
    assert ask(club.host, "resign", seat=0).status_code == 200
    assert as_data(1, club.archive.events(1))["winners"] == [1]
    assert ask(club.host, "undo").status_code == 200
    assert club.desk.table.state.phase == "play"
    assert len(club.desk.table.state.plies) == plies
    assert as_data(1, club.archive.events(1))["winners"] is None


@pytest.mark.parametrize(
    ("game", "options", "words", "winners"),
    [
        ("kdak", {"variant": "solitaire"}, "the game is lost", ()),
        ("kdak", {"variant": "cooperative"}, "the game is lost", ()),
        ("kdak", {}, "Kaka wins", (1,)),
        ("kaxxt", {"seats": 4}, "West, North and East win", (1, 2, 3)),
        ("chaos", {"seats": 2}, "Player 2 wins", (1,)),
    ],
)
def test_who_gives_up_loses_to_those_who_can_win(tmp_path, game, options, words, winners) -> None:
    club = Club(tmp_path, game, **options)
    assert ask(club.host, "resign", seat=0).status_code == 200
    over = club.desk.table.state.over
    assert over.text.endswith(words)
    assert over.winners == winners
