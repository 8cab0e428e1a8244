"""The command line options that the programs in `docs/studies` have in common."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def parse(
    about: str | None, argv: Sequence[str] | None, path_name: str, **defaults: float | str
) -> argparse.Namespace:
    """Parse the arguments of a program: a path, and options that have defaults.

    `path_name` is the name of the path argument.  The value of an option has the type of its
    default.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(path_name, type=Path, help="folder of the games, or file for the results")
    for name, usual in (defaults | {"jobs": 1}).items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"default: {usual}")
    return parser.parse_args(argv)
