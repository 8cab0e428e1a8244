"""Tests of a game at a web table: random outcomes after takebacks, bots, and payments."""

import random
from collections import Counter

import pytest

import valletta_rules as vr
from tests.positions import a_building, position, seat
from valletta_rules.bots import Bot, make_bot
from valletta_rules.codec import to_document
from valletta_rules.views.forced_actions import PLENTY
from valletta_rules.web import presenter
from valletta_rules.web.game import TableGame
from valletta_rules.web.presenter import Perspective, Presenter
from valletta_rules.web.store import Occupant

HASTY = "amateur:beam=1"
"""A bot that may choose another plan if it is restarted in the middle of a turn."""


def opened(drafted: int) -> TableGame:
    """Return a game with a fixed seed, in which the next answer draws cards.

    `drafted` is the index of the first drafted good among the legal actions.
    """
    game = TableGame.begin(vr.new_game(2), bytes(32))
    game.add(game.answer(1, vr.legal_actions(game.now.position)[drafted]))
    while not drawn(step := answered(game, 0)):
        game.add(step)
    return game


def answered(game: TableGame, choice: int) -> vr.Game:
    """Return the game after a legal action, whose index is `choice`."""
    assert game.now.asked is not None
    return game.answer(game.now.asked, vr.legal_actions(game.now.position)[choice])


def drawn(step: vr.Game) -> tuple[vr.Action, ...]:
    """Return the random outcomes that a step contains."""
    return tuple(move.action for move in step.done if isinstance(move.action, vr.ChanceAction))


def test_after_a_takeback_the_same_answer_draws_the_same_cards() -> None:
    """A player thus gains nothing from a takeback. Other answers may draw other cards."""
    game = opened(0)
    choices = range(len(vr.legal_actions(game.now.position)))
    first = [drawn(answered(game, choice)) for choice in choices]
    assert len(first) > 2
    assert len({*first}) > 1
    for choice in choices:
        game.add(answered(game, choice))
        assert drawn(game.now) == first[choice]
        game.add(game.now.undo(seat=0, revision=game.now.revision)[0])


def test_random_outcomes_depend_on_all_earlier_answers() -> None:
    """The games in this test differ only in the good that was drafted first."""
    games = [opened(drafted) for drafted in range(4)]
    assert len({vr.legal_actions(game.now.position)[0] for game in games}) == 1
    assert len({drawn(answered(game, 0)) for game in games}) > 1


def test_a_bot_that_is_restarted_within_a_turn_gives_the_same_answers() -> None:
    """The new bot receives the seed and all earlier prompts of the turn."""
    game = TableGame.begin(vr.new_game(2), bytes(32))
    bots, turns = dict[int, Bot](), list[tuple[int, int]]()
    for _ in range(40):
        seat = game.now.asked
        assert seat is not None
        views, seed = game.turn(seat)
        assert views[-1] == vr.view(game.now.position, seat)
        known = turns.count((seat, seed))
        if not known:
            bots[seat] = make_bot(HASTY, random.Random(seed))
        turns += [(seat, seed)] * (len(views) - known)
        *_, answer = [bots[seat].decide(each) for each in views[known:]]
        another = make_bot(HASTY, random.Random(seed))
        assert [another.decide(each) for each in views][-1] == answer
        game.add(game.answer(seat, answer))
    assert len({*turns}) > 5
    assert max(Counter(turns).values()) > 3


@pytest.mark.parametrize("gold", [PLENTY, PLENTY + 1])
def test_the_only_legal_payment_is_made_automatically_unless_the_player_has_very_many_goods(
    gold: int,
) -> None:
    """If a player has very many goods, computing all payments could take too long."""
    start = position(
        seat(hand=[vr.Character.BUILDER], goods=vr.Goods(gold=gold)),
        seat(),
        display={0: a_building(cost=vr.Goods(gold=1)), 1: a_building(cost=vr.Goods(gold=1))},
    )
    game = TableGame.begin(start, bytes(32))
    game.add(game.answer(0, vr.Build(0)))
    assert isinstance(game.now.position.prompt, vr.PaymentPrompt) is (gold > PLENTY)


@pytest.mark.parametrize(
    "owned",
    [
        vr.Goods(4, 4, 3, 7),
        vr.Goods(8, 12, 9, 10),
        vr.Goods(60, 0, 60, 0),
        vr.Goods(gold=99),
        vr.Goods(*[60] * 4),
    ],
)
def test_the_payments_that_a_page_receives_equal_those_in_the_document_of_the_view(
    owned: vr.Goods, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document lists up to 128,439 payments. The table computes fewer than 30,000 of them."""
    listed = list[int]()

    def convert_and_count(value: vr.PlayerView | vr.Action) -> object:
        if isinstance(value, vr.PlayerView):
            listed.append(len(value.legal_actions))
        return to_document(value)

    monkeypatch.setattr(presenter, "to_document", convert_and_count)
    price = vr.Goods(4, 4, 4, 4)
    agenda = (vr.PaymentPrompt(0, 0, price), vr.EndTurn(0))
    display = {0: a_building(cost=price)}
    state = position(seat(goods=owned), seat(), display=display, agenda=agenda)
    game = TableGame.begin(state, bytes(32), skip_forced=False)
    seats = [Occupant("person", None, name, name.lower()) for name in ("Red", "Blue")]
    model = Presenter(game, seats).view_model(game.now, Perspective(0, "en"))
    assert model.moment.view == to_document(vr.view(state, 0))
    assert 0 < max(listed) < 30_000
