"""The final phase comes to an end, whatever anybody does."""

from __future__ import annotations

import pytest

from spec.checks.random_games import Playthrough, in_every, is_chance, whole_games
from valletta_rules import GameState, Phase, PlayCard, fold, redact, view
from valletta_rules.agenda import DrawPrompt, PlayerPrompt, PlayPrompt, SitePrompt
from valletta_rules.events import (
    EndCondition,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    PlayerDroppedOut,
    Reshuffled,
    TurnBegan,
)
from valletta_rules.rulebook.final_phase import end_conditions


def measure(state: GameState) -> tuple[int, int]:
    """Measure how much of a final phase is left.

    First the cards that have not been put away for good: those in hands, draw piles, the general
    supply and on unbuilt sites.  Then the choices still to be made about the card just played,
    where a site counts twice since it has to be paid for.
    """
    cards = len(state.supply) + len(state.display)
    for player in state.players:
        cards += len(player.hand) + len(player.draw_pile) - len(player.built)
    choices = sum(
        2 if isinstance(step, SitePrompt) else 1
        for step in state.agenda
        if isinstance(step, PlayerPrompt) and not isinstance(step, PlayPrompt)
    )
    return cards, choices


@pytest.mark.rule("FIN-16", "FIN-18")
@in_every(whole_games)
def test_every_choice_brings_the_end_nearer(game: Playthrough) -> None:
    """In the final phase every choice of a player lowers the measure, and chance never raises it.

    A play puts a card away for good; any other choice leaves one choice less to be made.
    """
    for move in game.moves:
        if move.before.phase is not Phase.FINAL:
            continue
        before, after = measure(move.before), measure(move.after)
        if is_chance(move.before):
            assert after <= before
        else:
            assert after < before
        assert (after[0] < before[0]) is isinstance(move.action, PlayCard)


@pytest.mark.rule("FIN-5", "FIN-6", "FIN-9", "FIN-10")
@in_every(whole_games)
def test_the_final_phase_never_reshuffles(game: Playthrough) -> None:
    """As it begins every discard pile joins its draw pile; from then on they only grow."""
    for move in game.moves:
        before, after = move.before, move.after
        if before.phase is Phase.MAIN and after.phase is not Phase.MAIN:
            assert FinalPhaseBegan() in move.events
            for player in after.players:
                assert not player.discard_pile
        if before.phase is Phase.FINAL:
            assert not any(isinstance(event, Reshuffled) for event in move.events)
            for one, other in zip(before.players, after.players, strict=True):
                assert all(
                    other.discard_pile.count(card) >= count
                    for card, count in one.discard_pile.items()
                )


@pytest.mark.rule("FIN-10", "FIN-11", "FIN-12", "TRN-17")
@in_every(whole_games)
def test_hands_are_refilled_as_far_as_they_can_be(game: Playthrough) -> None:
    """When a turn begins nobody could still draw, whichever phase it is."""
    for move in game.moves:
        state = move.after
        if not isinstance(state.prompt, PlayPrompt) or state.played:
            continue
        for player in state.players:
            piles = len(player.draw_pile)
            if state.phase is Phase.MAIN:
                piles += len(player.discard_pile)
            assert len(player.hand) == 5 or not piles


@pytest.mark.rule("FIN-11", "FIN-12", "FIN-13", "FIN-17", "TRN-23")
@in_every(whole_games)
def test_turns_pass_clockwise_to_the_next_with_a_card(game: Playthrough) -> None:
    """The next turn is that of the next player clockwise who has a card to play."""
    previous: int | None = None
    for move in game.moves:
        for event in move.events:
            if not isinstance(event, TurnBegan):
                continue
            players = move.after.players
            if previous is None:
                assert event.seat == 0
            else:
                around = [(previous + step) % len(players) for step in range(1, len(players) + 1)]
                assert event.seat == next(seat for seat in around if players[seat].hand)
            previous = event.seat


@pytest.mark.rule("FIN-11", "FIN-13", "FIN-16")
@in_every(whole_games)
def test_everybody_drops_out_once(game: Playthrough) -> None:
    """Each player drops out with the last card played, and nobody comes back."""
    out = [event.seat for event in game.events if isinstance(event, PlayerDroppedOut)]
    assert sorted(out) == list(game.start.seats)


@pytest.mark.rule("TRN-19", "TRN-20", "TRN-21")
@in_every(whole_games)
def test_a_reshuffle_waits_until_a_card_is_wanted(game: Playthrough) -> None:
    """In the main phase a discard pile is turned over only for a draw, and then altogether."""
    for move in game.moves:
        for event in move.events:
            if isinstance(event, Reshuffled):
                player = move.after.players[event.seat]
                assert move.after.prompt == DrawPrompt(event.seat)
                assert not player.discard_pile
                assert player.draw_pile
                assert len(player.hand) < 5


@pytest.mark.rule("FIN-1", "FIN-2", "FIN-3")
@in_every(whole_games)
def test_what_triggers_is_told_where_it_happens(game: Playthrough) -> None:
    """Each trigger follows at once the event after which its condition holds on the table."""
    for move in game.moves:
        table = view(move.before, None).table
        untold = list[EndCondition]()
        for event in (redact(event, None) for event in move.events):
            if isinstance(event, FinalPhaseTriggered):
                untold.remove(event.condition)
                continue
            assert not untold
            after = fold(table, [event])
            if table.phase is Phase.MAIN:
                met = end_conditions(table)
                untold = [each for each in end_conditions(after) if each not in met]
            table = after
        assert not untold
