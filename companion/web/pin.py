"""The host's PIN: kept as a scrypt hash, guessed slowly, and never there by default."""

import hashlib
import hmac
import itertools
import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.errors import CommandRefused, RecordError, UnreadableText
from companion.storage import write_safely
from companion.web.files import PRIVATE

PIN_DIGITS = (4, 12)
SETUP_CODE_DIGITS = 8
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


class Throttle:
    """Stops guessing: after `tries` failures a lock of `lock_s`, doubled by each further failure."""

    def __init__(
        self, tries: int, lock_s: float, lock_max_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tries, self._lock_s, self._lock_max_s, self._clock = tries, lock_s, lock_max_s, clock
        self._failures = 0
        self._open_at = 0.0
        self._guard = threading.Lock()

    def attempt(self, check: Callable[[], bool]) -> bool:
        """The check's answer; CommandRefused (429) without asking it while the lock holds. One at a time."""
        with self._guard:
            wait_s = self._open_at - self._clock()
            if wait_s > 0:
                raise CommandRefused("too-many-tries", f"too many wrong tries: wait {wait_s:.0f} seconds", 429)
            if check():
                self._failures = 0
                return True
            self._failures += 1
            over = self._failures - self._tries
            if over >= 0:
                self._open_at = self._clock() + min(self._lock_s * 2.0**over, self._lock_max_s)
            return False


def new_setup_code() -> str:
    """A random code that is shown at the device and lets its reader set the first PIN."""
    return "".join(secrets.choice("0123456789") for _ in range(SETUP_CODE_DIGITS))


def _damaged(error: Exception) -> CommandRefused:
    text = f"the PIN file cannot be read ({error}); set a new PIN with `companion pin`"
    return CommandRefused("pin-file", text, 503)


def _scrypt(pin: str, salt: bytes, costs: dict[str, int]) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, dklen=32, maxmem=_SCRYPT_MEMORY, **costs)
