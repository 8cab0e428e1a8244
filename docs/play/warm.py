"""Load everything a new visitor needs, before `snapshot.mjs` saves Python's memory.

The program opens a table in each language and closes it.  The snapshot thus contains every module
and file that a page needs before the first move, but no open table.  A new visitor starts with the
database `EMPTY`, in which the schema has been created.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, "/library")

EMPTY = b""
SEATS = [{"name": "", "colour": colour, "level": None} for colour in ("red", "blue")]
TABLE = {
    **{"edition": "hans-im-glueck", "variants": [], "cards": None, "seats": SEATS},
    **{"is_shuffled": False, "is_coached": False},
}


async def discard() -> None:
    """Do nothing, in place of the function that saves the database in the browser."""


async def open_and_close(tables: Any, language: str) -> None:
    """Open a table in a language, wait for the first prompt, and close the table."""
    await tables.answer("lobby", language, None, "")
    _, text = await tables.answer("tables", language, json.dumps(TABLE), "")
    opened, replies = json.loads(text), asyncio.Queue[str | None]()
    tokens = [each["token"] for each in opened["invitations"]]
    hello = {"type": "hello", "protocol": 1, "table": opened["table"], "tokens": tokens}
    request = json.dumps({**hello, "seen": None, "language": language, "viewer": None})
    tables.open(language, request, replies.put_nowait)
    while "choices" not in (text or ""):
        text = await replies.get()
    tables.receive(language, None)
    while text is not None:
        text = await replies.get()


async def warm() -> None:
    """Set `EMPTY`, and open and close a table in every language, so that all modules are loaded."""
    global EMPTY
    from valletta_rules.card_sets.files import RECONSTRUCTION
    from valletta_rules.svg.cards import building_face
    from valletta_rules.web.embedded import Embedded
    from valletta_rules.words import LANGUAGES

    file = Path("/warm.sqlite")
    tables = Embedded(file, discard)
    EMPTY = file.read_bytes()
    for language in LANGUAGES:
        await open_and_close(tables, language)
        for building in RECONSTRUCTION.buildings:
            building_face(building, language=LANGUAGES[language])
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0)
    file.unlink()
