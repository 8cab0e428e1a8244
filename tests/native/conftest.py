"""Skip a test if the native backend is not compiled, or fail it if the backend is required."""

import os

import pytest

from valletta_rules import native


@pytest.fixture(scope="session")
def backend() -> None:
    """Skip the test if the native backend is missing; fail it if `VALLETTA_NATIVE` is 1."""
    if native.why_not is None:
        return
    if os.environ.get("VALLETTA_NATIVE") == "1":
        pytest.fail(native.why_not)
    pytest.skip(f"not compared with the engine: {native.why_not}")
