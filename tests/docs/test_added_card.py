"""The steps of *Adding a card* fit these sources, and the page shows each of them."""

import re
from pathlib import Path

import pytest

from spec.checks.added_card import PATCHES, Copy, steps

PAGE = PATCHES.parent / "add_a_card.rst"


def test_each_step_fits_after_the_one_before(tmp_path: Path) -> None:
    """Each patch of the page applies here; the check `added-card` tries the result."""
    copy = Copy(tmp_path)
    for step in steps():
        copy.do(step)


def test_a_step_that_does_not_fit_is_named(tmp_path: Path) -> None:
    """No step applies a second time."""
    copy, step = Copy(tmp_path), steps()[0]
    copy.do(step)
    with pytest.raises(SystemExit, match=f"step {step.stem} of the tutorial"):
        copy.do(step)


def test_the_page_shows_every_step() -> None:
    """Each patch and each quotation is included once, in order."""
    included = re.findall(r"literalinclude:: card/(\S+)", PAGE.read_text("utf-8"))
    assert sorted(included) == sorted(each.name for each in PATCHES.iterdir())
    assert [each for each in included if each.endswith(".patch")] == [s.name for s in steps()]
