"""The sources of the native backend: tables generated from Python, and the same names of rules."""

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
"""The files that use the Python API."""


def test_the_tables_are_current() -> None:
    """After a change, run `python -m spec.checks accept generated`."""
    assert native_sources.HEADER.read_text("utf-8") == native_sources.header()
    assert native_sources.TYPES.read_text("utf-8") == native_sources.types()


def test_declarations_match_definitions() -> None:
    """After a change of a chapter, run `python -m spec.checks accept generated`."""
    header = native_sources.ROW.read_text("utf-8")
    assert header == native_sources.with_declarations(header)
    assert "give_to_monk" in native_sources.with_declarations("/* blue.c */\nvoid old(void);\n\n")


def test_there_is_a_file_for_each_chapter() -> None:
    """The files with rules are exactly the chapters of the rulebook."""
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


def test_files_of_the_binding_use_each_other_in_one_direction() -> None:
    """Calls have no cycles, except that `random_games.c` has a method of `packed.c`."""
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
def test_functions_have_the_names_and_clauses_of_python(chapter: str) -> None:
    """A reader who knows a rule in one language finds it in the other."""
    written = (native_sources.NATIVE / f"{chapter}.c").read_text("utf-8")
    assert FUNCTION_IN_C.search(written)
    assert written == native_sources.with_clauses(chapter)


def test_contracts_name_clauses_of_their_functions() -> None:
    """A function implements the clauses that its contract names."""
    rules = {
        (path.name, found["name"]): set(re.findall(r"[A-Z]{3}-\d+", found["said"]))
        for path in native_sources.NATIVE.glob("*.c")
        for found in FUNCTION_IN_C.finditer(path.read_text("utf-8"))
    }
    every = contracts()
    assert every
    for each in every:
        assert set(each.clauses) <= rules[each.file, each.function], each


def test_the_rules_do_not_depend_on_python() -> None:
    """A file with rules includes only the header of rows, and allocates no memory."""
    for path in native_sources.NATIVE.glob("*.[ch]"):
        text = path.read_text("utf-8")
        if path.stem not in BINDING:
            assert "Python.h" not in text
            assert "binding.h" not in text
            assert not re.search(r"\b(malloc|calloc|realloc|free)\(", text)


def test_the_core_does_not_depend_on_the_backend() -> None:
    """Engine and rulebook never name it; they only allow another form of a position."""
    package = native_sources.RULEBOOK.parent
    for path in (
        *native_sources.RULEBOOK.glob("*.py"),
        package / "engine.py",
        package / "state.py",
    ):
        words = set(re.findall(r"[a-z]+", path.read_text("utf-8").lower()))
        assert not words & {"native", "packed", "batch"}, path
