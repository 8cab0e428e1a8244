"""The command line out of its parser: usage, options, exit statuses.

``.. command-line::`` describes the command ``valletta``; with an argument, another one.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Final

from docutils import nodes
from markup import Written, capitalised, documentation, table
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.cli.main import build_parser

PLAYING: Final = "valletta_rules.cli.statuses"
STATUS: Final = "Exit status: "
"""How the docstring of an exit status begins."""

OPTION: Final = re.compile(r"(?<!\S)--[a-z-]+")
"""An option in running text."""


def subparsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of the other commands, by name."""
    (commands,) = (
        action
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


class CommandLine(Written):
    """A command: what it does, how it is called, its options and its exit statuses."""

    required_arguments, optional_arguments = 0, 1

    def run(self) -> list[nodes.Node]:
        """Describe the command."""
        parser, others = build_parser(), subparsers()
        if self.arguments:
            (name,) = self.arguments
            if name not in others:
                raise self.error(f"no command {name!r}; there are {', '.join(others)}")
            parser = others[name]
        module = parser.get_default("run").__module__
        self.env.note_dependency(ModuleAnalyzer.for_module(module).srcname)
        return self.written(described(parser, module))


def described(parser: argparse.ArgumentParser, module: str) -> Iterator[str]:
    """Write everything about a command."""
    yield from (worded(parser.description or ""), "", ".. code-block:: text", "")
    yield from (f"   {line}".rstrip() for line in usage(parser).splitlines())
    yield from ("", f".. program:: {parser.prog}", "")
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            yield from option(action)
    headings = ("Status", "Meaning")
    yield from table(headings, statuses(module), ":align: left", title="Exit statuses")
    yield from (".. program:: valletta", "")


def usage(parser: argparse.ArgumentParser) -> str:
    """Return how a command is called, the same however wide the terminal is."""
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=80)
    return parser.format_usage().removeprefix("usage: ")


def option(action: argparse.Action) -> Iterator[str]:
    """Write an option or an argument: its names, its meaning, its choices and its default."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    names = [f"{name} {value}".rstrip() for name in action.option_strings] or [str(value)]
    yield from (f".. option:: {', '.join(names)}", "")
    told = worded(action.help or "")
    if action.default:
        told = re.sub(r" \(default: [^)]*\)", "", told)
    yield from (f"   {capitalised(told)}.", "")
    if action.choices:
        yield from (f"   One of {', '.join(f'``{choice}``' for choice in action.choices)}.", "")
    if action.nargs != 0 and action.default and action.default is not argparse.SUPPRESS:
        yield from (f"   Default: ``{action.default}``.", "")


def statuses(module: str) -> Iterator[tuple[int, str]]:
    """Yield the exit statuses of a command's module, or of those that play, with their meanings."""
    if not any(text.startswith(STATUS) for text in documentation(module).values()):
        module = PLAYING
    values = vars(__import__(module, fromlist=["*"]))
    for (_, name), text in documentation(module).items():
        if text.startswith(STATUS):
            yield values[name], capitalised(text.removeprefix(STATUS))


def worded(text: str) -> str:
    """Set the options in a text as code."""
    return OPTION.sub(lambda found: f"``{found[0]}``", text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("command-line", CommandLine)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
