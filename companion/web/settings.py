"""What the application tells the page: names, folders, limits. Every threshold of the page has its name here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint


@dataclass(frozen=True, slots=True)
class ExtraPages:
    """A blueprint of another part (the virtual table) and who may send changes to it: "anyone" or "host".

    With a `title` the head of every page links to the blueprint's first page.
    """

    blueprint: Blueprint
    changes_by: str = "host"
    title: str = ""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page.

    `state_dir` keeps the PIN, the secret key and the sessions (files of mode 0600). `address` is asked for the URL
    under the QR code each time that it is shown; empty = the one the visitor used. `show_setup_code` puts the first
    code where only people at the device see it. Times are in seconds.
    """

    state_dir: Path
    address: Callable[[], str] = lambda: ""
    hosts: tuple[str, ...] = ()  # names beside localhost, *.local and IP literals
    show_setup_code: Callable[[str], None] | None = None
    extra: tuple[ExtraPages, ...] = ()
    open_seats: bool = False  # True: a free seat is claimed without the host's PIN
    secure_cookies: bool = False  # True behind TLS

    max_body_bytes: int = 64 * 1024
    max_form_memory_bytes: int = 16 * 1024
    max_form_parts: int = 20
    changes_per_s: float = 10.0  # of one session at one address
    pin_tries: int = 5
    pin_lock_s: float = 60.0
    pin_lock_max_s: float = 3600.0
    session_days: int = 30

    streams_per_visitor: int = 4
    streams_in_all: int = 220
    stream_slice_s: float = 1.0  # how soon a stream notices that the server closes
    stream_here_s: float = 5.0  # a quiet stream says so often that it lives; pages wait three times that
    retry_ms: tuple[int, int] = (1000, 4000)  # reconnecting phones spread over this span
