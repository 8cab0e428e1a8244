"""What everybody can read off the table: points, decks, goods, what is in reach."""

from __future__ import annotations

import random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import Playthrough, games, positions, scaled
from tests.positions import a_building, position, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Build,
    CardBag,
    Character,
    Decline,
    Ending,
    EndProgress,
    GameState,
    Good,
    Goods,
    Offer,
    OwnBuilding,
    Pay,
    Phase,
    PlayCard,
    Player,
    RuleSet,
    Upgrade,
    affordable_sites,
    apply,
    cheapest_payment,
    check,
    deck_census,
    determinize,
    end_progress,
    ending,
    legal_actions,
    outcome,
    player_information,
    predicted_scores,
    table_information,
    view,
)
from valletta_rules.agenda import PaymentPrompt, PlayPrompt, SitePrompt
from valletta_rules.components.goods import NOTHING
from valletta_rules.events import EndCondition, FinalPhaseTriggered
from valletta_rules.rulebook.building import can_pay, is_payment, payments
from valletta_rules.rulebook.characters import REDUCTIONS
from valletta_rules.text.layout import WIDTH
from valletta_rules.words import describe_information

C = Character
GREEN_CARDS = {
    C.BANKER: Good.GOLD,
    C.WOODWORKER: Good.WOOD,
    C.CARVER: Good.STONE,
    C.MASON: Good.BRICK,
}
"""What each green character collects."""

SHELF = {
    0: a_building(letter="A", character=C.BANKER, icon=Good.WOOD, points=3, cost=Goods(1, 2)),
    1: a_building(letter="B", character=C.MONK, icon=Good.WOOD, points=2, cost=Goods(2, 0, 1)),
    2: a_building(letter="C", character=C.NUN, icon=Good.BRICK, points=1, cost=Goods(1)),
}
"""Three buildings in a row."""


def a_table(*, rules: RuleSet = HANS_IM_GLUECK) -> GameState:
    """Return a position in the middle of the game, in which seat 0 has played a card."""
    red = seat(
        hand=[C.MAID, C.BUILDER],
        draw_pile=[C.LUMBERJACK],
        discard_pile=[C.SHOPKEEPER, C.VALETTE],
        goods=Goods(2, 1, 0, 4),
        built=[1],
        upgraded=[0],
        score=7,
    )
    blue = seat(
        hand=[C.BUILDER, C.MONK],
        draw_pile=[C.BUILDER, C.APPRENTICE, C.MAID],
        goods=Goods(gold=5),
        score=3,
    )
    return position(
        red,
        blue,
        rules=rules,
        display=SHELF,
        supply=[C.BUILDER, C.BUILDER],
        valette=11,
        played=[C.BANKER],
        plays=2,
    )


@pytest.mark.rule("INF-2", "INF-3", "INF-4", "INF-5", "INF-9", "CMP-33")
def test_points_houses_and_icons_are_shown() -> None:
    """Current points, those that each would have if the game ended now, houses and icons.

    Were it over, Red had 7 points scored, 6 + 2 of buildings and 2 of seven goods: 17.
    """
    red, blue = (player_information(a_table(), each) for each in (0, 1))
    assert (red.current_points, red.predicted_points, blue.current_points) == (7, 17, 3)
    assert (red.score.track, red.score.buildings, red.score.goods) == (7, 8, 2)
    assert red.buildings == (OwnBuilding(0, SHELF[0], True), OwnBuilding(1, SHELF[1], False))
    assert [(each.points, each.icons) for each in red.buildings] == [
        (6, Goods(wood=2)),
        (2, Goods(wood=1)),
    ]
    assert (red.houses, blue.houses, red.icons) == (2, 0, Goods(wood=3))


@pytest.mark.rule("INF-10", "INF-11", "INF-12")
def test_what_is_shown_of_the_table() -> None:
    """How near the end is, that it is not coming yet, and the supply."""
    assert end_progress(a_table(), 0) == (
        EndProgress(EndCondition.LAST_BARREL, 11, 25, 14),
        EndProgress(EndCondition.SCORE, 7, 25, 18),
        EndProgress(EndCondition.HOUSES, 2, 8, 6),
    )
    shown = table_information(a_table())
    assert (shown.supply, shown.ending) == (CardBag.of(C.BUILDER, C.BUILDER), Ending.NOT_YET)


@pytest.mark.rule("INF-1")
def test_a_hand_is_shown_to_its_owner_alone() -> None:
    """A position, a view and the table of a view may be given alike, and show what lies open."""
    state = a_table()
    for each in state.seats:
        shown, own = player_information(state, each), player_information(view(state, each), each)
        for known in (view(state, None), view(state, 1 - each), view(state, 1 - each).table):
            assert player_information(known, each) == shown
        assert (own.hand, shown.hand) == (state.players[each].hand, None)
        assert attrs.evolve(own, hand=None) == shown


class TestPoints:
    """Current and predicted points."""

    @pytest.mark.rule("INF-3", "INF-4")
    @given(positions(lambda state: state.phase is Phase.OVER))
    @scaled(0.2)
    def test_prediction_at_the_end_is_the_result(self, state: GameState) -> None:
        """When the game is over, the predicted points are the result."""
        result = outcome(state)
        assert result is not None
        assert predicted_scores(state) == result.scores
        shown = [player_information(state, each) for each in state.seats]
        assert tuple(each.score for each in shown) == result.scores
        assert [each.seat for each in shown] == list(state.seats)

    @pytest.mark.rule("INF-4")
    @given(positions())
    @scaled(0.4)
    def test_the_parts_add_up(self, state: GameState) -> None:
        """The buildings one by one score what the breakdown says."""
        for each in state.seats:
            shown = player_information(state, each)
            assert sum(house.points for house in shown.buildings) == shown.score.buildings
            assert shown.predicted_points == sum(
                (shown.current_points, shown.score.buildings, shown.score.goods)
            )


class TestDeck:
    """The census of a deck."""

    @pytest.mark.rule("INF-6", "INF-7")
    @given(positions())
    def test_every_card_is_counted_once(self, state: GameState) -> None:
        """The three numbers add up to the deck, which is all that the player owns."""
        for each in state.seats:
            player, census = state.players[each], deck_census(state, each)
            total = census.draw_pile + census.on_board_or_in_hand + census.discarded
            assert total == len(census.characters)
            played = CardBag.of(*state.played) if each == state.active else CardBag()
            owned = player.hand + player.draw_pile + player.discard_pile + played
            assert census.characters == owned


class TestHiding:
    """What is shown to whom."""

    @pytest.mark.rule("INF-1", "INF-6")
    @given(positions(), st.integers(0, 2**32 - 1))
    def test_nothing_depends_on_what_is_hidden(self, state: GameState, seed: int) -> None:
        """Positions that differ only in how cards are split between hand and draw pile look alike.

        So they do for each player, who sees no other's split.
        """
        rng = random.Random(seed)
        other = determinize(view(state, None), rng)
        shown = table_information(state)
        assert shown == table_information(other)
        assert describe_information(shown) == describe_information(table_information(other))
        for each in state.seats:
            own = view(state, each)
            other = determinize(own, rng)
            shown = table_information(own)
            assert table_information(view(other, each)) == shown
            assert [player.hand is not None for player in shown.players] == [
                player.seat == each for player in shown.players
            ]


class TestGoods:
    """Goods and icons."""

    @pytest.mark.rule("INF-9")
    @pytest.mark.parametrize("card", GREEN_CARDS)
    @given(state=positions(lambda state: isinstance(state.prompt, PlayPrompt)))
    @scaled(0.4)
    def test_icons_are_what_a_green_card_brings(self, state: GameState, card: Character) -> None:
        """The number beside a good is what the green character would bring."""
        mover, good = state.active, GREEN_CARDS[card]
        player = state.players[mover]
        state = state.with_player(mover, player.replace(hand=player.hand.plus(card)))
        after = apply(state, PlayCard(card)).players[mover].goods
        assert after == player.goods + Goods.of(good, player_information(state, mover).icons[good])


class TestTheEnd:
    """The conditions for the final phase."""

    @pytest.mark.rule("INF-11")
    @pytest.mark.parametrize(
        ("red", "valette", "fulfilled"),
        [
            (seat(score=25), 0, EndCondition.SCORE),
            (seat(score=31), 0, EndCondition.SCORE),
            (seat(built=range(8)), 0, EndCondition.HOUSES),
            (seat(), 25, EndCondition.LAST_BARREL),
        ],
    )
    def test_fulfilled(self, red: Player, valette: int, fulfilled: EndCondition) -> None:
        """A condition that Red fulfils is marked for Red; Valette's counts for everybody."""
        state = position(red, seat(), valette=valette)
        mine, theirs = end_progress(state, 0), end_progress(state, 1)
        assert [each.condition for each in mine if each.is_fulfilled] == [fulfilled]
        shared = [fulfilled] if fulfilled is EndCondition.LAST_BARREL else []
        assert [each.condition for each in theirs if each.is_fulfilled] == shared

    def test_moves_under_fewer_barrels(self) -> None:
        """Where Valette walks from barrel to barrel, he needs thirteen moves, not 25."""
        fewer = HANS_IM_GLUECK.with_variants(fewer_barrels=True)
        for rules, space, moves in [
            (fewer, 0, 13),
            (fewer, 23, 1),
            (HANS_IM_GLUECK, 0, 25),
            (REFERENCE_MANUAL, 0, 25),
        ]:
            state = position(seat(), seat(), rules=rules, valette=space)
            assert end_progress(state, 0)[0].left == moves

    @pytest.mark.rule("INF-12")
    @pytest.mark.parametrize(
        ("phase", "score", "expected"),
        [
            (Phase.SETUP, 0, Ending.NOT_YET),
            (Phase.MAIN, 24, Ending.NOT_YET),
            (Phase.MAIN, 25, Ending.COMING),
            (Phase.FINAL, 25, Ending.UNDER_WAY),
            (Phase.OVER, 25, Ending.OVER),
        ],
    )
    def test_announced(self, phase: Phase, score: int, expected: Ending) -> None:
        """The final phase is coming from the moment at which a player reaches 25 points."""
        state = position(seat(), seat(score=score), phase=phase)
        assert ending(state) is table_information(state).ending is expected

    @pytest.mark.rule("INF-11", "INF-12")
    @given(games())
    @scaled(0.2)
    def test_announced_as_soon_as_triggered(self, game: Playthrough) -> None:
        """The announcement is there exactly from the first event that tells of a trigger."""
        order, before = list(Ending), Ending.NOT_YET
        for move in game.moves:
            told = any(isinstance(event, FinalPhaseTriggered) for event in move.events)
            now = ending(move.after)
            assert order.index(now) >= order.index(before)
            if before is Ending.NOT_YET:
                assert told == (now is not Ending.NOT_YET)
            before = now
        players = range(len(game.start.players))
        fulfilled = any(
            each.is_fulfilled for player in players for each in end_progress(game.end, player)
        )
        assert fulfilled == (before is not Ending.NOT_YET)


class TestOffers:
    """What is in reach."""

    @pytest.mark.parametrize(
        ("seat", "card", "offers"),
        [
            (
                0,
                None,
                [
                    Offer(Build(2), SHELF[2], 1, NOTHING, NOTHING, NOTHING, 2),
                    Offer(Upgrade(1), SHELF[1], 0, NOTHING, Goods(stone=1), Goods(1, brick=2), 0),
                ],
            ),
            (1, None, [Offer(Build(2), SHELF[2], 0, NOTHING, Goods(1), Goods(1), 2)]),
        ],
    )
    def test_offers(self, seat: int, card: Character | None, offers: list[Offer]) -> None:
        """C lies next to B, so that gold is saved; Valette sees it; bricks stand in for stone."""
        assert list(affordable_sites(a_table(), seat, *([card] if card else []))) == offers

    def test_cards_that_do_not_build(self) -> None:
        """It is an error to ask what a Maid could build."""
        with pytest.raises(ValueError, match="Maid does not build"):
            affordable_sites(a_table(), 0, C.MAID)

    @pytest.mark.parametrize("card", REDUCTIONS)
    @given(
        state=positions(
            lambda state: (
                isinstance(state.prompt, PlayPrompt)
                and any(player.built for player in state.players)
            )
        )
    )
    @scaled(0.4)
    def test_offers_are_what_the_card_offers(self, state: GameState, card: Character) -> None:
        """The offers are the legal choices after playing the card, each with a right payment."""
        mover = state.active
        player = state.players[mover]
        state = state.with_player(mover, player.replace(hand=player.hand.plus(card)))
        offers = affordable_sites(view(state, None), mover, card)
        state = apply(state, PlayCard(card))
        if not isinstance(state.prompt, SitePrompt):
            assert not offers
            return
        assert state.prompt.reduction == REDUCTIONS[card]
        choices = tuple(each for each in legal_actions(state) if each != Decline())
        assert tuple(offer.action for offer in offers) == choices
        for offer in offers:
            asked = apply(state, offer.action)
            assert isinstance(asked.prompt, PaymentPrompt)
            assert asked.prompt.price == offer.price
            assert check(asked, Pay(offer.payment)) is None
            paid = apply(asked, Pay(offer.payment)).players[mover]
            assert paid.score - player.score == offer.bonus
            cost = offer.building.cost
            gold = cost.gold if isinstance(offer.action, Upgrade) else offer.discount
            assert offer.price == cost.less(offer.reduction).less(Goods(gold=gold))


class TestCheapestPayment:
    """`cheapest_payment`."""

    def test_is_right_and_cheapest(self) -> None:
        """Whatever can be paid is paid with as few goods as any payment."""
        rng = random.Random(3)
        for _ in range(300):
            price = Goods(*(rng.randrange(4) for _ in range(4)))
            goods = Goods(*(rng.randrange(7) for _ in range(4)))
            if can_pay(goods, price):
                payment = cheapest_payment(price, goods)
                assert is_payment(payment, price)
                assert goods.covers(payment)
                assert payment.total == min(each.goods.total for each in payments(price, goods))
            else:
                with pytest.raises(ValueError, match="cannot pay"):
                    cheapest_payment(price, goods)


@given(positions())
@scaled(0.4)
def test_no_line_is_too_long(state: GameState) -> None:
    """Every line fits a terminal and ends without blanks; whatever anybody owns."""
    for line in describe_information(table_information(state)).splitlines():
        assert len(line) <= WIDTH
        assert line == line.rstrip()
