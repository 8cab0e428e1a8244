"""Redaction: events as a player at the table, or a spectator, may learn of them."""

from typing import Any, get_args

import attrs
import pytest
from hypothesis import given

from spec.checks.random_games import Playthrough, games, scaled
from tests.positions import position, seat, viewers
from valletta_rules import (
    BarrelRevealed,
    BuildingDealt,
    Built,
    CardBag,
    CardPlayed,
    Character,
    Colour,
    Dismissed,
    Event,
    Good,
    Goods,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
    HiddenCardDrawn,
    Hired,
    Outcome,
    Phase,
    RedactedEvent,
    RedactedForAnotherError,
    Reshuffled,
    Upgraded,
    ValetteMoved,
    fold,
    new_game,
    redact,
    view,
)
from valletta_rules.agenda import DrawPrompt, EndTurn, PassTurn
from valletta_rules.events import (
    CardCopied,
    CardDrawn,
    EffectDeclined,
    EffectFizzled,
    EndCondition,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    PointsScored,
    TurnBegan,
)

C = Character

DISPLAY = position(seat(), seat()).display


class TestRedact:
    """Only which card another player draws is hidden."""

    DRAWN = CardDrawn(1, C.MAID)

    @pytest.mark.rule("INF-1")
    def test_the_card_another_draws_is_hidden(self) -> None:
        """Blue draws a Maid: Blue learns which card it is, the others that it is a card."""
        assert redact(self.DRAWN, 1) == self.DRAWN
        for viewer in (0, 2, None):
            assert redact(self.DRAWN, viewer) == HiddenCardDrawn(1)
            assert "maid" not in repr(redact(self.DRAWN, viewer)).lower()
        assert HiddenCardDrawn.clause == CardDrawn.clause

    @scaled(0.2)
    @given(games())
    def test_nothing_else_is_changed(self, game: Playthrough) -> None:
        """Throughout a game the events that a seat learns of differ only where others draw."""
        for viewer in viewers(game.start):
            for event in game.events:
                if not isinstance(event, CardDrawn):
                    assert redact(event, viewer) is event


class TestFold:
    """From the table before and the events of a transition follows the table after."""

    @scaled(0.6)
    @given(games())
    def test_events_lead_from_each_table_to_the_next(self, game: Playthrough) -> None:
        """In a game every seat, and a spectator, can follow all that happens by the events."""
        for viewer in viewers(game.start):
            table = view(game.start, viewer).table
            for number, move in enumerate(game.moves):
                table = fold(table, [redact(event, viewer) for event in move.events])
                if number % 5 == 0:
                    assert table == view(move.after, viewer).table
            assert table == view(game.end, viewer).table

    def test_one_sees_which_cards_one_draws_oneself(self) -> None:
        """Red draws a Maid and sees her in the hand; others see one more card there."""
        state = position(seat(draw_pile=[C.MAID]), seat(), agenda=(DrawPrompt(0), PassTurn(0)))
        drawn = CardDrawn(0, C.MAID)
        assert fold(view(state, 0).table, [drawn]).players[0].hand == CardBag.of(C.MAID)
        other = fold(view(state, 1).table, [redact(drawn, 1)])
        assert (other.players[0].hand, other.players[0].hand_size) == (None, 1)
        assert fold(view(state, 1).table, [drawn]) == other

    def test_events_redacted_for_another_are_refused(self) -> None:
        """One's own draw cannot be followed by what another seat is told of it."""
        state = position(seat(draw_pile=[C.MAID]), seat(), agenda=(DrawPrompt(0), EndTurn(0)))
        with pytest.raises(RedactedForAnotherError, match="drawn by seat 0 is hidden from itself"):
            fold(view(state, 0).table, [HiddenCardDrawn(0)])

    def test_buildings_are_dealt_in_order_and_while_there_are_cards(self) -> None:
        """To the next site, and each design as often as there are cards of it."""
        table = view(new_game(2), None).table
        building = table.cards.buildings[0]
        for site in range(building.copies):
            for wrong in (site - 1, site + 1):
                with pytest.raises(RedactedForAnotherError):
                    fold(table, [BuildingDealt(wrong, building.code)])
            table = fold(table, [BuildingDealt(site, building.code)])
        with pytest.raises(RedactedForAnotherError):
            fold(table, [BuildingDealt(building.copies, building.code)])

    @pytest.mark.parametrize(
        "event",
        [
            Built(1, 3, DISPLAY[3].character),
            Built(0, 3, DISPLAY[3].character),
            Built(0, 8, C.NUN),
            Built(0, -1, DISPLAY[-1].character),
            Upgraded(0, 4),
            Upgraded(1, 3),
            BuildingDealt(21, "H"),
            BuildingDealt(20, "A"),
            CardDrawn(1, C.NUN),
            CardPlayed(0, C.MAID),
            Dismissed(0, C.MAID),
            Reshuffled(0),
            GoodsReturned(0, Goods(2), "BLD-1"),
            GoodsGiven(1, 0, Goods(wood=1), "BLU-30"),
            BarrelRevealed(Good.WOOD),
            ValetteMoved(26, "VAL-1"),
            ValetteMoved(6, "VAL-1"),
            ValetteMoved(7, "VAL-1"),
            GoodsReturned(0, Goods(-1), "BLD-1"),
            GoodsReturned(0, Goods(), "BLD-1"),
            GoodsTaken(0, Goods(2, -1), "BLU-1"),
            GoodsGiven(0, 0, Goods(1), "BLU-30"),
            PointsScored(1, -1, "BLU-1"),
            TurnBegan(1, 0),
            CardCopied(0, C.MAID),
            EffectFizzled(0, C.MAID),
            FinalPhaseTriggered(0, EndCondition.SCORE, "FIN-2"),
            PlayerDroppedOut(1),
            HiddenCardDrawn(2),
            HiddenCardDrawn(-1),
            HiddenCardDrawn(1),
            CardDrawn(0, C.NUN),
            CardPlayed(0, C.NUN),
            Hired(0, C.NUN),
            GoodsGiven(0, 10**30, Goods(1), "BLD-1"),
            Built(0, 10**30, C.NUN),
            Upgraded(0, 5),
            BuildingDealt(0, "nowhere"),
            "a text",
        ],
        ids=str,
    )
    def test_events_that_this_table_cannot_have_are_refused(self, event: RedactedEvent) -> None:
        """Another seat's site, a card that lies elsewhere, goods that the seat lacks, no event."""
        state = position(
            seat(draw_pile=[C.MAID], goods=Goods(1), built=[3, 4], upgraded=[4]),
            seat(hand=[C.MAID]),
            valette=7,
            barrels=Goods(1),
        )
        for viewer in viewers(state):
            with pytest.raises(RedactedForAnotherError, match="at this table there cannot be"):
                fold(view(state, viewer).table, [event])

    @pytest.mark.parametrize("wrong", ["1", 1.0, True, None, (), C.MAID])
    def test_malformed_events_are_refused(self, wrong: Any) -> None:
        """Whichever field it is, of any event, by an error that shows the event."""
        state = position(seat(hand=[C.MAID], built=[1]), seat(), valette=0)
        table, events = view(state, 0).table, self.of_all_types()
        assert {type(event) for event in events} == {*get_args(Event)}
        for event in events:
            for field in attrs.fields(type(event)):
                if type(getattr(event, field.name)) is not type(wrong):
                    with pytest.raises(RedactedForAnotherError, match=type(event).__name__):
                        fold(table, [attrs.evolve(event, **{field.name: wrong})])

    def of_all_types(self) -> list[Any]:
        """Return an event of each type."""
        one = Goods(1)
        return [
            *(BuildingDealt(0, "A"), CardDrawn(0, C.MAID), Reshuffled(0), CardCopied(0, C.MAID)),
            *(GoodDrafted(0, Good.GOLD), TurnBegan(0, 3), CardPlayed(0, C.MAID)),
            *(EffectDeclined(0, "RED-1"), EffectFizzled(0, C.MAID), GoodsTaken(0, one, "RED-1")),
            *(GoodsReturned(0, one, "RED-1"), GoodsGiven(0, 1, one, "BLU-30")),
            *(PointsScored(0, 1, "RED-1"), Built(0, 0, C.MAID), Upgraded(0, 1)),
            *(ValetteMoved(1, "VAL-1"), BarrelRevealed(Good.GOLD), Dismissed(0, C.MAID)),
            *(Hired(0, C.MAID), PlayedCardsDiscarded(0), FinalPhaseBegan(), PlayerDroppedOut(0)),
            FinalPhaseTriggered(0, EndCondition.SCORE, "FIN-2"),
            GameEnded(Outcome((), (), "SCO-9")),
        ]

    def test_each_house_is_built_once_and_each_colour_has_its_quota(self) -> None:
        """A ninth house is not there, nor a seventh green building for two players."""
        state = position(seat(built=range(8)), seat())
        with pytest.raises(RedactedForAnotherError):
            fold(view(state, 0).table, [Built(0, 8, state.display[8].character)])
        table = view(new_game(2), None).table
        green = [each for each in table.cards.buildings if each.colour is Colour.GREEN]
        codes = [each.code for each in green for _ in range(each.copies)]
        with pytest.raises(RedactedForAnotherError, match=r"BuildingDealt\(site=6,"):
            fold(table, [BuildingDealt(site, code) for site, code in enumerate(codes)])

    @pytest.mark.parametrize("phase", [Phase.FINAL, Phase.OVER])
    def test_the_final_phase_begins_once_and_nothing_follows_the_end(self, phase: Phase) -> None:
        """Piles are not joined twice; there is no event of a game that is over."""
        state = position(seat(hand=[C.MAID], goods=Goods(1)), seat()).replace(phase=phase)
        wrong: list[RedactedEvent] = [FinalPhaseBegan(), Reshuffled(0)]
        if phase is Phase.OVER:
            wrong += [TurnBegan(0, 3), GoodsTaken(0, Goods(1), "RED-1"), CardPlayed(0, C.MAID)]
            wrong += [GameEnded(Outcome((), (), "SCO-9")), EffectDeclined(0, "RED-1")]
        for event in wrong:
            with pytest.raises(RedactedForAnotherError, match="at this table there cannot be"):
                fold(view(state, 0).table, [event])
