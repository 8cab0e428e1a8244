"""What it takes to be a language: the names and sentences that every language has.

A language is a module that has everything `Language` names, and the type checker proves of each
that it lacks nothing.  What is the same in all of them is not said there: how a table is laid out
is told by `valletta_rules.words.tables`, in the words of the language that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from valletta_rules.actions import Action
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import Character
from valletta_rules.components.goods import Good, Goods
from valletta_rules.components.values import Value
from valletta_rules.errors import Problem, VallettaError, Violation
from valletta_rules.outcome import Outcome, Score
from valletta_rules.state import GameState
from valletta_rules.views.player_information import (
    Ending,
    EndProgress,
    Offer,
    OwnBuilding,
    Position,
)
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.views.view import PlayerView, Table
from valletta_rules.words.captions import Captions
from valletta_rules.words.console import Console
from valletta_rules.words.page_phrases import Page
from valletta_rules.words.table_talk import TableTalk

Asking = GameState | PlayerView
"""What asks a question: a position, or somebody's view of it."""


def board_of(position: Position) -> GameState | Table:
    """Return what lies open: of a view its table, which the rules can be asked about."""
    return position.table if isinstance(position, PlayerView) else position


@attrs.frozen
class Sentence(Value):
    """Somebody and what he does; kept apart so that a story need not repeat its hero."""

    subject: str
    """Who or what does it."""
    predicate: str
    """What is done."""

    def __str__(self) -> str:
        """Say the whole sentence."""
        return f"{self.subject[:1].upper()}{self.subject[1:]} {self.predicate}."


@attrs.frozen(kw_only=True)
class Headings:
    """What stands above and before the columns and lines of a table."""

    track: str
    """Points scored during the game."""
    buildings: str
    """Points of buildings."""
    goods: str
    """Goods, and the points of goods."""
    total: str
    """All points."""
    houses: str
    """Houses built."""
    points: str
    """Points now and to come."""
    deck: str
    """Where the cards are."""
    hand: str
    """The cards in the hand."""
    end: str
    """How near the final phase is."""
    in_reach: str
    """What could be built or upgraded."""
    nothing: str
    """That there is nothing of it."""
    supply: str
    """The character supply."""
    final_phase: str
    """Whether the final phase is coming."""


@attrs.frozen(kw_only=True)
class Vocabulary:
    """What people type besides the names of goods and characters, in small letters."""

    verbs: Mapping[str, str]
    """Words that tell what is done, wherever they stand, and the verb of the notation for each.

    It is empty for words that only say that something is chosen.
    """
    fillers: frozenset[str]
    """Words that tell nothing: articles, prepositions, the word for a site."""
    nothing: frozenset[str]
    """Words for no goods at all."""
    in_vain: tuple[str, ...]
    """How it is said, at the end, that a card is played without its effect."""
    endings: tuple[str, ...]
    """Endings that names take on within a sentence."""


class Language(Protocol):
    """A language: everything that a module of this room must have.

    Players are called by the names that the caller gives, by default by `NAMES`.  Whatever is said
    of a position can be said of somebody's view of it.
    """

    def __hash__(self) -> int:
        """A language can be what something is kept by."""

    @property
    def NAMES(self) -> Sequence[str]:
        """What the players are called, seat by seat, if the caller does not say."""

    @property
    def SHORT_NAMES(self) -> Mapping[Character, str]:
        """The names of the characters, as short as people say them."""

    @property
    def GISTS(self) -> Mapping[Character, str]:
        """What the characters do, in brief, as a request."""

    @property
    def GOOD_NAMES(self) -> Mapping[Good, str]:
        """What the goods are called."""

    @property
    def HEADINGS(self) -> Headings:
        """What stands above and before the parts of a table."""

    @property
    def VOCABULARY(self) -> Vocabulary:
        """What people type."""

    @property
    def CONSOLE(self) -> Console:
        """What a terminal says around a game."""

    @property
    def CAPTIONS(self) -> Captions:
        """What is written in pictures."""

    @property
    def PAGE(self) -> Page:
        """What a page in a browser says around a game."""

    @property
    def TALK(self) -> TableTalk:
        """What a table in a browser tells those who sit at it."""

    def title(self, character: Character, /) -> str:
        """Name a character within a sentence."""

    def label(self, building: Building, /) -> str:
        """Name a building by its code and its character."""

    def describe_copies(self, count: int, /) -> str:
        """Say how many cards there are of a kind."""

    def describe_building(self, building: Building, /, *, upgraded: bool = False) -> str:
        """Say what one side of a building shows."""

    def joined(self, parts: Sequence[str], /) -> str:
        """Join parts of a sentence: ``Red, Blue and Green``."""

    def describe_goods(self, goods: Goods, /) -> str:
        """Say how many goods there are of each kind."""

    def describe_cards(self, cards: CardBag, /) -> str:
        """Name some cards, and how many there are of each kind if there are several."""

    def describe_effect(self, character: Character, /) -> str:
        """Say in whole sentences what a character does."""

    def describe_prompt(self, position: Asking, names: Sequence[str] = ..., /) -> str:
        """Say the question that is asked, addressed to the player who must answer."""

    def describe_action(self, position: Asking, action: Action, /) -> str:
        """Say what an action would do as the answer to the question asked, as a request."""

    def describe_violation(self, violation: Violation, names: Sequence[str] = ..., /) -> str:
        """Say why an action is illegal."""

    def describe_problem(self, problem: Problem, /) -> str:
        """Say what is wrong with a position, a card set or a document, without the place."""

    def describe_error(self, error: VallettaError, names: Sequence[str] = ..., /) -> str:
        """Say what went wrong, as a sentence without its stop."""

    def tell(
        self,
        event: RedactedEvent,
        position: Asking,
        names: Sequence[str] = ...,
        *,
        reader: int | None = None,
    ) -> Sentence:
        """Say what happened, with subject and predicate apart."""

    def describe_holdings(self, position: Position, seat: int, /) -> str:
        """Say what lies in front of a player: goods, houses, points scored."""

    def describe_standings(self, position: Position, names: Sequence[str] = ..., /) -> str:
        """Say in a line how the players would score if the game ended now."""

    def describe_winner(self, outcome: Outcome, names: Sequence[str] = ..., /) -> str:
        """Say who has won, and how a tie was broken."""

    def describe_points(self, score: Score, /) -> str:
        """Say what a player has scored, and what it would be if the game ended now."""

    def describe_houses(self, count: int, /) -> str:
        """Say how many houses are built of those there are."""

    def describe_house(self, house: OwnBuilding, /) -> str:
        """Name a player's building and say what it is worth."""

    def describe_progress(self, progress: EndProgress, /) -> str:
        """Say how near a condition for the final phase is."""

    def describe_offer(self, offer: Offer, /) -> str:
        """Say what could be built or upgraded, at what price, and how it would be paid."""

    def describe_ending(self, ending: Ending, /) -> str:
        """Say whether the final phase is near."""
