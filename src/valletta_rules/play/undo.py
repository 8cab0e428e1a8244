"""Permission to undo: the last choice of a game, and three rules to choose from."""

from collections.abc import Collection

import attrs

from valletta_rules.components.values import Value


@attrs.frozen
class LastChoice(Value):
    """A player's answer that has not been undone: the last one, or an earlier one.

    It holds what a caller needs to decide who may undo the answer.
    """

    seat: int
    """The seat that gave it."""
    revision: int
    """The resulting revision; an undo to the revision before takes it back."""
    has_revealed: bool
    """Whether a hidden card was drawn or a barrel revealed since."""
    others_acted: bool
    """Whether another seat has answered since, even if only by a forced answer."""
    players: int
    """The number of seats of the game."""


def may_undo_own(choice: LastChoice | None, seat: int) -> bool:
    """Return whether a seat made the last choice, and no one else has acted since.

    That is: nothing hidden has come to light since, and no other seat has answered.
    """
    return (
        choice is not None
        and choice.seat == seat
        and not (choice.has_revealed or choice.others_acted)
    )


def may_undo_by_consent(choice: LastChoice | None, seat: int, agreed: Collection[int]) -> bool:
    """Return whether all seats but the one that asks have agreed that the last choice is undone.

    Takes the seats that have agreed; count those of bots among them.
    """
    seats = {seat, *agreed}
    return choice is not None and all(each in seats for each in range(choice.players))


def may_undo_freely(choice: LastChoice | None, seat: int) -> bool:
    """Return whether there is a choice to undo, which suffices for players at one screen."""
    return choice is not None
