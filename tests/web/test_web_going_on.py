"""The order to go on with a closed game, as phones send it: from the host alone, and phones play for nobody else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import begun
from flask.testing import FlaskClient
from web_helpers import ask, real_house, sit

from companion.referee.readmodel import Desk


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """The host's phone, and a real referee with a game of Ada's on its table, of one action."""
    with real_house(tmp_path) as (client, desk):
        begun(desk, "khet", "c5+", players=("Ada",))
        yield client, desk


def seat_of(phone: FlaskClient) -> int | None:
    return phone.get("/api/me").json["seat"]


def test_a_closed_game_goes_on_and_is_asked_for_twice_without_harm(house: tuple[FlaskClient, Desk]) -> None:
    client, desk = house
    begun(desk)
    for _ in range(2):
        answer = ask(client, "go_on_with", key="same-tap", number=1)
        assert (answer.status_code, answer.json["game_number"]) == (200, 3)
    assert [line["result"] for line in client.get("/api/games").json] == [
        "",
        "no result: another game was gone on with",
        "no result: another game was started",
    ]
    assert [line["move"] for line in client.get("/api/state").json["record"]] == ["c5+"]
    answer = ask(client, "go_on_with", number=1)
    assert (answer.status_code, answer.json["error"]) == (409, "on-already")
    assert answer.json["text"] == "This game is on already, as game 3."


def test_whether_it_may_be_gone_on_with_is_told_before_and_changes_nothing(house: tuple[FlaskClient, Desk]) -> None:
    client, desk = house
    begun(desk)
    before = desk.snapshot()
    for number, said in [(1, None), (2, "This game is on already, as game 2."), (9, "There is no game 9.")]:
        answer = client.get(f"/api/games/{number}/go-on")
        assert answer.json.get("text") == said
        assert (answer.status_code == 200) is (said is None)
    assert client.application.test_client().get("/api/games/1/go-on").status_code == 403
    assert desk.snapshot() == before


def test_only_the_host_may_and_sees_how(house: tuple[FlaskClient, Desk]) -> None:
    client, desk = house
    begun(desk)
    watcher, seat = client.application.test_client(), sit(client.application, 1)
    before = desk.snapshot()
    for phone in (watcher, seat):
        assert ask(phone, "go_on_with", number=1).status_code == 403
        assert 'id="go-on"' not in phone.get("/games/1").get_data(as_text=True)
    assert 'id="go-on"' in client.get("/games/1").get_data(as_text=True)
    assert desk.snapshot() == before


@pytest.mark.parametrize("arguments", [{}, {"number": 0}, {"number": "1"}, {"number": True}, {"number": 1, "more": 1}])
def test_an_order_of_another_shape_is_refused(house: tuple[FlaskClient, Desk], arguments: dict[str, object]) -> None:
    client, desk = house
    assert ask(client, "go_on_with", **arguments).status_code == 400
    assert desk.table.game_id == 1


@pytest.mark.parametrize("others", [True, False])
def test_a_phone_plays_for_nobody_else_and_for_its_own_player_still(
    house: tuple[FlaskClient, Desk], others: bool
) -> None:
    client, desk = house
    ada, bo = sit(client.application, 0, "Ada"), sit(client.application, 1, "Bo")
    if others:
        begun(desk)
        grace = sit(client.application, 0, "Grace")
        assert (seat_of(ada), seat_of(grace), seat_of(bo)) == (None, 0, 1)
    else:
        assert ask(client, "reset").status_code == 200
    assert ask(client, "go_on_with", number=1).status_code == 200
    assert [seat.player for seat in desk.snapshot().seats] == ["Ada", "Bo"]
    assert [seat_of(ada), seat_of(bo)] == [None if others else 0, 1]
    if others:
        assert seat_of(grace) is None
