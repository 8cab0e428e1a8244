"""Tests of redaction, which removes hidden information from events, and of applying events."""

from typing import Any, get_args

import attrs
import pytest
from hypothesis import given

import valletta_rules as vr
from spec.checks.random_games import Playthrough, games, scaled
from tests.positions import position, seat, viewers

C = vr.Character

DISPLAY = position(seat(), seat()).display


class TestRedact:
    """Tests of the function `redact`, which hides only cards that other players draw."""

    DRAWN = vr.CardDrawn(1, C.MAID)

    @pytest.mark.rule("INF-1")
    def test_the_card_that_another_player_draws_is_hidden_by_redaction(self) -> None:
        """If Blue draws a Maid, other viewers learn only that Blue has drawn a card."""
        assert vr.redact(self.DRAWN, 1) == self.DRAWN
        for viewer in (0, 2, None):
            assert vr.redact(self.DRAWN, viewer) == vr.HiddenCardDrawn(1)
            assert "maid" not in repr(vr.redact(self.DRAWN, viewer)).lower()
        assert vr.HiddenCardDrawn.clause == vr.CardDrawn.clause

    @scaled(0.2)
    @given(games())
    def test_no_event_except_drawing_a_card_is_changed_by_redaction(
        self, game: Playthrough
    ) -> None:
        """The test redacts all events of random games."""
        for viewer in viewers(game.start):
            for event in game.events:
                if not isinstance(event, vr.CardDrawn):
                    assert vr.redact(event, viewer) is event


class TestFold:
    """Tests of the function `fold`, which applies redacted events to a table."""

    @scaled(0.6)
    @given(games())
    def test_applying_redacted_events_to_a_table_gives_the_next_table_for_every_viewer(
        self, game: Playthrough
    ) -> None:
        """A client can therefore follow a whole game without requesting views."""
        for viewer in viewers(game.start):
            table = vr.view(game.start, viewer).table
            for number, move in enumerate(game.moves):
                table = vr.fold(table, [vr.redact(event, viewer) for event in move.events])
                if number % 5 == 0:
                    assert table == vr.view(move.after, viewer).table
            assert table == vr.view(game.end, viewer).table

    def test_applying_the_event_of_a_drawn_card_adds_it_to_the_hand_of_the_viewer(self) -> None:
        """In the table of another viewer, only the size of the hand increases."""
        state = position(
            seat(draw_pile=[C.MAID]), seat(), agenda=(vr.DrawPrompt(0), vr.PassTurn(0))
        )
        drawn = vr.CardDrawn(0, C.MAID)
        assert vr.fold(vr.view(state, 0).table, [drawn]).players[0].hand == vr.CardBag.of(C.MAID)
        other = vr.fold(vr.view(state, 1).table, [vr.redact(drawn, 1)])
        assert (other.players[0].hand, other.players[0].hand_size) == (None, 1)
        assert vr.fold(vr.view(state, 1).table, [drawn]) == other

    def test_applying_events_that_were_redacted_for_another_viewer_is_refused(self) -> None:
        """For example, the card that the viewer draws must not be hidden."""
        state = position(seat(draw_pile=[C.MAID]), seat(), agenda=(vr.DrawPrompt(0), vr.EndTurn(0)))
        with pytest.raises(
            vr.RedactedForAnotherError, match="drawn by seat 0 must not be hidden from this seat"
        ):
            vr.fold(vr.view(state, 0).table, [vr.HiddenCardDrawn(0)])

    def test_applying_deals_of_buildings_out_of_order_or_too_often_is_refused(self) -> None:
        """Sites are filled in order. A design is dealt once for each of its copies."""
        table = vr.view(vr.new_game(2), None).table
        building = table.cards.buildings[0]
        for site in range(building.copies):
            for wrong in (site - 1, site + 1):
                with pytest.raises(vr.RedactedForAnotherError):
                    vr.fold(table, [vr.BuildingDealt(wrong, building.code)])
            table = vr.fold(table, [vr.BuildingDealt(site, building.code)])
        with pytest.raises(vr.RedactedForAnotherError):
            vr.fold(table, [vr.BuildingDealt(building.copies, building.code)])

    @pytest.mark.parametrize(
        "event",
        [
            vr.Built(1, 3, DISPLAY[3].character),
            vr.Built(0, 3, DISPLAY[3].character),
            vr.Built(0, 8, C.NUN),
            vr.Built(0, -1, DISPLAY[-1].character),
            vr.Upgraded(0, 4),
            vr.Upgraded(1, 3),
            vr.BuildingDealt(21, "H"),
            vr.BuildingDealt(20, "A"),
            vr.CardDrawn(1, C.NUN),
            vr.CardPlayed(0, C.MAID),
            vr.Dismissed(0, C.MAID),
            vr.Reshuffled(0),
            vr.GoodsReturned(0, vr.Goods(2), "BLD-1"),
            vr.GoodsGiven(1, 0, vr.Goods(wood=1), "BLU-30"),
            vr.BarrelRevealed(vr.Good.WOOD),
            vr.ValetteMoved(26, "VAL-1"),
            vr.ValetteMoved(6, "VAL-1"),
            vr.ValetteMoved(7, "VAL-1"),
            vr.GoodsReturned(0, vr.Goods(-1), "BLD-1"),
            vr.GoodsReturned(0, vr.Goods(), "BLD-1"),
            vr.GoodsTaken(0, vr.Goods(2, -1), "BLU-1"),
            vr.GoodsGiven(0, 0, vr.Goods(1), "BLU-30"),
            vr.PointsScored(1, -1, "BLU-1"),
            vr.TurnBegan(1, 0),
            vr.CardCopied(0, C.MAID),
            vr.EffectFizzled(0, C.MAID),
            vr.FinalPhaseTriggered(0, vr.EndCondition.SCORE, "FIN-2"),
            vr.PlayerDroppedOut(1),
            vr.HiddenCardDrawn(2),
            vr.HiddenCardDrawn(-1),
            vr.HiddenCardDrawn(1),
            vr.CardDrawn(0, C.NUN),
            vr.CardPlayed(0, C.NUN),
            vr.Hired(0, C.NUN),
            vr.GoodsGiven(0, 10**30, vr.Goods(1), "BLD-1"),
            vr.Built(0, 10**30, C.NUN),
            vr.Upgraded(0, 5),
            vr.BuildingDealt(0, "nowhere"),
            "a text",
        ],
        ids=str,
    )
    def test_applying_an_event_that_contradicts_the_table_is_refused(
        self, event: vr.RedactedEvent
    ) -> None:
        """For example, another player owns the site, or the player lacks the goods."""
        state = position(
            seat(draw_pile=[C.MAID], goods=vr.Goods(1), built=[3, 4], upgraded=[4]),
            seat(hand=[C.MAID]),
            valette=7,
            barrels=vr.Goods(1),
        )
        for viewer in viewers(state):
            with pytest.raises(vr.RedactedForAnotherError, match="impossible event at this table"):
                vr.fold(vr.view(state, viewer).table, [event])

    @pytest.mark.parametrize("wrong", ["1", 1.0, True, None, (), C.MAID])
    def test_applying_an_event_with_a_value_of_a_wrong_type_is_refused(self, wrong: Any) -> None:
        """The test covers each field of each type of event. The message contains the event."""
        state = position(seat(hand=[C.MAID], built=[1]), seat(), valette=0)
        table, events = vr.view(state, 0).table, self.of_all_types()
        assert {type(event) for event in events} == {*get_args(vr.Event)}
        for event in events:
            for field in attrs.fields(type(event)):
                if type(getattr(event, field.name)) is not type(wrong):
                    with pytest.raises(vr.RedactedForAnotherError, match=type(event).__name__):
                        vr.fold(table, [attrs.evolve(event, **{field.name: wrong})])

    def of_all_types(self) -> list[Any]:
        """Return one event of each type."""
        one = vr.Goods(1)
        return [
            *(
                vr.BuildingDealt(0, "A"),
                vr.CardDrawn(0, C.MAID),
                vr.Reshuffled(0),
                vr.CardCopied(0, C.MAID),
            ),
            *(vr.GoodDrafted(0, vr.Good.GOLD), vr.TurnBegan(0, 3), vr.CardPlayed(0, C.MAID)),
            *(
                vr.EffectDeclined(0, "RED-1"),
                vr.EffectFizzled(0, C.MAID),
                vr.GoodsTaken(0, one, "RED-1"),
            ),
            *(vr.GoodsReturned(0, one, "RED-1"), vr.GoodsGiven(0, 1, one, "BLU-30")),
            *(vr.PointsScored(0, 1, "RED-1"), vr.Built(0, 0, C.MAID), vr.Upgraded(0, 1)),
            *(
                vr.ValetteMoved(1, "VAL-1"),
                vr.BarrelRevealed(vr.Good.GOLD),
                vr.Dismissed(0, C.MAID),
            ),
            *(
                vr.Hired(0, C.MAID),
                vr.PlayedCardsDiscarded(0),
                vr.FinalPhaseBegan(),
                vr.PlayerDroppedOut(0),
            ),
            vr.FinalPhaseTriggered(0, vr.EndCondition.SCORE, "FIN-2"),
            vr.GameEnded(vr.Outcome((), (), "SCO-9")),
        ]

    def test_applying_a_ninth_house_or_too_many_green_buildings_is_refused(self) -> None:
        """In a two-player game, the display has six green buildings."""
        state = position(seat(built=range(8)), seat())
        with pytest.raises(vr.RedactedForAnotherError):
            vr.fold(vr.view(state, 0).table, [vr.Built(0, 8, state.display[8].character)])
        table = vr.view(vr.new_game(2), None).table
        green = [each for each in table.cards.buildings if each.colour is vr.Colour.GREEN]
        codes = [each.code for each in green for _ in range(each.copies)]
        with pytest.raises(vr.RedactedForAnotherError, match=r"BuildingDealt\(site=6,"):
            vr.fold(table, [vr.BuildingDealt(site, code) for site, code in enumerate(codes)])

    @pytest.mark.parametrize("phase", [vr.Phase.FINAL, vr.Phase.OVER])
    def test_applying_an_event_that_is_impossible_in_the_current_phase_is_refused(
        self, phase: vr.Phase
    ) -> None:
        """The final phase begins only once, and no event follows the end of the game."""
        state = position(seat(hand=[C.MAID], goods=vr.Goods(1)), seat()).replace(phase=phase)
        wrong: list[vr.RedactedEvent] = [vr.FinalPhaseBegan(), vr.Reshuffled(0)]
        if phase is vr.Phase.OVER:
            wrong += [
                vr.TurnBegan(0, 3),
                vr.GoodsTaken(0, vr.Goods(1), "RED-1"),
                vr.CardPlayed(0, C.MAID),
            ]
            wrong += [vr.GameEnded(vr.Outcome((), (), "SCO-9")), vr.EffectDeclined(0, "RED-1")]
        for event in wrong:
            with pytest.raises(vr.RedactedForAnotherError, match="impossible event at this table"):
                vr.fold(vr.view(state, 0).table, [event])
