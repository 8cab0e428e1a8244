"""Tests that the specification can be cited: it has a version, a date and permanent ids."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from spec.traceability import LOCK
from tests.sources import repository
from valletta_rules import __version__, clause_ids, explain
from valletta_rules.cli.main import main
from valletta_rules.specification.clauses import specification_version

ROOT = Path(__file__).resolve().parents[2]
CHANGELOG = (ROOT / "spec" / "CHANGELOG.md").read_text("utf-8")
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
VERSION = tomllib.loads((ROOT / "spec" / "version.toml").read_text("utf-8"))


def test_the_version_and_date_of_the_specification_are_the_same_in_all_files() -> None:
    """They are in the version file, the changelog and the citation file.

    The version of the software must also be the same in the citation file and ``package.json``.
    """
    assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", VERSION["version"])
    assert specification_version() == VERSION["version"]
    headings = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == f"{VERSION['version']} ({VERSION['date']})"
    assert len(set(headings)) == len(headings)
    software, _, standard = CITATION.partition("\npreferred-citation:\n")
    standard = standard.partition("\nreferences:\n")[0]
    assert software.startswith("cff-version: 1.2.0\n")
    assert f"\nversion: {__version__}\n" in software
    package = json.loads((ROOT / "src" / "javascript" / "package.json").read_text("utf-8"))
    assert package["version"] == __version__
    assert standard.startswith("  type: standard\n")
    assert f"\n  version: {VERSION['version']}\n" in standard
    assert f"\n  date-released: {VERSION['date']}\n" in standard


def test_every_id_in_the_changelog_exists_or_is_retired() -> None:
    """The changelog must also mention every retired id."""
    ids, retired = set(re.findall(r"\b[A-Z]{3}-[0-9]+\b", CHANGELOG)), repository().retired
    assert ids <= {*clause_ids(), *retired}
    assert ids.issuperset(retired), f"{LOCK} retires ids that spec/CHANGELOG.md does not mention"


def test_the_citation_of_a_clause_contains_the_version_its_id_and_its_revision() -> None:
    """A citation thus identifies the exact text."""
    assert explain("bld-28").citation == (
        "Valletta: the rules as numbered clauses, "
        f"version {VERSION['version']} ({VERSION['date']}), BLD-28, "
        f"revision {explain('BLD-28').revision}"
    )


def test_the_rule_command_with_cite_prints_only_the_citation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command is `valletta rule BLD-28 --cite`."""
    assert main(["rule", "BLD-28", "--cite"]) == 0
    assert capsys.readouterr().out == f"{explain('BLD-28').citation}\n"
