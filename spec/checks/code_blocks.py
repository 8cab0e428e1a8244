"""Check the code blocks in the documentation.

Two other checks run the Python blocks: Sphinx's doctest builder for reStructuredText, and
`tests/test_readme.py` for the README.  This module checks that they run every Python block.

The module itself runs the commands of each page, from top to bottom, in a folder with the files of
`PREPARED`.  It also parses blocks of TOML, JSON and game records.  Commands in running text and in
the program's messages are not run, but must exist.
"""

import contextlib
import doctest
import io
import json
import re
import shlex
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from itertools import chain, groupby, pairwise, takewhile
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

from markdown_it import MarkdownIt

from valletta_rules import from_json, parse_card_set, parse_record
from valletta_rules.cli.main import build_parser, main

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
CARDS: Final = (
    resources.files("valletta_rules.card_sets").joinpath("reconstruction.toml").read_text("utf-8")
)

PREPARED: Final = {"FILE": CARDS}
"""The contents of the files that exist before a page's first command runs, keyed by file name."""


def _python(words: Sequence[str]) -> int:
    """Run the program passed to ``python -c`` in an empty namespace."""
    exec(compile(words[0], "pasted", "exec"), {})
    return 0


PROGRAMS: Final[dict[str, Callable[[Sequence[str]], int]]] = {
    "valletta": main,
    "python -m valletta_rules": main,
    "python -c": _python,
}
"""The programs that run in this process, keyed by the first words of a command.  Each is a function
of the remaining words."""

EXCUSED: Final = tomllib.loads(Path(__file__).with_name("excused.toml").read_text("utf-8"))

RUN_BY: Final[dict[str, list[str]]] = EXCUSED["run_by"]
"""The commands on documentation pages that another file runs verbatim, keyed by its path."""

ELSEWHERE: Final = [
    each for part in ("run_by", "not_run") for each in chain(*EXCUSED[part].values())
]
"""The commands that this module does not run."""

ALLOWED: Final = {(block["page"], block["language"]) for block in EXCUSED["block"]}
"""The blocks that may remain unchecked, as pairs of a page and a language."""

DOCTEST: Final = ("doctest", "testcode", "testoutput", "testsetup", "testcleanup")
"""The directives whose blocks the doctest builder runs."""

OPENING: Final = re.compile(
    r"(?P<indent> *+)(\.\. (?P<kind>code-block|code|sourcecode|parsed-literal|literalinclude"
    rf"|{'|'.join(DOCTEST)})::(?P<argument>.*)|(?P<prompt>>>>)|(?![\d*#.-]* *\.\. ).*::\s*$)"
)
"""A pattern for the first line of a code block in reStructuredText: a directive, a prompt, or the
end of a paragraph before a literal block."""

INCLUDED: Final = re.compile(
    r"(\.\./)+(examples/(\w+\.py|javascript/\w+\.js)|pyproject\.toml|spec/quint/\w+\.qnt"
    r"|src/valletta_rules/[\w/]+\.(d\.ts|toml))$",
    re.MULTILINE,
)
"""A pattern for the paths of files that pages may include because other checks run them.
`tests/test_examples.py` runs the examples, the TypeScript compiler checks the JavaScript examples
and the types, and Quint checks the model."""


class CodeBlock(NamedTuple):
    """A code block of a page: its position, its language or directive, and its text."""

    page: str
    line: int
    language: str
    text: str
    options: str = ""


def pages() -> dict[str, str]:
    """Return the texts of all pages, keyed by path."""
    others = ("README.md", "CONTRIBUTING.md", "spec/README.md", "spec/checks/README.md")
    paths = [*DOCS.rglob("*.rst"), *(ROOT / other for other in others)]
    paths_by_name = {path.relative_to(ROOT).as_posix(): path for path in sorted(paths)}
    left_out = re.compile(r"docs/(_build|templates)/")
    return {
        name: path.read_text("utf-8")
        for name, path in paths_by_name.items()
        if not left_out.match(name)
    }


# Finding blocks


def blocks(page: str, text: str) -> Iterator[CodeBlock]:
    """Iterate over the code blocks in a page, which is reStructuredText or Markdown."""
    return (_fenced if page.endswith(".md") else _directed)(page, text)


def _fenced(page: str, text: str) -> Iterator[CodeBlock]:
    for token in MarkdownIt().parse(text):
        if token.type in ("fence", "code_block") and token.map:
            language = token.info if token.type == "fence" else "indented"
            yield CodeBlock(page, token.map[0] + 1, language, token.content.rstrip("\n"))


def _directed(page: str, text: str) -> Iterator[CodeBlock]:
    lines, end = text.split("\n"), 0
    for number, line in enumerate(lines, 1):
        opening = OPENING.match(line)
        if opening is None or number <= end:
            continue
        if opening["prompt"]:
            body, language = [line, *takewhile(str.strip, lines[number:])], "doctest"
        else:
            body, language = _inside(opening["indent"], lines[number:]), opening["kind"] or "::"
        end = number + len(body)
        options = list(takewhile(re.compile(r" +:[\w-]+:").match, body))
        argument = (opening["argument"] or "").strip()
        if language in ("code-block", "code", "sourcecode"):
            language = argument or "no language"
        code = textwrap.dedent("\n".join(body[len(options) :])).strip("\n")
        yield CodeBlock(page, number, language, code, "\n".join([argument, *options]))


def _inside(indent: str, lines: Sequence[str]) -> list[str]:
    return list(takewhile(lambda line: not line.strip() or line.startswith(f"{indent} "), lines))


# Judging them


def faults(block: CodeBlock) -> Iterator[str]:
    """Yield a message for each fault of a code block, for example that no check runs the block."""
    language, text = block.language, block.text
    try:
        if (block.page, language) in ALLOWED:
            return
        if language in DOCTEST or (language == "python" and block.page == "README.md"):
            yield from _escapes(block)
        elif language in ("sh", "console") and any(commands_of(block)):
            yield from _run(_typed(block))
        elif language in LOADERS and text.strip():
            LOADERS[language](text)
        elif language != "literalinclude" or not INCLUDED.match(block.options):
            yield "no check runs it"
    except ValueError as error:
        yield f"it cannot be read: {error}"


def _escapes(block: CodeBlock) -> Iterator[str]:
    """Yield a message for each part of a block that the doctest builder skips or may skip."""
    if re.search(r"\+SKIP|:skipif:|:pyversion:", block.options + block.text):
        yield "it may be skipped"
    if block.language in ("doctest", "python"):
        for part in re.split(r"\n\s*\n", block.text.strip()):
            if not part.lstrip().startswith(">>>"):
                yield f"this is not a doctest: {part}"


def _typed(block: CodeBlock) -> list[tuple[str, str]]:
    """Return the commands in a console block, each with the output shown on the page."""
    if block.language == "sh":
        return [(block.text, "")]
    start, *typed = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if start or not typed:
        raise ValueError("a console block must begin with a command after a dollar sign")
    return [(command, output) for command, _, output in (each.partition("\n") for each in typed)]


def _missing(words: Sequence[str]) -> Iterator[str]:
    """Yield a message for each repository file that a command names but that does not exist."""
    for word in words:
        path = word.replace(".", "/") if word.startswith("spec.") else word
        exists = (ROOT / path).exists() or (ROOT / f"{path}.py").exists()
        if re.match(r"(examples|spec|src|tests)/", path) and not exists:
            yield f"{word} does not exist"


def _without_option(command: str) -> Iterator[str]:
    """Yield a message for each option that the program of a command does not seem to have."""
    if command.startswith("valletta "):
        yield from _unknown(command, command.split()[1:])
    elif program := re.match(
        r"(?:python|bash|node) (?:-m )?((?:spec|docs|tests|examples)[./][\w./]+)", command
    ):
        path = ROOT / re.sub(r"\.(?!(py|sh|js)$)", "/", program[1])
        files = (path if path.is_dir() else path.parent).iterdir()
        sources = [
            each.read_text("utf-8") for each in files if each.suffix in (".py", ".sh", ".js")
        ]
        for option in re.findall(r"(?<= )--[\w-]+", command):
            if not re.search(rf"\b{option[2:].replace('-', '[-_]')}\b", "\n".join(sources)):
                yield f"{command!r} has an option that the program lacks: {option}"


def is_run_by(file: str, command: str) -> bool:
    """Return whether a file of the repository contains a command verbatim."""
    text = (ROOT / file).read_text("utf-8").replace("python3 ", "python ")
    return bool(re.search(rf"""(?<![^\s;&('"]){re.escape(command)}(?![^\s;&)'"])""", text))


def commands_of(block: CodeBlock) -> Iterator[str]:
    """Yield the commands in a block, in the form used in ``excused.toml``."""
    if block.language in ("sh", "console"):
        yield from (_plain(words) for text, _ in _typed(block) for words in _words(text))


def _run(typed: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Run commands; yield a message for each whose status or output differs from the page."""
    for (text, expected), (then, status) in pairwise([*typed, ("", "")]):
        for words in _words(text):
            file = words[-1] if words[-2:-1] == [">"] else ""
            words = words[:-2] if file else words
            command = _plain(words)
            if command == "echo $?" or command in ELSEWHERE:
                yield from _missing(words)
                yield from _without_option(command)
                continue
            known = [each for each in PROGRAMS if f"{command} ".startswith(f"{each} ")]
            if not known:
                yield f"no check runs {command!r}"
                continue
            ended, printed = _call(PROGRAMS[known[0]], words[len(known[0].split()) :])
            if ended != (int(status) if then == "echo $?" else 0):
                yield f"{command!r} exits with {ended}: {printed}"
            if file:
                Path(file).write_text(printed, encoding="utf-8")
            if expected and not _matches(f"{expected.rstrip()}\n", printed):
                yield f"{command!r} prints: {printed}"


def _plain(words: Sequence[str]) -> str:
    """Return a command in the form used in ``excused.toml``, without the path of Python."""
    return re.sub(r"^python3\b", "python", " ".join(words).removeprefix(".venv/bin/"))


def _matches(expected: str, printed: str) -> bool:
    """Return whether an output matches the output on the page, where ``...`` matches any text."""
    return doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)


def _words(text: str) -> Iterator[list[str]]:
    """Split a script into commands, each as a list of words."""
    text = re.sub(r"(^|[ \t])#.*", "", text.replace("\\\n", " "), flags=re.MULTILINE)
    lexer = shlex.shlex(text, posix=True, punctuation_chars="&;()\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t", True, ""
    for ends, words in groupby(lexer, lambda word: set(word) <= set("&;()\n")):
        if not ends:
            yield list(words)


def _call(program: Callable[[Sequence[str]], int], words: Sequence[str]) -> tuple[int, str]:
    """Run a program with empty standard input; return its exit status and its output.

    The output includes standard error only if the program fails, because it may contain progress
    messages that depend on time.
    """
    printed, stderr = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(stderr),
        mock.patch("sys.stdin", io.StringIO()),
    ):
        try:
            status = program(words)
        except SystemExit as leaving:
            status = int(leaving.code or 0)
    return status, printed.getvalue() + stderr.getvalue() * bool(status)


def _load_toml(text: str) -> None:
    """Load a card set; complete an excerpt with buildings of the built-in card set."""
    content = tomllib.loads(text)
    if "format" in content:
        parse_card_set(text)
    elif "building" in content:
        head, *tables = CARDS.split("[[building]]\n")
        letters = {building["letter"] for building in content["building"]}
        others = [table for table in tables if tomllib.loads(table)["letter"] not in letters]
        parse_card_set("[[building]]\n".join([head, *others]) + text)


def _load_json(text: str) -> None:
    """Load a document of this library, or parse any other JSON."""
    content = json.loads(text)
    if isinstance(content, dict) and "valletta_rules" in content:
        from_json(text)


def _find_in_model(text: str) -> None:
    """Raise `ValueError` if an excerpt is not part of the formal model."""
    modules = (path.read_text("utf-8") for path in (ROOT / "spec" / "quint").glob("*.qnt"))
    if not any(" ".join(text.split()) in " ".join(module.split()) for module in modules):
        raise ValueError("no module of the formal model contains this excerpt")


# Commands outside of blocks

INLINE: Final = re.compile(r"(?<!`)(?P<ticks>``?)(?P<text>[^`]+)(?P=ticks)(?!`)")
"""A pattern for an inline literal in running text or in a docstring."""

INSTALLED: Final = re.compile(
    r"""pip install (?:-\S+ )*["']?(?P<package>[\w.-]+)(?:\[(?P<extras>[\w,{}]*))?"""
)
"""A pattern for a `pip install` command, with groups for the package and its extras."""


def messages() -> dict[str, str]:
    """Return the Python sources of the package and of the examples, keyed by path."""
    paths = [path for folder in ("src", "examples") for path in (ROOT / folder).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(paths)}


def promises(text: str) -> Iterator[str]:
    """Check the `pip install` and `valletta` commands in a text; yield a message for each fault."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for match in INSTALLED.finditer(text):
        extras = {*filter(None, (match["extras"] or "").split(","))}
        if unknown := extras - {*project["optional-dependencies"], "{name}"}:
            yield f"{match[0]!r} names no extra of the package: {', '.join(sorted(unknown))}"
        if match["package"] == project["name"] and not extras and _is_unreleased():
            yield f"{match[0]!r} fails until the package is released"
    for match in INLINE.finditer(text):
        command, *words = match["text"].split() or [""]
        if command.removeprefix(".venv/bin/") == "valletta":
            yield from _unknown(match["text"], words)


def _is_unreleased() -> bool:
    """Return whether the newest section of the changelog is marked as unreleased."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return "unreleased" in next(each for each in changelog.split("\n") if each.startswith("## "))


def _unknown(written: str, words: Sequence[str]) -> Iterator[str]:
    """Yield messages about an unknown command or unknown options of `valletta`."""
    parser = build_parser()
    commands = next(each.choices for each in parser._actions if isinstance(each.choices, dict))
    if words and words[0] in commands:
        parser = commands[words[0]]
    elif words and re.fullmatch("[a-z]+", words[0]):
        yield f"{written!r} names no command of valletta"
    known = {option for action in parser._actions for option in action.option_strings}
    for option in {word for word in words if word.startswith("--")} - known:
        yield f"{written!r} has an option that the command lacks: {option}"


LOADERS: Final[dict[str, Callable[[str], object]]] = {
    "toml": _load_toml,
    "json": _load_json,
    "text": parse_record,
    "quint": _find_in_model,
}
"""The functions that load a block of data, keyed by the language of the block."""
