"""What the checks established, out of the files that they wrote, for `docs/templates/checks`."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from markup import ROOT
from quint_source import modules
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import offer

from spec.checks.established import is_present
from spec.checks.mistakes.proofs import runs
from spec.checks.mistakes.table import read_mistakes
from spec.checks.preserved import questions
from spec.checks.proofs import contracts, unnamed, unproved

offer(contracts)
offer(questions)
offer(unnamed)
offer(unproved)

LONGER: Final = {"native": "native backend"}
"""What sources are called, if not by their key."""

NOTICED: Final = {
    "inv_": "by an invariant",
    "trans_": "by an invariant of transitions",
    "witness": "because a witness is no longer reached",
    "theorem": "because a theorem no longer holds",
    "": "because the graph of positions is another",
}
"""How the model's checks notice a mistake, by the beginning of what they say."""


@offer
def established(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return when a check ran, on which sources, and which of them have changed since."""
    named = {LONGER.get(key, key): stamped for key, stamped in found["sources"].items()}
    day = datetime.date.fromisoformat(found["date"])
    return {
        "day": f"{day.day} {day:%B %Y}",
        "names": [*named],
        "changed": [name for name, stamped in named.items() if not is_present(stamped)],
    }


@offer
def mistakes_in(found: Mapping[str, Any], half: str) -> list[dict[str, Any]]:
    """Return the deliberate mistakes in engine, model or native backend, and what noticed them."""
    known = {(each.clause, each.id): each for each in read_mistakes()}
    return [
        {"killers": 0, "how": "", **verdicts[half]}
        | {
            "clause": clause,
            "chapter": clause.partition("-")[0],
            "name": name,
            "misreading": known[clause, name].misreading,
            "function": next((each.function for each in known[clause, name].native), ""),
            "noticed": next(
                NOTICED[kind] for kind in NOTICED if kind in verdicts[half].get("how", "")
            ),
            "by": [test.rpartition("::")[2] for test in verdicts[half].get("by", ())],
        }
        for clause, mistakes in found["clauses"].items()
        for name, verdicts in mistakes.items()
        if half in verdicts and (clause, name) in known
    ]


@offer
def proof_mistakes(found: Mapping[str, Any]) -> dict[str, list[dict[str, str]]]:
    """Return what became of mistakes that proof is to judge, by what they are made in.

    Of one that was judged when it or the contract was another, there is no verdict.
    """
    kinds = {"denied": "contracts that say the contrary", "unsaid": "contracts that say less"}
    made: dict[str, list[dict[str, str]]] = {}
    for name, (_, of) in runs(read_mistakes()).items():
        kind = kinds.get(name.rpartition(" ")[2], "misreadings in functions")
        result = found["verdicts"].get(name, {})
        known = (
            result if result.get("of") == of else {"verdict": "", "why": "not judged as it stands"}
        )
        said = known.get("how", known.get("why", ""))
        made.setdefault(kind, []).append({"name": name, "verdict": known["verdict"], "said": said})
    return made


@offer
def model_modules() -> list[int]:
    """Return how many definitions each module of the formal model has."""
    return [sum(1 for _ in each.definitions()) for each in modules().values()]


@offer
def goldens() -> list[int]:
    """Return how many turns each game has that is kept in writing."""
    paths = (ROOT / "tests/goldens").glob("*.txt")
    return [path.read_text("utf-8").count("\nturn ") for path in paths]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let the templates ask for figures."""
    app.setup_extension("templated")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
