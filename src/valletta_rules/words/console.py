"""What a terminal says around a game, in a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs


@attrs.frozen(kw_only=True)
class Console:
    """The phrases of the command line: what stands in braces is filled in.

    Every language has all of them, with the same parts in braces.
    """

    # A game that is told
    players: str
    """How many players there are."""
    seed: str
    """By which seed is played."""
    variants: Mapping[str, str]
    """The variants by their names in text."""
    reconstruction: str
    """That the card values are not those that are printed."""
    cards: str
    """With which cards is played."""
    legend: str
    """What a drawing of the display shows."""
    opening_hand: str
    """What the line of the first cards drawn begins with."""
    refill: str
    """What the line of the cards drawn at the end of a turn begins with."""
    draws: str
    """Somebody draws this."""
    no_effect: str
    """That a card did nothing."""
    own_turn: str
    """That it is the reader's turn, and the how manieth."""
    turn: str
    """Whose turn it is, the how manieth, and what lies in front of the player."""
    few: Sequence[str]
    """How many cards are to be played, if they are fewer than usual: 0, 1, 2."""
    after_rounds: str
    """How the players would score after some rounds."""
    now: str
    """How the players would score now."""
    score_sheet: str
    """The heading of the score sheet."""
    unfinished: str
    """That the game is left."""
    unsaved: str
    """That the game is lost, and what would have kept it."""
    broken_off: str
    """That the game is broken off after too many turns."""

    # A game that is played
    welcome: str
    """What is said to a person who begins to play."""
    hand: str
    """What the hand begins with."""
    no_card: str
    """What is said of an empty hand."""
    valette: str
    """On which space Valette stands."""
    tower: str
    """That Valette stands on the tower."""
    build: str
    """That something is built."""
    upgrade: str
    """That something is upgraded."""
    more: str
    """How many payments there are besides those listed."""
    help: str
    """What can be typed, before the words that are commands."""
    help_commands: Sequence[tuple[str, str]]
    """Words that can be typed, and what they do."""
    help_paying: Sequence[tuple[str, str]]
    """What can be typed besides, to pay."""
    not_understood: str
    """What is said of a text that is no move."""
    suggestion: str
    """What was perhaps meant."""
    ambiguous: str
    """What is said of a text that can mean several moves."""
    refused: str
    """What is said of an illegal move: why, and by which clause."""
    allowed: str
    """What is said if it is asked why a legal move is illegal."""
    negation: str
    """What may stand before a move of which it is asked why not."""
    why_what: str
    """What is said if it is not said of which move it is asked why not."""
    rule_what: str
    """What is said if it is not said which rule is wanted."""
    more_of_rule: str
    """How more is told of a rule."""
    no_rule: str
    """That nothing has the name of a rule."""
    undone: str
    """That a move is taken back."""
    nothing_to_undo: str
    """That there is no move to take back."""
    hint: str
    """What is advised."""
    worth: str
    """How many points ahead a plan is expected to lead."""
    decimal: str
    """What stands before the tenths of a number."""
    saved: str
    """That the game is written to a file."""
    go_on: str
    """How to go on with a game that is saved."""
    not_saved: str
    """That the game cannot be written to a file, and why."""
    exists: str
    """That there is a file of that name already."""
    resumed: str
    only_resumed: str
    """With which file is gone on."""
    no_input: str
    """That nobody can play without an input."""
    commands: Mapping[str, str]
    """Words that people type, and the commands for which they stand."""

    # A game that is replayed
    by_the_rules: str
    """Who plays by which rules."""
    turn_of: str
    """The how manieth turn it is, and whose."""
    chooses: str
    """Who chooses to do what."""
    record_ends: str
    """That the record ends, and what is asked."""
    unreadable: str
    """That a file cannot be read, and why."""
    until: str
    """How far a record can be told."""
    cannot_write: str
    """That the output cannot be written, and why."""

    def advise(self, action: str, ahead: float | None) -> str:
        """Say what is advised, and how many points ahead it leads, if that is known."""
        said = self.hint.format(action=action)
        if ahead is None:
            return said
        points = f"{ahead:+.1f}".replace(".", self.decimal)
        return f"{said} {self.worth.format(points=points)}"
