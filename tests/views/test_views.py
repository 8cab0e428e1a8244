"""Views: what a player at the table, or a spectator, may know."""

from __future__ import annotations

import gc
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from types import ModuleType
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules
from spec.checks.random_games import Playthrough, every_action, games, positions, scaled
from tests.positions import a_building, position, refusal, seat
from valletta_rules import (
    Action,
    Build,
    CardBag,
    Character,
    Code,
    DrawCard,
    GameState,
    Good,
    Goods,
    MalformedActionError,
    OutOfTurnError,
    Pay,
    Phase,
    PlayCard,
    Player,
    PlayerView,
    RevealBarrel,
    apply,
    check,
    check_by,
    determinize,
    legal_actions,
    new_game,
    redact,
    resolve_chance,
    transition,
    upgrade_price,
    view,
)
from valletta_rules.agenda import (
    DrawPrompt,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
)
from valletta_rules.views import SeenPlayer, Table

C = Character
SEED = st.integers(min_value=0, max_value=2**32 - 1)
STARTERS = tuple(valletta_rules.new_game().players[0].draw_pile)


def viewers(state: GameState) -> Iterator[int | None]:
    """Run through everybody who may look at a position, a spectator last."""
    yield from state.seats
    yield None


def reshuffled_secrets(state: GameState, viewer: int | None, rng: random.Random) -> GameState:
    """Return a position that differs only in what is hidden from a viewer, or in nothing.

    The cards of everybody else's hand that have not been seen are exchanged with the draw pile.
    """
    for owner, player in enumerate(state.players):
        if owner == viewer:
            continue
        rest = list(player.hand + player.draw_pile)
        for card in player.shown:
            rest.remove(card)
        rng.shuffle(rest)
        picked = len(player.hand) - len(player.shown)
        player = player.replace(
            hand=player.shown + CardBag.of(*rest[:picked]), draw_pile=CardBag.of(*rest[picked:])
        )
        state = state.with_player(owner, player)
    return state


def secrets(state: GameState) -> tuple[tuple[CardBag, CardBag], ...]:
    """Return how everybody's hidden cards are split."""
    return tuple((player.hand, player.draw_pile) for player in state.players)


def hands(deck: Iterable[Character], size: int, shown: CardBag) -> list[CardBag]:
    """Return every hand of physical cards that holds those shown, by brute force."""
    cards = list(deck)
    for card in shown:
        cards.remove(card)
    return [shown + CardBag.of(*rest) for rest in combinations(cards, size - len(shown))]


class TestWhatIsSeen:
    """Goods, points, houses, discard piles, the supply and the deck lie open; hands do not."""

    STATE = position(
        seat(hand=[C.MAID, C.MONK], draw_pile=[C.NUN], goods=Goods(gold=3), score=4, built=[2]),
        seat(hand=[C.BUILDER], draw_pile=[C.TRADER], discard_pile=[C.KNIGHT], upgraded=[7]),
        seat(),
        supply=[C.BUILDER],
        barrels=Goods(1, 2, 0, 1),
        valette=21,
        played=[C.PHILIP, C.PIUS],
        plays=1,
    )

    @pytest.mark.rule(
        "INF-1", "INF-2", "INF-5", "INF-6", "INF-7", "INF-8", "INF-10", "INF-14", "INF-15"
    )
    @pytest.mark.parametrize("viewer", [0, 1, 2, None])
    def test_all_but_the_hands_of_others_is_seen(self, viewer: int | None) -> None:
        """A hand is told from its draw pile by its owner alone; all else lies open."""
        state, seen = self.STATE, view(self.STATE, viewer)
        for owner, (player, own) in enumerate(zip(seen.table.players, state.players, strict=True)):
            is_own = owner == viewer
            assert (player.hand, player.draw_pile) == (
                (own.hand, own.draw_pile) if is_own else (None, None)
            )
            assert player.hidden == own.hand + own.draw_pile
            assert (player.hand_size, player.draw_pile_size) == (len(own.hand), len(own.draw_pile))
            for name in ("goods", "score", "built", "upgraded", "discard_pile"):
                assert getattr(player, name) == getattr(own, name)
        own_hand = None if viewer is None else state.players[viewer].hand
        assert (seen.hand, seen.seat) == (own_hand, viewer)
        for name in ("rules", "cards", "display", "supply", "barrels", "valette", "active"):
            assert getattr(seen.table, name) == getattr(state, name)
        assert (seen.table.played, seen.table.phase) == ((C.PHILIP, C.PIUS), Phase.MAIN)

    def test_everybody_sees_who_is_asked_what(self) -> None:
        """The prompt and the agenda are public, and nothing is asked when the game is over."""
        for viewer in viewers(self.STATE):
            assert view(self.STATE, viewer).prompt == PlayPrompt(0, 1)
            assert view(self.STATE, viewer).agenda == self.STATE.agenda
        assert view(self.STATE.replace(phase=Phase.OVER, agenda=()), 0).prompt is None


class TestWhoMayChoose:
    """Legal actions are for the one who is asked."""

    @scaled(0.3)
    @given(games())
    def test_a_view_offers_what_the_position_offers(self, game: Playthrough) -> None:
        """Exactly the seat that is asked sees all legal actions of the position."""
        for state in game.positions[::7]:
            for viewer in viewers(state):
                asked = state.prompt is not None and viewer == state.prompt.seat is not None
                assert view(state, viewer).legal_actions == (legal_actions(state) if asked else ())


class TestListing:
    """The legal actions of a view are listed when they are first wanted."""

    STATE = position(
        seat(goods=Goods(8, 8, 8, 8)), seat(), agenda=(PaymentPrompt(0, 2, Goods(3, 3, 3, 3)),)
    )

    def test_a_view_does_not_list_what_nobody_asks_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """There are 1,668 payments; looking, comparing, showing and pickling list none."""
        listed: list[GameState] = []

        def list_them(state: GameState) -> tuple[Action, ...]:
            listed.append(state)
            return legal_actions(state)

        monkeypatch.setattr(sys.modules[view.__module__], "legal_actions", list_them)
        seen = view(self.STATE, 0)
        twin = pickle.loads(pickle.dumps(seen))
        assert (twin, hash(twin), repr(twin)) == (seen, hash(seen), repr(seen))
        assert not listed
        assert len(repr(seen)) < 4_000
        assert seen.legal_actions is seen.legal_actions
        assert seen.legal_actions == twin.legal_actions == legal_actions(self.STATE)
        assert len(listed) == 2
        assert pickle.loads(pickle.dumps(seen)).legal_actions == seen.legal_actions
        assert len(listed) == 2

    def test_a_view_has_no_other_names(self) -> None:
        """What it does not have is missing as everywhere."""
        with pytest.raises(AttributeError, match="a view has no 'draw_pile'"):
            _ = view(self.STATE, 0).draw_pile  # type: ignore[attr-defined]

    def test_what_lies_on_the_table_is_looked_for_there(self) -> None:
        """A view is no board: whoever asks it for a price is sent to its table."""
        seen: Any = view(self.STATE, 0)
        with pytest.raises(AttributeError, match="a view has no 'display', but its table has"):
            upgrade_price(seen, 0)
        assert upgrade_price(seen.table, 0) == upgrade_price(self.STATE, 0)


class TestNoWayBack:
    """A view is a value of its own."""

    @pytest.mark.parametrize("kind", [PlayerView, Table, SeenPlayer])
    def test_views_are_frozen_and_slotted(self, kind: type) -> None:
        """Views cannot be changed and have no room for more."""
        assert "__slots__" in vars(kind)
        assert "__dict__" not in dir(kind)
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(object.__new__(kind), "anything", 1)  # noqa: B010  (typed attributes are known)

    def test_no_position_can_be_reached_from_a_view(self) -> None:
        """Following every reference from a view, one comes to no position and no other hand."""
        state = resolve_chance(new_game(2), random.Random(3))
        seen: dict[int, object] = {}
        open_ends: list[object] = [view(state, 1)]
        while open_ends:
            thing = open_ends.pop()
            if id(thing) not in seen and not isinstance(thing, type | ModuleType):
                seen[id(thing)] = thing
                open_ends += gc.get_referents(thing)
        assert not [thing for thing in seen.values() if isinstance(thing, GameState | Player)]
        bags = [thing for thing in seen.values() if isinstance(thing, CardBag)]
        assert state.players[1].hand in bags
        assert state.players[0].hand not in bags
        assert state.players[0].draw_pile not in bags

    @given(positions(), SEED)
    def test_views_are_equal_by_value(self, state: GameState, seed: int) -> None:
        """Two looks at a position give equal views with equal hashes; two seats never do."""
        looks = [view(state, viewer) for viewer in viewers(state)]
        assert looks == [view(state, viewer) for viewer in viewers(state)]
        assert [hash(look) for look in looks] == [
            hash(view(state, viewer)) for viewer in viewers(state)
        ]
        assert len(set(looks)) == len(looks)


class TestCardsSurelyInAHand:
    """Some cards must be in a hand."""

    def seen(self, player: Player) -> SeenPlayer:
        """Return what an opponent sees of a player."""
        return view(position(seat(), player), None).table.players[1]

    @pytest.mark.rule("INF-13")
    def test_a_card_gained_in_public_is_sure_until_it_is_played(self) -> None:
        """Red builds a Nun, and everybody knows her in Red's hand until Red plays her."""
        red = seat(hand=[C.BUILDER, C.MAID], draw_pile=[C.MONK, C.PIUS], goods=Goods(gold=1))
        display = {0: a_building(character=C.NUN, cost=Goods(gold=1))}
        state = position(red, seat(), display=display)
        for action in (PlayCard(C.BUILDER), Build(0), Pay(Goods(gold=1))):
            assert not view(state, 1).table.players[0].sure
            state = apply(state, action)
        assert view(state, 1).table.players[0].sure == CardBag.of(C.NUN)
        state = apply(state, PlayCard(C.NUN))
        assert not view(state, 1).table.players[0].sure

    def test_what_is_left_when_the_draw_pile_runs_out_stays_known(self) -> None:
        """Red holds a Maid as his draw pile runs out: after the reshuffle she is still sure."""
        red = seat(hand=[C.SHOPKEEPER, C.MAID], discard_pile=[C.NUN, C.MONK, C.PIUS, C.KNIGHT])
        state = apply(position(red, seat(), plays=1), PlayCard(C.SHOPKEEPER))
        assert state.prompt == DrawPrompt(0)
        for card in (C.NUN, C.MONK, C.PIUS):
            assert view(state, 1).table.players[0].sure == CardBag.of(C.MAID)
            state = apply(state, DrawCard(card))

    @pytest.mark.rule("INF-13")
    @given(
        st.lists(st.sampled_from([C.BUILDER, C.MAID, C.NUN]), max_size=7),
        st.data(),
    )
    def test_sure_is_what_every_possible_hand_has(
        self, deck: list[Character], data: st.DataObject
    ) -> None:
        """The sure cards are those that all hands have that hold the cards shown."""
        size = data.draw(st.integers(min_value=0, max_value=len(deck)))
        shown = CardBag.of(*deck[: data.draw(st.integers(min_value=0, max_value=size))])
        player = seat(hand=deck[:size], draw_pile=deck[size:]).replace(shown=shown)
        possible = [Counter(hand) for hand in hands(deck, size, shown)]
        common = Counter({card: min(hand[card] for hand in possible) for card in C})
        assert self.seen(player).sure == CardBag.of(*common.elements())

    @scaled(0.3)
    @given(games())
    def test_sure_cards_are_in_the_hand(self, game: Playthrough) -> None:
        """In every position the cards held to be sure are indeed in the hand."""
        for state in game.positions[::5]:
            seen = view(state, None).table.players
            for player, watched in zip(state.players, seen, strict=True):
                hand, sure = Counter(player.hand), Counter(watched.sure)
                assert sure <= hand
                assert Counter(watched.shown) <= sure


class TestSecrecy:
    """Two positions that differ only in what is hidden look and act alike."""

    @given(positions(), SEED)
    def test_equal_views(self, state: GameState, seed: int) -> None:
        """How others' cards split between hand and draw pile changes nothing in a view."""
        for viewer in viewers(state):
            twin = reshuffled_secrets(state, viewer, random.Random(seed))
            one, other = view(state, viewer), view(twin, viewer)
            assert one == other
            assert hash(one) == hash(other)
            assert repr(one) == repr(other)
            assert one.legal_actions == other.legal_actions

    @given(positions(), SEED)
    def test_equal_refusals(self, state: GameState, seed: int) -> None:
        """A seat that tries every action learns the same from every answer."""
        for viewer in viewers(state):
            twin = reshuffled_secrets(state, viewer, random.Random(seed))
            for action in every_action(state):
                assert answer(state, viewer, action) == answer(twin, viewer, action)

    @given(positions(lambda state: state.prompt is not None), SEED)
    def test_equal_events_and_views_afterwards(self, state: GameState, seed: int) -> None:
        """The same public action gives a viewer equal events and an equal view of its result."""
        rng = random.Random(seed)
        for viewer in viewers(state):
            twin = reshuffled_secrets(state, viewer, rng)
            for action in (actions := legal_actions(state))[:: 1 + len(actions) // 10]:
                for like in same_for(viewer, state, twin, action):
                    one, other = transition(state, action), transition(twin, like)
                    events = [redact(event, viewer) for event in one.events]
                    likewise = [redact(event, viewer) for event in other.events]
                    assert events == likewise
                    assert repr(events) == repr(likewise)
                    assert view(one.state, viewer) == view(other.state, viewer)

    def test_there_is_something_to_hide(self) -> None:
        """The properties above are not idle: something is hidden from every seat."""
        state = resolve_chance(new_game(4), random.Random(1))
        for viewer in viewers(state):
            assert secrets(reshuffled_secrets(state, viewer, random.Random(2))) != secrets(state)


def answer(state: GameState, viewer: int | None, action: Action) -> str:
    """Return all that a seat is told when it tries an action."""
    try:
        return repr(check_by(state, viewer, action))
    except (OutOfTurnError, MalformedActionError) as error:
        return repr(error)


def same_for(
    viewer: int | None, state: GameState, twin: GameState, action: Action
) -> tuple[Action, ...]:
    """Return the actions in a twin position that look like an action to a viewer."""
    legal = legal_actions(twin)
    match state.prompt:
        case DrawPrompt(player) if player != viewer:
            return legal
    return (action,) if action in legal else ()


class TestCheckBy:
    """Only the seat that is asked is told why an action is illegal."""

    STATE = position(seat(hand=[C.MAID]), seat(hand=[C.NUN]))

    def test_the_seat_that_is_asked_is_answered(self) -> None:
        """To the seat that is asked it answers like `check`."""
        assert check_by(self.STATE, 0, PlayCard(C.MAID)) is None
        assert check_by(self.STATE, 0, PlayCard(C.NUN)) == refusal(self.STATE, PlayCard(C.NUN))
        with pytest.raises(MalformedActionError):
            check_by(self.STATE, 0, "Maid")  # type: ignore[arg-type]

    @pytest.mark.parametrize(("viewer", "who"), [(1, "seat 1"), (None, "a spectator")])
    @pytest.mark.parametrize("action", [PlayCard(C.MAID), PlayCard(C.NUN), RevealBarrel(Good.GOLD)])
    def test_others_are_not_answered(self, viewer: int | None, who: str, action: Action) -> None:
        """Others only hear who is asked, whatever they try."""
        with pytest.raises(OutOfTurnError) as refused:
            check_by(self.STATE, viewer, action)
        assert str(refused.value) == f"{who} cannot move now: seat 0 is asked"
        assert (refused.value.seat, refused.value.asked) == (viewer, 0)

    @pytest.mark.parametrize("viewer", [0, 1, None])
    def test_nobody_answers_for_chance(self, viewer: int | None) -> None:
        """Nobody is told whether a card is in a draw pile, not even its owner."""
        state = position(seat(draw_pile=[C.MAID]), seat(), agenda=(DrawPrompt(0), PassTurn(0)))
        with pytest.raises(OutOfTurnError, match="cannot move now: no player is asked"):
            check_by(state, viewer, DrawCard(C.MAID))

    @pytest.mark.parametrize("viewer", [0, 1, None])
    def test_everybody_is_told_that_the_game_is_over(self, viewer: int | None) -> None:
        """When the game is over everybody hears so."""
        over = self.STATE.replace(phase=Phase.OVER, agenda=())
        found = check_by(over, viewer, PlayCard(C.MAID))
        assert found is not None
        assert found.code is Code.GAME_OVER
        assert found == check(over, PlayCard(C.MAID))


class Ways(random.Random):
    """A generator that takes one way after the other through all its choices.

    >>> ways = Ways()
    >>> [(ways.randrange(2), ways.randrange(2), ways.chance) for _ in ways.all()]
    [(0, 0, Fraction(1, 4)), (0, 1, Fraction(1, 4)), (1, 0, Fraction(1, 4)), (1, 1, Fraction(1, 4))]
    """

    def __init__(self) -> None:
        """Begin with the first way."""
        super().__init__(0)
        self.taken: list[tuple[int, int]] = []
        self.position = 0

    def randrange(self, stop: int) -> int:  # type: ignore[override]
        """Return the choice that belongs to the way taken."""
        if self.position == len(self.taken):
            self.taken.append((0, stop))
        choice, choices = self.taken[self.position]
        assert choices == stop
        self.position += 1
        return choice

    @property
    def chance(self) -> Fraction:
        """The probability of the way taken."""
        return Fraction(1, prod(choices for _, choices in self.taken))

    def all(self) -> Iterator[None]:
        """Run through all ways."""
        while True:
            self.position = 0
            yield
            assert self.position == len(self.taken)
            while self.taken and self.taken[-1][0] + 1 == self.taken[-1][1]:
                self.taken.pop()
            if not self.taken:
                return
            choice, choices = self.taken.pop()
            self.taken.append((choice + 1, choices))


def distribution(seen: PlayerView) -> dict[tuple[CardBag, ...], Fraction]:
    """Return the exact probability of all hands that are made up for a viewer."""
    found: defaultdict[tuple[CardBag, ...], Fraction] = defaultdict(Fraction)
    ways = Ways()
    for _ in ways.all():
        state = determinize(seen, ways)
        assert view(state, seen.seat) == seen
        found[tuple(player.hand for player in state.players)] += ways.chance
    return dict(found)


class TestDeterminize:
    """A position made up from a view."""

    @given(positions(), SEED)
    def test_only_what_is_hidden_is_made_up(self, state: GameState, seed: int) -> None:
        """It looks alike to the viewer, who has his own cards; but for splits it is the same."""
        for viewer in viewers(state):
            seen = view(state, viewer)
            made_up = determinize(seen, random.Random(seed))
            assert view(made_up, viewer) == seen
            assert bool(legal_actions(made_up)) == (state.prompt is not None)
            splits = zip(made_up.players, state.players, strict=True)
            players = tuple(
                player.replace(hand=own.hand, draw_pile=own.draw_pile) for player, own in splits
            )
            assert made_up.replace(players=players) == state

    def test_to_a_spectator_every_hand_is_hidden(self) -> None:
        """For a spectator all hands vary, independently of one another."""
        state = position(
            seat(hand=[C.MAID], draw_pile=[C.NUN]),
            seat(hand=[C.MONK], draw_pile=[C.PIUS, C.TRADER]),
        )
        assert distribution(view(state, None)) == {
            (CardBag.of(one), CardBag.of(other)): Fraction(1, 6)
            for one in (C.MAID, C.NUN)
            for other in (C.MONK, C.PIUS, C.TRADER)
        }

    @scaled(2)
    @given(st.lists(st.sampled_from([C.BUILDER, C.MAID, C.NUN]), max_size=5), st.data())
    def test_a_split_has_as_many_chances_as_ways(
        self, deck: list[Character], data: st.DataObject
    ) -> None:
        """The chance of a hand is that of all physical hands that look like it."""
        size = data.draw(st.integers(min_value=0, max_value=len(deck)))
        shown = CardBag.of(*deck[: data.draw(st.integers(min_value=0, max_value=size))])
        red = seat(hand=deck[:size], draw_pile=deck[size:]).replace(shown=shown)
        ways = Counter(hands(deck, size, shown))
        total = comb(len(deck) - len(shown), size - len(shown))
        found = distribution(view(position(seat(), red), None))
        assert {hands[1]: chance for hands, chance in found.items()} == {
            hand: Fraction(count, total) for hand, count in ways.items()
        }
