"""`valletta rule`: show a clause of the rulebook with its sources and reasons."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from typing import Final

from valletta_rules.cli.options import add_language, spoken
from valletta_rules.cli.statuses import ComplaintError
from valletta_rules.specification.clauses import (
    ClauseText,
    RulingText,
    UnknownClauseError,
    chapters,
    look_up,
)
from valletta_rules.specification.finder import IndexEntry, find, similar_words
from valletta_rules.specification.phrases import Phrase

DONE: Final = 0
"""Exit status: a clause, chapter, ruling or list was printed."""

UNKNOWN: Final = 1
"""Exit status: no clause, chapter or ruling matches the given name or words."""

LISTED: Final = 10
"""The maximum number of matching clauses and rulings that are listed."""

IS_ID: Final = re.compile(r"[A-Za-z]{3}[ -]?[0-9]+")
"""A pattern for ids of clauses.  Any other text is a name, or consists of words to search for."""

IN_JSON: Final = ("id", "language", "title", "text", "revision")
"""The fields of a clause that `--json` prints, in addition to the address of its page."""

HINTS: Final = (
    ("BLD-3       ", Phrase.A_CLAUSE),
    ("building    ", Phrase.A_CHAPTER),
    ("substitution", Phrase.A_RULING),
    ("draw pile   ", Phrase.WORDS),
)
"""The hints below the list of all clauses: examples of arguments and their meanings."""


ABOUT: Final = (
    "Show a clause of the rulebook: its text, the rulings it depends on, its sources, its code, "
    "its tests and its formal statement. The command also shows a chapter or a ruling, and "
    "searches the rules for words. Without arguments, it lists all clauses."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="a clause (BLD-3), a chapter (building, BLD), a ruling (substitution), or words to "
        "search for, in English or German (draw pile)",
    )
    parser.add_argument(
        "--formal",
        action="store_true",
        help="print the definitions of the formal model that state the clause",
    )
    parser.add_argument(
        "--cite", action="store_true", help="print only a citation of the clause with its revision"
    )
    parser.add_argument(
        "--base",
        metavar="ADDRESS",
        help="the address of the documentation, for a complete link to the page of the clause",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the clause as a JSON object: id, language, title, text, revision, address",
    )
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    words, language = " ".join(arguments.words), spoken(arguments)
    try:
        result = look_up(words, language) if words else contents(language)
    except UnknownClauseError as error:
        if not (entries := () if IS_ID.fullmatch(words) else find(words, language)):
            hint = "" if error.suggestions else hint_for(words, language)
            raise ComplaintError(f"{error}{hint}", UNKNOWN) from None
        result = listed(entries, language)
    if isinstance(result, ClauseText) and arguments.cite:
        print(result.citation)
        return DONE
    base = f"{arguments.base.rstrip('/')}/" if arguments.base else ""
    if arguments.json:
        print(in_json(result, base))
        return DONE
    print(result)
    if isinstance(result, ClauseText):
        print(f"\n{result.evidence(formal=arguments.formal)}")
        print(f"\n{Phrase.PAGE.of(language)}: {base}{result.address}")
    if isinstance(result, RulingText):  # its name is often a word that matches clauses, too
        print(namesakes(words, language), end="")
    return DONE


def in_json(result: object, base: str) -> str:
    """Return a clause as a JSON object, which contains the address of its page, relative to `base`.

    Raises `ComplaintError` if `result` is not a clause.
    """
    if not isinstance(result, ClauseText):
        raise ComplaintError("--json needs the id of a clause, such as BLD-3", UNKNOWN)
    values = {name: getattr(result, name) for name in IN_JSON} | {"address": base + result.address}
    return json.dumps(values, ensure_ascii=False)


def hint_for(words: str, language: str) -> str:
    """Return a hint for the error message if no rule matches: similar words, or advice."""
    if alike := " or ".join(similar_words(words, language)):
        return f"; did you mean {alike}?"
    return "; valletta rule without a name lists all clauses"


def listed(entries: Sequence[IndexEntry], language: str) -> str:
    """Return a text that lists the best matches, and states how many more there are."""
    more = len(entries) - LISTED
    remark = [Phrase.MORE.of(language, str(more))] if more > 0 else []
    return "\n\n".join([*map(str, entries[:LISTED]), *remark])


def namesakes(words: str, language: str) -> str:
    """Return a list of the clauses that match the name of a ruling; empty if no clause matches."""
    clauses = [each for each in find(words, language) if each.kind == "clause"][:LISTED]
    rows = [f"  {each.id:7} {each.title}" for each in clauses]
    return "\n".join(["", f"{Phrase.ALSO.of(language)}:", *rows, ""]) if rows else ""


def contents(language: str) -> str:
    """Return a list of all clauses, chapter by chapter, and hints on the arguments."""
    hints = [f"valletta rule {name}  {phrase.of(language)}" for name, phrase in HINTS]
    return "\n\n".join([*map(str, chapters(language)), "\n".join(hints)])
