"""`python -m valletta_rules.codec`: what describes the documents, generated anew, or checked.

``--schema`` writes the JSON Schema to the standard output, ``--typescript`` the types for
TypeScript, and ``--check`` tells whether the package's own files are what the types say: exit
status 1 if one of them is not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from valletta_rules.codec.schema import schema_text
from valletta_rules.codec.typescript import typescript_text
from valletta_rules.codec.vocabulary import SCHEMA, TYPESCRIPT

GENERATED: Final[Mapping[Path, Callable[[], str]]] = MappingProxyType(
    {
        Path(str(SCHEMA)): schema_text,
        Path(str(TYPESCRIPT)): typescript_text,
    }
)
"""The files of the package that are generated, and what makes the text of each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m valletta_rules.codec", description="What describes all documents."
    )
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--schema", action="store_true", help="write the JSON Schema")
    choice.add_argument("--typescript", action="store_true", help="write the types in TypeScript")
    choice.add_argument("--check", action="store_true", help="compare both with the package's")
    options = parser.parse_args(arguments)
    if not options.check:
        sys.stdout.write(schema_text() if options.schema else typescript_text())
        return 0
    wrong = [
        path
        for path, text in GENERATED.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text()
    ]
    sys.stderr.writelines(f"{path} is not what the types say\n" for path in wrong)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
