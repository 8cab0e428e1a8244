"""Read the commands that a player types, execute them, and print replies."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import attrs

from valletta_rules.actions import Action, Build, Pay, Upgrade
from valletta_rules.agenda import DraftPrompt, PaymentPrompt, PlayPrompt, SitePrompt
from valletta_rules.analysis.words import describe_advice
from valletta_rules.cli.options import USUAL_BOT, file_name
from valletta_rules.cli.screen import FAINT, STRONG, WARNING, Footer, Screen
from valletta_rules.cli.table import TerminalTable
from valletta_rules.errors import IllegalActionError
from valletta_rules.records.files import format_record, write_record
from valletta_rules.rulebook.card_effects import REDUCTIONS
from valletta_rules.specification import clauses
from valletta_rules.specification.finder import find
from valletta_rules.text.files import printable_path, write_whole
from valletta_rules.text.notation import AmbiguousMoveError, NotAMoveError, characters_called
from valletta_rules.text.values import plain
from valletta_rules.views.player_information import Offer, affordable_sites, table_information
from valletta_rules.views.view import PlayerView
from valletta_rules.words import ENGLISH, Language, tables
from valletta_rules.words.typed import parse_action, suggestion

PAGE: Final = 12
"""The maximum number of payments that are listed; players type any other payment in words."""


class QuitError(Exception):
    """Raised when the player leaves the game."""


@attrs.define
class Console:
    """A console that shows the prompts of a game to a player, and executes the player's input."""

    table: TerminalTable
    code: str
    """The code of the language in which the game is shown, such as ``en``."""
    file: str | None = None
    """The file in which the game is saved, if there is one."""
    is_answered: bool = False
    """Whether the last input changed the game, so that the next prompt must be shown."""
    footer: Footer = attrs.field(factory=lambda: Footer(False))
    """The footer of the terminal, which shows the board."""

    @property
    def screen(self) -> Screen:
        """The screen on which the game is shown."""
        return self.table.screen

    @property
    def language(self) -> Language:
        """The language in which the game is shown."""
        return self.screen.language

    @property
    def phrase(self) -> Callable[..., str]:
        """A function that returns the phrase with a given key in the language of the game."""
        return self.language.phrase

    def request_move(self) -> None:
        """Show the prompt, and execute input until the game has changed.

        Raises `QuitError` at the end of the input.
        """
        self.show()
        self.is_answered = False
        while not self.is_answered:
            self.obey(self.read())

    def read(self) -> str:
        """Read and return a line of input; raise `QuitError` if there is no further input."""
        self.footer.lift()
        try:
            typed = input("  > ").strip()
        except (EOFError, RuntimeError):
            raise QuitError from None
        self.footer.lower()
        return typed

    def show(self) -> None:
        """Show the position, the prompt, and the legal actions."""
        view, screen = self.table.own_view(), self.screen
        self.footer.show(self.board_of(view))
        screen.write()
        if isinstance(view.prompt, PlayPrompt | DraftPrompt) and not view.table.played:
            self.show_players(view)
        else:
            holdings = self.language.describe_holdings(view, self.table.person or 0)
            self.print_indented(holdings, FAINT)
        assert view.hand is not None, "a player has a hand"
        hand = ", ".join(self.language.short_names[card] for card in view.hand)
        space = view.table.valette
        where = (
            self.phrase("console.valette", space=space) if space else self.phrase("console.tower")
        )
        self.print_indented(
            f"{self.phrase('console.hand')}: {hand or self.phrase('console.no_card')}; {where}",
            FAINT,
        )
        self.print_indented(self.language.describe_prompt(view, screen.names), STRONG)
        self.offer(view)

    def board_of(self, view: PlayerView) -> Sequence[str]:
        """Return the board as lines for the footer, or no lines if the board does not fit.

        The full drawing of the board is used if it needs at most half of the available lines, and a
        compact drawing otherwise.
        """
        screen, room = self.screen, self.footer.room()
        high, low = (False, "console.legend", room // 2), (True, "console.low_legend", room)
        for is_low, key, most in (high, low):
            drawn = tables.sketch_display(
                view, screen.names, self.language, screen.width, is_low=is_low
            )
            legend = screen.painted(self.phrase(key)[: screen.width], FAINT)
            lines = [legend, *screen.painted(drawn).split("\n")]
            if len(lines) <= most:
                return lines
        return ()

    def show_players(self, view: PlayerView) -> None:
        """Show the players' public information: as a table, or in words on a narrow screen."""
        screen = self.screen
        lines = tables.draw_players(view, screen.names, self.language).split("\n")
        if max(map(len, lines)) + 2 <= screen.width:
            screen.write("\n".join(f"  {line}" for line in lines))
            return
        for seat in range(self.table.session.record.players):
            holdings = self.language.describe_holdings(view, seat)
            self.print_indented(f"{screen.names[seat]}: {holdings}")

    def offer(self, view: PlayerView) -> None:
        """List the legal actions and their inputs.  Of many payments, list only the cheapest."""
        choices = list(choices_of(view).items())
        if isinstance(view.prompt, SitePrompt) and (offers := offers_of(view, view.prompt)):
            self.screen.write(tables.draw_offers(offers, self.language, self.screen.width))
            choices = choices[len(offers) :]
        most = PAGE if isinstance(view.prompt, PaymentPrompt) else len(choices)
        for key, action in choices[:most]:
            words = self.language.describe_action(view, action)
            self.screen.fill(words, f"  {key:>4}  ", " " * 8)
        if len(choices) > most:
            self.screen.fill(self.phrase("console.more", count=len(choices) - most), " " * 8)

    def obey(self, typed: str) -> None:
        """Execute the input `typed`: a command, the number of an action, or a move in words."""
        word, rest = [*typed.split(maxsplit=1), "", ""][:2]
        command = {**ENGLISH.commands, **self.language.commands}.get(word.lower())
        if command is not None:
            getattr(self, f"do_{command}")(rest)
        elif typed:
            self.move(typed)

    def move(self, typed: str) -> None:
        """Make the move that is typed as a number or in words, or print why this is impossible."""
        with self.explaining(typed):
            self.table.session.play(self.meant(typed))
            self.is_answered = True

    @contextmanager
    def explaining(self, typed: str, *, in_full: bool = False) -> Iterator[None]:
        """Return a context manager that prints why a typed move is not understood or is illegal.

        If `in_full`, it also prints the text of the clause that the move violates.
        """
        language = self.language
        try:
            yield
        except NotAMoveError:
            self.reply(self.not_understood(typed))
        except AmbiguousMoveError as error:
            view = self.table.own_view()
            moves = "; ".join(language.describe_action(view, move) for move in error.candidates)
            self.reply(self.phrase("console.ambiguous", moves=moves))
        except IllegalActionError as error:
            violation = error.violation
            reason = language.describe_violation(violation, self.screen.names)
            self.reply(self.phrase("console.refused", reason=reason, clause=violation.clause))
            if in_full:
                clause = clauses.explain(violation.clause, self.code)
                self.print_indented(f"{clause.id}: {clause.text}")

    def meant(self, typed: str) -> Action:
        """Return the action for the input `typed`: a number from the list, or a move in words."""
        view = self.table.own_view()
        return choices_of(view).get(typed) or parse_action(view, typed)

    def not_understood(self, typed: str) -> str:
        """Return the error message for unknown input, with a suggestion if possible."""
        text, near = plain(typed), suggestion(typed, self.language)
        if near is None:
            return self.phrase("console.not_understood", text=text)
        return self.phrase("console.suggestion", text=text, meant=near)

    def print_indented(self, text: str, style: str = "") -> None:
        """Print a text, indented and wrapped."""
        self.screen.fill(text, "  ", "    ", style)

    def reply(self, text: str) -> None:
        """Print the reply to an input."""
        self.print_indented(text, WARNING)

    # Commands: `do_` and the name of the command; the argument is the rest of the input

    def do_help(self, rest: str) -> None:
        """Show the list of commands, and show the prompt again."""
        is_paying = isinstance(self.table.own_view().prompt, PaymentPrompt)
        table = self.language.table
        rows = [*table("console.help_commands").items()]
        rows += table("console.help_paying").items() if is_paying else ()
        column = 4 + max(len(word) for word, _ in rows)
        self.screen.fill(self.phrase("console.help"))
        for word, meaning in rows:
            self.screen.fill(meaning, f"  {word}".ljust(column), " " * column)
        self.show()

    def do_board(self, rest: str) -> None:
        """Show the buildings and the street, and show the prompt again."""
        self.table.narrator.draw_display(self.table.own_view())
        self.show()

    def do_info(self, rest: str) -> None:
        """Show the public information about the players."""
        known = table_information(self.table.own_view())
        screen = self.screen
        screen.write(tables.describe_information(known, self.language, screen.names, screen.width))

    def do_hint(self, rest: str) -> None:
        """Show advice for the prompt: two or three actions with their values and reasons."""
        view = self.table.own_view()
        for sentence in describe_advice(self.language, view, self.table.hint()):
            self.reply(sentence)

    def do_why(self, rest: str) -> None:
        """Show why the move in `rest` is illegal, or that it is legal."""
        first, _, others = rest.partition(" ")
        negations = (ENGLISH.phrase("console.negation"), self.phrase("console.negation"))
        wanted = others if first.lower() in negations else rest
        if not wanted:
            self.reply(self.phrase("console.why_what"))
            return
        with self.explaining(wanted, in_full=True):
            self.meant(wanted)
            self.reply(self.phrase("console.allowed"))

    def do_rule(self, rest: str) -> None:
        """Show the rule or the card effect that `rest` names."""
        if not rest:
            self.reply(self.phrase("console.rule_what"))
            return
        for card in (cards := characters_called(rest)):
            effect = self.language.describe_effect(card)
            self.print_indented(f"{self.language.short_names[card]}: {effect}")
        if not cards:
            try:
                self.print_rule(clauses.look_up(rest, self.code))
            except clauses.UnknownClauseError:
                self.print_matches(rest)

    def print_matches(self, words: str) -> None:
        """Show the rules that match the given words best."""
        matches = find(words, self.code)[:FEW]
        for each in matches:
            self.print_indented(f"{each.id}  {each.title}: {each.text}")
        if not matches:
            self.reply(self.phrase("console.no_rule", name=plain(words)))

    def print_rule(self, entry: clauses.ClauseText | clauses.Chapter | clauses.RulingText) -> None:
        """Show the title and text of a clause, or a chapter or ruling in full."""
        if isinstance(entry, clauses.ClauseText):
            self.print_indented(f"{entry.id}  {entry.title}", STRONG)
            self.screen.fill(entry.text, "  ")
            self.screen.fill(self.phrase("console.more_of_rule", name=entry.id), "  ", style=FAINT)
        else:
            self.screen.write(str(entry))

    def do_undo(self, rest: str) -> None:
        """Undo the player's last choice."""
        self.is_answered = self.table.undo()
        self.reply(self.phrase("console.undone" if self.is_answered else "console.nothing_to_undo"))

    def do_save(self, rest: str) -> None:
        """Save the game to the file that `rest` names, by default to `Console.file`.

        Apart from `Console.file`, no existing file is overwritten.
        """
        if self.write(file_name(rest) or self.file or FILE):
            self.screen.write(
                f"    {self.phrase('console.go_on', command=self.going_on())}", WARNING
            )

    def write(self, file: str) -> bool:
        """Write the game to a file, report the result, and return whether it succeeded."""
        named, record = printable_path(file), self.table.session.record
        try:
            if file == self.file:
                write_record(record, file)
            else:
                content = format_record(record).encode("utf-8")
                write_whole(file, content, new=True)
        except FileExistsError:
            self.reply(self.phrase("console.exists", file=named))
            return False
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.reply(self.phrase("console.not_saved", file=named, reason=reason))
            return False
        self.file = file
        self.reply(self.phrase("console.saved", file=named))
        return True

    def going_on(self) -> str:
        """Return the shell command that resumes the saved game."""
        assert self.file is not None, "the game is in a file"
        command = f"valletta play --resume={shlex.quote(printable_path(self.file))}"
        bot = self.table.bot
        return command if bot == USUAL_BOT else f"{command} --bot={shlex.quote(bot)}"

    def do_quit(self, rest: str) -> None:
        """Leave the game by raising `QuitError`."""
        raise QuitError


FEW: Final = 3
"""The maximum number of rules that are shown if a player searches for words."""

FILE: Final = "valletta.txt"
"""The default name of the file in which a game is saved."""


def choices_of(view: PlayerView) -> Mapping[str, Action]:
    """Return the legal actions, keyed by the input that chooses each, in the order of printing.

    A site is chosen by its number, and ``-`` means to build nothing.  At other prompts, actions are
    numbered from 1, and the cheapest payments come first.
    """
    actions = view.legal_actions
    if isinstance(view.prompt, SitePrompt):
        return {_site_of(action): action for action in actions}
    if isinstance(view.prompt, PaymentPrompt):
        actions = tuple(sorted(actions, key=lambda pay: isinstance(pay, Pay) and pay.goods.total))
    return {str(number): action for number, action in enumerate(actions, 1)}


def _site_of(action: Action) -> str:
    """Return the input that chooses a site: its number, or ``-`` to build nothing."""
    return str(action.site) if isinstance(action, Build | Upgrade) else "-"


def offers_of(view: PlayerView, prompt: SitePrompt) -> Sequence[Offer]:
    """Return the sites that can be built on or upgraded, in the order of the legal actions."""
    card = next(card for card, reduction in REDUCTIONS.items() if reduction == prompt.reduction)
    offers = {offer.action: offer for offer in affordable_sites(view, prompt.seat, card)}
    return [offers[each] for each in view.legal_actions if isinstance(each, Build | Upgrade)]
