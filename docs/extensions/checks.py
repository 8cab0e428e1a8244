"""Load a report on a run of the checks, and provide data about the checks for pages.

``sphinx-build -D checks_report=FILE`` includes a report that ``python -m spec.checks run`` wrote.
Without a report, the pages describe each check but show no results.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util.typing import ExtensionMetadata
from templated import share

from spec.checks.proofs import contracts, unnamed, unproved

loaded_report: dict[str, Any] = {}
"""The checks report that this build includes. It is empty if the build has no report."""


def read_report(app: Sphinx, config: Config) -> None:
    """Load the file that the option `checks_report` names, and store its content in the option.

    Sphinx thus rebuilds the pages if the report has changed.  Raises `ConfigError` if the file
    cannot be read or is not a JSON object.  A page reports an error if the report
    lacks an entry that the page needs.
    """
    loaded_report.clear()
    if path := config.checks_report:
        try:
            loaded_report.update(json.loads(Path(path).read_text("utf-8")))
        except (OSError, TypeError, ValueError) as error:
            raise ConfigError(f"checks_report: {path}: {error}") from None
    config.checks_report = dict(loaded_report)


def report() -> Mapping[str, Any]:
    """Return the checks report that this build includes; empty if the build has no report."""
    return loaded_report


def counts(results: Mapping[str, Mapping[str, Any]]) -> Mapping[str, int]:
    """Return how many mutants have each verdict."""
    return Counter(str(each["verdict"]) for each in results.values())


share(__name__, contracts=contracts, unnamed=unnamed, unproved=unproved)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the configuration option `checks_report`."""
    app.add_config_value("checks_report", "", "env", (str, dict))
    app.connect("config-inited", read_report, priority=0)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
