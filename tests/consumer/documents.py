"""A program that writes TypeScript modules, with which a test checks the published types.

``python -m tests.consumer.documents FOLDER`` writes three modules, which must compile.  They
contain sample documents, conformance vectors, and functions that handle all members of a union
type.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from spec.checks.corruption import samples
from valletta_rules import Action, RedactedEvent
from valletta_rules.agenda import Step
from valletta_rules.codec import KINDS
from valletta_rules.specification.conformance.kit import Kit

UNIONS = {
    "Action": ("type", [kind.__name__ for kind in get_args(Action)]),
    "Step": ("type", [kind.__name__ for kind in get_args(Step)]),
    "RedactedEvent": ("type", [kind.__name__ for kind in get_args(RedactedEvent)]),
    "VallettaDocument": ("kind", list(KINDS)),
}
"""For each union type, the key that distinguishes its members, and the names of all members."""


def documents() -> Iterator[str]:
    """Yield the lines of a TypeScript module that declares sample documents."""
    yield "import type { VallettaDocument } from 'valletta';"
    for number, text in enumerate(samples(20)):
        yield f"export const d{number}: VallettaDocument = {text};"


def vectors() -> Iterator[str]:
    """Yield the lines of a TypeScript module that declares conformance vectors."""
    yield "import type { Vector } from 'conformance';"
    smoke = Kit.load().folder.joinpath("smoke.jsonl").read_text("utf-8")
    for number, line in enumerate(smoke.splitlines()):
        yield f"export const v{number}: Vector = {line};"


def cases() -> Iterator[str]:
    """Yield the lines of a TypeScript module that must handle all members of each union."""
    yield f"import type {{ {', '.join(UNIONS)} }} from 'valletta';"
    yield "function never(value: never): never { throw value; }"
    for union, (entry, members) in UNIONS.items():
        yield f"export function tell{union}(value: {union}): string {{ switch (value.{entry}) {{"
        yield from (f"    case '{member}':" for member in members)
        yield f"    return value.{entry}; default: return never(value); }} }}"


def main(folder: Path) -> None:
    """Write the three TypeScript modules to a folder."""
    for module in (documents, vectors, cases):
        text = "\n".join([*module(), ""])
        (folder / f"{module.__name__}.ts").write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
