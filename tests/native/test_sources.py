"""The sources of the native backend: generated tables, and C functions named after the rules."""

import re
from graphlib import TopologicalSorter

import pytest

from spec import native_sources
from spec.checks.proofs import contracts
from spec.mentions import FUNCTION_IN_C

BINDING = {
    "module",
    "packed",
    "packed_storage",
    "dispatch",
    "view_builder",
    "object_cache",
    "table",
    "batch",
    "rollouts",
}
BINDING |= {"search_binding", "random_games", "state", "binding"}
"""The C files that use the Python API."""


def test_the_generated_tables_in_c_are_current() -> None:
    """If this test fails, run `python -m spec.checks accept generated`."""
    assert native_sources.HEADER.read_text("utf-8") == native_sources.header()
    assert native_sources.TYPES.read_text("utf-8") == native_sources.types()


def test_the_declarations_of_rule_functions_match_their_definitions() -> None:
    """If a rule in C has changed, run `python -m spec.checks accept generated`."""
    header = native_sources.ROW.read_text("utf-8")
    assert header == native_sources.with_declarations(header)
    assert "give_to_monk" in native_sources.with_declarations("/* blue.c */\nvoid old(void);\n\n")


def test_every_c_file_implements_a_chapter_of_the_rulebook_or_is_listed() -> None:
    """A new C file without rules must be added to the list in this test."""
    others = {
        "rows",
        "engine",
        "chance",
        "game",
        "module",
        "packed",
        "object_cache",
        "table",
        "batch",
    }
    others |= {
        "packed_storage",
        "view_builder",
        "dispatch",
        "encoding",
        "rollout",
        "rollouts",
        "thread",
        "views",
    }
    others |= {
        "value",
        "turn_search",
        "plan_rollouts",
        "mersenne",
        "search_binding",
        "refusals",
        "events",
    }
    others |= {"valletta", "random_games", "state"}
    assert sorted(path.stem for path in native_sources.NATIVE.glob("*.c")) == sorted(
        {*native_sources.CHAPTERS, *others}
    )


def test_files_of_the_python_binding_have_no_cyclic_dependencies() -> None:
    """The only exception is a method that `packed.c` uses and `random_games.c` defines."""
    parts = re.split(r"/\* (\w+)\.c \*/", (native_sources.NATIVE / "binding.h").read_text("utf-8"))
    homes = {
        name: owner
        for owner, declared in zip(parts[1::2], parts[2::2], strict=True)
        for name in re.findall(r"(\w+)(?:\(|\[?\]?;)", declared)
    }
    uses: dict[str, set[str]] = {}
    for path in native_sources.NATIVE.glob("*.c"):
        used = {
            homes[word] for word in re.findall(r"\w+", path.read_text("utf-8")) if word in homes
        }
        uses.setdefault("packed" if path.stem == "random_games" else path.stem, set()).update(used)
    arrows = {file: used - {file, "random_games"} for file, used in uses.items()}
    order = [*TopologicalSorter(arrows).static_order()]
    assert order.index("packed_storage") < order.index("state") < order.index("module")


@pytest.mark.parametrize("chapter", native_sources.CHAPTERS)
def test_a_rule_in_c_has_the_name_and_the_clauses_of_the_same_rule_in_python(chapter: str) -> None:
    """A reader of a rule in one language can find the same rule in the other."""
    written = (native_sources.NATIVE / f"{chapter}.c").read_text("utf-8")
    assert FUNCTION_IN_C.search(written)
    assert written == native_sources.with_clauses(chapter)


def test_a_contract_names_only_clauses_of_its_function() -> None:
    """Each function lists its clauses in its comment."""
    rules = {
        (path.name, match["name"]): set(re.findall(r"[A-Z]{3}-\d+", match["comment"]))
        for path in native_sources.NATIVE.glob("*.c")
        for match in FUNCTION_IN_C.finditer(path.read_text("utf-8"))
    }
    every = contracts()
    assert every
    for each in every:
        assert set(each.clauses) <= rules[each.file, each.function], each


def test_c_files_with_rules_neither_use_python_nor_allocate_memory() -> None:
    """The files include neither Python's headers nor the headers of the Python binding."""
    for path in native_sources.NATIVE.glob("*.[ch]"):
        text = path.read_text("utf-8")
        if path.stem not in BINDING:
            assert "Python.h" not in text
            assert "binding.h" not in text
            assert not re.search(r"\b(malloc|calloc|realloc|free)\(", text)


def test_the_python_core_does_not_refer_to_the_native_backend() -> None:
    """The core calls methods that any class of positions can have, so it needs no reference."""
    package = native_sources.RULEBOOK.parent
    for path in (
        *native_sources.RULEBOOK.glob("*.py"),
        package / "engine.py",
        package / "state.py",
    ):
        words = set(re.findall(r"[a-z]+", path.read_text("utf-8").lower()))
        assert not words & {"native", "packed", "batch"}, path
