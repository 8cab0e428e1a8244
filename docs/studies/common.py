"""What the commands of the studies share: their options."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def parse(
    about: str | None, argv: Sequence[str] | None, kept: str, **defaults: float | str
) -> argparse.Namespace:
    """Return the arguments of a command: where its games are kept, and options with defaults."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(kept, type=Path, help="where the games are kept")
    for name, usual in (defaults | {"jobs": 1}).items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"default: {usual}")
    return parser.parse_args(argv)
