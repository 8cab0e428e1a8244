"""Tests of the tutorial *Add a card*: its patches apply to the sources, and its page shows them."""

import re
from pathlib import Path

import pytest

from spec.checks.added_card import PATCHES, Copy, steps

PAGE = PATCHES.parent / "add_a_card.rst"


def test_the_patches_of_the_tutorial_apply_to_the_sources_in_order(tmp_path: Path) -> None:
    """The check `added-card` also runs the tests of the resulting code."""
    copy = Copy(tmp_path)
    for step in steps():
        copy.do(step)


def test_a_patch_of_the_tutorial_that_does_not_apply_is_named_in_the_error(tmp_path: Path) -> None:
    """The test applies the first patch twice, which fails."""
    copy, step = Copy(tmp_path), steps()[0]
    copy.do(step)
    with pytest.raises(SystemExit, match=f"step {step.stem} of the tutorial"):
        copy.do(step)


def test_the_page_of_the_tutorial_includes_each_patch_and_quotation_once() -> None:
    """The patches must be in the order of the steps."""
    included = re.findall(r"literalinclude:: card/(\S+)", PAGE.read_text("utf-8"))
    assert sorted(included) == sorted(each.name for each in PATCHES.iterdir())
    assert [each for each in included if each.endswith(".patch")] == [s.name for s in steps()]
