"""A game in the terminal: a session with bots, an optional human player, and a narrator."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import attrs

from valletta_rules.analysis import Advice, advise
from valletta_rules.bots.protocol import Bot
from valletta_rules.bots.registry import make_bot, split_specs
from valletta_rules.cli.narrator import Narrator
from valletta_rules.cli.screen import Screen
from valletta_rules.engine import Transition
from valletta_rules.events import TurnBegan
from valletta_rules.memory import remember
from valletta_rules.play.driver import Audience
from valletta_rules.play.session import Session
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import PlayerView, view


@attrs.define
class TerminalTable:
    """A game in the terminal; a person may have a seat, and bots have all other seats.

    Each player receives only the view of their own seat, and events without hidden information.
    """

    session: Session
    bot: str
    """The bots, separated by commas: one for all seats, or one for each seat."""
    screen: Screen
    person: int | None = None
    """The seat of the person, if there is one."""
    is_narrated: bool = True
    """Whether the events of the game are narrated."""
    is_seed_visible: bool = True
    """Whether the heading shows the seed.  It is false if a game is resumed without `--seed`."""
    bots: dict[int, Bot] = attrs.field(init=False)
    audience: Audience = attrs.field(init=False)
    """The object that passes the events of the game to the bots."""
    narrator: Narrator = attrs.field(init=False)
    narrated_revision: int | None = attrs.field(init=False, default=None)
    """The revision up to which moves have been narrated or skipped; `None` at first."""
    before: GameState = attrs.field(init=False)
    """The position after all moves that have been narrated or skipped."""

    def __attrs_post_init__(self) -> None:
        """Create the bots, their audience and the narrator."""
        seats = range(self.session.record.players)
        specs = split_specs(self.bot)
        self.bots = {
            seat: self._a_bot(seat, specs[seat % len(specs)])
            for seat in seats
            if seat != self.person
        }
        self.before = self.session.record.start
        self.audience = Audience(self.before, self.bots)
        self.narrator = Narrator(self.screen, self.person)

    def own_view(self) -> PlayerView:
        """Return the person's view, or a spectator's view if only bots play."""
        return view(self.session.state, self.person)

    def play(self, max_turns: int, request_move: Callable[[], None] | None = None) -> bool:
        """Play until the game is over or exceeds `max_turns`; return whether it is over.

        `request_move` is called when the person must make a decision.
        """
        while self._turns() <= max_turns:
            self._narrate()
            seat = self._seat_to_act()
            if seat is None or seat == self.person:
                self.narrator.pause()
            if seat is None:
                return True
            if seat == self.person and request_move is not None:
                request_move()
            else:
                bot_view = view(self.session.state, seat)
                self.session.play(self.bots[seat].decide(bot_view))
        self.narrator.pause()
        return False

    def _seat_to_act(self) -> int | None:
        """Return the seat that must make the next decision, or `None` if the game is over."""
        return None if self.session.prompt is None else self.session.prompt.seat

    def _turns(self) -> int:
        """Return the number of turns that have begun, including turns that are not narrated yet."""
        return self.audience.turns.total() + len(_turns(self._pending_steps()))

    def _pending_steps(self) -> tuple[Transition, ...]:
        """Return the transitions of the game since the last narration."""
        return self.session.game.transitions_since(self.narrated_revision)[1]

    def _narrate(self) -> None:
        """Narrate the moves since the last narration, and pass their events to the bots."""
        for step in self._pending_steps():
            self.audience.receive(step.events)
            events = [redact(event, self.person) for event in step.events]
            if self.is_narrated:
                before, after = (view(each, self.person) for each in (self.before, step.state))
                self.narrator.narrate(before, events, after)
            self.before = step.state
        self.narrated_revision = self.session.game.revision

    # Requests of the person

    def undo(self) -> bool:
        """Undo the person's last choice and all later moves.

        Returns whether there was a choice to undo.
        """
        choices = self.session.game.choices()
        own = next((each for each in choices if each.seat == self.person), None)
        if own is None:
            return False
        self.session.undo(to=own.revision - 1)
        self.__attrs_post_init__()
        self.catch_up()
        return True

    def catch_up(self) -> None:
        """Pass all past moves to the bots without narrating them."""
        steps = self.session.transitions
        for step in steps:
            self.audience.receive(step.events)
        self.narrator.turns.update(_turns(steps))
        self.narrator.heading = ""
        self.narrated_revision, self.before = self.session.game.revision, self.session.state

    def hint(self) -> Advice:
        """Return advice on the person's current decision."""
        return advise(self.own_view(), remember(self.session.record, self.person))

    def _a_bot(self, seat: int, name: str) -> Bot:
        """Return a new bot, whose random generator is seeded with the game's seed and `seat`."""
        return make_bot(name, random.Random(f"{self.session.seed} {seat}"))


def _turns(steps: Iterable[Transition]) -> list[int]:
    """Return the seat of each turn that begins in `steps`."""
    return [event.seat for step in steps for event in step.events if isinstance(event, TurnBegan)]
