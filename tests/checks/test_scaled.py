"""The engine is scaled by its numbers alone, and is its own self again afterwards.

A place that is forgotten shows in `test_instances`, wherever an instance depends on it.
"""

from __future__ import annotations

import inspect
from typing import Final

import pytest

from spec.checks.scaled import (
    UNSCALED,
    engine_modules,
    numbers_of,
    scaled_to,
)
from tests.positions import position, seat
from valletta_rules.components import display, street
from valletta_rules.components.goods import ONE_OF_EACH
from valletta_rules.rulebook import building, turn
from valletta_rules.specification.conformance.form import Json

OTHER: Final[Json] = {
    "players": 1,
    "columns": 2,
    "area": 3,
    "street": 4,
    "hand_limit": 6,
    "plays": 2,
    "houses": 7,
    "trigger_score": 9,
    "starting_deck": {"maid": 2},
    "starting_goods": {"brick": 2},
    "draft_goods": {"wood": 3},
    "starting_supply": {"nun": 1},
    "quotas": {"green": 1, "blue": 2},
}
"""Numbers all of which differ from those of the printed game."""


def snapshot() -> dict[tuple[str, str], object]:
    """Return every value that any module of the engine holds."""
    return {
        (name, attribute): value
        for name, module in engine_modules().items()
        for attribute, value in vars(module).items()
        if not attribute.startswith("__")
    }


def test_only_values_are_exchanged_and_only_in_the_block() -> None:
    """The functions stay and compute with the other numbers; after a failure all is as before."""
    before, numbers = snapshot(), numbers_of(OTHER).keys()
    with scaled_to(OTHER):
        assert all(
            value is before[place] or (place[1] in numbers and not inspect.isfunction(value))
            for place, value in snapshot().items()
        )
        assert all(snapshot()[place] is before[place] for place in UNSCALED)
        assert (display.column_of(5), display.row_of(5), street.area_of(4)) == (1, 2, 1)
        assert sorted(display.SiteSet(vars(building)["NEIGHBOURS"][4])) == [0, 5, 8]
    with pytest.raises(ZeroDivisionError), scaled_to(OTHER):
        1 / (turn.HAND_SIZE - OTHER["hand_limit"])
    assert snapshot() == before


def test_nothing_computed_in_another_scale_is_remembered() -> None:
    """The engine's caches are empty when the block begins, and when it has ended."""
    caches = [value for value in snapshot().values() if hasattr(value, "cache_info")]
    game = position(seat(), seat())

    def remembered() -> int:
        return sum(cached.cache_info().currsize for cached in caches)

    building.building_price(game, 0, 0, ONE_OF_EACH)
    assert remembered() > 0
    with scaled_to(OTHER):
        assert remembered() == 0
        building.building_price(game, 0, 0, ONE_OF_EACH)
        assert remembered() > 0
    assert remembered() == 0
