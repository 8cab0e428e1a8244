"""What `mutmut run` has found out about the engine: `python -m spec.checks.mutants`.

A mutant is the engine with one small change in one function.  `mutmut` makes them and runs the
tests on each; ``[tool.mutmut]`` in ``pyproject.toml`` tells it which.  Here a copy is laid out for
it without caches (mutmut passes over decorated functions, and what was cached before hides a
mutant), mutmut is run in it, or goes on where it was interrupted, and what it has found is counted.
mutmut imports the engine before it chooses a mutant, which hides those of functions that make
tables on import; so each survivor that ``survivors.toml`` does not explain is asked once more, in a
process of its own, and must not survive that as well.

Exit code 0: all are; 1: some are not.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from spec.checks.established import ROOT
from spec.checks.figures import publish

SURVIVORS: Final = ROOT / "spec" / "checks" / "survivors.toml"
"""The mutants that no test notices, and why none could."""

FOLDER: Final = Path(tempfile.gettempdir(), "valletta-mutants")
"""Where mutmut works, and goes on if it was interrupted."""

FATES: Final = {37: "ill-typed", 1: "caught", 3: "caught", 0: "survived", 33: "survived"}
"""What mutmut's exit codes mean; with any other a mutant has timed out, or broken down."""


def settings() -> Mapping[str, Any]:
    """Return how mutmut is set up."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    mutmut: Mapping[str, Any] = found["tool"]["mutmut"]
    return mutmut


def lay_out(folder: Path) -> None:
    """Copy what mutmut needs, the caches taken off."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".*", "*.so")
    for name in ("src", "tests", "spec"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path in (folder / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"^@lru_cache\(.*\)\n", "", text, flags=re.M), encoding="utf-8")


def fates(folder: Path) -> dict[str, str]:
    """Return the result of each mutant, by the name that mutmut gives it."""
    return {
        name: FATES.get(code, "timed out")
        for path in sorted(folder.glob("mutants/src/**/*.py.meta"))
        for name, code in json.loads(path.read_text("utf-8"))["exit_code_by_key"].items()
        if code is not None
    }


def survives(folder: Path, mutant: str) -> bool:
    """Return whether no test notices a mutant that is there from the first import."""
    setup = settings()
    command = [sys.executable, "-m", "pytest", "-x", "-q", *setup["pytest_add_cli_args"]]
    home = folder / "mutants"
    path = os.pathsep.join((str(home / "src"), str(home)))
    run = subprocess.run(
        [*command, *setup["pytest_add_cli_args_test_selection"]],
        cwd=home,
        env=os.environ | {"MUTANT_UNDER_TEST": mutant, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return run.returncode == 0


def table(found: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Count the mutants of each module, in all and by their fate."""
    counts: dict[str, Counter[str]] = {}
    for mutant, fate in found.items():
        module = mutant.removeprefix("valletta_rules.").rpartition(".")[0]
        counts.setdefault(module, Counter())[fate] += 1
    named = ("ill-typed", "caught", "timed out", "survived")
    return {
        module: {"mutants": fates.total(), **{fate: fates[fate] for fate in named}}
        for module, fates in sorted(counts.items())
    }


def change_of(folder: Path, mutant: str) -> tuple[str, str, str]:
    """Return the function that a mutant is of, the lines it loses, and those it gains."""
    module, _, name = mutant.rpartition(".")
    path = folder / "mutants" / "src" / Path(*module.split(".")).with_suffix(".py")
    original = name.rpartition("__mutmut_")[0]
    code = {
        node.name: "\n".join(map(ast.unparse, (node.args, *node.body))).splitlines()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    lines = list(difflib.ndiff(code[f"{original}__mutmut_orig"], code[name]))
    lost, gained = (
        "\n".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    function = original.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
    return f"{module.removeprefix('valletta_rules.')}.{function}", lost, gained


def unexplained(folder: Path, found: Mapping[str, str]) -> dict[str, tuple[str, str, str]]:
    """Return the survivors without an explanation: functions, and what is changed."""
    explained = {
        (each["function"], was, becomes)
        for each in tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]
        for was, becomes in each["mutants"]
    }
    survivors = (name for name, fate in found.items() if fate == "survived")
    changes = {name: change_of(folder, name) for name in survivors}
    return {name: change for name, change in changes.items() if change not in explained}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.mutants", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where mutmut works")
    parser.add_argument("mutants", nargs="*", help="patterns of names, as mutmut takes them")
    options = parser.parse_args(arguments)
    if not options.folder.exists():
        lay_out(options.folder)
    command = [sys.executable, "-m", "mutmut", "run", *options.mutants]
    if code := subprocess.run(command, cwd=options.folder, check=False).returncode:
        return code
    found = fates(options.folder)
    left = unexplained(options.folder, found)
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for mutant, survived in zip(
            tuple(left), workers.map(partial(survives, options.folder), left), strict=True
        ):
            if survived:
                function, was, becomes = left[mutant]
                print(f"\n{function}\n- {was!r}\n+ {becomes!r}", flush=True)
            else:
                found[mutant] = "caught"
                del left[mutant]
    print(f"{dict(Counter(found.values()))}, {len(left)} survivors without an explanation")
    publish(unexplained=len(left), modules=table(found))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
