"""Environments whose third-party libraries are missing say which extra to install."""

import sys
from importlib import import_module

import pytest

EXTRAS = {"aec": "rl", "openspiel": "openspiel", "single": "rl", "vector": "rl"}
"""The extra that each module needs."""


@pytest.mark.parametrize("name", EXTRAS)
def test_a_module_without_its_extra_says_which_it_is(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that installs it, wherever the package came from."""
    for module in [each for each in sys.modules if "valletta_rules.environments" in each]:
        monkeypatch.delitem(sys.modules, module)
    for each in ("numpy", "gymnasium", "pettingzoo", "pyspiel"):
        monkeypatch.setitem(sys.modules, each, None)
    advice = rf"pip install 'valletta-rules\[{EXTRAS[name]}\]'"
    with pytest.raises(ModuleNotFoundError, match=rf"\w+ is not installed: {advice}$"):
        import_module(f"valletta_rules.environments.{name}")
