"""Highlighting for Quint, the language of the formal model (https://quint-lang.org)."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

BUILT_IN = (
    *("not", "exists", "forall", "contains", "in", "union", "intersect", "exclude", "subseteq"),
    *("filter", "map", "fold", "foldl", "foldr", "powerset", "flatten", "allLists", "size"),
    *("allListsUpTo", "getOnlyElement", "chooseSome", "oneOf", "isFinite", "get", "keys", "mapBy"),
    *("setToMap", "setOfMaps", "set", "setBy", "put", "append", "concat", "head", "tail"),
    *("length", "nth", "indices", "replaceAt", "slice", "range", "select", "to", "tuples"),
    *("always", "eventually", "next", "orKeep", "mustChange", "enabled", "weakFair"),
    *("strongFair", "then", "expect", "reps", "fail", "assert", "Set", "List", "Map", "Rec", "Tup"),
)
"""The operators that every module has."""


class QuintLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Splits a Quint module into what is coloured alike."""

    name = "Quint"
    url = "https://quint-lang.org"
    aliases: ClassVar = ["quint"]
    filenames: ClassVar = ["*.qnt"]

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"///.*", String.Doc),
            (r"//.*", Comment.Single),
            (r"/\*[\s\S]*?\*/", Comment.Multiline),
            (r'"[^"]*"', String),
            (r"(module)(\s+)(\w+)", bygroups(Keyword, Whitespace, Name.Namespace)),
            (r"(import|export)\b", Keyword.Namespace, "import"),
            (
                r"(val|def|action|temporal|run|assume|const|var|nondet)(\s+)(\w+)",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (r"(type)(\s+)(\w+)", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (r"(\.)(\w+)\b(?!\()", bygroups(Punctuation, Name.Attribute)),
            (r"(\w+)(\s*)(:)(?!:)", bygroups(Name.Attribute, Whitespace, Punctuation)),
            (words(("pure",), suffix=r"\b"), Keyword.Declaration),
            (words(("if", "else", "match", "all", "any"), suffix=r"\b"), Keyword),
            (words(("int", "str", "bool"), suffix=r"\b"), Keyword.Type),
            (words(("Int", "Nat", "Bool", "true", "false"), suffix=r"\b"), Keyword.Constant),
            (words(("and", "or", "iff", "implies", "leadsTo"), suffix=r"\b"), Operator.Word),
            (words(BUILT_IN, suffix=r"\b"), Name.Builtin),
            (r"0x[0-9a-fA-F](?:_?[0-9a-fA-F])*|\d(?:_?\d)*", Number.Integer),
            (r"[A-Z]\w*", Name.Class),
            (r"[a-z_]\w*", Name),
            (r"::|\.\.\.|[{}()\[\],;.:|]", Punctuation),
            (r"->|=>|==|!=|<=|>=|[-+*/%^<>=']", Operator),
        ],
        "import": [
            (r"\b(from|as)\b", Keyword.Namespace),
            (r'"[^"]*"', String),
            (r"[ \t]+", Whitespace),
            (r"\w+", Name.Namespace),
            (r"::", Punctuation),
            (r"[.*(=,)]", Punctuation),
            (r"\n", Whitespace, "#pop"),
        ],
    }
