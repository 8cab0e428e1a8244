"""The native backend in tests: left out aloud where it is not compiled, unless it must be there."""

import os

import pytest

from valletta_rules import native


@pytest.fixture(scope="session")
def backend() -> None:
    """Skip a test without a native backend; fail if the environment says that there must be one."""
    if native.why_not is None:
        return
    if os.environ.get("VALLETTA_NATIVE") == "1":
        pytest.fail(native.why_not)
    pytest.skip(f"not compared with the engine: {native.why_not}")
