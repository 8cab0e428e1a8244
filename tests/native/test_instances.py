"""The native backend, compiled with the numbers of each instance, goes through all its transitions.

The numbers of the rules are a header made of Python's.  Made while the engine has the numbers of an
instance, it lets the same code in C play with a hand of two cards and a street of four spaces.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from spec.checks.compiled import library_of, loaded, object_of, played_by
from spec.checks.encoding import as_modelled
from spec.checks.scaled import scaled_to
from spec.native_sources import NATIVE, header
from tests.formal.test_instances import EXPLORED, FIXTURES, Fixture
from valletta_rules import apply, chance_outcomes, legal_actions, native, outcome
from valletta_rules.agenda import ChancePrompt

pytestmark = [
    pytest.mark.usefixtures("backend"),
    pytest.mark.skipif(
        shutil.which("gcc") is None, reason="the native backend is not scaled: there is no gcc"
    ),
]


QUICK = {"construction"}
"""The instances that are gone through wherever there is a backend; the others where there must be.

To compile the backend with the numbers of an instance takes longer than to go through it.
"""


def compiled(folder: Path) -> Any:
    """Return the library compiled with the numbers that the engine has now.

    The contracts, which it does without, state clauses by the numbers of the game.
    """
    shutil.copytree(NATIVE, folder)
    (folder / "tables.h").write_text(header(), encoding="utf-8")
    contracts = re.sub(r"(?m)^_Static_assert.*\n", "", (folder / "contracts.h").read_text("utf-8"))
    (folder / "contracts.h").write_text(contracts, encoding="utf-8")
    objects = [object_of(source, folder, folder) for source in sorted(folder.glob("*.c"))]
    return loaded(library_of(objects, folder))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name.split(".")[0])
def test_every_transition_of_the_model_is_the_backends(path: Path, tmp_path: Path) -> None:
    """In every position the same actions are legal, and they lead to the same positions."""
    if path.name.split(".")[0] not in QUICK and os.environ.get("VALLETTA_NATIVE") != "1":
        pytest.skip("it takes a while: gone through with VALLETTA_NATIVE=1")
    fixture, followed = Fixture(path), 0
    libraries: dict[str, Any] = {}
    for case in fixture.cases:
        with scaled_to(case.config):
            numbers = header()
            if numbers not in libraries:
                libraries[numbers] = compiled(tmp_path / str(len(libraries)))
            with played_by(libraries[numbers]):
                for number in case.states:
                    if (edges := fixture.edges[number]) is None:
                        continue
                    state = fixture.states[number]
                    packed = native.pack(state)
                    assert packed.unpack() == state
                    assert legal_actions(packed) == legal_actions(state)
                    assert outcome(packed) == outcome(state)
                    if isinstance(state.prompt, ChancePrompt):
                        assert chance_outcomes(packed) == chance_outcomes(state)
                    for action, after in edges:
                        reached = apply(packed, fixture.actions[action]).unpack()
                        assert as_modelled(reached) == fixture.states[after]
                    followed += len(edges)
    assert followed == EXPLORED[fixture.name]["transitions"]
