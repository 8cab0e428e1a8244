"""The game of a table: takebacks, the questions that a bot gets again, and lists of payments."""

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
"""A bot that would make another plan if it started again."""


def opened(drafted: int) -> TableGame:
    """Return a game at an answer after which cards are drawn, from the same piles each time.

    The argument is the good that was drafted first.
    """
    game = TableGame.begin(vr.new_game(2), bytes(32))
    game.add(game.answer(1, vr.legal_actions(game.now.position)[drafted]))
    while not drawn(step := answered(game, 0)):
        game.add(step)
    return game


def answered(game: TableGame, choice: int) -> vr.Game:
    """Return the game after one of the legal answers."""
    assert game.now.asked is not None
    return game.answer(game.now.asked, vr.legal_actions(game.now.position)[choice])


def drawn(step: vr.Game) -> tuple[vr.Action, ...]:
    """Return the answers of chance in a step."""
    return tuple(move.action for move in step.done if isinstance(move.action, vr.ChanceAction))


def test_another_answer_changes_chance() -> None:
    """A takeback or a log cannot reveal a draw; the same answer has the same luck."""
    game = opened(0)
    choices = range(len(vr.legal_actions(game.now.position)))
    first = [drawn(answered(game, choice)) for choice in choices]
    assert len(first) > 2
    assert len({*first}) > 1
    for choice in choices:
        game.add(answered(game, choice))
        assert drawn(game.now) == first[choice]
        game.add(game.now.undo(seat=0, revision=game.now.revision)[0])


def test_chance_depends_on_all_answers_before() -> None:
    """It follows from all answers in force, not only from the last one."""
    games = [opened(drafted) for drafted in range(4)]
    assert len({vr.legal_actions(game.now.position)[0] for game in games}) == 1
    assert len({drawn(answered(game, 0)) for game in games}) > 1


def test_a_bot_without_state_follows_its_earlier_plan() -> None:
    """It gets all questions of this turn again, and makes the same plan."""
    game = TableGame.begin(vr.new_game(2), bytes(32))
    there, asked_of = dict[int, Bot](), list[tuple[int, int]]()
    for _ in range(40):
        seat = game.now.asked
        assert seat is not None
        asked, seed = game.turn(seat)
        assert asked[-1] == vr.view(game.now.position, seat)
        known = asked_of.count((seat, seed))
        if not known:
            there[seat] = make_bot(HASTY, random.Random(seed))
        asked_of += [(seat, seed)] * (len(asked) - known)
        *_, answer = [there[seat].decide(each) for each in asked[known:]]
        another = make_bot(HASTY, random.Random(seed))
        assert [another.decide(each) for each in asked][-1] == answer
        game.add(game.answer(seat, answer))
    assert len({*asked_of}) > 5
    assert max(Counter(asked_of).values()) > 3


@pytest.mark.parametrize("gold", [PLENTY, PLENTY + 1])
def test_a_rich_player_chooses_the_only_payment(gold: int) -> None:
    """If there may be very many payments, they are not computed."""
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
def test_the_list_of_payments_is_as_long_as_the_document(
    owned: vr.Goods, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is that of the whole view, for which there may be 128,439 of them."""
    listed = list[int]()

    def noted(value: vr.PlayerView | vr.Action) -> object:
        if isinstance(value, vr.PlayerView):
            listed.append(len(value.legal_actions))
        return to_document(value)

    monkeypatch.setattr(presenter, "to_document", noted)
    price = vr.Goods(4, 4, 4, 4)
    agenda = (vr.PaymentPrompt(0, 0, price), vr.EndTurn(0))
    display = {0: a_building(cost=price)}
    state = position(seat(goods=owned), seat(), display=display, agenda=agenda)
    game = TableGame.begin(state, bytes(32), skip_forced=False)
    seats = [Occupant("person", None, name, name.lower()) for name in ("Red", "Blue")]
    shown = Presenter(game, seats).view_model(game.now, Perspective(0, "en"))
    assert shown.moment.view == to_document(vr.view(state, 0))
    assert 0 < max(listed) < 30_000
