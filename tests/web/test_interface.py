"""Tests that the web package uses only public interfaces, like any other frontend."""

import ast
import re
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "src" / "valletta_rules" / "web").glob("*.py"))
IMPORTS = grimp.build_graph("valletta_rules", cache_dir=None)
DOCUMENTED = {
    name
    for page in (ROOT / "docs").rglob("*.rst")
    for name in re.findall(r"module:: valletta_rules\.([\w.]+)", page.read_text("utf-8"))
}
OPEN = DOCUMENTED | {name.split(".")[0] for name in DOCUMENTED} | {"version"}
"""The modules and packages that the documentation describes."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_web_package_uses_only_documented_modules_and_no_private_names(path: Path) -> None:
    """Other frontends can thus be written in the same way.

    Private names begin with an underscore.
    """
    module = "valletta_rules.web" if path.stem == "__init__" else f"valletta_rules.web.{path.stem}"
    imported = IMPORTS.find_modules_directly_imported_by(module) - {"valletta_rules"}
    names = {name.removeprefix("valletta_rules.") for name in imported}
    assert {name for name in names if not name.startswith("web")} <= OPEN
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not [each.name for each in node.names if re.match(r"_[a-z]", each.name)]
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            assert ast.unparse(node.value) in ("self", "cls", "os"), ast.unparse(node)
