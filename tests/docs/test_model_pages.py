"""Tests of the pages with the formal model's source code."""

from tests.docs import ROOT, extension

evidence = extension("evidence")
MODULES = [path.name for path in (ROOT / "spec/quint").glob("*.qnt")]


def test_each_definition_that_states_a_clause_has_exactly_one_anchor_on_its_page() -> None:
    """Without the anchor, links to the definition would lead to the top of the page."""
    anchors = {
        file: [name for name, _ in evidence.defined_in(f"spec/quint/{file}")] for file in MODULES
    }
    assert all(len({*names}) == len(names) for names in anchors.values())
    stating = {each.name for each in evidence.repository().mentions if each.kind == "quint"}
    for file, _, name in (each.partition("::") for each in stating if each):
        assert name in anchors[file]
