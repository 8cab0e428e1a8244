"""Permission to undo: data about the last choice in a game, and three possible policies."""

from collections.abc import Collection

import attrs

from valletta_rules.components.values import Value


@attrs.frozen
class LastChoice(Value):
    """A player's answer that has not been undone, and facts about the moves after it.

    Callers use these facts to decide who may undo the answer.
    """

    seat: int
    """The seat that gave the answer."""
    revision: int
    """The revision that the answer produced. An undo to `revision - 1` removes the answer."""
    has_revealed: bool
    """Whether a hidden card was drawn or a barrel was revealed after the answer."""
    others_acted: bool
    """Whether another seat has answered since this answer, even with a forced answer."""
    players: int
    """The number of seats in the game."""


def may_undo_own(choice: LastChoice | None, seat: int) -> bool:
    """Return whether a seat may undo the last choice without the consent of the other players.

    The seat must have made the choice itself. The result is false if hidden information was
    revealed after the choice, or if another seat answered.
    """
    return (
        choice is not None
        and choice.seat == seat
        and not (choice.has_revealed or choice.others_acted)
    )


def may_undo_by_consent(choice: LastChoice | None, seat: int, agreed: Collection[int]) -> bool:
    """Return whether a seat may undo the last choice because all other seats have agreed.

    `agreed` contains the seats that have agreed. Callers should include the seats of bots.
    """
    seats = {seat, *agreed}
    return choice is not None and all(each in seats for each in range(choice.players))


def may_undo_freely(choice: LastChoice | None, seat: int) -> bool:
    """Return whether there is a choice to undo; this policy is for players who share a screen."""
    return choice is not None
