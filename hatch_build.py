"""What an installation holds beside the package's own files: where each clause is met.

`valletta rule` tells it.  A wheel brings the file along; an editable installation writes it beside
the specification, where `python spec/traceability.py` keeps it up to date.
"""

from __future__ import annotations

import json
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Matrix(BuildHookInterface[Any]):
    """Adds the matrix of clauses, code, tests and formal definitions to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the matrix, and include it in a wheel."""
        root = Path(self.root)
        traceability = runpy.run_path(str(root / "spec" / "traceability.py"))
        repository = traceability["read_repository"](root)
        if version == "editable":
            traceability["write_matrix"](root, repository)
            return
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name, "matrix.json")
        file.write_text(json.dumps(traceability["places"](repository)), encoding="utf-8")
        build_data["force_include"][str(file)] = "valletta_rules/_spec/matrix.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear up."""
        if hasattr(self, "folder"):
            self.folder.cleanup()
