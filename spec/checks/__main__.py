"""Accept what the checks establish: `python -m spec.checks accept WHAT...`.

Much in the repository was not written by hand: texts that were accepted, golden games, figures that
a long run established.  A check fails, or the documentation speaks of an earlier version,
where such a file is no longer what its sources make of it.  If the change is meant, it is accepted
here: what WHAT names is made anew, checked, and written down with the day and with fingerprints of
everything that it depends on.  Nothing is written if the check finds a fault.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import attrs

from spec import traceability
from spec.checks.established import MODEL, ROOT, is_present, stamp, write
from spec.checks.node import NODE, SPEC, why_unavailable

EXPLORER: Final = ("spec/tools/explore.js", "spec/tools/qspec.js")
"""What explores the model."""


@attrs.frozen
class Figures:
    """Figures of a check that takes long, in the file of their name: a command writes them."""

    of: str
    """What it is."""
    takes: str
    """How long making them takes, and what it needs."""
    command: str
    """The command, from the root; ``{seconds}`` is how long it is to run."""
    seconds: int = 0
    """How long that is unless something else is asked for."""


FIGURES: Final[Mapping[str, Figures]] = {
    name: Figures(**row)
    for name, row in tomllib.loads(
        Path(__file__).with_name("figures.toml").read_text(encoding="utf-8")
    ).items()
}
"""What `figures` can be told to make."""


def stale(path: Path) -> list[str]:
    """Name the sources that have changed since some figures were written."""
    if not path.is_file():
        return ["all, for there are none yet"]
    written = json.loads(path.read_text(encoding="utf-8"))
    return sorted(key for key, each in written["sources"].items() if not is_present(each))


def clauses(options: argparse.Namespace) -> int:
    """Accept the texts of the clauses whose revision has been raised."""
    return traceability.accept(ROOT)


def generated(options: argparse.Namespace) -> int:
    """Write JSON Schema, TypeScript, the README's picture and the native backend's tables."""
    for path, text in import_module("valletta_rules.codec.__main__").GENERATED.items():
        path.write_text(text(), encoding="utf-8")
    documents = import_module("valletta_rules.analysis.documents")
    Path(str(documents.ANALYSIS_SCHEMA)).write_text(documents.schema_text(), encoding="utf-8")
    messages, picture = map(import_module, ("spec.checks.messages", "spec.checks.picture"))
    messages.TYPES.write_text(messages.text(), encoding="utf-8")
    picture.PICTURE.write_text(picture.text(), encoding="utf-8")
    import_module("spec.native_sources").accept()
    import_module("spec.checks.kit.files").write_schemas()
    return 0


def goldens(options: argparse.Namespace) -> int:
    """Write the golden games anew."""
    return int(import_module("spec.checks.goldens").accept())


def model(options: argparse.Namespace) -> int:
    """Explore every instance, and write down all that was found."""
    explored = {"model": stamp(MODEL), "tools": stamp(EXPLORER)}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        graphs, fixtures = work / "graphs.json", work / "fixtures"
        explore = (NODE or "node", "tools/explore.js", "all", "--summary", str(graphs))
        command = (*explore, "--fixtures", str(fixtures))
        if code := subprocess.run(command, cwd=SPEC, check=False).returncode:
            return code
        for path in (SPEC / "fixtures").glob("*.json.gz"):
            path.unlink()
        shutil.copytree(fixtures, SPEC / "fixtures", dirs_exist_ok=True)
        write(SPEC / "explored.json", explored, json.loads(graphs.read_text(encoding="utf-8")))
    return 0


def kit(options: argparse.Namespace) -> int:
    """Make the conformance suite anew, and have the formal model agree with every vector."""
    if (reason := why_unavailable()) is not None:
        sys.stderr.write(f"{reason}\nnothing accepted\n")
        return 1
    return int(import_module("spec.checks.kit.files").accept())


def figures(options: argparse.Namespace) -> int:
    """Make the figures that are named, or else those that are outdated, by their programs."""
    wanted = options.of or [name for name in FIGURES if stale(SPEC / f"{name}.json")]
    for name in wanted:
        each = FIGURES[name]
        command = each.command.format(seconds=options.seconds or each.seconds).split()
        if options.clause and name == "mistakes":
            command += ["--clause", *options.clause]
        command[0] = command[0].replace("python", sys.executable)
        if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
            sys.stderr.write(f"{name}: nothing accepted\n")
            return code
    return 0


ACCEPTED: Final[Mapping[str, tuple[str, Callable[[argparse.Namespace], int]]]] = {
    "clauses": ("texts of clauses, their revisions raised (at once)", clauses),
    "generated": (
        "JSON Schema, TypeScript, the README's picture, tables of the native backend (at once)",
        generated,
    ),
    "goldens": ("golden games (some seconds)", goldens),
    "model": ("what was explored of the model, and its fixtures (two minutes, Node)", model),
    "kit": ("the conformance suite (five minutes, Node)", kit),
    "figures": ("what long runs establish, those that --of names or that are outdated:", figures),
}
"""All that can be accepted, in the order in which it is, and what it is."""


def overview() -> Iterator[str]:
    """Say what can be accepted, and which figures belong to an earlier version of what."""
    yield "what can be accepted:"
    yield from (f"  {name:9} {of}" for name, (of, _) in ACCEPTED.items())
    for name, each in FIGURES.items():
        changed = ", ".join(stale(SPEC / f"{name}.json"))
        standing = f"; of an earlier version of: {changed}" if changed else ""
        yield f"    {name:17} {each.of} ({each.takes}){standing}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is that of the first check that found a fault."""
    told: dict[str, Any] = {
        "epilog": "\n".join(overview()),
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }
    parser = argparse.ArgumentParser(prog="python -m spec.checks", description=__doc__, **told)
    commands = parser.add_subparsers(required=True, metavar="accept")
    accept = commands.add_parser("accept", description="Make anew, check and write down.", **told)
    accept.add_argument("what", nargs="+", choices=ACCEPTED, metavar="WHAT", help="see below")
    accept.add_argument("--of", nargs="+", choices=FIGURES, metavar="FIGURES", help="see below")
    accept.add_argument("--seconds", type=int, help="how long what runs on and on is to run")
    accept.add_argument("--clause", nargs="+", metavar="ID", help="only the mistakes of these")
    options = parser.parse_args(arguments)
    for name in [name for name in ACCEPTED if name in options.what]:
        if code := ACCEPTED[name][1](options):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
