"""Generate the files of the kit, and check them against the current engine."""

import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from spec.checks.established import ENGINE, MODEL, ROOT, stamp
from spec.checks.kit.schema import TYPES, schema_of
from spec.checks.kit.schema import files as generated
from spec.checks.kit.sources import all_sources, in_force, is_fit
from spec.checks.kit.vectors import (
    Workshop,
    agreed,
    is_from_workshop,
    name_of_rules,
    ordered,
    regenerate,
    vector_of,
    with_cards,
)
from spec.checks.model import Oracle
from spec.checks.schema import validator
from valletta_rules import RECONSTRUCTION, CardSet, RuleSet
from valletta_rules.specification.clauses import (
    ClauseKind,
    chapters,
    specification_version,
)
from valletta_rules.specification.conformance import form
from valletta_rules.specification.conformance.kit import KIT_FORMAT, PROTOCOL, Kit

VERSION: Final = "1.0.0"
"""The version of the kit.  The major number is raised for changes to which users must adapt, the
minor number for additional vectors, and the patch number for corrections."""

FOLDER: Final = ROOT / "spec" / "conformance"

MOST: Final = 1 << 20
"""The maximum size of each file in bytes."""

MOST_IN_ALL: Final = 5 << 20
"""The maximum total size of all files in bytes."""

SPARSE: Final = 50
"""One in this many vectors is validated against the schema, because validation is slow.
"""

SMOKE: Final = "smoke.jsonl"
"""The file that contains a few vectors as uncompressed text, for a smoke test."""

GENERATED: Final = (
    "manifest.json",
    SMOKE,
    "*.jsonl.gz",
    TYPES,
    "rules/*.json",
    "cards/*.json",
)
"""Patterns for the generated files.  All other files in the folder are written by hand."""

UNTESTED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("SCO-2", "SCO-3", "SCO-4"),
        "Where the figure stands and which tokens lie there: a position has the points.",
    ),
    **dict.fromkeys(
        (f"REA-{number}" for number in (4, 5)),
        "How the rules are read, which shows in what the other clauses say.",
    ),
    "SET-29": "Who starts is settled before the first position, in which it is seat 0.",
}
"""The rules and exceptions that have no vectors, each with the reason."""


def clauses_to_test() -> set[str]:
    """Return the ids of rules and exceptions; each needs a vector or an entry in `UNTESTED`."""
    owing = (ClauseKind.RULE, ClauseKind.EXCEPTION)
    return {
        clause.id for chapter in chapters() for clause in chapter.clauses if clause.kind in owing
    }


# Writing


def accept() -> int:
    """Generate the kit, compare it with the formal model, write it, and print its faults.

    Returns 1 if the kit has faults, otherwise 0.
    """
    old, sources = read_old(), {"model": stamp(MODEL), "engine": stamp(ENGINE)}
    workshop = Workshop(old_cards("workshop"))
    laid = [
        (source, workshop.laid(source.state) if is_from_workshop(source.state) else source.state)
        for source in all_sources()
        if source.clauses
    ]
    cards = {"workshop": workshop.cards(), "reconstruction": RECONSTRUCTION}
    rules: dict[str, RuleSet] = {}
    vectors = []
    with Oracle() as model:
        for number, (source, state) in enumerate(laid):
            named = "reconstruction" if state is source.state else "workshop"
            rules_name = name_of_rules(state.rules)
            rules[rules_name] = state.rules
            whole = with_cards(state, cards[named])
            vector = vector_of(source, whole, rules_name, named)
            vector["agreed"] = agreed(vector, whole, model)
            vectors.append(dated(vector, old))
            if number % 200 == 199:
                sys.stderr.write(f"{number + 1:,} of {len(laid):,} vectors\n")
    replace_base_files(rules, cards)
    files = written(list(ordered(vectors)))
    write_manifest(files, vectors, sources)
    faults = list(problems())
    sys.stderr.write("".join(f"{each}\n" for each in faults))
    return 1 if faults else 0


def replace_base_files(rules: Mapping[str, RuleSet], cards: Mapping[str, CardSet]) -> None:
    """Remove the generated files; write the rules, cards and schemas to which vectors refer."""
    for pattern in GENERATED:
        for path in FOLDER.glob(pattern):
            path.unlink()
    for name, each in rules.items():
        _write(f"rules/{name}.json", form.write(each))
    for name, card_set in cards.items():
        _write(f"cards/{name}.json", form.write(card_set))
    write_schemas()


def write_schemas() -> None:
    """Write the JSON Schemas, the TypeScript types, and the tables of documents and logs."""
    for name, text in generated().items():
        (FOLDER / name).write_text(text, "utf-8")


def _write(name: str, value: form.Json) -> None:
    """Write a file that contains a single JSON object."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{json.dumps(value, indent=1)}\n", "utf-8")


def dated(vector: form.Json, old: Mapping[str, form.Json]) -> form.Json:
    """Return a vector with its revision, and with the version of the kit that introduced it.

    The revision of a vector remains 1 until a kit that contains the vector has been released.
    """
    before = old.get(vector["id"])
    if before is None or before["since"] == VERSION:
        return vector | {"since": VERSION, "revision": 1}
    again = vector | {"since": before["since"], "revision": before["revision"]}
    return again if again == before else again | {"revision": before["revision"] + 1}


def written(vectors: list[form.Json]) -> list[form.Json]:
    """Write the files of vectors, and return the manifest's entries for them."""
    smoke = {id(each) for each in smoke_of(vectors)}
    files: dict[str, list[form.Json]] = {SMOKE: []}
    for vector in vectors:
        chapter = vector["id"].partition("/")[0]
        name = SMOKE if id(vector) in smoke else f"{chapter}.jsonl.gz"
        files.setdefault(name, []).append(vector)
    return [_written(name, each) for name, each in files.items()]


def smoke_of(vectors: Iterable[form.Json]) -> Iterator[form.Json]:
    """Yield the shortest vector for each kind of vector and each chapter."""
    shortest: dict[tuple[str, str], form.Json] = {}
    for vector in vectors:
        key = vector["id"].partition("/")[0], vector["kind"]
        if key not in shortest or len(_text(vector)) < len(_text(shortest[key])):
            shortest[key] = vector
    yield from shortest.values()


def _written(name: str, vectors: list[form.Json]) -> form.Json:
    data = _data(name, vectors)
    (FOLDER / name).write_bytes(data)
    return {"path": name, "vectors": len(vectors), "sha256": hashlib.sha256(data).hexdigest()}


def _text(vector: form.Json) -> str:
    return json.dumps(vector, separators=(",", ":"))


def write_manifest(files: list[form.Json], vectors: list[form.Json], sources: form.Json) -> None:
    """Write the manifest of the kit, with counts of its vectors."""
    counts = _count_by_clause(vectors)
    manifest = {
        "protocol": PROTOCOL,
        "format": KIT_FORMAT,
        "kit": VERSION,
        "specification": specification_version(),
        "licence": "MIT",
        "vectors": len(vectors),
        "files": files,
        "chapters": {
            chapter.name: [clause.id for clause in chapter.clauses if counts[clause.id]]
            for chapter in chapters()
        },
        "clauses": {
            clause.id: counts[clause.id]
            for chapter in chapters()
            for clause in chapter.clauses
            if counts[clause.id]
        },
        "unshown": dict(UNTESTED),
        "agreed": dict(Counter("+".join(vector["agreed"]) for vector in vectors)),
        "sources": sources,
    }
    _write("manifest.json", manifest)


def _count_by_clause(vectors: Iterable[form.Json]) -> Counter[str]:
    """Return the number of vectors that test each clause."""
    return Counter(clause for vector in vectors for clause in vector["clauses"])


def read_old() -> dict[str, form.Json]:
    """Return the vectors on disk, keyed by id; empty if no kit is on disk."""
    if not (FOLDER / "manifest.json").exists():
        return {}
    return {vector.id: vector.content for vector in Kit.load(str(FOLDER)).vectors()}


def old_cards(name: str) -> CardSet | None:
    """Return a card set from the kit on disk, or `None` if it does not exist."""
    path = FOLDER / "cards" / f"{name}.json"
    return form.read_cards(json.loads(path.read_text("utf-8"))) if path.exists() else None


# Checking


def problems() -> Iterator[str]:
    """Yield the faults of the kit on disk.

    Each vector must contain the current answers of the engine, and each file must equal the file
    that is regenerated from its vectors.
    """
    kit = Kit.load(str(FOLDER))
    schema = validator(schema_of("Vector"))
    for name, text in generated().items():
        if (FOLDER / name).read_text("utf-8") != text:
            yield f"{name} does not match the types"
    sizes = {path: path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()}
    yield from (f"{path.name} has {size:,} bytes" for path, size in sizes.items() if size > MOST)
    if sum(sizes.values()) > MOST_IN_ALL:
        yield f"the files have {sum(sizes.values()):,} bytes in total, more than {MOST_IN_ALL:,}"
    every: list[form.Json] = []
    for entry in kit.manifest["files"]:
        data = (FOLDER / entry["path"]).read_bytes()
        lines = gzip.decompress(data) if entry["path"].endswith(".gz") else data
        vectors = [json.loads(line) for line in lines.splitlines()]
        if _data(entry["path"], vectors) != data:
            yield f"{entry['path']} does not match its vectors"
        every += vectors
    ids = Counter(vector["id"] for vector in every)
    yield from (f"{id} occurs {count} times" for id, count in ids.items() if count > 1)
    for vector in every[::SPARSE]:
        errors = schema.iter_errors(vector)
        yield from (f"{vector['id']}: {error.message[:200]}" for error in errors)
    rules = cache(lambda name: form.read_rules(kit.rules(name)))
    cards = cache(lambda name: form.read_cards(kit.cards(name)))
    for vector in every:
        yield from _problems_of(vector, rules(vector["rules"]), cards(vector["cards"]))
    counts = _count_by_clause(every)
    if kit.manifest["clauses"] != {id: counts[id] for id in kit.manifest["clauses"]}:
        yield "the manifest has wrong numbers of vectors for clauses"
    owing = clauses_to_test()
    yield from (f"no vector shows {id}" for id in sorted(owing - set(counts) - set(UNTESTED)))
    yield from (
        f"{id} has vectors, but is in UNTESTED" for id in sorted(set(UNTESTED) & set(counts))
    )
    if kit.manifest["specification"] != specification_version():
        yield f"the kit contains version {kit.manifest['specification']} of the specification"


def _problems_of(vector: form.Json, rules: RuleSet, cards: CardSet) -> Iterator[str]:
    state = form.read_position(vector["position"], rules, cards)
    again = regenerate(vector, state)
    if again != vector:
        differing = [key for key in vector if again[key] != vector[key]]
        yield f"{vector['id']}: the engine answers differently: {', '.join(differing)}"
    if not is_fit(state):
        yield f"{vector['id']}: the position is impossible"
    if missing := set(vector["clauses"]) - set(in_force(vector["clauses"], state)):
        yield f"{vector['id']}: {', '.join(sorted(missing))} is not in force there"


UNIX: Final = b"\x03"
"""The code for Unix in the header of a gzip file.  Without it, Python 3.13 would write the code for
an unknown system."""


def _data(name: str, vectors: Iterable[form.Json]) -> bytes:
    data = "".join(f"{_text(vector)}\n" for vector in vectors).encode()
    if not name.endswith(".gz"):
        return data
    packed = gzip.compress(data, mtime=0)
    return packed[:9] + UNIX + packed[10:]
