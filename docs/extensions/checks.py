"""The report of a run of the checks, and what of the checks is in the repository.

``sphinx-build -D checks_report=FILE`` includes a report that ``python -m spec.checks run`` wrote.
Without one the pages say what each check does, and nothing of results.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util.typing import ExtensionMetadata
from templated import share

from spec.checks.proofs import contracts, unnamed, unproved

FORM: Final = {"commit": str, "date": str, "machine": str, "checks": list}
"""The keys of a report, and the types of their values."""

given: dict[str, Any] = {}
"""The report of this build; empty if there is none."""


def read_report(app: Sphinx, config: Config) -> None:
    """Put the content of the report in place of its file, so that another one rebuilds the pages.

    Raises `ConfigError` if the file cannot be read, or is no report.
    """
    given.clear()
    if path := config.checks_report:
        try:
            read = json.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"checks_report: {path}: {error}") from None
        if lacking := [*missing(read, FORM)]:
            raise ConfigError(f"checks_report: {path} lacks {', '.join(lacking)}")
        given.update(read)
    config.checks_report = dict(given)


def missing(read: Any, form: Mapping[str, type], place: str = "") -> Iterator[str]:
    """Yield the places in a report where a value of a form is missing, or is of another type."""
    held = read if isinstance(read, dict) else {}
    yield from (f"{place}{key}" for key, kind in form.items() if type(held.get(key)) is not kind)
    checks = held.get("checks") if form is FORM else None
    for number, each in enumerate(checks if isinstance(checks, list) else ()):
        yield from missing(each, {"name": str, "verdict": str}, f"checks[{number}].")


def report() -> Mapping[str, Any]:
    """Return the report of this build; empty if there is none."""
    return given


def counts(results: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Count the mutants by their verdicts."""
    return Counter(str(each["verdict"]) for each in results.values())


share(__name__, contracts=contracts, unnamed=unnamed, unproved=unproved)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the option, and let the templates ask for the report."""
    app.add_config_value("checks_report", "", "env", (str, dict))
    app.connect("config-inited", read_report, priority=0)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
