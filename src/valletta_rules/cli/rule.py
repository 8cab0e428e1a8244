"""`valletta rule`: what a clause of the rulebook says, and why it says so."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from valletta_rules.clauses import ClauseText, UnknownClauseError, chapters, look_up

if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

DONE: Final = 0
"""Exit status: all is well."""

UNKNOWN: Final = 1
"""Exit status: nothing has that name."""

HINT: Final = """\
valletta rule BLD-3         what a clause says, with its rulings, sources, code and tests
valletta rule building      a chapter, by the name in brackets or by its prefix
valletta rule substitution  a ruling, by its name"""
"""What is said under the list of all clauses."""


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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    try:
        found = contents() if arguments.name is None else look_up(arguments.name)
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


def contents() -> str:
    """List the ids and titles of all clauses by chapter."""
    return "\n\n".join([*map(str, chapters()), HINT])
