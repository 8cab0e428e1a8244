"""Environments without their third-party libraries name the extra to install."""

import sys
from importlib import import_module

import pytest

EXTRAS = {"aec": "rl", "openspiel": "openspiel", "single": "rl", "vector": "rl"}
"""The extra that each module needs."""


@pytest.mark.parametrize("name", EXTRAS)
def test_a_missing_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the command that installs it, for any origin of the package."""
    for module in [each for each in sys.modules if "valletta_rules.environments" in each]:
        monkeypatch.delitem(sys.modules, module)
    for each in ("numpy", "gymnasium", "pettingzoo", "pyspiel"):
        monkeypatch.setitem(sys.modules, each, None)
    advice = rf"pip install 'valletta-rules\[{EXTRAS[name]}\]'"
    with pytest.raises(ModuleNotFoundError, match=rf"\w+ is not installed: {advice}$"):
        import_module(f"valletta_rules.environments.{name}")
