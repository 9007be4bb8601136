"""The strip: films, what they say of K'Dak's Tower, and their way to the bytes on the bus."""

import time
from dataclasses import replace

import pytest

from companion.config import Config, StripConfig
from companion.config.reading import load_config
from companion.events import GameOver, Hit, Scored, Told, TurnBegan
from companion.games import GAMES, game
from companion.games.kdak.play import Crumbled
from companion.outputs import kdak_show, wiring
from companion.outputs.devices import make_outputs
from companion.outputs.films import DARK, Film, Frame, Reel, dark, dimmed, still
from companion.outputs.guard import unheard
from companion.outputs.kdak_show import EMBER, SUIT_COLOURS, lasting, passing
from companion.outputs.patterns import FLASHES_PER_S
from companion.outputs.shows import SHOWS, show_of
from companion.referee.snapshot import SeatView, Snapshot
from companion.service.machine_check import findings
from hardware.board import Board
from hardware.errors import PinsError
from hardware.spi import MockSpi
from hardware.strip import WS2812

LIGHTS = 61
MOONS, ARMS = SUIT_COLOURS["moons"], SUIT_COLOURS["arms"]


def snapshot(*scores: int, to_move: int | None = 0, phase: str = "play") -> Snapshot:
    options = (("first_pawn", "moons"), ("second_pawn", "arms"))
    seats = tuple(SeatView(i, name, "", None, score) for i, (name, score) in enumerate(zip("BK", scores, strict=False)))
    return Snapshot(1, game="kdak", phase=phase, seats=seats, options=options, to_move=to_move)


def lit(picture) -> dict[int, tuple[int, int, int]]:
    return {i: colour for i, colour in enumerate(picture) if colour != DARK}


def shades(film: Film) -> set[tuple[int, int, int]]:
    return {colour for frame in film.frames for colour in lit(frame.picture).values()}


FALL = Crumbled(0, "2b", "K10")
DOOR = Told("The switch is hit: the door opens, and the tower begins to crumble.", "K8")
WON = GameOver("out", (1,), "Kaka wins")
FILMS = {
    "scores": lasting(snapshot(7, 12), LIGHTS),
    "one square": lasting(snapshot(9, 9), LIGHTS),
    "alone": lasting(snapshot(30), LIGHTS),
    "walk": passing(Scored(0, 5, 12), snapshot(12, 3), LIGHTS),
    "fall": passing(FALL, snapshot(0, 0), LIGHTS),
    "door": passing(DOOR, snapshot(0, 0), LIGHTS),
    "won": passing(WON, snapshot(20, 31), LIGHTS),
}


def test_each_score_is_lit_on_its_square_in_its_suits_colour() -> None:
    picture, _ = FILMS["scores"].at(0.0)
    assert lit(picture) == {7: MOONS, 12: dimmed(ARMS, kdak_show.WAITS)}
    picture, _ = lasting(snapshot(7, 12, to_move=1), LIGHTS).at(0.0)
    assert lit(picture)[12] == ARMS


def test_the_second_light_blinks_and_two_on_one_square_take_turns() -> None:
    seen = [lit(frame.picture).keys() for frame in FILMS["scores"].frames]
    assert [7 in keys for keys in seen] == [True] * 4
    assert [12 in keys for keys in seen] == [True, False, True, False]
    assert [lit(f.picture)[9] for f in FILMS["one square"].frames] == [MOONS, dimmed(ARMS, kdak_show.WAITS)]


@pytest.mark.parametrize("points", [60, 75, 120])
def test_points_beyond_the_track_stay_on_its_last_square(points: int) -> None:
    assert 60 in lit(lasting(snapshot(points, 3), LIGHTS).at(0.0)[0])


def test_a_score_walks_from_square_to_square_and_the_other_stays() -> None:
    places = [lit(frame.picture) for frame in FILMS["walk"].frames]
    assert [next(i for i, c in p.items() if c == MOONS) for p in places] == list(range(7, 13))
    assert all(p[3] == ARMS for p in places)
    assert passing(Scored(0, 0, 12), snapshot(12, 3), LIGHTS) is None


@pytest.mark.parametrize("level", range(6))
def test_the_level_that_loses_a_tile_glows_and_all_above_comes_down(level: int) -> None:
    film = kdak_show.fall(level, LIGHTS)
    glowing = [i * 6 // LIGHTS for i, c in lit(film.frames[0].picture).items() if c == EMBER]
    assert set(glowing) == {level}
    assert len(glowing) >= 10
    assert len(film.frames) == 8 - level
    assert not [i for i in lit(film.frames[1].picture) if i * 6 // LIGHTS == level]


def test_other_events_leave_the_scores_alone() -> None:
    for event in (TurnBegan(0), Hit(0, "a piece", "c3", rule="Khet 4"), Told("Baba falls onto 1b.", "K11")):
        assert passing(event, snapshot(1, 2), LIGHTS) is None


def test_the_winners_colours_run_along_the_strip_and_of_nobody_who_won_none_do() -> None:
    assert shades(passing(WON, snapshot(20, 31), LIGHTS)) == {ARMS}
    assert shades(passing(replace(WON, winners=(0, 1)), snapshot(31, 31), LIGHTS)) == {MOONS, ARMS}
    assert passing(replace(WON, winners=()), snapshot(20, 31), LIGHTS) is None


@pytest.mark.parametrize("film", FILMS.values(), ids=FILMS)
def test_no_light_flashes_more_than_three_times_a_second(film: Film) -> None:
    for light in range(LIGHTS):
        rises, now, before = [], 0.0, 0
        for frame in film.frames * (3 if film.repeats else 1):
            level = sum(frame.picture[light])
            if level > before:
                rises.append(now)
            before, now = level, now + frame.seconds
        assert max((sum(s <= r < s + 1 for r in rises) for s in rises), default=0) <= FLASHES_PER_S


def test_before_and_after_a_game_the_strip_is_dark() -> None:
    assert lasting(snapshot(0, 0, phase="set-up"), LIGHTS) == dark(LIGHTS)
    assert lasting(Snapshot(1), LIGHTS) == dark(LIGHTS)


def test_every_show_belongs_to_a_game_and_others_have_none() -> None:
    assert SHOWS.keys() <= GAMES.keys()
    assert show_of("kdak") is kdak_show
    assert show_of("khet") is None
    assert show_of(None) is None


def test_the_show_knows_every_suit_that_a_pawn_may_have() -> None:
    options = {o.name: o for o in game("kdak").OPTIONS}
    for name in kdak_show.PAWNS:
        assert set(options[name].choices) <= SUIT_COLOURS.keys()


def test_films_run_one_after_the_other_over_what_lasts() -> None:
    one, two, three = (((n, n, n),) for n in (1, 2, 3))
    reel = Reel(still(one))
    reel.run(Film((Frame(two, 1.0),)))
    reel.run(Film((Frame(three, 1.0),)))
    assert [reel.at(t)[0] for t in (0.0, 0.9, 1.5, 2.4, 2.6)] == [two, two, three, three, one]
    reel.show(still(two), 3.0)
    assert reel.at(3.0) == (two, None)


def wait_for(condition) -> None:
    deadline = time.monotonic() + 3.0
    while not condition():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.005)


STRIP = Config(strip=StripConfig(kind="ws2812", brightness=1.0))


def test_scores_and_the_fall_come_to_the_bus_and_the_end_is_dark() -> None:
    bus = MockSpi()
    with make_outputs(STRIP, Board(spi=lambda *_: bus), unheard) as outputs:
        outputs.tell(snapshot(7, 12))
        scores = WS2812.encode(FILMS["scores"].at(0.0)[0])
        wait_for(lambda: scores in bus.written)
        outputs.happened(FALL)
        ember = WS2812.encode(FILMS["fall"].frames[0].picture)
        wait_for(lambda: ember in bus.written)
    assert bus.written[-1] == WS2812.encode([DARK] * LIGHTS)
    assert bus.closed


def test_every_picture_of_a_film_comes_to_the_bus_in_its_order() -> None:
    bus, walk = MockSpi(), FILMS["walk"]
    with make_outputs(STRIP, Board(spi=lambda *_: bus), unheard) as outputs:
        outputs.tell(snapshot(12, 3))
        outputs.happened(Scored(0, 5, 12))
        wait_for(lambda: WS2812.encode(walk.frames[-1].picture) in bus.written)
    sent = [bus.written.index(WS2812.encode(frame.picture)) for frame in walk.frames[:-1]]
    assert sent == sorted(sent)


def test_a_picture_that_stands_still_is_sent_again_and_again(monkeypatch) -> None:
    monkeypatch.setattr("hardware.strip.AGAIN_S", 0.01)
    monkeypatch.setattr("companion.outputs.players.AGAIN_S", 0.01)
    bus = MockSpi()
    with make_outputs(STRIP, Board(spi=lambda *_: bus), unheard) as outputs:
        outputs.tell(snapshot(30))
        alone = WS2812.encode(FILMS["alone"].at(0.0)[0])
        wait_for(lambda: bus.written.count(alone) > 2)


def test_without_a_strip_no_bus_is_opened() -> None:
    def never(*_: int) -> MockSpi:
        raise AssertionError("there is no strip")

    with make_outputs(Config(), Board(spi=never), unheard) as outputs:
        outputs.tell(snapshot(7, 12))
        outputs.happened(FALL)
        outputs.happened(WON)


def test_a_strip_that_fails_is_told_once_and_lamps_go_on() -> None:
    told = []

    def broken(*_: int) -> MockSpi:
        raise PinsError("/dev/spidev0.0 is not there")

    with make_outputs(STRIP, Board(spi=broken), lambda *news: told.append(news)) as outputs:
        outputs.tell(snapshot(7, 12))
        wait_for(lambda: told)
        outputs.tell(replace(snapshot(8, 12), sight="hand"))
    assert told == [("strip", "strip off: /dev/spidev0.0 is not there")]


def test_the_wiring_shows_the_strip() -> None:
    config = Config(strip=StripConfig(kind="apa102"))
    wires = {wire.name: (wire.gpio, wire.physical) for wire in wiring.wires(config)}
    assert wires["strip.data"] == (10, 19)
    assert wires["strip.clock"] == (11, 23)
    assert "74AHCT125" in wiring.table(config)
    assert "core_freq_min=500" in wiring.table(config)
    assert "strip" not in wiring.table(Config())


@pytest.mark.parametrize(
    ("factory", "state", "words"),
    [("mock", "ok", "61 ws2812 lights on SPI 0 (mock)"), ("real", "note", "strip off: ")],
)
def test_check_tells_of_the_strip_of_a_pi(monkeypatch, tmp_path, factory: str, state: str, words: str) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0")
    monkeypatch.setattr("hardware.pins.MODEL_FILE", tmp_path / "model")
    monkeypatch.setattr("hardware.spi.DEVICES", tmp_path)
    path = tmp_path / "companion.toml"
    path.write_text(f'[strip]\nkind = "ws2812"\n\n[pins]\nfactory = "{factory}"\n')
    (found,) = (finding for finding in findings(path, camera=False) if finding.what == "strip")
    assert found.state == state
    assert found.text.startswith(words)
    path.write_text("")
    assert not [finding for finding in findings(path, camera=False) if finding.what == "strip"]


def test_a_lamp_on_a_pin_of_the_bus_is_refused_with_its_line(tmp_path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text('[strip]\nkind = "ws2812"\n\n[lights]\nhit = 9\n')
    config, (problem,) = load_config(path)
    assert problem.line == 5
    assert "SPI bus 0 of the strip" in problem.text
    assert (config.lights.hit, config.strip.kind) == (None, "none")  # nobody knows which of them is wired there


def test_an_unknown_kind_of_strip_is_refused(tmp_path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text('[strip]\nkind = "neon"\n')
    assert "apa102" in load_config(path)[1][0].text
