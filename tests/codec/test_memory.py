"""A lack of memory while a document is read is not an error in the document."""

from __future__ import annotations

import pytest

from valletta_rules.codec.reading import _first


def test_a_lack_of_memory_is_not_a_problem_of_the_document() -> None:
    """It is raised as it is."""
    with pytest.raises(MemoryError):
        _first(MemoryError())
