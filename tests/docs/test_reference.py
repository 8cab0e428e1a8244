"""The reference is complete and correct."""

import ast
import inspect
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

import valletta_rules as valletta
from spec.checks.random_games import Playthrough, games, in_every
from tests.docs import DOCS, ROOT, extension
from valletta_rules import Build, PlayCard
from valletta_rules.svg.board import ground

API = (DOCS / "reference" / "api.rst").read_text("utf-8")
FUNCTIONS = sorted(name for name in valletta.__all__ if inspect.isfunction(getattr(valletta, name)))


def section(name: str) -> str:
    """Return the section of a function on the page of the API."""
    head = f"\n{name}\n{'~' * len(name)}\n"
    return API.split(head)[1].split("~~~~")[0]


# The public API


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_exported_function_is_an_operation(name: str) -> None:
    """Each has its head, its requirements, results and errors, and an example."""
    said = section(name)
    for part in (
        f".. templated:: operation {name}\n",
        ":Requires: ",
        ":Ensures: ",
        ":Raises: ",
        "   >>> ",
    ):
        assert said.count(part) >= 1, part


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_error_of_a_function_is_documented(name: str) -> None:
    """Every error in a docstring is listed under *Raises*, and errors of the package exist."""
    raised = set(re.findall(r"\b\w+Error\b", inspect.getdoc(getattr(valletta, name)) or ""))
    told = section(name).partition(":Raises: ")[2].partition("\n\n")[0]
    hidden = {"LookupError"} if name in ("explain", "ruling", "look_up") else set()
    assert set(re.findall(r"\b\w+Error\b", told)) >= raised - hidden


# The other pages


def documented() -> Iterator[str]:
    """Yield the modules and names that pages of the reference or of the code show."""
    pages = [*(DOCS / "reference").glob("*.rst"), *(DOCS / "code").glob("*.rst")]
    for page in pages:
        yield from re.findall(r"^\.\. auto\w+:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)


def test_a_default_is_shown_as_it_is_written() -> None:
    """A function shows the constants that its module names, and a record the default values."""
    names = extension("names")
    assert names.as_written(ground) == ("(height: float, width: float=WIDTH)", "str")
    shown = [str(each) for kind in (Build, PlayCard) for each in names.parameters(kind)]
    assert shown == ["site", "character", "use_effect=True"]


def test_everything_exported_is_documented() -> None:
    """Each exported name is defined in a module that some page shows."""
    shown = set(documented())
    homes = extension("names").homes()
    homeless = [
        name
        for name in valletta.__all__
        if not {homes[name], homes[name].rpartition(".")[0]} & shown
    ]
    assert not homeless


def test_every_module_is_on_one_page() -> None:
    """No module is shown twice, and none is missing below the command line and the drawings.

    The page on environments is written by hand: their modules cannot be imported everywhere.
    """
    shown = list(documented())
    assert len(set(shown)) == len(shown)
    left_out = {"__init__", "__main__", "version", "cli", "svg", "writing", "reading", "text"}
    left_out |= {"vocabulary", "environments", "web", "_pyinstaller"}
    package = ROOT / "src" / "valletta_rules"
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).with_suffix("").parts
        if not {*parts} & left_out and parts != ("specification", "files"):
            assert ".".join(("valletta_rules", *parts)) in shown


# Observations


def clauses_in_calls(names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the clauses that the rules pass to some functions, with their other arguments."""
    for path in (ROOT / "src" / "valletta_rules" / "rulebook").glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in names:
                for argument in call.args:
                    if re.fullmatch(r"'[A-Z]{3}-[0-9]+'", written := ast.unparse(argument)):
                        yield written.strip("'"), ast.unparse(call)


def test_every_violation_of_the_rules_was_observed() -> None:
    """The table of codes has every code, and every clause with which a rule refuses by it."""
    seen = extension("contract").observed().violations
    assert seen.keys() == set(valletta.Code)
    for clause, call in clauses_in_calls({"violation"}):
        (code,) = re.findall(r"Code\.(\w+)", call)
        assert clause in seen[valletta.Code[code]]


def test_every_clause_of_an_event_was_observed() -> None:
    """The table has each clause by which goods move, points score, or players decline."""
    seen = extension("contract").observed().clauses
    assert seen.keys() == {*valletta.Event.__args__}
    every = frozenset[str]().union(*seen.values())
    moving = {"take", "give_back", "give", "score", "decline", "gatherer"}
    assert {clause for clause, _ in clauses_in_calls(moving)} <= every


@in_every(games)
def test_every_event_in_play_was_observed(game: Playthrough) -> None:
    """The tables of events and their clauses hold in any game."""
    seen: Any = extension("contract").observed()
    for move in game.moves:
        prompt = move.before.prompt
        for event in move.events:
            assert type(event) in seen.caused[type(prompt)] | seen.automatic
            assert event.clause in seen.clauses[type(event)]


# The notation of actions, prompts and events


def test_every_action_prompt_and_event_is_written_in_three_ways() -> None:
    """Each type has an example; its Python and JSON forms evaluate back to it."""
    module = extension("contract")
    names = vars(valletta)
    for kind, form in module.observed().forms.items():
        assert type(form.value) is kind
        assert eval(form.python, dict(names)) == form.value
        assert valletta.from_json(form.json) == form.value
        assert form.text
    wanted = {kind for union in module.UNIONS.values() for kind in get_args(union)}
    assert module.observed().forms.keys() == wanted
