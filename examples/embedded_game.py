"""A game inside any server: texts come in, texts go out, and no seat is sent what it may not see.

How the texts travel is up to you: by HTTP, over WebSockets, through a queue.  (The package has a
complete server, too: ``valletta serve``, in `valletta_rules.web`.)

Run ``python examples/embedded_game.py``: two clients that exchange only texts play a game.  The
connection delivers every answer twice, and the clients check that they are never sent a hidden
card.
"""

import random
import secrets
from collections.abc import Sequence

from valletta_rules import (
    Action,
    MalformedActionError,
    News,
    NotAskedError,
    RedactedEvent,
    Refusal,
    Session,
    VallettaError,
    fold,
    from_json,
    outcome,
    to_json,
)
from valletta_rules.bots import make_bot
from valletta_rules.events import CardDrawn
from valletta_rules.words import LANGUAGES, refusal_of


class Room:
    """A table, and the tokens of those who sit around it."""

    def __init__(self, names: Sequence[str], seed: int | None = None) -> None:
        """Lay the table, and make an unguessable token for each seat."""
        self.session = Session(names, seed=seed)
        self.tokens = {secrets.token_urlsafe(): seat for seat in range(len(names))}

    def news(self, token: str, since: int | None) -> str:
        """Return what a client has missed since a revision; without a token, what anybody may see.

        A new client gives `None` as the revision.
        """
        return to_json(self.session.game.since(since, self.tokens.get(token)))

    def answer(self, token: str, revision: int, text: str, language: str = "en") -> str:
        """Make the move that answers the prompt of a revision; return a refusal, or an empty text.

        A client that is not asked is refused before its move is read: the result would tell it
        something about the hand of the player who is.
        """
        session = self.session
        try:
            if (seat := self.tokens.get(token)) is None:
                raise NotAskedError(None, None if session.prompt is None else session.prompt.seat)
            action = from_json(text)
            if not isinstance(action, Action):
                raise MalformedActionError("an action is wanted")
            session.play(action, seat=seat, revision=revision)
        except VallettaError as error:
            return to_json(refusal_of(error, LANGUAGES[language], session.names))
        return ""


class Client:
    """A player at the other end of a connection."""

    def __init__(self, room: Room, token: str, seed: int) -> None:
        """Take a seat, and look at the table."""
        self.room, self.token = room, token
        self.bot = make_bot("automatic", random.Random(seed))
        self.log: list[tuple[RedactedEvent, ...]] = []
        self.news = self.read(room.news(token, None))

    def read(self, text: str) -> News:
        """Read news, and check that they do not tell too much."""
        news = from_json(text)
        assert isinstance(news, News)
        assert not tells_too_much(news), f"this was sent: {news}"
        self.log[news.kept :] = news.steps
        return news

    def catch_up(self) -> None:
        """Ask what has happened since; the events lead to the table that the new view shows."""
        before = self.news.view.table
        self.news = self.read(self.room.news(self.token, self.news.revision))
        events = [event for step in self.news.steps for event in step]
        assert fold(before, events) == self.news.view.table

    def play(self) -> bool:
        """Answer if it is asked, and return whether it was; the answer arrives twice."""
        if not self.news.view.legal_actions:
            return False
        text = to_json(self.bot.decide(self.news.view))
        assert self.room.answer(self.token, self.news.revision, text) == ""
        again = from_json(self.room.answer(self.token, self.news.revision, text))
        assert isinstance(again, Refusal)
        assert again.code == "stale"
        return True


def tells_too_much(news: News) -> bool:
    """Tell whether news show another's hand, or a card that another drew."""
    seat, players = news.view.seat, news.view.table.players
    hands = [player.hand for owner, player in enumerate(players) if owner != seat]
    events = [event for step in news.steps for event in step]
    drawers = [event.seat for event in events if isinstance(event, CardDrawn)]
    return any(hand is not None for hand in hands) or any(drawer != seat for drawer in drawers)


def main() -> None:
    """Let two clients play, and print the result."""
    room = Room(["Anna", "Ben"], seed=1)
    clients = [Client(room, token, seed) for token, seed in zip(room.tokens, (1, 2), strict=True)]
    while any(client.play() for client in clients):
        for client in clients:
            client.catch_up()
    print(outcome(room.session.state))
    for client in clients:
        cards = sum(isinstance(event, CardDrawn) for step in client.log for event in step)
        print(f"A client heard of {len(client.log)} moves, and saw {cards} cards, its own.")
    print("Every answer came twice and was done once.")


if __name__ == "__main__":
    main()
