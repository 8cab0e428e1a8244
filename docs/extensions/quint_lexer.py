"""Highlighting for Quint, the language of the formal model (https://quint-lang.org)."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Keyword,
    Name,
    Operator,
    String,
    Text,
)


class QuintLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Splits a Quint module into what is coloured alike, and names that may lead somewhere."""

    name = "Quint"
    url = "https://quint-lang.org"
    aliases: ClassVar = ["quint"]
    filenames: ClassVar = ["*.qnt"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Text),
            (r"///.*", String.Doc),
            (r"//.*|/\*[\s\S]*?\*/", Comment),
            (r'"[^"]*"', String),
            (
                r"(val|def|action|temporal|run|assume|const|var|nondet)(\s+)(\w+)",
                bygroups(Keyword.Declaration, Text, Name.Function),
            ),
            (r"(type)(\s+)(\w+)", bygroups(Keyword.Declaration, Text, Name.Class)),
            (r"pure\b", Keyword.Declaration),
            (r"\.\w+\b(?!\()|\w+\s*:(?!:)", Name.Attribute),
            (r"(module|import|export|from|as|if|else|match|all|any)\b", Keyword),
            (r"(int|str|bool|Int|Nat|Bool|true|false)\b", Keyword.Type),
            (r"(and|or|iff|implies|leadsTo)\b", Operator.Word),
            (r"[A-Z]\w*", Name.Class),
            (r"[a-z_]\w*", Name),
            (r"[\w.:|{}()\[\],;+*/%^<>='!-]", Text),
        ],
    }
