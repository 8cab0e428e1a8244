"""Trace every clause of the rulebook to its code, its tests and its formal statements.

Usage: python spec/traceability.py

The check reads the specification, the mentions of its clauses (`spec/mentions.py`), and its lock.
It lists every file that violates its schema (`spec/schema`).  If all files are valid, it lists:

- every clause that is not implemented, tested, specified or formally stated, without a written
  reason;
- every reference to a clause or ruling that does not exist or is retired;
- every id that is used twice, and every reference that is required in both directions but exists
  in only one;
- every clause whose text changed without a new revision or a new German translation;
- every sentence without a clause, every clause without a sentence, and every rule without a mutant
  (`spec/mutants`);
- every table without an entry for a character, a prompt, an action or an event
  (`spec/tables.toml`);
- every clause in the contract of a function that is not proved (`spec/proved.json`).

If there are no defects, it writes `spec/matrix.json`, from which the package in this checkout reads
the code and the tests for each clause.  `spec/clauses.lock` contains fingerprints of the accepted
texts; `python -m spec.checks accept clauses` writes them.  The lock also lists retired ids, and ids
of clauses that were split, each with its successors.  These two lists are maintained by hand.
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped, unused-ignore]  # stubs come with [lint]
import referencing

if not __package__:  # run as a script
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from spec import mentions
from spec.checks.mutants.table import OWING, TABLES, read_mutants
from spec.statements.judge import load
from spec.tables import gaps
from valletta_rules.specification.files import Place, SourceSentence, Specification

DUTIES: Final[Mapping[mentions.MentionKind, str]] = {
    "code": "implemented",
    "tests": "tested",
    "quint": "specified",
}
"""The kinds of mention that each clause needs, each with the field that can exempt a clause."""

BINDING_KINDS: Final = ("rule", "exception", "consequence")
"""The kinds of clause that need a formal statement other than a definition."""

MOST_UNSTATED: Final = 20
"""The maximum number of clauses that may lack a formal statement."""

RESTING: Final = ("definition", "rule", "exception", "fact")
"""The kinds of clause that must be supported by a ruling or by a sentence of the rulebooks."""

BINDING: Final = ("rule", "permission", "prohibition")
"""The levels of sentences that must state or imply at least one clause."""

FIRM: Final = frozenset({"states", "implies"})
"""The relations by which a sentence supports a clause."""

CLAUSES: Final = "spec/clauses"
RULINGS: Final = "spec/rulings.toml"
LOCK: Final = "spec/clauses.lock"
SCHEMAS: Final = Path(__file__).with_name("schema")

SHAPES: Final[Mapping[str, str]] = {
    "spec/clauses/*.toml": "clauses",
    "spec/texts/*.toml": "texts",
    "spec/mutants/*.toml": "mutants",
    RULINGS: "rulings",
    "spec/glossary.toml": "glossary",
    "spec/everyday.toml": "everyday",
    LOCK: "lock",
}
"""The names of the schemas for files, keyed by a pattern for the paths of the files."""

ACCEPT: Final = "python -m spec.checks accept clauses"
"""The command that accepts changed texts of clauses.  Messages name it."""

HEADER: Final = """\
# The accepted version of each clause: its revision, and fingerprints of the English and the German.
# `-` replaces the fingerprint of a language whose text also holds for the next revision.
# `python -m spec.checks accept clauses` writes these lines.  Two kinds are written by hand:
# retired ids, and ids of clauses that were divided, with the clauses that now state their parts.

"""


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """A defect in the links from the rulebook to the code, with its file and line."""

    place: Place
    message: str

    def __str__(self) -> str:
        """Return the defect in the format of compilers: ``file:line: message``."""
        return f"{self.place}: {self.message}"


class Repository:
    """The clauses of a repository, and everything that refers to them.

    The files of the repository must match their schemas.
    """

    def __init__(self, root: Path) -> None:
        """Parse the specification of a repository, and collect all mentions of its clauses."""
        specification = Specification(root / "spec")
        self.chapters = specification.chapters
        self.clauses = specification.clauses
        self.rulings = specification.rulings
        self.texts = specification.texts
        self.sentences = [each for text in self.texts for each in text.sentences]
        self.mentions = tuple(mentions.read_mentions(root, self.clauses))
        self.mutants = read_mutants(root)
        self.ensured = tuple(mentions.ensured(root))
        self.proved = mentions.read_proved(root)
        self.lock = specification.lock
        self.by_id = {clause.id: clause for clause in self.clauses}

    @property
    def retired(self) -> dict[str, list[str]]:
        """The retired ids, which must not be used again, each with its successors."""
        retired: dict[str, list[str]] = self.lock["retired"]
        return retired

    def names(self, kind: mentions.MentionKind, clause: str) -> tuple[str, ...]:
        """Return the names of definitions that mention a clause; `kind` is the kind of mention."""
        matching = (m.name for m in self.mentions if m.kind == kind and m.clause == clause)
        return tuple(dict.fromkeys(matching))


# The form of the files


def shapes(root: Path) -> Iterator[Defect]:
    """Yield a defect for each file that cannot be parsed or that violates its schema."""
    for pattern, schema in SHAPES.items():
        for path in sorted(root.glob(pattern)):
            file = path.relative_to(root).as_posix()
            try:
                content = tomllib.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                yield Defect(Place(file, 1), f"cannot be read: {error}")
                continue
            for wrong in validator(schema).iter_errors(content):
                table, where = content, [*wrong.absolute_path]
                if where[1:] and isinstance(where[1], int):
                    placed = Specification(root / "spec").parse(file.removeprefix("spec/"))
                    table = placed[where[0]][where[1]]
                    where[:2] = [table.get("id", table.get("term", where[0]))]
                message = f"{'.'.join(map(str, where))}: {wrong.message}"
                yield Defect(table.get("place", Place(file, 1)), shorten(message, 200))


@cache
def validator(name: str) -> Any:
    """Return the validator for a JSON Schema in `spec/schema`; schemas may refer to each other."""
    schemas = {path.name: json.loads(path.read_text("utf-8")) for path in SCHEMAS.glob("*.json")}
    known = (referencing.Resource.from_contents(schema) for schema in schemas.values())
    registry: referencing.Registry[Any] = [*known] @ referencing.Registry()
    return jsonschema.Draft202012Validator(schemas[f"{name}.schema.json"], registry=registry)


# The rules of the check


def ids_are_unique(repository: Repository) -> Iterator[Defect]:
    """Yield clauses or rulings that share an id, and clauses that share a text or a title."""
    keys = ("id", "text", "sentence_de", "title", "title_de")
    facts = [(clause, key, getattr(clause, key)) for key in keys for clause in repository.clauses]
    earlier: set[tuple[str, object]] = set()
    for clause, key, value in facts:
        if (key, value) in earlier:
            yield Defect(clause.place, f"another clause has the same {key} as {clause.id}")
        earlier.add((key, value))
    count = Counter(ruling["id"] for ruling in repository.rulings)
    for ruling in repository.rulings:
        if count[ruling["id"]] > 1:
            yield Defect(ruling["place"], f"the ruling {ruling['id']} occurs twice")


def ids_are_consecutive(repository: Repository) -> Iterator[Defect]:
    """Yield chapters in wrong files, gaps in the numbers of clauses, and reused retired ids."""
    for chapter in repository.chapters:
        place = chapter.clause[0].place
        if Path(place.path).stem != chapter.chapter:
            yield Defect(place, f"the chapter {chapter.chapter} is in another file")
        retired = {each for each in repository.retired if each.startswith(f"{chapter.prefix}-")}
        ids = {clause.id for clause in chapter.clause}
        wanted = {f"{chapter.prefix}-{n}" for n in range(1, len(ids | retired) + 1)}
        if left_out := wanted - ids - retired:
            yield Defect(place, f"the chapter {chapter.chapter} lacks {min(left_out)}")
        for id in ids & retired:
            yield Defect(place, f"{id} is retired and must not be used again")


def duties_are_done(repository: Repository) -> Iterator[Defect]:
    """Yield clauses that lack code, tests or a specification, unless they are exempt.

    A clause that is exempt but has them is also a defect.
    """
    for clause in repository.clauses:
        for kind, duty in DUTIES.items():
            names, is_due = repository.names(kind, clause.id), getattr(clause, duty)
            if is_due and not names:
                yield Defect(clause.place, f"{clause.id} ({clause.title}) is not {duty}")
            elif names and not is_due:
                yield Defect(
                    clause.place, f"{clause.id} has {duty} = false, but {names[0]} mentions it"
                )


def clauses_are_stated(repository: Repository) -> Iterator[Defect]:
    """Yield clauses with neither a formal statement nor a reason for lacking one, or with both.

    At most `MOST_UNSTATED` clauses may lack a statement.
    """
    kinds: dict[str, set[str]] = {}
    for statement in load():
        for id in statement.clauses:
            kinds.setdefault(id, set()).add(statement.kind)
    for clause in repository.clauses:
        statement_kinds = kinds.get(clause.id, set())
        statement_kinds -= {"defines"} if clause.kind in BINDING_KINDS else set()
        if not statement_kinds and not clause.unstated:
            yield Defect(clause.place, f"{clause.id} ({clause.title}) has no statement")
        elif statement_kinds and clause.unstated:
            yield Defect(clause.place, f"{clause.id} is marked as unstated, but has a statement")
    without = [clause for clause in repository.clauses if clause.unstated]
    for clause in without[MOST_UNSTATED:]:
        yield Defect(clause.place, f"more than {MOST_UNSTATED} clauses have no statement")


def names(repository: Repository) -> Iterator[tuple[Place, str, str]]:
    """Yield every reference to a clause: file and line, the name of the referring item, the id."""
    for each in repository.mentions:
        yield each.place, each.name, each.clause
    for clause in repository.clauses:
        for other in (*clause.follows_from, *clause.overrides):
            yield clause.place, clause.id, other
    for ruling in repository.rulings:
        for id in ruling["clauses"]:
            yield ruling["place"], f"the ruling {ruling['id']}", id
    for sentence in repository.sentences:
        for id in sentence.relations:
            yield sentence.place, f"the sentence {sentence.id}", id
    for mutant in repository.mutants:
        yield mutant.place, mutant.name, mutant.clause
    for fate in ("split", "retired"):
        for id, heirs in repository.lock[fate].items():
            for heir in set(heirs) - set(repository.retired):
                yield Place(LOCK, 1), f"{id}, which was {fate},", heir


def names_are_of_clauses(repository: Repository) -> Iterator[Defect]:
    """Yield references to clauses that are retired or do not exist."""
    for place, name, clause in names(repository):
        if clause in repository.retired:
            yield Defect(place, f"{name} names {clause}, which is retired")
        elif clause not in repository.by_id:
            yield Defect(place, f"{name} names an unknown clause: {clause}")


def mentions_are_definitions(repository: Repository) -> Iterator[Defect]:
    """Yield mentions of clauses outside of definitions and tests, and duplicate mentions."""
    for each, count in Counter(repository.mentions).items():
        file, inner, test = each.name.rpartition("::")
        if not each.name:
            yield Defect(each.place, f"the mention of {each.clause} belongs to no definition")
        is_test = file.endswith(".toml") or test.lower().startswith("test")
        if each.kind == "tests" and inner and not is_test:
            yield Defect(each.place, f"{test} is marked with a rule but is not a test")
        if count > 1:
            yield Defect(each.place, f"{each.name} names {each.clause} twice")


def kinds_have_their_clauses(repository: Repository) -> Iterator[Defect]:
    """Yield clauses whose kind contradicts their references, or that follow from themselves."""
    for clause in repository.clauses:
        for kind, key in (("consequence", "follows_from"), ("exception", "overrides")):
            if bool(getattr(clause, key)) != (clause.kind == kind):
                has = "lacks" if clause.kind == kind else "has"
                yield Defect(clause.place, f"{clause.id} is of kind {clause.kind} and {has} {key}")
    try:
        TopologicalSorter({each.id: each.follows_from for each in repository.clauses}).prepare()
    except CycleError as error:
        for id in sorted({*error.args[1]}):
            yield Defect(repository.by_id[id].place, f"{id} follows from itself")


def rulings_and_clauses_name_one_another(repository: Repository) -> Iterator[Defect]:
    """Yield a defect if a ruling names a clause, or a clause a ruling, but not vice versa."""
    named = {(id, each.id): each.place for each in repository.clauses for id in each.rulings}
    naming = {(it["id"], id): it["place"] for it in repository.rulings for id in it["clauses"]}
    for ruling, clause in named.keys() - naming.keys():
        where = named[ruling, clause]
        yield Defect(where, f"{clause} names the ruling {ruling}, which does not name it")
    for ruling, clause in naming.keys() - named.keys():
        where = naming[ruling, clause]
        yield Defect(where, f"the ruling {ruling} names {clause}, which does not name it")


def objections_are_sentences(repository: Repository) -> Iterator[Defect]:
    """Yield rulings with an objection that refers to a nonexistent sentence."""
    sentences = {each.id for each in repository.sentences}
    for ruling in repository.rulings:
        for each in ruling["against"]:
            if each["sentence"] not in sentences:
                problem = f"the ruling {ruling['id']} has an objection from an unknown sentence"
                yield Defect(ruling["place"], f"{problem}: {each['sentence']}")


def sentences_are_distinct(repository: Repository) -> Iterator[Defect]:
    """Yield sentences in wrong files, duplicates, and references to nonexistent sentences."""
    sentences = [(text, each) for text in repository.texts for each in text.sentences]
    count = Counter(each.id for _, each in sentences)
    own = {each.id for _, each in sentences if not each.repeats}
    prints: set[tuple[str, str]] = set()
    for text, each in sentences:
        file = Path(each.place.path).stem
        if count[each.id] > 1 or not each.id.startswith(f"{text.id}-") or text.id != file:
            yield about(each, f"occurs twice, or does not belong to the text {file}")
        if each.repeats and each.repeats not in own:
            yield about(each, "repeats a sentence that does not exist, or is a repetition itself")
        if (text.id, each.print) in prints and not each.repeats:
            yield about(each, "has the words of another sentence, but does not repeat it")
        prints.add((text.id, each.print))


def about(sentence: SourceSentence, message: str) -> Defect:
    """Return a defect with the file and line of a sentence."""
    return Defect(sentence.place, f"the sentence {sentence.id} {message}")


def sentences_have_clauses(repository: Repository) -> Iterator[Defect]:
    """Yield sentences with neither clauses nor a reason for that, or without a needed ruling."""
    rulings = {ruling["id"]: ruling["clauses"] for ruling in repository.rulings}
    for each in repository.sentences:
        for clause, relation in each.relations.items():
            if relation == "contradicts" and clause not in rulings.get(each.ruling, ()):
                yield about(each, f"contradicts {clause}, and names no ruling on it")
        if each.ruling and each.ruling not in rulings:
            yield about(each, f"names an unknown ruling: {each.ruling}")
        if bool(each.relations) + bool(each.none) + (each.level == "flavour") != 1:
            yield about(each, "must name clauses, or say why it names none")
        is_loose = each.relations and FIRM.isdisjoint(each.relations.values())
        if each.level in BINDING and is_loose and not each.ruling:
            yield about(each, "neither states nor implies a clause, and no ruling supports it")


def clauses_rest_on_sentences(repository: Repository) -> Iterator[Defect]:
    """Yield clauses that a sentence or a ruling must support, but that none supports."""
    relations = [each.relations for each in repository.sentences]
    supported = {id for named in relations for id, relation in named.items() if relation in FIRM}
    for clause in repository.clauses:
        if clause.kind in RESTING and clause.id not in supported and not clause.rulings:
            message = f"no sentence states or implies {clause.id}, and no ruling supports it"
            yield Defect(clause.place, message)


def mutants_are_listed(repository: Repository) -> Iterator[Defect]:
    """Yield rules and native functions without a mutant, and mutants that occur twice."""
    owing = {
        clause.id: clause.place
        for clause in repository.clauses
        if clause.kind in OWING and clause.implemented and clause.tested
    }
    chapters = {
        f"{Path(each.place.path).stem}.c"
        for each in repository.mentions
        if each.kind == "code" and "/rulebook/" in each.place.path
    }
    owing |= {
        each.name: each.place
        for each in repository.mentions
        if each.kind == "native" and "::" in each.name and each.name.partition("::")[0] in chapters
    }
    mutants = repository.mutants
    mutated = {each.clause for each in mutants if each.engine}
    mutated |= {change.function for each in mutants for change in each.native}
    for name in owing.keys() - mutated:
        yield Defect(owing[name], f"{name} has no mutant ({TABLES})")
    count = Counter(each.name for each in mutants)
    for each in mutants:
        if count[each.name] > 1:
            yield Defect(each.place, f"{each.name} occurs twice")


def contracts_are_proved(repository: Repository) -> Iterator[Defect]:
    """Yield unproved functions that have labelled postconditions, and invalid labels.

    A label must end with one of the `GRADES`, and a function has at most one label per clause.
    """
    labels: dict[tuple[str, str], str] = {}
    for each in repository.ensured:
        if each.function and each.function not in repository.proved:
            problem = f"{each.function} ensures {each.clause} and is not proved"
            remedy = f"bash spec/prove.sh --write {each.function.rpartition('::')[2]}"
            yield Defect(each.place, f"{problem} ({remedy})")
        if not each.grade:
            yield Defect(each.place, f"{each.label} has no grade ({', '.join(mentions.GRADES)})")
        elif (first := labels.setdefault((each.function, each.clause), each.label)) != each.label:
            yield Defect(each.place, f"{each.function} has {each.label} and {first}")


def ids_live_on(repository: Repository) -> Iterator[Defect]:
    """Yield accepted ids that no longer belong to a clause and are not retired."""
    for id in repository.lock["accepted"]:
        if id not in repository.by_id and id not in repository.retired:
            yield Defect(Place(LOCK, 1), f"{id} has disappeared and is not retired")


def texts_change_by_revisions(repository: Repository) -> Iterator[Defect]:
    """Yield changed clauses that lack a new revision or a new German translation."""
    for id, accepted in repository.lock["accepted"].items():
        if clause := repository.by_id.get(id):
            revision, english, german = accepted.split()
            now = clause.fingerprints
            if clause.revision < int(revision):
                yield Defect(clause.place, f"the revision of {id} is lower than in the lock file")
            elif clause.revision == int(revision) and now[0] != english:
                yield Defect(clause.place, f"{id} changed, but its revision did not")
            elif clause.revision > int(revision) and now[1] == german:
                remedy = f"if it says the same, replace {german} by - in {LOCK}"
                yield Defect(
                    clause.place, f"{id} changed, but its German translation did not ({remedy})"
                )


def texts_are_accepted(repository: Repository) -> Iterator[Defect]:
    """Yield clauses whose current revision or texts differ from those in the lock file."""
    for clause in repository.clauses:
        revision, _, german = repository.lock["accepted"].get(clause.id, "0 - -").split()
        if (str(clause.revision), clause.fingerprints[1]) != (revision, german):
            yield Defect(clause.place, f"{clause.id} is not in {LOCK} ({ACCEPT})")


TraceabilityRule = Callable[[Repository], Iterator[Defect]]

BEFORE_ACCEPTING: Final[Sequence[TraceabilityRule]] = (
    ids_are_unique,
    ids_are_consecutive,
    ids_live_on,
    texts_change_by_revisions,
)
"""The checks that must succeed before texts are accepted."""

RULES: Final[Sequence[TraceabilityRule]] = (
    *BEFORE_ACCEPTING,
    duties_are_done,
    clauses_are_stated,
    names_are_of_clauses,
    mentions_are_definitions,
    kinds_have_their_clauses,
    rulings_and_clauses_name_one_another,
    objections_are_sentences,
    sentences_are_distinct,
    sentences_have_clauses,
    clauses_rest_on_sentences,
    mutants_are_listed,
    contracts_are_proved,
    texts_are_accepted,
)
"""All checks that a repository must pass."""


def problems(repository: Repository, rules: Iterable[TraceabilityRule] = RULES) -> list[Defect]:
    """Return all defects, sorted by file and line."""
    return sorted(problem for rule in rules for problem in rule(repository))


def lacks(root: Path) -> list[Defect]:
    """Return a defect for each missing table entry, sorted by file and line."""
    return sorted(Defect(place, message) for place, message in gaps(root))


# Commands


def check(root: Path) -> int:
    """Print all defects; return 1 if there are any, otherwise write the matrix and return 0."""
    defects = [*shapes(root)] or [*lacks(root), *problems(Repository(root))]
    print(*defects, sep="\n", end="\n" if defects else "")
    print(f"{len(defects)} problems")
    if not defects:
        mentions.write_matrix(root)
    return int(bool(defects))


def accept(root: Path) -> int:
    """Write the current texts to the lock file, unless a check in `BEFORE_ACCEPTING` fails."""
    wrong = [p for p in shapes(root) if p.place.path.startswith((CLAUSES, LOCK))]
    wrong = wrong or problems(repository := Repository(root), BEFORE_ACCEPTING)
    if wrong:
        print(*wrong, "nothing accepted", sep="\n")
        return 1
    lines = [f"{HEADER}[accepted]"]
    for clause in sorted(repository.clauses, key=lambda each: number_of(each.id)):
        lines.append(f'{clause.id} = "{clause.revision} {" ".join(clause.fingerprints)}"')
    for fate in ("split", "retired"):
        lines += ["", f"[{fate}]"]
        heirs = sorted(repository.lock[fate].items(), key=lambda item: number_of(item[0]))
        lines += [f"{id} = {json.dumps(into)}" for id, into in heirs]
    (root / LOCK).write_text("\n".join([*lines, ""]), encoding="utf-8")
    print(f"{len(repository.clauses)} clauses accepted")
    return 0


def number_of(clause: str) -> tuple[str, int]:
    """Return the sort key of a clause id: its chapter and its number."""
    prefix, _, number = clause.partition("-")
    return prefix, int(number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if there are no defects, otherwise 1."""
    parser = argparse.ArgumentParser(
        description="Check that every clause is implemented, tested and specified."
    )
    root = Path(__file__).resolve().parents[1]
    parser.add_argument(
        "--root", type=Path, default=root, help="the repository (default: this one)"
    )
    return check(parser.parse_args(arguments).root)


if __name__ == "__main__":
    sys.exit(main())
