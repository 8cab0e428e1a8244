"""Connections: the pages that are open at a table, and the messages on their way to each."""

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
from valletta_rules.web.protocol import Ended, Patch, Refused, Told, write
from valletta_rules.words import LANGUAGES

BROKEN: Final = 1011
"""The code that closes a connection for which something went wrong."""

REPLACED: Final = 4001
"""The code that closes a connection whose link is not valid, or not any more."""

TOO_SLOW: Final = 4008
"""The code that closes a connection which does not read what it is sent."""

MOST_MESSAGES: Final = 256
"""How many messages may be on their way to a page."""

MOST_BYTES: Final = 4_000_000
"""How many characters they may have together."""

MOST_UNREAD: Final = 20_000_000
"""How many characters may be on their way to all pages of an address."""


class SendQueue:
    """The messages on their way to a page; a page that does not read is closed."""

    def __init__(self, account: Account) -> None:
        """Begin empty; take the account of the page."""
        self._address = account.address
        self._texts: deque[str] = deque()
        self._size = self._sending = 0
        self._news = asyncio.Event()
        self.code: int | None = None
        """The code with which the connection is to be closed, if it is."""

    def put(self, text: str) -> None:
        """Send a text."""
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
        """Note how many characters are on their way."""
        self._address.unread += size - self._size
        self._size = size

    def drop(self) -> None:
        """Forget all that is on its way."""
        self._texts.clear()
        self._sending = 0
        self._note(0)

    def close(self, code: int) -> None:
        """Let the connection be closed after the messages that wait."""
        self.code = self.code or code
        self._news.set()

    async def next(self) -> str | None:
        """Wait for the next text and return it; `None` if the connection is to be closed.

        The one before it has been sent.
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
    """A page that is open at a table."""

    language: str
    """The code of its language."""
    account: Account
    """Who pays for what it asks for."""
    queue: SendQueue = attrs.field(init=False)
    own: tuple[int, ...] = ()
    """The seats whose tokens it has shown."""
    is_opener: bool = False
    has_curtain: bool = True
    """Whether hands are hidden between several seats of it."""
    viewer: int | None = None
    """The seat whose hand it shows; `None` for a spectator, and while the curtain is down."""
    parts: dict[str, Part] = attrs.field(factory=dict)
    """The parts of the drawing that the page has."""

    def __attrs_post_init__(self) -> None:
        """Begin with nothing on its way."""
        self.queue = SendQueue(self.account)

    @property
    def is_shared(self) -> bool:
        """Whether several people share it, between whom there is a curtain."""
        return self.has_curtain and len(self.own) > 1

    @property
    def perspective(self) -> Perspective:
        """Who looks at the table now."""
        return Perspective(self.viewer, self.language)

    @property
    def log_perspective(self) -> Perspective:
        """Who reads the log: on a screen of several, only what everybody may know."""
        return Perspective(None if self.is_shared else self.viewer, self.language)

    def sit(self, own: tuple[int, ...]) -> None:
        """Take seats; a single one needs no curtain."""
        self.own = own
        self.viewer = None if len(own) != 1 else own[0]

    def hides(self, asked: int | None) -> bool:
        """Tell whether the curtain hides the hand of the player who is asked."""
        return self.is_shared and asked in self.own and asked != self.viewer

    def turn_to(self, asked: int | None) -> None:
        """Lower the curtain if somebody else at this screen is asked, or show the hand."""
        if self.hides(asked):
            self.viewer = None
        elif asked in self.own:
            self.viewer = asked

    def tell(self, message: Told) -> None:
        """Send a message."""
        self.queue.put(write(message))

    def refuse(self, request: str | None, revision: int, refusal: Refusal) -> None:
        """Refuse a request, and say why."""
        clause = None if refusal.clause is None else rule(refusal.clause, self.language)
        self.tell(Refused(request, revision, to_document(refusal), clause))

    def say_no(self, request: str | None, revision: int, code: str) -> None:
        """Refuse a request for a reason other than the rules."""
        said = LANGUAGES[self.language].say(f"talk.refusals.{code}")
        self.refuse(request, revision, Refusal(code, said))

    def end(self, code: str, status: int = REPLACED) -> None:
        """Say why the page cannot be at the table, and close the connection after that."""
        said = LANGUAGES[self.language].say(f"talk.refusals.{code}")
        self.tell(Ended(code, said))
        self.queue.close(status)

    def show(self, shown: ViewModel) -> Patch:
        """Return what has changed since the page was last sent the drawing, and note that."""
        patch = pictures.patch(self.parts, shown.parts)
        self.parts = dict(shown.parts)
        return patch
