"""The chapter *Setup*: what every table has before the first turn, and who takes the first turns.

Single steps of the setup are shown by the worked examples of the clauses.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.positions import EDITIONS, play, prompt_of
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    CardBag,
    Character,
    Colour,
    GameState,
    PlayerCountError,
    RuleSet,
    VariantError,
    apply,
    legal_actions,
    new_game,
    resolve_chance,
    transition,
)
from valletta_rules.agenda import DealPrompt, DraftPrompt, PlayPrompt
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.components.display import SiteSet
from valletta_rules.components.goods import ONE_OF_EACH
from valletta_rules.events import BuildingDealt

C = Character

FEWER_BARRELS = [rules.with_variants(fewer_barrels=True) for rules in EDITIONS]

START_PLAYER_VARIANTS = [rules.with_variants(start_player_variant=True) for rules in EDITIONS]

every_number = pytest.mark.parametrize("players", [2, 3, 4])


def drafted(players: int, rules: RuleSet) -> GameState:
    """Lay the table at random and let everybody draft the first good that there is."""
    state = resolve_chance(new_game(players, rules=rules), random.Random(1))
    while isinstance(state.prompt, DraftPrompt):
        state = apply(state, legal_actions(state)[0])
    return state


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 6])
def test_no_other_number_can_play(players: int) -> None:
    """There is no game for one, nor for five."""
    with pytest.raises(PlayerCountError):
        new_game(players)


@pytest.mark.rule("SET-7")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_fewer_barrels_are_for_two(rules: RuleSet) -> None:
    """Two may choose the variant; to ask for it with three or four is an error."""
    assert len(new_game(2, rules=rules).players) == 2
    for players in (3, 4):
        with pytest.raises(VariantError):
            new_game(players, rules=rules)


@pytest.mark.rule("SET-8", "SET-11")
@every_number
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_display(players: int, seed: int) -> None:
    """The colours are rationed by the number of players, and dealing goes from site to site."""
    state, rng, dealt = new_game(players), random.Random(seed), list[BuildingDealt]()
    while prompt_of(state) == DealPrompt():
        step = transition(state, rng.choice(legal_actions(state)))
        state = step.state
        dealt += [event for event in step.events if isinstance(event, BuildingDealt)]
    assert [event.site for event in dealt] == list(range(len(state.display)))
    assert [event.building for event in dealt] == [building.code for building in state.display]
    green, blue, yellow = {2: (6, 8, 6), 3: (8, 10, 7), 4: (10, 12, 8)}[players]
    rations = {Colour.GREEN: green, Colour.BLUE: blue, Colour.YELLOW: yellow}
    assert Counter(building.colour for building in state.display) == rations


@pytest.mark.rule("SET-12", "SET-14", "SET-15", "SET-16", "SET-32")
@every_number
@pytest.mark.parametrize("rules", EDITIONS, ids=str)
def test_the_cards_of_a_new_game(players: int, rules: RuleSet) -> None:
    """Everybody has drawn five of the same eight cards; four Builders are for hire."""
    state = resolve_chance(new_game(players, rules=rules), random.Random(2))
    assert state.supply == CardBag.of(*[C.BUILDER] * 4)
    for player in state.players:
        assert player.hand + player.draw_pile == CardBag.of(*STARTING_CHARACTERS)
        assert (len(player.hand), player.discard_pile) == (5, EMPTY)


@pytest.mark.rule("SET-13", "SET-18", "SET-19", "SET-20", "SET-21")
@every_number
@pytest.mark.parametrize("rules", [*EDITIONS, *START_PLAYER_VARIANTS], ids=str)
def test_the_rest_of_a_new_game(players: int, rules: RuleSet) -> None:
    """Nobody has built or scored, each has one good of each kind, and Valette is on the tower."""
    state = resolve_chance(new_game(players, rules=rules), random.Random(3))
    assert state.valette == 0
    for player in state.players:
        assert (player.built, player.upgraded, player.score) == (SiteSet(), SiteSet(), 0)
        assert player.goods == ONE_OF_EACH


@pytest.mark.rule("SET-22", "SET-23", "SET-24", "SET-25", "SET-26")
@every_number
@pytest.mark.parametrize("rules", [*EDITIONS, *START_PLAYER_VARIANTS], ids=str)
def test_the_extra_goods(players: int, rules: RuleSet) -> None:
    """Everybody takes one, each another, and nobody under the start-player variant."""
    state = drafted(players, rules)
    taken = [player.goods - ONE_OF_EACH for player in state.players]
    drafts = not rules.start_player_variant
    assert [goods.total for goods in taken] == [int(drafts)] * players
    assert len(set(taken)) == (players if drafts else 1)


@pytest.mark.rule("SET-2", "SET-22", "SET-27", "SET-28", "SET-30")
@every_number
@pytest.mark.parametrize(
    ("rules", "plays"),
    [
        (HANS_IM_GLUECK, [3, 3]),
        (Z_MAN, [3, 3]),
        *((rules, [1, 2]) for rules in (REFERENCE_MANUAL, *START_PLAYER_VARIANTS)),
    ],
    ids=str,
)
def test_the_first_turns(players: int, rules: RuleSet, plays: list[int]) -> None:
    """The turns run through the seats from seat 0 and back to it; the first two may be short."""
    state, rng, turns = drafted(players, rules), random.Random(5), list[tuple[int, int]]()
    while len(turns) < players + 2:
        prompt = prompt_of(state)
        if isinstance(prompt, PlayPrompt) and not state.played:
            turns.append((prompt.seat, prompt.plays))
        state = resolve_chance(play(state, rng.choice(legal_actions(state))), rng)
    assert turns == list(zip([*range(players), 0, 1], [*plays, *[3] * players], strict=True))
