"""Mutation testing of the native backend by comparison with the engine.

All object files are compiled once; for each mutant, the changed sources are recompiled.  A forked
process loads the library of the mutant, and compares it with the engine: first in the worked
examples, then in games and positions.  It stops at the first difference.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from spec.checks.agreement import agreement
from spec.checks.compiled import library_of, loaded, object_of, played_by
from spec.checks.mutants.runs import INVALID, SendResult, result, results_of
from spec.checks.mutants.table import NATIVE, Mutant, MutantResult, mutated_sources

AGREEMENT_STEPS: Final = 5_000
"""The number of examples and positions to compare.  A mutant without any difference survives."""

INCOMING: Final = (
    "tests/native/test_edges.py::test_a_packed_position_with_an_invalid_byte_is_refused",
    "tests/native/test_edges.py::test_a_payment_with_malformed_goods_is_not_legal",
    "tests/native/test_edges.py::test_the_backend_accepts_exactly_the_actions_that_the_engine_accepts",
    "tests/native/test_edges.py::test_a_payment_with_an_amount_beyond_64_bits_is_not_legal",
    "tests/native/test_edges.py::test_a_value_can_be_packed_up_to_its_bound_but_not_beyond",
    "tests/native/test_edges.py::test_the_cache_distinguishes_prompts_that_differ_only_in_goods",
    "tests/native/test_edges.py::test_a_random_number_out_of_range_is_refused",
    "tests/native/test_edges.py::test_a_packed_position_can_hold_the_maximum_number_of_cards_but_not_one_more",
    "tests/native/test_edges.py::test_a_score_at_the_limit_is_allowed_in_a_packed_position",
    "tests/native/test_edges.py::test_a_batch_offers_payments_of_at_most_48_goods_of_a_kind",
    "tests/native/test_edges.py::test_payments_that_are_too_large_for_the_cache_are_listed_correctly",
    "tests/native/test_edges.py::test_displays_that_differ_only_in_two_sites_are_unpacked_correctly",
    "tests/native/test_comparison.py::test_the_backend_accepts_any_random_generator",
    "tests/native/test_comparison.py::test_the_backend_consumes_the_same_random_numbers_as_the_engine",
    "tests/native/test_hostile.py",
)
"""The tests for the conversion of values from Python, the fastest first."""


Detector = Callable[[str], str | None]
"""A function that looks for a misreading of a clause in the loaded backend.  It returns a
description of the first difference or failed test, or `None` if there is none."""


def verdicts(
    mutants: Sequence[Mutant], print_line: Callable[[str], None], detect: Detector | None = None
) -> dict[str, MutantResult]:
    """Return the result of each mutant, keyed by name.

    `detect` tests for the effect of a mutation; by default it compares the backend with the engine.
    Raises `FailedError` if `detect` reports an effect in the unmutated backend.
    """
    with TemporaryDirectory() as folder:
        objects = {path: object_of(path, Path(folder), NATIVE) for path in NATIVE.glob("*.c")}
        detecting = partial(detect_in_mutant, detect or difference, objects)
        runs = {each.name: partial(detecting, each) for each in mutants}
        return results_of("backend", mutants, partial(detecting, None), runs, print_line)


def seam_verdicts(
    mutants: Sequence[Mutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the results, keyed by name, of mutants of the code that converts Python objects.

    The tests in `INCOMING` must detect the mutants.  Raises `FailedError` if they fail on the
    unmutated backend.
    """
    return verdicts(mutants, print_line, failed_tests)


def detect_in_mutant(
    detect: Detector, objects: Mapping[Path, Path], mutant: Mutant | None, send: SendResult
) -> None:
    """Compile a mutant, or the unmutated backend, and look for a misreading with `detect`.

    The function runs in a forked process.
    """
    linked = dict(objects)
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            for path, text in mutated_sources(mutant.native if mutant else ()).items():
                (folder / path.name).write_text(text, encoding="utf-8")
                linked[path] = object_of(folder / path.name, folder, NATIVE)
            library = library_of(linked.values(), folder)
        except CalledProcessError as error:
            return send({"verdict": INVALID, "why": str(error)})
        with played_by(loaded(library)):
            how = detect(mutant.clause if mutant else "")
    return send(result(how))


def failed_tests(clause: str) -> str | None:
    """Run the tests in `INCOMING`; return a message if one of them fails, otherwise `None`."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    failed = pytest.main(
        ["-q", "-x", "--assert=plain", "--tb=no", "-p", "no:cacheprovider", *INCOMING]
    )
    return "a test fails" if failed else None


def difference(clause: str) -> str | None:
    """Return the kind of the first difference between the backend and the engine, or `None`.

    The worked examples of `clause` are compared first.
    """
    for trial in islice(agreement("packed", first=clause), AGREEMENT_STEPS):
        for finding in trial.findings:
            return finding.failure.kind
    return None
