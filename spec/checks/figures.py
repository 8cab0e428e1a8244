"""Publish the figures of a check, such as the number of cases that it tried.

The report of a run contains the figures of each check, with its verdict and its duration.  The
runner passes the name of a file in the environment variable `VALLETTA_FIGURES`; a check that runs
without the runner publishes nothing.
"""

import json
import os
from pathlib import Path
from typing import Final

VARIABLE: Final = "VALLETTA_FIGURES"
"""The environment variable with the name of the file to which figures are written."""


def publish(**figures: object) -> None:
    """Add figures to the JSON file named by `VALLETTA_FIGURES`, if the variable is set.

    Args:
        figures: Values that JSON can represent.  A figure replaces an earlier one of the same name.

    Raises:
        TypeError: JSON cannot represent a value.  The file is unchanged.
    """
    if name := os.environ.get(VARIABLE):
        path = Path(name)
        before = json.loads(path.read_text("utf-8")) if path.exists() else {}
        path.write_text(f"{json.dumps(before | figures, indent=1)}\n", encoding="utf-8")
