"""The worked examples of the rules, replayed by the native backend from packed positions."""

import pytest

from spec.checks.packed import Packed
from tests.rulebook.test_examples_of_clauses import EXAMPLES, parameters
from valletta_rules.specification.clauses import Example
from valletta_rules.specification.worked_examples import contradictions, work

pytestmark = pytest.mark.usefixtures("backend")


@pytest.mark.parametrize("example", parameters(each for each in EXAMPLES if not each.ask))
def test_the_native_backend_satisfies_an_example(example: Example) -> None:
    """The example's assertions are true, and a refusal has the expected code and clause."""
    assert list(contradictions(work(example), Packed())) == []
