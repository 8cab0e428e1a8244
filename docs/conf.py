"""How the documentation is built."""

from importlib.metadata import version as version_of

project = "valletta-rules"
copyright = "2026, the valletta-rules authors"
author = "the valletta-rules authors"
release = version = version_of("valletta-rules")

extensions = ["sphinx.ext.autodoc", "sphinx.ext.doctest"]
html_theme = "furo"
html_title = "valletta-rules"
exclude_patterns = ["_build"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": True}
nitpick_ignore_regex = [
    # Nothing is fetched at build time, so that names of the standard library stay unresolved.
    ("py:.*", r"(collections|fractions|random|os|pathlib|types|typing|enum)\..*"),
    # The type variables of the engine's table of rules.
    ("py:class", r"valletta_rules\.engine\.[PA]"),
]
doctest_test_doctest_blocks = "default"
