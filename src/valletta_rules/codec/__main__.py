"""`python -m valletta_rules.codec`: generate the JSON Schema, or check the one in the package.

``--schema`` writes it to the standard output, and ``--check`` tells whether the package's own file
is what the types say: exit status 1 if it is not.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from valletta_rules.codec.schema import schema_text
from valletta_rules.codec.vocabulary import SCHEMA


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m valletta_rules.codec", description="The JSON Schema of all documents."
    )
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--schema", action="store_true", help="write it to the standard output")
    choice.add_argument("--check", action="store_true", help="compare it with that of the package")
    options = parser.parse_args(arguments)
    path = Path(str(SCHEMA))
    if options.schema:
        sys.stdout.write(schema_text())
    elif not path.exists() or path.read_text(encoding="utf-8") != schema_text():
        sys.stderr.write(f"{path} is not what the types say\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
