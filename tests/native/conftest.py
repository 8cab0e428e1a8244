"""The native backend in tests: skipped with a reason if it is not compiled, unless required."""

import os

import pytest

from valletta_rules import native


@pytest.fixture(scope="session")
def backend() -> None:
    """Skip a test without a native backend; fail if the environment requires one."""
    if native.why_not is None:
        return
    if os.environ.get("VALLETTA_NATIVE") == "1":
        pytest.fail(native.why_not)
    pytest.skip(f"not compared with the engine: {native.why_not}")
