"""Tests that the reference pages document all exported names, errors, events and actions."""

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
from valletta_rules.cli.main import COMMANDS
from valletta_rules.svg.board import ground

API = (DOCS / "reference" / "api.rst").read_text("utf-8")
FUNCTIONS = sorted(name for name in valletta.__all__ if inspect.isfunction(getattr(valletta, name)))


def section(name: str) -> str:
    """Return the section about a function on the page `reference/api`."""
    head = f"\n{name}\n{'~' * len(name)}\n"
    return API.split(head)[1].split("~~~~")[0]


# The public API


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_section_of_a_function_has_requirements_results_errors_and_an_example(
    name: str,
) -> None:
    """The section is on the page `reference/api`. Every exported function must have one."""
    text = section(name)
    for part in (
        f".. templated:: operation {name}\n",
        ":Requires: ",
        ":Ensures: ",
        ":Raises: ",
        "   >>> ",
    ):
        assert text.count(part) >= 1, part


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_section_of_a_function_lists_every_error_that_its_docstring_mentions(name: str) -> None:
    """The list is called *Raises*, on the page `reference/api`."""
    raised = set(re.findall(r"\b\w+Error\b", inspect.getdoc(getattr(valletta, name)) or ""))
    listed = section(name).partition(":Raises: ")[2].partition("\n\n")[0]
    hidden = {"LookupError"} if name in ("explain", "ruling", "look_up") else set()
    assert set(re.findall(r"\b\w+Error\b", listed)) >= raised - hidden


# The other pages


def documented() -> Iterator[str]:
    """Yield the modules and names that pages in `reference` and `code` document with autodoc."""
    pages = [*(DOCS / "reference").glob("*.rst"), *(DOCS / "code").glob("*.rst")]
    for page in pages:
        yield from re.findall(r"^\.\. auto\w+:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)


def test_signatures_show_default_values_as_the_source_code_writes_them() -> None:
    """For example, a named constant is shown by its name."""
    names = extension("names")
    assert names.as_written(ground) == ("(height: float, width: float=WIDTH)", "str")
    signatures = [str(each) for kind in (Build, PlayCard) for each in names.parameters(kind)]
    assert signatures == ["site", "character", "use_effect=True"]


def test_every_exported_name_is_defined_in_a_module_that_a_page_documents() -> None:
    """An autodoc directive for the name itself is also enough."""
    names = set(documented())
    homes = extension("names").homes()
    homeless = [
        name
        for name in valletta.__all__
        if not {homes[name], homes[name].rpartition(".")[0]} & names
    ]
    assert not homeless


def test_every_module_of_the_package_is_documented_on_exactly_one_page() -> None:
    """The modules of the command line, the drawings and the web server are exceptions.

    The page about environments is written by hand, since their modules cannot be imported
    everywhere.
    """
    modules = list(documented())
    assert len(set(modules)) == len(modules)
    left_out = {"__init__", "__main__", "version", "cli", "svg", "writing", "reading", "text"}
    left_out |= {"vocabulary", "environments", "web", "_pyinstaller"}
    package = ROOT / "src" / "valletta_rules"
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).with_suffix("").parts
        if not {*parts} & left_out and parts != ("specification", "files"):
            assert ".".join(("valletta_rules", *parts)) in modules


@pytest.mark.parametrize("name", COMMANDS)
def test_only_the_commands_that_play_a_game_have_the_exit_statuses_of_a_game(name: str) -> None:
    """They are shown for a command whose module documents no exit statuses of its own."""
    statuses = extension("reference").command(name)["statuses"]
    assert ("the game is over" in statuses[0]) == (name == "play")


# Observations


def clauses_in_calls(names: set[str]) -> Iterator[tuple[str, str]]:
    """Yield each clause id in a call of one of the functions `names`, and the call as text.

    Only the modules of the rulebook are searched.
    """
    for path in (ROOT / "src" / "valletta_rules" / "rulebook").glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in names:
                for argument in call.args:
                    if re.fullmatch(r"'[A-Z]{3}-[0-9]+'", written := ast.unparse(argument)):
                        yield written.strip("'"), ast.unparse(call)


def test_the_table_of_violations_has_every_error_code_with_all_its_clauses() -> None:
    """The table is generated from the refusals in worked examples, so it could lack rare ones."""
    violations = extension("contract").observations().violations
    assert violations.keys() == set(valletta.Code)
    for clause, call in clauses_in_calls({"violation"}):
        (code,) = re.findall(r"Code\.(\w+)", call)
        assert clause in violations[valletta.Code[code]]


def test_the_table_of_events_has_every_clause_that_moves_goods_or_scores_points() -> None:
    """The table is generated from the events in worked examples, so it could lack rare ones."""
    clauses = extension("contract").observations().clauses
    assert clauses.keys() == {*valletta.Event.__args__}
    every = frozenset[str]().union(*clauses.values())
    moving = {"take", "give_back", "give", "score", "decline", "gatherer"}
    assert {clause for clause, _ in clauses_in_calls(moving)} <= every


@in_every(games)
def test_every_event_of_a_game_is_in_the_tables_with_its_prompt_and_its_clause(
    game: Playthrough,
) -> None:
    """The tables are generated from worked examples. This test plays random games instead."""
    data: Any = extension("contract").observations()
    for move in game.moves:
        prompt = move.before.prompt
        for event in move.events:
            assert type(event) in data.caused[type(prompt)] | data.automatic
            assert event.clause in data.clauses[type(event)]


# The notation of actions, prompts and events


def test_the_python_and_json_forms_of_each_type_on_the_page_evaluate_to_the_same_value() -> None:
    """The page shows each type of action, prompt and event as Python, JSON and text."""
    module = extension("contract")
    names = vars(valletta)
    for kind, form in module.observations().forms.items():
        assert type(form.value) is kind
        assert eval(form.python, dict(names)) == form.value
        assert valletta.from_json(form.json) == form.value
        assert form.text
    wanted = {kind for union in module.UNIONS.values() for kind in get_args(union)}
    assert module.observations().forms.keys() == wanted
