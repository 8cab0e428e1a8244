"""`valletta bots`: list the bots with their options, and the difficulty levels."""

from __future__ import annotations

import argparse
from importlib.metadata import EntryPoint
from typing import Final

from valletta_rules.bots import registry
from valletta_rules.text.layout import filled
from valletta_rules.words.languages import LANGUAGES

DONE: Final = 0
"""Exit status: the list was printed."""

NAME: Final = 12
"""The width of the column for names, in characters."""


ABOUT: Final = (
    "List the bots of this package and of other installed packages, with "
    "their options and defaults. A bot with options is written like "
    "rollouts:turns=4,worlds=20. The name of a level can replace the name of a bot everywhere; "
    "the brackets contain the level's names in the browser, in each language."
)
"""The description of the command in its help text."""

WEAKER: Final = ", in fewer worlds and weaker than usual, without the native backend"
"""The suffix for the description of a level that is weaker without the native backend."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""


def run(arguments: argparse.Namespace) -> int:
    """Print the list and return the exit status."""
    print("Bots\n")
    for name in registry.BUILT_IN:
        if name not in registry.LEVELS:
            _print(name, _about(name))
    print("\nLevels, from the weakest\n")
    for name, spec in registry.LEVELS.items():
        called = ", ".join(each.table("page.levels")[name] for each in LANGUAGES.values())
        _print(name, f"{spec} ({called}){WEAKER * registry.is_reduced(name)}")
    if entries := registry.installed():
        print("\nBots of other packages\n")
        for entry in entries:
            _print(entry.name, _about_other(entry))
    return DONE


def _print(name: str, about: str) -> None:
    indent = " " * (NAME + 2)
    print(filled(about, f"  {name.ljust(NAME - 1)} ", indent))


def _about(name: str) -> str:
    """Return the description of a bot and its options."""
    options = registry.options_of(name)
    summary, *_ = (registry.factory_of(name).__doc__ or "").splitlines() or [""]
    listed = ", ".join(f"{key}={registry.write(options[key])}" for key in options)
    return f"{summary} Options: {listed}." if listed else summary


def _about_other(entry: EntryPoint) -> str:
    """Return the description of another package's bot, or the reason why it is not available."""
    if entry.name in registry.BUILT_IN:
        return f"{entry.value}: not available, because a bot of this package has the same name."
    try:
        return f"{_about(entry.name)} ({entry.value})".strip()
    except registry.BotSpecError as broken:
        return f"{entry.value}: {broken}."
