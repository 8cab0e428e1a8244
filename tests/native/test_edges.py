"""The native backend at its limits: values beyond each bound, and calls with wrong arguments.

For every action, it gives the same result as the engine.  A position that is too large to be packed
is refused, by `pack` or as the result of an action.  The library checks all arguments.
"""

import pickle
import random
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any, cast, get_args

import attrs
import pytest

import valletta_rules as vr
from spec.checks.packed import Packed
from spec.checks.random_games import every_action
from spec.checks.rules import Engine
from tests.native.test_batch import a_batch, results
from tests.native.uses import GAME, PAYING, PLAYING
from valletta_rules import agenda, native
from valletta_rules.components import GOODS, LAST_SPACE
from valletta_rules.numeric import layout
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.layout import ANSWERS
from valletta_rules.numeric.numbering import COUNT, NUMBERS, legal_mask
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.yellow import KNIGHT_POINTS
from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.worked_examples import examples
from valletta_rules.state import Phase, has_another_form

pytestmark = pytest.mark.usefixtures("backend")

SEAT = PLAYING.active


def having(state: vr.GameState = PLAYING, **mine: Any) -> vr.GameState:
    """Return a copy of `state` in which the player who must act has the given attributes."""
    return state.with_player(SEAT, state.players[SEAT].replace(**mine))


def paying(price: vr.Goods, goods: vr.Goods) -> vr.GameState:
    """Return a position in which a player must pay `price` and owns `goods`."""
    return having(goods=goods).replace(agenda=(agenda.PaymentPrompt(SEAT, 0, price),))


# Answers equal to the engine's


def result_of(use: Callable[..., Any], *given: Any) -> Any:
    """Call a function; return its result, with positions unpacked, or the error's type and text."""
    try:
        result = use(*given)
    except Exception as error:
        return type(error), str(error)
    return result.unpack() if has_another_form(result) else result


def dealing() -> Iterator[vr.GameState]:
    """Deal the display of a new game at random, and yield the position before each deal."""
    state, rng = vr.new_game(2), random.Random(3)
    while isinstance(state.prompt, agenda.DealPrompt):
        yield state
        state = vr.apply(state, rng.choice(vr.legal_actions(state)))


def every_prompt() -> Iterator[vr.GameState]:
    """Yield positions with every type of prompt; some players have very few or very many goods."""
    worked = ((each.after, *(state for state, _ in each.steps())) for each in examples())
    by_type = {type(state.prompt): state for states in worked for state in states}
    yield from by_type.values()
    yield from (
        attrs.evolve(state, rules=rules)
        for rules in EDITIONS.values()
        for state in by_type.values()
    )
    every = vr.CardBag.of(*vr.Character)
    yield from (having(hand=every, goods=goods) for goods in (vr.Goods(), vr.Goods(9, 9, 9, 9)))
    yield having(hand=every).replace(valette=LAST_SPACE)
    yield from dealing()
    yield paying(vr.Goods(gold=1), vr.Goods(gold=1))
    yield paying(vr.Goods(brick=86), vr.Goods(gold=258))
    yield paying(vr.Goods(wood=16), vr.Goods(gold=48))


BOUNDS = (48, 2**8, 65_000, 2**16, 2**31, 2**32, 2**63, 2**64)

COUNTS = (*range(4), *(bound + more for bound in BOUNDS for more in (-1, 0, 1, 2)))
"""Amounts of goods just below and above each bound."""

PAYMENTS = [vr.Pay(vr.Goods.of(good, count)) for good in GOODS for count in COUNTS]

ODD: list[Any] = [
    *(vr.Build(24), vr.Build(30), vr.DealBuilding("Z9"), vr.TakeGoods(vr.Goods(gold=3))),
    *(None, "play", vr.Pay, {}, 3.5, [], object()),
]


def test_the_backend_accepts_exactly_the_actions_that_the_engine_accepts() -> None:
    """Refused actions violate the same clause. Accepted actions lead to the same position."""
    ours, theirs, prompts = Packed(), Engine(), set[type]()
    for state in every_prompt():
        is_paid = type(state.prompt) not in prompts - {agenda.PaymentPrompt}
        prompts.add(type(state.prompt))
        payments = PAYMENTS if is_paid else PAYMENTS[:1]
        packed, legal = native.pack(state), vr.legal_actions(state)
        assert vr.legal_actions(packed) == legal
        again = [pickle.loads(pickle.dumps(each)) for each in legal[:200]]
        for action in (*every_action(state), *again, *payments, *ODD):
            expected = result_of(vr.check, state, action)
            assert result_of(vr.check, packed, action) == expected, action
            why = result_of(ours.reason, packed, action)
            assert why == expected or why[0] is expected[0], (
                action
            )  # the message of an error may be different
            if expected is None or action not in PAYMENTS:
                assert result_of(vr.apply, packed, action) == result_of(vr.apply, state, action), (
                    action
                )
                assert result_of(ours.events, packed, action) == result_of(
                    theirs.events, state, action
                ), action
    assert len(prompts) > 14


@pytest.mark.parametrize(
    "goods",
    [None, (1, 1), *(vr.Goods(gold=n) for n in (66_000, (1 << 32) + 1, 1 << 70)), "gone"],
)
def test_a_payment_with_malformed_goods_is_not_legal(goods: Any) -> None:
    """Some amounts in the payment have a wrong type, are too large, or are missing."""
    packed, payment = (
        native.pack(paying(vr.Goods(gold=1), vr.Goods(gold=1))),
        vr.Pay(vr.Goods(gold=1)),
    )
    if goods == "gone":
        object.__delattr__(payment, "goods")
    else:
        object.__setattr__(payment, "goods", goods)
    assert not packed.allows(payment)
    amounts = vr.Goods(gold=1)
    object.__delattr__(amounts, "gold")
    object.__setattr__(payment, "goods", amounts)
    assert not packed.allows(payment)


@pytest.mark.parametrize("brick", [1 << 63, 1 << 64])
def test_a_payment_with_an_amount_beyond_64_bits_is_not_legal(brick: int) -> None:
    """If the number wrapped around to minus one brick, the payment would have the right total."""
    packed = native.pack(paying(vr.Goods(gold=2, wood=2), vr.Goods(gold=2, wood=1, stone=6)))
    assert not packed.allows(vr.Pay(vr.Goods(gold=2, wood=1, stone=6, brick=brick)))


def test_the_cache_distinguishes_prompts_that_differ_only_in_goods() -> None:
    """The backend caches prompts by a hash of their values. The test uses 1,296 prompts."""
    for goods in product(range(6), repeat=4):
        state = PLAYING.replace(agenda=(agenda.PaymentPrompt(SEAT, 0, vr.Goods(*goods)),))
        assert native.pack(state).prompt == state.prompt


def test_payments_that_are_too_large_for_the_cache_are_listed_correctly() -> None:
    """Payments with up to 17 goods of a kind are cached.

    The test pays with 17, 18 and 19 goods of each kind.
    """
    for goods in product(range(3), repeat=4):
        state = paying(vr.Goods(*goods), vr.Goods(*goods))
        assert vr.legal_actions(native.pack(state)) == (vr.Pay(vr.Goods(*goods)),)
    for good, amount, others in product(GOODS, (17, 18, 19), (0, 1)):
        amounts = [amount if each is good else others for each in GOODS]
        state = paying(vr.Goods(*amounts), vr.Goods(*amounts))
        assert vr.legal_actions(native.pack(state)) == (vr.Pay(vr.Goods(*amounts)),)
        other = next(each for each in GOODS if each is not good)
        replaced, left = divmod(amount, 3)
        price = vr.Goods.of(other, replaced) + vr.Goods.of(good, left)
        state = paying(price, vr.Goods.of(good, amount))
        assert vr.legal_actions(native.pack(state)) == (vr.Pay(vr.Goods.of(good, amount)),)


def test_displays_that_differ_only_in_two_sites_are_unpacked_correctly() -> None:
    """The test exchanges each pair of sites, in several editions.

    The cache cannot hold all the resulting displays.
    """
    states = []
    for one, rules in product(range(len(PLAYING.display)), EDITIONS.values()):
        for other in range(one):
            display = [*PLAYING.display]
            display[one], display[other] = display[other], display[one]
            states.append(attrs.evolve(PLAYING, display=tuple(display), rules=rules))
    packed = [native.pack(state) for state in states]
    assert [each.unpack() for each in packed] == states


def test_a_payment_prompt_with_an_unaffordable_price_raises_a_broken_invariant_error() -> None:
    """Such a prompt does not occur in a game."""
    with pytest.raises(vr.BrokenInvariantError, match="no legal answer"):
        vr.legal_actions(native.pack(paying(vr.Goods(brick=86), vr.Goods(gold=3))))


@pytest.mark.parametrize("gold", [47, 48, 49])
def test_a_batch_offers_payments_of_at_most_48_goods_of_a_kind(gold: int) -> None:
    """A price has at most 16 goods, and each of them can be replaced by three others."""
    state = paying(vr.Goods(wood=16), vr.Goods(gold=gold, wood=1))
    mask = native.Batch(native.pack(state), 1).legal_mask()
    assert bytes(mask.cast("B")) == legal_mask(state)


def test_a_batch_refuses_a_position_with_a_payment_that_has_no_action_number() -> None:
    """A payment of 49 gold has no action number. No building costs that much."""
    with pytest.raises(OverflowError, match="game 0"):
        native.Batch(native.pack(paying(vr.Goods(gold=49), vr.Goods(gold=49))), 2)


# Values that a row cannot hold

FULL = GAME[9]
SITES_DEALT = len(PLAYING.display)
TWO_DESIGNS = tuple(
    attrs.evolve(each, design=design, copies=1)
    for each in vr.RECONSTRUCTION.buildings
    for design in (1, 2)
)


TOO_MANY = vr.CardBag.of(*[vr.Character.MAID] * 200)


@pytest.mark.parametrize(
    "state",
    [
        *(having(**mine) for mine in ({"score": -1}, {"hand": TOO_MANY}, {"shown": TOO_MANY})),
        *(
            FULL.replace(agenda=(step,))
            for step in (
                agenda.EndTurn(0),
                agenda.Turn(0, 3),
                agenda.PassTurn(0),
                agenda.DealPrompt(),
                agenda.PlayPrompt(0, 300),
            )
        ),
        FULL.replace(display=(attrs.evolve(FULL.display[0], points=9), *FULL.display[1:])),
        FULL.replace(display=FULL.display[:-1]),
        FULL.replace(display=FULL.display * 2),
        FULL.replace(played=(vr.Character.MAID,) * 9),
        FULL.replace(players=(FULL.players[0],) * 5),
        attrs.evolve(FULL, cards=attrs.evolve(vr.RECONSTRUCTION, buildings=TWO_DESIGNS)),
    ],
)
def test_packing_a_position_with_too_large_or_impossible_values_raises_an_error(
    state: vr.GameState,
) -> None:
    """For example, a score is negative, or a hand has 200 cards."""
    with pytest.raises(native.RowError, match="cannot be packed: "):
        native.pack(state)


@pytest.mark.parametrize(
    ("make", "last"),
    [
        (
            lambda n: PLAYING.replace(agenda=(agenda.PaymentPrompt(0, n, vr.Goods()),)),
            SITES_DEALT - 1,
        ),
        (lambda n: PLAYING.replace(agenda=(agenda.PaymentPrompt(n, 0, vr.Goods()),)), 2),
        (lambda n: PLAYING.replace(agenda=(agenda.PlayPrompt(n, 1),)), 2),
        (lambda n: PLAYING.replace(agenda=(agenda.MonkPrompt(0, n),)), 2),
        (lambda n: PLAYING.replace(agenda=(agenda.MonkPrompt(n, 0),)), 2),
        (lambda n: PLAYING.replace(agenda=(agenda.SitePrompt(0, vr.Goods(n)),)), 255),
        (
            lambda n: PLAYING.replace(agenda=(agenda.PlayPrompt(0, 1),) * n),
            native.LIMITS["MAX_STEPS"],
        ),
        (lambda n: PLAYING.replace(valette=n), LAST_SPACE),
        (lambda n: PLAYING.replace(active=n), 2),
        (lambda n: PLAYING.replace(barrels=vr.Goods(n)), 255),
        (lambda n: having(goods=vr.Goods(wood=n)), native.LIMITS["MOST_GOODS"]),
        (lambda n: having(goods=vr.Goods(brick=n)), native.LIMITS["MOST_GOODS"]),
        (lambda n: having(score=n), native.LIMITS["MOST_SCORE"]),
        (lambda n: having(built=vr.SiteSet(1 << n)), SITES_DEALT - 1),
        (lambda n: having(upgraded=vr.SiteSet(1 << n)), SITES_DEALT - 1),
    ],
)
def test_a_value_can_be_packed_up_to_its_bound_but_not_beyond(
    make: Callable[[int], vr.GameState], last: int
) -> None:
    """The largest allowed value survives packing and unpacking."""
    assert native.pack(make(last)).unpack() == make(last)
    for beyond in (last + 1, *(last + (1 << width) for width in (8, 16))):
        with pytest.raises(native.RowError):
            native.pack(make(beyond))


LONG = (agenda.PlayPrompt(SEAT, 3), *[agenda.Turn(0, 3)] * 11)
"""An agenda with the maximum number of steps."""


@pytest.mark.parametrize(
    ("card", "mine", "table"),
    [
        (vr.Character.SHOPKEEPER, {"goods": vr.Goods(gold=65_000)}, {}),
        (vr.Character.KNIGHT, {"score": 65_000}, {}),
        (vr.Character.MAID, {}, {"agenda": LONG, "played": ()}),
        (vr.Character.SHOPKEEPER, {}, {"agenda": LONG, "played": (vr.Character.MAID,) * 8}),
    ],
)
def test_an_action_whose_result_exceeds_the_limits_is_refused(
    card: vr.Character, mine: dict[str, Any], table: dict[str, Any]
) -> None:
    """Integers never wrap around, and the position does not change."""
    state = attrs.evolve(PLAYING, **table)
    packed: Any = native.pack(having(state, hand=vr.CardBag.of(card), **mine))
    before = bytes(packed)
    with pytest.raises(OverflowError, match=r"cannot hold.*\.unpack\(\)"):
        vr.apply(packed, vr.PlayCard(card))
    with pytest.raises(OverflowError, match=r"cannot hold.*\.unpack\(\)"):
        native.transition(packed, vr.PlayCard(card))
    assert bytes(packed) == before


def test_a_score_at_the_limit_is_allowed_in_a_packed_position() -> None:
    """The points for the Knight raise the score exactly to the limit."""
    score = native.LIMITS["MOST_SCORE"] - KNIGHT_POINTS
    state = having(hand=vr.CardBag.of(vr.Character.KNIGHT), score=score)
    knight = vr.PlayCard(vr.Character.KNIGHT)
    assert vr.apply(native.pack(state), knight).unpack() == vr.apply(state, knight)


def test_resolving_chance_without_a_possible_outcome_is_an_error() -> None:
    """No barrel is left to be revealed, or the revealed good would exceed the limit on goods."""
    stuck = PLAYING.replace(barrels=vr.Goods(), agenda=(agenda.BarrelPrompt(SEAT),))
    with pytest.raises(ValueError, match="chance has no answer"):
        vr.resolve_chance(native.pack(stuck), random.Random(1))
    with pytest.raises(OverflowError, match="has stopped"):
        native.Batch(native.pack(stuck), 2)
    full = having(stuck.replace(barrels=vr.Goods(gold=1)), goods=vr.Goods(gold=65_000))
    with pytest.raises(OverflowError, match="cannot hold"):
        vr.resolve_chance(native.pack(full), random.Random(1))


@pytest.mark.parametrize("beyond", [0, -(1 << 40), 1 << 40])
def test_a_random_number_out_of_range_is_refused(beyond: int) -> None:
    """A generator must return a number from 0 up to, but not including, its limit."""
    wrong = SimpleNamespace(randrange=lambda limit: limit + beyond)
    with pytest.raises(ValueError, match="a generator answered"):
        vr.resolve_chance(native.pack(vr.new_game(3)), cast(Any, wrong))
    draws = SimpleNamespace(randrange=lambda limit: limit + beyond if limit == 8 else 0)
    with pytest.raises(ValueError, match="to a limit of 8"):
        vr.resolve_chance(native.pack(vr.new_game(3)), cast(Any, draws))


# Invalid rows and tables

BONUS = PLAYING.replace(
    played=(vr.Character.MAID,), agenda=(agenda.BonusPrompt(SEAT, vr.Character.MONK),)
)
PAYMENT = BONUS.replace(agenda=(agenda.PaymentPrompt(SEAT, len(BONUS.display) - 1, vr.Goods()),))
MONK_PROMPT = BONUS.replace(agenda=(agenda.MonkPrompt(1, 2),))

AT, OF_PLAYER, BAG = (layout.places_of(kind) for kind in ("position", "player", "bag"))
DISPLAY, PLAYED, STEP, FIRST = (
    AT["display"],
    AT["played"],
    AT["agenda"],
    native.POSITION_HEADER.size,
)
"""The byte offsets of the display, played cards, agenda and first player in a packed position."""

LAST = FIRST + 2 * native.PLAYER.size
"""The byte offset of the last of three players in a packed position."""

BUILT, UPGRADED, GOODS_AT = (LAST + OF_PLAYER[part] for part in ("built", "upgraded", "goods"))
SHOWN = LAST + OF_PLAYER["shown"]
NOT_IN_HAND = next(card.rank for card in vr.CHARACTERS if card not in BONUS.players[2].hand)
BEYOND_THE_DISPLAY = (1 << SITES_DEALT).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("state", "changes"),
    [
        *((BONUS, {AT[part]: b"\x0d"}) for part in ("players", "plays", "steps")),
        *((BONUS, {AT[part]: b"\1"}) for part in ("fault", "told")),
        (BONUS, {AT["active"]: b"\3"}),
        (BONUS, {AT["phase"]: bytes([len(Phase)])}),
        (BONUS, {AT["valette"]: bytes([LAST_SPACE + 1])}),
        (BONUS, {AT["dealt"]: bytes([SITES_DEALT + 1])}),
        (PLAYING, {AT["dealt"]: bytes([SITES_DEALT - 1]), DISPLAY + SITES_DEALT - 1: b"\0"}),
        (BONUS, {DISPLAY: bytes([len(BONUS.cards.buildings)])}),
        (BONUS, {DISPLAY + 29: b"\1"}),
        (BONUS, {PLAYED: bytes([len(vr.CHARACTERS)])}),
        (BONUS, {PLAYED + 7: b"\1"}),
        (PLAYING, {STEP: bytes([1 + len(get_args(agenda.Step))])}),
        *((BONUS, {STEP + place: value}) for place, value in ((0, b"\0"), (1, b"\3"), (3, b"\1"))),
        *((BONUS, {STEP + 2: bytes([card])}) for card in (0, vr.Character.MAID.rank, 31, 255)),
        *((BONUS, {STEP + 8 + place: b"\1"}) for place in range(5)),
        (PAYMENT, {STEP + 2: bytes([SITES_DEALT])}),
        (PLAYING, {STEP + 8 + 2: b"\0"}),
        *((MONK_PROMPT, {STEP + 2: taker}) for taker in (b"\1", b"\3")),
        (BONUS, {AT["supply"] + BAG["total"]: b"\x63"}),
        *(
            (GAME[-1], {FIRST + seat * native.PLAYER.size + OF_PLAYER[bag] + place: value})
            for seat in range(3)
            for bag in ("hand", "draw_pile", "discard_pile", "shown")
            for place, value in ((BAG["total"], b"\x63"), (len(vr.CHARACTERS), b"\1"))
        ),
        *((BONUS, {place: BEYOND_THE_DISPLAY}) for place in (BUILT, UPGRADED)),
        *(
            (BONUS, {GOODS_AT + 2 * place: (65_001).to_bytes(2, "little")})
            for place in range(len(GOODS) + 1)
        ),
        (BONUS, {LAST: bytes([0, 129, *[0] * (BAG["total"] - 2), 129])}),
        (BONUS, {SHOWN + NOT_IN_HAND: b"\1", SHOWN + BAG["total"]: b"\1"}),
        (BONUS, {FIRST + native.PLAYER.size - 1: b"\1"}),
    ],
)
def test_a_packed_position_with_an_invalid_byte_is_refused(
    state: vr.GameState, changes: Mapping[int, bytes]
) -> None:
    """Numbers must be in range, the counts of cards must add up, and unused bytes must be zero."""
    packed = native.pack(state)
    row = bytearray(bytes(packed))
    for place, value in changes.items():
        row[place : place + len(value)] = value
    assert row != bytes(packed)
    with pytest.raises(ValueError, match="this is no row"):
        native._table(packed.rules, packed.cards, 3).position(bytes(row))


def test_a_packed_position_can_hold_the_maximum_number_of_cards_but_not_one_more() -> None:
    """The maximum applies to all players' cards and the supply together."""
    packed = native.pack(BONUS)
    row = bytearray(bytes(packed))
    present = sum(map(len, (bag for each in BONUS.players for bag in (each.draw_pile, each.hand))))
    present += sum(len(each.discard_pile) for each in BONUS.players) + len(BONUS.supply) + 1
    table = native._table(packed.rules, packed.cards, 3)
    row[LAST] += (more := native.LIMITS["MOST_CARDS"] - present)
    row[LAST + BAG["total"]] += more
    assert table.position(bytes(row)).unpack().players[2].hand.count(vr.CHARACTERS[0]) >= more
    row[LAST] += 1
    row[LAST + BAG["total"]] += 1
    with pytest.raises(ValueError, match="too many cards"):
        table.position(bytes(row))


@pytest.mark.parametrize("spare", [0, 1])
def test_a_building_that_would_exceed_the_maximum_of_cards_is_refused(spare: int) -> None:
    """Building adds a character card to the hand, so a position needs space for one more card."""
    state = paying(vr.Goods(), vr.Goods()).replace(played=())
    decks = [bag for it in state.players for bag in (it.draw_pile, it.hand, it.discard_pile)]
    more = native.LIMITS["MOST_CARDS"] - spare - sum(map(len, decks)) - len(state.supply)
    full = state.replace(supply=state.supply + vr.CardBag.of(*[vr.Character.KNIGHT] * more))
    if spare:
        assert vr.apply(native.pack(full), vr.Pay(vr.Goods())).unpack() == vr.apply(
            full, vr.Pay(vr.Goods())
        )
    else:
        with pytest.raises(OverflowError, match="cannot hold"):
            vr.apply(native.pack(full), vr.Pay(vr.Goods()))


class Touchy:
    """A rule set whose `__eq__` raises an error."""

    def __eq__(self, other: object) -> bool:
        """Raise an error."""
        raise ZeroDivisionError

    __hash__ = None  # type: ignore[assignment]


def known(place: int = 0, value: object = 3) -> bytes:
    """Return the packed constants of a three-player game for compiled code.

    The field at index `place` has the given value.
    """
    fields: list[Any] = list(native._TABLE.unpack(bytes(native._TABLE.size)))
    fields[0], fields[5] = 3, 37
    fields[place] = value
    return native._TABLE.pack(*fields)


DEALINGS = tuple(range(37))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((0, 0), (0, 1), (0, 5), (5, 36), (6, b"\xff"), (7, b"\4")),
        *((12, bytes(question) + b"\xff") for question in range(ANSWERS)),
    ],
)
def test_a_table_with_an_invalid_number_is_refused(place: int, value: object) -> None:
    """For example, the number of players is 5, or a ruling has the value 255."""
    with pytest.raises(ValueError, match=r"players|design|building|answer"):
        native._library.Table(1, 2, DEALINGS, known(place, value))


def test_an_error_while_comparing_rules_propagates() -> None:
    """Rule sets are compared only if the packed bytes of two positions are equal."""
    packed, library = native.pack(PLAYING), native._library
    one, other = (library.Table(Touchy(), 2, DEALINGS, known()) for _ in range(2))
    with pytest.raises(ZeroDivisionError):
        _ = one.position(bytes(packed)) == other.position(bytes(packed))
    assert packed != native.pack(vr.new_game(2))
    assert packed != native.pack(GAME[-1])
    empty = library.Table(1, 2, (), known(5, 0))
    with pytest.raises(ValueError, match="not in the card set"):
        empty.position(bytes(30).join((bytes(packed)[:DISPLAY], bytes(packed)[AT["dealt"] :])))


# Nonsensical calls


def everything() -> SimpleNamespace:
    """Return positions, a table, batches and a buffer for calls with wrong arguments."""
    packed = native.pack(vr.new_game(2))
    return SimpleNamespace(
        library=native._library,
        packed=packed,
        paying=native.pack(PAYING),
        table=native._table(packed.rules, packed.cards, 2),
        batch=a_batch(3),
        shared=native.Batch(native.pack(PLAYING), 4, threads=2),
        bare=native._library.Batch(packed, 1, False, False, 1),
        into=array("h", bytes(2 * len(columns(2)))),
    )


FITS = "contiguous buffer"
SEEDS, SEATS = array("Q", bytes(24)), array("b", bytes(3))
STRIDED = memoryview(array("Q", bytes(48)))[::2]

REFUSED: list[tuple[type[Exception], str, Callable[..., object], list[Any]]] = [
    # Positions, tables and rows.
    (TypeError, "GameState", lambda it, value: native.pack(value), [None, vr.view(FULL, 0)]),
    (TypeError, "GameState", lambda it, pack: pack(it.packed), [native.pack]),
    (TypeError, "", lambda it, none: it.library.Table(*none), [(), (1, 2, [], bytes(300))]),
    (TypeError, "", lambda it, more: it.library.Table(1, 2, (), bytes(300), more=more), [3]),
    (
        ValueError,
        "",
        lambda it, packed: it.library.Table(1, 2, (), packed),
        [bytes(300), bytes(308)],
    ),
    (ValueError, "row", lambda it, row: it.table.position(row), [b"", bytes(10)]),
    (TypeError, "", lambda it, row: it.table.position(row), ["row"]),
    # Arrays, and sampled positions.
    (ValueError, "no seat", lambda it, at: it.packed.encode(it.into, at, 0, 0, 0, 0), [-2, 2]),
    (ValueError, "no seat", lambda it, at: it.packed.determinized(at, random.Random(1)), [-2, 2]),
    (TypeError, "", lambda it, at: it.packed.determinized(at), [0]),
    (ValueError, "and at most", lambda it, n: it.packed.encode(it.into, 0, n, 0, 0, 0), [-1, 4]),
    (ValueError, "and at most", lambda it, n: it.packed.encode(it.into[1:], 0, n, 0, 0, 0), [0]),
    (TypeError, "", lambda it, none: it.packed.encode(*none), [(b"", *[0] * 5), (b"", 0)]),
    (
        *(ValueError, FITS, lambda it, of: native.encode(it.packed, 1, (), of(it.into))),
        [bytes, partial(array, "i"), lambda into: into[1:]],
    ),
    (vr.SeatError, "", lambda it, at: native.encode(it.packed, at), [-1, 2]),
    (TypeError, "a packed", lambda it, none: native.encode(none, 0), [None, vr.new_game(2)]),
    (TypeError, "", lambda it, seat: it.packed.redacted(seat), ["red"]),
    (ValueError, "no action", lambda it, n: it.packed.refusal(n, (0,) * 4), [-1, COUNT + 1]),
    (ValueError, "so many", lambda it, n: it.packed.refusal(0, (0, 0, 0, n)), [-1, 65_001]),
    (TypeError, "", lambda it, goods: it.packed.refusal(0, goods), [(1, 2, 3)]),
    (TypeError, "", lambda it, begun: it.paying.legal_mask(begun), [None, [], ("gold",), (1.5,)]),
    # Batches.
    (ValueError, "1 to", lambda it, n: native.Batch(it.packed, n), [0, -1, 2**24 + 1]),
    (ValueError, "1 to", lambda it, n: native.Batch(it.packed, 1, threads=n), [0, 257]),
    (ValueError, "inside", lambda it, at: native.Batch(it.packed, 1, chance=at), ["both"]),
    (TypeError, "", lambda it, none: native.Batch(none, 1), [vr.new_game(2)]),
    (TypeError, "", lambda it, n: type(it.bare)(it.packed, 1, False, False, threads=n), [1]),
    (IndexError, "", lambda it, game: it.batch.position(game), [-1, 3]),
    (ValueError, "to play", lambda it, seats: it.batch.observe(seats=seats), ["mine"]),
    (ValueError, "a seed must be from 0", lambda it, seed: it.batch.sample(seed), [-1, 2**64]),
    (ValueError, "not a legal number", lambda it, ids: it.shared.step(ids), [array("q", [-1] * 4)]),
    (TypeError, r"array\('q', ...\)", lambda it, ids: it.shared.step(ids), [[0] * 4, None]),
    # Buffers: their format, size, shape, and whether they can be written to.
    (ValueError, FITS, lambda it, ids: it.batch.step(ids), [b"", bytes(24), array("q", [0] * 2)]),
    (ValueError, FITS, lambda it, kind: it.batch.step(array(kind, [0] * 3)), ["i", "Q"]),
    (ValueError, FITS, lambda it, seeds: it.batch.reset(seeds), [array("q", bytes(24)), STRIDED]),
    (ValueError, FITS, lambda it, seeds: it.batch.reset(seeds), [array("Q", bytes(32))]),
    (ValueError, FITS, lambda it, of: it.batch.reset(SEEDS, of), [bytes(2), array("b", [0] * 3)]),
    (TypeError, "", lambda it, ids: it.batch.step(ids), [None, 3, [0, 0, 0]]),
    (TypeError, "", lambda it, into: it.batch.to_play(into.toreadonly()), [memoryview(SEATS)]),
    (ValueError, FITS, lambda it, into: it.batch.legal_mask(into), [bytearray(3 * COUNT)]),
    (ValueError, FITS, lambda it, of: it.batch.observe(it.batch.observe(), seats=of), ["all"]),
    (ValueError, "24 bytes", lambda it, ids: it.batch._batch.step(ids), [b"", b"123"]),
    (
        ValueError,
        "24 bytes",
        lambda it, seeds: it.batch._batch.reset(seeds, bytes(3)),
        [b"", b"123"],
    ),
    (ValueError, "3 bytes", lambda it, of: it.batch._batch.reset(bytes(24), of), [bytes(4)]),
    (ValueError, "3 bytes", lambda it, into: it.batch._batch.fill(1, into), [bytearray(4)]),
    (
        ValueError,
        "unknown kind",
        lambda it, kind: it.batch._batch.fill(kind, bytearray(3)),
        [-1, 8],
    ),
    # Batches that were never reset.
    (ValueError, "has not ended yet", lambda it, game: it.bare.position(game, False), [0]),
    (IndexError, "", lambda it, game: it.bare.position(game, False), [1]),
    (TypeError, "", lambda it, game: it.bare.position(game, False), ["first"]),
    (ValueError, "", lambda it, ids: it.bare.step(ids), [array("q", [0])]),
    (TypeError, "", lambda it, ids: it.bare.step(ids), ["answers"]),
    (TypeError, "", lambda it, seeds: it.bare.reset(seeds, "all"), ["seeds"]),
]
"""For each case: the error, a part of its message, a call, and wrong arguments for the call."""


@pytest.mark.parametrize(("error", "message", "use", "wrongs"), REFUSED)
def test_a_call_with_a_wrong_argument_raises_an_error(
    error: type[Exception], message: str, use: Callable[..., object], wrongs: list[Any]
) -> None:
    """The message gives the reason, and the games in the batch do not change."""
    it = everything()
    before = results(it.batch)
    for wrong in wrongs:
        with pytest.raises(error, match=message or None):
            use(it, wrong)
        assert results(it.batch) == before


def test_requesting_the_legal_mask_for_an_impossible_partial_payment_returns_none() -> None:
    """The first part is impossible, the payment is already complete, or no payment is due."""
    paying, playing, over = map(native.pack, (PAYING, PLAYING, GAME[-1]))
    for begun in ((NUMBERS[vr.Pay].start - 1,), (NUMBERS[vr.Pay].stop,), (2**80,), (0,) * 4):
        assert paying.legal_mask(begun) is None
    assert playing.legal_mask((NUMBERS[vr.Pay].start,)) is None
    assert over.legal_mask((NUMBERS[vr.Pay].start,)) is None
    assert over.legal_mask(()) == bytes(COUNT)
    stuck = having(goods=vr.Goods()).replace(
        agenda=(agenda.PaymentPrompt(SEAT, 0, vr.Goods(gold=1)),)
    )
    assert native.pack(stuck).legal_mask(()) is None


def test_the_points_of_a_packed_position_equal_the_totals_of_the_score_sheet() -> None:
    """Before the end of a game, both are computed as if the game ended in this position."""
    for state in (GAME[0], PLAYING, GAME[-1]):
        sheet = tuple(score.total for score in score_sheet(state))
        assert native.pack(state).points() == sheet


def test_views_of_a_batch_can_be_written_to_an_odd_memory_address() -> None:
    """Views are arrays of 16-bit integers, which usually have even addresses."""
    batch = native.Batch(native.pack(PAYING), 1)
    first = next(place for place, legal in enumerate(batch.legal_mask().tolist()[0]) if legal)
    batch.step(array("q", [first]))
    every = batch.observe(seats="all").tobytes()
    odd = memoryview(bytearray(len(every) + 1))[1:]
    batch._batch.fill(6, odd)
    assert odd.tobytes() == every


def test_a_batch_that_was_never_reset_is_empty() -> None:
    """No action number is legal, views contain only zeros, and a step accepts only `NONE`."""
    bare = everything().bare
    bare.step(array("q", [-1]))
    for kind, size in ((0, COUNT), (5, 2 * len(columns(2)))):
        into = bytearray(b"x" * size)
        bare.fill(kind, into)
        assert not any(into)


def test_a_game_that_is_not_over_has_no_outcome() -> None:
    """Likewise, a position without a chance prompt has no weights of random outcomes."""
    assert native.pack(PLAYING).outcome() is None
    assert native.pack(PLAYING).weights() == native.pack(GAME[-1]).weights() == ()


def test_small_payments_are_legal_if_and_only_if_the_engine_allows_them() -> None:
    """Some of these payments have the right number of goods, but of wrong kinds."""
    payments = [vr.Pay(vr.Goods(*counts)) for counts in product(range(5), repeat=len(GOODS))]
    for state in GAME:
        if isinstance(state.prompt, agenda.PaymentPrompt):
            packed = native.pack(state)
            allowed = [packed.allows(payment) for payment in payments]
            assert allowed == [vr.check(state, payment) is None for payment in payments]
