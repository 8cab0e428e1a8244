"""Build the playable game, which runs in the browser without a server, from files in `docs/play/`.

Python runs in the browser with Pyodide, which ``npm ci`` in `docs/play/` installs.  Without Pyodide
or Node, the pages are built without the game, and say so.  To add the game later, rebuild all pages
with ``sphinx-build -E``.
"""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Final
from urllib.parse import quote_plus
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docutils import nodes
from docutils.parsers.rst.directives import flag, nonnegative_int
from languages import PHRASES, language_of
from markup import ROOT, NodeDirective, raw
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata

from valletta_rules import Session, format_record, position_line
from valletta_rules.web import pictures
from valletta_rules.words import LANGUAGES, page_words

SOURCE: Final = ROOT / "docs/play"
"""The folder that contains this project's source files for the playable game."""

PYODIDE: Final = SOURCE / "node_modules/pyodide"
"""The folder in which npm installs Pyodide."""

RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files of Pyodide that are copied unchanged."""

LOCK: Final = "pyodide-lock.json"
"""The file that lists Pyodide's optional packages. The build writes an empty list instead."""

STANDARD: Final = "python_stdlib.zip"
"""The archive with Python's standard library. The build compiles its modules."""

LIBRARY: Final = "library.bin"
"""The archive with the compiled package and its dependencies. It is a compressed tar file. Its name
ends with `.bin`, so that servers do not unpack it."""

MEMORY: Final = "memory.bin"
"""The compressed snapshot of Python's memory after the package has been imported."""

WARM: Final = ("archive.mjs", "warm.py")
"""The programs that prepare the memory for the snapshot."""

GENERATED: Final = (STANDARD, LIBRARY, MEMORY)
"""The files in Pyodide's folder that this extension generates."""

NEVER_USED: Final = (
    "_pyrepl", "doctest", "imaplib", "mailbox", "multiprocessing", "optparse", "pdb", "pickletools",
    "pydoc", "unittest", "wsgiref", "xmlrpc",
)  # fmt: skip
"""Large modules of the standard library that the game does not need. The build omits them."""

PACKAGES: Final = ("valletta_rules", "attr", "attrs", "cattrs", "typing_extensions")
"""The packages outside the standard library that the game imports."""

TEXTS: Final = ("clauses", "texts", "rulings.toml", "glossary.toml", "version.toml", "matrix.json")
"""The files and folders of `spec/` that the game needs to explain rules."""

UNUSED: Final = (".so", ".pyc", ".d.ts")
"""The suffixes of files that are left out of the archive with the package."""


def can_build(app: Sphinx) -> bool:
    """Return whether the game can be built, which requires HTML pages, Node and Pyodide."""
    return app.builder.name == "html" and PYODIDE.is_dir() and shutil.which("node") is not None


def size_of(app: Sphinx) -> int | None:
    """Return the number of megabytes that the game downloads, or `None` if it is not built."""
    if not can_build(app):
        return None
    sent = [*(PYODIDE / name for name in RUNTIME), *(python_in(app) / name for name in GENERATED)]
    return round(sum(path.stat().st_size for path in sent) / 1e6)


def library() -> Iterator[tuple[Path, str]]:
    """Yield the files for the archive `LIBRARY`, each with its name in the archive."""
    for package in PACKAGES:
        spec = find_spec(package)
        origin = Path((spec and spec.origin) or package)
        paths = [origin] if origin.name != "__init__.py" else sorted(origin.parent.rglob("*"))
        for path in paths:
            name = str(path.relative_to(origin.parent.parent if len(paths) > 1 else origin.parent))
            skipped = name.endswith(UNUSED) or "/web/pages/" in name or "/_spec/" in name
            if path.is_file() and not skipped:
                yield path, name
    for text in TEXTS:
        base = ROOT / "spec"
        for path in sorted((base / text).rglob("*")) if (base / text).is_dir() else [base / text]:
            if path.is_file():
                yield path, f"valletta_rules/_spec/{path.relative_to(base)}"


def compile_all(to: Path) -> None:
    """Copy Pyodide to a folder, and generate the archives and the snapshot of memory there."""
    to.mkdir(parents=True, exist_ok=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, to)
    packages = json.loads((PYODIDE / LOCK).read_text("utf-8"))
    (to / LOCK).write_text(json.dumps({**packages, "packages": {}}), "utf-8")
    with TemporaryDirectory() as folder:
        archive = Path(folder, "library.zip")
        with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
            for path, name in library():
                # dated as always: equal files, equal archives
                zipped.writestr(ZipInfo(name), path.read_bytes())
        make(to / LIBRARY, (archive,), "compile.mjs", archive, to / LIBRARY)
    standard, without = PYODIDE / STANDARD, ",".join(NEVER_USED)
    make(to / STANDARD, (standard,), "compile.mjs", standard, to / STANDARD, without)
    python = [to / name for name in (*RUNTIME, STANDARD, LIBRARY)]
    make(to / MEMORY, (*python, *(SOURCE / name for name in WARM)), "snapshot.mjs", to)


def make(output: Path, of: Sequence[Path], program: str, *arguments: Path | str) -> None:
    """Generate a file with Node, unless it exists and was generated from the same inputs.

    Node runs `program` with `arguments`.  `of` contains the input files.
    """
    source = "".join(map(digest, (*of, SOURCE / program))) + str(arguments[2:])
    mark = output.with_suffix(".made")
    if output.exists() and mark.exists() and mark.read_text() == source + digest(output):
        return
    subprocess.run(["node", SOURCE / program, *arguments], check=True)
    mark.write_text(source + digest(output))


def digest(path: Path) -> str:
    """Return the SHA-256 hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def build(to: Path) -> None:
    """Copy the pages of the web table to a folder, and write their texts and pictures to files."""
    static = to / "pages/static"
    for folder in (static, to / "pages/table"):
        folder.mkdir(parents=True, exist_ok=True)
    pages = ROOT / "src/valletta_rules/web/pages"
    for path in pages.iterdir():
        if path.suffix in (".js", ".css", ".svg"):
            shutil.copy(path, static)
    shutil.copy(pages / "index.html", to / "pages")
    shutil.copy(pages / "table.html", to / "pages/table/index.html")
    shutil.copy(SOURCE / "server.js", static)
    for code, language in LANGUAGES.items():
        for name, sent in (("words", page_words(language)), ("pictures", pictures.stock(code))):
            (static / f"{name}.{code}.json").write_text(json.dumps(sent), "utf-8")
    shutil.copy(SOURCE / "shell.html", to / "index.html")
    for name in ("shell.js", "shell.css", "worker.js", "archive.mjs", "LICENSES.txt"):
        shutil.copy(SOURCE / name, to)
    write_lists(to)


def write_lists(to: Path) -> None:
    """Write a list of all files with their sizes, and a service worker that caches the files."""
    paths = [
        path
        for path in sorted(to.rglob("*"))
        if path.is_file() and path.suffix != ".made" and path.name not in ("sw.js", "files.json")
    ]
    version = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]
    cache = f"valletta-{version}"
    sizes = {str(path.relative_to(to)): path.stat().st_size for path in paths}
    files = {"./": sizes["index.html"], **sizes}
    (to / "files.json").write_text(json.dumps({"cache": cache, "files": files}), "utf-8")
    lists = {"CACHE": cache, "FILES": ["files.json", *files]}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in lists.items())
    (to / "sw.js").write_text(constants + (SOURCE / "sw.js").read_text("utf-8"), "utf-8")


def try_it(env: BuildEnvironment, kind: str, text: str) -> list[nodes.Node]:
    """Return a link that opens the playable game at a position, an example or a record.

    The result is empty if the game is not built.
    """
    if not can_build(env.app):
        return []
    language, up = language_of(env.docname), "../" * env.docname.count("/")
    address = (
        f"{up}play/app/index.html?language={language}#{kind}={quote_plus(text, safe='/=:,|@')}"
    )
    return [raw(f'<p class="try"><a href="{address}">{PHRASES["play"][language]["try"]}</a></p>')]


class TryIt(NodeDirective):
    """The directive `.. try-it:: 2`: a link to a two-player game after the moves in the content.

    With the option `record`, the link opens the record of the game instead.
    """

    option_spec: ClassVar[Any] = {"seed": nonnegative_int, "record": flag}

    def build_nodes(self) -> list[nodes.Node]:
        """Return the link to the game."""
        session = Session(int(self.arguments[0]), seed=self.options["seed"])
        for move in self.content:
            session.play(move)
        if "record" in self.options:
            return try_it(self.env, "record", format_record(session.record))
        return try_it(self.env, "position", position_line(session.state))


class Play(NodeDirective):
    """The directive `.. play::`: a button that opens the game, or a text if no game is built."""

    required_arguments = 0

    def build_nodes(self) -> list[nodes.Node]:
        """Return the button with the game's size, or a text if the game is not built."""
        phrases = PHRASES["play"][self.code]
        size = size_of(self.env.app)
        if size is None:
            return [raw(f"<p>{phrases['left_out']}</p>")]
        address = f"{self.up}play/app/index.html?language={self.code}"
        button = f'<a class="play-button" href="{address}">{phrases["play"]}</a>'
        return [raw(f"<p>{button} {phrases['size'].format(size)}</p>")]


class WithGame(NodeDirective):
    """The directive `.. with-game::`: content that is omitted if the game is not built."""

    required_arguments = 0

    def build_nodes(self) -> list[nodes.Node]:
        """Return the content, if the game is built."""
        return self.parse_content_to_nodes() if can_build(self.env.app) else []


def python_in(app: Sphinx) -> Path:
    """Return the folder for Pyodide in a build."""
    return Path(app.outdir, "play/app/python")


def begin(app: Sphinx) -> None:
    """Compile the archives at the start of a build, because pages show the size of the game."""
    if can_build(app):
        compile_all(python_in(app))


def finish(app: Sphinx, error: Exception | None) -> None:
    """Copy the rest of the game after the pages have been built."""
    if error is None and can_build(app):
        build(Path(app.outdir, "play/app"))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directives, and connect the handlers that build the game."""
    app.add_directive("play", Play)
    app.add_directive("try-it", TryIt)
    app.add_directive("with-game", WithGame)
    app.connect("builder-inited", begin)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
