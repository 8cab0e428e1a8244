"""`valletta rule`: what a clause of the rulebook says, and why it says so."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from valletta_rules.clauses import (
    ClauseText,
    UnknownClauseError,
    chapters,
    look_up,
)
from valletta_rules.cli.options import add_language, spoken
from valletta_rules.phrases import Phrase

if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

DONE: Final = 0
"""Exit status: all is well."""

UNKNOWN: Final = 1
"""Exit status: nothing has that name."""

HINTS: Final = (
    ("BLD-3       ", Phrase.A_CLAUSE),
    ("building    ", Phrase.A_CHAPTER),
    ("substitution", Phrase.A_RULING),
)
"""What is said under the list of all clauses: a name, and what is then shown."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the command `rule` to a command line."""
    parser = subparsers.add_parser(
        "rule",
        help="show a clause, a chapter or a ruling of the rulebook",
        description="Show what a clause of the rulebook says, the rulings it depends on, where it "
        "comes from, and what carries it out, shows it and states it formally; list a chapter; "
        "or, without a name, list all clauses.",
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a clause (BLD-3), a chapter (building, BLD) or a ruling (substitution)",
    )
    parser.add_argument(
        "--formal",
        action="store_true",
        help="write out the definitions of the formal model that state the clause",
    )
    parser.add_argument(
        "--cite", action="store_true", help="print only how to cite the clause in its version"
    )
    add_language(parser, default=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    try:
        name, language = arguments.name, spoken(arguments)
        found = contents(language) if name is None else look_up(name, language)
    except UnknownClauseError as error:
        hint = "" if error.suggestions else "; without a name all clauses are listed"
        print(f"valletta rule: {error}{hint}", file=sys.stderr)
        return UNKNOWN
    if isinstance(found, ClauseText) and arguments.cite:
        print(found.citation)
        return DONE
    print(found)
    if isinstance(found, ClauseText):
        print(f"\n{found.evidence(formal=arguments.formal)}")
    return DONE


def contents(language: str) -> str:
    """List the ids and titles of all clauses by chapter, and say what else can be shown."""
    hints = [f"valletta rule {name}  {shown.of(language)}" for name, shown in HINTS]
    return "\n\n".join([*map(str, chapters(language)), "\n".join(hints)])
