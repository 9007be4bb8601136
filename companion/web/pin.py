"""The host's PIN: kept as a scrypt hash, guessed slowly, and never there by default."""

import hashlib
import hmac
import itertools
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.errors import CommandRefused, RecordError, UnreadableText
from companion.storage import write_safely
from companion.web.files import PRIVATE

PIN_DIGITS = (4, 12)
SETUP_CODE_DIGITS = 8
ALL_TRIES = 4  # times as many wrong tries from all addresses together as from one
SCRYPT = {"n": 2**14, "r": 8, "p": 1}  # 16 MiB, and a few hundredths of a second of work for each guess
_SCRYPT_MEMORY = 64 * 1024 * 1024


def check_pin(pin: str) -> None:
    """UnreadableText when the PIN breaks a rule: 4 to 12 digits, not all alike, not a simple run."""
    if not (pin.isascii() and pin.isdigit() and PIN_DIGITS[0] <= len(pin) <= PIN_DIGITS[1]):
        raise UnreadableText(f"a PIN has {PIN_DIGITS[0]} to {PIN_DIGITS[1]} digits and nothing else")
    steps = {ord(b) - ord(a) for a, b in itertools.pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise UnreadableText("this PIN is the first that anybody would try: no run like 1234, not one digit repeated")


class PinStore:
    """The PIN's hash in a file, read anew each time, so that `companion pin` works beside a running service."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def is_set(self) -> bool:
        """True once a PIN was chosen; an unreadable file counts as set, so that it opens no door."""
        try:
            return self._read() is not None
        except CommandRefused:
            return True

    def set(self, pin: str) -> None:
        """Keep a new PIN. UnreadableText names the rule that it breaks, RecordError says why it cannot be kept."""
        check_pin(pin)
        salt = secrets.token_bytes(16)
        data = {**SCRYPT, "salt": salt.hex(), "hash": _scrypt(pin, salt, SCRYPT).hex()}
        try:
            write_safely(self.path, json.dumps(data).encode(), PRIVATE)
        except OSError as error:
            raise RecordError(f"the PIN cannot be kept in {self.path}: {error.strerror or error}") from error

    def fits(self, pin: str) -> bool:
        """True if this is the PIN."""
        kept = self._read()
        if kept is None:
            return False
        salt, wanted, costs = kept
        try:
            return hmac.compare_digest(_scrypt(pin, salt, costs), wanted)
        except (ValueError, OverflowError) as error:  # costs that there cannot be
            raise _damaged(error) from error

    def _read(self) -> tuple[bytes, bytes, dict[str, int]] | None:
        try:
            data = json.loads(self.path.read_bytes())
            costs = {name: int(data[name]) for name in SCRYPT}
            return bytes.fromhex(data["salt"]), bytes.fromhex(data["hash"]), costs
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise _damaged(error) from error


class _Lock:
    """Counts failures: from the `tries`-th on each shuts it, the first for `lock_s`, each further one twice as long."""

    def __init__(self, tries: int, lock_s: float, lock_max_s: float) -> None:
        self._tries, self._lock_s, self._lock_max_s = tries, lock_s, lock_max_s
        self._failures, self.open_at = 0, 0.0

    def failed(self, now: float) -> None:
        self._failures += 1
        over = self._failures - self._tries
        if over >= 0:
            self.open_at = now + min(self._lock_s * 2.0 ** min(over, 64), self._lock_max_s)


class Throttle:
    """Stops guessing: after `tries` failures from one address a lock of `lock_s`, doubled by each further failure.

    Others may go on, so that a guest who guesses keeps no host out; but after so many times as many failures, from
    whatever addresses, all are locked alike. Remembers `addresses` of them.
    """

    def __init__(
        self,
        tries: int,
        lock_s: float,
        lock_max_s: float,
        clock: Callable[[], float] = time.monotonic,
        addresses: int = 1000,
    ) -> None:
        self._clock, self._addresses = clock, addresses
        self._tries, self._new = tries, partial(_Lock, lock_s=lock_s, lock_max_s=lock_max_s)
        self._each: OrderedDict[str, _Lock] = OrderedDict()
        self._all = self._new(ALL_TRIES * self._tries)
        self._guard = threading.Lock()

    def attempt(self, check: Callable[[], bool], address: str) -> bool:
        """The check's answer; CommandRefused (429) without asking it while a lock holds. One at a time."""
        with self._guard:
            own = self._each.pop(address, None) or self._new(self._tries)
            self._each[address] = own
            if len(self._each) > self._addresses:
                self._each.popitem(last=False)
            wait_s = max(own.open_at, self._all.open_at) - self._clock()
            if wait_s > 0:
                raise CommandRefused("too-many-tries", f"too many wrong tries: wait {wait_s:.0f} seconds", 429)
            if check():
                del self._each[address]
                self._all = self._new(ALL_TRIES * self._tries)
                return True
            for lock in (own, self._all):
                lock.failed(self._clock())
            return False


def new_setup_code() -> str:
    """A random code that is shown at the device and lets its reader set the first PIN."""
    return "".join(secrets.choice("0123456789") for _ in range(SETUP_CODE_DIGITS))


def _damaged(error: Exception) -> CommandRefused:
    text = f"the PIN file cannot be read ({error}); set a new PIN with `companion pin`"
    return CommandRefused("pin-file", text, 503)


def _scrypt(pin: str, salt: bytes, costs: dict[str, int]) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, dklen=32, maxmem=_SCRYPT_MEMORY, **costs)
