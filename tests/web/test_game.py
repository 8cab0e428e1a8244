"""A game: what may be taken back, and what a bot is asked again."""

from __future__ import annotations

import random
from collections import Counter

from tests.positions import position, seat
from valletta_rules import Character, Goods, PlayCard, new_game, view
from valletta_rules.actions import GiveGood
from valletta_rules.bots import Bot, make_bot
from valletta_rules.web.game import Game, GameRevision
from valletta_rules.web.store import LogEntry

HASTY = "planner:beam=1,noise=2"
"""A bot that would come to another plan if it thought anew."""


def test_what_another_had_to_give_is_not_taken_back_without_asking() -> None:
    """Nothing came to light, but somebody else has acted since, if only under force."""
    start = position(
        seat(hand=[Character.MONK, Character.KNIGHT], draw_pile=[Character.NUN]),
        seat(goods=Goods(gold=4)),
        seat(),
    )
    game = Game(start, bytes(32))
    game.add(GameRevision(0, None, None, start, (), start, 0, bytes(32)))
    game.add(game.answer(0, PlayCard(Character.MONK)))
    assert isinstance(game.now.moves[1].action, GiveGood)
    assert not game.now.is_open
    assert game.free_undo([0]) is None
    assert game.last_choice([0]) == (game.now, 0)


def test_a_turn_is_thought_through_as_by_somebody_who_was_there() -> None:
    """Told again what it was asked this turn, a bot keeps to its plan."""
    game = Game(new_game(2), bytes(32))
    game.add(game.read(LogEntry(0, "open", None, "", game.opening(), None, 0.0)))
    there, asked_of = dict[int, Bot](), list[tuple[int, int]]()
    for _ in range(40):
        seat = game.now.asked
        assert seat is not None
        asked, seed = game.turn(seat)
        assert asked[-1] == view(game.now.state, seat)
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
