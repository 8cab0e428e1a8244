"""`valletta trace FILE`: show which clauses cause the effects of each move in a recorded game."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import Any, Final

import attrs

from valletta_rules import actions, agenda, chance, components, engine, errors, events, words
from valletta_rules.cli.game import add_moves, read_moves, screen_for
from valletta_rules.cli.options import add_language, spoken
from valletta_rules.cli.screen import STRONG, WARNING, Screen
from valletta_rules.codec import text_of, unstructured
from valletta_rules.codec.schema import Definitions, array, json_schema
from valletta_rules.codec.vocabulary import DOCUMENTS
from valletta_rules.records.record import Record, replay
from valletta_rules.specification.clauses import ClauseKind, explain
from valletta_rules.specification.statements import Broken, broken, statements
from valletta_rules.state import GameState
from valletta_rules.text.values import plain

DONE: Final = 0
"""Exit status: the game was traced, and every move agrees with the formal statements."""

WRONG: Final = 1
"""Exit status: a move violates a formal statement, or the output was closed."""

FAULTY: Final = 2
"""Exit status: the file cannot be read, is damaged, or contains an illegal move."""

LONGEST: Final = 400
"""The maximum length of an expected or actual value in a printed failure, in characters."""

TRACE_SCHEMA: Final = resources.files("valletta_rules") / "schema" / "trace.schema.json"
"""The file that contains the JSON Schema of a trace."""

ABOUT: Final = (
    "Trace a recorded game: show which clause caused each effect of a move, and which clause "
    "requires the next decision. Each move is also checked against the formal statements of the "
    "clauses. If the file is damaged or contains an illegal move, print its line and the reason."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_moves(parser, "trace")
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="the format of the output: text, or JSON with events and prompts (default: text)",
    )
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    language = words.language_of(spoken(arguments))
    record, moves = read_moves(arguments, language)
    tracer = Tracer(record, screen_for(record, language))
    print_move = tracer.print_text if arguments.format == "text" else tracer.write
    status = DONE
    for _, move in zip(range(moves), tracer.trace(), strict=False):
        print_move(move)
        status = WRONG if move.failures else status
    if arguments.format == "json":
        print("]" if moves else "[]")
    return status


@attrs.frozen
class Given:
    """An effect of a move, with the clauses that cause it."""

    clauses: Sequence[errors.ClauseId]
    """The ids of the clauses that cause the effect. The clause that an event names comes first."""
    titles: Sequence[str]
    """The titles of the clauses, in the same order."""
    text: str
    """A description of the effect."""


@attrs.frozen
class GivenEntry(Given):
    """An event of a move, with the clauses that cause it."""

    value: events.Event
    """The event that the clauses cause."""


@attrs.frozen
class GivenPrompt(Given):
    """The prompt after a move, with the clauses that require it."""

    value: agenda.Prompt
    """The prompt that the clauses require."""


@attrs.frozen
class PriceItem:
    """One part of a building's price: the cost, a discount or another reduction."""

    goods: components.Goods
    """The goods that this part adds to the price, or deducts from it."""
    site: components.Site | None
    """The site of the building that causes a discount; null for any other part of a price."""


@attrs.frozen
class GivenItem(Given):
    """One part of a building's price, with the clause that requires it."""

    value: PriceItem
    """The amount that the clause adds to the price, or deducts from it."""


@attrs.frozen
class Move:
    """A move: its action, its effects with their clauses, and the formal statements it violates."""

    move: components.Positive
    """The number of the move, counted from 1."""
    seat: components.Seat | None
    """The seat that makes the move; null for a random outcome."""
    action: actions.Action
    """The action of the move."""
    text: str
    """A description of the action."""
    entries: Sequence[GivenEntry]
    """The events that the move causes, in order."""
    price: Sequence[GivenItem]
    """The parts of the price of the site that was chosen; empty for a move that chooses no site."""
    prompt: GivenPrompt | None
    """The next prompt; null at the end of the game."""
    failures: Sequence[Broken]
    """The formal statements that the move violates."""


@attrs.define
class Tracer:
    """Prints the moves in a record with the clauses that cause their effects."""

    record: Record
    screen: Screen
    judge: Any = attrs.field(factory=lambda: statements().Judge())
    """The object that evaluates the formal statements for a move."""
    turns: int = 0
    """The number of turns that have begun in the printed moves."""

    def trace(self) -> Iterator[Move]:
        """Yield all moves in the record, with their effects and violated formal statements."""
        before = self.record.start
        played = zip(self.record.actions, replay(self.record), strict=True)
        for number, (action, transition) in enumerate(played, 1):
            step = statements().Step(before, action, transition.state, transition.events)
            yield self._traced(number, step, transition)
            before = transition.state

    def _traced(self, number: int, step: Any, transition: engine.Transition) -> Move:
        before = step.before
        entries, asking = self.judge.grounds(step)
        price = [*self._price(before, transition.state)]
        priced = {clause for each in price for clause in each.clauses}
        return Move(
            number,
            before.prompt.seat,
            step.action,
            self.screen.language.describe_action(before, step.action),
            [self._entered(*each, before) for each in zip(transition.events, entries, strict=True)],
            price,
            self._prompt([each for each in asking if each not in priced], transition.state),
            [*self._broken(step)],
        )

    def _prompt(self, clauses: Iterable[str], state: GameState) -> GivenPrompt | None:
        """Return the prompt at a position, and the clauses that require it.

        Clauses that merely follow from other clauses are omitted, unless no other clause requires
        the prompt.  Returns `None` at the end of the game.
        """
        if (prompt := state.prompt) is None:
            return None
        own = [each for each in clauses if explain(each).kind is not ClauseKind.CONSEQUENCE]
        text = self.screen.language.describe_prompt(state, self.screen.names)
        asking = own or [*clauses] or [prompt.clause]
        return GivenPrompt(*self._titled(asking), text, prompt)

    def _entered(self, event: Any, clauses: Sequence[str], before: GameState) -> GivenEntry:
        """Return an event and its clauses.  Drawn cards are named, even if they were hidden."""
        reader = event.seat if isinstance(event, events.CardDrawn) else None
        text = self.screen.language.narrate(event, before, self.screen.names, reader=reader)
        return GivenEntry(*self._titled((event.clause, *clauses)), text, event)

    def _titled(self, clauses: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
        """Return the ids of the given clauses, without duplicates, and their titles."""
        ids = [*dict.fromkeys(clauses)]
        return ids, [explain(each, self.screen.language.code).title for each in ids]

    def _price(self, before: GameState, after: GameState) -> Iterator[GivenItem]:
        """Yield the parts of the price to pay after a move; none if the move chose no site."""
        prompt, bill = before.prompt, after.prompt
        if not (isinstance(prompt, agenda.SitePrompt) and isinstance(bill, agenda.PaymentPrompt)):
            return
        items = statements("building").items(before, bill.seat, bill.site, prompt.reduction)
        for clause, goods, site in items:
            key = "discount" if site is not None else "reduction"
            key = "cost" if clause in ("BLD-5", "BLD-17") else key
            text = self.screen.language.phrase(
                f"trace.{key}", goods=goods, site=site, character=before.played[-1]
            )
            yield GivenItem(*self._titled([clause]), text, PriceItem(goods, site))

    def _broken(self, step: Any) -> Iterator[Broken]:
        """Yield the formal statements that a move, or the position before it, violates."""
        before = step.before
        is_chance = isinstance(before.prompt, agenda.ChancePrompt)
        odds = dict(chance.chance_outcomes(before)) if is_chance else None
        position = self.judge.position(before, engine.legal_actions(before), odds)
        failures = (*position, *self.judge.step(step))
        return broken(failures, self.screen.language.code)

    # Text

    def print_text(self, move: Move) -> None:
        """Print a move as text: its action, effects, price, next prompt and failures."""
        screen, phrase = self.screen, self.screen.language.phrase
        mover = phrase("trace.chance") if move.seat is None else screen.names[move.seat]
        screen.fill(f"{mover}: {move.text}", f"{move.move:4}  ", " " * 6, STRONG)
        for given in (*move.entries, *move.price):
            screen.fill(f"{', '.join(given.clauses)}: {given.text}", " " * 6, " " * 8)
        if (prompt := move.prompt) is not None:
            pairs = zip(prompt.clauses, prompt.titles, strict=True)
            why = ", ".join(f"{clause} ({title})" for clause, title in pairs)
            screen.fill(f"{why}: {prompt.text}", " " * 6, " " * 8)
        for each in move.failures:
            pairs = zip(each.clauses, each.sentences, strict=True)
            breaks = [phrase("trace.breaks", clause, text) for clause, text in pairs]
            for line in breaks or [phrase("trace.journal")]:
                screen.fill(line, " " * 6, " " * 8, WARNING)
            for key in ("due", "found"):
                text = plain(getattr(each, key), LONGEST)
                screen.fill(phrase(f"trace.{key}", text), " " * 8, " " * 10)
        for given in move.entries:
            if isinstance(given.value, events.TurnBegan):
                self.turns += 1
                name = screen.names[given.value.seat]
                screen.write(f"\n{phrase('console.turn_of', turn=self.turns, name=name)}")

    # JSON

    def write(self, move: Move) -> None:
        """Print a move on one line, as an element in a JSON array."""
        print("[" if move.move == 1 else ",", text_of(unstructured(DOCUMENTS, move)), sep="")


def schema_text() -> str:
    """Return the JSON Schema (draft 2020-12) of a trace: the text of the file `TRACE_SCHEMA`.

    Definitions in the schema of all documents are referenced, not repeated.
    """
    documents = json_schema()
    definitions = Definitions(DOCUMENTS)
    items = definitions.schema(Move)
    own = {
        name: each for name, each in definitions.schemas.items() if name not in documents["$defs"]
    }
    schema = {
        "$schema": documents["$schema"],
        "$id": f"{documents['$id']}:trace",
        "title": "Trace",
        "description": "A game of Valletta, move by move, as valletta trace writes it.",
        **array(items),
        "$defs": dict(sorted(own.items())),
    }

    def reference(match: re.Match[str]) -> str:
        return f'"{"" if match[1] in own else documents["$id"]}#/$defs/{match[1]}"'

    text = json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
    return re.sub(r'"#/\$defs/(\w+)"', reference, text)
