"""Public information: points, decks, goods, affordable sites.

The worked examples of the clauses test single positions.
"""

import attrs
import pytest
from hypothesis import given

import valletta_rules as vr
from spec.checks.random_games import Playthrough, asks, games, positions, scaled
from tests.positions import position, seat, viewers
from valletta_rules.components import NOTHING
from valletta_rules.rulebook.card_effects import REDUCTIONS


class TestPoints:
    """Current and predicted points, buildings and icons."""

    @pytest.mark.rule("INF-3", "INF-4")
    @given(positions(lambda state: state.phase is vr.Phase.OVER))
    @scaled(0.2)
    def test_prediction_at_the_end_is_the_result(self, state: vr.GameState) -> None:
        """When the game is over, the predicted points are the result."""
        result = vr.outcome(state)
        assert result is not None
        assert vr.predicted_scores(state) == result.scores
        shown = [vr.player_information(state, each) for each in state.seats]
        assert tuple(each.score for each in shown) == result.scores
        assert [each.seat for each in shown] == list(state.seats)

    @pytest.mark.rule("INF-2", "INF-4", "INF-5", "INF-9")
    @given(positions())
    def test_the_parts_add_up(self, state: vr.GameState) -> None:
        """The points and icons of single buildings add up to the totals."""
        for each in state.seats:
            shown, player = vr.player_information(state, each), state.players[each]
            assert (shown.current_points, shown.houses) == (player.score, len(player.built))
            assert sum(house.points for house in shown.buildings) == shown.score.buildings
            assert sum((house.icons for house in shown.buildings), NOTHING) == shown.icons
            assert shown.predicted_points == sum(
                (player.score, shown.score.buildings, shown.score.goods)
            )


class TestDeck:
    """The census of a deck."""

    @pytest.mark.rule("INF-6", "INF-7", "CMP-33")
    @given(positions())
    def test_every_card_is_counted_once(self, state: vr.GameState) -> None:
        """The three counts add up to the deck, which contains all cards of the player."""
        for each in state.seats:
            player, census = state.players[each], vr.deck_census(state, each)
            total = census.draw_pile + census.on_board_or_in_hand + census.discarded
            assert total == len(census.characters)
            played = vr.CardBag.of(*state.played) if each == state.active else vr.CardBag()
            owned = player.hand + player.draw_pile + player.discard_pile + played
            assert census.characters == owned


class TestHiding:
    """The information for each viewer."""

    @pytest.mark.rule("INF-1")
    @given(positions())
    def test_a_hand_is_shown_to_its_owner_alone(self, state: vr.GameState) -> None:
        """Positions, views and tables are accepted; only public information is shown."""
        for viewer in viewers(state):
            seen = vr.view(state, viewer)
            for each in state.seats:
                shown = vr.player_information(state, each)
                assert shown.hand is None
                if each == viewer:
                    shown = attrs.evolve(shown, hand=state.players[each].hand)
                assert vr.player_information(seen, each) == shown
                assert vr.player_information(seen.table, each) == shown


class TestTheEnd:
    """The conditions for the final phase."""

    @pytest.mark.rule("INF-11")
    def test_the_progress_towards_the_end(self) -> None:
        """A condition of Red is Red's alone; Valette's progress counts for all players."""
        state = position(seat(score=31, built=range(8)), seat(score=7, built=[8, 9]), valette=11)
        assert vr.end_progress(state, 0) == (
            vr.EndProgress(vr.EndCondition.LAST_BARREL, 11, 25, 14),
            vr.EndProgress(vr.EndCondition.SCORE, 31, 25, 0),
            vr.EndProgress(vr.EndCondition.HOUSES, 8, 8, 0),
        )
        assert vr.end_progress(state, 1) == (
            vr.EndProgress(vr.EndCondition.LAST_BARREL, 11, 25, 14),
            vr.EndProgress(vr.EndCondition.SCORE, 7, 25, 18),
            vr.EndProgress(vr.EndCondition.HOUSES, 2, 8, 6),
        )

    def test_moves_under_fewer_barrels(self) -> None:
        """Where Valette moves from barrel to barrel, he needs thirteen steps, not 25."""
        fewer = vr.HANS_IM_GLUECK.with_variants(fewer_barrels=True)
        for rules, space, moves in [
            (fewer, 0, 13),
            (fewer, 23, 1),
            (vr.HANS_IM_GLUECK, 0, 25),
            (vr.REFERENCE_MANUAL, 0, 25),
        ]:
            state = position(seat(), seat(), rules=rules, valette=space)
            assert vr.end_progress(state, 0)[0].left == moves

    @pytest.mark.rule("INF-11", "INF-12")
    @given(games())
    @scaled(0.2)
    def test_the_final_phase_is_announced_when_triggered(self, game: Playthrough) -> None:
        """It is announced from the first event of a trigger."""
        triggered = False
        begun = {vr.Phase.FINAL: vr.Ending.UNDER_WAY, vr.Phase.OVER: vr.Ending.OVER}
        for move in game.moves:
            triggered |= any(isinstance(event, vr.FinalPhaseTriggered) for event in move.events)
            coming = vr.Ending.COMING if triggered else vr.Ending.NOT_YET
            assert vr.ending(move.after) is begun.get(move.after.phase, coming)
        fulfilled = any(
            each.is_fulfilled
            for player in game.end.seats
            for each in vr.end_progress(game.end, player)
        )
        assert fulfilled == triggered


class TestOffers:
    """Affordable sites."""

    def test_cards_that_do_not_build(self) -> None:
        """Offers for a Maid are an error."""
        with pytest.raises(ValueError, match="Maid does not build"):
            vr.affordable_sites(position(seat(), seat()), 0, vr.Character.MAID)

    @pytest.mark.parametrize("card", REDUCTIONS)
    @given(state=positions(asks(vr.PlayPrompt)))
    @scaled(0.4)
    def test_offers_are_the_legal_choices_of_the_card(
        self, state: vr.GameState, card: vr.Character
    ) -> None:
        """Each has its cheapest payment."""
        mover = state.active
        player = state.players[mover]
        state = state.with_player(mover, player.replace(hand=player.hand.plus(card)))
        offers = vr.affordable_sites(vr.view(state, None), mover, card)
        state = vr.apply(state, vr.PlayCard(card))
        if not isinstance(state.prompt, vr.SitePrompt):
            assert not offers
            return
        assert state.prompt.reduction == REDUCTIONS[card]
        choices = tuple(each for each in vr.legal_actions(state) if each != vr.Decline())
        assert tuple(offer.action for offer in offers) == choices
        for offer in offers:
            asked = vr.apply(state, offer.action)
            assert isinstance(asked.prompt, vr.PaymentPrompt)
            assert asked.prompt.price == offer.price
            assert vr.check(asked, vr.Pay(offer.payment)) is None
            paid = vr.apply(asked, vr.Pay(offer.payment)).players[mover]
            assert paid.score - player.score == offer.bonus
            assert offer.points == offer.building.points + offer.bonus
            assert offer.building == state.display[offer.action.site]
            cost = offer.building.cost
            gold = cost.gold if isinstance(offer.action, vr.Upgrade) else offer.discount
            assert offer.price == cost.less(offer.reduction).less(vr.Goods(gold=gold))
