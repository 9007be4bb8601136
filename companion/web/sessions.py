"""Who is asking: a random token in a cookie, and what this phone was allowed (host, seat)."""

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.storage import write_safely
from companion.web.files import PRIVATE

log = logging.getLogger(__name__)

COOKIE = "companion"
_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Grant:
    """What a session may do."""

    host: bool = False
    seat: int | None = None


class Sessions:
    """Grants by token. Only hashes of tokens are kept, in a private file, so that a restart logs nobody out.

    A visitor without a grant has a token too (it counts streams and changes); such tokens are signed and not stored.
    The wall clock is asked only for what outlives this run: a Pi that learns the date logs nobody out.
    """

    def __init__(
        self,
        path: Path,
        key: bytes,
        days: int,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._path, self._key, self._clock, self._wall_clock = path, key, clock, wall_clock
        self._life_s = days * 86400.0
        self._guard = threading.Lock()
        self._grants: dict[str, tuple[Grant, float]] = self._load()  # until when, of `clock`

    def new_token(self) -> str:
        """A fresh signed token of 256 random bits."""
        body = secrets.token_urlsafe(_TOKEN_BYTES)
        return f"{body}.{self._sign(body)}"

    def genuine(self, token: str | None) -> bool:
        """True if this installation has made the token."""
        if not token or not token.isascii() or token.count(".") != 1:
            return False
        body, mark = token.split(".")
        return hmac.compare_digest(mark, self._sign(body))

    def grant(self, token: str | None) -> Grant:
        """What the token's bearer may do."""
        if token is None:
            return Grant()
        with self._guard:
            grant, until = self._grants.get(_digest(token), (Grant(), 0.0))
        return grant if until > self._clock() else Grant()

    def give(self, token: str, host: bool = False, seat: int | None = None) -> None:
        """Set what the token's bearer may do from now on."""
        with self._guard:
            self._grants[_digest(token)] = (Grant(host, seat), self._clock() + self._life_s)
            self._save()

    def take(self, token: str | None) -> None:
        """Forget one session."""
        if token is None:
            return
        with self._guard:
            if self._grants.pop(_digest(token), None) is not None:
                self._save()

    def take_seat(self, seat: int) -> None:
        """Nobody holds this seat any more; hosts stay hosts."""
        with self._guard:
            held = {key: kept for key, kept in self._grants.items() if kept[0].seat == seat}
            for key, (grant, until) in held.items():
                if grant.host:
                    self._grants[key] = (Grant(True, None), until)
                else:
                    del self._grants[key]
            if held:
                self._save()

    def take_all(self) -> None:
        """Log everybody out."""
        with self._guard:
            self._grants.clear()
            self._save()

    def _sign(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), hashlib.sha256).hexdigest()[:32]

    def _load(self) -> dict[str, tuple[Grant, float]]:
        now, wall = self._clock(), self._wall_clock()
        try:
            kept = json.loads(self._path.read_bytes())
            return {
                key: (Grant(value["host"], value["seat"]), now + min(value["until"] - wall, self._life_s))
                for key, value in kept.items()
            }
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            log.warning("%s cannot be read: every phone has to log in again", self._path)
            return {}

    def _save(self) -> None:
        now, wall = self._clock(), self._wall_clock()
        self._grants = {key: (grant, until) for key, (grant, until) in self._grants.items() if until > now}
        data = {key: {**asdict(grant), "until": wall + until - now} for key, (grant, until) in self._grants.items()}
        try:
            write_safely(self._path, json.dumps(data).encode(), PRIVATE)
        except OSError as error:  # a full disk: sessions live on in memory
            log.warning("sessions cannot be saved: %s", error)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
