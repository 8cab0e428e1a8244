"""Print the events of a game: a headline per turn, and a line per played card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.agenda import DealPrompt
from valletta_rules.cli.screen import FAINT, STRONG, WARNING, Screen
from valletta_rules.events import (
    BuildingDealt,
    CardDrawn,
    CardPlayed,
    EffectFizzled,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsTaken,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    TurnBegan,
)
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.rulebook.turn import PLAYS_PER_TURN
from valletta_rules.views.seen_events import HiddenCardDrawn, RedactedEvent
from valletta_rules.words.language import Asking, board_of
from valletta_rules.words.tables import sketch_display

ROUNDS: Final = 4
"""The number of rounds after which the standings are printed again."""

LABEL: Final = 16
"""The width of the column with the names of played cards, in characters."""


@attrs.define
class Narrator:
    """A narrator that prints the events of a game, given its positions or the views of a seat."""

    screen: Screen
    """The screen on which the game is narrated."""
    reader: int | None = None
    """The seat of the reader, whose drawn cards are named; `None` for a spectator."""
    heading: str = ""
    """The heading of the next line, usually the name of the card that is played."""
    parts: list[str] = attrs.field(factory=list)
    """The descriptions of events to print in the next line."""
    drawn: list[str] = attrs.field(factory=list)
    """The names of cards that the reader has drawn, to print in the next line."""
    notices: list[str] = attrs.field(factory=list)
    """The notices to print after the next line, each in its own line."""
    turns: Counter[int] = attrs.field(factory=Counter)
    """The number of turns that each seat has begun."""

    def __attrs_post_init__(self) -> None:
        """Set the heading for the cards that are drawn before the first turn."""
        self.heading = self.screen.language.phrase("console.opening_hand")

    def narrate(self, before: Asking, events: Sequence[RedactedEvent], after: Asking) -> None:
        """Narrate the events of a move from the position `before` to the position `after`."""
        if isinstance(before.prompt, DealPrompt) and not isinstance(after.prompt, DealPrompt):
            self.draw_display(after)
        for event in events:
            self._narrate(event, before, after)

    def draw_display(self, position: Asking) -> None:
        """Print the buildings and the street."""
        screen = self.screen
        drawn = sketch_display(position, screen.names, screen.language, screen.width)
        screen.write(f"\n{drawn}")
        screen.fill(screen.language.phrase("console.legend"), style=FAINT)
        screen.write()

    def _narrate(self, event: RedactedEvent, before: Asking, after: Asking) -> None:
        language, names = self.screen.language, self.screen.names
        phrase = language.phrase
        sentence = language.event_sentence(event, before, names, reader=self.reader)
        match event:
            case BuildingDealt() | GoodsTaken(clause="VAL-4"):
                pass
            case CardDrawn(seat) if seat == self.reader:
                self.drawn.append(sentence.predicate.removeprefix(f"{phrase('console.draws')} "))
            case CardDrawn() | HiddenCardDrawn():
                pass
            case GameEnded():
                self._write()
            case CardPlayed(_, character):
                self._write(language.short_names[character])
            case PlayedCardsDiscarded():
                self._write(phrase("console.refill"))
            case FinalPhaseTriggered() if end_conditions(board_of(before)) or self.notices:
                pass
            case FinalPhaseTriggered():
                self.notices.append(f"* {sentence}")
            case EffectFizzled():
                self.parts.append(phrase("console.no_effect"))
            case GoodDrafted() | PlayerDroppedOut():
                self._write()
                self.screen.fill(str(sentence), "  ")
            case FinalPhaseBegan():
                self._write()
                self.screen.write()
                self.screen.fill(f"* {sentence}", style=WARNING)
                self._print_standings("console.now", after)
            case TurnBegan(seat, plays):
                self._write()
                self._announce(seat, plays, after)
            case _:
                known = sentence.subject in (names[board_of(before).active], self.heading)
                text = sentence.predicate if known else f"{sentence.subject} {sentence.predicate}"
                self.parts.append(text)

    def pause(self) -> None:
        """Print the unfinished line, so that a prompt can follow it."""
        self._write(self.heading)

    def _announce(self, seat: int, plays: int, position: Asking) -> None:
        """Print the headline of a turn, preceded by the standings every `ROUNDS` rounds."""
        language, names = self.screen.language, self.screen.names
        phrase = language.phrase
        self.turns[seat] += 1
        turn = self.turns[seat]
        if seat == 0 and turn > 1 and turn % ROUNDS == 1:
            self.screen.write()
            self._print_standings("console.after_rounds", position, rounds=turn - 1)
        few = phrase(f"console.few.{plays}") if plays < PLAYS_PER_TURN else ""
        holdings = language.describe_holdings(position, seat)
        key = "console.own_turn" if seat == self.reader else "console.turn"
        headline = phrase(key, name=names[seat], turn=turn, few=few, holdings=holdings)
        self.screen.write()
        self.screen.fill(headline, rest="  ", style=STRONG)

    def _print_standings(self, key: str, position: Asking, **facts: int) -> None:
        standings = self.screen.language.describe_standings(position, self.screen.names)
        self.screen.fill(self.screen.language.phrase(key, standings=standings, **facts), rest="  ")

    def _write(self, heading: str = "") -> None:
        """Print the pending line and its notices, and start the next line with `heading`."""
        if self.drawn:
            draws = f"{self.screen.language.phrase('console.draws')} {', '.join(self.drawn)}"
            self.parts.append(draws)
        if self.parts:
            indent = " " * (LABEL + 2)
            start = f"  {self.heading.ljust(LABEL)}"
            self.screen.fill("; ".join(self.parts), start, indent)
        for notice in self.notices:
            self.screen.fill(notice, rest="  ", style=WARNING)
        self.heading, self.parts, self.drawn, self.notices = heading, [], [], []
