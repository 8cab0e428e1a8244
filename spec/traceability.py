"""Trace every clause of the rulebook to its code, its tests and its formal definition.

Usage: python spec/traceability.py [--matrix | --json]
       python spec/traceability.py (--retire ID ... | --split ID) [--into ID ...]
       python spec/traceability.py --german-holds ID ...

A clause of `spec/clauses` is *implemented* where a docstring of the package names it (`Rules:
BLD-3, BLD-4`), *tested* where a test is marked with it (`@pytest.mark.rule("BLD-3")`), and
*specified* where a comment of the Quint specification names it (`[BLD-3]`).  The functions of
the native twin name clauses as those of Python do, which a test compares.  The check lists every
clause for which one of the three is missing without a written reason, every name that is unknown,
retired, used twice or referred to from one side only, every text that changed while its revision
or its German did not, every sentence of the register (`spec/register.py`) or clause that lacks the
other, and every rule without a deliberate mistake (`spec/mistakes`) that tests of its own have
noticed.  If all is well, it writes `spec/matrix.json`, from which the package of this checkout
tells where a clause is met.  `spec/clauses.lock` remembers the accepted texts and the retired ids,
and what became of those and of clauses that were split; accepted they are by
`python -m spec.checks accept clauses`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

if not __package__:  # run as a script, or by the build
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from spec import register
from spec.checks.mistakes.table import (
    OWING,
    Mistake,
    Verdicts,
    faults_of_all,
    read_mistakes,
    read_verdicts,
)

Kind = Literal["code", "tests", "quint", "native"]
"""Where a clause can be named."""

DUTIES: Final[Mapping[Kind, str]] = {
    "code": "implemented",
    "tests": "tested",
    "quint": "specified",
}
"""What a clause owes to each place, and the key by which a clause is excused from it."""

KINDS: Final[tuple[Kind, ...]] = (*DUTIES, "native")
"""Where a clause is looked for: the native twin may do without, for it has only what plays."""

CHAPTERS: Final = (
    "reading",
    "components",
    "setup",
    "turn",
    "red",
    "building",
    "valette",
    "green",
    "blue",
    "yellow",
    "final_phase",
    "scoring",
    "player_information",
)
"""The chapters in the order of the rulebook; any other chapter comes after them."""

CODE: Final = "src/valletta_rules"
TESTS: Final = "tests"
QUINT: Final = "spec/quint"
NATIVE: Final = "src/native"
CLAUSES: Final = "spec/clauses"
RULINGS: Final = "spec/rulings.toml"
LOCK: Final = "spec/clauses.lock"
MATRIX: Final = "spec/matrix.json"

CLAUSE_ID: Final = re.compile(r"[A-Z]{3}-[1-9][0-9]*")
"""A clause id: the prefix of its chapter and a number."""

BRACKETED: Final = re.compile(r"\[\s*([A-Z]{3}-[0-9]+(?:\s*,\s*[A-Z]{3}-[0-9]+)*)\s*\]")
"""One or more clause ids in square brackets, as Quint comments name them."""

DEFINITION: Final = re.compile(
    r"\s*(?:pure\s+)?(?:def|val|type|action|temporal|run|const|assume)\s+(\w+)"
)
"""The beginning of a definition in Quint."""

FUNCTION_IN_C: Final = re.compile(
    r"^/\* (?P<said>(?:[^*]|\*(?!/))*)\*/\n(?:static )?\w+ \*?(?P<name>\w+)\([^;{]*\)\n\{",
    re.MULTILINE,
)
"""A function of the native twin with the comment before it."""

REMEDY: Final = "python -m spec.checks accept clauses"
"""What accepts a text."""

HEADER: Final = """\
# The accepted texts: clause, revision, fingerprints of the English and the German; retired ids; and
# the clauses that say what another said before.  Written by `python -m spec.checks accept clauses`
# and by `python spec/traceability.py` with `--retire`, `--split` or `--german-holds`.
"""


# ------------------------------------------------------------------------------------ facts


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file of the repository."""

    path: str
    line: int

    def __str__(self) -> str:
        """Write the place as compilers do."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something that breaks the chain from the rulebook to the code, and where."""

    place: Place
    message: str

    def __str__(self) -> str:
        """Write the problem as compilers do."""
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as its chapter states it."""

    id: str
    title: str
    kind: str
    text: str
    german: str
    revision: int
    when: tuple[str, ...]
    follows_from: tuple[str, ...]
    overrides: tuple[str, ...]
    rulings: tuple[str, ...]
    excused: frozenset[Kind]
    why: str
    place: Place

    @property
    def fingerprint(self) -> str:
        """The fingerprint of what the clause says and of when it is in force."""
        return fingerprint_of("\n".join((self.text, *self.when)))

    @property
    def accepted(self) -> Accepted:
        """What the lock holds of the clause when it is accepted as it is."""
        german = fingerprint_of(self.german)
        return Accepted(self.id, self.revision, self.fingerprint, german, self.place)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling, as far as its references go."""

    id: str
    clauses: tuple[str, ...]
    against: tuple[str, ...]
    """The sentences that speak for another reading."""
    place: Place


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names a clause, and the definition to which it belongs."""

    kind: Kind
    clause: str
    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Accepted:
    """A line of the lock on an accepted text, in English and in German."""

    id: str
    revision: int
    fingerprint: str
    german: str
    """The fingerprint of the German; nothing, if it was found to hold for the next revision."""
    place: Place

    def __str__(self) -> str:
        """Write the line."""
        return f"{self.id} {self.revision} {self.fingerprint} {self.german or '-'}"


@dataclass(frozen=True, slots=True)
class Legacy:
    """A line of the lock on a clause that was split or retired: which others say what it said."""

    id: str
    into: tuple[str, ...]
    is_retired: bool
    place: Place

    def __str__(self) -> str:
        """Write the line."""
        into = f" into {' '.join(self.into)}" if self.into else ""
        return f"{'retired' if self.is_retired else 'split'} {self.id}{into}"


@dataclass(frozen=True, slots=True)
class Repository:
    """All that the sources say about clauses, and what could not be read."""

    clauses: tuple[Clause, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    mentions: tuple[Mention, ...] = ()
    lock: tuple[Accepted, ...] = ()
    legacies: tuple[Legacy, ...] = ()
    texts: tuple[register.Text, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    verdicts: Mapping[str, Verdicts] = field(default_factory=dict)
    unreadable: tuple[Problem, ...] = ()
    by_id: Mapping[str, Clause] = field(default_factory=dict)

    @property
    def retired(self) -> frozenset[str]:
        """The ids that must never be used again."""
        return frozenset(legacy.id for legacy in self.legacies if legacy.is_retired)

    def names(self, kind: Kind, clause: str) -> tuple[str, ...]:
        """Name the definitions of a kind that name a clause, each once."""
        found = (m.name for m in self.mentions if m.kind == kind and m.clause == clause)
        return tuple(dict.fromkeys(found))


# --------------------------------------------------------------------------- clauses, rulings


def read_tables(
    root: Path, path: Path, key: str
) -> Iterator[tuple[Place, dict[str, Any]] | Problem]:
    """Read the tables `[[key]]` of a TOML file, each with the place of its heading."""
    name = path.relative_to(root).as_posix()
    try:
        source = path.read_text(encoding="utf-8")
        tables = tomllib.loads(source).get(key, [])
    except (OSError, ValueError) as error:
        yield Problem(Place(name, 1), f"cannot be read: {error}")
        return
    headings = [n for n, line in enumerate(source.splitlines(), 1) if line.strip() == f"[[{key}]]"]
    if len(headings) != len(tables):
        headings = [1] * len(tables)
    for line, table in zip(headings, tables, strict=True):
        yield Place(name, line), table


def read_clauses(root: Path) -> Iterator[Clause | Mention | Problem]:
    """Read every chapter, in the order of the rulebook, and the examples, which are tests."""

    def position(path: Path) -> tuple[int, str]:
        stem = path.stem
        return (CHAPTERS.index(stem) if stem in CHAPTERS else len(CHAPTERS), stem)

    for path in sorted((root / CLAUSES).glob("*.toml"), key=position):
        for read in read_tables(root, path, "clause"):
            yield read if isinstance(read, Problem) else clause_of(*read)
            yield from () if isinstance(read, Problem) else examples_of(*read)


def examples_of(place: Place, table: Mapping[str, Any]) -> Iterator[Mention]:
    """Return the worked examples of a clause, which are tests of it."""
    clause, named_at = str(table.get("id")), Place(place.path, place.line + 1)
    for each in table.get("example", ()):
        name = f"{place.path}::{clause}/{each.get('id')}"
        yield Mention("tests", clause, name, named_at)


def fingerprint_of(text: str) -> str:
    """Return the beginning of the hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def clause_of(place: Place, table: Mapping[str, Any]) -> Clause | Problem:
    """Make a clause of its table; the JSON Schema says more about the table's form."""
    try:
        return Clause(
            id=str(table["id"]),
            title=str(table["title"]),
            kind=str(table["kind"]),
            text=str(table["text"]),
            german=str(table["sentence_de"]),
            revision=int(table["revision"]),
            when=tuple(demand(key, v) for key, v in sorted(table.get("when", {}).items())),
            follows_from=tuple(table.get("follows_from", ())),
            overrides=tuple(table.get("overrides", ())),
            rulings=tuple(table["rulings"]),
            excused=frozenset(kind for kind, duty in DUTIES.items() if not table.get(duty, True)),
            why=str(table.get("why", "")).strip(),
            place=place,
        )
    except KeyError as missing:
        return Problem(place, f"the clause lacks {missing}")


def demand(key: str, allowed: object) -> str:
    """Write what a condition demands, as in `players = 2 or 3`."""
    values = allowed if isinstance(allowed, list) else [allowed]
    return f"{key} = {' or '.join(str(value).lower() for value in values)}"


def read_rulings(root: Path) -> Iterator[Ruling | Problem]:
    """Read the rulings."""
    for read in read_tables(root, root / RULINGS, "ruling"):
        if isinstance(read, Problem):
            yield read
            continue
        place, table = read
        if "id" in table:
            against = tuple(each["sentence"] for each in table.get("against", ()))
            yield Ruling(str(table["id"]), tuple(table.get("clauses", ())), against, place)
        else:
            yield Problem(place, "the ruling lacks 'id'")


# ------------------------------------------------------------------------------------- Python


SIGNS: Final = {CODE: "Rules:", TESTS: "mark.rule"}
"""What stands in every module of a folder that mentions clauses; the others are not parsed."""


def read_python(
    root: Path,
    folder: str,
    mentions: Callable[[ast.Module, str], Iterator[Mention | Problem]],
) -> Iterator[Mention | Problem]:
    """Parse the modules under a folder and collect what they mention."""
    for path in sorted((root / folder).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        try:
            source = path.read_text(encoding="utf-8")
            if SIGNS[folder] not in source:
                continue
            tree = ast.parse(source)
        except (SyntaxError, ValueError) as error:
            line = error.lineno if isinstance(error, SyntaxError) else None
            yield Problem(Place(name, line or 1), f"cannot be read: {error}")
            continue
        yield from mentions(tree, name)


def mentions_in_code(tree: ast.Module, path: str) -> Iterator[Mention | Problem]:
    """Collect the clauses that the docstrings of a module name."""
    stem = path.removeprefix(f"{CODE}/").removesuffix(".py").removesuffix("__init__")
    module = stem.strip("/").replace("/", ".")
    for name, docstring in docstrings(tree, module):
        for place, listed in rules_sections(docstring, path):
            yield from mentions_of("code", listed.split(","), name, place)


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
"""What can have a docstring of its own."""


def docstrings(node: Documented, name: str) -> Iterator[tuple[str, ast.Constant]]:
    """Find the docstrings of a node, of its attributes and of all that it defines."""
    owner = name
    for position, statement in enumerate(node.body):
        text = literal(statement)
        if text is not None and (position == 0 or owner != name):
            yield owner, text
        owner = name
        match statement:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from docstrings(statement, dotted(name, statement.name))
            case (
                ast.Assign(targets=[ast.Name(id=target)])
                | ast.AnnAssign(target=ast.Name(id=target))
            ):
                owner = dotted(name, target)
            case _:
                pass


def literal(statement: ast.stmt) -> ast.Constant | None:
    """Return the string literal of which a statement consists, if it does."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str()) as constant):
            return constant
        case _:
            return None


def dotted(*names: str) -> str:
    """Join names by dots, leaving out empty ones."""
    return ".".join(filter(None, names))


def rules_sections(docstring: ast.Constant, path: str) -> Iterator[tuple[Place, str]]:
    """Find the `Rules:` lines of a docstring, each joined with its indented continuation."""
    assert isinstance(docstring.value, str)
    lines = docstring.value.splitlines()
    margin = min((indent(line) for line in lines[1:] if line.strip()), default=0)
    for number, line in enumerate(lines):
        opening = line.lstrip()
        if not opening.startswith("Rules:"):
            continue
        depth = indent(line) if number else margin
        listed = [opening.removeprefix("Rules:")]
        for following in lines[number + 1 :]:
            if not following.strip() or indent(following) <= depth:
                break
            listed.append(following)
        yield Place(path, docstring.lineno + number), " ".join(listed)


def indent(line: str) -> int:
    """Count the blanks before the text of a line."""
    return len(line) - len(line.lstrip())


def mentions_in_tests(tree: ast.Module, path: str) -> Iterator[Mention | Problem]:
    """Collect the clauses with which the tests of a module are marked."""
    yield from marks(tree, path, path)


def marks(node: ast.AST, name: str, path: str) -> Iterator[Mention | Problem]:
    """Find the rule marks in a node; a mark belongs to the test or class that encloses it."""
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{name}::{child.name}"
        elif isinstance(child, ast.Call) and is_rule_mark(child.func):
            yield from mentions_of_mark(child, name, Place(path, child.lineno))
        yield from marks(child, inner, path)


def is_rule_mark(function: ast.expr) -> bool:
    """Tell whether an expression is `pytest.mark.rule`."""
    match function:
        case ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule"):
            return True
        case _:
            return False


def mentions_of_mark(call: ast.Call, name: str, place: Place) -> Iterator[Mention | Problem]:
    """Read the clauses of a rule mark."""
    owner = name.rpartition("::")[2] if "::" in name else ""
    if owner and not owner.lower().startswith("test"):
        yield Problem(place, f"{owner} is marked with a rule but is no test")
        return
    listed = [
        a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
    ]
    if not listed or len(listed) < len(call.args) + len(call.keywords):
        yield Problem(place, "a rule mark names its clauses by string literals")
        return
    yield from mentions_of("tests", listed, name, place)


def mentions_of(
    kind: Kind, listed: Iterable[str], name: str, place: Place
) -> Iterator[Mention | Problem]:
    """Make a mention of each listed clause."""
    seen: set[str] = set()
    for entry in listed:
        clause = entry.strip()
        if not CLAUSE_ID.fullmatch(clause):
            yield Problem(place, f"{clause!r} is no clause id")
        elif clause in seen:
            yield Problem(place, f"{clause} is named twice")
        else:
            seen.add(clause)
            yield Mention(kind, clause, name, place)


# -------------------------------------------------------------------------------------- Quint


@dataclass(frozen=True, slots=True)
class Remark:
    """A bracketed list of clauses in a comment, waiting for its definition."""

    listed: str
    place: Place
    depth: int


def read_quint(root: Path) -> Iterator[Mention | Problem]:
    """Collect the clauses that the comments of the Quint specification name."""
    for path in sorted((root / QUINT).glob("*.qnt")):
        source = path.read_text(encoding="utf-8")
        yield from mentions_in_quint(source, path.relative_to(root).as_posix())


def mentions_in_quint(source: str, path: str) -> Iterator[Mention | Problem]:
    """Give each comment to its definition.

    A comment on a line of its own belongs to the definition that follows, unless it is indented
    deeper than that and than the definition before it: then, like a comment behind code, it
    belongs to the definition in whose body it stands.
    """
    body, margin = "", -1
    waiting: list[Remark] = []
    for number, code, comment in quint_lines(source):
        if begun := DEFINITION.match(code):
            for remark in waiting:
                is_inside = bool(body) and remark.depth > max(margin, indent(code))
                yield from mentions_of_remark(remark, body if is_inside else begun[1])
            waiting.clear()
            body, margin = begun[1], indent(code)
        for listed in BRACKETED.findall(comment):
            remark = Remark(listed, Place(path, number), len(code))
            if code.strip() and body:
                yield from mentions_of_remark(remark, body)
            else:
                waiting.append(remark)
    for remark in waiting:
        if body and remark.depth > margin:
            yield from mentions_of_remark(remark, body)
        else:
            yield Problem(remark.place, f"no definition follows [{remark.listed}]")


def quint_lines(source: str) -> Iterator[tuple[int, str, str]]:
    """Split each line of a Quint module into its code and its comment."""
    within = False
    for number, line in enumerate(source.splitlines(), 1):
        if within:
            comment, end, _ = line.partition("*/")
            within = not end
            yield number, line[: indent(line)], comment
            continue
        opening = re.search(r"//|/\*", line)
        if opening is None:
            yield number, line, ""
            continue
        comment = line[opening.end() :]
        within = opening[0] == "/*" and "*/" not in comment
        yield number, line[: opening.start()], comment


def mentions_of_remark(remark: Remark, definition: str) -> Iterator[Mention | Problem]:
    """Read the clauses of a remark for the definition to which it belongs."""
    name = f"{remark.place.path.rpartition('/')[2]}::{definition}"
    yield from mentions_of("quint", remark.listed.split(","), name, remark.place)


# -------------------------------------------------------------------------------------- native


def read_native(root: Path) -> Iterator[Mention | Problem]:
    """Collect the clauses that the functions of the native twin name."""
    for path in sorted((root / NATIVE).glob("*.c")):
        source = path.read_text(encoding="utf-8")
        yield from mentions_in_c(source, path.relative_to(root).as_posix())


def mentions_in_c(source: str, path: str) -> Iterator[Mention | Problem]:
    """Give each list of clauses to the function before which it stands, or to the whole file."""
    file = path.rpartition("/")[2]
    names = {source.find("*/"): file} if source.startswith("/*") else {}
    for found in FUNCTION_IN_C.finditer(source):
        names[found.end("said")] = f"{file}::{found['name']}"
    for rules in re.finditer(r"Rules:((?:[^*]|\*(?!/))*)", source):
        place = Place(path, source.count("\n", 0, rules.start()) + 1)
        if name := names.get(rules.end()):
            yield from mentions_of("native", rules[1].replace("*", " ").split(","), name, place)
        else:
            yield Problem(place, "no function follows its rules")


# --------------------------------------------------------------------------------------- lock


def read_lock(root: Path) -> Iterator[Accepted | Legacy | Problem]:
    """Read the lock; a repository without one has accepted nothing yet."""
    path = root / LOCK
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        place = Place(LOCK, number)
        match line.split():
            case []:
                pass
            case [first, *_] if first.startswith("#"):
                pass
            case ["retired", clause]:
                yield Legacy(clause, (), True, place)
            case ["retired" | "split" as fate, clause, "into", heir, *heirs]:
                yield Legacy(clause, (heir, *heirs), fate == "retired", place)
            case [clause, n, fingerprint, german] if n.isdecimal() and int(n) > 0:
                yield Accepted(clause, int(n), fingerprint, german.strip("-"), place)
            case _:
                yield Problem(place, f"{line!r} is no line of a lock")


def write_lock(root: Path, texts: Iterable[Accepted], legacies: Iterable[Legacy]) -> None:
    """Write the lock, sorted by chapter and number."""

    def position(line: Accepted | Legacy) -> tuple[str, int]:
        prefix, _, number = line.id.partition("-")
        return prefix, int(number) if number.isdecimal() else 0

    lines = [*map(str, sorted(texts, key=position)), *map(str, sorted(legacies, key=position))]
    (root / LOCK).write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


# ------------------------------------------------------------------------------------- checks


def read_repository(root: Path) -> Repository:
    """Read all that the repository says about clauses."""
    read = [
        *read_clauses(root),
        *read_rulings(root),
        *read_python(root, CODE, mentions_in_code),
        *read_python(root, TESTS, mentions_in_tests),
        *read_quint(root),
        *read_native(root),
        *read_lock(root),
    ]
    texts, faults = register.read(root)
    read += problems_of(faults)
    clauses = tuple(fact for fact in read if isinstance(fact, Clause))
    return Repository(
        clauses=clauses,
        rulings=tuple(fact for fact in read if isinstance(fact, Ruling)),
        mentions=tuple(fact for fact in read if isinstance(fact, Mention)),
        lock=tuple(fact for fact in read if isinstance(fact, Accepted)),
        legacies=tuple(fact for fact in read if isinstance(fact, Legacy)),
        texts=tuple(texts),
        mistakes=read_mistakes(root),
        verdicts=read_verdicts(root),
        unreadable=tuple(fact for fact in read if isinstance(fact, Problem)),
        by_id={clause.id: clause for clause in clauses},
    )


def problems(repository: Repository) -> list[Problem]:
    """List everything that is wrong, in the order of files and lines."""
    found = [
        *repository.unreadable,
        *identity_problems(repository),
        *duty_problems(repository),
        *mention_problems(repository),
        *kind_problems(repository),
        *legacy_problems(repository),
        *ruling_problems(repository),
        *register_problems(repository),
        *mistake_problems(repository),
        *revision_problems(repository),
        *unaccepted(repository),
    ]
    return sorted(found)


def identity_problems(repository: Repository) -> Iterator[Problem]:
    """Report ids that are malformed, given twice, or retired and used again."""
    if not repository.clauses:
        yield Problem(Place(CLAUSES, 1), "there are no clauses")
    for kind, facts in (("clause", repository.clauses), ("ruling", repository.rulings)):
        count: Counter[str] = Counter()
        for fact in facts:
            count[fact.id] += 1
            if count[fact.id] > 1:
                yield Problem(fact.place, f"the {kind} {fact.id} is there twice")
    for clause in repository.clauses:
        if not CLAUSE_ID.fullmatch(clause.id):
            yield Problem(clause.place, f"{clause.id!r} is no clause id")
        if clause.id in repository.retired:
            yield Problem(clause.place, f"{clause.id} is retired and must not be used again")


def duty_problems(repository: Repository) -> Iterator[Problem]:
    """Report clauses that are not implemented, tested or specified, and stale excuses."""
    for clause in repository.clauses:
        if clause.excused and not clause.why:
            yield Problem(clause.place, f"{clause.id} is excused without a reason (why)")
        for kind, duty in DUTIES.items():
            names = repository.names(kind, clause.id)
            if kind in clause.excused and names:
                yield Problem(clause.place, f"{clause.id} says {duty} = false, but see {names[0]}")
            elif kind not in clause.excused and not names:
                yield Problem(clause.place, f"{clause.id} ({clause.title}) is not {duty}")


def mention_problems(repository: Repository) -> Iterator[Problem]:
    """Report mentions of clauses that do not exist."""
    for mention in repository.mentions:
        yield from reference_problems(repository, mention.clause, mention.name, mention.place)


def reference_problems(
    repository: Repository, clause: str, name: str, place: Place
) -> Iterator[Problem]:
    """Report a reference to a clause that does not exist, or no longer."""
    if clause in repository.retired:
        yield Problem(place, f"{name} names {clause}, which is retired")
    elif clause not in repository.by_id:
        yield Problem(place, f"{name} names {clause}, which is no clause")


def kind_problems(repository: Repository) -> Iterator[Problem]:
    """Report consequences of nothing, exceptions to nothing, and either by another name."""
    for clause in repository.clauses:
        for named, kind, key in (
            (clause.follows_from, "consequence", "follows_from"),
            (clause.overrides, "exception", "overrides"),
        ):
            if bool(named) != (clause.kind == kind):
                has = f"has {key}" if named else f"lacks {key}"
                yield Problem(clause.place, f"{clause.id} is of kind {clause.kind} and {has}")
            for other in named:
                yield from reference_problems(repository, other, clause.id, clause.place)
        if clause.id in grounds(repository, clause):
            yield Problem(clause.place, f"{clause.id} follows from itself")


def legacy_problems(repository: Repository) -> Iterator[Problem]:
    """Report heirs that do not exist, unless what became of them is told in turn."""
    for legacy in repository.legacies:
        for heir in legacy.into:
            if heir not in repository.retired:
                yield from reference_problems(repository, heir, str(legacy), legacy.place)


def grounds(repository: Repository, clause: Clause) -> set[str]:
    """Return the clauses from which one follows, and those from which they follow, and so on."""
    found: set[str] = set()
    left = [*clause.follows_from]
    while left:
        name = left.pop()
        if name not in found and name in repository.by_id:
            left += repository.by_id[name].follows_from
        found.add(name)
    return found


def ruling_problems(repository: Repository) -> Iterator[Problem]:
    """Report references between clauses and rulings that are unknown or one-sided."""
    rulings = {ruling.id: ruling for ruling in repository.rulings}
    for clause in repository.clauses:
        for name in clause.rulings:
            if name not in rulings:
                yield Problem(clause.place, f"{clause.id} depends on {name}, which is no ruling")
            elif clause.id not in rulings[name].clauses:
                yield Problem(clause.place, f"{clause.id} names the ruling {name}, not the reverse")
    for ruling in repository.rulings:
        if not ruling.clauses:
            yield Problem(ruling.place, f"the ruling {ruling.id} touches no clause")
        for name in ruling.clauses:
            yield from reference_problems(repository, name, f"the ruling {ruling.id}", ruling.place)
            known = repository.by_id.get(name)
            if known is not None and ruling.id not in known.rulings:
                yield Problem(ruling.place, f"the ruling {ruling.id} names {name}, not the reverse")


def register_problems(repository: Repository) -> Iterator[Problem]:
    """Report where the register and the clauses do not belong together."""
    clauses = {clause.id: (clause.kind, clause.rulings) for clause in repository.clauses}
    rulings = {ruling.id: ruling.clauses for ruling in repository.rulings}
    sentences = {each.id for text in repository.texts for each in text.sentences}
    for ruling in repository.rulings:
        for name in ruling.against:
            if name not in sentences:
                message = f"against the ruling {ruling.id} stands {name}, which is no sentence"
                yield Problem(ruling.place, message)
    yield from problems_of(register.problems(repository.texts, clauses, rulings))


def mistake_problems(repository: Repository) -> Iterator[Problem]:
    """Report rules, and functions of the native twin, without a deliberate mistake."""
    owing = {
        clause.id: (clause.place.path, clause.place.line)
        for clause in repository.clauses
        if clause.kind in OWING and not clause.excused & {"code", "tests"}
    }
    chapters = {
        f"{Path(each.place.path).stem}.c"
        for each in repository.mentions
        if each.kind == "code" and "/rulebook/" in each.place.path
    }
    owing |= {
        each.name: (each.place.path, each.place.line)
        for each in repository.mentions
        if each.kind == "native" and "::" in each.name and each.name.partition("::")[0] in chapters
    }
    yield from problems_of(faults_of_all(owing, repository.mistakes, repository.verdicts))
    for mistake in repository.mistakes:
        place = Place(mistake.path, mistake.line)
        yield from reference_problems(repository, mistake.clause, mistake.name, place)


def problems_of(faults: Iterable[register.Fault]) -> Iterator[Problem]:
    """Make problems of what the register reports."""
    return (Problem(Place(path, line), message) for path, line, message in faults)


def revision_problems(repository: Repository) -> Iterator[Problem]:
    """Report what must never be accepted: texts changed in silence, ids that disappeared."""
    for entry in repository.lock:
        clause = repository.by_id.get(entry.id)
        if clause is None:
            yield Problem(entry.place, f"{entry.id} has disappeared and is not retired")
        elif clause.revision < entry.revision:
            yield Problem(clause.place, f"the revision of {clause.id} went down")
        elif clause.revision == entry.revision and clause.fingerprint != entry.fingerprint:
            yield Problem(clause.place, f"{clause.id} changed, its revision did not")
        elif clause.revision > entry.revision and clause.accepted.german == entry.german:
            remedy = f"if it says the same, --german-holds {clause.id}"
            yield Problem(clause.place, f"{clause.id} changed, its German did not ({remedy})")


def unaccepted(repository: Repository) -> Iterator[Problem]:
    """Report texts that the lock does not hold yet."""
    accepted = {(entry.id, entry.revision, entry.german) for entry in repository.lock}
    for clause in repository.clauses:
        new = (clause.id, clause.revision, clause.accepted.german) not in accepted
        if new and clause.id not in repository.retired:
            yield Problem(clause.place, f"{clause.id} is not in {LOCK} ({REMEDY})")


# ----------------------------------------------------------------------------------- commands


def check(root: Path) -> int:
    """Report every problem; return 1 if there is one, else 0."""
    repository = read_repository(root)
    found = problems(repository)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(repository.clauses)} clauses, {len(found)} problems")
    if found:
        return 1
    write_matrix(root, repository)
    return 0


def matrix(root: Path) -> int:
    """Print clause by clause where it is implemented, tested and specified, and where natively."""
    repository = read_repository(root)
    print("| clause | code | tests | Quint definition | native twin |")
    print("| --- | --- | --- | --- | --- |")
    for clause in repository.clauses:
        cells = [cell(repository, clause, kind) for kind in KINDS]
        print(f"| {clause.id} {clause.title} | {' | '.join(cells)} |")
    return 0


def places(repository: Repository) -> dict[str, dict[str, list[list[str | int]]]]:
    """Return what names each clause: by clause and kind, lists of a name, a file and a line."""
    found: dict[str, dict[str, list[list[str | int]]]] = {
        clause.id: {kind: [] for kind in KINDS} for clause in repository.clauses
    }
    for mention in repository.mentions:
        named = found.get(mention.clause, {}).get(mention.kind, [])
        if not any(mention.name == name for name, *_ in named):
            named.append([mention.name, mention.place.path, mention.place.line])
    return found


def write_matrix(root: Path, repository: Repository) -> None:
    """Write where each clause is met, for the package in this checkout; nobody commits it."""
    new = root / f"{MATRIX}.{os.getpid()}"  # another process may be reading
    new.write_text(json.dumps(places(repository)), encoding="utf-8")
    new.replace(root / MATRIX)


def refresh_matrix(root: Path, read: Callable[[Path], Repository] = read_repository) -> None:
    """Write it if there is none, or if a source is younger than it; then the sources are read."""
    matrix = root / MATRIX
    then = matrix.stat().st_mtime if matrix.exists() else 0
    folders = (
        *((CODE, "*.py"), (TESTS, "*.py"), (QUINT, "*.qnt")),
        *((NATIVE, "*.c"), (CLAUSES, "*.toml")),
    )
    sources = (path for folder, files in folders for path in (root / folder).rglob(files))
    if any(path.stat().st_mtime > then for path in sources):
        write_matrix(root, read(root))


def cell(repository: Repository, clause: Clause, kind: Kind) -> str:
    """Write one cell of the matrix."""
    names = ", ".join(f"`{name}`" for name in repository.names(kind, clause.id))
    if names or kind not in DUTIES:
        return names
    return f"({clause.why})" if kind in clause.excused else "**missing**"


def accept(root: Path) -> int:
    """Write the present texts into the lock, unless one changed in silence or disappeared."""
    repository = read_repository(root)
    about_clauses = [p for p in repository.unreadable if p.place.path.startswith(f"{CLAUSES}/")]
    about_lock = [p for p in repository.unreadable if p.place.path == LOCK]
    refusals = sorted(
        (
            *about_clauses,
            *about_lock,
            *identity_problems(repository),
            *revision_problems(repository),
        )
    )
    if refusals:
        print(*refusals, sep="\n")
        print("nothing accepted")
        return 1
    write_lock(root, (each.accepted for each in repository.clauses), repository.legacies)
    print(f"{len(repository.clauses)} clauses accepted")
    return 0


def retire(root: Path, ids: Sequence[str], into: Sequence[str]) -> int:
    """Retire ids whose clauses have been removed, for good; others may say what they said."""
    repository = read_repository(root)
    if refusals := [*retirement_problems(repository, ids)]:
        print(*refusals, "nothing retired", sep="\n")
        return 1
    kept = [entry for entry in repository.lock if entry.id not in ids]
    new = [Legacy(clause, tuple(into), True, Place(LOCK, 1)) for clause in ids]
    write_lock(root, kept, (*repository.legacies, *new))
    print(*new, sep="\n")
    return 0


def split(root: Path, clause: str, into: Sequence[str]) -> int:
    """Remember that other clauses say now a part of what a clause said, which has kept its id."""
    repository = read_repository(root)
    strangers = [each for each in (clause, *into) if each not in repository.by_id]
    if strangers or not into:
        print(f"no clause {', '.join(strangers)}" if strangers else "--split goes with --into")
        return 1
    new = Legacy(clause, tuple(into), False, Place(LOCK, 1))
    write_lock(root, repository.lock, (*repository.legacies, new))
    print(new)
    return 0


def german_holds(root: Path, ids: Sequence[str]) -> int:
    """Remember that the German of clauses also says what their English says now."""
    repository = read_repository(root)
    texts = [replace(each, german="") if each.id in ids else each for each in repository.lock]
    write_lock(root, texts, repository.legacies)
    print(f"the German of {', '.join(ids)} holds; now {REMEDY}")
    return 0


def retirement_problems(repository: Repository, ids: Sequence[str]) -> Iterator[Problem]:
    """Report ids that cannot be retired."""
    yield from (p for p in repository.unreadable if p.place.path == LOCK)
    accepted = {entry.id for entry in repository.lock}
    for clause in ids:
        if clause in repository.by_id:
            yield Problem(repository.by_id[clause].place, f"{clause} is still a clause")
        elif clause not in accepted:
            yield Problem(Place(LOCK, 1), f"{clause} was never accepted")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 if all is well, 1 if not."""
    parser = argparse.ArgumentParser(
        description="Check that every clause is implemented, tested and specified."
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(__file__).resolve().parents[1],
        help="the repository (by default the one this file lies in)",
    )
    command = parser.add_mutually_exclusive_group()
    command.add_argument("--matrix", action="store_true", help="print where each clause is met")
    command.add_argument("--json", action="store_true", help="print the same for programs")
    command.add_argument("--retire", nargs="+", metavar="ID", help="retire ids for good")
    command.add_argument("--split", metavar="ID", help="remember that a clause was split")
    command.add_argument(
        "--german-holds", nargs="+", metavar="ID", help="the German says what the English says now"
    )
    parser.add_argument("--into", nargs="+", default=(), metavar="ID", help="what says it now")
    chosen = parser.parse_args(arguments)
    root: Path = chosen.root
    if chosen.retire:
        return retire(root, chosen.retire, chosen.into)
    if chosen.split:
        return split(root, chosen.split, chosen.into)
    if chosen.german_holds:
        return german_holds(root, chosen.german_holds)
    if chosen.json:
        print(json.dumps(places(read_repository(root)), indent=1))
        return 0
    return matrix(root) if chosen.matrix else check(root)


if __name__ == "__main__":
    sys.exit(main())
