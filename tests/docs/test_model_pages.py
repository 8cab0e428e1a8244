"""The pages of the formal model show all of it, and what is linked is defined."""

from __future__ import annotations

import pytest

from tests.docs import ROOT, extension

quint_source = extension("quint_source")
MODULES = quint_source.modules()


@pytest.mark.parametrize("name", MODULES)
def test_nothing_of_a_module_is_left_out(name: str) -> None:
    """What is shown of a module is all of it but the imports, the rulers and the comments."""
    text = (ROOT / "spec/quint" / f"{name}.qnt").read_text(encoding="utf-8")
    shown = "\n".join(block.source for block in MODULES[name].blocks)
    assert code(shown) == code(text.rpartition("}")[0])


def code(text: str) -> list[str]:
    """Return the lines that define something."""
    lines = (line.strip() for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith(("//", "import ", "module "))]


@pytest.mark.parametrize("name", MODULES)
def test_names_are_unique(name: str) -> None:
    """No two definitions or constructors of a module have the same name: each has its anchor."""
    names = [found for found, _ in MODULES[name].names()]
    assert len(set(names)) == len(names)


def test_what_is_no_definition_is_reported() -> None:
    """A line that the reader does not understand is an error, and not left out."""
    with pytest.raises(ValueError, match=r"sample: this is no definition: nothing"):
        quint_source.parse("sample", "module sample {\n  nothing\n}\n")


@pytest.mark.parametrize("name", MODULES)
def test_every_token_is_known(name: str) -> None:
    """The highlighter knows every sign of the model."""
    pytest.importorskip("pygments")
    lexer = extension("quint_lexer").QuintLexer()
    text = (ROOT / "spec/quint" / f"{name}.qnt").read_text(encoding="utf-8")
    tokens = list(lexer.get_tokens(text))
    assert [value for token, value in tokens if str(token) == "Token.Error"] == []
    assert "".join(value for _, value in tokens) == text
