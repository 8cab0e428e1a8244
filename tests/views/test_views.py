"""Tests of views, the information about a position that a player or a spectator has."""

import gc
import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import Playthrough, every_action, games, positions, scaled
from tests.distributions import distribution
from tests.positions import position, refusal, seat, viewers
from valletta_rules.engine import legal_answers
from valletta_rules.views.view import asked_seat

C = vr.Character
SEED = st.integers(min_value=0, max_value=2**32 - 1)


def hands(deck: Iterable[vr.Character], size: int, public: vr.CardBag) -> list[vr.CardBag]:
    """Enumerate all hands of `size` cards that contain the cards shown to others."""
    cards = list(deck)
    for card in public:
        cards.remove(card)
    return [public + vr.CardBag.of(*rest) for rest in combinations(cards, size - len(public))]


class TestContentsOfViews:
    """Tests of the parts of a position that a view contains."""

    @pytest.mark.rule("INF-1", "INF-7", "INF-8", "INF-14", "INF-15")
    @given(positions())
    def test_a_view_contains_everything_but_the_hands_of_others(self, state: vr.GameState) -> None:
        """Together with all hands, a view determines the position."""
        for viewer in viewers(state):
            view = vr.view(state, viewer)
            known = [player.hand is not None for player in view.table.players]
            assert known == [owner == viewer for owner in state.seats]
            assert view.hand == (None if viewer is None else state.players[viewer].hand)
            assert (view.seat, view.prompt) == (viewer, state.prompt)
            sample = vr.determinize(view, random.Random(1))
            splits = zip(sample.players, state.players, strict=True)
            players = tuple(
                player.replace(hand=own.hand, draw_pile=own.draw_pile) for player, own in splits
            )
            assert sample.replace(players=players) == state

    @scaled(0.3)
    @given(games())
    def test_only_the_view_of_the_seat_that_must_decide_contains_legal_actions(
        self, game: Playthrough
    ) -> None:
        """It contains all actions that are legal in the position."""
        for state in game.positions[::7]:
            for viewer in viewers(state):
                must_answer = state.prompt is not None and viewer == state.prompt.seat is not None
                assert vr.view(state, viewer).legal_actions == (
                    vr.legal_actions(state) if must_answer else ()
                )


class TestListing:
    """Tests of the legal actions of a view, which are computed only on first use."""

    STATE = position(
        seat(goods=vr.Goods(8, 8, 8, 8)),
        seat(),
        agenda=(vr.PaymentPrompt(0, 2, vr.Goods(3, 3, 3, 3)),),
    )

    def test_a_view_computes_its_legal_actions_only_on_use(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Creating, comparing, printing and pickling a view does not list its 1,668 payments."""
        listed: list[object] = []

        def list_them(table: object, prompt: vr.Prompt) -> tuple[vr.Action, ...]:
            listed.append(table)
            return legal_answers(table, prompt)

        monkeypatch.setattr(sys.modules[vr.view.__module__], "legal_answers", list_them)
        view = vr.view(self.STATE, 0)
        twin = pickle.loads(pickle.dumps(view))
        assert (twin, hash(twin), repr(twin)) == (view, hash(view), repr(view))
        assert not listed
        assert len(repr(view)) < 4_000
        assert view.legal_actions is view.legal_actions
        assert view.legal_actions == twin.legal_actions == vr.legal_actions(self.STATE)
        assert len(listed) == 2
        assert pickle.loads(pickle.dumps(view)).legal_actions == view.legal_actions
        assert len(listed) == 2

    def test_the_error_for_a_missing_attribute_of_a_view_refers_to_its_table(self) -> None:
        """For example, functions that compute prices need the table of a view."""
        view: Any = vr.view(self.STATE, 0)
        with pytest.raises(AttributeError, match=r"a view has no 'draw_pile'$"):
            _ = view.draw_pile
        with pytest.raises(AttributeError, match="a view has no 'display', but its table has"):
            vr.upgrade_price(view, 0)
        assert vr.upgrade_price(view.table, 0) == vr.upgrade_price(self.STATE, 0)


class TestReachableObjects:
    """Tests that references from a view do not lead to hidden information."""

    def test_no_position_and_no_other_hand_is_reachable_from_a_view(self) -> None:
        """The test follows all references between Python objects."""
        state = vr.resolve_chance(vr.new_game(2), random.Random(3))
        visited: dict[int, object] = {}
        open_ends: list[object] = [vr.view(state, 1)]
        while open_ends:
            value = open_ends.pop()
            if id(value) not in visited and not isinstance(value, type | ModuleType):
                visited[id(value)] = value
                open_ends += gc.get_referents(value)
        assert not [
            value for value in visited.values() if isinstance(value, vr.GameState | vr.Player)
        ]
        bags = [value for value in visited.values() if isinstance(value, vr.CardBag)]
        assert state.players[1].hand in bags
        assert state.players[0].hand not in bags
        assert state.players[0].draw_pile not in bags


@st.composite
def hidden_cards(draw: st.DrawFn) -> vr.Player:
    """Draw a player with a small deck. Some cards in the hand have been shown to others."""
    deck = draw(st.lists(st.sampled_from([C.BUILDER, C.MAID, C.NUN]), max_size=6))
    size = draw(st.integers(min_value=0, max_value=len(deck)))
    public = vr.CardBag.of(*deck[: draw(st.integers(min_value=0, max_value=size))])
    return seat(hand=deck[:size], draw_pile=deck[size:]).replace(shown=public)


class TestCardsSurelyInAHand:
    """Tests of the cards that are certainly in another player's hand."""

    @pytest.mark.rule("INF-13")
    @given(hidden_cards())
    def test_the_cards_that_are_certainly_in_a_hand_are_those_in_all_possible_hands(
        self, player: vr.Player
    ) -> None:
        """A hand is possible if it contains the cards that were shown to others."""
        deck = player.hand + player.draw_pile
        possible = [Counter(hand) for hand in hands(deck, len(player.hand), player.shown)]
        common = Counter({card: min(hand[card] for hand in possible) for card in C})
        other_player = vr.view(position(seat(), player), None).table.players[1]
        assert other_player.sure == vr.CardBag.of(*common.elements())


class TestSecrecy:
    """Tests that a viewer cannot distinguish positions that differ only in hidden information."""

    @given(positions(), SEED)
    def test_positions_with_equal_public_information_have_equal_views(
        self, state: vr.GameState, seed: int
    ) -> None:
        """The test distributes the hidden cards to hands and draw piles at random."""
        for viewer in viewers(state):
            one = vr.view(state, viewer)
            other = vr.view(vr.determinize(one, random.Random(seed)), viewer)
            assert one == other
            assert hash(one) == hash(other)
            assert repr(one) == repr(other)
            assert one.legal_actions == other.legal_actions

    @given(positions(), SEED)
    def test_positions_with_equal_views_refuse_the_same_actions_with_equal_errors(
        self, state: vr.GameState, seed: int
    ) -> None:
        """A viewer therefore learns nothing hidden from trying actions."""
        for viewer in viewers(state):
            twin = vr.determinize(vr.view(state, viewer), random.Random(seed))
            for action in every_action(state):
                assert answer(state, viewer, action) == answer(twin, viewer, action)

    @given(positions(lambda state: state.prompt is not None), SEED)
    def test_an_action_in_positions_with_equal_views_has_equal_events_and_next_views(
        self, state: vr.GameState, seed: int
    ) -> None:
        """The viewer cannot distinguish the two positions before and after the action."""
        rng = random.Random(seed)
        for viewer in viewers(state):
            twin = vr.determinize(vr.view(state, viewer), rng)
            for action in (actions := vr.legal_actions(state))[:: 1 + len(actions) // 10]:
                for like in same_for(viewer, state, twin, action):
                    one, other = vr.transition(state, action), vr.transition(twin, like)
                    events = [vr.redact(event, viewer) for event in one.events]
                    likewise = [vr.redact(event, viewer) for event in other.events]
                    assert events == likewise
                    assert repr(events) == repr(likewise)
                    assert vr.view(one.state, viewer) == vr.view(other.state, viewer)


def answer(state: vr.GameState, viewer: int | None, action: vr.Action) -> str:
    """Check an action as a viewer, and return the result or the error as text."""
    try:
        return repr(vr.check_by(state, viewer, action))
    except (vr.NotAskedError, vr.MalformedActionError) as error:
        return repr(error)


def same_for(
    viewer: int | None, state: vr.GameState, twin: vr.GameState, action: vr.Action
) -> tuple[vr.Action, ...]:
    """Return the legal actions in the position `twin` that look like `action` to a viewer."""
    legal = vr.legal_actions(twin)
    match state.prompt:
        case vr.DrawPrompt(player) if player != viewer:
            return legal
    return (action,) if action in legal else ()


class TestCheckBy:
    """Tests of the function `check_by`, which gives reasons only to the seat that must decide."""

    STATE = position(seat(hand=[C.MAID]), seat(hand=[C.NUN]))

    def test_the_seat_that_must_decide_gets_the_violation_of_an_illegal_action(self) -> None:
        """The function `check` returns the same violation."""
        assert vr.check_by(self.STATE, 0, vr.PlayCard(C.MAID)) is None
        assert vr.view(self.STATE, 0).check(vr.PlayCard(C.MAID)) is None
        refused = refusal(self.STATE, vr.PlayCard(C.NUN))
        assert vr.check_by(self.STATE, 0, vr.PlayCard(C.NUN)) == refused
        assert vr.view(self.STATE, 0).check(vr.PlayCard(C.NUN)) == refused
        with pytest.raises(vr.MalformedActionError):
            vr.check_by(self.STATE, 0, "Maid")  # type: ignore[arg-type]

    @pytest.mark.parametrize(("viewer", "who"), [(1, "seat 1"), (None, "a spectator")])
    @pytest.mark.parametrize(
        "action", [vr.PlayCard(C.MAID), vr.PlayCard(C.NUN), vr.RevealBarrel(vr.Good.GOLD)]
    )
    def test_other_seats_get_an_error_that_names_only_the_seat_that_must_decide(
        self, viewer: int | None, who: str, action: vr.Action
    ) -> None:
        """The error is the same for legal and illegal actions."""
        with pytest.raises(vr.NotAskedError) as refused:
            vr.check_by(self.STATE, viewer, action)
        assert str(refused.value) == f"{who} cannot move now: seat 0 is asked"
        assert (refused.value.seat, refused.value.asked) == (viewer, 0)

    @pytest.mark.parametrize("viewer", [0, 1, None])
    def test_no_seat_may_answer_for_chance_or_after_the_end_of_the_game(
        self, viewer: int | None
    ) -> None:
        """The error does not reveal which cards a draw pile contains."""
        state = position(
            seat(draw_pile=[C.MAID]), seat(), agenda=(vr.DrawPrompt(0), vr.PassTurn(0))
        )
        with pytest.raises(vr.NotAskedError, match="cannot move now: no player is asked"):
            vr.check_by(state, viewer, vr.DrawCard(C.MAID))
        over = self.STATE.replace(phase=vr.Phase.OVER, agenda=())
        violation = vr.check_by(over, viewer, vr.PlayCard(C.MAID))
        assert violation is not None
        assert violation.code is vr.Code.GAME_OVER
        assert violation == vr.check(over, vr.PlayCard(C.MAID))


class TestDeterminize:
    """Tests of the function `determinize`, which samples a random position with the same view."""

    def test_positions_sampled_for_a_spectator_have_independent_random_hands(self) -> None:
        """In the test, all combinations of possible hands are equally likely."""
        state = position(
            seat(hand=[C.MAID], draw_pile=[C.NUN]),
            seat(hand=[C.MONK], draw_pile=[C.PIUS, C.TRADER]),
        )
        view = vr.view(state, None)
        sampled = distribution(
            lambda ways: tuple(each.hand for each in vr.determinize(view, ways).players)
        )
        assert sampled == {
            (vr.CardBag.of(one), vr.CardBag.of(other)): Fraction(1, 6)
            for one in (C.MAID, C.NUN)
            for other in (C.MONK, C.PIUS, C.TRADER)
        }

    @scaled(2)
    @given(hidden_cards())
    def test_the_probability_of_a_sampled_hand_is_its_share_of_all_possible_hands(
        self, player: vr.Player
    ) -> None:
        """Several cards of one kind count as different cards."""
        deck = player.hand + player.draw_pile
        size, public_count = len(player.hand), len(player.shown)
        ways = Counter(hands(deck, size, player.shown))
        view = vr.view(position(seat(), player), None)
        sampled = distribution(lambda ways: vr.determinize(view, ways).players[1].hand)
        total = comb(len(deck) - public_count, size - public_count)
        assert sampled == {hand: Fraction(count, total) for hand, count in ways.items()}


def test_asked_seat_accepts_only_the_view_of_the_seat_that_must_answer() -> None:
    """The views of other seats and of a spectator are refused."""
    state = position(seat(hand=[vr.Character.MAID]), seat())
    assert asked_seat(vr.view(state, 0)) == 0
    for viewer, whose in ((1, "seat 1"), (None, "a spectator")):
        with pytest.raises(ValueError, match=f"not of {whose}"):
            asked_seat(vr.view(state, viewer))
