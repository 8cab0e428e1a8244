"""What is true of every position that can be reached."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from spec.checks.random_games import Playthrough, games, in_every, whole_games
from valletta_rules import (
    Build,
    Character,
    Decline,
    GameState,
    GiveGood,
    Goods,
    Phase,
    Upgrade,
    legal_actions,
    outcome,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    PlayerPrompt,
    PlayPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.components.goods import MATERIALS
from valletta_rules.events import EndCondition, FinalPhaseBegan, FinalPhaseTriggered, TurnBegan
from valletta_rules.rulebook.final_phase import end_conditions


def characters_of(state: GameState) -> Counter[Character]:
    """Count every character card of a game, wherever it is."""
    cards: Counter[Character] = Counter(state.played)
    cards.update(state.supply)
    taken: set[int] = set()
    for player in state.players:
        cards.update(player.hand)
        cards.update(player.draw_pile)
        cards.update(player.discard_pile)
        taken.update(player.built)
    cards.update(
        building.character for site, building in enumerate(state.display) if site not in taken
    )
    return cards


@pytest.mark.rule("SET-14", "SET-16", "SET-17", "BLD-28", "VAL-10", "VAL-12", "VAL-13")
@in_every(games)
def test_no_character_card_appears_or_disappears(game: Playthrough) -> None:
    """Cards only go between hands, piles, boards, the character supply and unbuilt sites."""
    for state in game.positions:
        expected = Counter(STARTING_CHARACTERS * len(state.players))
        expected[Character.BUILDER] += 4
        expected.update(building.character for building in state.display)
        assert characters_of(state) == expected


@pytest.mark.rule("BLD-19", "VAL-5")
@in_every(games)
def test_nobody_owes_goods(game: Playthrough) -> None:
    """Nobody ever has less than nothing of a good, and no barrel is revealed that is not there."""
    for state in game.positions:
        for player in state.players:
            assert min(player.goods) >= 0
        assert min(state.barrels) >= 0
        assert state.cards.barrels.covers(state.barrels)


@pytest.mark.rule("CMP-19", "BLD-3", "BLD-4", "BLD-15", "BLD-29", "BLD-30")
@in_every(games)
def test_houses_stand_where_they_may(game: Playthrough) -> None:
    """Nobody builds more than eight houses, no two on one site; what is upgraded is built."""
    for state in game.positions:
        sites = [site for player in state.players for site in player.built]
        assert len(set(sites)) == len(sites)
        assert all(0 <= site < len(state.display) for site in sites)
        for player in state.players:
            assert len(player.built) <= 8
            assert set(player.upgraded) <= set(player.built)


@pytest.mark.rule("SET-14", "VAL-10", "TRN-24")
@in_every(games)
def test_everybody_keeps_his_valette(game: Playthrough) -> None:
    """Every player owns one Valette all along, and the character supply has none.

    So nobody begins a turn of the main phase without a card.
    """
    for state in game.positions:
        assert Character.VALETTE not in state.supply
        for seat, player in enumerate(state.players):
            own = [*player.hand, *player.draw_pile, *player.discard_pile]
            own += state.played if seat == state.active else ()
            assert own.count(Character.VALETTE) == 1


@pytest.mark.rule("TRN-17", "TRN-21", "TRN-22")
@in_every(games)
def test_a_hand_never_holds_more_than_five_cards(game: Playthrough) -> None:
    """Nobody ever holds more than five cards."""
    for state in game.positions:
        assert all(len(player.hand) <= 5 for player in state.players)


@pytest.mark.rule("TRN-23", "TRN-24")
@in_every(games)
def test_in_the_main_phase_everybody_takes_his_turn(game: Playthrough) -> None:
    """In the main phase nobody is skipped: whose turn it is has a card to play."""
    following = 0
    for move in game.moves:
        for event in move.events:
            if isinstance(event, TurnBegan) and move.after.phase is Phase.MAIN:
                assert event.seat == following
                assert move.after.players[event.seat].hand
                assert move.after.prompt == PlayPrompt(event.seat, event.plays)
                following = (following + 1) % len(game.start.players)


@pytest.mark.rule("BLD-30")
@in_every(games)
def test_the_display_never_loses_a_card(game: Playthrough) -> None:
    """A building that has been dealt stays where it lies to the end of the game."""
    for one, other in pairwise(game.positions):
        assert other.display[: len(one.display)] == one.display


@pytest.mark.rule("BLD-29", "BLD-30", "SCO-1", "VAL-5")
@in_every(games)
def test_there_is_no_way_back(game: Playthrough) -> None:
    """Houses, upgrades, points, Valette's steps and revealed barrels only ever become more."""
    for one, other in pairwise(game.positions):
        assert other.valette >= one.valette
        assert one.barrels.covers(other.barrels)
        for before, after in zip(one.players, other.players, strict=True):
            assert set(before.built) <= set(after.built)
            assert set(before.upgraded) <= set(after.upgraded)
            assert before.score <= after.score


@pytest.mark.rule("FIN-4", "FIN-16")
@in_every(whole_games)
def test_phases_follow_each_other(game: Playthrough) -> None:
    """A game goes from the setup to the main phase, then to the final phase, then it is over."""
    order = list(Phase)
    for one, other in pairwise(game.positions):
        assert order.index(other.phase) - order.index(one.phase) in (0, 1)
    assert (game.start.phase, game.end.phase) == (Phase.SETUP, Phase.OVER)


@pytest.mark.rule("FIN-16", "SCO-8")
@in_every(games)
def test_the_game_is_over_when_nothing_is_asked(game: Playthrough) -> None:
    """No question, no legal action, a result, and the phase OVER: all of them, or none."""
    for state in game.positions:
        over = state.phase is Phase.OVER
        assert (state.prompt is None) is over
        assert (state.agenda == ()) is over
        assert (legal_actions(state) == ()) is over
        assert (outcome(state) is not None) is over
        if over:
            assert not any(player.hand or player.draw_pile for player in state.players)


def can_choose(state: GameState, prompt: PlayerPrompt) -> bool:
    """Tell whether a prompt leaves a player something to do, as the wording of its rule has it."""
    player = state.players[prompt.seat]
    match prompt:
        case PlayPrompt():
            return bool(player.hand)
        case SitePrompt():
            return any(isinstance(action, Build | Upgrade) for action in legal_actions(state))
        case ValettePrompt():
            return bool(player.hand or state.supply)
        case TraderPrompt():
            return any(player.goods[material] for material in MATERIALS)
        case ArchitectPrompt():
            return any(player.goods[material] >= 4 for material in MATERIALS)
        case ArtisanPrompt():
            return bool(player.built)
        case BonusPrompt():
            return len(state.players) == 2
        case _ if GiveGood in prompt.answers:
            return player.goods.total >= 4
        case _:
            return legal_actions(state) != (Decline(),)


@pytest.mark.rule("TRN-14", "TRN-6", "BLD-26", "BLU-4", "BLU-9", "BLU-17", "YEL-5", "VAL-14")
@in_every(games)
def test_nobody_is_asked_in_vain(game: Playthrough) -> None:
    """A player is asked something only when there is something he can choose."""
    for state in game.positions:
        prompt = state.prompt
        if isinstance(prompt, PlayerPrompt):
            assert can_choose(state, prompt)


@pytest.mark.rule("BLD-26", "BLD-27")
@in_every(games)
def test_a_site_that_was_chosen_can_be_paid_for(game: Playthrough) -> None:
    """After every choice of a site there is a way to pay."""
    for move in game.moves:
        if isinstance(move.action, Build | Upgrade):
            assert legal_actions(move.after)


@pytest.mark.rule("TRN-5", "TRN-23")
@in_every(games)
def test_whoever_is_asked_is_active_or_gives_to_the_monk(game: Playthrough) -> None:
    """During a turn only its player makes choices, save that his opponents choose for the Monk."""
    for state in game.positions:
        prompt = state.prompt
        if isinstance(prompt, PlayerPrompt) and state.phase in (Phase.MAIN, Phase.FINAL):
            assert (prompt.seat == state.active) is (GiveGood not in prompt.answers)


@pytest.mark.rule("FIN-1", "FIN-2", "FIN-3", "FIN-4")
@in_every(whole_games)
def test_every_trigger_fires_once(game: Playthrough) -> None:
    """Each end condition is told of once, when it is first fulfilled; then the phase begins once.

    What was told until then is exactly what the position shows.
    """
    told: list[EndCondition] = []
    begun = 0
    for move in game.moves:
        for event in move.events:
            match event:
                case FinalPhaseTriggered(seat, condition):
                    assert seat == move.before.active
                    assert not begun
                    told.append(condition)
                case FinalPhaseBegan():
                    begun += 1
                    assert told
        if move.after.phase is Phase.MAIN:
            assert sorted(told) == sorted(end_conditions(move.after))
    assert begun == 1
    assert len(set(told)) == len(told)


@pytest.mark.rule("FIN-4", "FIN-7")
@in_every(whole_games)
def test_the_turn_that_triggers_is_played_out(game: Playthrough) -> None:
    """The final phase begins as soon as a turn has ended after which a condition holds."""
    for move in game.moves:
        if move.after.active != move.before.active and move.before.phase is Phase.MAIN:
            assert (move.after.phase is Phase.FINAL) is bool(end_conditions(move.after))


@pytest.mark.rule("TRN-2")
@in_every(games)
def test_a_turn_has_at_most_three_plays(game: Playthrough) -> None:
    """Nobody plays more than three cards in a turn, and the plays left count down to one."""
    for state in game.positions:
        assert len(state.played) <= 3
        if isinstance(state.prompt, PlayPrompt):
            assert len(state.played) + state.prompt.plays <= 3


@pytest.mark.rule("SET-3", "SET-4", "SET-6", "VAL-4", "VAL-5")
@in_every(whole_games)
def test_barrels_are_revealed_where_they_lie(game: Playthrough) -> None:
    """As many barrels are gone as spaces with barrels lie behind Valette, his own included."""
    rules, players = game.start.rules, len(game.start.players)
    if rules.fewer_barrels or (rules.barrel_layout == "by_players" and players == 2):
        spaces = [space for space in range(1, 26) if space % 2]
    elif rules.barrel_layout == "by_players" and players == 3:
        spaces = [space for space in range(1, 26) if space % 3]
    else:
        spaces = list(range(1, 26))
    end = game.end
    gone: Goods = end.cards.barrels - end.barrels
    assert gone.total == sum(space <= end.valette for space in spaces)
