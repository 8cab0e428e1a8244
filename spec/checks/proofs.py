"""Prove with Frama-C that the functions of the native backend satisfy their contracts.

A contract precedes its function in `src/native`; shared predicates are in `contracts.h`.  A
postcondition that is labelled with a clause states that clause.

    python -m spec.checks.proofs                 prove the contracts that changed after their proof
    python -m spec.checks.proofs --all           prove all contracts
    python -m spec.checks.proofs FUNCTION...     prove the contracts of these functions

`spec/proved.json` has a line for each proved function, with a fingerprint of everything that its
proof depends on.  `--write` adds new proofs.

The program needs Frama-C 25 with WP, Z3 and CVC4; `bash spec/prove.sh` installs them if it can.

Exit code 0: all contracts are proved; 1: one is not; 2: wrong usage, or missing tools.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from spec import mentions
from spec.checks.established import ROOT
from spec.checks.figures import publish
from spec.native_sources import CHAPTERS
from valletta_rules import explain

FOLDER: Final = ROOT / mentions.NATIVE
"""The folder of the native backend."""

REASONS: Final = ROOT / "spec" / "checks" / "unproved.toml"
"""The file that gives reasons for functions without a contract, and for clauses that no contract
states."""

FILES: Final = tuple(f"{chapter}.c" for chapter in (*CHAPTERS, "chance", "engine", "rows"))
"""The C files whose functions need a contract, or a reason for having none."""

CONSTANTS: Final = "rows.c"
"""The file that defines the constants declared in headers.  They are inputs of every proof."""

PROOF_STEPS: Final = 1_000_000
"""The maximum number of prover steps for each goal.  Unlike a timeout, it does not depend on the
load of the machine."""

MORE_STEPS: Final = 10_000_000
"""The maximum number of prover steps for each goal in the second attempt."""

HANGS: Final = 3600
"""The timeout of a prover, in seconds, in case it does not count its steps."""

COMMAND: Final = shlex.split(
    "frama-c -c11 -machdep gcc_x86_64 -wp-par 2 -wp -wp-cache none -wp-cache-env -wp-rte"
    " -wp-prover cvc4,z3 -wp-no-warn-memory-model"
)
"""The Frama-C command that proves contracts and the absence of undefined behaviour.

Proofs can be cached: set ``FRAMAC_WP_CACHE=update`` and ``FRAMAC_WP_CACHEDIR=FOLDER`` in the
environment.
"""

POINTERS: Final = "-rte-no-pointer-call"
"""The option that omits proof obligations for calls through function pointers.  WP proves the
annotation ``calls`` instead."""

SMOKE: Final = (
    "-wp-smoke-tests",
    *(f"-wp-no-smoke-dead-{part}" for part in ("code", "loop", "call")),
)
"""The options that make Frama-C search for contradictory requirements.  The searches for dead code
are disabled, because unrolled loops contain dead code."""

MISSED: Final = re.compile(r"\[Failed\] (?:Goal|Smoke-test) typed_(\w+)")
"""A pattern for a line of output about a goal that is not proved, or about contradictory
requirements."""

WARNED: Final = re.compile(
    r"^\[wp[^\]]*\] (?:(?!User Error)[^\n])*Warning:((?:[^\n]|\n  )*)", re.MULTILINE
)
"""A pattern for a warning of WP about a missing or incomplete contract."""

UNSPECIFIED: Final = re.compile(r"Neither code nor specification for function (\w+)")
"""A pattern for a warning that a called function has no contract."""

ALIAS: Final = re.compile(r"^#define (\w+)\(\.\.\.\) (valletta_\w+)\(", re.MULTILINE)
"""A pattern for a macro that gives a function a public name.  Proofs use the name in the sources.
"""

WORDS: Final = re.compile(r"^  (?:predicate|logic \w+) (\w+).*?;\n", re.MULTILINE | re.DOTALL)
"""A pattern for the definition of a predicate or logic function that contracts use."""

DECLARED: Final = re.compile(r"^[\w ]+ \*?(\w+)\([^;{]*\);\n", re.MULTILINE)
"""A pattern for the declaration of a function in a header."""

CONSTANT: Final = re.compile(r"^    (\w+) = [^,\n]+,\n(?=    \w+ = |\};)", re.MULTILINE)
"""A pattern for a constant of an enumeration, unless the value of the next constant depends on it.
"""

IDLE: Final = re.compile(
    r"/\*(?!@).*?\*/|//(?!@)[^\n]*|^#include <assert\.h>$|^_?[Ss]tatic_assert\([^;]*;"
    r"|^enum \{ (?:TABLES_VERSION|VALLETTA_CHANCE) = [^}]*\};"
    r"|^static const char \*const \w+_NAMES\[[^;]*;",
    re.MULTILINE | re.DOTALL,
)
"""A pattern for text on which no proof depends: comments, static assertions, the version of the
tables, and names used only by programs that embed the library."""

GRADE: Final = re.compile(rf"(?<=[A-Z]{{3}})(_\d+)_(?:{'|'.join(mentions.GRADES)})(?=:)")
"""A pattern for the grade in a label.  No proof depends on the grade."""

OWN: Final = re.compile(r"^/\*@ (?:ghost\b|predicate\b|//).*?\*/", re.MULTILINE | re.DOTALL)
"""A pattern for the definitions that a file contains for its own contracts."""

ENDING: Final = r"(?=_[A-Z]|_part\d|_\d|$)"
"""A pattern for the end of a label in the name of a goal."""

BROKEN: Final[Mapping[str, str]] = {
    "wp_smoke": "requires a condition that no position fulfils",
    "index_bound": "may use an index that is out of range",
    "mem_access": "may read or write outside of a position",
    "overflow": "may compute a number that is too large",
    "downcast": "may put a number where it does not fit",
    "division_by_zero": "may divide by zero",
    "shift": "may shift too far",
    "initialization": "may read uninitialized memory",
    "assigns": "changes memory that its contract does not let it change",
    "loop_variant": "has a loop that may never end",
    "loop_invariant": "has a loop whose invariant does not hold",
    "terminates": "may never end",
    "ensures": "does not do what its contract ensures",
}
"""Descriptions of faults, keyed by the part of a goal's name that indicates the fault."""


@attrs.frozen
class Contract:
    """A C function with its contract."""

    file: str
    function: str
    line: int
    of: str
    """The first 8 hex digits of a hash of all inputs of the proof."""
    calls: frozenset[str]
    """The functions with contracts that this function calls, as ``file::function``."""
    text: str
    """The text of the contract and its function."""
    ensures: tuple[mentions.Ensured, ...]
    """The postconditions in the contract that are labelled with clauses."""

    @property
    def name(self) -> str:
        """The file and the function, as in ``building.c::reduced``."""
        return f"{self.file}::{self.function}"

    @property
    def is_proved(self) -> bool:
        """Whether the current text of the contract and its function has been proved."""
        return mentions.read_proved(ROOT).get(self.name) == self.of

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that label postconditions, without repetitions."""
        return tuple(dict.fromkeys(each.clause for each in self.ensures))


@attrs.frozen
class Proof:
    """The results of an attempt to prove contracts."""

    goals: Mapping[str, int]
    """The number of goals, keyed by function."""
    missed: tuple[str, ...]
    """The names of the goals that were not proved."""
    warnings: tuple[str, ...]
    """The warnings of Frama-C. A proof with warnings does not count."""
    seconds: float
    """The CPU time that the provers used, in seconds."""


# The contracts


@cache
def contracts() -> tuple[Contract, ...]:
    """Return the contracts of the native backend, ordered by file and line."""
    texts = {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.[ch]"))}
    matches = {
        f"{file}::{each['name']}": each
        for file, text in texts.items()
        for each in mentions.FUNCTION_IN_C.finditer(text)
        if each["contract"]
    }
    by_clause = [*mentions.ensured(ROOT)]
    result = []
    for name, each in matches.items():
        file, function = name.split("::")
        start = each.start("contract")
        text = each.string[start : each.string.index("\n}\n", each.end())]
        called = {*re.findall(r"\b(\w+)\(", text)}
        calls = {
            other: it.string[it.start("contract") : it.end()]
            for other, it in matches.items()
            if other != name and it["name"] in called
        }
        around = own_words(texts[file], text) + outside(texts[file])
        result.append(
            Contract(
                file,
                function,
                each.string.count("\n", 0, start) + 1,
                fingerprint("".join([text, *calls.values(), around]), texts),
                frozenset(calls),
                text,
                tuple(it for it in by_clause if it.function == name),
            )
        )
    return tuple(result)


def unproved() -> dict[str, str]:
    """Return the functions in `FILES` without a contract, each with the reason for lacking one."""
    read = tomllib.loads(REASONS.read_text("utf-8"))["unproved"]
    reasons = {name: each["reason"] for each in read for name in each["functions"]}
    return {
        name: reasons.get(name, "")
        for file in FILES
        for each in mentions.FUNCTION_IN_C.finditer((FOLDER / file).read_text("utf-8"))
        if (name := f"{file}::{each['name']}") and not each["contract"]
    }


def unnamed() -> dict[str, str]:
    """Return the clauses named in `FILES` but stated by no contract, each with the reason why."""
    read = tomllib.loads(REASONS.read_text("utf-8"))["unnamed"]
    reasons = {clause: each["reason"] for each in read for clause in each["clauses"]}
    named = {each.clause for each in mentions.ensured(ROOT)}
    return {
        each.clause: reasons.get(each.clause, "")
        for each in mentions.in_native(ROOT)
        if Path(each.place.path).name in FILES and each.clause not in named
    }


def outside(text: str) -> str:
    """Return the text of a C file without its comments and functions."""
    return re.sub(r"/\*.*?\*/|^\w[^;{}=]*\)\n\{$.*?^\}$", "", text, flags=re.MULTILINE | re.DOTALL)


def own_words(text: str, contract: str) -> str:
    """Return a file's own definitions for contracts; empty if the contract names none of them."""
    defined = "\n".join(OWN.findall(text))
    own_names = re.findall(
        r"^(?:/\*@)? +(?:predicate|logic \w+|int|int64_t) (\w+)", defined, re.MULTILINE
    )
    return defined if named_in(contract) & {*own_names} else ""


def fingerprint(text: str, texts: Mapping[str, str]) -> str:
    """Return a hash of a contract, its headers, and the predicates and functions that it names.

    The hash does not depend on comments, blanks and other text that no proof uses.
    """
    words = {each[1]: each[0] for each in WORDS.finditer(texts["contracts.h"])}
    used, headers = [text, *COMMAND], {"contracts.h"}
    while new := {*re.findall(r'#include "(\w+\.h)"', "".join(used))} - headers:
        used += [CONSTANT.sub("", DECLARED.sub("", texts[header])) for header in sorted(new)]
        for form in (DECLARED, CONSTANT):
            words |= {each[1]: each[0] for it in new for each in form.finditer(texts[it])}
        headers |= new
    used.append(WORDS.sub("", texts["contracts.h"]))
    todo, frontier = set(words), used
    while new := todo & {word for text in frontier for word in named_in(bare(text))}:
        frontier = [words[each] for each in sorted(new)]
        used += frontier
        todo -= new
    return hashlib.sha256(" ".join(map(bare, used)).encode()).hexdigest()[:8]


@cache
def named_in(text: str) -> frozenset[str]:
    """Return the identifiers in a text."""
    return frozenset(re.findall(r"\w+", text))


@cache
def bare(text: str) -> str:
    """Return a text with normalised blanks and without the parts on which no proof depends."""
    return " ".join(GRADE.sub(r"\1", IDLE.sub(" ", text)).split())


# Proving them


def prove(
    folder: Path, targets: Iterable[Contract], *options: str, steps: int = PROOF_STEPS
) -> Proof:
    """Prove the given contracts, with the sources in a folder.

    Raises `RuntimeError` if Frama-C cannot parse the sources.
    """
    chosen = [*targets]
    called = {name.partition("::")[0] for each in chosen for name in each.calls}
    used = {each.file for each in chosen} | called | {CONSTANTS}
    files = [str(folder / file) for file in sorted(used)]
    functions = ",".join(sorted({each.function for each in chosen}))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with TemporaryDirectory() as name:
        report_file = Path(name, "report.json")
        known = {"WHY3CONFIG": f"{name}/why3.conf", "PATH": f"/usr/bin:{os.environ['PATH']}"}
        env = {**os.environ, **known}  # Why3 supports Debian's version of Z3, but not every other
        subprocess.run(["why3", "config", "detect"], capture_output=True, env=env, check=False)
        command = (*COMMAND, POINTERS, names(), "-wp-report-json", str(report_file), *options)
        limits = f"-wp-steps {steps} -wp-timeout {HANGS}".split()
        run = subprocess.run(
            [*command, *limits, "-wp-fct", functions, *files],
            capture_output=True,
            text=True,
            env=env,
        )
        report = json.loads(report_file.read_text("utf-8")) if report_file.exists() else {}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    reported = report.get("wp:functions", {})
    goals = {
        function: each["wp:section"]["wp:main"]["total"] for function, each in reported.items()
    }
    missed = tuple(dict.fromkeys(MISSED.findall(run.stdout)))
    counted = re.search(r"Proved goals: +(\d+) / (\d+)", run.stdout)
    if run.returncode or not counted or int(counted[2]) - int(counted[1]) != len(missed):
        raise RuntimeError(run.stdout[-2000:] + run.stderr[-1000:])
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Proof(goals, missed, warnings_of(run.stdout, chosen), spent)


def warnings_of(output: str, targets: Sequence[Contract]) -> tuple[str, ...]:
    """Return the warnings of Frama-C about the given contracts, without repetitions."""
    text = "".join(each.text for each in targets)
    unspecified = [name for name in UNSPECIFIED.findall(output) if re.search(rf"\b{name}\(", text)]
    warned = [each[1].strip() for each in WARNED.finditer(output)]
    return tuple(
        dict.fromkeys([*warned, *(f"{name} is called without a contract" for name in unspecified)])
    )


@cache
def names() -> str:
    """Return the preprocessor option that replaces public names with the names in the sources."""
    aliases = ALIAS.findall((FOLDER / "row.h").read_text("utf-8"))
    return f"-cpp-extra-args={' '.join(f'-D{other}={name}' for name, other in aliases)}"


def prove_with_retry(targets: Sequence[Contract]) -> Proof:
    """Prove contracts; retry the failed ones once, with a higher limit of prover steps."""
    proof = prove(FOLDER, targets, *SMOKE)
    if not proof.missed:
        return proof
    failed = {owner_of(goal, targets) for goal in proof.missed}
    print(f"second attempt: {', '.join(sorted(each.function for each in failed))}", flush=True)
    again = prove(FOLDER, failed, *SMOKE, steps=MORE_STEPS)
    return attrs.evolve(proof, missed=again.missed, seconds=proof.seconds + again.seconds)


def owner_of(goal: str, candidates: Iterable[Contract]) -> Contract:
    """Return the contract to which a goal belongs; `goal` is the name of the goal."""
    return max(
        (each for each in candidates if goal.startswith(f"{each.function}_")),
        key=lambda each: len(each.function),
    )


def broken(goal: str, owner: Contract) -> str:
    """Return a sentence that describes the fault of a function with an unproved goal."""
    suffix = goal.removeprefix(owner.function)
    at = f"{mentions.NATIVE}/{owner.file}:{owner.line}: {owner.function}"
    if lines := [each for each in owner.ensures if re.search(f"_{each.label}{ENDING}", suffix)]:
        clauses = " and ".join(
            f"{id}: {explain(id).text}" for id in dict.fromkeys(each.clause for each in lines)
        )
        return f"{lines[0].place}: {owner.function} does not do what its contract says of {clauses}"
    if called := re.match(r"_call_(\w+?)_requires", suffix):
        return f"{at} calls {called[1]} without all that {called[1]} requires"
    kind = next((kind for kind in BROKEN if kind in suffix), "")
    return f"{at} {BROKEN.get(kind, 'is not proved')} ({goal})"


# The command


def select_contracts(options: argparse.Namespace) -> tuple[Contract, ...]:
    """Return the contracts that the command line selects: named ones, all, or changed ones."""
    named = options.functions
    return tuple(
        each
        for each in contracts()
        if (each.function in named if named else options.all or not each.is_proved)
    )


def write_proved(proof: Proof) -> None:
    """Write the proved functions to `spec/proved.json`, in the order of the sources."""
    known = mentions.read_proved(ROOT)
    by_function = {each.function: each for each in contracts()}
    known |= {by_function[function].name: by_function[function].of for function in proof.goals}
    for goal in proof.missed:
        known.pop(owner_of(goal, by_function.values()).name, None)
    lines = ",\n".join(
        f"{json.dumps(each.name)}: {json.dumps(known[each.name])}"
        for each in contracts()
        if each.name in known
    )
    (ROOT / mentions.PROVED).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code that the module describes."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.proofs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="only these")
    parser.add_argument("--all", action="store_true", help="including those that have not changed")
    parser.add_argument(
        "--write", action="store_true", help=f"write the proved functions to {mentions.PROVED}"
    )
    options = parser.parse_args(arguments)
    every = contracts()
    if unknown := set(options.functions) - {each.function for each in every}:
        parser.error(f"no function with a contract is named {', '.join(sorted(unknown))}")
    targets = select_contracts(options)
    if not options.functions:
        print(
            f"{len(targets)} of {len(every)} functions with contracts are to be proved", flush=True
        )
    if targets and not shutil.which("frama-c"):
        sys.stderr.write("Frama-C is not installed: bash spec/prove.sh installs it\n")
        return 2
    proofs: dict[str, Proof] = {}
    for file, group in groupby(targets, key=lambda each: each.file):
        proofs[file] = proof = prove_with_retry([*group])
        goals = sum(proof.goals.values())
        summary = f"{goals - len(proof.missed)} of {goals} goals of {len(proof.goals)} functions"
        print(f"{file}: {summary} proved, in {proof.seconds:.0f} s of CPU time", flush=True)
        for goal in proof.missed:
            print(broken(goal, owner_of(goal, targets)), flush=True)
        for warning in proof.warnings:
            print(f"{file}: Frama-C warns: {warning}", flush=True)
        if options.write:
            write_proved(proof)
    is_proved = not any(proof.missed or proof.warnings for proof in proofs.values())
    counted = {file: sum(proof.goals.values()) for file, proof in proofs.items()}
    publish(contracts=len(every), goals=counted)
    return 0 if is_proved else 1


if __name__ == "__main__":
    sys.exit(main())
