"""Whatever a position keeps can be worked out anew from what has happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import attrs
import pytest

from spec.checks.random_games import Playthrough, PlaythroughMove, games, in_every, whole_games
from valletta_rules import Build, Character, Event, GameState, Good, Pay, Phase, outcome
from valletta_rules.events import (
    BarrelRevealed,
    BuildingDealt,
    Built,
    CardCopied,
    CardDrawn,
    CardPlayed,
    Dismissed,
    EffectDeclined,
    EffectFizzled,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
    Hired,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    PointsScored,
    Reshuffled,
    TurnBegan,
    Upgraded,
    ValetteMoved,
)

_Count = Callable[[GameState, int], int]

STARTING_CARDS = tuple(Character)[:8]


@attrs.define
class Seat:
    """What a bystander has noted of one player."""

    hand: Counter[Character] = attrs.field(factory=Counter)
    draw_pile: Counter[Character] = attrs.field(factory=lambda: Counter(STARTING_CARDS))
    discard_pile: Counter[Character] = attrs.field(factory=Counter)
    goods: Counter[Good] = attrs.field(factory=lambda: Counter(Good))
    built: set[int] = attrs.field(factory=set)
    upgraded: set[int] = attrs.field(factory=set)
    score: int = 0
    shown: Counter[Character] = attrs.field(factory=Counter)

    def gain(self, card: Character) -> None:
        """Note a card that came to the hand in sight of all."""
        self.hand[card] += 1
        self.shown[card] += 1

    def lose(self, card: Character) -> None:
        """Note a card that left the hand in sight of all."""
        assert self.hand[card] > 0
        self.hand[card] -= 1
        self.shown[card] = max(0, self.shown[card] - 1)

    def join_piles(self) -> None:
        """Put the discard pile to the draw pile; if that was empty, all know the hand."""
        if not self.draw_pile.total():
            self.shown = +self.hand
        self.draw_pile.update(self.discard_pile)
        self.discard_pile = Counter()


class Bystander:
    """Somebody who keeps a record of a game from what he hears, and nothing else."""

    def __init__(self, start: GameState) -> None:
        """Sit down at a freshly laid table."""
        self.seats = [Seat() for _ in start.players]
        self.supply = Counter({Character.BUILDER: 4})
        self.display: list[str] = []
        self.barrels = Counter(dict(zip(Good, start.cards.barrels, strict=True)))
        self.valette = 0
        self.active = 0
        self.played: list[Character] = []
        self.phase = Phase.SETUP

    def hear(self, event: Event) -> None:
        """Note what has happened, to cards and goods or to the rest of the table."""
        match event:
            case CardDrawn(seat, character):
                assert self.seats[seat].draw_pile[character] > 0
                self.seats[seat].draw_pile[character] -= 1
                self.seats[seat].hand[character] += 1
            case Reshuffled(seat):
                player = self.seats[seat]
                assert not player.draw_pile.total()
                player.join_piles()
            case GoodDrafted(seat, good):
                self.seats[seat].goods[good] += 1
            case CardPlayed(seat, character):
                assert seat == self.active
                self.seats[seat].lose(character)
                self.played.append(character)
            case PlayedCardsDiscarded(seat):
                assert seat == self.active
                self.seats[seat].discard_pile.update(self.played)
                self.played = []
            case GoodsTaken(seat, goods):
                self.seats[seat].goods.update(dict(zip(Good, goods, strict=True)))
            case GoodsReturned(seat, goods):
                self.seats[seat].goods.subtract(dict(zip(Good, goods, strict=True)))
            case GoodsGiven(giver, taker, goods):
                self.seats[giver].goods.subtract(dict(zip(Good, goods, strict=True)))
                self.seats[taker].goods.update(dict(zip(Good, goods, strict=True)))
            case Dismissed(seat, character):
                self.seats[seat].lose(character)
                self.supply[character] += 1
            case Hired(seat, character):
                assert self.supply[character] > 0
                self.supply[character] -= 1
                self.seats[seat].gain(character)
            case _:
                self.hear_of_the_table(event)

    def hear_of_the_table(self, event: Event) -> None:
        """Note what has happened to houses, points, Valette, and the course of the game."""
        match event:
            case BuildingDealt(site, building):
                assert site == len(self.display)
                self.display.append(building)
            case TurnBegan(seat):
                self.active = seat
                if self.phase is Phase.SETUP:
                    self.phase = Phase.MAIN
            case PointsScored(seat, points):
                self.seats[seat].score += points
            case Built(seat, site, character):
                self.seats[seat].built.add(site)
                self.seats[seat].gain(character)
            case Upgraded(seat, site):
                assert site in self.seats[seat].built
                assert site not in self.seats[seat].upgraded
                self.seats[seat].upgraded.add(site)
            case ValetteMoved(space):
                assert space > self.valette
                self.valette = space
            case BarrelRevealed(good):
                self.barrels[good] -= 1
            case FinalPhaseBegan():
                self.phase = Phase.FINAL
                for player in self.seats:
                    player.join_piles()
            case GameEnded():
                self.phase = Phase.OVER
            case (
                CardCopied()
                | EffectDeclined()
                | EffectFizzled()
                | FinalPhaseTriggered()
                | PlayerDroppedOut()
            ):
                pass

    def compare(self, state: GameState) -> None:
        """Expect a position to be what has been noted."""
        assert [building.code for building in state.display] == self.display
        assert Counter(state.supply) == self.supply
        assert tuple(state.barrels) == tuple(self.barrels[good] for good in Good)
        assert state.valette == self.valette
        assert list(state.played) == self.played
        assert state.phase is self.phase
        assert state.active == self.active
        for player, noted in zip(state.players, self.seats, strict=True):
            assert Counter(player.hand) == noted.hand
            assert Counter(player.draw_pile) == noted.draw_pile
            assert Counter(player.discard_pile) == noted.discard_pile
            assert tuple(player.goods) == tuple(noted.goods[good] for good in Good)
            assert set(player.built) == noted.built
            assert set(player.upgraded) == noted.upgraded
            assert player.score == noted.score
            assert Counter(player.shown) == noted.shown
            assert noted.shown <= noted.hand


@pytest.mark.rule("SET-14", "SET-16", "SET-19", "SET-20", "SET-21", "TRN-16", "SCO-1")
@in_every(games)
def test_a_bystander_knows_every_position(game: Playthrough) -> None:
    """What is heard of a game tells every hand, pile, good, house, point and barrel at any time."""
    bystander = Bystander(game.start)
    bystander.compare(game.start)
    for move in game.moves:
        for event in move.events:
            bystander.hear(event)
        bystander.compare(move.after)


def construction_points(move: PlaythroughMove, seat: int, site: int) -> list[Event]:
    """Return the points that a construction earned, as they are due where Valette stands."""
    space = move.before.valette
    if space and (space - 1) // 5 == site % 5:
        clause = "BLD-33" if site in move.before.players[seat].built else "BLD-32"
        return [PointsScored(seat, 2, clause)]
    return []


@pytest.mark.rule("BLD-25", "BLD-29", "BLD-30", "BLD-31", "BLD-32", "BLD-33", "BLD-34", "BLD-35")
@in_every(games)
def test_every_construction_has_its_due(game: Playthrough) -> None:
    """Paying erects or upgrades the one building chosen, and earns two points in Valette's area."""
    for move, following in zip(game.moves, game.moves[1:], strict=False):
        if not isinstance(following.action, Pay):
            continue
        seat, site = following.before.active, getattr(move.action, "site", None)
        assert isinstance(site, int)
        built: Event = Upgraded(seat, site)
        if isinstance(move.action, Build):
            built = Built(seat, site, following.before.display[site].character)
        due = [built, *construction_points(following, seat, site)]
        kinds = Built | Upgraded | PointsScored
        assert [event for event in following.events if isinstance(event, kinds)] == due


@pytest.mark.rule("SCO-5", "SCO-6", "SCO-7", "SCO-8", "SCO-9", "SCO-10", "SCO-11", "FIN-16")
@in_every(whole_games)
def test_the_result_is_the_sum_of_what_was_heard(game: Playthrough) -> None:
    """The result is the points heard, the buildings' points and a point for every three goods."""
    bystander = Bystander(game.start)
    for event in game.events:
        bystander.hear(event)
    printed = {building.code: building.points for building in game.start.cards.buildings}
    results = []
    for noted in bystander.seats:
        sites = [*noted.built, *noted.upgraded]
        total = noted.score + sum(printed[bystander.display[site]] for site in sites)
        results.append((total + noted.goods.total() // 3, len(noted.built)))
    found = outcome(game.end)
    assert found is not None
    assert [(score.total, score.houses) for score in found.scores] == results
    assert found.winners == tuple(
        seat for seat, result in enumerate(results) if result == max(results)
    )
    assert game.events[-1] == GameEnded(found)
    totals = [total for total, _ in results]
    decided = "SCO-9" if totals.count(max(totals)) == 1 else None
    decided = decided or ("SCO-10" if results.count(max(results)) == 1 else "SCO-11")
    assert found.clause == decided


@pytest.mark.rule("BLU-19", "YEL-10", "YEL-11", "YEL-13", "GRN-1", "GRN-2", "GRN-3", "GRN-4")
@in_every(games)
def test_income_is_counted_on_ones_buildings(game: Playthrough) -> None:
    """Green cards, Chamberlain, Philip, Charles and Pius bring what a fresh count finds."""
    for move in game.moves:
        before = move.before
        for event in move.events:
            if isinstance(event, GoodsTaken | PointsScored) and event.clause in COUNTS:
                amount = event.points if isinstance(event, PointsScored) else event.goods.total
                assert amount == COUNTS[event.clause](before, event.seat)


def _icons(good: Good) -> _Count:
    def count(state: GameState, seat: int) -> int:
        player = state.players[seat]
        sites = [*player.built, *player.upgraded]
        return [state.display[site].icon for site in sites].count(good)

    return count


def _buildings(colour: str) -> _Count:
    def count(state: GameState, seat: int) -> int:
        sites = state.players[seat].built
        return [str(state.display[site].colour) for site in sites].count(colour)

    return count


def _upgrades(state: GameState, seat: int) -> int:
    return len(set(state.players[seat].upgraded))


COUNTS = {
    "GRN-1": _icons(Good.GOLD),
    "GRN-2": _icons(Good.WOOD),
    "GRN-3": _icons(Good.STONE),
    "GRN-4": _icons(Good.BRICK),
    "BLU-19": _buildings("green"),
    "YEL-10": _buildings("green"),
    "YEL-11": _buildings("blue"),
    "YEL-13": _upgrades,
}
"""By clause, what is to be counted."""
