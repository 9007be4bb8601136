"""What `companion print` prints. A sheet is added by one module that lists it in its `SHEETS`, and one line here."""

import importlib
from functools import cache

from companion.errors import UnreadableText
from companion.prints.base import Sheet

MODULES = (
    "companion.prints.measuring",
    "companion.prints.kaxxt",
    "companion.prints.kdak",
    "companion.prints.disc_boards",
)


@cache
def sheets() -> dict[str, Sheet]:
    """Every sheet by its name, in the order in which they are listed."""
    return {sheet.name: sheet for module in MODULES for sheet in importlib.import_module(module).SHEETS}


def sheet(name: str) -> Sheet:
    """The sheet of that name; UnreadableText lists the names there are."""
    if name not in sheets():
        raise UnreadableText(f"no sheet is called {name!r}; there are {', '.join(sheets())}")
    return sheets()[name]
