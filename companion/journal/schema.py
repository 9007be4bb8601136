"""The journal's schema, as numbered steps. A released step is never changed; a new one is added at the end."""

import sqlite3

SCHEMA_STEPS = (
    "CREATE TABLE events (no INTEGER PRIMARY KEY, game INTEGER NOT NULL, text TEXT NOT NULL, chain TEXT NOT NULL)"
    " STRICT",
    "CREATE INDEX events_of_game ON events (game, no)",
)


class NewerSchema(sqlite3.OperationalError):
    """The file was written by a newer version of the companion: left as it is."""


class OtherProgram(sqlite3.OperationalError):
    """The file is another program's: left as it is."""


def check_version(db: sqlite3.Connection, steps: tuple[str, ...]) -> int:
    """How many of the steps this file has seen; NewerSchema when it has seen more, OtherProgram for others' tables."""
    done = int(db.execute("PRAGMA user_version").fetchone()[0])
    if done > len(steps):
        raise NewerSchema(f"written by a newer version (schema {done}, known {len(steps)})")
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")} if not done else set()
    if tables and "events" not in tables:  # where ours is there, only the number is damaged
        raise OtherProgram(f"it is of another program, with a table {min(tables)!r}: name another file")
    return done


def bring_up_to_date(db: sqlite3.Connection, steps: tuple[str, ...]) -> None:
    """Carry out the steps that this file has not seen yet, each in its own transaction with its number."""
    while check_version(db, steps) < len(steps):
        db.execute("BEGIN IMMEDIATE")
        try:
            done = check_version(db, steps)  # another process may have been here first
            for number, step in enumerate(steps[done : done + 1], start=done + 1):
                db.execute(step)
                db.execute(f"PRAGMA user_version = {number}")
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise
