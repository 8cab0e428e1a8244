"""Signatures of functions and help texts of commands, for the templates of the reference."""

import argparse
import inspect
import re
from importlib import import_module
from operator import attrgetter
from typing import Any, Final

from markup import documentation
from names import homes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

import valletta_rules
from valletta_rules.cli.main import build_parser
from valletta_rules.numeric.encoding import STEP_TYPES

# Operations

RULES: Final = re.compile(r"^Rules: (.+)$", re.MULTILINE)
"""A pattern that matches the `Rules:` line of a docstring, which lists clauses."""


def exported(name: str) -> Any:
    """Return an exported object or its member, such as ``view`` or ``GameState.prompt``."""
    return attrgetter(name)(valletta_rules)


def raised(obj: object) -> list[str]:
    """Return the names of this package's exceptions that a docstring mentions."""
    return re.findall(r"\b(?!TypeError)\w+Error\b", inspect.getdoc(obj) or "")


def operation(name: str) -> dict[str, Any]:
    """Return the function exported under a name, with its signature, full name and clauses."""
    function = getattr(valletta_rules, name, None)
    if not inspect.isfunction(function):
        raise LookupError(f"`valletta_rules` exports no function {name!r}")
    source = inspect.getsource(function)
    head = source[source.index("def ") + 4 :].partition(':\n    """')[0]
    named = RULES.findall(inspect.getdoc(function) or "")
    return {
        "function": function,
        "call": head,
        "home": homes()[name],
        "clauses": [each for line in named for each in line.split(", ")],
    }


# The command line

STATUS: Final = "Exit status: "
"""The words with which the docstring of each exit status begins."""


def command(name: str = "") -> dict[str, Any]:
    """Return the help text and the exit statuses of a terminal command."""
    parser = build_parser()
    if name:
        choices = (each.choices for each in parser._actions)
        parser = next(each for each in choices if isinstance(each, dict))[name]
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=95)
    module = parser.get_default("run").__module__
    if not any(text.startswith(STATUS) for text in documentation(module).values()):
        module = "valletta_rules.cli.statuses"
    statuses = {
        getattr(import_module(module), constant): text.removeprefix(STATUS)
        for (_, constant), text in documentation(module).items()
        if text.startswith(STATUS)
    }
    return {"help": parser.format_help(), "statuses": statuses}


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register this extension."""
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(__name__, STEPS=STEP_TYPES)
