"""Connections to the pages that show a table, with their queues of unsent messages."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

import attrs

from valletta_rules.codec import to_document
from valletta_rules.errors import Refusal
from valletta_rules.svg import Part
from valletta_rules.web import pictures
from valletta_rules.web.accounts import Account
from valletta_rules.web.presenter import Perspective, ViewModel, rule
from valletta_rules.web.protocol import Ended, Patch, Refused, ServerMessage, write
from valletta_rules.words import LANGUAGES

BROKEN: Final = 1011
"""The WebSocket close code after an internal error of the server."""

REPLACED: Final = 4001
"""The WebSocket close code if the link that the page uses is invalid or has been replaced."""

TOO_SLOW: Final = 4008
"""The WebSocket close code if a page reads its messages too slowly."""

MOST_MESSAGES: Final = 256
"""The maximum number of messages in the queue for a page."""

MOST_BYTES: Final = 4_000_000
"""The maximum number of characters in the queue for a page."""

MOST_UNREAD: Final = 20_000_000
"""The maximum total number of characters in the queues for all pages from an address."""


class SendQueue:
    """A queue of messages that have not been sent to a page yet.

    If the page does not read its messages, the queue grows too long and closes the connection.
    """

    def __init__(self, account: Account) -> None:
        """Create an empty queue.

        The number of characters in the queue is added to `Account.unread` of the page's address.
        """
        self._address = account.address
        self._texts: deque[str] = deque()
        self._size = self._sending = 0
        self._news = asyncio.Event()
        self.code: int | None = None
        """The WebSocket close code if the connection must be closed; otherwise `None`."""

    def put(self, text: str) -> None:
        """Append a message; if there are too many, discard them all and close the connection."""
        if self.code is not None:
            return
        self._texts.append(text)
        self._note(self._size + len(text))
        is_long = len(self._texts) > MOST_MESSAGES or self._size > MOST_BYTES
        if is_long or self._address.unread > MOST_UNREAD:
            self.drop()
            self.close(TOO_SLOW)
        self._news.set()

    def _note(self, size: int) -> None:
        """Set the number of characters in the queue to `size`, and update the address's total."""
        self._address.unread += size - self._size
        self._size = size

    def drop(self) -> None:
        """Discard all messages in the queue."""
        self._texts.clear()
        self._sending = 0
        self._note(0)

    def close(self, code: int) -> None:
        """Close the connection with `code` after the messages in the queue have been sent."""
        self.code = self.code or code
        self._news.set()

    async def next(self) -> str | None:
        """Wait for the next message and return it; return `None` if the connection must be closed.

        The call marks the previous message as sent.
        """
        self._note(self._size - self._sending)
        self._sending = 0
        while not self._texts:
            if self.code is not None:
                return None
            self._news.clear()
            await self._news.wait()
        text = self._texts.popleft()
        self._sending = len(text)
        return text


@attrs.define(eq=False)
class Connection:
    """The connection to a page that shows a table."""

    language: str
    """The code of the page's language."""
    account: Account
    """The account to which the page's requests are charged."""
    queue: SendQueue = attrs.field(init=False)
    own: tuple[int, ...] = ()
    """The page's own seats, to which its tokens give access."""
    is_opener: bool = False
    has_curtain: bool = True
    """Whether a page with several seats hides each player's hand until the player is present."""
    viewer: int | None = None
    """The seat whose hand the page shows; `None` for a spectator, or while all hands are hidden."""
    parts: dict[str, Part] = attrs.field(factory=dict)
    """The parts of the drawing that the page has received, by key."""

    def __attrs_post_init__(self) -> None:
        """Create the queue of the connection."""
        self.queue = SendQueue(self.account)

    @property
    def is_shared(self) -> bool:
        """Whether several players share the page, which must hide their hands from each other."""
        return self.has_curtain and len(self.own) > 1

    @property
    def perspective(self) -> Perspective:
        """The perspective from which the page shows the table now."""
        return Perspective(self.viewer, self.language)

    @property
    def log_perspective(self) -> Perspective:
        """The perspective from which the page shows the log: on a shared page, a spectator's."""
        return Perspective(None if self.is_shared else self.viewer, self.language)

    def sit(self, own: tuple[int, ...]) -> None:
        """Assign the seats `own` to the page; if there is only one, show its hand."""
        self.own = own
        self.viewer = None if len(own) != 1 else own[0]

    def hides(self, seat: int | None) -> bool:
        """Return whether the page must hide the hand of `seat`, the seat that must answer."""
        return self.is_shared and seat in self.own and seat != self.viewer

    def turn_to(self, seat: int | None) -> None:
        """Show the hand of `seat` if this is one of the page's own seats.

        A shared page hides all hands instead, unless it already shows the hand of `seat`.
        """
        if self.hides(seat):
            self.viewer = None
        elif seat in self.own:
            self.viewer = seat

    def send(self, message: ServerMessage) -> None:
        """Append a message to the queue."""
        self.queue.put(write(message))

    def refuse(self, request: str | None, revision: int, refusal: Refusal) -> None:
        """Send a refusal, with the text of the clause if the refusal names one."""
        clause = None if refusal.clause is None else rule(refusal.clause, self.language)
        self.send(Refused(request, revision, to_document(refusal), clause))

    def refuse_with_code(self, request: str | None, revision: int, code: str) -> None:
        """Refuse a request for a reason that is not a rule; `code` identifies the reason."""
        sentence = LANGUAGES[self.language].phrase(f"talk.refusals.{code}")
        self.refuse(request, revision, Refusal(code, sentence))

    def end(self, code: str, status: int = REPLACED) -> None:
        """Send the reason why the page cannot stay at the table, and close the connection.

        `code` identifies the reason, and `status` is the WebSocket close code.
        """
        sentence = LANGUAGES[self.language].phrase(f"talk.refusals.{code}")
        self.send(Ended(code, sentence))
        self.queue.close(status)

    def show(self, model: ViewModel) -> Patch:
        """Return the changes from the page's last drawing to `model`, and store the new drawing."""
        patch = pictures.patch(self.parts, model.parts)
        self.parts = dict(model.parts)
        return patch
