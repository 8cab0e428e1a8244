"""A game by numbers asks for choices and nothing else, and tells what happens."""

from __future__ import annotations

import random

import pytest

from tests.bots.listener import Listener
from tests.positions import EDITIONS
from valletta_rules import RuleSet, ending, legal_actions, outcome, replay, view
from valletta_rules.environments.referee import Referee, margins, shares
from valletta_rules.events import CardDrawn, TurnBegan
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import COUNT, NUMBERS, legal_mask
from valletta_rules.outcome import Score
from valletta_rules.views.redaction import HiddenCardDrawn


def played(referee: Referee, rng: random.Random) -> Referee:
    """Play on to the end, at random."""
    while referee.seat is not None:
        referee.answer(rng.choice(referee.numbers))
    return referee


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", EDITIONS)
def test_every_question_is_a_choice(players: int, rules: RuleSet) -> None:
    """Masks are those of the numbering, with more than one number, until the game is over."""
    referee, rng, parts = Referee(players, rules=rules, seed=5), random.Random(5), 0
    while (seat := referee.seat) is not None:
        prompt = referee.state.prompt
        assert prompt is not None
        assert seat == prompt.seat
        assert len(referee.numbers) > 1
        assert referee.mask(seat) == legal_mask(referee.state, referee.begun)
        assert referee.observe(seat) == encode(referee.view(seat), referee.begun)
        other = (seat + 1) % players
        assert not any(referee.mask(other))
        assert referee.observe(other) == encode(view(referee.state, other))
        parts += bool(referee.begun)
        referee.answer(rng.choice(referee.numbers))
    assert parts
    assert referee.outcome == outcome(referee.state)
    assert not referee.is_broken_off
    assert not any(referee.mask(0))


def test_an_illegal_number_changes_nothing() -> None:
    """Neither one that is not legal nor one that no action has."""
    referee = Referee(seed=1)
    before = referee.record
    for wrong in (NUMBERS[type(legal_actions(referee.state)[0])].stop, -1, COUNT):
        with pytest.raises(ValueError, match=f"{wrong} is no legal answer; legal are "):
            referee.answer(wrong)
    assert referee.record == before


def test_the_seed_is_the_luck() -> None:
    """Equal seeds and answers are equal games, which can be replayed."""
    one, other, third = (played(Referee(seed=seed), random.Random(1)) for seed in (1, 1, 2))
    assert one.record == other.record != third.record
    *_, last = replay(one.record)
    assert last.state == one.state


def test_a_game_is_broken_off_after_so_many_turns() -> None:
    """Then nobody is asked, and nothing is legal."""
    referee = played(Referee(seed=1, max_turns=4), random.Random(1))
    assert referee.is_broken_off
    assert referee.turns == 5
    assert not referee.numbers
    assert referee.outcome is None
    began = [event for step in replay(referee.record) for event in step.events]
    assert sum(isinstance(event, TurnBegan) for event in began) == 5
    with pytest.raises(ValueError, match="legal are"):
        referee.answer(0)
    whole = Referee(seed=1, max_turns=None)
    assert not played(whole, random.Random(1)).is_broken_off
    with pytest.raises(ValueError, match="at least 1, not 0"):
        Referee(seed=1, max_turns=0)


def test_who_listens_hears_everything_from_the_beginning() -> None:
    """All events come in their order, redacted for the seat that hears them."""
    listener = Listener(random.Random())
    referee = played(Referee(3, seed=4, bots={1: listener}), random.Random(4))
    assert listener.table == view(referee.state, 1).table
    assert {event.seat for event in listener.heard if isinstance(event, CardDrawn)} == {1}
    hidden = {event.seat for event in listener.heard if isinstance(event, HiddenCardDrawn)}
    assert hidden == {0, 2}


def test_actions_are_answers_too() -> None:
    """A bot answers by a whole action, a payment in one."""
    referee, rng = Referee(seed=3), random.Random(3)
    while referee.seat is not None:
        referee.play(rng.choice(legal_actions(referee.state)))
    assert referee.outcome is not None
    assert ending(referee.state)


def test_margins_and_shares() -> None:
    """The margin is to the best other, and who shares a victory has a part of it."""
    scores = [Score(seat, total, 0, 0, 0) for seat, total in enumerate((7, 12, 9))]
    assert margins(scores) == (-5, 3, -3)
    assert shares((0, 2), 3) == (0.5, 0, 0.5)
