"""What the checks established, read from the files that they wrote.

`established` shows the figures of a check, and whether its sources have changed since;
`counted` says how many there are of what is counted as it is.
"""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, product
from typing import Any, Final

from docutils import nodes
from markup import ROOT, Written, counted, listed, table, unfolding
from quint_source import modules
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

from spec.checks.established import is_present
from spec.checks.mistakes.table import read_mistakes
from valletta_rules.components.display import QUOTAS
from valletta_rules.specification.clauses import EDITIONS

Json = Mapping[str, Any]
"""An object as `json` reads it."""

Lines = Iterator[str]
"""Lines of reStructuredText."""

FIGURES: Final = ":class: figures"
"""What a table of this module is."""

NUMBERS: Final = ":class: figures numbers"
"""What a table is of which all but the first column are numbers."""

LONGER: Final = {"native": "native twin"}
"""What sources are called, if not by their key."""


def standing(found: Json) -> Lines:
    """Say when a check ran, and whether on the sources of today."""
    named = {LONGER.get(key, key): stamped for key, stamped in found["sources"].items()}
    changed = [name for name, stamped in named.items() if not is_present(stamped)]
    names = " and ".join(named)
    then = datetime.date.fromisoformat(found["date"])
    day = f"Established on {then.day} {then:%B %Y}"
    if not changed:
        yield from (f"{day}, for the present {names}.", "")
        return
    yield from (
        ".. caution::",
        "",
        f"   {day}, for an earlier version of the {names}.",
        f"   What has changed in the {' and '.join(changed)} since then is not covered.",
        "",
    )


# The figures of each check


def explored(found: Json) -> Lines:
    """Write what the exploration of the instances found."""
    instances = found["instances"]
    headings = {
        "states": "positions",
        "transitions": "transitions",
        "depth": "depth",
        "finished": "ends",
        "cut": "not followed",
    }
    rows = [
        (instance(name), *(each[key] for key in headings), len(each["witnesses"]))
        for name, each in instances.items()
    ]
    total = [
        (max if key == "depth" else sum)(each[key] for each in instances.values())
        for key in headings
    ]
    rows.append(("all", *total, len(found["witnesses"])))
    yield from table(("instance", *headings.values(), "witnesses"), rows, NUMBERS)
    yield from (
        f"Reached: all {counted(len(found['witnesses']), 'witness', 'witnesses')}. "
        f"Theorems that hold: {', '.join(found['theorems'])}.",
        "",
    )


def instance(name: str) -> str:
    """Refer to an instance of the model."""
    return f":quint:`instances.{name}`"


def witnesses(found: Json) -> Iterable[str]:
    """Write in which instances each witness is reached."""
    rows = []
    for name in found["witnesses"]:
        where = [key for key, each in found["instances"].items() if name in each["witnesses"]]
        rows.append((escape(name), ", ".join(map(instance, where))))
    count = counted(len(rows), "witness", "witnesses")
    lines = table(("witness", "instances"), rows, FIGURES)
    return unfolding(f"{count}, and where each is reached", lines)


def replayed(found: Json) -> Lines:
    """Write how much the engine replays."""
    instances = found["instances"].values()
    yield (
        f"Replayed are {counted(len(instances), 'instance')} with "
        f"{counted(sum(each['states'] for each in instances), 'position')} and "
        f"{counted(sum(each['transitions'] for each in instances), 'transition')}."
    )


def mistakes(found: Json) -> Lines:
    """Write how the deliberate mistakes in the model were noticed."""
    every = [
        (clause, name, each["model"])
        for clause, mistakes in found["clauses"].items()
        for name, each in mistakes.items()
        if "model" in each
    ]
    kinds = {
        "inv_": "by an invariant",
        "trans_": "by an invariant of transitions",
        "witness": "because a witness is no longer reached",
        "theorem": "because a theorem no longer holds",
    }
    counts = Counter(
        next((kind for kind in kinds if kind in each["how"]), "") for *_, each in every
    )
    yield from (
        f"{counted(len(every), 'mistake')} of {counted(len({each[0] for each in every}), 'clause')}"
        " were noticed:",
        "",
    )
    kinds[""] = "because the graph of positions is another"
    yield from listed(f"{counts[kind]} {name}" for kind, name in kinds.items())
    rows = [
        (f":rule:`{clause}`", f"``{name}``", escape(each["how"])) for clause, name, each in every
    ]
    lines = table(("clause", "mistake", "how it was noticed"), rows, FIGURES)
    yield from unfolding("Each mistake", lines)


def misreadings(found: Json) -> Lines:
    """Write what became of the deliberate mistakes of the clauses."""
    verdicts = [
        (clause, name, each["engine"])
        for clause, mistakes in found["clauses"].items()
        for name, each in mistakes.items()
        if "engine" in each
    ]
    counts = Counter(each["verdict"] for *_, each in verdicts)
    clauses = {clause for clause, *_ in verdicts}
    yield from (
        f"{counted(len(verdicts), 'mistake')} of {counted(len(clauses), 'clause')}: "
        f"{', '.join(f'{count} {verdict}' for verdict, count in counts.most_common())}.",
        "",
    )
    said = {(each.clause, each.id): each.misreading for each in read_mistakes()}
    for chapter, listed_here in groupby(verdicts, key=lambda each: each[0].partition("-")[0]):
        rows = [
            (
                f":rule:`{clause}`",
                escape(said.get((clause, name), name)),
                each["verdict"],
                each.get("killers", 0),
                ", ".join(f"``{test.rpartition('::')[2]}``" for test in each.get("by", ())),
            )
            for clause, name, each in listed_here
        ]
        headings = ("clause", "misreading", "verdict", "tests", "such as")
        yield from unfolding(f"{chapter}: each mistake", table(headings, rows, FIGURES))


def twin_mistakes(found: Json) -> Lines:
    """Write how the deliberate mistakes in the native twin were noticed."""
    known = {(each.clause, each.id): each for each in read_mistakes()}
    rows = [
        (
            f":rule:`{clause}`",
            escape(known[clause, name].misreading),
            f"``{known[clause, name].native[0].function}``",
            escape(each["native"]["how"]),
        )
        for clause, mistakes in found["clauses"].items()
        for name, each in mistakes.items()
        if "native" in each and (clause, name) in known
    ]
    yield f"{counted(len(rows), 'mistake')} in the native twin, one for each function: all noticed."
    yield ""
    headings = ("clause", "misreading", "function", "where they disagreed first")
    yield from unfolding("Each mistake in the twin", table(headings, rows, FIGURES))


def hostile(found: Json) -> Lines:
    """Write what was tried to make the native twin crash."""
    named = {
        "rows": "damaged rows, played on where they were accepted",
        "tables": "damaged tables",
        "actions": "actions that are none, or of another game",
        "generators": "generators that are none",
        "pickles": "pickles of which a part was exchanged",
        "batches": "games answered by numbers that are not legal",
        "buffers": "buffers of another size, format or kind",
        "wrong_types": "everything called with anything",
    }
    rows = [
        (text, found["tried"][key], found["refused"].get(key, 0)) for key, text in named.items()
    ]
    yield from table(("what", "tried", "refused"), rows, NUMBERS)
    yield f"It took {counted(found['seconds'], 'second')} under sanitizers; nothing crashed."


def endurance(found: Json) -> Lines:
    """Write how much memory many games took."""
    yield (
        f"{found['games']:,} games, {found['decisions']:,} decisions: "
        f"{found['bytes_before'] / 2**20:.1f} MiB of memory in use after half of them, "
        f"{found['bytes_after'] / 2**20:.1f} MiB after all."
    )


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
    yield from table(("what", "how often"), rows, NUMBERS)
    yield from run_and_shares(found, "rule set")


def twins(found: Json) -> Lines:
    """Write what the engine and its native twin were compared in."""
    rows = [
        ("positions of which all legal actions were compared", found["fully"]),
        ("successors compared, byte for byte", found["successors"]),
        ("… unpacked and compared as positions", found["unpacked"]),
        ("single actions, legal or not", found["checks"]),
        ("… refused for the same reason", found["refusals"]),
        ("positions after the same numbers had answered for chance", found["resolved"]),
        ("ends of games compared", found["outcomes"]),
        ("whole games begun", found["games"]),
    ]
    yield from table(("what", "how often"), rows, NUMBERS)
    yield from run_and_shares(found, "edition and players")
    clauses = ", ".join(f":rule:`{clause}`" for clause in found["clauses"])
    summary = f"{counted(len(found['clauses']), 'clause')} met on the way"
    yield from unfolding(summary, [clauses])
    counts = found["clauses_by_rules"].items()
    headings = ("edition and players", "clauses")
    yield from unfolding(
        "Clauses that events, refusals and outcomes named", table(headings, counts, NUMBERS)
    )


def run_and_shares(found: Json, rules: str) -> Lines:
    """Write how long a run took, and how often it met each rule set, prompt and action."""
    minutes = counted(round(found["seconds"] / 60), "minute")
    yield from (f"The run took {minutes}, with seed {found['seed']}.", "")
    for title, key in ((rules, "by_rules"), ("prompt", "by_prompt"), ("action", "by_action")):
        counts = ((escape(name), count) for name, count in found[key].items() if count)
        yield from unfolding(f"By {title}", table((title, "how often"), counts, NUMBERS))


def tables_met(counts: Mapping[str, int]) -> Lines:
    """Write how often each edition, with each choice of variants, was met at each table."""
    rows = []
    for edition in EDITIONS.values():
        for start, fewer in product((False, True), repeat=2):
            name = str(edition.with_variants(start_player_variant=start, fewer_barrels=fewer))
            cells = [counts.get(f"{name}, {players} players", 0) for players in QUOTAS]
            rows.append(
                (name, *(["not played" if fewer and n else c for n, c in enumerate(cells)]))
            )
    never = sum(cell == 0 for row in rows for cell in row[1:])
    headings = ("rule set", *(f"{players} players" for players in QUOTAS))
    yield f"Of the pairs of rule set and number of players {never or 'none'} never occurred:"
    yield from ("", *table(headings, rows, NUMBERS))


def mutants(found: Json) -> Lines:
    """Write what became of the mutants of the engine."""
    headings = {
        "mutants": "mutants",
        "ill-typed": "rejected by mypy",
        "caught": "caught by tests",
        "timed out": "never ended",
        "survived": "survived",
    }
    sums = {fate: sum(each[fate] for each in found["modules"].values()) for fate in headings}
    every = {f"``{name}``": each for name, each in found["modules"].items()} | {"all": sums}
    rows = [(name, *(each[fate] for fate in headings)) for name, each in every.items()]
    yield from table(("module", *headings.values()), rows, NUMBERS)
    noticed = 1 - sums["survived"] / sums["mutants"]
    met = sums["mutants"] - sums["ill-typed"]
    yield from (
        f"Of all mutants {noticed:.1%} are noticed, and of the {met:,} that the type checker lets "
        f"through {1 - sums['survived'] / met:.1%}.",
        f"Survivors that nobody has explained: {found['unexplained']}.",
        "",
    )
    yield from unfolding("The survivors, and why nobody can see them", survivors())


def survivors() -> Lines:
    """Write why each survivor survives."""
    text = (ROOT / "spec/checks/mutants/survivors.toml").read_text(encoding="utf-8")
    rows = [
        (f"``{each['function']}``", len(each["mutants"]), quoted(each["reason"]))
        for each in tomllib.loads(text)["survivor"]
    ]
    yield from table(("function", "mutants", "reason"), rows, FIGURES)
    yield "Mutants of one function that read alike count as one here."


def fuzzed(found: Json) -> Lines:
    """Write how many documents the fuzzer tried."""
    tried, time = (
        counted(found["documents"], "damaged document"),
        counted(found["seconds"], "second"),
    )
    yield f"{tried} in {time}; none of them did any harm."


def quoted(text: str) -> str:
    """Write a text in which code stands between backquotes."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"``{part}``" if n % 2 else escape(part) for n, part in enumerate(parts))


WRITERS: Final[Mapping[Callable[[Json], Iterable[str]], str]] = {
    explored: "spec/explored.json",
    witnesses: "spec/explored.json",
    replayed: "spec/explored.json",
    mistakes: "spec/mistakes.json",
    misreadings: "spec/mistakes.json",
    lockstep: "spec/lockstep.json",
    twin_mistakes: "spec/mistakes.json",
    twins: "spec/twins.json",
    hostile: "spec/hostile.json",
    endurance: "spec/endurance.json",
    mutants: "spec/mutants.json",
    fuzzed: "spec/fuzzed.json",
}
"""What writes about each check, and the file that the check writes."""


class Established(Written):
    """`.. established:: lockstep`: what a check established, or that there is no record of it."""

    def run(self) -> list[nodes.Node]:
        """Return the figures."""
        known = {write.__name__: (write, path) for write, path in WRITERS.items()}
        if self.arguments[0] not in known:
            raise self.error(f"no check {self.arguments[0]!r}; there are {', '.join(known)}")
        write, path = known[self.arguments[0]]
        if not (ROOT / path).exists():
            unknown = f"   No complete run is on record: there is no ``{path}``."
            return self.written([".. caution::", "", unknown])
        self.env.note_dependency(ROOT / path)
        try:
            found = json.loads((ROOT / path).read_text(encoding="utf-8"))
            return self.written([*standing(found), *write(found)])
        except (KeyError, TypeError, ValueError) as error:
            raise self.error(f"{path} cannot be read: {error!r}") from error


class Counted(Written):
    """`.. counted:: goldens` or `modules`: how many there are."""

    def run(self) -> list[nodes.Node]:
        """Return a sentence."""
        return self.written([{"goldens": goldens, "modules": all_modules}[self.arguments[0]]()])


def goldens() -> str:
    """Count the games kept in writing."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/goldens").glob("*.txt")]
    turns = sum(text.count("\nturn ") for text in texts)
    return f"Kept in writing are {counted(len(texts), 'game')} with {counted(turns, 'turn')}."


def all_modules() -> str:
    """Count the modules of the model and their definitions."""
    known = modules().values()
    definitions = counted(sum(1 for each in known for _ in each.definitions()), "definition")
    return f"There are {counted(len(known), 'module')} with {definitions}."


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    app.add_directive("established", Established)
    app.add_directive("counted", Counted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
