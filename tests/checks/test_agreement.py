"""Tests that the comparison with the Python engine detects faults in other implementations."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from spec.checks import agreement
from spec.checks.rules import Engine
from valletta_rules import Goods

Method = Callable[..., Any]

WRONG: dict[str, tuple[str, Callable[[Method], Method]]] = {
    "table": ("new_game", lambda right: lambda *args: right(*args).replace(valette=1)),
    "legal actions": ("legal_actions", lambda right: lambda *args: right(*args)[::-1]),
    "position": ("written", lambda right: lambda *args: right(*args).replace(valette=25)),
    "outcome": ("outcome", lambda right: lambda *args: None),
    "reason": ("reason", lambda right: lambda self, state, action: None),
    "accepted": ("is_legal", lambda right: lambda *args: True),
    "odds": ("odds", lambda right: lambda *args: dict.fromkeys(right(*args), Fraction(1, 2))),
    "chance": (
        "resolved",
        lambda right: lambda self, state, rng: (rng.random(), right(self, state, rng))[1],
    ),
    "successor": ("apply", lambda right: lambda *args: right(*args).replace(barrels=Goods())),
    "events": ("events", lambda right: lambda *args: right(*args)[1:]),
    "error": ("apply", lambda right: lambda *args: right()),
}
"""Faulty implementations, keyed by the kind of difference that the comparison must report.

Each is a method's name and a function that returns a faulty version of the method."""


@pytest.mark.parametrize("kind", WRONG)
def test_a_faulty_implementation_fails_the_comparison_with_a_report_of_the_difference(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each faulty implementation has one faulty method.

    The report contains the kind of difference, the expected value, and the position.
    """
    name, wrongly = WRONG[kind]
    wrong: Any = type("Wrong", (Engine,), {name: wrongly(getattr(Engine, name))})
    monkeypatch.setattr(agreement, "ENGINES", {"packed": wrong})
    assert agreement.main([]) == 1
    output = capsys.readouterr().out
    assert f"  {kind}" in output
    assert ", expected: " in output
    assert "  at: " in output


def test_the_comparison_of_the_engine_with_itself_succeeds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No difference may be found.

    The comparison uses the given seed and at least the requested steps.
    """
    assert agreement.main(["--engine", "python", "--steps", "300", "--seed", "4"]) == 0
    assert capsys.readouterr().out.startswith("seed 4: 3")
