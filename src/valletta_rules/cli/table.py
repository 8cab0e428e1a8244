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
    is_told: bool = True
    """Whether the events of the game are narrated."""
    is_seed_told: bool = True
    """Whether the heading shows the seed.  It is false if a game is resumed without `--seed`."""
    bots: dict[int, Bot] = attrs.field(init=False)
    audience: Audience = attrs.field(init=False)
    """The object that passes the events of the game to the bots."""
    narrator: Narrator = attrs.field(init=False)
    told: int | None = attrs.field(init=False, default=None)
    """The revision up to which moves have been narrated or skipped; `None` before the first."""
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

    def seen(self) -> PlayerView:
        """Return the view of the person, or of a spectator if there is none."""
        return view(self.session.state, self.person)

    def play(self, max_turns: int, ask: Callable[[], None] | None = None) -> bool:
        """Play until the game is over or exceeds `max_turns`; return whether it is over.

        `ask` is called when the person must make a decision.
        """
        while self._turns() <= max_turns:
            self._tell()
            asked = self._asked()
            if asked is None or asked == self.person:
                self.narrator.pause()
            if asked is None:
                return True
            if asked == self.person and ask is not None:
                ask()
            else:
                seen = view(self.session.state, asked)
                self.session.play(self.bots[asked].decide(seen))
        self.narrator.pause()
        return False

    def _asked(self) -> int | None:
        """Return the seat that must make the next decision, or `None` if the game is over."""
        return None if self.session.prompt is None else self.session.prompt.seat

    def _turns(self) -> int:
        """Return the number of turns that have begun, including turns that are not narrated yet."""
        return self.audience.turns.total() + len(_turns(self._untold()))

    def _untold(self) -> tuple[Transition, ...]:
        """Return the transitions of the game since the last narration."""
        return self.session.game.transitions_since(self.told)[1]

    def _tell(self) -> None:
        """Narrate the moves since the last narration, and pass their events to the bots."""
        for step in self._untold():
            self.audience.hear(step.events)
            events = [redact(event, self.person) for event in step.events]
            if self.is_told:
                before, after = (view(each, self.person) for each in (self.before, step.state))
                self.narrator.tell(before, events, after)
            self.before = step.state
        self.told = self.session.game.revision

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
            self.audience.hear(step.events)
        self.narrator.turns.update(_turns(steps))
        self.narrator.heading = ""
        self.told, self.before = self.session.game.revision, self.session.state

    def hint(self) -> Advice:
        """Return advice on the person's current decision."""
        return advise(self.seen(), remember(self.session.record, self.person))

    def _a_bot(self, seat: int, name: str) -> Bot:
        """Return a new bot, whose random generator is seeded with the game's seed and `seat`."""
        return make_bot(name, random.Random(f"{self.session.seed} {seat}"))


def _turns(steps: Iterable[Transition]) -> list[int]:
    """Return the seat of each turn that begins in `steps`."""
    return [event.seat for step in steps for event in step.events if isinstance(event, TurnBegan)]
