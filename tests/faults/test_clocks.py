"""A Pi boots in the past and its clock jumps: no waiting time may hang on the wall clock."""

import ast
import http.client
import json
import time
from pathlib import Path

from desks import begun, desk_over
from running import Phone, Service

from companion.journal.archive import open_archive
from companion.referee.happenings import Reset
from companion.web.pin import PinStore

ROOT = Path(__file__).parents[2]
WALL = {("time", "time"), ("time", "localtime"), ("time", "strftime"), ("datetime", "now"), ("date", "today")}
MAY = {  # what really means the date and the time of day
    "calibration/store.py",  # when a lens was measured
    "companion/outputs/devices.py",  # quiet hours
    "companion/referee/readmodel.py",  # when a game was begun
    "companion/service/start_counter.py",  # counts starts, whatever the clock says
    "companion/vision/taught_looks.py",  # when a set was learned
    "companion/web/sessions.py",  # how many days a login is good for
}


def wall_clocks(path: Path) -> bool:
    """True if the file asks for the wall clock."""
    nodes = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Attribute))
    names = (
        (n.value.attr if isinstance(n.value, ast.Attribute) else getattr(n.value, "id", ""), n.attr) for n in nodes
    )
    return any(name in WALL for name in names)


def test_only_what_means_the_time_of_day_asks_for_it() -> None:
    files = [path for folder in ("companion", "hardware", "calibration") for path in (ROOT / folder).rglob("*.py")]
    asking = {str(path.relative_to(ROOT)) for path in files if "training" not in path.parts and wall_clocks(path)}
    assert asking == MAY


HOUR, YEAR = 3600, 365 * 86400
JUMPS = {"a second on": 1, "an hour on": HOUR, "an hour back": -HOUR, "1970": -56 * YEAR, "ten years on": 10 * YEAR}
PIN = "2580"
CONFIG = '[timeouts]\nreset_after_min = 30\n[pins]\nfactory = "mock"\n'


def set_clock(folder, offset):
    (folder / "new").write_text(str(offset))
    (folder / "new").rename(folder / "clock")


class Host:
    """A phone that changes something: its status tells whether it is still the host's."""

    def __init__(self, port):
        self._port, self._cookie = port, ""
        assert self.ask("/api/login", {"pin": PIN}) == 200

    def ask(self, path, body):
        link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        headers = {"X-Companion": "1", "Content-Type": "application/json", "Cookie": self._cookie}
        link.request("POST", path, json.dumps(body), headers)
        answer = link.getresponse()
        answer.read()
        self._cookie = (answer.headers["Set-Cookie"] or self._cookie).split(";")[0]
        link.close()
        return answer.status


def begin_a_game(journal):
    """A game in which somebody has moved: it is reset when nobody goes on for half an hour."""
    with desk_over(journal) as desk:
        begun(desk, "khet", "h2h3", timeout=True)


def test_a_clock_that_jumps_stops_nothing(tmp_path):
    set_clock(tmp_path, -3 * YEAR)  # as a Pi boots that was off for long
    jumping = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); import jumping; "
    jumping += f"jumping.follow({str(tmp_path / 'clock')!r}); "
    PinStore(tmp_path / "state" / "pin.json").set(PIN)
    begin_a_game(tmp_path / "state" / "journal.sqlite3")
    with Service(tmp_path, CONFIG, "none", jumping) as service:
        begun = service.state_json(lambda state: state["phase"] == "play")
        host, quiet = Host(service.port), False
        for name, offset in JUMPS.items():
            set_clock(tmp_path, offset)
            time.sleep(0.6)  # the loop goes round meanwhile
            phone = Phone(service.port)  # idle lines may be dropped by such a jump: phones call again
            phone.read(10.0, lambda phone=phone: phone.number > 0)
            quiet, before = not quiet, phone.number
            assert host.ask("/api/commands/set_quiet", {"arguments": {"on": quiet}}) == 200, name
            phone.read(10.0, lambda before=before, phone=phone: phone.number > before)
            phone.close()
            assert phone.number > before > 0, name
            state = service.state_json()
            assert (state["phase"], state["quiet"], state["sight"]) == ("play", quiet, "no camera"), name
            assert len(state["record"]) == 1, name
            assert state.get("notices", []) == begun.get("notices", []), name
        code, _ = service.stop()
    assert code == 0
    archive = open_archive(tmp_path / "state" / "journal.sqlite3")
    assert not archive.notices()
    assert archive.games() == [1]
    assert not any(isinstance(event, Reset) for event in archive.events(1))
    archive.close()
