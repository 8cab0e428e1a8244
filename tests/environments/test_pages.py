"""The code on the pages about environments runs."""

import re
from importlib import import_module
from textwrap import dedent

import pytest

from spec.checks.code_blocks import blocks, pages
from valletta_rules import native

PAGES = {"docs/howto/train_an_agent.rst": "numpy", "docs/howto/use_openspiel.rst": "pyspiel"}
"""The module that each page needs."""

MODULES = {"aec": "pettingzoo", "single": "gymnasium", "vector": "numpy", "openspiel": "pyspiel"}
"""The library that each module needs."""


def need(module: str) -> None:
    """Skip a test without a module; with numpy alone, packed positions are needed."""
    pytest.importorskip(module)
    if module == "numpy" and not native.available:
        pytest.skip(str(native.why_not))


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_a_page_runs(page: str) -> None:
    """The blocks run from top to bottom."""
    need(PAGES[page])
    names: dict[str, object] = {}
    code = [block.text for block in blocks(page, pages()[page]) if block.language == "python"]
    assert code
    for each in code:
        exec(each, names)


@pytest.mark.parametrize("name", MODULES)
def test_the_code_in_a_docstring_runs(name: str) -> None:
    """Long loops run fewer times."""
    need(MODULES[name])
    said = import_module(f"valletta_rules.environments.{name}").__doc__
    assert said is not None
    code = dedent(said.partition(".. code-block:: python\n")[2])
    exec(re.sub(r"\b1000\b", "20", code), {})
