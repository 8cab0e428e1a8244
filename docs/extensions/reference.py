"""What the reference shows of the package itself, for templates.

The heads of operations, the commands of the terminal, the JSON Schema, the columns of arrays, and
the rooms with what they stand on.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import attrs
import grimp
from contract import summary
from markup import ROOT, documentation
from names import homes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

import valletta_rules
from valletta_rules.cli.main import build_parser
from valletta_rules.codec import SCHEMA
from valletta_rules.codec.schema import Schema
from valletta_rules.components.display import SITES
from valletta_rules.numeric.encoding import BLOCKS, STEPS, columns

# Operations

RULES: Final = re.compile(r"^Rules: (.+)$", re.MULTILINE)
"""Where a docstring names its clauses."""


def operation(name: str) -> dict[str, Any]:
    """Return how a function of the package is called, where it is defined, and its clauses."""
    function = getattr(valletta_rules, name, None)
    if name not in valletta_rules.__all__ or not inspect.isfunction(function):
        raise LookupError(f"valletta_rules exports no function {name!r}")
    source = inspect.getsource(function)
    head = source[source.index("def ") + 4 :].partition(':\n    """')[0]
    named = RULES.findall(inspect.getdoc(function) or "")
    return {
        "function": function,
        "call": head,
        "home": homes()[name],
        "clauses": [each for found in named for each in found.split(", ")],
    }


# The command line

STATUS: Final = "Exit status: "
"""How the docstring of an exit status begins."""

OPTION: Final = re.compile(r"(?<!\S)--[a-z-]+")
"""An option in running text."""


def command(name: str = "") -> dict[str, Any]:
    """Return what a command does, how it is called, its options and its exit statuses."""
    parser = build_parser()
    if name:
        choices = (each.choices for each in parser._actions if is_choice_of_commands(each))
        parser = next(choices)[name]  # type: ignore[index]
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=80)
    module = parser.get_default("run").__module__
    if not any(text.startswith(STATUS) for text in documentation(module).values()):
        module = "valletta_rules.cli.statuses"
    return {
        "program": parser.prog,
        "says": parser.description or "",
        "usage": parser.format_usage().removeprefix("usage: "),
        "options": [each for each in parser._actions if not is_choice_of_commands(each)],
        "statuses": {
            getattr(import_module(module), constant): text.removeprefix(STATUS)
            for (_, constant), text in documentation(module).items()
            if text.startswith(STATUS)
        },
    }


def is_choice_of_commands(action: argparse.Action) -> bool:
    """Tell whether an argument is the name of another command."""
    return isinstance(action, argparse._SubParsersAction)


def names_of(option: argparse.Action) -> str:
    """Write the names of an option with its value, or that of an argument."""
    value = option.metavar or (option.dest.upper() if option.nargs != 0 else "")
    return ", ".join(f"{name} {value}".rstrip() for name in option.option_strings) or str(value)


# The JSON Schema

LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON knows; it is no limit worth telling."""


def json_schema() -> Schema:
    """Return the schema of the documents."""
    schema: Schema = json.loads(SCHEMA.read_text("utf-8"))
    return schema


def kind_of_definition(definition: Schema) -> str:
    """Return what a definition describes: a union, words, a plain value, or an object."""
    for key in ("oneOf", "enum"):
        if key in definition:
            return key
    return "plain" if definition["type"] in ("integer", "string") else "object"


def typed(schema: Schema) -> str:
    """Say in a few words what a value may be."""
    match schema:
        case {"$ref": reference} | {"allOf": [{"$ref": reference}]}:
            return f":schema:`{reference.rpartition('/')[2]}`"
        case {"enum": words}:
            return " or ".join(f"``{word}``" for word in words)
        case {"const": value}:
            return f"``{json.dumps(value)}``"
        case {"oneOf": parts}:
            return " or ".join(map(typed, parts))
        case {"type": "array", "items": items}:
            each = ", each once" if schema.get("uniqueItems") else ""
            return f"array of {typed(items)}{each}"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"integer, {least} or more" if most == LARGEST else f"integer, {least} to {most}"
        case {"type": "string", "pattern": pattern}:
            return f"string like ``{pattern}``"
        case {"type": plain}:
            return str(plain)
    raise ValueError(f"a schema of an unknown shape: {schema}")


# Arrays

FIELDS: Final = {
    **dict.fromkeys(("seat", "player"), "place"),
    **dict.fromkeys(("taker", "plays", "site", "character"), "value"),
    **dict.fromkeys(("goods", "reduction", "price"), "goods"),
}
"""The fields in which an array tells what the fields of steps hold."""


def array_blocks() -> Iterator[dict[str, Any]]:
    """Yield the blocks of an array for four players, each with its fields and their columns."""
    first = 0
    for block in BLOCKS:
        begin, fields = first, []
        for field in block.fields:
            names = [f"{block.name}.0.{name}" if block.name else name for name in field.columns]
            last = begin + len(names) - 1
            fields.append({"first": begin, "last": last, "names": names, "says": field.meaning})
            begin = last + 1
        yield {
            "name": block.name,
            "times": by_players(block.times),
            "columns": len(block.columns),
            "fields": fields,
        }
        first += len(block.columns) * block.times[max(SITES)]


def array_lengths() -> str:
    """Say how many columns an array has."""
    return by_players({players: len(columns(players)) for players in SITES})


def by_players(counts: Mapping[int, int]) -> str:
    """Say how many there are for 2, 3 and 4 players."""
    if len({*counts.values()}) == 1:
        return str(counts[max(counts)])
    return ", ".join(f"{count} ({players} players)" for players, count in counts.items())


def array_steps() -> Iterator[tuple[type, list[tuple[str, str]]]]:
    """Yield the kinds of steps, each with where an array tells what its fields hold."""
    for step in STEPS:
        yield step, [(FIELDS[field.name], field.name) for field in attrs.fields(step)]


# Rooms


def layers() -> list[dict[str, Any]]:
    """Return the layers of the package from the top down, with the rooms of each.

    They are those of the contract of `pyproject.toml`, above them the package itself.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layering, core, *_ = project["tool"]["importlinter"]["contracts"]
    found = [[""], *(layer.split(" : ") for layer in layering["layers"])]
    edges = [rooms for rooms in found if f"valletta_rules.{rooms[0]}" not in core["source_modules"]]
    graph = grimp.build_graph("valletta_rules", cache_dir=None)
    inside = {each: graph.find_descendants(each) for each in graph.find_children("valletta_rules")}
    for each in inside:
        graph.squash_module(each)
    order = [name for rooms in reversed(found) for name in rooms]
    return [
        {
            "is_edge": rooms in edges,
            "is_lowest_edge": rooms == edges[-1],
            "rooms": [room(name, inside, order, graph) for name in rooms],
        }
        for rooms in found
    ]


def room(
    name: str, inside: Mapping[str, set[str]], order: Sequence[str], graph: grimp.ImportGraph
) -> dict[str, Any]:
    """Return what a room is, what is in it, and what it stands on, in the order of all rooms.

    It does not stand directly on what one of those rooms stands on.
    """
    module = f"valletta_rules.{name}".rstrip(".")
    modules = sorted(inside.get(module, ()))
    direct = graph.find_modules_directly_imported_by(module) - {module}
    below = set[str]().union(*map(graph.find_upstream_modules, direct))
    return {
        "name": name,
        "is_folder": bool(modules),
        "says": summary(import_module(module)),
        "modules": [each.partition(".")[2] for each in modules if "._" not in each],
        "stands_on": [each for each in order if f"valletta_rules.{each}" in direct - below],
    }


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let the templates ask, and add a kind of object for definitions of the schema."""
    app.add_object_type("schema", "schema", indextemplate="pair: %s; JSON schema")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(__name__, options=lambda text: OPTION.sub(r"``\g<0>``", text))
