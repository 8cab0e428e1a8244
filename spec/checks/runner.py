"""Run the checks of `table.toml` whose inputs have changed.

    python -m spec.checks run                  checks for each change, unless their result is cached
    python -m spec.checks run NAME...          the named checks
    python -m spec.checks run --all            checks for each change, ignoring cached results
    python -m spec.checks run --night          all of these and nightly checks, verifying inputs
    python -m spec.checks run --release        checks of the built artifacts of a release
    python -m spec.checks run --explain NAME   the input files of a check, with their hashes

The result of a check that passes is cached in `~/.cache/valletta-rules` (or `valletta-rules` in
`$XDG_CACHE_HOME`).  The name of the cache file is a hash of the command, the inputs, and the
versions of Python, the installed packages and the tools.  A check with a cached result is skipped.
With `--night`, `strace` records the files that each check opens.  A check fails if it opens a file
of the repository that is not one of its inputs.

Exit code 0: no check failed; 1: at least one failed; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import hashlib
import html
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

import attrs

from spec.checks.established import ROOT, digest
from spec.checks.figures import VARIABLE

TABLE: Final = Path(__file__).with_name("table.toml")
"""The file that lists the checks, the tools that they need, and named sets of inputs."""

GROUPS: Final = ("rules", "players", "table", "all")
"""The groups of checks: three groups of packages, and `all` for the whole repository."""

CHANGE, NIGHT, RELEASE = WHENS = ("change", "night", "release")
"""The values of `when`: the occasions on which a check runs."""

PASSED, FAILED, SKIPPED, NOT_RUN = ("passed", "failed", "skipped", "not run")
"""The verdicts on checks."""

KEYS, FORCED = "VALLETTA_KEYS", "VALLETTA_FORCED"
"""The environment variables that the runner sets for checks.  They contain the folder of cached
results, and whether the cache must be ignored."""

LANES: Final = min(4, os.cpu_count() or 1)
"""The maximum number of checks that run in parallel."""

OPENED: Final = re.compile(r"^(\d+) .*= \d+<([^>]+)>$")
"""A pattern for a line in the output of `strace` about a file that a process opened."""

EXECUTED: Final = re.compile(r'^(\d+) +execve\("([^"]+)".*= 0$')
"""A pattern for a line in the output of `strace` about the execution of a program."""

CREATED: Final = re.compile(r"^(\d+) +(?:<\.\.\. )?(?:clone3?|v?fork)\b.* = (\d+)$")
"""A pattern for a line in the output of `strace` about a new process or thread."""

COPIERS: Final = frozenset({"cp", "git", "tar"})
"""The programs that copy whole folders.  The files that they read do not count as inputs."""

COPIES: Final = (
    (re.compile(r"__pycache__/([^/]+)\.cpython-\d+[^/]*\.pyc$"), r"\1.py"),
    (re.compile(r".*/site-packages/valletta_rules/_spec/"), "spec/"),
    (re.compile(r".*/site-packages/valletta_rules/"), "src/valletta_rules/"),
)
"""Patterns for the paths of copies and compiled files, each with the path of the original."""


def as_tuple(names: Iterable[str]) -> tuple[str, ...]:
    """Convert an iterable of names to a tuple."""
    return tuple(names)


@attrs.frozen(kw_only=True)
class Step:
    """A command of a run: a check, or the preparation of a tool."""

    name: str
    command: str
    inputs: tuple[str, ...] = attrs.field(default=(), converter=as_tuple)
    """Patterns of input files.  ``@NAME`` refers to a set of patterns, and ``!`` excludes files."""
    needs: tuple[str, ...] = attrs.field(default=(), converter=as_tuple)
    """The names of the tools that the command needs."""


@attrs.frozen(kw_only=True)
class Tool(Step):
    """A tool that checks need.  Its command prepares the tool, unless the tool is ready."""

    version: str = ""
    """The command that prints the version of the tool."""


@attrs.frozen(kw_only=True)
class Check(Step):
    """A command that judges a part of the repository.  Its result is cached."""

    group: str = attrs.field(validator=attrs.validators.in_(GROUPS))
    """The group of packages to which the check applies."""
    shows: str
    not_shows: str
    cost: float
    """The expected duration of the check, in minutes on one core."""
    when: str = attrs.field(validator=attrs.validators.in_(WHENS))
    comments: bool = True
    """Whether a changed comment in the inputs invalidates the cached result."""
    traced: bool = True
    """Whether `strace` can record the files that the check opens."""


@attrs.frozen
class CheckTable:
    """The content of `table.toml`: checks, tools and sets of inputs, each keyed by name."""

    checks: Mapping[str, Check]
    tools: Mapping[str, Tool]
    sets: Mapping[str, Sequence[str]]

    @classmethod
    def read(cls, path: Path) -> CheckTable:
        """Parse a table of checks; raise `ValueError` or `TypeError` if it is malformed."""
        read = tomllib.loads(path.read_text("utf-8"))
        checks = {name: Check(name=name, **row) for name, row in read["check"].items()}
        tools = {name: Tool(name=name, **row) for name, row in read["tool"].items()}
        table = cls(checks, tools, read["inputs"])
        if both := {*checks} & {*tools}:
            raise ValueError(f"{min(both)!r} must not name both a check and a tool")
        for each in (*checks.values(), *tools.values()):
            if unknown := {*each.needs} - {*tools}:
                raise ValueError(f"{each.name} needs an unknown tool: {min(unknown)!r}")
            table.patterns(each)
        return table

    def patterns(self, each: Step) -> list[str]:
        """Return the patterns of input files of a check, with named sets expanded."""
        expanded, todo = list[str](), [*each.inputs]
        while todo:
            pattern = todo.pop(0)
            if pattern.startswith("@"):
                if pattern[1:] not in self.sets:
                    raise ValueError(f"{each.name}: unknown set of inputs: {pattern!r}")
                todo = [*self.sets[pattern[1:]], *todo]
            else:
                expanded.append(pattern)
        return expanded

    def tools_of(self, each: Step) -> dict[str, Tool]:
        """Return the tools that a check needs, in the order in which they must be prepared."""
        tools = dict[str, Tool]()
        for name in each.needs:
            tools |= self.tools_of(self.tools[name]) | {name: self.tools[name]}
        return tools

    def inputs(self, check: Check) -> list[str]:
        """Return the input files of a check and of its tools, relative to the root directory."""
        paths = set[str]()
        for each in (check, *self.tools_of(check).values()):
            paths |= {*matching(self.patterns(each), files(ROOT))}
        return sorted(paths)

    def fingerprint(self, check: Check) -> Iterator[str]:
        """Yield a line for each input of a check: the command, the tools, versions and files."""
        yield f"{hashlib.sha256(check.command.encode()).hexdigest()}  the command"
        yield f"{hashlib.sha256(packages().encode()).hexdigest()}  Python and the packages"
        for tool in self.tools_of(check).values():
            if tool.version:
                yield f"{version(tool.version)}  {tool.name}"
        for name in self.inputs(check):
            yield f"{hashed(ROOT / name, check.comments)}  {name}"

    def key(self, check: Check) -> str:
        """Return the file name of a check's cached result: a hash of all inputs of the check."""
        return hashlib.sha256("\n".join(self.fingerprint(check)).encode()).hexdigest()


# Inputs


@cache
def files(root: Path) -> tuple[str, ...]:
    """Return the paths of a repository's tracked and new files, relative to its root."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout.decode()
    return tuple(each for each in sorted({*listed.split("\0")}) if (root / each).is_file())


def matching(patterns: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Yield the names that the patterns include; the last pattern that matches a name decides.

    In a pattern, ``*`` matches any text, including slashes.
    """
    rules = [(re.compile(fnmatch.translate(each.lstrip("!"))), each[0] != "!") for each in patterns]
    for name in names:
        if next((included for rule, included in reversed(rules) if rule.match(name)), False):
            yield name


@cache
def hashed(path: Path, comments: bool) -> str:
    """Return a hash of a file, which ignores comments in source code unless `comments` is true."""
    if not comments and path.suffix in (".c", ".h", ".js", ".py", ".qnt"):
        return digest(path.read_text("utf-8"), path.suffix)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def packages() -> str:
    """Return the versions of Python, the system and all installed packages except this one."""
    installed = {f"{each.name} {each.version}" for each in distributions()}
    others = sorted(each for each in installed if not each.startswith("valletta"))
    return "\n".join([sys.version, platform.platform(), *others])


def version(command: str) -> str:
    """Return a hash of the output of a command that prints a version."""
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    return hashlib.sha256(ran.stdout).hexdigest()


def opened(trace: Iterable[str], names: Iterable[str]) -> set[str]:
    """Return the files of the repository that `strace` lists as opened, directly or as copies."""
    lines, known, paths = [*trace], {*names}, set[str]()
    parents = {creation[2]: creation[1] for line in lines if (creation := CREATED.match(line))}
    programs = dict[str, str]()

    def program(process: str) -> str:
        while process not in programs and process in parents:
            process = parents[process]
        return programs.get(process, "")

    for line in lines:
        if became := EXECUTED.match(line):
            programs[became[1]] = Path(became[2]).name
        elif (opening := OPENED.match(line)) and program(opening[1]) not in COPIERS:
            path = opening[2].removeprefix(f"{ROOT}/")
            for pattern, source in COPIES:
                path = pattern.sub(source, path)
            parts = path.split("/")
            is_copy = path.startswith(f"{tempfile.gettempdir()}/")
            starts = range(len(parts) - 1) if is_copy else range(1)
            paths |= {*("/".join(parts[start:]) for start in starts)} & known
    return paths


# Running


@attrs.frozen
class Run:
    """A run of checks, with its options and results."""

    table: CheckTable
    keys: Path
    """The folder of cached results.  For each passed check, it contains a file with the check's key
    as its name."""
    forced: bool = False
    """Whether checks run even if their results are cached."""
    traced: bool = False
    """Whether `strace` records the files that each check opens."""

    def carry_out(self, each: Step) -> dict[str, Any]:
        """Run a command; return its verdict, figures and duration.

        If the command fails, its output is printed.
        """
        with tempfile.TemporaryDirectory() as folder:
            log, figures, trace = (Path(folder, name) for name in ("log", "figures", "trace"))
            env = {"VALLETTA_NATIVE": "1", "PYTHON": "python"} | os.environ
            env |= {KEYS: str(self.keys), FORCED: "1" if self.forced else ""}
            env |= {VARIABLE: str(figures)}
            env |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
            command = ["bash", "-euo", "pipefail", "-c", each.command]
            if is_traced := self.traced and isinstance(each, Check) and each.traced:
                calls = "trace=open,openat,openat2,execve,clone,clone3,fork,vfork"
                how = ("-f", "-qq", "-y", "-z", "--seccomp-bpf", "-e", "signal=none", "-e", calls)
                command = ["strace", *how, "-o", str(trace), *command]
            began = time.monotonic()
            with log.open("wb") as output:
                process = subprocess.Popen(
                    command,
                    cwd=ROOT,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                )
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            seconds, text = time.monotonic() - began, log.read_text("utf-8", "replace")
            if is_traced and isinstance(each, Check) and trace.exists():
                lines = trace.read_text("utf-8", "replace").splitlines()
                if lacking := opened(lines, files(ROOT)) - {*self.table.inputs(each)}:
                    text += "".join(f"not an input: {name}\n" for name in sorted(lacking))
                    process.returncode = process.returncode or 1
            result = {
                "verdict": FAILED if process.returncode else PASSED,
                "seconds": round(seconds, 1),
                "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
                "figures": json.loads(figures.read_text("utf-8")) if figures.exists() else {},
            }
        if result["verdict"] == FAILED:
            print(f"\n=== {each.name} failed: {each.command}\n{text}", flush=True)
        return result

    def judge(self, chosen: Sequence[Check]) -> dict[str, dict[str, Any]]:
        """Run checks in parallel, the longest first; return the results, keyed by name.

        A check with a cached result is skipped.
        """
        results, checks = dict[str, dict[str, Any]](), list[Check]()
        for check in chosen:
            key = self.table.key(check)
            if not self.forced and (known := self.keys / key).exists():
                results[check.name] = json.loads(known.read_text("utf-8")) | {"verdict": SKIPPED}
                print(f"{check.name}: skipped, nothing has changed since it passed", flush=True)
            else:
                checks.append(check)
        checks.sort(key=lambda each: -each.cost)
        tools, waiting = dict[str, Tool](), list[Step]()
        for check in checks:
            new = {k: v for k, v in self.table.tools_of(check).items() if k not in tools}
            tools |= new
            waiting += [*new.values(), check]
        going = dict[Future[dict[str, Any]], Step]()
        with ThreadPoolExecutor(LANES) as pool:
            while waiting or going:
                for each in [it for it in waiting if {*it.needs} <= results.keys()]:
                    missing = [it for it in each.needs if results[it]["verdict"] != PASSED]
                    if missing:
                        results[each.name] = {"verdict": FAILED}
                        print(f"{each.name}: failed, as {missing[0]} is missing", flush=True)
                    elif len(going) < LANES:
                        going[pool.submit(self.carry_out, each)] = each
                    else:
                        break
                    waiting.remove(each)
                for future in wait(going, return_when=FIRST_COMPLETED).done:
                    self.record_result(going.pop(future), future.result(), results)
        return results

    def record_result(self, each: Step, result: Any, results: dict[str, dict[str, Any]]) -> None:
        """Record and print the result of a command; cache the result of a check that passed."""
        results[each.name] = result
        times = f"{result['seconds']:.0f} s, {result['cpu_seconds']:.0f} s of CPU time"
        print(f"{each.name}: {result['verdict']}, {times}", flush=True)
        if isinstance(each, Check):
            key = result["fingerprint"] = self.table.key(each)
            if result["verdict"] == PASSED:
                self.keys.mkdir(parents=True, exist_ok=True)
                (self.keys / key).write_text(json.dumps(result), "utf-8")


# The report


def report(table: CheckTable, results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the report on a run, as JSON."""
    git = subprocess.run(("git", "rev-parse", "HEAD"), cwd=ROOT, capture_output=True, check=False)
    return {
        "commit": git.stdout.decode().strip(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.platform()}, {os.cpu_count()} cores",
        "checks": [
            {"name": name, "verdict": NOT_RUN, "seconds": 0, "cpu_seconds": 0, "fingerprint": ""}
            | {"figures": {}, **results.get(name, {})}
            for name in table.checks
        ],
    }


def as_html(table: CheckTable, data: Mapping[str, Any]) -> str:
    """Return a report as an HTML page."""
    rows = [
        (
            *(row["name"], table.checks[row["name"]].shows, row["verdict"]),
            f"{row['seconds']:.0f} s",
            "; ".join(f"{name} {json.dumps(value)}" for name, value in row["figures"].items()),
        )
        for row in data["checks"]
    ]
    head = ("check", "shows", "verdict", "time", "figures")
    lines = [
        "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
        for tag, some in (("th", [head]), ("td", rows))
        for row in some
    ]
    note = html.escape(f"{data['commit']}, {data['date']}, {data['machine']}")
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    title = "<title>Report of the checks</title>"
    return (
        f'<!DOCTYPE html>\n<meta charset="utf-8">{title}\n<p>{note}</p>\n<table>\n{body}</table>\n'
    )


# The commands


def add_to(commands: Any) -> None:
    """Add the subcommands of this module to the parser for `python -m spec.checks`."""
    run = commands.add_parser(
        "run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    run.set_defaults(command=carry_out)
    run.add_argument("names", nargs="*", metavar="NAME", help="only these checks")
    which = run.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="skip no check")
    which.add_argument("--night", action="store_true", help="all except those of a release, traced")
    which.add_argument("--release", action="store_true", help="the checks of a release")
    which.add_argument("--explain", metavar="NAME", help="print what a check depends on")
    run.add_argument("--report", type=Path, metavar="FILE.json", help="write FILE.json, FILE.html")
    listing = commands.add_parser("requirements", description="Print what extras require.")
    listing.set_defaults(command=print_requirements)
    listing.add_argument("extras", nargs="+", metavar="EXTRA", help="as in `pyproject.toml`")


def print_requirements(options: argparse.Namespace) -> int:
    """Print the external requirements of the given extras, one per line."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    every = [each for name in options.extras for each in project["optional-dependencies"][name]]
    print(*(each for each in every if not each.startswith(project["name"])), sep="\n")
    return 0


def carry_out(options: argparse.Namespace) -> int:
    """Run the checks that the options select, or print the inputs of one of them."""
    table = CheckTable.read(TABLE)
    named = [*options.names, *([options.explain] if options.explain else [])]
    if unknown := sorted({*named} - {*table.checks}):
        print(f"unknown checks: {', '.join(unknown)}; expected some of {', '.join(table.checks)}")
        return 2
    keys = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "valletta-rules")
    if options.explain:
        check = table.checks[options.explain]
        print(*table.fingerprint(check), sep="\n")
        is_known = (keys / table.key(check)).exists()
        print(f"{table.key(check)}: {'passed' if is_known else 'has not passed'}")
        return 0
    whens = (RELEASE,) if options.release else (CHANGE, NIGHT) if options.night else (CHANGE,)
    chosen = [
        attrs.evolve(each, needs=(*each.needs, "strace")) if options.night else each
        for each in table.checks.values()
        if (each.name in named if named else each.when in whens)
    ]
    forced = bool(named or options.all or options.night or options.release)
    results = Run(table, keys, forced, options.night).judge(chosen)
    if options.report:
        data = report(table, results)
        options.report.write_text(f"{json.dumps(data, indent=1)}\n", "utf-8")
        options.report.with_suffix(".html").write_text(as_html(table, data), "utf-8")
    counted = [results[each.name]["verdict"] for each in chosen]
    print(", ".join(f"{counted.count(verdict)} {verdict}" for verdict in sorted({*counted})))
    return 1 if FAILED in counted else 0
