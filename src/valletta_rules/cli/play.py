"""`valletta play`: play in the terminal."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from typing import Final, NoReturn

from valletta_rules.bots.registry import split_specs
from valletta_rules.cli import game
from valletta_rules.cli.console import Console, QuitError
from valletta_rules.cli.options import GAME, USUAL_BOT, add_language, add_options, add_path, spoken
from valletta_rules.cli.screen import FAINT, Footer
from valletta_rules.cli.statuses import DONE, INTERRUPTED, UNFINISHED, ComplaintError
from valletta_rules.cli.table import TerminalTable
from valletta_rules.play.session import Session
from valletta_rules.records.files import read_record
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.text.files import printable_path
from valletta_rules.words import Language, draw_score_sheet, language_of

PERSON: Final = 0
"""The seat of the human player."""


ABOUT: Final = "Play a game of Valletta against bots.  Type ? for the list of commands."
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.argument_default = argparse.SUPPRESS
    parser.set_defaults(program="valletta")
    add_options(parser)
    add_language(parser)
    add_path(parser, "--resume", "continue the game in this file")
    parser.add_argument(
        "--no-redraw",
        action="store_true",
        help="print line by line, without a board at the bottom of the terminal; this is the "
        "default with NO_COLOR, TERM=dumb, fewer than 80 columns, or too few rows",
    )


def run(arguments: argparse.Namespace) -> int:
    """Let a person play the game that the arguments describe, and return the exit status."""
    code = spoken(arguments)
    language = language_of(code)
    phrase, file = language.phrase, arguments.resume
    if sys.stdin is None:
        raise ComplaintError(phrase("console.no_input"))
    if game.STANDARD_INPUT in (file, arguments.cards):
        raise ComplaintError(phrase("console.typed_on"))
    new_game_options = [f"--{name}" for name in GAME if getattr(arguments, name) is not None]
    if file is not None and new_game_options:
        raise ComplaintError(phrase("console.only_resumed", options=", ".join(new_game_options)))
    if file is None:
        session = game.new_session(arguments, language)
    else:
        session = game.read_game(
            file,
            language,
            lambda path: Session.resume(read_record(path), seed=arguments.seed, skip_forced=True),
        )
    check_bots(arguments.bot, session, language)
    with suppress(ImportError):
        import readline  # noqa: F401  # enables line editing
    screen = game.screen_for(session.record, language)
    has_seed = file is None or arguments.seed is not None
    table = TerminalTable(
        session, arguments.bot or USUAL_BOT, screen, PERSON, is_seed_visible=has_seed
    )
    _welcome(table, file)
    is_redrawn = screen.is_coloured and sys.stdin.isatty() and not arguments.no_redraw
    console = Console(table, code, file, footer=Footer(is_redrawn))
    return _play(console, arguments.max_turns)


def watch(arguments: argparse.Namespace) -> int:
    """Let bots play a game, narrate it turn by turn, and return the exit status.

    With ``--interactive``, a person plays one seat.
    """
    if arguments.interactive:
        return run(arguments)
    language = language_of(spoken(arguments))
    session = game.new_session(arguments, language)
    check_bots(arguments.bot, session, language)
    screen = game.screen_for(session.record, language)
    table = TerminalTable(
        session, arguments.bot or USUAL_BOT, screen, is_narrated=not arguments.quiet
    )
    if table.is_narrated:
        introduce(table)
    if table.play(arguments.max_turns):
        return show_result(table)
    break_off(table, arguments.max_turns)


def check_bots(bots: str | None, session: Session, language: Language) -> None:
    """Raise `ComplaintError` unless there is one bot for all seats, or one for each seat."""
    count, players = len(split_specs(bots or USUAL_BOT)), session.record.players
    if count not in (1, players):
        raise ComplaintError(language.phrase("console.bots", count=count, players=players))


def _play(console: Console, max_turns: int) -> int:
    """Let the person play until the game is over or the person leaves; return the exit status."""
    screen, phrase = console.screen, console.phrase
    try:
        with console.footer:
            is_over = console.table.play(max_turns, console.request_move)
    except (QuitError, KeyboardInterrupt) as ended:
        screen.write(f"\n{phrase('console.unfinished')}")
        if isinstance(ended, QuitError):
            return DONE
        if console.file is None:
            screen.fill(phrase("console.unsaved"))
        else:
            console.do_save(console.file)
        return INTERRUPTED
    if not is_over:
        break_off(console.table, max_turns)
    if console.file is not None:
        console.write(console.file)
    return show_result(console.table)


def introduce(table: TerminalTable) -> None:
    """Print a description of the game and the name of its card set."""
    screen = table.screen
    screen.fill(f"Valletta: {game.heading(table)}")
    screen.fill(game.about_cards(table.session.record.cards, screen.language), style=FAINT)


def _welcome(table: TerminalTable, file: str | None) -> None:
    """Print a description of the game and the name of the human player.

    If the game is resumed from `file`, print its board, too.
    """
    screen, phrase = table.screen, table.screen.language.phrase
    introduce(table)
    if file is not None:
        screen.fill(phrase("console.resumed", file=printable_path(str(file))))
        table.catch_up()
        table.narrator.draw_display(table.own_view())
    screen.fill(phrase("console.welcome", name=screen.names[PERSON]))


def show_result(table: TerminalTable) -> int:
    """Print the score sheet of a game that is over, and return the exit status."""
    screen, phrase = table.screen, table.screen.language.phrase
    result = outcome(table.session.state)
    assert result is not None, "the game is over"
    about = game.heading(table)
    if table.is_narrated:
        screen.write()
        about = phrase("console.score_sheet", about=about)
    screen.fill(about)
    screen.write()
    screen.write(draw_score_sheet(result, screen.names, screen.language))
    return DONE


def break_off(table: TerminalTable, max_turns: int) -> NoReturn:
    """Print the standings of a game with more than `max_turns` turns; raise `ComplaintError`."""
    screen, phrase = table.screen, table.screen.language.phrase
    standings = screen.language.describe_standings(table.session.state, screen.names)
    screen.write()
    screen.fill(phrase("console.now", standings=standings), rest="  ")
    raise ComplaintError(phrase("console.broken_off", turns=max_turns), UNFINISHED)
