"""The action space. Every action has a fixed number, and a payment has four.

Machine learning needs a fixed discrete action space instead of objects. The numbers follow the
order in which `legal_actions` lists actions, including chance actions, so legal numbers are always
ascending:

.. list-table::
   :header-rows: 1

   * - numbers
     - actions
   * - 0 to 36
     - `DealBuilding`, by the place of the design in the card set
   * - 37 to 67
     - `DrawCard`, by character
   * - 68 to 71
     - `RevealBarrel`, by good
   * - 72 to 75
     - `DraftGood`, by good
   * - 76 to 137
     - `PlayCard`, by character, each with its effect and then without
   * - 138 to 141
     - `TakeGood`, by good
   * - 142 to 151
     - `TakeGoods`, by the two goods that a Seamstress takes
   * - 152 to 155
     - `ReturnGood`, by good
   * - 156 to 159
     - `GiveGood`, by good
   * - 160 to 189
     - `Build`, by site
   * - 190 to 219
     - `Upgrade`, by site
   * - 220 to 268
     - a part of a `Pay`: how many of the next good, 0 to 48
   * - 269 to 299
     - `Dismiss`, by character
   * - 300 to 330
     - `Hire`, by character
   * - 331
     - `Decline`

There can be thousands of payments. So a payment is made in four steps: the number of gold, then of
wood, stone and brick. The steps of an incomplete payment are passed to functions as `begun`; the
position does not change before the payment is complete. All four steps are necessary. Gold, wood
and stone do not always determine the number of bricks, since each additional replacement costs two
more goods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, compress, pairwise
from types import MappingProxyType
from typing import Final

from valletta_rules.actions import (
    ACTION_TYPES,
    BUILD,
    DECLINE,
    DISMISS,
    DRAFT,
    DRAW,
    GIVE,
    HIRE,
    PLAY,
    PLAY_IN_VAIN,
    RETURN,
    REVEAL,
    TAKE,
    UPGRADE,
    Action,
    Build,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GiveGood,
    Hire,
    Pay,
    PlayCard,
    ReturnGood,
    RevealBarrel,
    TakeGood,
    TakeGoods,
    Upgrade,
)
from valletta_rules.agenda import PaymentPrompt
from valletta_rules.card_sets.validation import BUILDING_CARDS, DEAREST
from valletta_rules.components import CHARACTERS, GOODS, CardSet, Goods, abbreviated
from valletta_rules.engine import legal_actions
from valletta_rules.rulebook.blue import PAIRS
from valletta_rules.rulebook.building import SUBSTITUTES
from valletta_rules.state import Form, GameState, has_another_form, need_position
from valletta_rules.views.view import PlayerView

NUMBERING_VERSION: Final = 1
"""The version of the numbering. It increases whenever the number of an action changes."""

MOST_DESIGNS: Final = BUILDING_CARDS
"""The number of action numbers for dealing buildings: one for each possible building design."""

MOST_PAID: Final = SUBSTITUTES * DEAREST
"""The maximum amount of one good in a numbered payment.

It is three times the highest price, because three goods can replace one good of a price.
"""

_READY: Final[Mapping[type[Action], Sequence[Action | None]]] = MappingProxyType(
    {
        DealBuilding: (None,) * MOST_DESIGNS,
        DrawCard: tuple(DRAW.values()),
        RevealBarrel: tuple(REVEAL.values()),
        DraftGood: tuple(DRAFT.values()),
        PlayCard: tuple(
            each[character] for character in CHARACTERS for each in (PLAY, PLAY_IN_VAIN)
        ),
        TakeGood: tuple(TAKE.values()),
        TakeGoods: PAIRS,
        ReturnGood: tuple(RETURN.values()),
        GiveGood: tuple(GIVE.values()),
        Build: BUILD,
        Upgrade: UPGRADE,
        Pay: (None,) * (MOST_PAID + 1),
        Dismiss: tuple(DISMISS.values()),
        Hire: tuple(HIRE.values()),
        Decline: (DECLINE,),
    }
)
"""A mapping from types of action to all actions of the type, in the order of their numbers. Actions
that depend on the card set are `None`.
"""

_ALL: Final = tuple(_READY[kind] for kind in ACTION_TYPES)

NUMBERS: Final[Mapping[type[Action], range]] = MappingProxyType(
    {
        kind: range(first, end)
        for kind, (first, end) in zip(
            ACTION_TYPES, pairwise(accumulate(map(len, _ALL), initial=0)), strict=True
        )
    }
)
"""A mapping from types of action to the ranges of their numbers."""

COUNT: Final = sum(map(len, _ALL))
"""The number of action numbers."""

ACTIONS: Final = tuple(action for ready in _ALL for action in ready)
"""The actions in the order of their numbers; `None` for deals and payments."""

_NUMBERS: Final = {action: number for number, action in enumerate(ACTIONS) if action is not None}


def numbers_of(action: Action, cards: CardSet) -> tuple[int, ...]:
    """Return the numbers of an action: one number, or four for a payment.

    `cards` is the card set of the game. Raises `ValueError` for an action without a number: a
    building that is not in the card set, a site beyond the largest display, or goods that no prompt
    allows.
    """
    if isinstance(action, Pay):
        if max(action.goods) <= MOST_PAID:
            return tuple(NUMBERS[Pay][amount] for amount in action.goods)
    elif isinstance(action, DealBuilding):
        if action in (every := dealings(cards)):
            return (every.index(action),)
    elif action in _NUMBERS:
        return (_NUMBERS[action],)
    raise ValueError(f"this action has no number: {abbreviated(action)}")


def action_of(numbers: Sequence[int], cards: CardSet) -> Action | None:
    """Return the action that has these numbers, or `None` if they only begin a payment.

    `cards` is the card set of the game. Raises `ValueError` for numbers that no action has.
    """
    first = numbers[0] if numbers else -1
    if first in NUMBERS[Pay]:
        if len(numbers) <= len(GOODS) and all(number in NUMBERS[Pay] for number in numbers):
            amounts = [number - NUMBERS[Pay].start for number in numbers]
            return Pay(Goods(*amounts)) if len(amounts) == len(GOODS) else None
    elif len(numbers) == 1 and first in range(COUNT):
        action = ACTIONS[first]
        if action is not None:
            return action
        if first < len(every := dealings(cards)):
            return every[first]
    raise ValueError(f"no action has these numbers: {abbreviated(numbers)}")


def legal_numbers(
    state: GameState | Form | PlayerView, begun: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the numbers of the legal actions, ascending and without duplicates.

    `state` is a position or a view. For the view of a seat that need not answer, there are no legal
    numbers. At a prompt for a payment, the result contains the numbers that can follow those in
    `begun`. Raises `ValueError` if no legal action begins with `begun`, or if a legal action has no
    number.
    """
    if has_another_form(state):
        return tuple(compress(range(COUNT), legal_mask(state, begun)))
    source = state if isinstance(state, PlayerView) else need_position(state)
    return tuple(sorted(set(_next_numbers(source, tuple(begun)))))


def legal_mask(state: GameState | Form | PlayerView, begun: Sequence[int] = ()) -> bytes:
    """Return one byte for each action number: 1 if the number is legal, otherwise 0.

    The arguments and errors are those of `legal_numbers`.
    """
    if has_another_form(state):
        packed_mask = state.legal_mask(tuple(begun))
        return legal_mask(state.unpack(), begun) if packed_mask is None else packed_mask
    mask = bytearray(COUNT)
    for number in legal_numbers(state, begun):
        mask[number] = 1
    return bytes(mask)


def _next_numbers(state: GameState | PlayerView, begun: tuple[int, ...]) -> Iterator[int]:
    place = len(begun)
    if isinstance(state, PlayerView):
        actions, cards = state.legal_actions, state.table.cards
    else:
        actions, cards = legal_actions(state), state.cards
    if place >= (len(GOODS) if isinstance(state.prompt, PaymentPrompt) else 1):
        raise ValueError(f"these numbers are already a complete action: {abbreviated(begun)}")
    every = (numbers_of(action, cards) for action in actions)
    fitting = [numbers[place] for numbers in every if numbers[:place] == begun]
    if actions and not fitting:
        raise ValueError(f"no legal action begins with {abbreviated(begun)}")
    yield from fitting


@lru_cache(maxsize=64)
def dealings(cards: CardSet) -> tuple[DealBuilding, ...]:
    """Return the actions that deal a building of the card set, in the order of their numbers."""
    return tuple(DealBuilding(building.code) for building in cards.buildings[:MOST_DESIGNS])
