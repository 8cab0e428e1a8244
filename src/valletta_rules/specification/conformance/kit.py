"""The conformance kit as data: its manifest, its vectors, and the rules and cards that they use."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Self

import attrs
from cattrs import structure

from valletta_rules.errors import VallettaError
from valletta_rules.specification.conformance.form import Json
from valletta_rules.text.files import printable_path

PROTOCOL: Final = 1
"""The version of the protocol that the runner uses."""

KIT_FORMAT: Final = 1
"""The version of the format of vectors that the runner can read."""


NEEDS: Final = (
    "setup",
    "plays",
    "refill",
    "building",
    "payments",
    "valette",
    "red",
    "green",
    "blue",
    "yellow",
    "final",
    "scoring",
    "views",
)
"""The abilities that an engine can declare; the README of the kit lists them."""


class KitError(VallettaError, ValueError):
    """Raised for a folder without a conformance kit, or with a kit of an unsupported format."""


@attrs.frozen
class Vector:
    """A test vector: a position, with all its expected results."""

    id: str
    """The permanent id: chapter, description and hash, as in ``turn/paying.1c72d1``."""
    kind: str
    """The kind of vector: ``start``, ``turn``, ``chance``, ``final`` or ``view``."""
    clauses: tuple[str, ...]
    """The clauses that the vector tests, the main clause first."""
    rules: str
    """The name of the vector's rule set in the kit."""
    cards: str
    """The name of the vector's card set in the kit."""
    needs: frozenset[str]
    """The abilities that an engine needs to answer the vector's questions."""
    players: int
    """The number of players."""
    content: Json
    """The whole vector, as a parsed JSON object."""

    @property
    def chapter(self) -> str:
        """The chapter of the vector's main clause."""
        return self.id.partition("/")[0]


@attrs.frozen
class Kit:
    """A conformance kit in a folder."""

    folder: Traversable
    """The folder of the kit."""
    manifest: Json
    """The parsed content of `manifest.json`."""

    @classmethod
    def load(cls, folder: str | None = None) -> Self:
        """Load the kit from a folder; the default is the kit in this package.

        Raises `KitError` if the folder has no kit, or a kit of an unknown format.
        """
        place = own_folder() if folder is None else Path(folder)
        manifest = _parsed(_read(place, "manifest.json"), "manifest.json")
        for key, known in (("format", KIT_FORMAT), ("protocol", PROTOCOL)):
            if manifest.get(key) != known:
                raise KitError(
                    f"the kit has {key} {manifest.get(key)!r}, but this version reads {key} {known}"
                )
        return cls(place, manifest)

    @property
    def version(self) -> str:
        """The version of the kit."""
        return str(self.manifest["kit"])

    @property
    def specification(self) -> str:
        """The version of the specification that the kit tests."""
        return str(self.manifest["specification"])

    @property
    def chapters(self) -> Mapping[str, list[str]]:
        """The clauses with test vectors, keyed by chapter; the list for a chapter may be empty."""
        chapters: Mapping[str, list[str]] = self.manifest["chapters"]
        return chapters

    def vectors(self) -> Iterator[Vector]:
        """Yield the vectors of the kit; raise `KitError` for a file with a wrong checksum."""
        for entry in self.manifest["files"]:
            data = _read(self.folder, entry["path"])
            if hashlib.sha256(data).hexdigest() != entry["sha256"]:
                raise KitError(
                    f"the checksum of {entry['path']} differs from the one in manifest.json"
                )
            text = gzip.decompress(data) if entry["path"].endswith(".gz") else data
            for line in text.splitlines():
                yield vector_of(json.loads(line))

    def rules(self, name: str) -> Json:
        """Load a rule set by its name in the kit."""
        return _parsed(_read(self.folder, f"rules/{name}.json"), name)

    def cards(self, name: str) -> Json:
        """Load a card set by its name in the kit."""
        return _parsed(_read(self.folder, f"cards/{name}.json"), name)


def vector_of(content: Json) -> Vector:
    """Create a vector from the JSON object in a line of the kit."""
    players = len(content["position"]["players"])
    return structure({**content, "players": players, "content": content}, Vector)


def own_folder() -> Traversable:
    """Return the folder of the kit in the installed package, or in the repository."""
    installed = resources.files("valletta_rules") / "_spec" / "conformance"
    return installed if installed.is_dir() else Path(__file__).parents[4] / "spec" / "conformance"


def _read(folder: Traversable, name: str) -> bytes:
    try:
        return folder.joinpath(*name.split("/")).read_bytes()
    except OSError as error:
        where = printable_path(str(folder))
        raise KitError(f"{where} is not a conformance suite: {name}: {error.strerror}") from None


def _parsed(data: bytes, name: str) -> Json:
    try:
        parsed: Any = json.loads(data)
    except ValueError as error:
        raise KitError(f"{name} cannot be read: {error}") from None
    if not isinstance(parsed, dict):
        raise KitError(f"{name} is not a JSON object")
    return parsed
