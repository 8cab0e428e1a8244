"""Tests of environments without their third-party libraries.

The error names the extra to install.
"""

import sys
from importlib import import_module

import pytest

EXTRAS = {"aec": "rl", "openspiel": "openspiel", "single": "rl", "vector": "rl"}
"""A mapping from modules to the extra of the package that they need."""


@pytest.mark.parametrize("name", EXTRAS)
def test_importing_an_environment_without_its_library_names_the_command_to_install_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is `pip install` with an extra of the package."""
    for module in [each for each in sys.modules if "valletta_rules.environments" in each]:
        monkeypatch.delitem(sys.modules, module)
    for each in ("numpy", "gymnasium", "pettingzoo", "pyspiel"):
        monkeypatch.setitem(sys.modules, each, None)
    advice = rf"pip install 'valletta-rules\[{EXTRAS[name]}\]'"
    with pytest.raises(ModuleNotFoundError, match=rf"\w+ is not installed: {advice}$"):
        import_module(f"valletta_rules.environments.{name}")
