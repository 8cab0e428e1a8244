"""`valletta`: a game between bots, told turn by turn."""

from __future__ import annotations

import argparse

from valletta_rules.card_sets.files import CardSetError
from valletta_rules.cli import play
from valletta_rules.cli.options import about_cards, heading, new_session, screen_for, spoken
from valletta_rules.cli.screen import FAINT
from valletta_rules.cli.table import Table
from valletta_rules.errors import VariantError
from valletta_rules.words import language_of


def run(arguments: argparse.Namespace) -> int:
    """Play a game as the command line wants it and return the exit status."""
    if arguments.interactive:
        return play.run(arguments)
    language = language_of(spoken(arguments))
    try:
        session = new_session(arguments)
    except (CardSetError, VariantError) as error:
        return play.complain(language.describe_error(error))
    screen = screen_for(session.record, language)
    table = Table(session, arguments.bot, screen, is_told=not arguments.quiet)
    if table.is_told:
        screen.say(f"Valletta: {heading(table)}")
        screen.fill(about_cards(session.record.cards, language), style=FAINT)
    if table.play(arguments.max_turns):
        return play.show_result(table)
    return play.break_off(table, arguments.max_turns)
