"""`python -m valletta_rules`: a whole game on the console, watched or played."""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from valletta_rules.actions import Action, Pay
from valletta_rules.agenda import ChancePrompt, DealPrompt, PaymentPrompt
from valletta_rules.bots.automatic import choose
from valletta_rules.card_sets.files import RECONSTRUCTION, CardSetError, load_card_set
from valletta_rules.chance import sample_chance
from valletta_rules.cli import cards, conformance, replay, rule
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.engine import Transition, check, legal_actions, transition
from valletta_rules.errors import VariantError
from valletta_rules.events import (
    BuildingDealt,
    CardDrawn,
    CardPlayed,
    EffectFizzled,
    Event,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsTaken,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    TurnBegan,
)
from valletta_rules.games import new_game
from valletta_rules.layout import filled
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulebook.turn import PLAYS_PER_TURN
from valletta_rules.rulings import EDITIONS, VARIANTS
from valletta_rules.state import GameState
from valletta_rules.text.notation import parse_goods
from valletta_rules.text.values import LARGEST, UnfitError, read_number
from valletta_rules.version import __version__
from valletta_rules.words.english import (
    NAMES,
    SHORT_NAMES,
    counted,
    describe_action,
    describe_holdings,
    describe_prompt,
    describe_standings,
    tell,
    title,
)
from valletta_rules.words.tables import draw_score_sheet, sketch_display

DONE: Final = 0
"""Exit status: the game was played, or left at the person's wish."""

UNFINISHED: Final = 1
"""Exit status: the game was broken off, or nobody reads the output."""

MISUSED: Final = 2
"""Exit status: the options do not fit, or the card set is faulty."""

INTERRUPTED: Final = 130
"""Exit status: interrupted from the keyboard, as shells count it."""

MAX_TURNS: Final = 1000
"""How many turns a game may take, if nothing else is said; about twenty times the usual."""

ROUNDS: Final = 4
"""After every so many turns of the start player the standings are told."""

PAGE: Final = 12
"""How many payments are listed at a time."""

LABEL: Final = 16
"""How many columns the card's name takes before what it did."""

PERSON: Final = 0
"""The seat that a person takes."""

LEGEND: Final = "(site, letter, character; cost in gold, wood, stone, brick; points, icon, owner)"
"""What a drawing of the display shows."""

HELP: Final = """\
Type the number of what you want to do, or
  b         to see the buildings and the street
  q         to leave the game"""
"""What a person can type."""

PAYING: Final = """\
  2g 1w     to pay 2 gold and 1 wood (g gold, w wood, s stone, b brick)
  m         to see more payments
  all       to see all of them"""
"""What a person can type besides, to pay."""


class _QuitError(Exception):
    """The person leaves the game."""


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out a command line (by default that of the process) and return its exit status."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        arguments = build_parser().parse_args(argv)
        status: int = arguments.run(arguments)
        print(end="", flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            print(f"valletta: cannot write: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNFINISHED
    except KeyboardInterrupt:
        return INTERRUPTED
    return status if is_open(sys.stdout) else UNFINISHED


def is_open(stream: object) -> bool:
    """Tell whether a standard stream is there: a program can be started without it."""
    return stream is not None


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="valletta",
        description="Play a game of Valletta between automatic players, or with --interactive "
        "against them, and tell it turn by turn.",
    )
    version = f"valletta-rules {__version__}"
    parser.add_argument("--version", action="version", version=version)
    _add_options(parser)
    parser.set_defaults(run=run)
    commands = parser.add_subparsers(title="other commands", metavar="COMMAND")
    cards.add_parser(commands)
    rule.add_parser(commands)
    replay.add_parser(commands)
    conformance.add_parser(commands)
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a game to be played or watched."""
    add = parser.add_argument
    add("--players", type=int, choices=(2, 3, 4), default=2, help="how many play (default: 2)")
    add(
        "--seed",
        type=_number(0),
        metavar="N",
        help="repeat the game of this seed (default: a new one)",
    )
    add("--rules", choices=EDITIONS, default="hans-im-glueck", help="the edition of the rules")
    add(
        "--variant",
        choices=VARIANTS,
        action="append",
        default=[],
        help="play with a variant; may be given twice",
    )
    add("--cards", metavar="FILE", help="play with the card set of this file")
    add(
        "--max-turns",
        type=_number(1),
        default=MAX_TURNS,
        metavar="N",
        help=f"break the game off after so many turns (default: {MAX_TURNS})",
    )
    manner = parser.add_mutually_exclusive_group()
    manner.add_argument("--quiet", action="store_true", help="print only the score sheet")
    manner.add_argument(
        "--interactive", action="store_true", help=f"play yourself, as {NAMES[PERSON]}"
    )


def _number(least: int) -> Callable[[str], int]:
    """Return a reader of numbers from `least` upwards."""

    def read(text: str) -> int:
        try:
            return read_number(text, range(least, LARGEST + 1))
        except UnfitError as unfit:
            raise argparse.ArgumentTypeError(str(unfit)) from None

    return read


def run(arguments: argparse.Namespace) -> int:
    """Play a game as the command line wants it and return the exit status."""
    rules = EDITIONS[arguments.rules].with_variants(
        **{field: name in arguments.variant for name, field in VARIANTS.items()}
    )
    if arguments.interactive and not is_open(sys.stdin):
        print("valletta: --interactive needs an input to read from", file=sys.stderr)
        return MISUSED
    try:
        card_set = RECONSTRUCTION if arguments.cards is None else load_card_set(arguments.cards)
        state = new_game(arguments.players, rules=rules, cards=card_set)
    except (CardSetError, VariantError) as error:
        print(f"valletta: {error}", file=sys.stderr)
        return MISUSED
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    heading = f"{rules}, {counted(arguments.players, 'player')}, seed {seed}"
    story = None if arguments.quiet else Story(reader=PERSON if arguments.interactive else None)
    if story is not None:
        print(f"Valletta: {heading}\n{_about(card_set)}")
    try:
        state = simulate(state, random.Random(seed), story, arguments.max_turns)
    except _QuitError:
        print("\nThe game is left unfinished.")
        return DONE
    result = outcome(state)
    if result is None:
        print(f"\nIf it ended now: {describe_standings(state)}")
        message = f"broken off after {counted(arguments.max_turns, 'turn')} (--max-turns)"
        print(f"valletta: {message}; the rules themselves set no limit", file=sys.stderr)
        return UNFINISHED
    print(f"{heading}\n" if story is None else f"\nScore sheet ({heading})\n")
    print(draw_score_sheet(result))
    return DONE


def _about(card_set: CardSet) -> str:
    """Say which card set is played with, and that the built-in one is a reconstruction."""
    if card_set == RECONSTRUCTION:
        return "The card values are a reconstruction, not the printed ones (see: valletta cards)."
    return f"The cards are those of {card_set.name}."


def simulate(
    state: GameState, rng: random.Random, story: Story | None, max_turns: int
) -> GameState:
    """Play until the game is over, or so many turns have begun, and return the last position.

    If the story has a reader, that person is asked; all other players are automatic.  The rules
    set no limit to the number of turns, so that a simulation must.
    """
    turns = 0
    while (prompt := state.prompt) is not None:
        if isinstance(prompt, ChancePrompt):
            action = sample_chance(state, rng)
        elif story is not None and story.reader == prompt.seat:
            story.pause()
            action = ask(state)
        else:
            action = choose(state, rng)
        step = transition(state, action)
        turns += sum(isinstance(event, TurnBegan) for event in step.events)
        if turns > max_turns:
            break
        if story is not None:
            story.tell(state, step)
        state = step.state
    if story is not None:
        story.pause()
    return state


# Telling


@attrs.define
class Story:
    """Tells a game on the console: a headline for each turn, a line for each card played."""

    reader: int | None
    """The seat of the person who reads it and may see what that seat draws, if there is one."""
    heading: str = "Opening hand"
    """What the next line is headed with: a card, mostly."""
    parts: list[str] = attrs.field(factory=list)
    """What the next line is to say."""
    notices: list[str] = attrs.field(factory=list)
    """What is to be told after the next line."""
    turns: Counter[int] = attrs.field(factory=Counter)
    """How many turns each seat has begun."""

    def tell(self, before: GameState, step: Transition) -> None:
        """Tell what a step from one position to the next brought about."""
        if isinstance(before.prompt, DealPrompt) and not isinstance(step.state.prompt, DealPrompt):
            print(f"\n{sketch_display(step.state)}\n{LEGEND}\n")
        for event in step.events:
            self._tell(event, before, step.state)

    def _tell(self, event: Event, before: GameState, after: GameState) -> None:
        sentence = tell(event, before, reader=self.reader)
        match event:
            case BuildingDealt() | GoodsTaken(clause="VAL-4"):
                pass
            case CardDrawn(seat, character):
                self._tell_of_draw(seat, character)
            case GameEnded():
                self._write()
            case CardPlayed(_, character):
                self._write(SHORT_NAMES[character])
            case PlayedCardsDiscarded():
                self._write("Refill")
            case FinalPhaseTriggered() if end_conditions(before) or self.notices:
                pass
            case FinalPhaseTriggered():
                self.notices.append(f"* {sentence}")
            case EffectFizzled():
                self.parts.append("to no effect")
            case GoodDrafted() | PlayerDroppedOut():
                self._write()
                print(f"  {sentence}")
            case FinalPhaseBegan():
                self._write()
                print(f"\n* {sentence}\n  If it ended now: {describe_standings(after)}")
            case TurnBegan(seat, plays):
                self._write()
                self._announce(seat, plays, after)
            case _:
                known = sentence.subject in (NAMES[before.active], self.heading)
                said = sentence.predicate if known else f"{sentence.subject} {sentence.predicate}"
                self.parts.append(said)

    def _tell_of_draw(self, seat: int, character: Character) -> None:
        """Name to the reader, and nobody else, what the reader draws."""
        if seat == self.reader and self.parts and self.parts[-1].startswith("draws "):
            self.parts[-1] += f", {title(character)}"
        elif seat == self.reader:
            self.parts.append(f"draws {title(character)}")

    def pause(self) -> None:
        """Print what has been told of the line so far, as something is asked now."""
        self._write(self.heading)

    def _announce(self, seat: int, plays: int, state: GameState) -> None:
        """Print the headline of a turn, and now and then the standings before it."""
        self.turns[seat] += 1
        turn = self.turns[seat]
        if seat == 0 and turn > 1 and turn % ROUNDS == 1:
            print(f"\nIf it ended after {turn - 1} rounds: {describe_standings(state)}")
        few = f", {counted(plays, 'card')}" if plays < PLAYS_PER_TURN else ""
        print(f"\n{NAMES[seat]}, turn {turn}{few} ({describe_holdings(state, seat)})")

    def _write(self, heading: str = "") -> None:
        """Print the line that is due, and begin the next."""
        if self.parts:
            indent = " " * (LABEL + 2)
            start = f"  {self.heading.ljust(LABEL)}"
            print(filled("; ".join(self.parts), start, indent))
        for notice in self.notices:
            print(notice)
        self.heading, self.parts, self.notices = heading, [], []


# Asking


def ask(state: GameState) -> Action:
    """Let the person choose a legal action; raise `_QuitError` if there is nobody any more."""
    paying = isinstance(state.prompt, PaymentPrompt)
    actions = _offered(state)
    player, space = state.players[PERSON], state.valette
    where = f"Valette {f'on space {space}' if space else 'by the tower'}"
    print(f"\n  {NAMES[PERSON]}: {describe_holdings(state, PERSON)}; {where}")
    print(f"  Hand: {', '.join(SHORT_NAMES[card] for card in player.hand) or 'no card'}")
    print(f"  {describe_prompt(state)}")
    listed = _list(state, actions, 0, PAGE if paying else len(actions))
    while True:
        typed = _read()
        if typed == "b":
            print(f"{sketch_display(state)}\n{LEGEND}")
        elif typed in {"?", "h", "help"}:
            print(f"{HELP}\n{PAYING}" if paying else HELP)
        elif paying and typed in {"m", "all"}:
            listed = _list(state, actions, listed, PAGE if typed == "m" else len(actions))
        elif re.fullmatch(r"[0-9]{1,6}", typed) and 1 <= int(typed) <= len(actions):
            return actions[int(typed) - 1]
        elif paying and (goods := parse_goods(typed)) is not None:
            violation = check(state, Pay(goods))
            if violation is None:
                return Pay(goods)
            print(f"  That does not pay: {violation.message}.")
        else:
            print(f"  Please type a number from 1 to {len(actions)}, or ? for help.")


def _offered(state: GameState) -> Sequence[Action]:
    """Return the legal actions in the order in which they are listed: cheap payments first."""
    actions = legal_actions(state)
    if isinstance(state.prompt, PaymentPrompt):
        return sorted(actions, key=lambda action: isinstance(action, Pay) and action.goods.total)
    return actions


def _list(state: GameState, actions: Sequence[Action], start: int, count: int) -> int:
    """List so many actions from `start` on, with their numbers, and return how many are listed."""
    end = min(start + count, len(actions))
    for number in range(start, end):
        print(f"    {number + 1:2}  {describe_action(state, actions[number])}")
    if end < len(actions):
        print(f"        {len(actions) - end} more: m for the next, all for all, or type 2g 1w")
    return end


def _read() -> str:
    """Read what the person types; raise `_QuitError` at the end of input, or for ``q``."""
    try:
        typed = input("  > ").strip().lower()
    except EOFError:
        raise _QuitError from None
    if typed in {"q", "quit"}:
        raise _QuitError
    return typed
