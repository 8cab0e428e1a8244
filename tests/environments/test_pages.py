"""Tests that code examples in pages and docstrings about environments run without errors."""

import re
from importlib import import_module
from textwrap import dedent

import pytest

from spec.checks.code_blocks import blocks, pages
from valletta_rules import native

PAGES = {"docs/howto/train_an_agent.rst": "numpy", "docs/howto/use_openspiel.rst": "pyspiel"}
"""A mapping from pages to the third-party module that their examples need."""

MODULES = {"aec": "pettingzoo", "single": "gymnasium", "vector": "numpy", "openspiel": "pyspiel"}
"""A mapping from environments to the third-party module that they need."""


def need(module: str) -> None:
    """Skip the test if `module` is missing, or if it is NumPy and the native backend is missing."""
    pytest.importorskip(module)
    if module == "numpy" and not native.available:
        pytest.skip(str(native.why_not))


@pytest.mark.parametrize("page", PAGES)
def test_the_python_code_blocks_of_a_page_run_in_order_without_errors(page: str) -> None:
    """A later block can use the names that earlier blocks define."""
    need(PAGES[page])
    names: dict[str, object] = {}
    code = [block.text for block in blocks(page, pages()[page]) if block.language == "python"]
    assert code
    for each in code:
        exec(each, names)


@pytest.mark.parametrize("name", MODULES)
def test_the_code_block_in_the_docstring_of_an_environment_runs_without_errors(name: str) -> None:
    """The test shortens loops of 1000 steps to 20 steps."""
    need(MODULES[name])
    docstring = import_module(f"valletta_rules.environments.{name}").__doc__
    assert docstring is not None
    code = dedent(docstring.partition(".. code-block:: python\n")[2])
    exec(re.sub(r"\b1000\b", "20", code), {})
