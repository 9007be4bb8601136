"""Requests as bytes, good ones and what chance makes of them."""

import json
import random
from typing import Any

from phones import request


def post(path: str, body: bytes, cookie: str = "") -> bytes:
    """A change as the page sends it, its length told rightly."""
    sent = f"Cookie: {cookie}\r\n" if cookie else ""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nX-Companion: 1\r\nContent-Type: application/json\r\n{sent}"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


SEEDS = [
    request("/game"),
    request("/api/rule?number=Khet%203b.2"),
    request("/api/preview?game=khet&layout=dynasty-2.0"),
    request("/api/games/7/export.json"),
    request("/static/style.css"),
    request("/games/7", cookie="companion=abc.def"),
    post("/api/commands/undo", b'{"arguments": {"ply": 1}}    '),
    post("/api/login", b'{"pin": "2581"}'),
]
INSERTED = (b"\r\n", b"\x00", b": ", b"{", b'"', b"%", b"\xff", b"9" * 30, b"A" * 2000)


def mutated(source: random.Random, seed: bytes) -> bytes:
    """The bytes with up to six changes: one overwritten, some cut out, some put in, some doubled."""
    data = bytearray(seed)
    for _ in range(source.randint(1, 6)):
        at = source.randrange(len(data))
        kind = source.randrange(4)
        if kind == 0:
            data[at] = source.randrange(256)
        elif kind == 1:
            del data[at : at + source.randint(1, 20)]
        elif kind == 2:
            data[at:at] = source.choice(INSERTED)
        else:
            data[at:at] = data[at : at + source.randint(1, 40)]
        if not data:
            data = bytearray(b"\n")
    return bytes(data)


ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 1e308, "", "x" * 300, "\x00", "‮", "<b>", [], {}, [[]], {"a": {"b": []}}, 2**53, "a1",
)  # fmt: skip


def changed(source: random.Random, value: Any) -> Any:
    """JSON with a value replaced, left out, added or misnamed somewhere."""
    if isinstance(value, dict) and value and source.random() < 0.85:
        key, kind = source.choice(list(value)), source.randrange(8)
        if kind == 0:
            return {k: v for k, v in value.items() if k != key}
        if kind == 1:
            return {**value, source.choice(("x", "piece", "seat", key + "s")): source.choice(ODD_VALUES)}
        return {**value, key: changed(source, value[key])}
    if isinstance(value, list) and value and source.random() < 0.8:
        at = source.randrange(len(value))
        return [*value[:at], changed(source, value[at]), *value[at + 1 :]]
    return source.choice(ODD_VALUES)


def odd_body(source: random.Random, arguments: dict[str, Any]) -> bytes:
    """A command's body: as it should be, with odd values, or with odd bytes."""
    body: dict[str, Any] = {"arguments": arguments}
    if source.random() < 0.2:
        body["expects"] = source.randrange(50)
    for _ in range(source.randrange(3)):
        body = changed(source, body)
    text = json.dumps(body).encode()
    return mutated(source, text) if source.random() < 0.2 else text
