"""The messages between the server and the pages that show a game table, and their JSON format.

A page sends `Hello` and receives a `Welcome`.  Then the page receives a `Stepped` for every step of
the game, in order, even if the step contains no news for its seat.  A step is a takeback, or an
answer with the random and forced moves that follow it.  Steps are numbered; the number of a step is
its revision.

Every request from a page has an id that the page chooses.  The answer to the request has the same
id.  If the page repeats the request, it does not change the id.

A message is a JSON object.  Its ``type`` is derived from the name of its class: ``why-not`` for
`WhyNot`.  Game values in a message are documents, as `valletta_rules.to_json` writes them.  A
message with unknown keys, missing keys or values of a wrong type is refused.

The corresponding TypeScript types are in ``pages/table.d.ts``, which ``python -m spec.checks accept
generated`` writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypeVar, cast, get_args

import attrs
from attrs.validators import max_len

from valletta_rules import codec
from valletta_rules.bots import LEVELS
from valletta_rules.components import CardBag, Goods, Interval, Pattern, Seat, display
from valletta_rules.errors import VallettaError
from valletta_rules.results import Score
from valletta_rules.svg import SEAT_PAINTS, Part
from valletta_rules.words import LANGUAGES

T = TypeVar("T")

PROTOCOL: Final = 1
"""The current version of the message format."""

LONGEST: Final = 16_000
"""The maximum size of a message from a page, in bytes."""

ActionDocument = Annotated[Mapping[str, Any], codec.Embedded("ActionDocument")]
"""An action as a JSON document."""
EventDocument = Annotated[Mapping[str, Any], codec.Embedded("EventDocument")]
"""An event as a JSON document, without the information that is hidden from the viewer."""
PlayerViewDocument = Annotated[Mapping[str, Any], codec.Embedded("PlayerViewDocument")]
"""The view of a seat or spectator as a JSON document."""
RefusalDocument = Annotated[Mapping[str, Any], codec.Embedded("RefusalDocument")]
"""A refusal as a JSON document: the reason why an action or request was refused."""

BotLevel = Annotated[str, codec.OneOf(tuple(LEVELS))]
"""The name of a bot level, such as ``club``."""
SeatColour = Annotated[str, codec.OneOf(tuple(SEAT_PAINTS))]
"""A colour that a player can choose."""
Speech = Annotated[str, codec.OneOf(tuple(LANGUAGES))]
"""The code of a language, such as ``en``."""

Id = Annotated[str, Pattern("[!-~]{1,64}")]
"""An id, chosen by a page or the server: 1 to 64 printable ASCII characters without spaces."""
Revision = Annotated[int, Interval(0, 10**6)]
"""The number of a step in the game, counted from 0."""
Pause = Annotated[int, Interval(0, 5_000)]
"""A pause in milliseconds."""
Name = Annotated[str, Pattern(r"(.|\n){0,40}")]
"""The name of a player, of at most 40 characters."""


# Messages from a page


@attrs.frozen
class Hello:
    """The first message on a connection, which names the table and contains the page's tokens.

    A token is a secret that gives access to a seat, or grants the rights of the table's opener.
    """

    protocol: int
    """The version of the message format that the page uses, which must be `PROTOCOL`."""
    table: Id
    """The id of the table, from the path of the link."""
    tokens: tuple[str, ...] = attrs.field(validator=max_len(8))
    """The tokens from the fragment of the link.

    A spectator has none.  A screen that several players share has one for each of their seats.  One
    of the tokens may be that of the opener, the person who opened the table.
    """
    seen: int | None
    """The last revision that the page has received; `null` if it has received none."""
    language: Speech
    """The code of the language for all texts that the page receives."""
    viewer: int | None
    """The seat whose hand the page showed before the connection was lost; `null` for no hand."""


@attrs.frozen
class Present:
    """A confirmation that a seat's player is in front of a shared screen; the reply is a `Sight`.

    A page with several seats receives a hand only after this message.
    """

    id: Id
    seat: int | None
    """The player's seat, which must be one of the page's own seats; `null` hides all hands."""


@attrs.frozen
class Answer:
    """A player's action at the current prompt; the reply is `Ack` or `Refused`."""

    id: Id
    revision: Revision
    """The revision of the prompt."""
    action: ActionDocument
    """The action that the player chose."""


@attrs.frozen
class Undo:
    """A request to take back answers; the reply is `Ack` or `Refused`."""

    id: Id
    revision: Revision
    """The revision that the page shows."""
    to: Revision
    """The revision to which the game returns, which must be `to` of the current `UndoOffer`."""
    agreed: bool
    """Whether all players at this screen have agreed; see `UndoOffer.needs_agreement`."""


@attrs.frozen
class WhyNot:
    """A request for the reason why an action is illegal; the reply is a `Reason`."""

    id: Id
    revision: Revision
    action: ActionDocument


@attrs.frozen
class Hint:
    """A request for advice on the current prompt; the reply is a `Hinted`."""

    id: Id
    revision: Revision


@attrs.frozen
class Look:
    """A request to show the table at another revision; the reply is a `Sight`."""

    id: Id
    at: Revision
    """The revision to show."""
    open: bool
    """Whether to show all hands, which is allowed only after the end of the game."""


@attrs.frozen
class Analyse:
    """A request for the analysis of a finished game; the replies are `Analysed` messages."""

    id: Id


@attrs.frozen
class Stop:
    """A request to cancel an analysis; the reply is `Ack`."""

    id: Id
    """The id of the `Analyse` request to cancel."""


@attrs.frozen
class Reopen:
    """A request to show a past prompt of a finished game; the reply is a `Sight`.

    The `Sight` contains the view of the seat that answered the prompt, and the actions that it
    could choose.
    """

    id: Id
    at: Revision
    """The revision of the prompt."""


@attrs.frozen
class Retry:
    """A request to judge a different answer to a past prompt of a finished game.

    The reply is a `Judged`.
    """

    id: Id
    at: Revision
    """The revision of the prompt."""
    action: ActionDocument
    """The answer to judge."""


@attrs.frozen
class Renew:
    """The opener's request for a new link to a seat; the reply is a `NewLink`."""

    id: Id
    seat: Seat


@attrs.frozen
class SitIn:
    """The opener's request to let a bot substitute for an absent person; the reply is `Ack`.

    When the person opens the link to the seat, the substitution ends.
    """

    id: Id
    seat: Seat
    level: BotLevel | None
    """The level of the bot; `null` ends the substitution."""


@attrs.frozen
class Rename:
    """A request to rename a player; the reply is `Ack`, followed by a `Welcome` to every page."""

    id: Id
    seat: Seat
    """The player's seat, which must be one of the page's own seats."""
    name: Name


@attrs.frozen
class Rematch:
    """A request for a new game with the same players; the reply is `Rematched`.

    The first request must come from a player, after the end of the game; it opens the new table.
    """

    id: Id


@attrs.frozen
class Pace:
    """A request to set the time that bots wait before they answer; the reply is `Ack`."""

    id: Id
    pause: Pause
    """The pause in milliseconds."""


@attrs.frozen
class Ping:
    """A keepalive message; the reply is a `Pong`.

    The server disconnects a page that sends no message for 25 seconds.
    """


PageMessage = (
    Hello | Present | Answer | Undo | WhyNot | Hint | Look | Analyse | Stop | Reopen | Retry | Renew
    | SitIn | Rename | Rematch | Pace | Ping
)  # fmt: skip
"""The union of the messages from a page."""


# Parts of messages


@attrs.frozen
class SeatSeen:
    """A seat at the table and its player, as shown to all pages."""

    seat: int
    name: str
    colour: SeatColour
    level: BotLevel | None
    """The level of the bot that owns the seat; `null` for a person, and in an opened record."""
    sitting_in: BotLevel | None
    """The level of the bot that substitutes for an absent person; `null` if no bot does."""
    is_here: bool
    """Whether a page with the seat's token is connected."""
    is_named: bool
    """Whether the player has a name; if not, `name` contains the name of the colour."""


@attrs.frozen
class LogLine:
    """A sentence in the log of the game."""

    seat: int | None
    """The seat that the sentence is about; `null` if it is about no seat."""
    text: str


@attrs.frozen
class Entry:
    """The log entry for a revision, without the information that is hidden from the viewer."""

    revision: int
    at: int
    """The time of the step, in seconds since 1970."""
    seat: int | None
    """The seat that answered, or took an answer back; `null` for the setup of the game."""
    back_to: int | None
    """For a takeback, the revision to which the game returned; `null` for any other step."""
    lines: tuple[LogLine, ...]
    """Sentences that describe the step."""
    events: tuple[EventDocument, ...]
    """The events of the step."""


@attrs.frozen
class Choice:
    """An action that the viewer can choose, or that the coach or an example proposes."""

    action: ActionDocument
    label: str
    """The action as an imperative, for a button and for screen readers."""


@attrs.frozen
class Payment:
    """A price to be paid.

    The possible payments are the legal actions in the view of the `Moment`.
    """

    price: Goods
    cheapest: Goods
    """The cheapest payment; the page selects it at first."""
    owned: Goods
    """The goods that the player has."""
    substitutes: int
    """The number of goods of other types that replace one missing good."""


@attrs.frozen
class UndoOffer:
    """A takeback that the viewer can request now."""

    to: int
    """The revision to which the takeback returns."""
    needs_agreement: bool
    """Whether all players at this screen must agree.

    Agreement is required if, after the answer to be taken back, a card was drawn, a barrel was
    revealed or another seat answered.  It is never required in a trial.
    """
    label: str
    """A description of the action that the takeback undoes."""


@attrs.frozen
class Panel:
    """The information about a player that all viewers may know."""

    seat: int
    points: int
    """The points on the score track."""
    predicted: int
    """The final score if the game ended now."""
    goods: Goods
    icons: Goods
    """The number of icons of each type on the player's buildings."""
    houses: int
    """The number of houses that the player has placed."""
    most_houses: int
    """The maximum number of houses that a player can place."""
    hand: int
    """The number of cards in the player's hand."""
    draw_pile: int
    """The number of cards in the player's draw pile."""
    discard_pile: CardBag
    hidden: CardBag
    """The cards in the hand and draw pile together; which of them are in the hand is not public."""
    conditions: tuple[str, ...]
    """Descriptions of the player's progress towards the conditions that end the game."""
    buildings: tuple[str, ...]
    """The descriptions of the player's buildings."""


@attrs.frozen
class ClauseSeen:
    """A clause of the rulebook."""

    clause: str
    """The id of the clause."""
    title: str
    """The title of the clause, in the language of the page."""
    text: str
    """The text of the clause, in the language of the page."""


@attrs.frozen
class Judgement:
    """A sentence about one moment of the game, such as an answer or a stroke of luck."""

    revision: int
    """The revision that the sentence describes.

    If the sentence judges an answer in an analysis, this is the revision of the answer's prompt.
    """
    sentence: str


@attrs.frozen
class Finish:
    """The result of a game that is over."""

    sentence: str
    """A sentence that names the winner, and the reason if a tie was broken."""
    decided: str | None
    """A sentence on the part of the score that decided the game; `null` after a tie."""
    moments: tuple[Judgement, ...]
    """The moments at which the winner's chance to win changed most; there are at most three."""
    rule: ClauseSeen | None
    """The clause that decided a tie; `null` if the game had no tie."""
    scores: tuple[Score, ...]
    """The score of each seat, with its parts."""
    winners: tuple[int, ...]
    """The seats that have won; more than one if the victory is shared."""
    course: tuple[tuple[int, ...], ...]
    """For each revision that was not undone, each seat's final score if the game ended there."""


@attrs.frozen
class AdvisedAnswer:
    """A possible answer to a prompt, with the adviser's judgement."""

    action: ActionDocument
    lead: float
    """The player's expected lead, in points, at the end of the game."""
    chance: float
    """The player's chance to win, from 0 to 1."""
    sentence: str
    """A sentence on the quality of the answer, without figures."""
    figures: str
    """The expected lead, or the loss compared to the best answer, and the chance to win, as text.

    Empty for an answer that is not the best, but about as good.
    """


@attrs.frozen
class Judgements:
    """A section of an analysis: a title and its sentences."""

    title: str
    told: tuple[Judgement, ...]


@attrs.frozen
class FlaggedAnswer:
    """An answer that the analysis grades as worse than good.

    A page offers its prompt as an exercise, in which the viewer looks for a better answer.
    """

    revision: int
    """The revision at which the player was prompted."""
    seat: int
    """The seat that gave the answer."""
    sentence: str
    """A sentence that describes the loss caused by the answer, and the better answer."""
    question: str
    """A sentence that names the answer and its grade, and asks for a better answer."""
    answer: ActionDocument
    best: ActionDocument
    """The best answer to the prompt."""


@attrs.frozen
class GameReport:
    """The analysis of a finished game, as texts and numbers that a page can show."""

    limits: str
    """A text that explains how answers are judged, and which loss leads to which grade."""
    play: str
    """The title of a table of each player's decisions and luck.

    `headings` and `lines` are the content of this table.
    """
    headings: tuple[str, ...]
    """The headings of the columns in the table of decisions and luck."""
    lines: tuple[tuple[str, ...], ...]
    """The rows of the table of decisions and luck, one for each seat."""
    chances: str
    """The title of the chart that shows `course`."""
    course: tuple[tuple[float, ...], ...]
    """Each seat's chance to win, at the beginning of each turn and at the end of the game."""
    sections: tuple[Judgements, ...]
    """The sections on the turning points and on the costliest answers."""
    answers: tuple[FlaggedAnswer, ...]
    """All answers that were not good, in the order of the game."""


@attrs.frozen
class Guide:
    """A text that guides the player: from the coach, or from the worked example at this table."""

    title: str
    """The title, which names the source of the text: the worked example or the coach."""
    text: str
    """The text without its title."""
    rule: ClauseSeen | None
    """The clause that the text explains; `null` for no clause."""
    answer: Choice | None
    """The next answer in the worked example, or the one that the coach recommends; may be `null`.

    The next answer in an example may be illegal.
    """


@attrs.frozen
class Moment:
    """The state of the game at a revision, prepared for a page to show to its viewer."""

    revision: int
    viewer: int | None
    """The seat of the viewer; `null` for a spectator, and while a shared screen hides all hands."""
    asked: int | None
    """The seat that must answer; `null` if the game is over."""
    waits_for: int | None
    """The seat for which a shared screen must send `Present` to show the hand; else `null`."""
    bar: str
    """A sentence that describes the prompt, for the page's action bar."""
    view: PlayerViewDocument
    choices: tuple[Choice, ...]
    """The actions that the viewer can choose at the prompt, except payments.

    Empty in the answer to a `Look` at an earlier revision.
    """
    payment: Payment | None
    """The price that the viewer must pay now; `null` if there is none."""
    undo: UndoOffer | None
    """The takeback that the viewer can request; `null` if none is possible."""
    panels: tuple[Panel, ...]
    """The public information about the players, one panel for each seat."""
    ending: str
    """A text on the progress towards the final phase of the game."""
    finish: Finish | None
    """The result of the game; `null` if it is not over."""
    guide: Guide | None = None
    """The text from the coach or the worked example; `null` if there is none."""


@attrs.frozen
class Patch:
    """The changes that a page must make to its drawing of the board.

    The patch in a `Welcome` contains all parts of the drawing.  The patch in a `Sight` of another
    moment contains the differences from the drawing of the current moment.
    """

    changed: tuple[Part, ...]
    gone: tuple[str, ...]
    """The keys of the parts that must be removed from the drawing."""


# Messages to a page


@attrs.frozen
class Welcome:
    """The answer to `Hello`: all data that the page needs to show the table."""

    version: str
    """The version of the server's package.  A page from another version reloads itself."""
    heading: str
    """A heading that names the edition, the variants and the card set."""
    seats: tuple[SeatSeen, ...]
    own: tuple[int, ...]
    """The page's own seats, to which its tokens give access."""
    is_opener: bool
    """Whether the page has sent the opener's token."""
    is_replay: bool
    """Whether the table is an opened record, which shows all hands and cannot be played."""
    is_trial: bool
    """Whether the table was opened at a given position.

    Its game has no record, and a page with several seats shows hands without a `Present`.
    """
    is_analysed: bool
    """Whether the server has stored an analysis of the game, and can send it without delay."""
    pause: int
    """The time that bots wait before they answer, in milliseconds."""
    since: int | None
    """The last revision that the page had already received; `null` if it must replace its log."""
    log: tuple[Entry, ...]
    """The log entries after the revision `since`; all entries if `since` is `null`."""
    moment: Moment
    patch: Patch


@attrs.frozen
class Stepped:
    """A step of the game: an answer, or a takeback."""

    entry: Entry
    moment: Moment
    patch: Patch


@attrs.frozen
class Ack:
    """A confirmation that a request has succeeded.

    After an `Answer` or `Undo`, a `Stepped` with the effects follows.
    """

    id: str
    revision: int
    """The revision that the request produced; the current revision if it produced none.

    If the page repeats a request, this may be an earlier revision.
    """


@attrs.frozen
class Refused:
    """The answer to a request that the server refuses."""

    id: str | None
    """The id of the request; `null` if the request could not be parsed."""
    revision: int
    """The current revision of the game."""
    refusal: RefusalDocument
    """The reason for the refusal.

    Its code is ``stale`` if the request was not for the current revision.
    """
    rule: ClauseSeen | None
    """The clause that forbids the action; `null` if the reason is not a rule of the game."""


@attrs.frozen
class Reason:
    """The answer to `WhyNot`: the reason why an action is illegal."""

    id: str
    refusal: RefusalDocument | None
    """The reason why the action is illegal; `null` if it is legal."""
    rule: ClauseSeen | None


@attrs.frozen
class Hinted:
    """The answer to `Hint`: the adviser's suggestions."""

    id: str
    answers: tuple[AdvisedAnswer, ...]
    """Two or three answers, the best first; a single answer if there is no choice."""


@attrs.frozen
class Guided:
    """The coach's text for the current prompt, sent as soon as it has been computed."""

    revision: int
    """The revision of the prompt."""
    guide: Guide | None


@attrs.frozen
class Analysed:
    """The answer to `Analyse`: the progress, or the finished analysis."""

    id: str
    done: float
    """The progress of the analysis, from 0 to 1."""
    report: GameReport | None
    """The analysis; `null` while it is being computed."""


@attrs.frozen
class Judged:
    """The answer to `Retry`: a comparison of the new answer with the best answer."""

    id: str
    is_right: bool
    """Whether the new answer is about as good as the best answer."""
    sentence: str
    """A sentence on the quality of the new answer.  It does not reveal the best answer."""


@attrs.frozen
class Sight:
    """The answer to `Present`, `Look` and `Reopen`: the requested moment of the game."""

    id: str
    moment: Moment
    patch: Patch


@attrs.frozen
class Presence:
    """A message to all pages about the seats, their players and the number of spectators."""

    seats: tuple[SeatSeen, ...]
    spectators: int
    pause: int
    has_rematch: bool
    """Whether a player has opened a table for a rematch."""
    notice: str | None
    """A sentence about the change that caused this message, such as a new link; may be `null`."""


@attrs.frozen
class NewLink:
    """The answer to `Renew`: the token of the new link.  Only the opener receives it."""

    id: str
    seat: int
    token: str


@attrs.frozen
class Rematched:
    """The answer to `Rematch`: the id of the new table, and access to it."""

    id: str
    table: str
    own: tuple[int, ...]
    """The seats that this page's players have in the rematch; empty for a spectator."""
    opener: str
    """The opener's token for the new table; empty unless this page has opened the table."""
    invitations: tuple[Invitation, ...]
    """The tokens for the seats in `own`, or for all persons if this page has opened the table."""


@attrs.frozen
class Ended:
    """The last message on a connection; the page must not reconnect."""

    code: str
    sentence: str


@attrs.frozen
class Pong:
    """The answer to `Ping`, without content."""


ServerMessage = (
    Welcome | Stepped | Ack | Refused | Reason | Hinted | Guided | Analysed | Judged | Sight
    | Presence | NewLink | Rematched | Ended | Pong
)  # fmt: skip
"""The union of the messages to a page."""


# Requests and responses by HTTP


@attrs.frozen
class NewSeat:
    """A seat at the table that a `NewTable` requests."""

    name: Name
    """The name of the player; if it is empty, the colour is shown instead."""
    colour: SeatColour
    level: BotLevel | None
    """The level of the bot; `null` for a person."""


@attrs.frozen
class NewTable:
    """A request to open a table: ``POST /api/tables``."""

    edition: str
    """The code of the edition; `Lobby.editions` lists all codes."""
    variants: tuple[str, ...] = attrs.field(validator=max_len(4))
    """The codes of the variants to play with; `Lobby.variants` lists all codes."""
    cards: str | None
    """The text of a card set file; `null` for the built-in card set."""
    seats: tuple[NewSeat, ...] = attrs.field(validator=max_len(4))
    """The 2 to 4 players in turn order, with the start player first."""
    is_shuffled: bool
    """Whether to seat the players at random."""
    is_coached: bool
    """Whether a coach helps the persons; if so, the game uses a fixed random seed."""


@attrs.frozen
class NewTrial:
    """A request to open a table at a given position, or at that of a worked example.

    Only the service that runs in a browser accepts this request.
    """

    position: str | None
    """The position as a position line; `null` if `example` is given."""
    example: str | None
    """The full id of a worked example, such as ``BLD-6/two-neighbours``; `null` for a position."""
    against: BotLevel | None
    """The level of the bots in all seats but the one that must answer; `null` for persons."""


@attrs.frozen
class NewLesson:
    """A request to open a table at the position of a lesson: ``POST /api/lessons``."""

    lesson: str
    """The code of the lesson; `Lobby.lessons` lists all codes."""


@attrs.frozen
class Invitation:
    """An invitation for a person to take a seat."""

    seat: int
    token: str
    """The token of the seat; in the link, it follows the ``#``."""


@attrs.frozen
class OpenedTable:
    """The response to `NewTable`, `NewTrial` and `NewLesson`, and to a request to open a record."""

    table: str
    """The id of the table; the path of its page is ``/table/ID``."""
    opener: str
    """The opener's token; empty for a record."""
    invitations: tuple[Invitation, ...]
    """An invitation for each seat of a person, but none for the seats of bots."""


@attrs.frozen
class CardSetText:
    """A request to check a card set: ``POST /api/card-set``."""

    text: str
    """The text of the card set file."""
    language: Speech


@attrs.frozen
class CardSetSeen:
    """The result of checking a card set."""

    name: str | None
    """The name of the card set; `null` if it has problems."""
    count: int
    """The number of problems in the card set."""
    problems: tuple[str, ...]
    """Sentences that describe the problems and their positions in the file.

    If there are too many problems, only the first are described, and the last sentence states how
    many are omitted.
    """


@attrs.frozen
class Named:
    """An option in the lobby: its code, and its name in the language of the page."""

    code: str
    name: str


@attrs.frozen
class Lobby:
    """The options for a new table: ``GET /api/lobby?language=en``."""

    editions: tuple[Named, ...]
    variants: tuple[Named, ...]
    levels: tuple[Named, ...]
    """The levels of bots, from the weakest to the strongest."""
    colours: tuple[Named, ...]
    """The colours of the players, in the order of the seats."""
    lessons: tuple[Named, ...]
    """The lessons in the recommended order."""
    links: tuple[str, ...]
    """The addresses of the server for other machines, such as ``http://192.168.1.5:8000``."""
    kept: tuple[str, ...]
    """Sentences that state when unused tables are removed; empty if they are never removed."""


Sent = (
    NewTable | NewTrial | NewLesson | OpenedTable | CardSetText | CardSetSeen | Lobby | ClauseSeen
)  # fmt: skip
"""The union of the requests and responses over HTTP."""


class MessageError(VallettaError, ValueError):
    """Raised if a text is not a valid message."""


# JSON


def tag_of(kind: type) -> str:
    """Return the ``type`` of messages of the class `kind` in JSON, such as ``why-not``."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


MESSAGES: Final = codec.Dialect(
    {kind: tag_of(kind) for kind in get_args(PageMessage | ServerMessage)},
    dict.fromkeys(
        ("BotLevel", "SeatColour", "Speech", "PageMessage", "ServerMessage"), sys.modules[__name__]
    )
    | {"Seat": display},
)
"""The converter between messages and JSON.

In JSON, a message has a ``type``.  The objects in its fields have none, except in embedded
documents.
"""


def read_message(text: str) -> PageMessage:
    """Parse a message from a page; raise `MessageError` if the text is not a valid message."""
    return cast(PageMessage, _read(text, PageMessage))


def read_request(text: str, kind: type[T]) -> T:
    """Parse the text of a request of the class `kind`; raise `MessageError` if it is not valid."""
    return cast(T, _read(text, kind))


def _read(text: str, kind: Any) -> Any:
    try:
        return codec.structured(MESSAGES, codec.parse(text), kind)
    except codec.CodecError as error:
        raise MessageError(f"not a message: {error}") from error


def write(message: ServerMessage | Sent | PageMessage | Entry) -> str:
    """Convert a message to JSON; equal messages produce equal texts."""
    return codec.text_of(codec.unstructured(MESSAGES, message))


def write_welcome(welcome: Welcome, log: Iterable[str]) -> str:
    """Convert a `Welcome` to JSON; `log` contains its log entries, which are already in JSON."""
    return write(welcome).replace('"log":[]', f'"log":[{",".join(log)}]', 1)
