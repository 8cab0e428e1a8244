"""Regenerate generated files: `python -m spec.checks accept WHAT...`.

Many files of the repository are generated: accepted texts, golden games, tables.  A check fails if
such a file differs from the output of the current sources.  If the difference is intended, this
command regenerates the files that WHAT names.  The exit code is 0 if they were generated without an
error.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from spec import traceability
from spec.checks import runner
from spec.checks.established import MODEL, ROOT, stamp
from spec.checks.node import NODE, SPEC, why_unavailable

EXPLORER: Final = ("spec/tools/explore.js", "spec/tools/qspec.js")
"""The sources of the program that explores the state space of the formal model."""


def clauses(options: argparse.Namespace) -> int:
    """Accept the new texts of clauses whose revision number has been raised."""
    return traceability.accept(ROOT)


def generated(options: argparse.Namespace) -> int:
    """Regenerate JSON Schemas, TypeScript, the README's picture and the native backend's tables."""
    codec = import_module("valletta_rules.codec")
    for name, path in (("schema", codec.SCHEMA), ("typescript", codec.TYPESCRIPT)):
        text = vars(import_module(f"valletta_rules.codec.{name}"))[f"{name}_text"]()
        Path(str(path)).write_text(text, encoding="utf-8")
    documents, trace = map(
        import_module, ("valletta_rules.analysis.documents", "valletta_rules.cli.trace")
    )
    Path(str(documents.ANALYSIS_SCHEMA)).write_text(documents.schema_text(), encoding="utf-8")
    Path(str(trace.TRACE_SCHEMA)).write_text(trace.schema_text(), encoding="utf-8")
    messages, picture = map(import_module, ("spec.checks.messages", "spec.checks.picture"))
    messages.TYPES.write_text(messages.text(), encoding="utf-8")
    picture.PICTURE.write_text(picture.text(), encoding="utf-8")
    import_module("spec.native_sources").accept()
    import_module("spec.checks.kit.files").write_schemas()
    return 0


def goldens(options: argparse.Namespace) -> int:
    """Regenerate the golden games."""
    return int(import_module("spec.checks.goldens").accept())


def model(options: argparse.Namespace) -> int:
    """Explore the state space of every instance of the formal model, and write the results."""
    sources = {"model": stamp(MODEL), "tools": stamp(EXPLORER)}
    with tempfile.TemporaryDirectory() as folder:
        graphs = Path(folder) / "graphs.json"
        explore = (NODE or "node", "tools/explore.js", "all", "--summary", str(graphs))
        if code := subprocess.run(explore, cwd=SPEC, check=False).returncode:
            return code
        summary = {"sources": sources, **json.loads(graphs.read_text(encoding="utf-8"))}
        (SPEC / "explored.json").write_text(f"{json.dumps(summary, indent=1)}\n", encoding="utf-8")
    return 0


def kit(options: argparse.Namespace) -> int:
    """Regenerate the conformance suite.

    Fails if the formal model does not confirm the answers in the suite.
    """
    if (reason := why_unavailable()) is not None:
        sys.stderr.write(f"{reason}\nnothing accepted\n")
        return 1
    return int(import_module("spec.checks.kit.files").accept())


ACCEPTED: Final[Mapping[str, tuple[str, Callable[[argparse.Namespace], int]]]] = {
    "clauses": ("texts of clauses, their revisions raised (at once)", clauses),
    "generated": (
        "JSON Schema, TypeScript, the README's picture, tables of the native backend (at once)",
        generated,
    ),
    "goldens": ("golden games (some seconds)", goldens),
    "model": ("the explored states of the model (two minutes, Node)", model),
    "kit": ("the conformance suite (five minutes, Node)", kit),
}
"""The kinds of generated files, in the order in which they are regenerated.  Each has a description
and the function that regenerates it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or the exit code of the check or regeneration that fails."""
    listed = [f"  {name:9} {of}" for name, (of, _) in ACCEPTED.items()]
    parser_options: dict[str, Any] = {
        "epilog": "\n".join(["kinds of generated files:", *listed]),
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks", description=__doc__, **parser_options
    )
    commands = parser.add_subparsers(required=True, metavar="accept | run | requirements")
    accept = commands.add_parser(
        "accept", description="Regenerate, check and write.", **parser_options
    )
    accept.add_argument("what", nargs="+", choices=ACCEPTED, metavar="WHAT", help="see below")
    runner.add_to(commands)
    options = parser.parse_args(arguments)
    if "command" in options:
        return int(options.command(options))
    for name in [name for name in ACCEPTED if name in options.what]:
        if code := ACCEPTED[name][1](options):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
