"""Documents of whole games as a module in TypeScript, for the compiler to hold against the types.

``python -m tests.consumer.documents`` writes it to the standard output: some documents of each
type of prompt, action and event, and of each other kind.
"""

from __future__ import annotations

import sys

from spec.checks.corruption import samples


def main() -> None:
    """Write the module."""
    lines = ["import type { VallettaDocument } from 'valletta';", ""]
    for number, text in enumerate(samples(20)):
        lines.append(f"export const d{number}: VallettaDocument = {text};")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
