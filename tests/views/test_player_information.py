"""Tests of public information about players: points, decks, goods and affordable sites.

These tests check general properties.  The worked examples in the clauses check single positions.
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
    """Tests of a player's current and predicted points, buildings and icons."""

    @pytest.mark.rule("INF-3", "INF-4")
    @given(positions(lambda state: state.phase is vr.Phase.OVER))
    @scaled(0.2)
    def test_the_predicted_points_of_a_finished_game_are_its_result(
        self, state: vr.GameState
    ) -> None:
        """The outcome contains the same points as the information about the players."""
        result = vr.outcome(state)
        assert result is not None
        assert vr.predicted_scores(state) == result.scores
        information = [vr.player_information(state, each) for each in state.seats]
        assert tuple(each.score for each in information) == result.scores
        assert [each.seat for each in information] == list(state.seats)

    @pytest.mark.rule("INF-2", "INF-4", "INF-5", "INF-9")
    @given(positions())
    def test_the_points_and_icons_of_a_players_buildings_add_up_to_the_totals(
        self, state: vr.GameState
    ) -> None:
        """The predicted points are the sum of the points for score, buildings and goods."""
        for each in state.seats:
            info, player = vr.player_information(state, each), state.players[each]
            assert (info.current_points, info.houses) == (player.score, len(player.built))
            assert sum(house.points for house in info.buildings) == info.score.buildings
            assert sum((house.icons for house in info.buildings), NOTHING) == info.icons
            assert info.predicted_points == sum(
                (player.score, info.score.buildings, info.score.goods)
            )


class TestDeck:
    """Tests of the census, which counts the cards in a player's deck."""

    @pytest.mark.rule("INF-6", "INF-7", "CMP-33")
    @given(positions())
    def test_the_deck_census_counts_every_card_of_a_player_once(self, state: vr.GameState) -> None:
        """The counts of draw pile, discard pile, and hand or board add up to the whole deck."""
        for each in state.seats:
            player, census = state.players[each], vr.deck_census(state, each)
            total = census.draw_pile + census.on_board_or_in_hand + census.discarded
            assert total == len(census.characters)
            played = vr.CardBag.of(*state.played) if each == state.active else vr.CardBag()
            owned = player.hand + player.draw_pile + player.discard_pile + played
            assert census.characters == owned


class TestHiding:
    """Tests of the information about a player that each viewer receives."""

    @pytest.mark.rule("INF-1")
    @given(positions())
    def test_the_information_about_a_player_contains_the_hand_for_its_owner_only(
        self, state: vr.GameState
    ) -> None:
        """The same information can be computed from a view or from the table of the view."""
        for viewer in viewers(state):
            view = vr.view(state, viewer)
            for each in state.seats:
                information = vr.player_information(state, each)
                assert information.hand is None
                if each == viewer:
                    information = attrs.evolve(information, hand=state.players[each].hand)
                assert vr.player_information(view, each) == information
                assert vr.player_information(view.table, each) == information


class TestTheEnd:
    """Tests of the conditions that start the final phase."""

    @pytest.mark.rule("INF-11")
    def test_progress_towards_the_end_is_measured_per_player_except_for_the_steps_of_valette(
        self,
    ) -> None:
        """The space that Valette has reached is the same for all players."""
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

    def test_with_fewer_barrels_valette_needs_13_steps_to_the_last_barrel(self) -> None:
        """Without this variant, Valette needs 25 steps."""
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
    def test_the_ending_is_coming_once_the_final_phase_has_been_triggered(
        self, game: Playthrough
    ) -> None:
        """The final phase is triggered if and only if a player has fulfilled an end condition."""
        triggered = False
        final_endings = {vr.Phase.FINAL: vr.Ending.UNDER_WAY, vr.Phase.OVER: vr.Ending.OVER}
        for move in game.moves:
            triggered |= any(isinstance(event, vr.FinalPhaseTriggered) for event in move.events)
            coming = vr.Ending.COMING if triggered else vr.Ending.NOT_YET
            assert vr.ending(move.after) is final_endings.get(move.after.phase, coming)
        fulfilled = any(
            each.is_fulfilled
            for player in game.end.seats
            for each in vr.end_progress(game.end, player)
        )
        assert fulfilled == triggered


class TestOffers:
    """Tests of the sites that a player can afford, and of their prices."""

    def test_requesting_affordable_sites_for_a_character_that_cannot_build_raises_an_error(
        self,
    ) -> None:
        """The test uses the Maid."""
        with pytest.raises(ValueError, match="Maid is not a card that allows building"):
            vr.affordable_sites(position(seat(), seat()), 0, vr.Character.MAID)

    @pytest.mark.parametrize("card", REDUCTIONS)
    @given(state=positions(asks(vr.PlayPrompt)))
    @scaled(0.4)
    def test_affordable_sites_for_a_card_are_the_legal_choices_after_playing_it(
        self, state: vr.GameState, card: vr.Character
    ) -> None:
        """Each site is listed with its cheapest payment, and with the points for building on it."""
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
            paying = vr.apply(state, offer.action)
            assert isinstance(paying.prompt, vr.PaymentPrompt)
            assert paying.prompt.price == offer.price
            assert vr.check(paying, vr.Pay(offer.payment)) is None
            paid = vr.apply(paying, vr.Pay(offer.payment)).players[mover]
            assert paid.score - player.score == offer.bonus
            assert offer.points == offer.building.points + offer.bonus
            assert offer.building == state.display[offer.action.site]
            cost = offer.building.cost
            gold = cost.gold if isinstance(offer.action, vr.Upgrade) else offer.discount
            assert offer.price == cost.less(offer.reduction).less(vr.Goods(gold=gold))
