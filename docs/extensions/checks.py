"""What the checks established, read from the files that they wrote.

`established` shows the figures of a check, and whether its sources have changed since;
`tests-listed` lists what the tests of a file show, by their docstrings.
"""

from __future__ import annotations

import ast
import datetime
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from quint_source import ROOT, modules
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from spec.checks.established import is_present

Json = Mapping[str, Any]
"""An object as `json` reads it."""

Lines = Iterator[str]
"""Lines of reStructuredText."""

HEADING: Final = re.compile(r"# (\w.+)")
"""What parts a file of tests."""


# Writing reStructuredText


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], kind: str = "") -> Lines:
    """Write a table; `kind` is "numbers" if all but the first column are."""
    yield from (".. list-table::", "   :header-rows: 1", f"   :class: figures {kind}", "")
    for row in (headings, *rows):
        yield from (f"   {'*' if number == 0 else ' '} - {cell}" for number, cell in enumerate(row))
    yield ""


def folded(summary: str, lines: Iterable[str]) -> Lines:
    """Write a part that unfolds."""
    yield from (f".. details:: {summary}", "", *(f"   {line}" for line in lines), "")


def said(number: int, noun: str, nouns: str = "") -> str:
    """Say how many there are."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def day(date: str) -> str:
    """Write a date in words."""
    then = datetime.date.fromisoformat(date)
    return f"{then.day} {then:%B %Y}"


def standing(found: Json) -> Lines:
    """Say when a check ran, and whether on the sources of today."""
    changed = [name for name, stamped in found["sources"].items() if not is_present(stamped)]
    names = " and ".join(found["sources"])
    if not changed:
        yield from (f"Established on {day(found['date'])}, for the present {names}.", "")
        return
    yield from (
        ".. caution::",
        "",
        f"   Established on {day(found['date'])}, for an earlier version of the {names}.",
        f"   What has changed in the {' and '.join(changed)} since then is not covered.",
        "",
    )


# The figures of each check


def explored(found: Json) -> Lines:
    """Write what the exploration of the instances found."""
    instances = found["instances"]
    keys = ("states", "transitions", "depth", "finished", "cut")
    rows = [
        (f":quint:`instances.{name}`", *(f"{each[key]:,}" for key in keys), len(each["witnesses"]))
        for name, each in instances.items()
    ]
    sums = {key: sum(each[key] for each in instances.values()) for key in keys}
    sums["depth"] = max(each["depth"] for each in instances.values())
    total = (f"{sums[key]:,}" for key in keys)
    headings = (
        "instance",
        "positions",
        "transitions",
        "depth",
        "ends",
        "not followed",
        "witnesses",
    )
    yield from table(headings, [*rows, ("all", *total, len(found["witnesses"]))], "numbers")
    yield from (
        f"Reached: all {said(len(found['witnesses']), 'witness', 'witnesses')}. "
        f"Theorems that hold: {', '.join(found['theorems'])}.",
        "",
    )


def witnesses(found: Json) -> Lines:
    """Write in which instances each witness is reached."""
    rows = []
    for name in found["witnesses"]:
        where = [key for key, each in found["instances"].items() if name in each["witnesses"]]
        rows.append((escape(name), ", ".join(f":quint:`instances.{key}`" for key in where)))
    count = said(len(rows), "witness", "witnesses")
    yield from folded(f"{count}, and where each is reached", table(("witness", "instances"), rows))


def replayed(found: Json) -> Lines:
    """Write how much the engine replays."""
    instances = found["instances"].values()
    yield (
        f"Replayed are {said(len(instances), 'instance')} with "
        f"{said(sum(each['states'] for each in instances), 'position')} and "
        f"{said(sum(each['transitions'] for each in instances), 'transition')}."
    )
    yield ""


def mistakes(found: Json) -> Lines:
    """Write how the deliberate mistakes were noticed."""
    every = found["mutations"]
    kinds = Counter(each["by"].partition(" ")[0].partition("_")[0] for each in every.values())
    names = {
        "inv": "by an invariant",
        "trans": "by an invariant of transitions",
        "witness": "because a witness is no longer reached",
        "graph": "because the graph of positions is another",
    }
    yield from (f"All {said(len(every), 'mistake')} were noticed:", "")
    yield from (f"* {kinds[key]} {name}" for key, name in names.items())
    yield ""
    rows = [
        (f"``{name}``", f":quint:`instances.{each['instance']}`", escape(each["how"]))
        for name, each in every.items()
    ]
    yield from folded("Each mistake", table(("mistake", "instance", "how it was noticed"), rows))


def lockstep(found: Json) -> Lines:
    """Write what was compared in lockstep."""
    rows = [
        ("steps compared", found["steps"]),
        ("… with the whole set of legal actions", found["fully"]),
        ("positions after an action compared", found["successors"]),
        ("ends of games compared", found["outcomes"]),
        ("games begun", found["games"]),
        ("**disagreements**", found["divergences"]),
    ]
    minutes = round(found["seconds"] / 60)
    yield from table(
        ("what", "how often"), ((name, f"{count:,}") for name, count in rows), "numbers"
    )
    yield from (f"The run took {said(minutes, 'minute')}, with seed {found['seed']}.", "")
    for title, key in (("rule set", "by_rules"), ("prompt", "by_prompt"), ("action", "by_action")):
        counts = ((escape(name), f"{count:,}") for name, count in found[key].items())
        yield from folded(f"By {title}", table((title, "how often"), counts, "numbers"))


def mutants(found: Json) -> Lines:
    """Write what became of the mutants of the engine."""
    fates = ("mutants", "ill-typed", "caught", "timed out", "survived")
    headings = (
        "module",
        "mutants",
        "rejected by mypy",
        "caught by tests",
        "never ended",
        "survived",
    )
    rows = [
        (f"``{name}``", *(f"{each[fate]:,}" for fate in fates))
        for name, each in found["modules"].items()
    ]
    sums = {fate: sum(each[fate] for each in found["modules"].values()) for fate in fates}
    yield from table(headings, [*rows, ("all", *(f"{sums[fate]:,}" for fate in fates))], "numbers")
    noticed = 1 - sums["survived"] / sums["mutants"]
    met = sums["mutants"] - sums["ill-typed"]
    yield from (
        f"Of all mutants {noticed:.1%} are noticed, and of the {met:,} that the type checker lets "
        f"through {1 - sums['survived'] / met:.1%}.",
        f"Survivors that nobody has explained: {found['unexplained']}.",
        "",
    )
    yield from folded("The survivors, and why nobody can see them", survivors())


def survivors() -> Lines:
    """Write why each survivor survives."""
    text = (ROOT / "spec/checks/mutants/survivors.toml").read_text(encoding="utf-8")
    rows = [
        (f"``{each['function']}``", len(each["mutants"]), quoted(each["reason"]))
        for each in tomllib.loads(text)["survivor"]
    ]
    yield from table(("function", "mutants", "reason"), rows)
    yield from ("Mutants of one function that read alike count as one here.", "")


def fuzzed(found: Json) -> Lines:
    """Write how many documents the fuzzer tried."""
    yield from (
        f"{said(found['documents'], 'damaged document')} in {said(found['seconds'], 'second')}; "
        "none of them did any harm.",
        "",
    )


def quoted(text: str) -> str:
    """Write a text in which code stands between backquotes."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"``{part}``" if n % 2 else escape(part) for n, part in enumerate(parts))


WRITERS: Final[Mapping[str, tuple[str, Callable[[Json], Lines]]]] = {
    "explored": ("spec/explored.json", explored),
    "witnesses": ("spec/explored.json", witnesses),
    "replayed": ("spec/explored.json", replayed),
    "mistakes": ("spec/mutations.json", mistakes),
    "lockstep": ("spec/lockstep.json", lockstep),
    "mutants": ("spec/mutants.json", mutants),
    "fuzzed": ("spec/fuzzed.json", fuzzed),
}
"""For each check the file that it writes, and what writes about it here."""


class Established(SphinxDirective):
    """`.. established:: lockstep`: what a check established, or that there is no record of it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the figures."""
        if self.arguments[0] not in WRITERS:
            raise self.error(f"no check {self.arguments[0]!r}; there are {', '.join(WRITERS)}")
        name, write = WRITERS[self.arguments[0]]
        path = ROOT / name
        if not path.exists():
            unknown = f"   No complete run is on record: there is no ``{name}``."
            return written(self, [".. caution::", "", unknown])
        self.env.note_dependency(path)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return written(self, [*standing(found), *write(found)])
        except (KeyError, TypeError, ValueError) as error:
            raise self.error(f"{name} cannot be read: {error!r}") from error


def written(directive: SphinxDirective, lines: Iterable[str]) -> list[nodes.Node]:
    """Parse lines of reStructuredText, for which a directive is answerable."""
    return directive.parse_text_to_nodes("\n".join(lines))


# What is counted or listed as it is


class Counted(SphinxDirective):
    """`.. counted:: goldens` or `modules`: how many there are."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a sentence."""
        return written(self, [{"goldens": goldens, "modules": all_modules}[self.arguments[0]]()])


def goldens() -> str:
    """Count the games kept in writing."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/goldens").glob("*.txt")]
    turns = sum(text.count("\nturn ") for text in texts)
    return f"Kept in writing are {said(len(texts), 'game')} with {said(turns, 'turn')}."


def all_modules() -> str:
    """Count the modules of the model and their definitions."""
    definitions = sum(1 for module in modules().values() for _ in module.definitions())
    return f"There are {said(len(modules()), 'module')} with {said(definitions, 'definition')}."


class TestsListed(SphinxDirective):
    """`.. tests-listed:: tests/spec/test_lemmas.py`: what the tests of a file show."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a list, in the parts of the file."""
        path = ROOT / self.arguments[0]
        if not path.exists():
            raise self.error(f"there is no {self.arguments[0]}")
        self.env.note_dependency(path)
        return written(self, list(listed(path)))


def listed(path: Path) -> Lines:
    """Write what the tests of a file show."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(ROOT).as_posix()
    for heading, tests in parts(text):
        if heading:
            yield from ("", f"**{escape(heading)}**", "")
        for test in tests:
            shown = " ".join((ast.get_docstring(test) or test.name).split("\n\n")[0].split())
            link = f":source:`{escape(shown.replace('`', ''))} <{name}#L-{test.lineno}>`"
            clauses = ", ".join(f":rule:`{clause}`" for clause in marks(test))
            yield f"* {link}" + (f" ({clauses})" if clauses else "")
    yield ""


def parts(text: str) -> Iterator[tuple[str, list[ast.FunctionDef]]]:
    """Part the tests of a file at its headings."""
    found: dict[int, tuple[str, list[ast.FunctionDef]]] = {0: ("", [])}
    for number, line in enumerate(text.splitlines(), 1):
        if heading := HEADING.fullmatch(line):
            found[number] = (heading[1], [])
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            found[max(number for number in found if number < node.lineno)][1].append(node)
    yield from ((heading, tests) for heading, tests in found.values() if tests)


def marks(test: ast.FunctionDef) -> Iterator[str]:
    """Find the clauses with which a test is marked."""
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="rule"), args=clauses):
                yield from (str(each.value) for each in clauses if isinstance(each, ast.Constant))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    app.add_directive("established", Established)
    app.add_directive("counted", Counted)
    app.add_directive("tests-listed", TestsListed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
