"""Accept what the checks establish: `python -m spec.checks accept WHAT...`.

Much in the repository was not written by hand: texts that were accepted, games in writing, figures
that a long run established.  A check fails, or the documentation speaks of an earlier version,
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
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import attrs

from spec import traceability
from spec.checks.established import MODEL, ROOT, is_present, stamp, write

SPEC: Final = ROOT / "spec"

EXPLORER: Final = ("spec/tools/explore.js", "spec/tools/qspec.js")
"""What explores the model."""


@attrs.frozen
class Acceptance:
    """Something that can be accepted."""

    of: str
    """What it is."""
    takes: str
    """How long making it takes, and what it needs."""
    accept: Callable[[argparse.Namespace], int]
    """Makes, checks and writes it; returns the exit code."""
    files: tuple[str, ...] = ()
    """The files with figures that it writes, each of which knows its sources."""

    def stale(self) -> list[str]:
        """Name the sources that have changed since the figures were written."""
        found = []
        for name in self.files:
            written = json.loads((ROOT / name).read_text(encoding="utf-8"))
            found += [key for key, each in written["sources"].items() if not is_present(each)]
        return sorted(set(found))


def clauses(options: argparse.Namespace) -> int:
    """Accept the texts of the clauses whose revision has been raised."""
    return traceability.accept(ROOT)


def goldens(options: argparse.Namespace) -> int:
    """Write the games in writing anew."""
    return int(import_module("spec.checks.goldens").accept())


def schema(options: argparse.Namespace) -> int:
    """Write the JSON Schema of the types, and the types in TypeScript, those of messages too."""
    for path, text in import_module("valletta_rules.codec.__main__").GENERATED.items():
        path.write_text(text(), encoding="utf-8")
    messages = import_module("spec.checks.messages")
    messages.TYPES.write_text(messages.text(), encoding="utf-8")
    return 0


def picture(options: argparse.Namespace) -> int:
    """Draw the picture of the README anew."""
    made = import_module("spec.checks.picture")
    made.PICTURE.write_text(made.text(), encoding="utf-8")
    return 0


def native(options: argparse.Namespace) -> int:
    """Write what the sources of the native twin take from Python."""
    import_module("spec.native_sources").accept()
    return 0


def twins(options: argparse.Namespace) -> int:
    """Compare engine and native twin, a million successors or for as long as is given.

    Adds to what was compared of the same sources before.
    """
    long = ["--processes", "2", "--seconds", str(options.seconds)] if options.seconds else []
    return int(import_module("spec.checks.twins").main(["--add", *long]))


def hostile(options: argparse.Namespace) -> int:
    """Feed the native twin what nobody should, under sanitizers, for two minutes if not told."""
    seconds, figures = str(options.seconds or 120), str(SPEC / "hostile.json")
    command = ("bash", "tests/native/sanitize.sh", "hostile", seconds, figures)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def endurance(options: argparse.Namespace) -> int:
    """Play a million games."""
    return int(import_module("spec.checks.endurance").main(["--write"]))


def model(options: argparse.Namespace) -> int:
    """Explore every instance, and write down all that there is."""
    explored = {"model": stamp(MODEL), "tools": stamp(EXPLORER)}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        graphs, fixtures = work / "graphs.json", work / "fixtures"
        explore = ("node", "tools/explore.js", "all", "--summary", str(graphs))
        command = (*explore, "--fixtures", str(fixtures))
        if code := subprocess.run(command, cwd=SPEC, check=False).returncode:
            return code
        for path in (SPEC / "fixtures").glob("*.json.gz"):
            path.unlink()
        shutil.copytree(fixtures, SPEC / "fixtures", dirs_exist_ok=True)
        write(SPEC / "explored.json", explored, json.loads(graphs.read_text(encoding="utf-8")))
    return 0


def lockstep(options: argparse.Namespace) -> int:
    """Play engine and model in lockstep, for ten minutes unless another time is given."""
    program = import_module("spec.checks.lockstep")
    if (reason := import_module("spec.checks.model").why_unavailable()) is not None:
        return refused(reason)
    sources = program.sources()
    arguments = program.parse_arguments(["--seconds", str(options.seconds or 600)])
    tally, seconds = program.run(arguments)
    if tally.divergences:
        return refused(*map(str, tally.divergences[:20]))
    write(SPEC / "lockstep.json", sources, program.figures(tally, seconds, arguments.seed))
    return 0


def fuzzed(options: argparse.Namespace) -> int:
    """Damage documents, for two minutes unless another time is given."""
    program = import_module("spec.checks.fuzz")
    sources = program.sources()
    if (figures := program.run(options.seconds or 120)) is None:
        return refused("the fuzzer found something, or did not come to an end")
    write(SPEC / "fuzzed.json", sources, figures)
    return 0


def mistakes(options: argparse.Namespace) -> int:
    """Make the deliberate mistakes of the clauses, in a process that has not imported the rules.

    With clauses named only theirs are made, and with ``--where`` only those there; the figures keep
    the day and the stamps of the last complete run.
    """
    path = SPEC / "mistakes.json"
    some = ["--clause", *options.clause] if options.clause else []
    some += [f"--{options.where}"] if options.where else []
    with tempfile.TemporaryDirectory() as name:
        summary = Path(name) / "summary.json"
        command = [sys.executable, "-m", "spec.checks.mistakes", "--summary", str(summary), *some]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            return refused("a mistake is not noticed by the tests of its own clause")
        found = json.loads(summary.read_text(encoding="utf-8"))
    if some:
        before = json.loads(path.read_text(encoding="utf-8"))
        before["sources"] = found["sources"] | before["sources"]
        for clause, each in found["clauses"].items():
            kept = before["clauses"].get(clause, {}) if options.where else {}
            met = {name: kept.get(name, {}) | verdicts for name, verdicts in each.items()}
            before["clauses"][clause] = kept | met
        path.write_text(f"{json.dumps(before, indent=1)}\n", encoding="utf-8")
    else:
        write(path, found.pop("sources"), found)
    return 0


def mutants(options: argparse.Namespace) -> int:
    """Run every mutant of the engine, in a folder where the run can be taken up again."""
    program = import_module("spec.checks.mutants.__main__")
    if (ran := program.run(options.folder)) is None:
        return refused("the tests cannot be run")
    sources, figures = ran
    if figures["unexplained"]:
        return refused("survivors.toml does not explain every survivor")
    write(SPEC / "mutants.json", sources, figures)
    return 0


def kit(options: argparse.Namespace) -> int:
    """Make the conformance kit anew, and have the formal model agree with every vector."""
    if (reason := import_module("spec.checks.model").why_unavailable()) is not None:
        return refused(reason)
    return int(import_module("spec.checks.kit.files").accept())


def refused(*reasons: str) -> int:
    """Say why nothing is accepted, and return the exit code."""
    sys.stderr.write("".join(f"{reason}\n" for reason in (*reasons, "nothing accepted")))
    return 1


ACCEPTED: Final[Mapping[str, Acceptance]] = {
    "clauses": Acceptance("texts of clauses, their revisions raised", "at once", clauses),
    "goldens": Acceptance("games in writing", "some seconds", goldens),
    "schema": Acceptance("the JSON Schema", "at once", schema),
    "picture": Acceptance("the picture of the README", "at once", picture),
    "native": Acceptance("tables and clauses in the native twin", "at once", native),
    "twins": Acceptance(
        "engine and native twin, successor by successor",
        "three minutes, a C compiler",
        twins,
        ("spec/twins.json",),
    ),
    "hostile": Acceptance(
        "attacks on the native twin", "two minutes, gcc", hostile, ("spec/hostile.json",)
    ),
    "endurance": Acceptance(
        "a million games of the native twin",
        "ten minutes, a C compiler",
        endurance,
        ("spec/endurance.json",),
    ),
    "model": Acceptance(
        "what was explored of the model, and its fixtures",
        "two minutes, Node",
        model,
        ("spec/explored.json",),
    ),
    "kit": Acceptance(
        "the conformance kit", "five minutes, Node", kit, ("spec/conformance/manifest.json",)
    ),
    "mistakes": Acceptance(
        "deliberate mistakes of the clauses, noticed by their own tests",
        "ten minutes",
        mistakes,
        ("spec/mistakes.json",),
    ),
    "lockstep": Acceptance(
        "engine and model, step by step", "ten minutes, Node", lockstep, ("spec/lockstep.json",)
    ),
    "fuzzed": Acceptance(
        "damaged documents", "two minutes, extra fuzz", fuzzed, ("spec/fuzzed.json",)
    ),
    "mutants": Acceptance(
        "mutants of the engine", "an hour, extra mutation", mutants, ("spec/mutants.json",)
    ),
}
"""All that can be accepted, in the order in which it is."""


def overview() -> str:
    """Say what can be accepted, and which figures belong to an earlier version of what."""
    lines = ["what can be accepted:"]
    for name, each in ACCEPTED.items():
        stale = each.stale()
        standing = f"; of an earlier version of: {', '.join(stale)}" if stale else ""
        lines.append(f"  {name:9} {each.of} ({each.takes}){standing}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is that of the first check that found a fault."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks",
        description=__doc__,
        epilog=overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="accept")
    accept: Any = commands.add_parser(
        "accept",
        description="Make anew, check and write down.",
        epilog=overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    accept.add_argument("what", nargs="+", choices=ACCEPTED, metavar="WHAT", help="see below")
    accept.add_argument("--seconds", type=int, help="how long what runs on and on is to run")
    accept.add_argument("--clause", nargs="+", metavar="ID", help="only the mistakes of these")
    where = ("engine", "model", "native")
    accept.add_argument("--where", choices=where, help="only the mistakes in this")
    accept.add_argument("--folder", type=Path, help="where mutants work, and go on if interrupted")
    options = parser.parse_args(arguments)
    for name in [name for name in ACCEPTED if name in options.what]:
        if code := ACCEPTED[name].accept(options):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
