"""The Sphinx configuration for this documentation."""
# ruff: noqa: E402 -- what is imported after the path is set is that of this checkout

import doctest
import gc
import sys
from functools import cache
from pathlib import Path

from sphinx.search.en import SearchEnglish

# By default, the search for garbage among all nodes takes a tenth of the time of a build.
gc.set_threshold(50_000)

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS / "extensions"), str(DOCS.parent), str(DOCS.parent / "src")]

from spec.mentions import refresh_matrix
from valletta_rules.codec.vocabulary import ALIASES, is_union
from valletta_rules.components.goods import Goods
from valletta_rules.rulebook import blue, building, final_phase, scoring, turn, yellow
from valletta_rules.version import __version__

if not Path(blue.__file__).is_relative_to(DOCS.parent):  # a program that imported it before
    raise RuntimeError(
        f"`valletta_rules` was imported from {blue.__file__}, not from this checkout"
    )

refresh_matrix(DOCS.parent)  # the templates read the tests of each clause from it

project = "valletta-rules"
copyright = "2026, the valletta-rules authors"
author = "the valletta-rules authors"
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "myst_parser",  # the changelog and CONTRIBUTING, which are Markdown
    # Our own, in docs/extensions/:
    "markup",  # parts that unfold, tables
    "evidence",  # highlighted source to link to
    "rulebook",  # clauses and rulings, out of spec/
    "clause_cards",  # a page for each clause
    "finding",  # the finder of rules
    "figures",  # cards, boards and positions, drawn
    "cards",  # a page for each character and its building
    "checks",  # the report of the checks, and what of them is in the repository
    "templated",  # tables out of templates and data
    "contract",  # actions, prompts, events and violation codes, and how they are written
    "reference",  # operations, the JSON schema, the command line, arrays, layers
    "studied",  # the study of the game: its figures
    "learn",  # the book for players
    "playable",  # the game, without a server
    "languages",  # English and German pages that know of one another
    "sidebar",  # the titles of all pages, written directly, which saves a quarter of a build
    "accessible",  # what the theme leaves out for readers without a mouse or a screen
]
html_theme = "furo"
html_title = "valletta-rules"
html_copy_source = False
html_static_path = ["static"]
templates_path = ["templates/html"]
html_css_files = ["valletta.css", "model.css", "reference.css", "layout.css"]
html_search_scorer = str(DOCS / "static" / "scorer.js")
html_js_files = ["browser.js", "clause_tips.js"]
exclude_patterns = ["_build", "templates", "play/node_modules"]
exclude_patterns += ["**/*.jpg", "**/*.svg"]  # not to `_static`: what pages show is in `_images`
if "english" in tags:  # type: ignore[name-defined]  # noqa: F821 -- `sphinx-build -t english`
    exclude_patterns.append("de")
default_role = "py:obj"  # `apply` links to what has the name, or is set as code: see `names`
NUMBERS = {  # |CONSTRUCTION_BONUS| in a page is the number of that name in the rules
    name: value.total if isinstance(value, Goods) else value
    for chapter in (blue, building, final_phase, scoring, turn, yellow)
    for name, value in vars(chapter).items()
    if name.isupper() and isinstance(value, int | Goods)
}
rst_prolog = "\n".join(f".. |{name}| replace:: {number}" for name, number in NUMBERS.items())
SearchEnglish.stem = cache(SearchEnglish.stem)  # type: ignore[method-assign]  # once for all pages

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {  # `Seat`, and not what it is short for
    name: f"{home.__name__}.{name}" if is_union(getattr(home, name)) else name
    for name, home in ALIASES.items()
} | {
    name.rpartition(".")[2]: f"valletta_rules.{name}"
    for name in (
        *("agenda.AnswerTypes", "events.Log"),
        "rulebook.effects.StatePredicate",
    )
}
add_module_names = False  # the page says which module it is
autodoc_use_type_comments = False  # there are none, and looking for them takes long
autodoc_default_options = {"members": True, "undoc-members": True}
nitpick_ignore_regex = [
    # Nothing is fetched at build time, so that names of the standard library stay unresolved.
    ("py:.*", r"(collections|fractions|random|os|pathlib|types|typing|enum)\..*"),
    ("py:class", "StrEnum|Fraction"),
    # Type variables.
    ("py:class", r"valletta_rules\.[\w.]+\.[PAT]"),
    # Compiled, and absent without a compiler.
    ("py:(class|obj)", r"(valletta_rules\._?native\.)?PackedState"),
]
doctest_test_doctest_blocks = "default"
# The messages of exceptions count, too.
doctest_default_flags = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1
