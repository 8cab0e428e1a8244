"""What a wheel holds beside the package's own files: where each clause of the rulebook is met.

`valletta rule` tells it; in the repository it is read from the sources themselves.
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
        """Write the matrix beside the sources and include it."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        places = runpy.run_path(str(root / "spec" / "traceability.py"))["places"](root)
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name, "matrix.json")
        file.write_text(json.dumps(places, separators=(",", ":")), encoding="utf-8")
        build_data["force_include"][str(file)] = "valletta_rules/_spec/matrix.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear up."""
        if hasattr(self, "folder"):
            self.folder.cleanup()
