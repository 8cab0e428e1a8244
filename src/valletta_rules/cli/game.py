"""The game that the options of a command line describe, and how it is shown."""

from __future__ import annotations

import argparse
import random

from valletta_rules.card_sets.files import RECONSTRUCTION, load_card_set
from valletta_rules.cli.screen import Screen, columns, wants_colour
from valletta_rules.cli.table import TerminalTable
from valletta_rules.components.card_set import CardSet
from valletta_rules.play.session import Session
from valletta_rules.records.record import Record
from valletta_rules.rulings import EDITIONS, HANS_IM_GLUECK, VARIANTS
from valletta_rules.words import Language


def new_session(arguments: argparse.Namespace) -> Session:
    """Return a session of the requested game, with a seed that can be shown.

    Raises `CardSetError` and `VariantError`.
    """
    edition = HANS_IM_GLUECK if arguments.rules is None else EDITIONS[arguments.rules]
    variants = arguments.variant or ()
    rules = edition.with_variants(**{VARIANTS[name]: True for name in variants})
    cards = RECONSTRUCTION if arguments.cards is None else load_card_set(arguments.cards)
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    return Session(arguments.players or 2, rules=rules, cards=cards, seed=seed, skip_forced=True)


def screen_for(record: Record, language: Language) -> Screen:
    """Return the screen for a game, with the names of its players."""
    names = record.names or language.names[: record.players]
    return Screen(language, names, columns(), wants_colour())


def heading(table: TerminalTable) -> str:
    """Describe the game: players, rules and cards."""
    language, record = table.screen.language, table.session.record
    say = language.say
    about = [language.describe_rules(record.rules), say("console.players", count=record.players)]
    if table.is_seed_told:
        about.append(say("console.seed", seed=table.session.seed))
    return ", ".join(about)


def about_cards(cards: CardSet, language: Language) -> str:
    """Name the card set, and say that the built-in one is a reconstruction."""
    say = language.say
    return (
        say("console.reconstruction")
        if cards == RECONSTRUCTION
        else say("console.cards", name=cards.name)
    )
