"""Redaction: events as a player at the table, or a spectator, may learn of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

import attrs
import pytest
from hypothesis import given

from spec.checks.random_games import Playthrough, games, scaled, whole_games
from tests.positions import position, seat
from valletta_rules import (
    CardBag,
    Character,
    Event,
    GameState,
    HiddenCardDrawn,
    PlayCard,
    RedactedEvent,
    RedactedForAnotherError,
    fold,
    new_game,
    redact,
    resolve_chance,
    transition,
    view,
)
from valletta_rules.agenda import DrawPrompt, EndTurn, PassTurn
from valletta_rules.events import CardDrawn

C = Character


def viewers(state: GameState) -> Iterator[int | None]:
    """Run through everybody who may look at a position, a spectator last."""
    yield from state.seats
    yield None


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

    def test_a_hidden_draw_names_the_clause_of_a_draw(self) -> None:
        """A hidden card is drawn by the same clause as any other."""
        assert HiddenCardDrawn.clause == CardDrawn.clause

    @scaled(0.2)
    @given(games())
    def test_nothing_else_is_changed(self, game: Playthrough) -> None:
        """Throughout a game the events that a seat learns of differ only where others draw."""
        for viewer in viewers(game.start):
            for event in game.events:
                if not isinstance(event, CardDrawn):
                    assert redact(event, viewer) is event

    def test_redacted_events_are_values_like_all_events(self) -> None:
        """A hidden draw is frozen and slotted, and belongs to the union of redacted events."""
        assert HiddenCardDrawn in get_args(RedactedEvent)
        assert set(get_args(Event)) < set(get_args(RedactedEvent))
        assert "__slots__" in vars(HiddenCardDrawn)
        assert {HiddenCardDrawn(1)} == {HiddenCardDrawn(1)}
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            HiddenCardDrawn(1).seat = 2  # type: ignore[misc]


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

    @scaled(0.15)
    @given(whole_games())
    def test_each_transition_on_its_own(self, game: Playthrough) -> None:
        """The active player's and a spectator's view of each transition agree with its events."""
        for move in game.moves[::3]:
            for viewer in (move.before.active, None):
                events = [redact(event, viewer) for event in move.events]
                after = fold(view(move.before, viewer).table, events)
                assert after == view(move.after, viewer).table
                assert repr(after) == repr(view(move.after, viewer).table)

    def test_one_by_one_the_events_give_the_stages(self) -> None:
        """Folding event by event gives the table after each, and in the end the same."""
        state = position(seat(hand=[C.SHOPKEEPER]), seat(hand=[C.NUN]), plays=1)
        result = transition(state, PlayCard(C.SHOPKEEPER))
        stages = [view(state, 0).table]
        for event in result.events:
            stages.append(fold(stages[-1], [redact(event, 0)]))
        assert [stage.players[0].goods.gold for stage in stages][:3] == [0, 0, 1]
        assert [stage.played for stage in stages][:3] == [(), (C.SHOPKEEPER,), (C.SHOPKEEPER,)]
        assert stages[-1] == fold(stages[0], result.events) == view(result.state, 0).table

    def test_nothing_happens_without_events(self) -> None:
        """Without events the table stays as it is."""
        table = view(resolve_chance(new_game(2), random.Random(1)), None).table
        assert fold(table, ()) is table

    def test_one_sees_which_cards_one_draws_oneself(self) -> None:
        """Red draws a Maid, sees her in his hand, and others see a card more there."""
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
