"""The messages between a table and the pages that show it, and their JSON.

A page says `Hello` and is answered by a `Welcome`; from then on it is told of every step of the
game, in order, by a `Stepped`, whether or not there is anything in it for its seat.
Every step is a revision, which only grows: an answer with the chance and the forced moves after it,
or a takeback.  Whatever a page asks carries an id that the page chooses, and stays the same where
it is repeated; it is answered by a message with that id, always.

A message is an object whose ``type`` is the name of its class in small letters: ``why-not``.
Values of the game in it are documents, as `valletta_rules.to_json` writes them.  Unknown keys,
missing ones and values of another type are refused.

Types for pages are in ``pages/table.d.ts``, made by ``python -m spec.checks accept generated``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Annotated, Any, Final, cast, get_args

import attrs
from attrs.validators import max_len

from valletta_rules.bots import LEVELS
from valletta_rules.codec import (
    CodecError,
    Dialect,
    Embedded,
    OneOf,
    parse,
    structured,
    text_of,
    unstructured,
)
from valletta_rules.components import display
from valletta_rules.components.bags import CardBag
from valletta_rules.components.display import Seat
from valletta_rules.components.goods import Goods
from valletta_rules.components.limits import Interval, Pattern
from valletta_rules.errors import VallettaError
from valletta_rules.svg import SEAT_PAINTS, Part
from valletta_rules.words import LANGUAGES

PROTOCOL: Final = 1
"""The version of the messages."""

LONGEST: Final = 16_000
"""How many bytes a message from a page may have."""

ActionDocument = Annotated[Mapping[str, Any], Embedded("ActionDocument")]
"""An action, as a document of the package."""
EventDocument = Annotated[Mapping[str, Any], Embedded("EventDocument")]
"""An event as the seat may know it, as a document of the package."""
PlayerViewDocument = Annotated[Mapping[str, Any], Embedded("PlayerViewDocument")]
"""A view, as a document of the package."""
RefusalDocument = Annotated[Mapping[str, Any], Embedded("RefusalDocument")]
"""An error, as a document of the package."""

BotLevel = Annotated[str, OneOf(tuple(LEVELS))]
"""How well a bot plays."""
SeatColour = Annotated[str, OneOf(tuple(SEAT_PAINTS))]
"""A colour that a player can choose."""
Speech = Annotated[str, OneOf(tuple(LANGUAGES))]
"""A language."""

Id = Annotated[str, Pattern(r"(.|\n){0,64}")]
"""What a page or the table calls something by."""
Revision = Annotated[int, Interval(0, 10**6)]
"""A step of the game, counted from 0."""
Pause = Annotated[int, Interval(0, 5_000)]
"""How long somebody waits, in milliseconds."""
Name = Annotated[str, Pattern(r"(.|\n){0,40}")]
"""What somebody is called."""


# What a page says


@attrs.frozen
class Hello:
    """The first message of a connection: which table, and who sits in front of the page."""

    protocol: int
    """The version of the messages that the page speaks."""
    table: Id
    """The id of the table, from the path of the link."""
    tokens: tuple[str, ...] = attrs.field(validator=max_len(8))
    """The tokens from the fragment of the link: none for a spectator, several for one screen.

    The opener's token may be among them.
    """
    seen: int | None
    """The last revision that the page knows; `null` for none."""
    language: Speech
    """In which language it wants to be told."""


@attrs.frozen
class Present:
    """The player of a seat says that they sit in front of the screen: the curtain may rise.

    With several tokens no hand is sent before.  It is answered by a `Sight`.
    """

    id: Id
    seat: int | None
    """One of the seats of the tokens; `null` lowers the curtain again."""


@attrs.frozen
class Answer:
    """An answer to the question that is asked: answered by `Ack` or `Refused`."""

    id: Id
    revision: Revision
    """The revision that asks the question."""
    action: ActionDocument
    """The answer."""


@attrs.frozen
class Undo:
    """A wish to take back: answered by `Ack` or `Refused`."""

    id: Id
    revision: Revision
    """The revision that the page shows."""
    to: Revision
    """The revision whose position shall stand again, as `Moment.undo` offers it."""
    agreed: bool
    """Whether all have agreed at this screen, where that is needed."""


@attrs.frozen
class WhyNot:
    """The question why an action is not legal: answered by a `Reason`."""

    id: Id
    revision: Revision
    action: ActionDocument


@attrs.frozen
class Hint:
    """The wish for advice: answered by an `Advice`."""

    id: Id
    revision: Revision


@attrs.frozen
class Look:
    """The wish to look at another moment: answered by a `Sight`."""

    id: Id
    at: Revision
    """The revision that shall be shown."""
    open: bool
    """Whether all hands shall be shown, which is possible once the game is over."""


@attrs.frozen
class Renew:
    """The opener's wish for a new link for a seat: answered by a `NewLink`."""

    id: Id
    seat: Seat


@attrs.frozen
class SitIn:
    """The opener lets a bot sit in for somebody: answered by `Ack`.

    The person takes the seat back by opening the link.
    """

    id: Id
    seat: Seat
    level: BotLevel | None
    """How well the machine plays; `null` gives the seat back."""


@attrs.frozen
class Pace:
    """How long bots wait before they answer: answered by `Ack`."""

    id: Id
    pause: Pause
    """The pause in milliseconds."""


@attrs.frozen
class Ping:
    """A sign of life: answered by a `Pong`.  A page that is silent for 25 s is given up."""


Said = (
    Hello | Present | Answer | Undo | WhyNot | Hint | Look | Renew | SitIn | Pace | Ping
)  # fmt: skip
"""What a page says."""


# What both speak of


@attrs.frozen
class SeatSeen:
    """Who has a seat."""

    seat: int
    name: str
    colour: SeatColour
    level: BotLevel | None
    """How well the bot plays that has the seat; `null` for a person."""
    sitting_in: BotLevel | None
    """The bot that plays for a person who is away; `null` for none."""
    is_here: bool
    """Whether a page with the seat's token is connected."""


@attrs.frozen
class LogLine:
    """A sentence of the log."""

    seat: int | None
    """Whose it is; `null` for nobody's."""
    text: str


@attrs.frozen
class Entry:
    """What happened in one revision, as the seat may know it."""

    revision: int
    at: int
    """When, in seconds since 1970."""
    seat: int | None
    """Who made the step; `null` for the beginning of the game."""
    back_to: int | None
    """The revision whose position stands again, if it is a takeback; `null` if it is an answer."""
    is_struck: bool
    """Whether it has been taken back since."""
    lines: tuple[LogLine, ...]
    """What happened, in words."""
    events: tuple[EventDocument, ...]
    """What happened, as documents."""


@attrs.frozen
class Choice:
    """Something that can be answered now."""

    action: ActionDocument
    label: str
    """The answer as a request: for a button, or for whoever cannot see the board."""


@attrs.frozen
class Payment:
    """A price that is to be paid.  The payments that are right are the view's legal actions."""

    price: Goods
    cheapest: Goods
    """The payment to start from."""
    owned: Goods
    """The goods that the player has."""
    substitutes: int
    """How many goods replace one that is missing."""


@attrs.frozen
class UndoOffer:
    """What the viewer could take back now."""

    to: int
    """The revision whose position would stand again."""
    needs_agreement: bool
    """Whether all at this screen must agree, since something hidden was seen or somebody acted."""
    label: str
    """What would be taken back, in words."""


@attrs.frozen
class Panel:
    """What everybody may know about a player."""

    seat: int
    points: int
    """Points on the track."""
    predicted: int
    """The result, if the game ended now."""
    goods: Goods
    icons: Goods
    """The icons on the player's buildings."""
    houses: int
    """How many houses are built."""
    most_houses: int
    """How many there can be."""
    hand: int
    """How many cards are in the hand."""
    draw_pile: int
    """How many cards are in the draw pile."""
    discard_pile: CardBag
    hidden: CardBag
    """The cards in hand and draw pile together."""
    conditions: tuple[str, ...]
    """How near the conditions for the end are, in words."""
    buildings: tuple[str, ...]
    """The player's buildings, in words."""


@attrs.frozen
class Row:
    """A line of the score sheet."""

    seat: int
    track: int
    buildings: int
    goods: int
    """Points of goods."""
    total: int
    is_winner: bool


@attrs.frozen
class ClauseSeen:
    """A clause of the rulebook."""

    clause: str
    """Its id."""
    text: str
    """What it says."""


@attrs.frozen
class Finish:
    """The end of the game."""

    sentence: str
    """Who has won, and how a tie was broken."""
    rule: ClauseSeen | None
    """The clause that decided a tie; `null` if there was none."""
    rows: tuple[Row, ...]
    """The score sheet, seat by seat."""
    course: tuple[tuple[int, ...], ...]
    """The points that each revision that stands would have given, seat by seat."""


@attrs.frozen
class Moment:
    """How the table looks to somebody at a revision."""

    revision: int
    viewer: int | None
    """Whose audience these are: `null` for a spectator, and while the curtain is down."""
    asked: int | None
    """The seat that is asked; `null` when the game is over."""
    waits_for: int | None
    """The seat of this screen that must say that it is present before it is shown anything."""
    bar: str
    """Who is asked and for what, in a sentence."""
    view: PlayerViewDocument
    choices: tuple[Choice, ...]
    """What the viewer can answer, payments apart; none unless it is now."""
    payment: Payment | None
    """What the viewer has to pay."""
    undo: UndoOffer | None
    """What the viewer can take back."""
    panels: tuple[Panel, ...]
    """The players, seat by seat."""
    ending: str
    """Whether the final phase is near, in words."""
    finish: Finish | None
    """How the game ended, if it is over."""


@attrs.frozen
class Patch:
    """What has changed in the drawing since the page was sent it.

    In a `Welcome` it is all of it.  In a `Sight` of another moment it is what differs from now.
    """

    changed: tuple[Part, ...]
    gone: tuple[str, ...]
    """The keys of parts that are not there any more."""


# What the table says


@attrs.frozen
class Welcome:
    """The answer to `Hello`: everything that the page needs."""

    version: str
    """The version of the package; a page made by another one loads itself anew."""
    heading: str
    """What is played: edition, variants, card set."""
    seats: tuple[SeatSeen, ...]
    own: tuple[int, ...]
    """The seats whose tokens were shown."""
    is_opener: bool
    """Whether the opener's token was shown."""
    is_replay: bool
    """Whether it is a record that was opened: everything can be seen, nothing played."""
    pause: int
    """How long bots wait, in milliseconds."""
    since: int | None
    """Up to which revision the page's own log still holds; `null`: `log` is all of it."""
    log: tuple[Entry, ...]
    """What the page has missed."""
    moment: Moment
    patch: Patch


@attrs.frozen
class Stepped:
    """A step of the game: an answer, or a takeback that strikes the entries it goes back over."""

    entry: Entry
    moment: Moment
    patch: Patch


@attrs.frozen
class Ack:
    """A step was made, and is kept; what it led to comes by `Stepped`."""

    id: str
    revision: int
    """The revision that it made, however much has happened since."""


@attrs.frozen
class Refused:
    """Something was not done."""

    id: str | None
    """What is refused; `null` if it could not be read."""
    revision: int
    """The revision now."""
    refusal: RefusalDocument
    """Why; the code ``stale`` if the question had passed."""
    rule: ClauseSeen | None
    """The clause that forbids it."""


@attrs.frozen
class Reason:
    """The answer to `WhyNot`."""

    id: str
    refusal: RefusalDocument | None
    """Why it is illegal; `null` if it is legal."""
    rule: ClauseSeen | None


@attrs.frozen
class Advice:
    """The answer to `Hint`."""

    id: str
    action: ActionDocument
    sentence: str
    """What is advised, and why."""


@attrs.frozen
class Sight:
    """How the table looks at another moment, or to somebody else in front of the screen."""

    id: str
    moment: Moment
    patch: Patch


@attrs.frozen
class Presence:
    """Who is here."""

    seats: tuple[SeatSeen, ...]
    spectators: int
    pause: int
    notice: str | None
    """What everybody is to be told: a new link, a machine that sits in, somebody who is back."""


@attrs.frozen
class NewLink:
    """The answer to `Renew`, for the opener's audience: the token of the new link."""

    id: str
    seat: int
    token: str


@attrs.frozen
class Ended:
    """The last message of a connection, which shall not come back: its link is worth nothing."""

    code: str
    sentence: str


@attrs.frozen
class Pong:
    """The answer to `Ping`."""


Told = (
    Welcome | Stepped | Ack | Refused | Reason | Advice | Sight | Presence | NewLink
    | Ended | Pong
)  # fmt: skip
"""What a table says."""


# What goes by HTTP


@attrs.frozen
class NewSeat:
    """A seat of a table that shall be opened."""

    name: Name
    """What the player is called; by the colour if it is empty."""
    colour: SeatColour
    level: BotLevel | None
    """How well the machine plays; `null` for a person."""


@attrs.frozen
class NewTable:
    """The wish for a table: ``POST /api/tables``."""

    edition: str
    """One of `Lobby.editions`."""
    variants: tuple[str, ...] = attrs.field(validator=max_len(4))
    """Some of `Lobby.variants`."""
    cards: str | None
    """The text of a card set file; `null` for the usual cards."""
    seats: tuple[NewSeat, ...] = attrs.field(validator=max_len(4))
    """Who plays, the start player first: 2 to 4."""
    is_shuffled: bool
    """Whether chance seats the players."""


@attrs.frozen
class Invitation:
    """What lets somebody take a seat."""

    seat: int
    token: str
    """What the link to the seat has after the ``#``."""


@attrs.frozen
class OpenedTable:
    """The answer to `NewTable` and to an opened record."""

    table: str
    """The id of the table: its page is ``/table/ID``."""
    opener: str
    """The opener's token; empty for a record, which needs none."""
    invitations: tuple[Invitation, ...]
    """One for each person."""


@attrs.frozen
class CardSetText:
    """A card set to be looked at: ``POST /api/card-set``."""

    text: str
    """The text of the file."""
    language: Speech


@attrs.frozen
class CardSetSeen:
    """What there is to say of a card set."""

    name: str | None
    """What it is called; `null` if something is wrong with it."""
    problems: tuple[str, ...]
    """Everything that is wrong with it, each as a sentence with its place."""


@attrs.frozen
class Named:
    """Something that can be chosen."""

    code: str
    name: str


@attrs.frozen
class Lobby:
    """What can be chosen for a table: ``GET /api/lobby?language=en``."""

    editions: tuple[Named, ...]
    variants: tuple[Named, ...]
    levels: tuple[Named, ...]
    """From the weakest to the strongest."""
    colours: tuple[Named, ...]
    """In the order of the seats."""
    links: tuple[str, ...]
    """The addresses under which others reach this machine: ``http://192.168.1.5:8000``."""


Sent = NewTable | OpenedTable | CardSetText | CardSetSeen | Lobby | ClauseSeen
"""What goes by HTTP."""


class MessageError(VallettaError, ValueError):
    """A text that is no message."""


# JSON


def tag_of(kind: type) -> str:
    """Return the ``type`` of the messages of a class."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


MESSAGES: Final = Dialect(
    {kind: tag_of(kind) for kind in get_args(Said | Told)},
    dict.fromkeys(("BotLevel", "SeatColour", "Speech", "Said", "Told"), sys.modules[__name__])
    | {"Seat": display},
)
"""How messages are written: only a message names its type."""


def read_message(text: str) -> Said:
    """Return the message of a page; raise `MessageError` for anything else."""
    return cast(Said, _read(text, Said))


def read_new_table(text: str) -> NewTable:
    """Return the wish for a table; raise `MessageError` for anything else."""
    return cast(NewTable, _read(text, NewTable))


def read_card_set_text(text: str) -> CardSetText:
    """Return the card set that is to be looked at; raise `MessageError` for anything else."""
    return cast(CardSetText, _read(text, CardSetText))


def _read(text: str, kind: Any) -> Any:
    try:
        return structured(MESSAGES, parse(text), kind)
    except CodecError as error:
        raise MessageError(f"not a message: {error}") from None


def write(message: Told | Sent | Said) -> str:
    """Return a message as JSON; equal messages give equal texts."""
    return text_of(unstructured(MESSAGES, message))
